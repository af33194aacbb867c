"""Buttons: the bytes of the notes, and the sessions in virtual time."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.buttons import BigRedButton, Keyboard
from rig.played import Played
from rig.usb import Reported

from tablebridge.sdk import ButtonPress, DeviceStatus, Driver, Reason, Rejected, Sweep, reports
from tablebridge.sdk.testing import MS, Heard, converse, defaults
from tablebridge_drivers import big_red_button, hid_key, serial_contact


def pressed(*contacts: int) -> tuple[ButtonPress, ...]:
    return tuple(ButtonPress(contact) for contact in contacts)


def reasons(told: tuple[object, ...]) -> list[Reason]:
    return [one.reason for one in told if isinstance(one, Rejected)]


def talk(driver: Driver, device: Any, happens: Any = (), seconds: float = 3.0, **options: Any) -> Heard:
    return converse(driver.session(defaults(driver, **options)), Played(device, happens), seconds)


def test_the_big_red_button() -> None:
    assert bytes.fromhex("0000000000000002") == big_red_button.ASK
    # All four states, and the last byte: bonkers.c of fidian/bonkers.
    rest = bytes.fromhex("00 00 00 00 00 00 03")
    for state, button, lid in (
        (0x14, True, False),
        (0x15, False, False),
        (0x16, True, True),
        (0x17, False, True),
    ):
        assert big_red_button.decode(bytes((state,)) + rest) == (
            ButtonPress(1, button),
            ButtonPress(2, lid),
        )
    assert reasons(big_red_button.decode(b"\x13" + rest)) == [Reason.IMPOSSIBLE_VALUE]
    assert reasons(big_red_button.decode(b"\x15")) == [Reason.TOO_SHORT]


def test_a_button_that_never_answers_is_not_alive() -> None:
    heard = talk(big_red_button.DRIVER, lambda data: b"")
    assert not heard.alive_ns and not heard.readings
    assert {item.reason for item in heard.rejected} == {Reason.TIMEOUT} and len(heard.rejected) > 3


def test_a_button_that_refuses_is_not_alive() -> None:
    heard = talk(big_red_button.DRIVER, lambda data: reports.encode(reports.REFUSED))
    assert not heard.alive_ns and {item.reason for item in heard.rejected} == {
        Reason.UNEXPECTED,
        Reason.TIMEOUT,
    }


def test_a_boot_keyboard() -> None:
    assert hid_key.decode(bytes.fromhex("0000680000000000") + bytes(8)) == (
        ButtonPress(104),
        ButtonPress(104, False),
    )
    assert hid_key.decode(bytes.fromhex("8100040500000000")) == pressed(4, 5, 224, 231)
    told = hid_key.decode(bytes.fromhex("0000040000000000 0000010101010101 0000040000000000"))
    assert told[0] == ButtonPress(4) and reasons(told) == [Reason.UNEXPECTED] and len(told) == 2
    assert reasons(hid_key.decode(bytes.fromhex("0001040000000000 0000FF0000000000 00"))) == [
        Reason.IMPOSSIBLE_VALUE,
        Reason.TOO_LONG,
    ]


@pytest.mark.parametrize("lamps", [True, False])
def test_a_keyboard_is_alive_whether_it_takes_its_lamps_or_refuses(lamps: bool) -> None:
    keyboard = Keyboard()
    keyboard.lamps = lamps
    device = Reported(keyboard)

    def press(*keys: int) -> Any:
        return lambda: (keyboard.press(*keys), device.said())[1]

    heard = talk(
        hid_key.DRIVER, device, [(500, press(104)), (600, press(104, 105)), (700, press())], seconds=5.0
    )
    assert heard.readings == [
        ButtonPress(104),
        ButtonPress(105),
        ButtonPress(104, False),
        ButtonPress(105, False),
    ]
    assert len(heard.alive_ns) > 5 and keyboard.asked >= 4


class Wires:
    """Contacts on modem lines: `inputs` is what a look at them gives."""

    def __init__(self) -> None:
        self.inputs = 0
        self.outputs: set[int] = set()

    def __call__(self, data: bytes) -> bytes:
        self.outputs |= set(data)
        return bytes((self.inputs,)) * len(data)

    def set(self, inputs: int) -> Any:
        return lambda: setattr(self, "inputs", inputs) or b""  # type: ignore[func-returns-value]


def test_contacts_on_modem_lines() -> None:
    wires = Wires()
    heard = talk(
        serial_contact.DRIVER,
        wires,
        [(500, wires.set(0b0001)), (700, wires.set(0b1010)), (900, wires.set(0))],
    )
    assert heard.readings[:4] == [ButtonPress(contact, False) for contact in (1, 2, 3, 4)]
    assert heard.readings[4:] == [
        ButtonPress(1),
        ButtonPress(1, False),
        ButtonPress(2),
        ButtonPress(4),
        ButtonPress(2, False),
        ButtonPress(4, False),
    ]
    assert wires.outputs == {3} and heard.rejected == []
    assert serial_contact.decode(b"\x01\x03\x00\x10") == (
        ButtonPress(1),
        ButtonPress(2),
        ButtonPress(1, False),
        ButtonPress(2, False),
        Rejected(Reason.IMPOSSIBLE_VALUE, "lines that do not exist", b"\x10"),
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_bouncing_contact_is_one_press(seed: int) -> None:
    rng, wires = Random(seed), Wires()
    happens: list[Any] = [(500 + at, wires.set(rng.randrange(2))) for at in range(0, 20, 2)]
    happens += (
        [(520, wires.set(1))]
        + [(800 + at, wires.set(rng.randrange(2))) for at in range(0, 20, 2)]
        + [(820, wires.set(0))]
    )
    heard = talk(serial_contact.DRIVER, wires, happens, lines=1)
    assert heard.readings == [ButtonPress(1, False), ButtonPress(1), ButtonPress(1, False)]


def test_a_broken_wire_of_a_normally_closed_contact_is_told() -> None:
    wires = Wires()
    wires.inputs = 1
    heard = talk(
        serial_contact.DRIVER,
        wires,
        [(500, wires.set(0)), (4000, wires.set(1))],
        seconds=5.0,
        lines=1,
        normally_closed=True,
        open_s=2.0,
    )
    assert heard.readings == [
        ButtonPress(1, False),
        ButtonPress(1),
        DeviceStatus("degraded", "contact 1 (CTS) stays open: look at its wire"),
        ButtonPress(1, False),
        DeviceStatus("ok", "contact 1 (CTS) closes again"),
    ]


@given(st.binary(max_size=100))
def test_no_bytes_raise(data: bytes) -> None:
    for decode in (big_red_button.decode, hid_key.decode, serial_contact.decode):
        for told in decode(data):
            assert isinstance(told, ButtonPress | Rejected) and not isinstance(told, Sweep)


def test_records_are_read_as_what_they_hold() -> None:
    """What a capture holds and what a person copies from an analyser are decoded alike."""
    raw = bytes.fromhex("1600000000000000")
    records = reports.encode(reports.TAKEN) + reports.encode(reports.INPUT, raw)
    assert big_red_button.decode(records) == big_red_button.decode(raw)


def test_the_state_is_told_anew_after_a_reconnect() -> None:
    button = BigRedButton()
    button.state = 0x16
    heard = talk(big_red_button.DRIVER, Reported(button), seconds=100 * MS / 1e9)
    assert heard.readings == [ButtonPress(1), ButtonPress(2)]
