"""The installed box in the machine, and what its kernel says of devices."""

import grp
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rig.usbip import RealDevice
from rig.wait import wait_for

from tablebridge.bus import messages, topics
from tablebridge.bus.client import BusClient
from tablebridge.model.readings import Reading
from tablebridge.settings.site import Broker

PATIENCE_S = 120
COMMAND_S = 300
READER_PORT = "/dev/serial/by-id/usb-0ab1_ID_ISC.MR102_0815-if00"
SITE = f"""
name = "club"
state_dir = "/var/lib/tablebridge"
[broker]
embedded = false
port = 1883
[[table]]
name = "t1"
group = "alone"
[[table.device]]
name = "floor"
driver = "big-red-button"
port = "usb://by-path/1-1"
contacts = {{ 1 = "key floor" }}
[[table.device]]
name = "left"
driver = "feig"
port = "{READER_PORT}"
antennas = {{ 0 = "seat 1" }}
[[table.device]]
name = "pedal"
driver = "hid-key"
port = "usb://0c45:7403"
contacts = {{ 4 = "hand" }}
[[table.device]]
name = "box"
driver = "usb-watch"
port = "watch://usb"
"""


def command(*words: str, code: int | None = 0) -> str:
    """What a command prints; it must end with this exit code, None for any."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=COMMAND_S)
    if code not in (None, done.returncode):
        pytest.fail(
            "\n".join(
                (f"{' '.join(words)}: exit code {done.returncode}", done.stdout, done.stderr, journal())
            )
        )
    return done.stdout


def journal() -> str:
    """What systemd, the units and the kernel said last."""
    words = ["journalctl", "-b", "-n", "40", "--no-pager", "-o", "short-monotonic"]
    return subprocess.run(words, capture_output=True, text=True).stdout


def rights(path: Path) -> tuple[str, str]:
    """Group and mode of a node."""
    there = path.stat()
    return grp.getgrgid(there.st_gid).gr_name, f"{stat.S_IMODE(there.st_mode):o}"


def kernel_driver(interface: str) -> str:
    """The kernel's driver of an interface such as 1-1:1.0; empty for none."""
    link = Path("/sys/bus/usb/devices") / interface / "driver"
    return link.resolve().name if link.exists() else ""


class Box:
    """The installed box, seen from its broker. `readings`: what each device said; `told`: its health;
    `alerts`: those open.
    """

    def __init__(self, passwords: dict[str, str]) -> None:
        self.readings: dict[str, list[Reading]] = {}
        self.told: dict[str, list[messages.DeviceHealth]] = {}
        self.alerts: tuple[messages.Alert, ...] = ()
        self._clients = []
        # An account has one connection, and the engine's unit has that of the engine.
        for account, wanted in (
            ("enrol", topics.READING),
            ("web", topics.HEALTH),
            ("listen-floor", topics.ALERTS),
        ):
            client = BusClient(Broker(port=1883), f"test-{wanted.name}", account, passwords[account])
            client.on_message = self._message
            client.subscribe(wanted.filter("club"))
            self._clients.append(client)

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Serve the broker until it holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > deadline:
                told = {device: health[-1:] for device, health in self.told.items()}
                pytest.fail(f"after {PATIENCE_S} s still not: {what}\n{told}\n{journal()}", pytrace=False)
            for client in self._clients:
                client.step(0.02)

    def start(self, device: str) -> None:
        """Start the device's driver, as systemd does."""
        self.forget(device)
        command("systemctl", "start", f"tablebridge-driver@{device}")

    def forget(self, device: str) -> None:
        """Look only at what comes from now on."""
        self.readings[device], self.told[device] = [], []

    def says(self, device: str, *readings: Reading) -> None:
        """Wait until it says these."""
        self.until(lambda: all(one in self.readings[device] for one in readings), f"{device} says {readings}")

    def lives(self, device: str) -> None:
        """Wait until it works, by its last health."""
        self.until(lambda: self.told[device] and self.told[device][-1].state == "live", f"{device} lives")

    def away(self, device: str, why: str) -> None:
        """Wait until it was stale or lost, for this reason."""
        self.until(
            lambda: any(one.state != "live" and why in one.detail for one in self.told[device]),
            f"{device} is away: {why}",
        )

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        parsed = topics.parse(topic)
        assert parsed is not None
        message: Any = messages.decode(payload, messages.MESSAGES[parsed.topic.message])
        if parsed.topic is topics.ALERTS:
            self.alerts = message.alerts
        elif parsed.topic is topics.HEALTH:
            self.told.setdefault(parsed.names[0], []).append(message)
        else:
            self.readings.setdefault(parsed.names[0], []).append(message.stamped.reading)
        ack()


def node(device: RealDevice) -> Path | None:
    """The device's node for usbfs, None while there is none."""
    try:
        number = int((Path("/sys/bus/usb/devices") / device.path / "devnum").read_text())
    except OSError:
        return None
    return Path(f"/dev/bus/usb/001/{number:03d}")


def settle(device: RealDevice) -> None:
    """Wait until the kernel knows the device and udev has done what its rules say."""
    wait_for(
        lambda: kernel_driver(device.path) == "usb",
        f"the kernel knows the device in socket {device.place}",
        PATIENCE_S,
    )
    command("udevadm", "settle", "--timeout=30")
