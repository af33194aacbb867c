"""Captures: recorded from a running driver, heard again by it exactly, and played in place of the device."""

import itertools
import json
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.command import device, tablebridge
from rig.feig import Feig
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.opening import open_link, way
from tablebridge.host.loop import Loop
from tablebridge.host.recorder import Recorder
from tablebridge.host.supervisor import Supervisor
from tablebridge.host.tap import tapped
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Sweep
from tablebridge.sdk.captures import hear, read_capture, said_otherwise
from tablebridge.sdk.testing import Chance, defaults
from tablebridge.sdk.testing import pieces as cut
from tablebridge.watchdog import Watchdog

A, B = "E004010000000001", "E004010000000002"
Plug = Callable[..., Pty]
FEIG = registry.load("feig")


def record(
    plugged: Plug, site: Callable[..., Path], tmp_path: Path
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Two cards come and one goes while `tablebridge capture` runs; Ctrl-C ends it."""
    reader = Feig(A)
    line = plugged(reader, "left")
    out = tmp_path / "left.jsonl"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tablebridge",
            "capture",
            "left",
            "--site",
            str(site(device(tmp_path, "left"))),
            "--out",
            str(out),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for(lambda: line.sent > 200, "the reader is asked")
        reader.put(A, B)
        sent = line.sent
        wait_for(lambda: line.sent > sent + 300, "it is asked on")
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    return out, subprocess.CompletedProcess([], process.returncode, told, errors)


def test_a_capture_is_heard_again_exactly_and_becomes_a_golden_test(
    plugged: Plug, site: Callable[..., Path], tmp_path: Path
) -> None:
    out, done = record(plugged, site, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "bytes from the device" in done.stdout and f"tablebridge drivers play {out}" in done.stdout
    played = tablebridge("drivers", "play", out)
    assert played.returncode == 0, played.stderr
    readings = [json.loads(text) for text in played.stdout.splitlines()]
    sweeps = [set(one["tags"]) for one in readings if one["kind"] == "sweep"]
    assert [tags for tags, _ in itertools.groupby(sweeps)] == [{A}, {A, B}]
    # The whole conversation is there: who hears it says just the bytes that were said.
    capture = read_capture(out.read_text())
    assert said_otherwise(hear(FEIG, capture), capture) == ""
    assert capture[0].driver == "feig" and capture[0].direction == "start"
    # With an option that asks otherwise it cannot be heard so, and that is told.
    assert said_otherwise(hear(FEIG, capture, antennas=2), capture)
    again = tablebridge("capture", "left", "--site", tmp_path / "site.toml", "--out", out)
    assert again.returncode == 2 and "is there already" in again.stderr


def test_a_capture_in_place_of_the_device_drives_the_same_driver(
    plugged: Plug, site: Callable[..., Path], tmp_path: Path
) -> None:
    out, _ = record(plugged, site, tmp_path)
    heard = hear(FEIG, read_capture(out.read_text())).readings
    recorded = [reading for reading in heard if isinstance(reading, Sweep)]
    plays: list[list[Reading]] = []

    def tap(call: str, data: bytes, turn: Any, now: Instant) -> None:
        if call == "start":
            plays.append([])
        plays[-1].extend(reading for reading in turn.readings if isinstance(reading, Sweep))

    def whole() -> int:
        """How many plays gave all that was recorded: on a busy machine one may be too late."""
        return sum(play[: len(recorded)] == recorded for play in plays)

    class Box:
        def keep(self, passed: object) -> None: ...
        def report(self, health: object) -> None: ...
        def step(self, timeout_s: float, fds: list[int]) -> list[int]:
            return select.select(fds, [], [], timeout_s)[0]

        def deliver(self) -> None: ...

    box = Box()
    supervisor = Supervisor(
        "left", f"replay:{out}", tapped(FEIG, tap), defaults(FEIG), box, chance=lambda: 0.0
    )
    loop = Loop("left", [supervisor], box, Watchdog({}))
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    try:
        wait_for(lambda: whole() >= 2, "the capture is played, and from its beginning again", 60)
    finally:
        loop.stop()
        thread.join(60)
    assert not thread.is_alive()
    assert recorded and len(plays) >= 2


def test_seconds_end_a_capture_and_a_silent_device_is_told(
    plugged: Plug, site: Callable[..., Path], tmp_path: Path
) -> None:
    plugged(lambda data: b"", "left")
    out = tmp_path / "left.jsonl"
    done = tablebridge(
        "capture", "left", "--site", site(device(tmp_path, "left")), "--out", out, "--seconds", "0.5"
    )
    assert done.returncode == 1 and "the device says nothing" in done.stdout
    gone = tablebridge(
        "capture",
        "left",
        "--site",
        site(device(tmp_path, "gone").replace('"gone"', '"left"', 1)),
        "--out",
        tmp_path / "2",
        "--seconds",
        "0.2",
    )
    assert gone.returncode == 1 and "the port could not be opened" in gone.stdout


@given(stream=st.binary(max_size=200), seed=st.integers(0, 2**32))
def test_whatever_a_device_says_its_capture_is_heard_again_exactly(
    tmp_path_factory: pytest.TempPathFactory, stream: bytes, seed: int
) -> None:
    """Late calls, pieces cut anywhere, garbage: the recorded session and the one that hears its capture agree
    in all.
    """
    out = tmp_path_factory.mktemp("captures") / "capture.jsonl"
    options = defaults(FEIG, ont="presc")
    recorder = Recorder(out, FEIG, options)
    readings, rejected, chance, now_ns = [], [], Chance(seed), 5_000_000_000
    session = tapped(FEIG, recorder).session(options)
    turn = session.start(Instant(0, now_ns, "boot"))
    for data in cut(stream, chance):
        now_ns += chance.below(400_000_000)
        now = Instant(0, now_ns, "boot")
        late = turn.wake_ns is not None and turn.wake_ns <= now_ns and chance.happens(0.5)
        turn = session.due(now) if late else session.received(data, now)
        readings += turn.readings
        rejected += turn.rejected
    recorder.close()
    capture = read_capture(out.read_text())
    heard = hear(FEIG, capture)
    assert (heard.readings, heard.rejected, said_otherwise(heard, capture)) == (readings, rejected, "")
    assert capture[0].options == {"ont": "presc"}


def test_what_is_no_capture_is_told_in_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    for text, reason in (
        ('{"ms": 0, "direction": "rx", "hex": "0"}\n', "line 1"),
        ("\n{}\n", "line 2"),
        ('{"ms": 2, "direction": "rx"}\n{"ms": 1, "direction": "rx"}\n', "order of time"),
    ):
        bad.write_text(text)
        done = tablebridge("drivers", "play", bad, "--driver", "feig")
        assert done.returncode == 2 and reason in done.stderr
        with pytest.raises(LinkRefused, match="cannot be played"):
            open_link(f"replay:{bad}", way(f"replay:{bad}", FEIG, defaults(FEIG)))
    missing = tablebridge("drivers", "play", tmp_path / "none.jsonl")
    assert missing.returncode == 2 and "cannot be read" in missing.stderr


def test_a_full_disk_ends_the_recording_and_not_the_driver(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        Recorder(tmp_path / "none" / "capture.jsonl", FEIG, defaults(FEIG))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    recorder = Recorder(tmp_path / "capture.jsonl", FEIG, defaults(FEIG))
    session = tapped(FEIG, recorder).session(defaults(FEIG))
    session.start(Instant(0, 0, "boot"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        for ms in range(500):
            session.received(bytes(100), Instant(0, ms * 1_000_000, "boot"))
        recorder.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "could not be written to its end" in recorder.error


def test_a_device_alone_is_recorded_without_site_and_broker(plugged: Plug, tmp_path: Path) -> None:
    plugged(Feig(A), "left")
    out = tmp_path / "left.jsonl"
    alone = ("capture", "--port", tmp_path / "left", "--driver", "feig", "--out", out)
    done = tablebridge(*alone, "--seconds", "4", "--option", "ont=presc", "--option", "quiet_ms=10")
    assert done.returncode == 0 and "bytes from the device" in done.stdout, done.stderr + done.stdout
    first = json.loads(out.read_text().splitlines()[0])
    assert (first["driver"], first["options"]) == ("feig", {"ont": "presc", "quiet_ms": 10})
    played = tablebridge("drivers", "play", out)
    assert played.returncode == 0 and A in played.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"left", "left.jsonl"}


def test_a_device_alone_that_says_nothing_or_is_not_there_is_told(plugged: Plug, tmp_path: Path) -> None:
    plugged(lambda data: b"", "left")
    for port, said in (
        (tmp_path / "left", "the device says nothing"),
        (tmp_path / "none", "none is not there"),
    ):
        out = tmp_path / f"{port.name}.jsonl"
        done = tablebridge("capture", "--port", port, "--driver", "feig", "--out", out, "--seconds", "2")
        assert done.returncode == 1 and said in done.stdout, done.stderr + done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("left",), "Name either a device of a site file"),
        (("left", "--port", "/dev/x", "--driver", "feig"), "Name either a device of a site file"),
        (("--port", "/dev/x", "--driver", "feig", "--option", "antennas"), "write NAME=VALUE"),
        (("--port", "/dev/x", "--driver", "feig", "--option", "antenas=2"), "has no option"),
        (("--port", "/dev/x", "--driver", "fieg"), "No driver is called"),
    ],
)
def test_what_is_to_be_recorded_is_named_in_one_way(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = tablebridge("capture", *arguments, "--out", tmp_path / "out.jsonl")
    assert done.returncode == 2 and said in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_what_a_device_says_by_itself_is_recorded_without_a_driver(tmp_path: Path) -> None:
    """Nothing is sent; a driver that understands it is named, and else the bytes are shown."""
    badge = bytes.fromhex("0236324533303836434544303803")
    for said, told in ((badge, "Understood by: rdm6300"), (b"$GPGGA,1*47\r\n", "No driver understands that")):
        cable = Pty(tmp_path / "port")
        out = tmp_path / f"{told[:2]}.jsonl"
        raw = ("capture", "--port", str(cable.link), "--raw", "--out", str(out))
        process = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", *raw],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            wait_for(out.exists, "the recording begins")
            for _ in range(4):
                cable.say(said)
            wait_for(lambda sent=4 * len(said), cable=cable: cable.sent >= sent, "all is said")
            wait_for(lambda out=out, all_of=4 * said: recorded(out) == all_of, "all of it is recorded")
            process.send_signal(signal.SIGINT)
            printed, complained = process.communicate(timeout=60)
        finally:
            process.kill()
            cable.unplug()
        assert process.returncode == 0 and told in printed, printed + complained
        assert cable.heard == 0


def recorded(capture: Path) -> bytes:
    """The bytes of the device in whole lines of a capture that may still be written."""
    lines = capture.read_text().splitlines(keepends=True)
    return b"".join(bytes.fromhex(json.loads(line)["hex"]) for line in lines if line.endswith("\n"))
