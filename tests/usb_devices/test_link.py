"""The USB link: real pyusb and libusb on devices that are emulated below them."""

import errno
import os
import select
import threading
import time
from collections.abc import Callable

import pytest
import usb.core
from rig.bed import Bed
from rig.buttons import BigRedButton
from rig.usb import UsbDevice, UsbModel
from rig.wait import wait_for

from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.opening import open_link
from tablebridge.host.links.sight import sight
from tablebridge.host.links.usb import UsbLink
from tablebridge.host.plugged import plugged
from tablebridge.model.errors import LinkError
from tablebridge.sdk import UsbPort, reports

Plug = Callable[..., UsbDevice]
HOW = UsbPort(ids=((0x1D34, 0x000D),), interface=(3, None, None), form="reports")
ASK = reports.encode(reports.OUTPUT, bytes(7) + b"\x02")
REST = bytes(6) + b"\x03"
CLOSED, PRESSED = (reports.encode(reports.INPUT, bytes((state,)) + REST) for state in (0x15, 0x16))
TAKEN = reports.encode(reports.TAKEN)


def opened(port: str = "usb://1d34:000d", how: UsbPort = HOW) -> UsbLink:
    """The link, as soon as libusb has heard of the device."""
    links: list[UsbLink] = []

    def tried() -> bool:
        try:
            links.append(open_link(port, how))  # type: ignore[arg-type]
        except LinkRefused:
            raise
        except LinkError:
            return False
        return True

    wait_for(tried, "libusb knows the device")
    return links[0]


def read(link: UsbLink, count: int, seconds: float = 60.0) -> bytes:
    deadline, data = time.monotonic() + seconds, b""
    while len(data) < count and time.monotonic() < deadline:
        select.select([link.fileno()], [], [], 0.1)
        data += link.read()
    return data


def threads() -> int:
    return sum(thread.name.startswith("usb://") for thread in threading.enumerate())


def test_the_bed_itself_shows_libusb_a_device(bed: Bed, plug: Plug) -> None:
    button = plug(BigRedButton())
    wait_for(lambda: usb.core.find(idVendor=0x1D34) is not None, "libusb finds it")
    (seen,) = plugged()
    assert (seen.ids, seen.path, seen.address, seen.name) == ("1d34:000d", "1-1", 4, "Big Red Button")
    assert seen.interfaces[0].kind == (3, 0, 0)
    button.unplug()
    assert plugged() == ()


def test_reports_go_both_ways(plug: Plug) -> None:
    button = plug(BigRedButton())
    link = opened()
    assert link.read() == b""
    link.send(ASK)
    assert sorted((read(link, 12),)) in ([TAKEN + CLOSED], [CLOSED + TAKEN])
    button.push(0x81, bytes((0x16,)) + REST)
    assert read(link, 10) == PRESSED
    link.close()
    link.close()


def test_unplugged_in_a_blocked_read(plug: Plug) -> None:
    button = plug(BigRedButton())
    link = opened()
    button.push(0x81, bytes((0x16,)) + REST)
    assert read(link, 10) == PRESSED
    button.unplug()
    with pytest.raises(LinkError, match="went away: check cable and power"):
        read(link, 1)
    with pytest.raises(LinkError, match="went away"):
        link.send(ASK)
    link.close()
    with pytest.raises(LinkError, match="is not there: plug the device in"):
        open_link("usb://1d34:000d", HOW)


def test_two_of_a_kind_are_told_apart_by_their_place(plug: Plug) -> None:
    one = plug(BigRedButton(), "1-1", 4)
    plug(BigRedButton(), "1-2.4", 5)
    with pytest.raises(LinkRefused, match=r"means 2 devices, at 1-1 and 1-2\.4: name one by its place"):
        open_link("usb://1d34:000d", HOW)
    link = opened("usb://by-path/1-2.4")
    one.push(0x81, bytes((0x15,)) + REST)
    link.send(ASK)
    read(link, 12)
    assert one.model.asked == 0
    link.close()


def test_serial_numbers(plug: Plug) -> None:
    plug(BigRedButton(), "1-1", 4, serial="A1")
    two = plug(BigRedButton(), "1-2", 5, serial="B2")
    link = opened("usb://by-serial/B2")
    link.send(ASK)
    read(link, 12)
    assert two.model.asked == 1
    link.close()


def test_another_device_in_its_place(plug: Plug) -> None:
    plug(BigRedButton(), "1-1", 4).unplug()
    plug(UsbModel(), "1-1", 5)
    with pytest.raises(
        LinkRefused, match=r"1209:0001 Thing at 1-1 is plugged in .* no device of this driver"
    ):
        open_link("usb://by-path/1-1", HOW)


def test_held_by_another_program(plug: Plug) -> None:
    plug(BigRedButton()).held = True
    with pytest.raises(LinkRefused, match=r"held by another program.*fuser -v /dev/bus/usb/001/004.*pcscd"):
        opened()


def test_without_the_right(bed: Bed, plug: Plug) -> None:
    from tablebridge.host.links.usb import UsbLink as Link

    plug(BigRedButton())
    link = opened()
    assert isinstance(link, Link)
    refusal = link._interface._refusal(usb.core.USBError("no", errno=errno.EACCES))
    assert isinstance(refusal, LinkRefused) and "60-tablebridge.rules" in str(refusal)
    link.close()


def test_a_stalled_endpoint_is_set_going_again(plug: Plug) -> None:
    button = plug(BigRedButton())
    button.stall.add(0x81)
    link = opened()
    assert read(link, 2)[:2] == reports.encode(reports.REFUSED)
    button.push(0x81, bytes((0x16,)) + REST)
    assert PRESSED in read(link, 10)
    link.send(reports.encode(reports.OUTPUT, b"nonsense"))
    assert read(link, 2) == reports.encode(reports.REFUSED), "a refused control transfer is told"
    link.close()


def test_a_damaged_transfer_is_told_and_many_end_the_link(plug: Plug) -> None:
    button = plug(BigRedButton())
    link = opened()
    button.damage = 1.0
    button.push(0x81, bytes(8))
    assert read(link, 2) == reports.encode(reports.REFUSED)
    button.damage, button.swell = 0.0, 1.0
    button.push(0x81, bytes(8))
    assert read(link, 2) == reports.encode(reports.REFUSED), "more than was asked for"
    for _ in range(10):
        button.push(0x81, bytes(8))
    with pytest.raises(LinkError, match="broke"):
        for _ in range(20):
            assert read(link, 2)
    link.close()


def test_a_stuck_device_ends_the_link_and_not_the_process(plug: Plug) -> None:
    button = plug(BigRedButton())
    link = opened()
    button.stuck = True
    link.send(ASK)
    with pytest.raises(LinkError, match="accepts no bytes any more"):
        read(link, 1)
    link.close()
    with pytest.raises(LinkError, match="accepts no bytes any more"):
        link = opened()
        for _ in range(100):
            link.send(ASK)
    link.close()


def test_a_thousand_openings_leave_nothing_behind(plug: Plug) -> None:
    button = plug(BigRedButton())
    opened().close()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(1000):
        link = open_link("usb://1d34:000d", HOW)
        link.close()
    assert threads() == 0
    # The bed's own end of a closed node goes a moment later.
    wait_for(lambda: len(os.listdir("/proc/self/fd")) <= before, "all descriptors are closed")
    assert button.claims == 1001


def test_what_is_seen_of_a_port(plug: Plug) -> None:
    button = plug(BigRedButton())
    before = sight("usb://1d34:000d")
    assert before is not None and sight("usb://by-path/1-1") == before == sight("usb://1d34")
    assert sight("usb://by-path/1-2") is None and sight("usb://nonsense") is None
    button.unplug()
    assert sight("usb://1d34:000d") is None
    button.plug(9)
    assert sight("usb://1d34:000d") not in (None, before)


@pytest.mark.parametrize(
    "port", ["usb://", "usb://1d34:", "usb://1d34:000g", "usb://by-path/", "usb://by-name/x", "usb://1/2"]
)
def test_an_address_that_is_none(bed: Bed, port: str) -> None:
    with pytest.raises(LinkRefused, match="names no USB device: write usb://VENDOR:PRODUCT"):
        open_link(port, HOW)
