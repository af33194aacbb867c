"""Lights and keyboards below libusb, in the real loop of the host."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from rig import lights
from rig.buttons import Keyboard
from rig.usb import UsbDevice
from rig.wait import wait_for

from tablebridge.doctor.listen import Listener, Listening
from tablebridge.host import registry
from tablebridge.model.readings import ButtonPress
from tablebridge.sdk import Signal
from tablebridge.sdk.lights import Colour
from tablebridge.settings.site import Device
from tablebridge_drivers import blink1

Plug = Callable[..., UsbDevice]
Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("name", "model", "options"),
    [
        ("blink1", lights.Blink1, {}),
        ("luxafor", lights.Luxafor, {}),
        ("delcom", lights.Delcom, {"button": True}),
        ("patlite", lights.PatliteLr6, {}),
        ("patlite", lights.PatliteNe, {"model": "ne"}),
    ],
)
def test_a_light_shows_the_signal_and_is_painted_anew_when_it_comes_back(
    plug: Plug, run: Run, name: str, model: Any, options: Any
) -> None:
    light = model()
    device = plug(light)
    box = run("usb://by-path/1-1", registry.load(name), **options)
    wait_for(lambda: light.shown[-1:] == ["blue"], "nothing is known yet")
    box.show(Signal("clear"))
    wait_for(lambda: light.shown[-1] == "dark", "no alert is open")
    box.show(Signal("critical"))
    wait_for(lambda: light.shown.count("red") > 1, "an alert that nobody has seen blinks")
    box.show(Signal("critical", taken=True))
    wait_for(lambda: light.shown[-1] == "red", "one that somebody has seen does not")
    device.unplug()
    light.shown.clear()
    device.plug(8)
    wait_for(lambda: light.shown[-1:] == ["red"], "painted anew")
    assert box.states[-1] == "live"


def test_whoever_sets_up_sees_each_state_on_the_light(plug: Plug) -> None:
    light = lights.Blink1()
    plug(light)
    listener = Listener(Device(name="lamp", driver="blink1", port="usb://by-path/1-1"))
    with Listening([listener]):
        wait_for(lambda: listener.live and light.shown, "it is there")
        listener.show(Signal("called"))
        wait_for(lambda: light.reports[-1] == blink1.fade(Colour.WHITE, 10), "white")
        listener.show(Signal("warning", taken=True))
        wait_for(lambda: light.reports[-1] == blink1.fade(Colour.YELLOW, 10), "yellow")
        listener.show(Signal("clear"))
        wait_for(lambda: light.reports[-1] == blink1.fade(Colour.DARK, 10), "dark")


@pytest.mark.parametrize("touch", [lights.PatliteNe, lights.Delcom])
def test_a_light_with_a_button(plug: Plug, run: Run, touch: Any) -> None:
    light = touch()
    plug(light)
    name, options = (
        ("patlite", {"model": "ne"}) if touch is lights.PatliteNe else ("delcom", {"button": True})
    )
    box = run("usb://by-path/1-1", registry.load(name), **options)
    for pressed in (True, False):
        light.pressed = pressed
        wait_for(
            lambda pressed=pressed: ButtonPress(1, pressed) in [one for _, one in box.kept],
            f"pressed: {pressed}",
        )


def test_a_foot_switch(plug: Plug, run: Run) -> None:
    switch = Keyboard()
    device = plug(switch)
    driver = msgspec.structs.replace(registry.load("hid-key"), stale_after_s=1.2)
    box = run("usb://0c45:7403", driver)
    wait_for(lambda: box.states == ["live"], "it refuses its lamps, and so it is there")
    for keys in ((0x68,), (0x68, 0x69), (), (1, 1, 1, 1, 1, 1)):
        switch.press(*keys)
    wait_for(lambda: len(box.kept) == 4, "the keys")
    assert [one for _, one in box.kept] == [
        ButtonPress(104),
        ButtonPress(105),
        ButtonPress(104, False),
        ButtonPress(105, False),
    ]
    device.stuck = True
    wait_for(lambda: box.states[-1] != "live", "a stuck one is noticed")
    device.stuck = False
    wait_for(lambda: box.states[-1] == "live", "and comes back")
    assert box.reported[-1].rejects.get("unexpected", 0) >= 1
