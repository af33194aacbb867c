"""The line protocol: every message survives the way out and back; on a bad line nothing is lost silently."""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Reading,
    Reason,
    Rejected,
    ShufflerReport,
    Sweep,
    TrayReading,
)
from tablebridge.sdk.framing import crc_mcrf4xx
from tablebridge.sdk.testing import MS, Chance, Heard, Link, at, converse, defaults
from tablebridge_drivers.line import DRIVER, decode
from tablebridge_drivers.line.lines import (
    Contact,
    DeadAntenna,
    Health,
    Hello,
    Line,
    Message,
    OtherVersion,
    Shuffler,
    TrayCounts,
    TrayTags,
    Visits,
    decode_line,
    encode_line,
)

A, B, C = "E004010000000001", "E004010000000002", "F4A1B2C3"
START = Hello("board/1", 2, 2, "power")
ASKED = Hello("board/1", 2, 2, "asked")

texts = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters=",*"), max_size=20)
uids = (
    st.sampled_from([4, 7, 8, 10, 12])
    .flatmap(lambda size: st.binary(min_size=size, max_size=size))
    .map(lambda uid: uid.hex().upper())
)
many = st.lists(uids, max_size=12, unique=True).map(tuple)
some = st.lists(uids, min_size=1, max_size=12, unique=True).map(tuple)
antennas = st.integers(1, 64)
numbers = st.integers(0, 0xFFFFFFFF)
messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(
        Hello, texts, st.integers(0, 64), st.integers(0, 64), st.sampled_from(["power", "reset", "asked"])
    ),
    st.builds(Visits, antennas, st.sampled_from(["=", "~"]), st.integers(1, 65535), many),
    st.builds(Visits, antennas, st.sampled_from(["+", "-"]), st.integers(0, 65535), some),
    st.builds(DeadAntenna, antennas, texts),
    st.integers(0, 65535).flatmap(
        lambda edges: st.builds(Contact, antennas, st.just(edges % 2 == 1), st.just(edges))
    ),
    st.builds(
        Shuffler,
        st.integers(1, 65535),
        st.sampled_from(["ok", "jam"]),
        st.none() | st.integers(0, 999),
        st.lists(st.sampled_from(["Kh", "2c", "Ts"]), max_size=60).map(tuple),
    ),
    st.builds(TrayTags, st.integers(1, 8), st.integers(8, 64), many),
    st.builds(TrayCounts, st.dictionaries(st.integers(1, 10**6), st.integers(0, 500), max_size=8)),
    st.builds(Health, st.sampled_from(["ok", "degraded", "failed"]), texts),
)


def board(*messages: Message, seq: int = 0, ms: int = 0) -> bytes:
    return b"".join(encode_line(Line(seq + n, ms + n, message)) for n, message in enumerate(messages))


def hear(*streams: bytes) -> list[Reading | Rejected]:
    return list(decode(b"".join(streams)))


@given(numbers, numbers, messages)
def test_messages_come_back_as_they_were(seq: int, ms: int, message: Message) -> None:
    line = Line(seq, ms, message)
    assert decode_line(encode_line(line).removesuffix(b"\n")) == line


@given(messages, st.data())
def test_one_damaged_byte_is_never_another_message(message: Message, data: st.DataObject) -> None:
    line = bytearray(encode_line(Line(7, 7, message)).removesuffix(b"\n"))
    where = data.draw(st.integers(0, len(line) - 1))
    line[where] ^= 1 << data.draw(st.integers(0, 7))
    # Damage to the first byte can make a comment of it; the gap in SEQ tells of that one.
    assert isinstance(decode_line(bytes(line)), Rejected | None)


def test_the_examples_of_the_specification_are_what_it_says() -> None:
    text = (Path(__file__).parents[2] / "docs/line-protocol.md").read_text(encoding="utf-8")
    examples = re.findall(r"^v1,\d.*$", text, re.MULTILINE)
    assert len(examples) >= 4
    assert all(isinstance(decode_line(example.encode()), Line) for example in examples)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("v1,5,5", Reason.TOO_SHORT),
        ("v1,5,5,q", Reason.UNKNOWN_TYPE),
        ("v1,5,5,k,1,1", Reason.TOO_SHORT),
        ("v1,5,5,k,1,1,1,1", Reason.TOO_LONG),
        ("v1,5,5,k,1,1,2", Reason.IMPOSSIBLE_VALUE),
        ("v1,05,5,k,1,1,1", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,4294967296,k,1,1,1", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,65,=,1", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,3,=,0", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,3,=,1,e004010000000001", Reason.IMPOSSIBLE_VALUE),
        (f"v1,5,5,3,=,1,{A},{A}", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,3,+,1", Reason.TOO_SHORT),
        ("v1,5,5,3,?,1", Reason.UNKNOWN_TYPE),
        ("v1,5,5,s,1,fine", Reason.UNKNOWN_TYPE),
        ("v1,5,5,s,1,ok,52,Xx", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,t,3,2", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,c,100", Reason.IMPOSSIBLE_VALUE),
        ("v1,5,5,e,fine,", Reason.UNKNOWN_TYPE),
        ("hello", Reason.NOISE),
    ],
)
def test_a_field_that_cannot_be_is_rejected_with_its_reason(body: str, reason: Reason) -> None:
    found = decode_line(f"{body}*{crc_mcrf4xx(body.encode()):04X}".encode())
    assert isinstance(found, Rejected) and found.reason is reason


def test_a_wrong_crc_is_rejected() -> None:
    found = decode_line(b"v1,57,8031,k,3,1,17*4BD7")
    assert isinstance(found, Rejected) and found.reason is Reason.CHECKSUM


def test_comments_and_empty_lines_say_nothing() -> None:
    assert hear(b"# boot ok\n\r\n\n") == []


def test_another_version_is_a_failed_device_and_told_once() -> None:
    line = b"v2,0,0,x"
    line += b"*%04X\n" % crc_mcrf4xx(line)
    assert decode_line(line.strip()) == OtherVersion(2)
    assert [item.state for item in hear(line * 3) if isinstance(item, DeviceStatus)] == ["failed"]


def test_visits_become_sweeps_and_each_is_told_once() -> None:
    told = hear(
        board(
            START,
            Visits(1, "+", 4, (A, B)),
            Visits(1, "-", 2, (A,)),
            Visits(1, "=", 9, (B,)),
            Visits(2, "~", 1, (C,)),
        )
    )
    assert told[1:] == [
        Sweep(1, (), 4),
        Sweep(1, (A, B)),
        Sweep(1, (A, B), 2),
        Sweep(1, (B,)),
        Sweep(1, (B,), 9),
        Sweep(2, (C,), complete=False),
    ]


def test_a_dead_antenna_is_told_once_and_told_when_it_works_again() -> None:
    dead = DeadAntenna(2, "version 00")
    told = hear(board(START, dead, dead, Visits(2, "=", 3, (A,))))
    assert told[1:] == [
        DeviceStatus("failed", "version 00", 2),
        DeviceStatus("ok", "the antenna works again", 2),
        Sweep(2, (A,), 3),
    ]


def test_missing_lines_are_counted_and_a_set_that_may_have_changed_is_not_built_on() -> None:
    told = hear(
        board(START, Visits(1, "+", 0, (A,))),
        board(Visits(1, "+", 0, (B,)), Visits(1, "=", 1, (A, B)), seq=5, ms=50),
    )
    assert DeviceStatus("degraded", "3 lines are missing") in told
    assert told[-2:] == [Sweep(1, (B,), complete=False), Sweep(1, (A, B))]


def test_a_change_that_does_not_fit_is_rejected_and_the_board_asked() -> None:
    session = DRIVER.session(defaults(DRIVER))
    session.start(at(0))
    turn = session.received(board(START, Visits(1, "-", 0, (A,))), at(2000 * MS))
    assert [item.reason for item in turn.rejected] == [Reason.IMPOSSIBLE_VALUE]
    assert turn.send == b"?\n"


def test_lost_edges_of_a_contact_are_made_good_and_told() -> None:
    told = hear(board(START, Contact(1, False, 0)), board(Contact(1, True, 3), seq=4, ms=9))
    assert [item.pressed for item in told if isinstance(item, ButtonPress)] == [False, True, False, True]
    assert DeviceStatus("degraded", "contact 1: edges not heard in time: 2") in told


def test_a_contact_that_is_repeated_says_nothing_new() -> None:
    told = hear(board(START, *[Contact(1, True, 1)] * 4))
    assert [item for item in told if isinstance(item, ButtonPress)] == [ButtonPress(1, True)]


def test_very_many_lost_edges_are_told_but_not_all_made_good() -> None:
    told = hear(board(START, Contact(1, False, 0), Contact(1, False, 100)))
    presses = [item for item in told if isinstance(item, ButtonPress)]
    assert len(presses) == 17 and presses[-1] == ButtonPress(1, False)
    assert DeviceStatus("degraded", "contact 1: edges not heard in time: 99, 84 of them lost") in told


@pytest.mark.parametrize(
    ("before", "after", "presses"),
    [
        (Contact(1, False, 8), Contact(1, True, 1), [True]),
        (Contact(1, True, 7), Contact(1, True, 1), []),
        (Contact(1, True, 7), Contact(1, False, 0), [False]),
        (Contact(1, False, 8), Contact(1, False, 2), [True, False]),
    ],
)
def test_after_a_restart_only_what_changed_is_told(
    before: Contact, after: Contact, presses: list[bool]
) -> None:
    told = hear(board(START, before), board(Hello("board/1", 2, 2, "watchdog"), after))
    assert DeviceStatus("restarted", "watchdog") in told
    restarted = told.index(DeviceStatus("restarted", "watchdog"))
    assert [item.pressed for item in told[restarted:] if isinstance(item, ButtonPress)] == presses


def test_a_restart_whose_hello_was_lost_is_seen_by_the_numbers() -> None:
    told = hear(board(START, *[Visits(1, "=", 1, (A,))] * 9), board(Visits(1, "+", 1, (B,)), seq=3, ms=300))
    assert any(isinstance(item, DeviceStatus) and item.state == "restarted" for item in told)
    assert told[-1] == Sweep(1, (B,), complete=False)


def test_a_line_that_comes_twice_counts_once() -> None:
    told = hear(board(START), board(Visits(1, "+", 0, (A,)), seq=1, ms=1) * 2)
    assert [item for item in told if isinstance(item, Sweep)] == [Sweep(1, (A,))]
    assert [item.reason for item in told if isinstance(item, Rejected)] == [Reason.UNEXPECTED]


def test_shuffler_reports_are_told_once_each_and_lost_ones_counted() -> None:
    told = hear(
        board(START, Shuffler(1, "ok", 52, ("Kh",)), Shuffler(1, "ok", 52, ("Kh",)), Shuffler(3, "jam"))
    )
    assert told[1:] == [
        ShufflerReport("ok", 52, ("Kh",)),
        DeviceStatus("degraded", "reports of the shuffler not heard: 1"),
        ShufflerReport("jam"),
    ]


def test_a_tray_in_parts_is_one_reading_and_a_lost_part_none() -> None:
    assert hear(board(START, TrayTags(1, 2, (B,)), TrayTags(2, 2, (A,))))[1:] == [TrayReading((A, B))]
    told = hear(board(START, TrayTags(1, 3, (A,))), board(TrayTags(3, 3, (B,)), seq=3, ms=3))
    assert not any(isinstance(item, TrayReading) for item in told)
    assert hear(board(START, TrayCounts({100: 20, 500: 0})))[1:] == [TrayReading(counts={100: 20, 500: 0})]


class Board:
    """Two antennas, one contact that is pressed now and then; snapshots each second. `obeys`: it knows the
    command `a`.
    """

    def __init__(self, obeys: bool = True, mute_ns: int = 10**18) -> None:
        self.obeys = obeys
        self.mute_ns = mute_ns
        self.edges = 0
        self.antennas = 2
        self.commands: list[bytes] = []
        self._seq = 0
        self._next_ns = 0

    def waits_ns(self) -> int | None:
        return 100 * MS

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]:
        for command in data.split(b"\n")[:-1]:
            self.commands.append(command)
            if command[:1] == b"a" and command[1:].isdigit() and self.obeys:
                self.antennas = int(command[1:])
            if now_ns < self.mute_ns and command[:1] in (b"?", b"a"):
                yield 1 * MS, self._say(now_ns, Hello("board/1", self.antennas, 1, "asked"))
                yield 2 * MS, self._snapshot(now_ns)

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]:
        if now_ns >= self.mute_ns:
            return
        if self._seq == 0:
            yield 0, self._say(now_ns, Hello("board/1", 2, 1, "power"))
        if now_ns >= self._next_ns:
            self._next_ns = now_ns + 1000 * MS
            yield 0, self._snapshot(now_ns)
        if now_ns // (100 * MS) % 4 == 0:
            self.edges += 1
            yield 0, self._say(now_ns, Contact(1, self.edges % 2 == 1, self.edges))

    def _snapshot(self, now_ns: int) -> bytes:
        return b"".join(
            self._say(now_ns, message)
            for message in (
                Visits(1, "=", 15, (A,)),
                Visits(2, "=", 15, (B, C)),
                Contact(1, self.edges % 2 == 1, self.edges),
            )
        )

    def _say(self, now_ns: int, message: Message) -> bytes:
        self._seq += 1
        return encode_line(Line(self._seq - 1, now_ns // MS, message))


def talk(device: Board, seconds: float, link: Link | None = None, **options: Any) -> Heard:
    return converse(DRIVER.session(defaults(DRIVER, **options)), device, seconds, link)


def test_a_board_at_work_is_heard_and_not_disturbed() -> None:
    device = Board()
    heard = talk(device, 10)
    assert heard.rejected == []
    assert device.commands == [b"?"]
    assert {item for item in heard.readings if isinstance(item, Sweep)} == {
        Sweep(1, (A,), 15),
        Sweep(2, (B, C), 15),
    }


def test_a_board_that_falls_silent_is_asked_every_second() -> None:
    device = Board(mute_ns=3000 * MS)
    heard = talk(device, 10)
    assert device.commands.count(b"?") >= 6
    assert {item.reason for item in heard.rejected} == {Reason.TIMEOUT}
    assert max(heard.alive_ns) < 4000 * MS


@pytest.mark.parametrize(("obeys", "told"), [(True, 0), (False, 1)])
def test_the_number_of_antennas_is_told_to_the_board_until_it_holds_or_cannot(obeys: bool, told: int) -> None:
    device = Board(obeys)
    heard = talk(device, 10, antennas=1)
    assert 1 <= device.commands.count(b"a1") <= 3
    assert (
        sum(isinstance(item, DeviceStatus) and "not 1 as told" in item.detail for item in heard.readings)
        == told
    )


@pytest.mark.parametrize("seed", range(4))
def test_on_a_hostile_line_no_edge_vanishes_without_a_trace(seed: int) -> None:
    device = Board()
    link = Link(Chance(seed), flip=0.001, drop=0.001, double=0.001, cut=0.02, delay_ms=20)
    heard = talk(device, 60, link)
    presses = [item.pressed for item in heard.readings if isinstance(item, ButtonPress)]
    assert any(item.reason is Reason.CHECKSUM for item in heard.rejected)
    assert all(before != after for before, after in pairwise(presses)), "edges alternate"
    # The first contact line may tell of edges before it as a state; the last edge may still be on its way.
    assert device.edges - 3 <= len(presses) <= device.edges + 1
    assert {sweep for sweep in heard.readings if isinstance(sweep, Sweep)} == {
        Sweep(1, (A,), 15),
        Sweep(2, (B, C), 15),
    }


def test_boards_that_are_swapped_at_their_cables_are_noticed_and_not_used() -> None:
    """Adapters without serial numbers are told apart by their sockets only; the board says who it is."""
    lines = [encode_line(Line(seq, seq, said)) for seq, said in enumerate((START, Visits(1, "=", 2, (A,))))]

    def told(board: str) -> list[Reading]:
        session = DRIVER.session(defaults(DRIVER, board=board))
        session.start(at(0))
        return [reading for line in lines for reading in session.received(line, at(1)).readings]

    assert [reading for reading in told("board") if isinstance(reading, Sweep)] == [Sweep(1, (A,), 2)]
    swapped = told("other")
    assert not any(isinstance(reading, Sweep) for reading in swapped)
    (status,) = [one for one in swapped if isinstance(one, DeviceStatus) and one.state == "failed"]
    assert "cables are swapped" in status.detail
    assert told("")[-1] == told("board")[-1]
