"""Emulated readers of every polled family, read through the real loop of the host and a real port."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from rig.metratec import Metratec
from rig.pepper import Pepper
from rig.pn532 import Pn532
from rig.pty import Pty
from rig.uhf import M100, Mercury
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.model.readings import Sweep, TrayReading

A, B = "E004010000000001", "E004010000000002"
TYPE_A = {"pn532": ("507E7A59", "04374BD29C3980")}
Plug = Callable[..., Pty]
Run = Callable[..., Any]


@pytest.mark.parametrize("device", [Metratec(), Pepper(), Pn532()], ids=["metratec", "pepper", "pn532"])
def test_a_reader_is_read(plugged: Plug, run: Run, device: Any, request: pytest.FixtureRequest) -> None:
    """An empty place, a card, two; the cable out and in; a noisy line."""
    driver = registry.load(request.node.callspec.id)
    first, second = TYPE_A.get(driver.name, (A, B))
    pty = plugged(device)
    box = run(pty.link, driver)
    wait_for(lambda: box.visits() > 3, "visits of an empty place")
    device.put(first)
    wait_for(lambda: box.visits(first) > 3, "visits with a card")
    device.put(first, second)
    wait_for(lambda: box.visits(first, second) > 3, "visits with two")
    pty.unplug()
    device.put(second)
    pty.plug()
    wait_for(lambda: box.visits(second) > 3, "visits with the other, after the cable is back")
    assert box.reported[-1].rejects.get("checksum", 0) == 0
    pty.flip = pty.drop = 0.002
    seen = box.visits(second)
    wait_for(lambda: box.visits(second) > seen + 20, "visits on a noisy line")
    box.stop()
    tags = [tag for _, reading in box.kept if isinstance(reading, Sweep) for tag in reading.tags]
    # Sums of 8 bits, as the PN532 has them, let some damage through.
    assert sum(tag not in (first, second) for tag in tags) <= len(tags) * (
        0.2 if driver.name == "pn532" else 0
    )


@pytest.mark.parametrize(
    ("name", "device", "options"),
    [
        ("m100", M100(), {}),
        ("mercury", Mercury(), {"reading": "single", "region": "EU3"}),
        ("mercury", Mercury(), {"region": "EU3"}),
    ],
)
def test_a_tray_is_read(plugged: Plug, run: Run, name: str, device: Any, options: dict[str, Any]) -> None:
    """Chips are laid in; the cable is out, and in again with others there."""
    pty = plugged(device)
    box = run(pty.link, registry.load(name), keep_ms=300, **options)
    spoke = 0.0

    def tray(*tags: str) -> bool:
        nonlocal spoke
        if isinstance(device, Mercury) and time.monotonic() > spoke + 0.1:
            # It streams: ten rounds a second.
            spoke = time.monotonic()
            pty.say(device.speak())
        return bool(box.kept) and box.kept[-1][1] == TrayReading(tags)

    wait_for(lambda: tray(), "an empty tray")
    device.put(A, B)
    wait_for(lambda: tray(A, B), "two chips")
    pty.unplug()
    device.put(B)
    pty.plug()
    wait_for(lambda: tray(B), "one, after the cable is back")
    assert set(box.reported[-1].rejects) <= {"timeout", "noise", "too-short"}


@pytest.mark.parametrize(
    ("name", "said", "uid"),
    [
        ("rdm6300", bytes.fromhex("0236324533303836434544303803"), "62E3086CED"),
        ("wiegand", b"10111101100101101011010010\r\n", "7B2D69"),
        ("wedge", b"0000123456\r", "0001E240"),
        ("poker-stream", b"0|4B219622\r\n", "4B219622"),
    ],
)
def test_a_reader_that_talks_by_itself_is_read(
    plugged: Plug, run: Run, name: str, said: bytes, uid: str
) -> None:
    pty = plugged(lambda data: b"")
    box = run(pty.link, registry.load(name), hold_ms=200)

    def told() -> bool:
        """The host drops what came before it opened the port: so the reader says it until it is heard."""
        pty.say(said)
        return bool(box.visits(uid))

    wait_for(told, "a tag")
    wait_for(lambda: box.visits(), "its going")
    assert pty.heard == 0 and box.states == ["live"]
