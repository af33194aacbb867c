"""The conversation with a FEIG reader, played in virtual time against a reader that is written here from the
manual.
"""

from collections.abc import Iterable
from typing import Any

import pytest

from tablebridge.sdk import DeviceStatus, Reason, Sweep, Turn
from tablebridge.sdk.testing import Chance, Heard, Link, S, at, converse, defaults
from tablebridge_drivers.feig import DRIVER
from tablebridge_drivers.feig.frames import Answer, decode_request, encode_answer, encode_request, intact

A, B, C = "E004010000000001", "E004010000000002", "E016800000000003"
MR101 = bytes.fromhex("0302000 04C0008".replace(" ", ""))


class Reader:
    """`fields`: the tags of each antenna. `script`: statuses for the next inventories; then OK or no
    transponder.

    It keeps a tag quiet once it has named it, until the field was off; it names `at_once` tags in one answer.
    """

    def __init__(
        self,
        *fields: tuple[str, ...],
        script: Iterable[int] = (),
        at_once: int = 24,
        mute_from: int = 10**9,
        echo: bool = False,
        control_status: dict[int, int] | None = None,
    ) -> None:
        self.fields = fields
        self.script = list(script)
        self.at_once = at_once
        self.mute_from = mute_from
        self.echo = echo
        self.control_status = control_status or {}
        self.controls: list[int] = []
        self._antenna = 0
        self._quiet: set[str] = set()
        self._rest: list[str] = []

    def waits_ns(self) -> int | None:
        return None

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]:
        return ()

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]:
        if len(data) < 5 or not intact(data) or len(self.controls) >= self.mute_from:
            return
        request = decode_request(data)
        self.controls.append(request.control)
        if self.echo:
            yield 0, data
        status, more = self._do(request.control, request.data)
        yield 15_000_000, encode_answer(Answer(request.control, status, more, 0, request.advanced))

    def _do(self, control: int, data: bytes) -> tuple[int, bytes]:
        if control in self.control_status:
            return self.control_status[control], b""
        if control == 0x65:
            return 0, MR101
        if control == 0x66:
            return 0, MR101 + bytes.fromhex("01400140")
        if control in (0x69, 0x6A):
            self._quiet.clear()
        if control == 0x6A:
            self._antenna = data[0] - 1
        if control != 0xB0:
            return 0, b""
        if self.script and self.script[0]:
            return self.script.pop(0), b""
        if data[1] != 0x80:
            self.script[:1] = []
            awake = [tag for tag in self.fields[self._antenna] if tag not in self._quiet or data[1] & 0x20]
            self._rest = awake
            self._quiet.update(awake)
        now, self._rest = self._rest[: self.at_once], self._rest[self.at_once :]
        records = b"".join(b"\x03\x00" + bytes.fromhex(tag) for tag in now)
        return (1, b"") if not now else (0x94 if self._rest else 0, bytes((len(now),)) + records)


def talk(reader: Reader, seconds: float = 2.0, link: Link | None = None, **options: Any) -> Heard:
    return converse(DRIVER.session(defaults(DRIVER, **options)), reader, seconds, link)


def sweeps(heard: Heard) -> list[Sweep]:
    return [reading for reading in heard.readings if isinstance(reading, Sweep)]


def statuses(heard: Heard) -> list[tuple[str, int | None]]:
    return [
        (reading.state, reading.antenna) for reading in heard.readings if isinstance(reading, DeviceStatus)
    ]


def test_the_reader_is_named_and_its_field_swept() -> None:
    heard = talk(Reader((A, B)))
    assert heard.readings[0] == DeviceStatus(
        "identified", "FEIG ID ISC.MR101-A, firmware 3.2, reads ISO 15693, answers of up to 320 bytes"
    )
    assert set(sweeps(heard)) == {Sweep(0, (A, B))}
    assert len(sweeps(heard)) > 20 and heard.rejected == []


def test_an_empty_field_is_a_sweep_without_tags() -> None:
    heard = talk(Reader(()))
    assert set(sweeps(heard)) == {Sweep(0, ())}
    assert len(heard.alive_ns) > 20


@pytest.mark.parametrize(("ont", "seen_again"), [("rf-reset", True), ("presc", True), ("cleared", False)])
def test_a_tag_is_named_again_though_the_reader_keeps_it_quiet(ont: str, seen_again: bool) -> None:
    # With "cleared" the operator has promised a reader that does not keep tags quiet; this one does.
    reader = Reader((A,))
    assert (sweeps(talk(reader, ont=ont))[-1].tags == (A,)) is seen_again
    assert (0x69 in reader.controls) is (ont == "rf-reset")


def test_more_data_is_fetched_and_merged_into_one_sweep() -> None:
    tags = tuple(f"E0040100000001{n:02X}" for n in range(60))
    assert set(sweeps(talk(Reader(tags, at_once=24), frames="advanced"))) == {Sweep(0, tags)}


def test_a_reader_that_always_has_more_data_does_not_keep_the_other_antennas_waiting() -> None:
    heard = talk(Reader((A,), (B,), script=[0x94] * 10_000), 10, antennas=2)
    assert sweeps(heard)[:4] == [Sweep(1, (), complete=False), Sweep(2, (), complete=False)] * 2


def test_two_antennas_are_swept_in_turn() -> None:
    heard = talk(Reader((A,), (B, C)), antennas=2)
    assert sweeps(heard)[:4] == [Sweep(1, (A,)), Sweep(2, (B, C))] * 2


def test_unfinished_anticollision_is_an_incomplete_sweep() -> None:
    assert sweeps(talk(Reader((A,), script=[0x83])))[:2] == [Sweep(0, (), complete=False), Sweep(0, (A,))]


def test_a_fault_of_the_antenna_is_told_and_never_an_empty_field() -> None:
    heard = talk(Reader((A,), script=[0x84] * 6), 6)
    assert statuses(heard)[1:] == [("degraded", 0), ("failed", 0), ("ok", 0)]
    assert all(sweep.tags == (A,) for sweep in sweeps(heard))
    first_sweep = heard.readings.index(Sweep(0, (A,)))
    assert heard.readings[first_sweep - 1] == DeviceStatus("ok", "", 0)


@pytest.mark.parametrize("status", [0x80, 0x81, 0x82, 0xF1, 0x77])
def test_a_refused_inventory_is_told_and_proves_no_life(status: int) -> None:
    heard = talk(Reader((A,), control_status={0xB0: status}))
    assert sweeps(heard) == []
    assert ("degraded", 0) in statuses(heard)
    assert len(heard.alive_ns) == 1, "only the identification"


def test_a_refused_rf_reset_is_told_and_sweeping_goes_on() -> None:
    heard = talk(Reader((A,), control_status={0x69: 0x80}))
    assert ("degraded", None) in statuses(heard)
    assert sweeps(heard)


def test_a_reader_that_falls_silent_is_asked_again_from_the_beginning() -> None:
    reader = Reader((A,), mute_from=20)
    heard = talk(reader, 10)
    assert {item.reason for item in heard.rejected} == {Reason.TIMEOUT}
    probe = encode_request(decode_request(bytes.fromhex("06FF52000F6E")))
    assert heard.sent[-1] == probe
    assert max(heard.alive_ns) < 1 * S


def test_requests_that_the_line_sends_back_are_no_answers() -> None:
    heard = talk(Reader((A,), echo=True))
    assert set(sweeps(heard)) == {Sweep(0, (A,))}
    assert {item.reason for item in heard.rejected} <= {Reason.UNEXPECTED, Reason.NOISE}
    assert heard.rejected


def test_an_answer_that_nobody_waits_for_is_rejected() -> None:
    session = DRIVER.session(defaults(DRIVER))
    session.start(at(0))
    turn = session.received(encode_answer(Answer(0xB0, 1)), at(1))
    assert [item.reason for item in turn.rejected] == [Reason.UNEXPECTED]
    assert turn.readings == ()


def test_a_request_waits_until_the_reader_has_had_its_silence() -> None:
    session = DRIVER.session(defaults(DRIVER, quiet_ms=5))
    session.start(at(0))
    turn = session.received(encode_answer(Answer(0x52, 0)), at(1_000_000))
    assert (turn.send, turn.wake_ns) == (b"", 6_000_000)
    assert session.due(at(5_999_999)) == Turn(wake_ns=6_000_000)
    assert session.due(at(6_000_000)).send == bytes.fromhex("05FF65E5CB")


def test_an_answer_cut_off_by_silence_is_rejected_and_asked_for_again() -> None:
    session = DRIVER.session(defaults(DRIVER))
    sent = session.start(at(0)).send
    turn = session.received(bytes.fromhex("060052"), at(1_000_000))
    assert turn.wake_ns is not None
    turn = session.due(at(turn.wake_ns))
    assert [item.reason for item in turn.rejected] == [Reason.TOO_SHORT]
    assert turn.wake_ns is not None
    turn = session.due(at(turn.wake_ns))
    assert turn.send == sent
    assert [item.reason for item in turn.rejected] == [Reason.TIMEOUT]


def test_a_reader_is_not_spoken_over_while_bytes_of_it_still_come() -> None:
    session = DRIVER.session(defaults(DRIVER))
    sent = session.start(at(0)).send
    session.received(encode_answer(Answer(0xB0, 1)), at(390_000_000))
    assert session.due(at(400_000_000)) == Turn(wake_ns=430_000_000)
    assert session.due(at(430_000_000)).send == sent


def test_a_damaged_answer_costs_a_moment_and_not_the_whole_deadline() -> None:
    session = DRIVER.session(defaults(DRIVER, ont="cleared"))
    turn = session.start(at(0))
    for control, data in ((0x52, b""), (0x65, MR101), (0x66, MR101)):
        turn = session.received(encode_answer(Answer(control, 0, data)), at(turn.wake_ns or 0))
        turn = session.due(at(turn.wake_ns or 0))
    asked_ns = (turn.wake_ns or 0) - 1200 * 1_000_000
    turn = session.received(bytes.fromhex("0600B0015C62"), at(asked_ns))
    turn = session.due(at(turn.wake_ns or 0))
    assert turn.send == bytes.fromhex("07FFB001001C56")
    assert turn.wake_ns == asked_ns + 1240 * 1_000_000


@pytest.mark.parametrize("seed", range(4))
def test_a_hostile_line_never_invents_or_loses_a_tag_for_good(seed: int) -> None:
    link = Link(Chance(seed), flip=0.005, drop=0.005, double=0.005, cut=0.02, delay_ms=30)
    heard = talk(Reader((A, B)), 60, link)
    seen = sweeps(heard)
    assert len(seen) > 30
    # A CRC of 16 bits lets one damaged frame in 65536 through; with these seeds none does.
    assert {sweep for sweep in seen if sweep.complete} == {Sweep(0, (A, B))}
    assert any(item.reason is Reason.TIMEOUT for item in heard.rejected)


def test_a_reader_that_refuses_for_half_a_minute_is_restarted_by_its_own_command() -> None:
    """The request and its answer are those that were logged: 05 FF 63 D3 AE, 06 00 63 00 86 07."""
    reader = Reader((A,), script=[0x84] * 60)
    heard = talk(reader, 60)
    assert bytes.fromhex("05FF63D3AE") in heard.sent and reader.controls.count(0x63) == 1
    assert reader.controls[reader.controls.index(0x63) + 1] == 0x52
    sweeps = [reading for reading in heard.readings if isinstance(reading, Sweep)]
    assert sweeps and sweeps[-1].tags == (A,)
