"""Devices over USB in the real loop of the host: cables, faults by seed, other devices in their place."""

import socket
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from rig.bed import Bed
from rig.buttons import BigRedButton
from rig.ccid import Acr122U, Acr1552U
from rig.feig import Feig, FeigUsb
from rig.usb import BULK, UsbDevice, UsbModel
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.model.readings import ButtonPress, Sweep

A, B = "E004010000000001", "E004010000000002"
SHORT = ("04A1B2C3D4E5F6", "A0D98978")
Plug = Callable[..., UsbDevice]
Run = Callable[..., Any]
READERS = [
    ("feig", FeigUsb, "usb://0ab1", (A, B)),
    ("acs", Acr1552U, "usb://072f:2308", (A, B)),
    ("acs", Acr122U, "usb://by-path/1-3", SHORT),
]


def driver(name: str) -> Any:
    """The driver, with a device lost after a second or two."""
    return msgspec.structs.replace(registry.load(name), stale_after_s=1.5)


def presses(box: Any, contact: int) -> list[bool]:
    return [one.pressed for _, one in box.kept if isinstance(one, ButtonPress) and one.contact == contact]


@pytest.mark.parametrize(("name", "model", "port", "tags"), READERS)
def test_a_reader_is_read_and_comes_back(
    plug: Plug, run: Run, name: str, model: Any, port: str, tags: Any
) -> None:
    """An empty place, a card, none; the cable out in mid frame, and in again at another address, with another
    card on it.
    """
    reader = model()
    device = plug(reader, "1-3", 4)
    box = run(port, driver(name))
    wait_for(lambda: box.visits() > 3, "visits of an empty place")
    reader.put(tags[0])
    wait_for(lambda: box.visits(tags[0]) > 3, "visits with a card")
    device.unplug_after = 1
    wait_for(lambda: device.gone, "the cable is out")
    wait_for(lambda: box.states[-1] == "lost", "the device is lost")
    reader.put(tags[1])
    device.plug(7)
    wait_for(lambda: box.visits(tags[1]) > 3, "visits with the other, after the cable is back")
    assert box.states[-1] == "live" and box.reported[-1].reconnects == 1


@pytest.mark.parametrize(("name", "model", "port", "tags"), READERS)
def test_faults_by_seed_end_nothing(
    plug: Plug, run: Run, name: str, model: Any, port: str, tags: Any
) -> None:
    """Transfers that are lost, cut, damaged and too long; endpoints that stall."""
    reader = model(tags[0])
    device = plug(reader, "1-3", 4, seed=11)
    chosen = driver(name)
    # A question that gets no answer is asked again after a while; the test need not wait for long ones.
    options = {"answer_ms": 60} if "answer_ms" in chosen.options else {}
    box = run(port, chosen, **options)
    wait_for(lambda: box.visits(tags[0]) > 3, "visits")
    device.drop = device.cut = device.damage = device.swell = 0.05
    wait_for(lambda: sum(box.reported[-1].rejects.values()) > 4, "faults are noticed")
    device.drop = device.cut = device.damage = device.swell = 0.0
    device.stall |= {end for end, form, _ in reader.ENDS if form == BULK}
    wait_for(lambda: not device.stall, "stalled endpoints are set going again")
    seen = box.visits(tags[0])
    wait_for(lambda: box.visits(tags[0]) > seen + 3, "visits after it")
    read = {tag for _, one in box.kept if isinstance(one, Sweep) for tag in one.tags}
    assert read == {tags[0]}, "no tag that is not there"


def test_flipped_bits_make_no_tag(plug: Plug, run: Run) -> None:
    """FEIG's frames have a CRC of their own, whatever USB does about damage."""
    device = plug(FeigUsb(A), "1-3", 4, seed=5)
    box = run("usb://0ab1", driver("feig"), answer_ms=60)
    wait_for(lambda: box.visits(A) > 3, "visits")
    device.flip = 0.3
    wait_for(lambda: box.reported[-1].rejects.get("checksum", 0) > 3, "damage is noticed")
    device.flip = 0.0
    seen = box.visits(A)
    wait_for(lambda: box.visits(A) > seen + 3, "visits after it")
    assert {tag for _, one in box.kept if isinstance(one, Sweep) for tag in one.tags} == {A}


def test_two_of_a_kind_without_serial_numbers(plug: Plug, run: Run) -> None:
    buttons = BigRedButton(), BigRedButton()
    devices = [plug(button, f"1-{number}", number + 3) for number, button in enumerate(buttons, 1)]
    boxes = [run(f"usb://by-path/1-{number}", driver("big-red-button")) for number in (1, 2)]
    for box in boxes:
        wait_for(lambda box=box: presses(box, 1) == [False], "both are there")
    for device in devices:
        device.unplug()
    # They come back in the other order, at each other's addresses.
    buttons[1].state = 0x16
    devices[1].plug(4)
    devices[0].plug(5)
    wait_for(lambda: presses(boxes[1], 1)[-1], "the second one is pressed")
    wait_for(lambda: boxes[0].reported[-1].reconnects and boxes[0].states[-1] == "live", "the first is back")
    assert set(presses(boxes[0], 1)) == {False}


def test_a_button_is_pressed(plug: Plug, run: Run) -> None:
    button = BigRedButton()
    device = plug(button)
    box = run("usb://1d34:000d", driver("big-red-button"))
    wait_for(lambda: presses(box, 2) == [False], "the lid is closed")
    for state in (0x17, 0x16, 0x17, 0x15):
        seen = button.asked
        button.state = state
        wait_for(lambda seen=seen: button.asked > seen + 2, "it was asked")
    wait_for(lambda: presses(box, 2) == [False, True, False], "the lid")
    assert presses(box, 1) == [False, True, False]
    device.flip = 0.2
    wait_for(lambda: box.reported[-1].rejects.get("impossible-value", 0) > 3, "values that cannot be")
    device.flip = 0.0


def test_a_device_that_is_stuck_stalls_or_is_held_is_tried_for_ever(plug: Plug, run: Run) -> None:
    button = BigRedButton()
    device = plug(button)
    box = run("usb://1d34:000d", driver("big-red-button"))
    wait_for(lambda: box.states == ["live"], "live")
    device.stuck = True
    wait_for(lambda: box.reported[-1].reconnects > 0, "given up")
    assert "accepts no bytes any more" in box.reported[-1].detail
    device.stuck = False
    wait_for(lambda: box.states[-1] == "live", "live again")
    device.stall.add(0x81)
    seen = button.asked
    wait_for(lambda: button.asked > seen + 3, "a stalled endpoint is set going")
    device.unplug()
    device.held = True
    device.plug(5)
    wait_for(lambda: "held by another program" in box.reported[-1].detail, "held")
    device.unplug()
    device.held = False
    device.plug(6)
    wait_for(lambda: box.states[-1] == "live", "tried at once when it is plugged in anew")


def test_another_device_in_its_place(plug: Plug, run: Run) -> None:
    device = plug(BigRedButton())
    box = run("usb://by-path/1-1", driver("big-red-button"))
    wait_for(lambda: box.states == ["live"], "live")
    device.unplug()
    other = plug(UsbModel(), "1-1", 5)
    wait_for(lambda: "no device of this driver" in box.reported[-1].detail, "it is told")
    assert other.claims == 0, "and left alone"
    other.unplug()
    device.plug(6)
    wait_for(lambda: box.states[-1] == "live", "live again")


def test_a_lost_message_of_udev(plug: Plug, run: Run) -> None:
    device = plug(BigRedButton())
    box = run("usb://1d34:000d", driver("big-red-button"))
    wait_for(lambda: box.states == ["live"], "live")
    device.unplug(told=False)
    wait_for(
        lambda: "went away" in box.reported[-1].detail or "is not there" in box.reported[-1].detail,
        "noticed all the same",
    )


def test_a_reader_behind_a_network_port(bed: Bed, run: Run) -> None:
    """FEIG readers speak the same bytes over TCP; the connection is cut in mid frame and comes back."""
    reader, cut = Feig(A), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)

        def serve() -> None:
            for _ in range(2):
                peer, _ = server.accept()
                with peer:
                    while data := peer.recv(100):
                        answer = reader(data)
                        peer.sendall(answer[:5] if cut.is_set() else answer)
                        if cut.is_set():
                            cut.clear()
                            break

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        box = run(f"socket://127.0.0.1:{server.getsockname()[1]}", driver("feig"))
        wait_for(lambda: box.visits(A) > 3, "visits")
        cut.set()
        reader.put(B)
        wait_for(lambda: box.visits(B) > 3, "visits after the connection was cut")
        assert box.reported[-1].reconnects == 1
        box.stop()
        thread.join(60)
        assert not thread.is_alive()
