"""Emulated readers of every polled family, read through the real loop of the host and a real port."""

from collections.abc import Callable
from typing import Any

import pytest
from rig.metratec import Metratec
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.host import registry

A, B = "E004010000000001", "E004010000000002"
Plug = Callable[..., Pty]
Run = Callable[..., Any]


@pytest.mark.parametrize("device", [Metratec()], ids=["metratec"])
def test_a_reader_is_read(plugged: Plug, run: Run, device: Any, request: pytest.FixtureRequest) -> None:
    """An empty place, a card, two, none; the cable out and in; a noisy line: never a tag that is not there."""
    driver = registry.load(request.node.callspec.id)
    pty = plugged(device)
    box = run(pty.link, driver)
    wait_for(lambda: box.visits() > 3, "visits of an empty place")
    device.put(A)
    wait_for(lambda: box.visits(A) > 3, "visits with a card")
    device.put(A, B)
    wait_for(lambda: box.visits(A, B) > 3, "visits with two")
    pty.unplug()
    device.put(B)
    pty.plug()
    wait_for(lambda: box.visits(B) > 3, "visits with the other, after the cable is back")
    assert box.told[-1].rejects.get("checksum", 0) == 0
    pty.flip = pty.drop = 0.002
    seen = box.visits(B)
    wait_for(lambda: box.visits(B) > seen + 20, "visits on a noisy line")
    box.stop()
    tags = {tag for _, reading in box.kept if hasattr(reading, "tags") for tag in reading.tags}
    assert tags == {A, B}
