"""Contacts on modem lines, below pyserial, in the real loop of the host."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from rig.bed import Bed
from rig.modem import ModemPort
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.host.links.contacts import ContactsLink
from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.opening import open_link
from tablebridge.model.errors import LinkError
from tablebridge.model.readings import ButtonPress
from tablebridge.sdk import SerialPort

HOW = SerialPort(9600, contacts=True)
Run = Callable[..., Any]


@pytest.fixture
def port(bed: Bed) -> Iterator[ModemPort]:
    port = ModemPort(bed)
    yield port
    port.unplug()


def test_outputs_are_set_and_inputs_are_read(port: ModemPort) -> None:
    link = open_link(port.path, HOW)
    assert isinstance(link, ContactsLink) and link.read() == b""
    port.wire(cts=True, cd=True)
    assert link.send(b"\x01") and link.read() == b"\x09"
    assert port.lines == {"cts", "cd", "dtr"}
    port.wire(cts=False, cd=False, dsr=True, ri=True)
    link.send(b"\x02\x03")
    assert link.read() == b"\x06\x06" and port.lines == {"dsr", "ri", "dtr", "rts"}
    port.unplug()
    with pytest.raises(LinkError, match="went away"):
        link.send(b"\x03")
    link.close()
    link.close()


def test_opened_a_hundred_times(port: ModemPort) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        open_link(port.path, HOW).close()
    wait_for(lambda: len(os.listdir("/proc/self/fd")) <= before, "all descriptors are closed")


def test_a_port_without_lines_is_refused(bed: Bed) -> None:
    master, slave = os.openpty()
    link = open_link(os.ttyname(slave), HOW)
    with pytest.raises(LinkRefused, match="has no modem lines"):
        link.send(b"\x03")
    link.close()
    os.close(master)
    os.close(slave)


def test_a_button_is_pressed_and_its_port_pulled_out(port: ModemPort, run: Run) -> None:
    driver = msgspec.structs.replace(registry.load("serial-contact"), stale_after_s=0.6)
    box = run(port.path, driver, lines=2, outputs="rts")
    wait_for(
        lambda: [one for _, one in box.kept] == [ButtonPress(1, False), ButtonPress(2, False)], "the contacts"
    )
    assert {"rts"} == port.lines
    port.wire(cts=True)
    wait_for(lambda: box.kept[-1][1] == ButtonPress(1, True), "pressed")
    port.unplug()
    wait_for(lambda: box.states[-1] == "lost", "gone")
    port.wire(cts=False)
    port.plug()
    wait_for(
        lambda: (
            box.kept[-2:]
            and {one for _, one in box.kept[-2:]} == {ButtonPress(1, False), ButtonPress(2, False)}
        ),
        "told anew",
    )
    port.wire(cts=True)
    wait_for(lambda: box.kept[-1][1] == ButtonPress(1, True), "pressed again")
