"""The turn taking of each conversation, with the smallest driver that has it: time is virtual."""

from enum import Enum

import pytest

from tablebridge.sdk import DeviceStatus, Option, Reason, Rejected, Sweep, TrayReading, Turn
from tablebridge.sdk.conversations.conversation import Conversation
from tablebridge.sdk.conversations.gathering import OPTIONS, Gathered
from tablebridge.sdk.conversations.polling import Polling
from tablebridge.sdk.conversations.push import VISITS, Named, NamingSession, Push, Said
from tablebridge.sdk.conversations.request_response import RequestResponse, following
from tablebridge.sdk.framing import Frames, Lines, TextLines
from tablebridge.sdk.testing import MS, at


class Step(Enum):
    NAME = "name"
    SWEEP = "sweep"


class Coin(RequestResponse[Step]):
    """Asks N, then S again and again. An answer is the question's letter, twice."""

    def __init__(self, half_duplex: bool = False) -> None:
        super().__init__(
            Step.NAME, Frames(lambda buffer, at: 2, lambda frame: frame[0] == frame[1]), half_duplex
        )
        self.restarts = 0

    def request(self, step: Step) -> tuple[bytes, int]:
        return step.value[:1].upper().encode(), 300 * MS

    def heard(self, frame: bytes, now_ns: int) -> None:
        if self.waiting and frame[:1] == self.request(self.step)[0]:
            self.report(Sweep(0, ()), alive=True)
            self.go_to(Step.SWEEP, now_ns + 20 * MS)
        else:
            self.reject(Reason.UNEXPECTED, "", frame)

    def restart(self) -> None:
        super().restart()
        self.restarts += 1


def reasons(turn: Turn) -> list[Reason]:
    return [rejected.reason for rejected in turn.rejected]


def test_one_request_at_a_time_and_the_next_when_the_driver_says() -> None:
    coin = Coin()
    assert coin.start(at(0)) == Turn(send=b"N", wake_ns=300 * MS)
    assert coin.received(b"NN", at(5 * MS)) == Turn((Sweep(0, ()),), wake_ns=25 * MS, alive=True)
    assert coin.due(at(24 * MS)) == Turn(wake_ns=25 * MS)
    assert coin.due(at(25 * MS)) == Turn(send=b"S", wake_ns=325 * MS)


def test_what_gets_no_answer_is_asked_again_and_from_the_first_step_after_three_times() -> None:
    coin = Coin()
    coin.start(at(0))
    coin.received(b"NN", at(0))
    sent, now_ns = [], 20 * MS
    for _ in range(5):
        turn = coin.due(at(now_ns))
        sent.append((turn.send, reasons(turn)))
        assert turn.wake_ns is not None
        now_ns = turn.wake_ns
    late = [Reason.TIMEOUT]
    assert sent == [(b"S", []), (b"S", late), (b"S", late), (b"N", late), (b"N", late)]
    assert coin.restarts == 2, "at the start, and after three timeouts"


def test_a_damaged_answer_costs_a_moment_and_not_the_whole_deadline() -> None:
    coin = Coin()
    coin.start(at(0))
    assert coin.received(b"NX", at(5 * MS)).wake_ns == 45 * MS
    turn = coin.due(at(45 * MS))
    assert (turn.send, reasons(turn)[-1]) == (b"N", Reason.TIMEOUT)


def test_a_frame_that_has_begun_is_given_up_after_a_silence_and_not_spoken_over_before() -> None:
    coin = Coin()
    coin.start(at(0))
    assert coin.received(b"N", at(290 * MS)).wake_ns == 300 * MS
    assert coin.due(at(300 * MS)) == Turn(wake_ns=330 * MS)
    assert reasons(coin.due(at(330 * MS))) == [Reason.TOO_SHORT, Reason.TIMEOUT]


@pytest.mark.parametrize(("half_duplex", "asked_ns"), [(False, 300 * MS), (True, 335 * MS)])
def test_on_a_half_duplex_line_nothing_is_sent_until_the_device_is_silent(
    half_duplex: bool, asked_ns: int
) -> None:
    coin = Coin(half_duplex)
    coin.start(at(0))
    assert reasons(coin.received(b"XX", at(295 * MS))) == [Reason.UNEXPECTED]
    turn = coin.due(at(300 * MS))
    assert (turn.send == b"N") is not half_duplex
    if half_duplex:
        assert coin.due(at(asked_ns)).send == b"N"


def test_the_deadline_of_an_answer_can_be_moved() -> None:
    coin = Coin()
    coin.start(at(0))
    coin.wait_until(900 * MS)
    assert coin.due(at(300 * MS)) == Turn(wake_ns=900 * MS)


def test_antennas_are_visited_in_turn() -> None:
    assert [following(antenna, (1, 2, 5)) for antenna in (1, 2, 5)] == [2, 5, 1]


class Scale(Polling[bytes]):
    """An answer is a line; one that begins with ! is said by itself."""

    def __init__(self) -> None:
        super().__init__(Lines(20), b"W", 300 * MS, "no answer of the scale")

    def heard(self, line: bytes, now_ns: int) -> None:
        self.report(DeviceStatus("ok", line.decode()), alive=True)
        if not line.startswith(b"!"):
            self.answered(now_ns + 50 * MS)


def test_the_same_is_asked_again_and_again_and_what_is_said_unasked_changes_nothing() -> None:
    scale = Scale()
    assert scale.start(at(0)) == Turn(send=b"W", wake_ns=300 * MS)
    assert scale.received(b"!tare\n", at(1)).wake_ns == 300 * MS
    assert scale.received(b"12 g\n", at(10 * MS)).wake_ns == 60 * MS
    assert scale.due(at(60 * MS)) == Turn(send=b"W", wake_ns=360 * MS)
    assert scale.due(at(360 * MS)) == Turn(
        (), (Rejected(Reason.TIMEOUT, "no answer of the scale"),), b"W", 660 * MS
    )


class Ear(Push[bytes]):
    def heard(self, line: bytes, now_ns: int) -> None:
        self.report(DeviceStatus("ok", line.decode()), alive=True)


def test_a_device_that_talks_is_listened_to_and_never_asked() -> None:
    ear = Ear(Lines(20))
    assert ear.start(at(0)) == Turn()
    assert ear.received(b"one\ntw", at(0)) == Turn((DeviceStatus("ok", "one"),), wake_ns=50 * MS, alive=True)
    assert reasons(ear.due(at(50 * MS))) == [Reason.TOO_SHORT]
    assert ear.received(b"three\n", at(60 * MS)).readings == (DeviceStatus("ok", "three"),)


def test_a_pause_within_a_line_that_is_typed_ends_nothing() -> None:
    ear = Ear(TextLines())
    assert ear.received(b"tw", at(0)).wake_ns is None
    assert ear.received(b"o\r\n", at(9_000 * MS)).readings == (DeviceStatus("ok", "two"),)


def named(line: bytes) -> Said:
    return Named(0, line.decode())


def test_a_tag_that_is_named_once_counts_as_several_visits_and_goes_when_its_time_is_over() -> None:
    session = NamingSession(TextLines(), named, hold_ms=100)
    assert session.received(b"E004\n", at(0)).readings == (Sweep(0, ("E004",), VISITS),)
    assert session.due(at(100 * MS)).readings == (Sweep(0, (), VISITS),)


def status(conversation: Conversation[bytes]) -> list[tuple[str, str]]:
    readings = conversation.received(b"", at(0)).readings
    return [(reading.state, reading.detail) for reading in readings if isinstance(reading, DeviceStatus)]


def test_a_status_is_reported_when_it_changes_and_ok_only_after_something_else() -> None:
    ear = Ear(Lines(20))
    ear.report_success()
    assert status(ear) == []
    for _ in range(4):
        ear.report_refusal("no field")
    assert status(ear) == [("degraded", "no field")]
    ear.report_refusal("no field")
    ear.report_refusal("no field")
    assert status(ear) == [("failed", "no field")], "the fifth time in a row"
    ear.report_success()
    assert status(ear) == [("ok", "")]
    ear.report_refusal("no field")
    assert status(ear) == [("degraded", "no field")], "counted from the beginning again"


def test_bytes_that_are_sent_go_out_once() -> None:
    ear = Ear(Lines(20))
    ear.send(b"a")
    ear.send(b"b")
    assert [ear.due(at(0)).send, ear.due(at(0)).send] == [b"ab", b""]


def gathered(**options: str | int) -> Gathered:
    known: dict[str, Option] = OPTIONS
    return Gathered({**{name: option.default for name, option in known.items()}, **options})


def test_tags_are_gathered_and_reported_when_they_differ() -> None:
    tray = gathered()
    assert tray.report(0) == []
    tray.add(0, "B", 10 * MS)
    tray.add(0, "A", 20 * MS)
    assert tray.report(1_000 * MS) == [TrayReading(("A", "B"))]
    assert tray.report(2_000 * MS) == [], "nothing has changed"
    assert tray.report(3_500 * MS) == [TrayReading(())], "not read for three seconds"


def test_as_sweeps_every_report_is_evidence_and_too_many_tags_are_an_incomplete_one() -> None:
    antenna = gathered(report="antenna")
    antenna.report(0)
    for number in range(801):
        antenna.add(1, f"{number:04X}", 500 * MS)
    empty, full = antenna.report(1_000 * MS)
    assert (empty, full) == (Sweep(0, (), complete=False), Sweep(1, full.tags, complete=False))  # type: ignore[union-attr]
    assert antenna.report(2_000 * MS)[0] == Sweep(0, ())
