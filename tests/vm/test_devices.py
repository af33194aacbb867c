"""Devices on the kernel's own USB: what udev gives, what the drivers do with cables, and with others who hold
a device.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.buttons import BigRedButton, Keyboard
from rig.ccid import Acr122U
from rig.feig import Feig, FeigUsb
from rig.lights import Luxafor
from rig.usb import UsbModel
from rig.usbip import Modem, RealDevice
from rig.wait import wait_for
from vm.box import PATIENCE_S, READER_PORT, Box, command, kernel_driver, node, rights, settle

from tablebridge.model.readings import ButtonPress, Sweep

A, B = "E004010000000001", "E004010000000002"
Plug = Callable[..., RealDevice]
OURS, NOBODYS = ("tablebridge", "660"), ("root", "664")
UNPRESSED, PRESSED = ButtonPress(1, False), ButtonPress(1, True)
HOLD = {
    "usb": "import sys, usb.core, usb.util\ndevice = usb.core.find(idVendor=0x1d34)\n"
    "if device.is_kernel_driver_active(0):\n"
    "    device.detach_kernel_driver(0)\nusb.util.claim_interface(device, 0)",
    "serial": f"import sys, serial\nport = serial.Serial('{READER_PORT}', exclusive=True)",
}


def reader(*tags: str) -> tuple[Feig, Modem]:
    """A FEIG reader that is a serial port over USB."""
    feig = Feig(*tags)
    return feig, Modem(feig, (0x0AB1, 0x0004), "ID ISC.MR102")


@contextmanager
def held(way: str) -> Iterator[None]:
    """Another program holds the device."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD[way] + "\nprint('held', flush=True)\nsys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield
        other.stdin.close()


def typing_at(path: str) -> list[Path]:
    """The input nodes that the kernel made of a USB device."""
    return list(Path(f"/sys/bus/usb/devices/{path}:1.0").glob("*/input/input*/event*"))


def test_udev_gives_ours_to_our_group_and_nothing_else(plug: Plug) -> None:
    readers = [plug(FeigUsb(), 1), plug(Acr122U(), 2), plug(BigRedButton(), 3), plug(Luxafor(), 4)]
    others = [plug(UsbModel(), 5), plug(Modem(), 6)]
    port, pedal = plug(reader()[1], 7, "0815"), plug(Keyboard(), 8)
    assert {one.model.NAME: rights(node(one)) for one in [*readers, port, pedal]} == {
        one.model.NAME: OURS for one in [*readers, port, pedal]
    }
    assert {one.model.NAME: rights(node(one)) for one in others} == {
        one.model.NAME: NOBODYS for one in others
    }
    ttys = {
        one.model.NAME: Path("/dev") / next(Path("/sys/bus/usb/devices").glob(f"{one.path}:*/tty/*")).name
        for one in (port, others[1])
    }
    assert {name: rights(tty) for name, tty in ttys.items()} == {
        "ID ISC.MR102": OURS,
        "Board": ("dialout", "660"),
    }
    assert "ID_MM_DEVICE_IGNORE=1" in command("udevadm", "info", str(ttys["ID ISC.MR102"]))
    # What the kernel makes of keys and reports stays with root and with the screen's user.
    assert {rights(one) for one in Path("/dev").glob("hidraw*")} == {("root", "600")}
    assert {rights(one) for one in Path("/dev/input").glob("event*")} == {("input", "660")}


def test_discovery_names_ports_and_touches_nothing(plug: Plug, box: Box) -> None:
    _, modem = reader()
    plug(BigRedButton(), 1)
    plug(modem, 2, "0815")
    plug(Modem(name="Other"), 3)
    listed = json.loads(
        command("/opt/tablebridge/bin/tablebridge", "ports", "--json", "--site", "/etc/tablebridge/site.toml")
    )
    found = {one["plugged"]["name"]: one for one in listed}
    assert found["ID ISC.MR102"]["port"] == READER_PORT and found["ID ISC.MR102"]["device"] == "left"
    assert (
        found["Big Red Button"]["port"] == "usb://by-path/1-1"
        and found["Big Red Button"]["device"] == "floor"
    )
    assert found["Other"]["adapter"] and not found["Other"]["candidates"]
    assert modem.raised == 0, "nobody opened the port"
    assert kernel_driver("1-1:1.0") == "usbhid"


def test_a_button_and_its_cable(plug: Plug, box: Box) -> None:
    button = BigRedButton()
    device = plug(button, 1)
    assert kernel_driver("1-1:1.0") == "usbhid"
    box.start("floor")
    box.says("floor", UNPRESSED)
    box.lives("floor")
    assert kernel_driver("1-1:1.0") == "usbfs", "the kernel's driver was sent away"
    for _ in range(2):
        first = node(device)
        device.unplug_after = 2
        wait_for(lambda: device.gone, "pulled out in the midst of a report", PATIENCE_S)
        box.away("floor", "is not there")
        box.forget("floor")
        button.state = 0x16
        device.plug(1)
        box.says("floor", PRESSED)
        assert node(device) != first, "another address"
        button.state = 0x15
        box.says("floor", UNPRESSED)
    device.unplug()
    box.away("floor", "is not there")
    light = plug(Luxafor(), 1)
    box.away("floor", "which is no device of this driver")
    assert light.model.shown == [] and kernel_driver("1-1:1.0") == "usbhid", "it is left alone"
    light.unplug()
    box.forget("floor")
    device.plug(1)
    box.lives("floor")
    command("systemctl", "stop", "tablebridge-driver@floor")
    assert kernel_driver("1-1:1.0") == "usbhid", "given back"
    with held("usb"):
        box.start("floor")
        box.away("floor", "is held by another program")
    device.unplug()
    box.forget("floor")
    device.plug(1)
    box.lives("floor")


def test_a_reader_on_a_serial_port_and_its_cable(plug: Plug, box: Box) -> None:
    feig, modem = reader(A)
    device = plug(modem, 2, "0815")
    box.start("left")
    seen = lambda tag: any(isinstance(one, Sweep) and one.tags == (tag,) for one in box.readings["left"])  # noqa: E731
    box.until(lambda: seen(A), "the tag is read")
    assert (modem.rate, modem.raised) == (38400, 3)
    for tag in (B, A):
        device.unplug_after = 1
        wait_for(lambda: device.gone, "pulled out in mid frame", PATIENCE_S)
        box.away("left", "is not there")
        feig.put(tag)
        box.forget("left")
        device.plug(3)
        box.until(lambda tag=tag: seen(tag), "the other tag is read, in another socket")
    device.unplug()
    box.away("left", "is not there")
    other = plug(Modem(), 2)
    box.forget("left")
    box.until(lambda: len(box.told["left"]) > 1, "it was looked for")
    assert other.model.raised == 0 and box.told["left"][-1].state != "live", (
        "another board's port is left alone"
    )
    command("systemctl", "stop", "tablebridge-driver@left")
    device.plug(3)
    settle(device)
    with held("serial"):
        box.start("left")
        box.away("left", "is held by another program")
    device.unplug()
    box.forget("left")
    device.plug(3)
    box.lives("left")


def test_a_foot_switch_types_to_nobody_else(plug: Plug, box: Box) -> None:
    pedal = Keyboard()
    device = plug(pedal, 4)
    assert typing_at("1-4"), "without a driver its keys reach the screen"
    box.start("pedal")
    box.lives("pedal")
    assert not typing_at("1-4")
    pedal.press(4)
    box.says("pedal", ButtonPress(4, True))
    device.unplug()
    box.away("pedal", "is not there")
    box.forget("pedal")
    device.plug(5)
    box.lives("pedal")
    pedal.press(4)
    box.says("pedal", ButtonPress(4, True))
    command("systemctl", "stop", "tablebridge-driver@pedal")
    wait_for(lambda: typing_at("1-5"), "given back", PATIENCE_S)


def test_a_stranger_is_an_alert(plug: Plug, box: Box) -> None:
    command("systemctl", "start", "tablebridge-engine")
    box.start("box")
    box.lives("box")
    plug(UsbModel(), 6)
    # Drivers that other tests stopped are alerts, too.
    box.until(lambda: any(one.finding == "device-unknown" for one in box.alerts), "the alert")
    assert [
        "1209:0001 Thing at 1-6" in one.sentence for one in box.alerts if one.finding == "device-unknown"
    ] == [True]
    assert kernel_driver("1-6:1.0") == "usbhid", "nobody touched it"
