"""The watch in the real loop of the host, on devices that are plugged in and out of an emulated box."""

from collections.abc import Callable
from typing import Any

from rig.bed import Bed
from rig.buttons import BigRedButton
from rig.usb import UsbDevice, UsbModel
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.model.readings import DeviceStatus

Plug = Callable[..., UsbDevice]


def test_a_stranger_is_told_and_left_alone(bed: Bed, plug: Plug, run: Callable[..., Any]) -> None:
    plug(BigRedButton(), "1-1", 4)
    box = run("watch://usb", registry.load("usb-watch"), named=("usb://1d34:000d",), poll_interval_ms=100)
    wait_for(lambda: box.states == ["live"], "it looks")
    strangers = [plug(UsbModel(), f"1-{port}", port + 4) for port in (2, 3)]
    wait_for(lambda: len(box.kept) == 2, "both are told")
    assert [one for _, one in box.kept] == [
        DeviceStatus("unknown", f"1209:0001 Thing at 1-{port}") for port in (2, 3)
    ]
    strangers[0].unplug()
    steps = box.steps
    wait_for(lambda: box.steps > steps + 5, "it looks again")
    strangers[0].plug(20)
    wait_for(lambda: len(box.kept) == 3, "told again")
    assert sum(device.claims for device in strangers) == 0
