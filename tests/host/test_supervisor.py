"""The loop, with real ports and the real FEIG driver: what people do to cables, and what lines do to
bytes.
"""

import logging
import socket
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from rig.feig import Feig
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.host.health import Health
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, seat_place
from tablebridge.model.readings import Look, Sweep
from tablebridge.sdk import Driver, Reason, Rejected, SerialPort, Signal, Turn

A, B = "E004010000000001", "E004010000000002"
STALE_AFTER_S = 2.0
"""Longer than a busy machine lets a device of the tests wait for its processor."""
FEIG = msgspec.structs.replace(registry.load("feig"), stale_after_s=STALE_AFTER_S)
Plug = Callable[..., Pty]
Run = Callable[..., Any]


def test_a_reader_is_read(plugged: Plug, run: Run) -> None:
    feig = Feig(A)
    box = run(plugged(feig).link, FEIG)
    wait_for(lambda: box.visits(A) > 20, "twenty visits with the first tag")
    feig.put(A, B)
    wait_for(lambda: box.visits(A, B) > 20, "twenty visits with both")
    assert box.states == ["live"]
    boots = {at.boot_id for at, _ in box.kept}
    assert boots == {Path("/proc/sys/kernel/random/boot_id").read_text().strip()}
    assert len(box.kept) < 40, "visits are kept together"


def test_no_visit_is_lost_at_the_end(plugged: Plug, run: Run) -> None:
    """Five visits or more are held, for less than the second after which they would go by themselves, when it
    is told to stop; at most the one that the reader is just answering is not read any more.
    """
    feig = Feig(A)
    box = run(plugged(feig).link, FEIG)
    wait_for(lambda: 5 <= feig.inventories - box.visits(A) <= 10, "visits are held")
    box.stop()
    assert 0 <= feig.inventories - box.visits(A) <= 1


def test_what_is_held_goes_when_a_device_falls_silent_and_nothing_is_held_when_it_is_back(
    plugged: Plug, run: Run
) -> None:
    feig = Feig(A)
    pty = plugged(feig)
    # Stale sooner than what is held goes by itself.
    box = run(pty.link, msgspec.structs.replace(FEIG, stale_after_s=0.2), answer_ms=100)
    held: list[int] = []
    report = box.report

    def noted(health: Health) -> None:
        if health.state == "stale":
            held.append(feig.inventories - box.visits(A))
        report(health)

    box.report = noted
    wait_for(lambda: 5 <= feig.inventories - box.visits(A) <= 10, "visits are held")
    pty.stuck = True
    wait_for(lambda: box.states[-1] == "lost", "lost")
    assert max(held) <= 1, "visits are still held when the device is called stale"
    before = len(box.kept)
    pty.stuck = False

    def since() -> list[int]:
        return [one.visits for _, one in box.kept[before:] if isinstance(one, Sweep)]

    wait_for(lambda: len(since()) >= 4, "sweeps again")
    assert since()[:4] == [1] * 4


def test_pulled_out_in_mid_frame_and_put_back_as_another_terminal(
    plugged: Plug, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    feig = Feig(A)
    pty = plugged(feig)
    with caplog.at_level(logging.WARNING):
        box = run(pty.link, FEIG)
        wait_for(lambda: box.visits(A), "a first visit")
        pty.cut_after = 7
        wait_for(lambda: box.states[-1] == "lost", "the device is lost")
        terminal = Pty(pty.link.with_name("other"))
        feig.put(B)
        pty.plug()
        wait_for(lambda: box.visits(B), "the other tag, after the cable is back")
        terminal.unplug()
    assert box.states == ["live", "stale", "lost", "live"]
    assert "check cable and power" in next(
        health.detail for health in box.reported if health.state == "stale"
    )
    assert box.reported[-1].detail == "" and box.reported[-1].reconnects == 1
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("tablebridge.host")]
    assert len(lines) == 2, lines
    assert lines[0].startswith("left is away: ") and lines[1].startswith("left is back after ")


def test_pulled_out_many_times(plugged: Plug, run: Run) -> None:
    rng, feig = Random(5), Feig(A)
    pty = plugged(feig)
    box = run(pty.link, FEIG)
    for number in range(8):
        tag = f"E0040100000001{number:02X}"
        feig.put(tag)
        wait_for(lambda tag=tag: box.visits(tag), f"visit {number}")
        pty.cut_after = rng.randrange(1, 30)
        wait_for(lambda: not pty.plugged, "the cable is out")
        pty.unplug()
        pty.plug()
    feig.put(B)
    wait_for(lambda: box.visits(B), "the last tag")
    wait_for(lambda: box.reported[-1].state == "live", "live at the end")


def test_a_device_that_is_not_there_when_it_starts(plugged: Plug, run: Run, tmp_path: Path) -> None:
    box = run(tmp_path / "reader", FEIG)
    wait_for(lambda: box.states == ["stale", "lost"], "the missing device is lost")
    assert (
        "is not there: plug the device in" in box.reported[-1].detail and box.reported[-1].alive_wall_ns == 0
    )
    plugged(Feig(A))
    wait_for(lambda: box.visits(A), "a visit")


@pytest.mark.parametrize("fault", ["flip", "drop", "double"])
def test_a_noisy_line_is_counted_and_invents_no_tag(plugged: Plug, run: Run, fault: str) -> None:
    feig = Feig(A)
    pty = plugged(feig)
    setattr(pty, fault, 0.01)
    box = run(pty.link, FEIG, answer_ms=100)
    wait_for(lambda: box.visits(A) > 40, "forty visits in spite of noise")
    wait_for(lambda: box.reported[-1].rejects, "rejects in the health")
    assert {tag for _, one in box.kept if isinstance(one, Sweep) for tag in one.tags} == {A}


def test_late_answers(plugged: Plug, run: Run) -> None:
    pty = plugged(Feig(A))
    pty.late_s = 0.05
    box = run(pty.link, FEIG)
    wait_for(lambda: box.visits(A) > 8, "visits from a slow device")
    assert box.states == ["live"]


def test_a_stuck_device_is_lost_and_its_port_is_opened_anew(plugged: Plug, run: Run) -> None:
    pty = plugged(Feig(A))
    box = run(pty.link, FEIG, answer_ms=100)
    wait_for(lambda: box.visits(A), "a visit")
    pty.stuck = True
    wait_for(lambda: box.states[-1] == "lost", "lost")
    wait_for(lambda: box.reported[-1].reconnects >= 1, "opened anew")
    assert "nothing that makes sense" in box.reported[-1].detail
    pty.stuck = False
    wait_for(lambda: box.states[-1] == "live", "live again")


def test_a_device_behind_a_network_port(run: Run) -> None:
    feig = Feig(A)
    with socket.create_server(("127.0.0.1", 0)) as server:
        box = run(f"socket://127.0.0.1:{server.getsockname()[1]}", FEIG)
        for _ in range(2):
            peer, _ = server.accept()
            seen = box.visits(A)
            peer.settimeout(0.1)
            with peer:
                deadline = time.monotonic() + 60
                while box.visits(A) < seen + 5 and time.monotonic() < deadline:
                    try:
                        peer.sendall(feig(peer.recv(4096)))
                    except TimeoutError:
                        continue
            assert box.visits(A) >= seen + 5
        wait_for(lambda: box.reported[-1].state != "live", "the end of the connection is told")


class _Scripted:
    """A session that asks every 20 ms and takes each answer as a visit; `!` makes it break its promise not to
    raise.
    """

    def start(self, now: Instant) -> Turn:
        return Turn(send=b"?", wake_ns=now.monotonic_ns + 20_000_000)

    def received(self, data: bytes, now: Instant) -> Turn:
        if b"!" in data:
            raise ValueError(data.decode())
        return Turn(
            (Sweep(0, ()),),
            (Rejected(Reason.NOISE),) * data.count(b"~"),
            b"",
            now.monotonic_ns + 20_000_000,
            True,
        )

    def due(self, now: Instant) -> Turn:
        return self.start(now)


def scripted(settle_s: float = 0.0) -> Driver:
    return Driver(
        "scripted",
        "for tests",
        "own protocol",
        "here",
        "here",
        stale_after_s=STALE_AFTER_S,
        port=lambda options: SerialPort(38400, settle_s=settle_s),
        session=lambda options: _Scripted(),
    )


class _Lamp(_Scripted):
    """Answers each signal with the bytes that paint it."""

    def show(self, signal: Signal, now: Instant) -> Turn:
        return Turn(send=signal.level.encode() + b";", wake_ns=now.monotonic_ns + 20_000_000)


def test_a_light_that_was_away_is_painted_anew(plugged: Plug, run: Run) -> None:
    """Whoever plugs in a lamp, this or another, sees the state of the table and not the lamp's own idea of
    it.
    """
    painted: list[bytes] = []

    def lamp(data: bytes) -> bytes:
        painted.extend(part for part in data.replace(b"?", b"").split(b";") if part)
        return b"."

    pty = plugged(lamp)
    box = run(pty.link, msgspec.structs.replace(scripted(), shows=True, session=lambda options: _Lamp()))
    box.show(Signal("critical"))
    wait_for(lambda: painted[-1:] == [b"critical"], "the light is painted")
    pty.unplug()
    wait_for(lambda: box.states[-1] != "live", "the light is away")
    painted.clear()
    pty.plug()
    wait_for(lambda: box.states[-1] == "live", "the light is back")
    wait_for(lambda: painted == [b"critical"], "the light is painted anew")


def test_rejects_are_counted_by_reason(plugged: Plug, run: Run) -> None:
    box = run(plugged(lambda data: b"~~.").link, scripted())
    wait_for(lambda: box.reported and box.reported[-1].frames >= 3, "a health with frames")
    assert box.reported[-1].rejects == {"noise": 2 * box.reported[-1].frames}


class _Crowded(_Scripted):
    def received(self, data: bytes, now: Instant) -> Turn:
        tags = tuple(f"{number:08X}" for number in range(4_050))
        return Turn((Sweep(0, tags), Sweep(1, tags)), (), b"", now.monotonic_ns + 20_000_000, True)


def test_of_4050_tags_under_an_antenna_64_are_kept_and_the_rest_is_counted(plugged: Plug, run: Run) -> None:
    crowded = msgspec.structs.replace(scripted(), session=lambda options: _Crowded())
    box = run(plugged(lambda data: b".").link, crowded, for_chips=[1])
    wait_for(lambda: box.reported and box.reported[-1].frames >= 4, "a health with frames")
    assert {(one.antenna, len(one.tags)) for _, one in box.kept if isinstance(one, Sweep)} == {
        (0, 64),
        (1, 450),
    }
    assert (
        box.reported[-1].rejects["too-many-tags"] == (4_050 - 64 + 4_050 - 450) * box.reported[-1].frames // 2
    )


class _Indiscreet(_Scripted):
    def received(self, data: bytes, now: Instant) -> Turn:
        looks = (Look(BOARD, "face-up", 9.0, "Ah"), Look(seat_place(3), "face-up", 9.0, "Kd"))
        return Turn(
            (*looks, Look(seat_place(3), "face-up", 9.0)), (), b"", now.monotonic_ns + 20_000_000, True
        )


def test_a_camera_that_names_a_hidden_face_is_refused_and_counted(
    plugged: Plug, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    indiscreet = msgspec.structs.replace(scripted(), session=lambda options: _Indiscreet())
    with caplog.at_level(logging.DEBUG):
        box = run(plugged(lambda data: b".").link, indiscreet)
        wait_for(lambda: box.reported and box.reported[-1].frames >= 6, "a health with frames")
    kept = {(one.place, one.face) for _, one in box.kept if isinstance(one, Look)}
    assert kept == {(BOARD, "Ah"), (seat_place(3), "")}
    assert box.reported[-1].rejects["hidden-face"] == box.reported[-1].frames // 3
    assert "Kd" not in caplog.text


def test_a_board_that_resets_is_left_alone_until_it_has_settled(plugged: Plug, run: Run) -> None:
    pty = plugged(lambda data: b".")
    box = run(pty.link, scripted(settle_s=0.2))
    pty.say(b"!!! boot garbage !!!")
    wait_for(lambda: box.visits(), "a visit after settling")
    assert box.states == ["live"]


def test_a_driver_that_raises_is_told_without_what_it_read(
    plugged: Plug, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        box = run(plugged(lambda data: b"!secret").link, scripted())
        wait_for(
            lambda: box.reported and "the driver scripted failed (ValueError" in box.reported[-1].detail,
            "the failure is told",
        )
    assert "secret" not in caplog.text and "secret" not in box.reported[-1].detail


def test_waiting_for_a_missing_device_costs_nothing(run: Run, tmp_path: Path) -> None:
    box = run(tmp_path / "reader", FEIG)
    wait_for(lambda: box.states == ["stale", "lost"], "lost")
    before, began = box.steps, time.monotonic()
    wait_for(lambda: time.monotonic() - began > 1.0, "a second")
    assert (box.steps - before) / (time.monotonic() - began) < 12, "it looks four times a second"


def test_a_clock_of_ones_own(plugged: Plug, run: Run) -> None:
    class Stopped:
        def now(self) -> Instant:
            return Instant(1, time.monotonic_ns(), "a boot", False)

    box = run(plugged(lambda data: b".").link, scripted(), clock=Stopped())
    wait_for(lambda: box.visits(), "a visit")
    assert {(at.wall_ns, at.boot_id, at.clock_synchronised) for at, _ in box.kept} == {(1, "a boot", False)}
