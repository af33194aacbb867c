"""ACS readers: the messages that others logged, the conversation in virtual time, faults."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.ccid import Acr, Acr122U, Acr1552U
from rig.played import Played

from tablebridge.sdk import ButtonPress, DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.testing import MS, Chance, Heard, Link, S, at, converse, defaults
from tablebridge_drivers.acs import DRIVER, ccid

A, B, C = "A0D98978", "04A1B2C3D4E5F6", "E004010012345678"


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


@pytest.mark.parametrize(
    ("message", "kind", "data"),
    [
        ("6F 05 00 00 00 00 00 00 00 00 FF 00 48 00 00", ccid.BLOCK, ccid.FIRMWARE_122),
        ("62 00 00 00 00 00 00 00 00 00", ccid.POWER_ON, b""),
        ("6F 05 00 00 00 00 00 00 00 00 FF 00 51 7F 00", ccid.BLOCK, ccid.PICC_PARAMETER),
        (
            "6F 09 00 00 00 00 00 00 00 00 FF 00 00 00 04 D4 4A 01 00",
            ccid.BLOCK,
            ccid.direct(hexed("4A0100")),
        ),
        (
            "6F 0D 00 00 00 00 00 00 00 00 FF 00 00 00 08 D4 4A 01 00 A0 D9 89 78",
            ccid.BLOCK,
            ccid.direct(hexed("4A0100A0D98978")),
        ),
        ("6B 05 00 00 00 00 00 00 00 00 E0 00 00 18 00", ccid.ESCAPE, ccid.FIRMWARE),
    ],
)
def test_questions(message: str, kind: int, data: bytes) -> None:
    assert ccid.encode(kind, 0, data) == hexed(message)


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        (
            "80 0A 00 00 00 00 00 02 81 00 41 43 52 31 32 32 55 32 30 33",
            DeviceStatus("identified", "ACS ACR122U203"),
        ),
        ("80 02 00 00 00 00 00 00 81 00 3B 00", DeviceStatus("ok", "power is on, ATR 3B00")),
        ("80 02 00 00 00 00 00 00 81 00 90 02", DeviceStatus("ok", "answer 9002")),
        ("80 05 00 00 00 00 00 00 81 00 D5 4B 00 90 00", Sweep(0, ())),
        ("80 0E 00 00 00 00 00 00 81 00 D5 4B 01 01 00 04 28 04 A0 D9 89 78 90 00", Sweep(0, (A,))),
        ("50 03", DeviceStatus("ok", "a card came")),
        (
            "80 00 00 00 00 00 00 00 81 00",
            DeviceStatus("degraded", "the radio inside the reader does not answer"),
        ),
        ("80 02 00 00 00 00 00 00 81 00 63 7F", DeviceStatus("degraded", "the reader refuses: status 637F")),
        ("80 00 00 00 00 00 00 42 FE 00", Sweep(0, ())),
    ],
)
def test_answers(message: str, meaning: Reading) -> None:
    assert ccid.decode(hexed(message)) == (meaning,)


def test_an_answer_shorter_than_its_head_is_rejected() -> None:
    (told,) = ccid.decode(hexed("80 03 00 00 00 00 00 00 81"))
    assert isinstance(told, Rejected) and told.reason is Reason.TOO_SHORT


@pytest.mark.parametrize(
    ("listed", "tags"),
    [
        ("02 01 0004 08 04 A0D98978 02 0044 00 07 04A1B2C3D4E5F6", (B, A)),
        ("01 01 0004 28 04 A0D98978 05 78778002", (A,)),
        ("01 01 0004 28 04 A0D98978", (A,)),
        ("01 01 0004 28 04 A0D989", None),
        ("01 01 0004 08 03 A0D989", None),
        ("02 01 0004 08 04 A0D98978", None),
        ("", None),
    ],
)
def test_lists_of_targets(listed: str, tags: tuple[str, ...] | None) -> None:
    assert ccid.targets(hexed(listed)) == tags


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    for told in (
        *ccid.decode(data),
        *ccid.decode(b"\x80" + len(data).to_bytes(4, "little") + bytes(5) + data),
    ):
        assert isinstance(told, Sweep | DeviceStatus | Rejected) and not isinstance(told, ButtonPress)


def talk(reader: Acr, seconds: float = 3.0, link: Link | None = None, happens: Any = ()) -> Heard:
    return converse(DRIVER.session(defaults(DRIVER)), Played(reader, happens), seconds, link)


@pytest.mark.parametrize(
    ("reader", "name"), [(Acr122U(), "ACS ACR122U203"), (Acr1552U(), "ACS ACR1552U-M1 1.03")]
)
def test_each_kind_is_known_by_its_answer(reader: Acr, name: str) -> None:
    heard = talk(reader)
    assert heard.readings[0] == DeviceStatus("identified", name)
    assert heard.readings[1:] == [Sweep(0, ())] * (len(heard.readings) - 1) and len(heard.readings) > 20
    assert heard.rejected == []


def test_two_cards_on_an_acr122u_come_again_in_every_sweep() -> None:
    heard = talk(Acr122U(A, B))
    assert heard.readings[1:] == [Sweep(0, tuple(sorted((A, B))), complete=False)] * (len(heard.readings) - 1)
    assert talk(Acr122U(A)).readings[-1] == Sweep(0, (A,))


@pytest.mark.parametrize("reverse", [False, True])
def test_an_iso_15693_card_in_either_order_of_bytes(reverse: bool) -> None:
    reader = Acr1552U(C)
    reader.reverse = reverse
    assert talk(reader).readings[-1] == Sweep(0, (C,), complete=False), "one card is named; there may be more"


def test_a_dead_radio_is_told_and_is_no_empty_place() -> None:
    reader = Acr122U(A)
    reader.radio = False
    heard = talk(reader, seconds=6.0)
    assert not any(isinstance(reading, Sweep) for reading in heard.readings)
    states = [reading.state for reading in heard.readings if isinstance(reading, DeviceStatus)]
    assert states[:2] == ["identified", "degraded"] and "failed" in states


def test_a_reader_that_asks_for_time_gets_it() -> None:
    reader = Acr1552U(C)
    reader.waits = 3
    heard = talk(reader)
    assert heard.readings[-1].tags == (C,)  # type: ignore[union-attr]


def test_silence_is_asked_again_and_begins_anew() -> None:
    reader = Acr122U(A)
    heard = talk(reader, seconds=10.0, happens=[(1000, lambda: setattr(reader, "hushed", 4) or b"")])  # type: ignore[func-returns-value]
    assert sum(item.reason is Reason.TIMEOUT for item in heard.rejected) == 4
    assert heard.readings[-1] == Sweep(0, (A,))
    names = [
        reading
        for reading in heard.readings
        if isinstance(reading, DeviceStatus) and reading.state == "identified"
    ]
    assert len(names) == 2, "it may have been switched off meanwhile, so it is set up again from its name on"


def looking() -> Any:
    """A session that has just asked an ACR1552U whether a card is there, with its question and when it was
    asked.
    """
    reader, session, now_ns = Acr1552U(), DRIVER.session(defaults(DRIVER)), 0
    turn = session.start(at(now_ns))
    while turn.send[:1] != b"\x65":
        now_ns += MS
        turn = session.received(reader(turn.send), at(now_ns))
        now_ns = max(now_ns, turn.wake_ns or 0)
        turn = session.due(at(now_ns))
    return session, turn.send, now_ns


def test_a_late_answer_to_an_old_question_is_not_the_answer_to_the_new_one() -> None:
    session, asked, now_ns = looking()
    again = session.due(at(now_ns + S)).send
    assert again[0] == asked[0] and again[6] == (asked[6] + 1) % 256, "the same question under another number"
    reader = Acr1552U()
    late = session.received(reader(asked), at(now_ns + S + MS))
    assert late.readings == () and [item.reason for item in late.rejected] == [Reason.UNEXPECTED]
    assert session.received(reader(again), at(now_ns + S + 2 * MS)).readings == (Sweep(0, ()),)


def test_a_reader_that_asks_for_time_is_given_it_from_then_on() -> None:
    session, asked, now_ns = looking()
    waits = hexed(f"81 00000000 00 {asked[6]:02X} 80 01 00")
    turn = session.received(waits, at(now_ns + 900 * MS))
    assert turn.wake_ns == now_ns + 1900 * MS and turn.rejected == ()
    turn = session.due(at(now_ns + S))
    assert turn.send == b"" and turn.rejected == ()
    assert session.received(Acr1552U()(asked), at(now_ns + 1800 * MS)).readings == (Sweep(0, ()),)


def test_faults_with_sweeps_between_them_do_not_add_up_over_a_night() -> None:
    reader = Acr122U(A)

    def radio(on: bool) -> Any:
        return lambda: setattr(reader, "radio", on) or b""  # type: ignore[func-returns-value]

    faults = [(1000 * number + late, radio(bool(late))) for number in range(1, 9) for late in (0, 300)]
    heard = talk(reader, 10.0, happens=faults)
    states = [reading.state for reading in heard.readings if isinstance(reading, DeviceStatus)]
    assert states.count("degraded") == 8 and "failed" not in states


@pytest.mark.parametrize("reader", [Acr122U(A), Acr1552U(C)])
def test_on_a_hostile_line_no_tag_is_invented_from_nothing(reader: Acr) -> None:
    """CCID has no checksum of its own, since USB has one: what is cut or lost is told, and the conversation
    goes on.
    """
    heard = talk(reader, 20.0, Link(Chance(3), drop=0.002, cut=0.02))
    tags = [reading.tags for reading in heard.readings if isinstance(reading, Sweep)]
    assert len(tags) > 30 and {len(tag) for found in tags for tag in found} <= {8, 14, 16, 20}
    assert heard.rejected
