"""The units under a real systemd: started, watched, restarted, and kept to what they need."""

import socket
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rig.buttons import BigRedButton
from rig.usb import UsbModel
from rig.usbip import Modem, RealDevice
from rig.wait import wait_for
from vm.box import PATIENCE_S, Box, command, node

from tablebridge.model.readings import ButtonPress

Plug = Callable[..., RealDevice]
UNPRESSED, PRESSED = ButtonPress(1, False), ButtonPress(1, True)
YES, ABSENT, DENIED, FORBIDDEN = (
    "yes",
    "No such file or directory",
    "Permission denied",
    "Operation not permitted",
)
READ_ONLY, NO_FAMILY = "Read-only file system", "Address family not supported by protocol"
SETPRIORITY = 141
DROP_INS = Path("/run/systemd/system")


def shown(unit: str, name: str) -> str:
    """A property of a unit."""
    return command("systemctl", "show", "--value", f"--property={name}", unit).strip()


@contextmanager
def changed(unit: str, *lines: str) -> Iterator[None]:
    """The unit's service with other lines, for as long as this lasts."""
    folder = DROP_INS / f"{unit}.service.d"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "test.conf").write_text("[Service]\n" + "\n".join(lines) + "\n")
    command("systemctl", "daemon-reload")
    try:
        yield
    finally:
        (folder / "test.conf").unlink()
        command("systemctl", "daemon-reload")


def probe(unit: str, *does: str) -> dict[str, str]:
    """What the unit's sandbox says to each of these."""
    told = Path("/run/probe.txt")
    command("systemctl", "stop", unit)
    with changed(
        unit,
        "Type=oneshot",
        "Restart=no",
        "WatchdogSec=0",
        "TimeoutStartSec=300",
        "ExecStart=",
        f"ExecStart=/opt/tablebridge/bin/python /opt/source/tests/vm/probe.py {' '.join(does)}",
        f"StandardOutput=truncate:{told}",
    ):
        command("systemctl", "start", unit)
    said = dict(line.split(" ", 1) for line in told.read_text().splitlines())
    assert list(said) == list(does), "it ran to its end"
    return said


@pytest.fixture
def outside() -> Iterator[str]:
    """An address that is this machine's and not localhost's, and stands for any other machine."""
    command("ip", "addr", "add", "192.0.2.1/32", "dev", "lo")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("192.0.2.1", 0))
        server.sendto(b"x", server.getsockname())
        yield f"192.0.2.1@{server.getsockname()[1]}"
    command("ip", "addr", "del", "192.0.2.1/32", "dev", "lo")


@pytest.fixture
def unguarded() -> Iterator[Path]:
    """A device and a folder that the rights of files leave to everybody: only a sandbox can keep them."""
    folder = Path("/srv/probe")
    folder.mkdir()
    folder.chmod(0o777)
    Path("/dev/uinput").chmod(0o666)
    yield folder
    Path("/dev/uinput").chmod(0o600)
    folder.rmdir()


def test_a_driver_that_hangs_or_is_killed_is_started_again(plug: Plug, box: Box) -> None:
    button = BigRedButton()
    plug(button, 1)
    unit = "tablebridge-driver@floor"
    # The unit's own thirty seconds would only make the test longer; much less is too short for an emulated
    # processor.
    with changed(unit, "WatchdogSec=15"):
        box.start("floor")
        box.says("floor", UNPRESSED)
        main = shown(unit, "MainPID")
        status = Path(f"/proc/{main}/status").read_text()
        assert command("ps", "-o", "user=", "-p", main).strip() in ("tablebridge-driver", "tablebr+")
        assert (
            "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status and "CapBnd:\t0000000000000000" in status
        )
        for times, (sent, result) in enumerate((("STOP", "watchdog"), ("KILL", "signal")), 1):
            main = shown(unit, "MainPID")
            command("kill", f"-{sent}", main)
            wait_for(
                lambda result=result: shown(unit, "Result") == result,
                f"systemd sees it: {result}",
                PATIENCE_S,
            )
            wait_for(
                lambda times=times: int(shown(unit, "NRestarts")) >= times, "it is started again", PATIENCE_S
            )
            button.state = 0x16
            box.forget("floor")
            box.says("floor", PRESSED)
            button.state = 0x15
            box.says("floor", UNPRESSED)
            # It reads its device before systemd hears that it is ready.
            wait_for(lambda: shown(unit, "ActiveState") == "active", "systemd hears that it runs", PATIENCE_S)
            assert shown(unit, "MainPID") not in ("0", main)


def test_a_driver_reaches_its_devices_and_its_broker_and_nothing_else(
    plug: Plug, box: Box, outside: str, unguarded: Path
) -> None:
    ours, other = plug(BigRedButton(), 1), plug(UsbModel(), 2)
    plug(Modem(), 3)
    wanted = {
        f"open:{node(ours)}": YES,
        "open:/dev/ttyACM0": YES,
        "connect:127.0.0.1@1883": YES,
        "socket:16": YES,
        "list:/var/lib/tablebridge/outbox": YES,
        "write:/var/lib/tablebridge/outbox/probe": YES,
        "process:self": YES,
        f"open:{node(other)}": DENIED,
        "open:/dev/uinput": FORBIDDEN,
        f"send:{outside}": FORBIDDEN,
        "socket:17": NO_FAMILY,
        "read:/etc/tablebridge/engine.password": DENIED,
        "list:/var/lib/tablebridge/journal": DENIED,
        "list:/var/lib/tablebridge/decks": DENIED,
        f"write:{unguarded}/file": READ_ONLY,
        "wx:": FORBIDDEN,
        f"syscall:{SETPRIORITY}": FORBIDDEN,
        "process:1": ABSENT,
    }
    assert probe("tablebridge-driver@floor", *wanted) == wanted


def test_the_engine_reaches_no_device_and_no_other_machine(
    plug: Plug, box: Box, outside: str, unguarded: Path
) -> None:
    ours = plug(BigRedButton(), 1)
    plug(Modem(), 3)
    wanted = {
        "connect:127.0.0.1@1883": YES,
        "list:/var/lib/tablebridge/journal": YES,
        "list:/var/lib/tablebridge/decks": YES,
        "write:/var/lib/tablebridge/calibration/probe": YES,
        "list:/var/lib/tablebridge/tokens": DENIED,
        f"open:{node(ours)}": ABSENT,
        "open:/dev/ttyACM0": ABSENT,
        "open:/dev/uinput": ABSENT,
        f"send:{outside}": FORBIDDEN,
        "socket:16": NO_FAMILY,
        "list:/var/lib/tablebridge/outbox": DENIED,
        f"write:{unguarded}/file": READ_ONLY,
        "wx:": FORBIDDEN,
        f"syscall:{SETPRIORITY}": FORBIDDEN,
        "process:1": ABSENT,
    }
    assert probe("tablebridge-engine", *wanted) == wanted


def test_the_pages_see_neither_devices_nor_records(plug: Plug, box: Box, outside: str) -> None:
    ours = plug(BigRedButton(), 1)
    wanted = {
        "connect:127.0.0.1@1883": YES,
        f"open:{node(ours)}": ABSENT,
        f"send:{outside}": FORBIDDEN,
        "list:/var/lib/tablebridge/journal": DENIED,
        "list:/var/lib/tablebridge/decks": DENIED,
        "list:/var/lib/tablebridge/outbox": DENIED,
        "list:/var/lib/tablebridge/calibration": DENIED,
        "write:/var/lib/tablebridge/tokens/probe": YES,
        "read:/etc/tablebridge/engine.password": DENIED,
        "wx:": FORBIDDEN,
        "read:/proc/meminfo": ABSENT,
        "process:1": ABSENT,
    }
    assert probe("tablebridge-web", *wanted) == wanted


def test_engine_and_pages_start(box: Box) -> None:
    command("systemctl", "start", "tablebridge-engine", "tablebridge-web")
    with urllib.request.urlopen("http://127.0.0.1:8090/health", timeout=60) as answer:
        assert answer.status == 200
    assert command("systemctl", "--failed", "--plain", "--no-legend") == ""
