"""Tests on a real kernel, with systemd as the first process. `make test-vm` starts the machine; nothing here
runs elsewhere.

tablebridge is installed by `tablebridge install`, the broker is Debian's own. Driver processes are the units
of tablebridge/install/files/ with their users and sandboxes; the devices are the models of tests/rig on the
kernel's virtual USB controller.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rig.usb import UsbModel
from rig.usbip import RealDevice
from rig.wait import wait_for
from vm.box import PATIENCE_S, SITE, Box, command, node, settle

HERE = "tablebridge.vm" in Path("/proc/cmdline").read_text().split()
"""Whether this is that machine: its kernel was told so."""
if not HERE:
    collect_ignore_glob = ["*"]


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A failure is told at once: the machine may be ended by force before there is a summary."""
    if report.failed and HERE:
        print(f"\n{report.longreprtext}\n", file=sys.__stdout__, flush=True)


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    """The installed box with a site file and its accounts; each test starts the units that it needs."""
    etc = Path("/etc/tablebridge")
    (etc / "site.toml").write_text(SITE)
    command("/opt/tablebridge/bin/tablebridge", "site", "accounts", str(etc / "site.toml"))
    passwords = {path.stem: path.read_text() for path in etc.glob("*.password")}
    command("chown", "root:tablebridge", str(etc / "site.toml"))
    (etc / "site.toml").chmod(0o640)
    # An emulated processor is slow: nothing else of the units is changed.
    for unit in ("tablebridge-driver@", "tablebridge-engine", "tablebridge-web"):
        folder = Path(f"/run/systemd/system/{unit}.service.d")
        folder.mkdir(parents=True)
        (folder / "slow.conf").write_text("[Service]\nTimeoutStartSec=280\n")
    command("systemctl", "daemon-reload")
    command("systemctl", "start", "mosquitto")
    box = Box(passwords)
    yield box
    box.close()


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    """No unit outlives its test."""
    yield
    command("systemctl", "stop", "tablebridge-*.service")


@pytest.fixture
def plug() -> Iterator[Callable[..., RealDevice]]:
    """Plug devices in and wait until udev is done: `plug(Model(), place, serial)`. All are pulled out at the
    end.
    """
    made: list[RealDevice] = []

    def make(model: UsbModel, place: int = 1, serial: str = "") -> RealDevice:
        made.append(RealDevice(model, place, serial))
        settle(made[-1])
        return made[-1]

    yield make
    for device in made:
        device.unplug()
    wait_for(lambda: not [one for one in made if node(one)], "all are gone", PATIENCE_S)
