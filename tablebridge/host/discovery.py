"""Which driver fits which device that is plugged in, by what the kernel knows of it already.

Nothing is opened and nothing is written: bytes that are a request to one device are a command to another. So
a serial adapter, whose chip is in anything with a serial port, is never claimed; only a person knows what is
connected to it.

    score  why
    100    the site file names it, by serial number or by path
    90     vendor and product are those of a driver
    60     the vendor is, and the interface is of the right kind
    0      a serial adapter, or nothing that any driver knows
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.host.links.link import LinkRefused
from tablebridge.host.plugged import USB, Address, Plugged, parse_address
from tablebridge.sdk.driver import Driver, KeysPort, UsbPort

NAMED, EXACT, VENDOR, NOTHING = 100, 90, 60, 0
ADAPTERS: Final = frozenset(
    (vendor, product)
    for vendor, products in {
        # FTDI FT232R, FT2232, FT4232, FT232H, FT-X.
        0x0403: (0x6001, 0x6010, 0x6011, 0x6014, 0x6015),
        # Silicon Labs CP2102, CP2105, CP2108.
        0x10C4: (0xEA60, 0xEA70, 0xEA71),
        # Prolific PL2303, PL2303GC, PL2303GT.
        0x067B: (0x2303, 0x23A3, 0x23C3),
        # WCH CH340, CH341, CH340K, CH343, CH9102.
        0x1A86: (0x7523, 0x5523, 0x7522, 0x55D3, 0x55D4),
        # Microchip's CDC example, MCP2221.
        0x04D8: (0x000A, 0x00DD),
        # Arduino Uno, Mega 2560, Leonardo, Uno R4 Minima and WiFi; arduino.org's Uno.
        0x2341: (0x0001, 0x0010, 0x0042, 0x0043, 0x0069, 0x1002, 0x8036),
        0x2A03: (0x0043,),
        # Espressif's own USB, Raspberry Pi Pico (MicroPython, SDK), Teensy, ST's virtual port.
        0x303A: (0x1001,),
        0x2E8A: (0x0005, 0x000A),
        0x16C0: (0x0483,),
        0x0483: (0x5740,),
    }.items()
    for product in products
)
"""Chips and boards that hide the device behind them. Source: the public list of USB numbers (usb.ids of
linux-usb.org), the kernel's ftdi_sio_ids.h, cp210x.c, pl2303.h and ch341.c, boards.txt of Arduino's packages.
"""
_LINKS: Final = (Path("/dev/serial/by-id"), Path("/dev/serial/by-path"))


class Candidate(msgspec.Struct, frozen=True):
    """A driver that may fit, how sure (0 to 100), and why."""

    driver: str
    score: int
    why: str


class Found(msgspec.Struct, frozen=True):
    """A device, the port to write into the site file, and who uses it or might. `device`: its name in the
    site file.
    """

    plugged: Plugged
    port: str
    candidates: tuple[Candidate, ...] = ()
    device: str = ""
    adapter: bool = False


def discover(
    plugged: Sequence[Plugged], drivers: Iterable[Driver], named: dict[str, str] | None = None
) -> tuple[Found, ...]:
    """All devices but hubs, best known first. `named`: the ports of the site file to the names of their
    devices.
    """
    known = [driver for driver in drivers if driver.usb is not None or driver.keys is not None]
    found = [_examine(device, plugged, known, named or {}) for device in plugged if not device.hub]
    return tuple(
        sorted(
            found,
            key=lambda entry: (-max((c.score for c in entry.candidates), default=0), entry.plugged.path),
        )
    )


def _examine(
    device: Plugged, everything: Sequence[Plugged], drivers: list[Driver], named: dict[str, str]
) -> Found:
    name = next((name for port, name in named.items() if is_named(port, device)), "")
    adapter = (device.vendor, device.product) in ADAPTERS
    fitting = []
    for driver in drivers if not adapter else ():
        score = _score(driver.usb, device) if driver.usb is not None else _types(driver.keys, device)
        if score:
            fitting.append(
                Candidate(
                    driver.name, score, "vendor and product" if score == EXACT else "vendor and interface"
                )
            )
    if name:
        fitting = [Candidate(candidate.driver, NAMED, f"the site file's {name}") for candidate in fitting]
    types = any(
        driver.keys is not None and driver.name == each.driver for driver in drivers for each in fitting
    )
    return Found(
        device,
        keyboard_of(device) if types else port_of(device, everything),
        tuple(sorted(fitting, key=lambda candidate: (-candidate.score, candidate.driver))),
        name,
        adapter,
    )


def _score(usb: UsbPort, device: Plugged) -> int:
    if not usb.ids or not usb.knows(device.vendor, device.product):
        return NOTHING
    if (device.vendor, device.product) in usb.ids:
        return EXACT
    wanted = usb.interface or (None, None, None)
    fits = any(
        all(want in (None, got) for want, got in zip(wanted, interface.kind, strict=True))
        for interface in device.interfaces
    )
    return VENDOR if fits or device.serial_ports else NOTHING


def _types(keys: KeysPort | None, device: Plugged) -> int:
    """How sure it is that a device which types as a keyboard is a reader."""
    known = keys is not None and (device.vendor, device.product) in keys.ids
    return EXACT if known and device.keyboards else NOTHING


def is_named(port: str, device: Plugged) -> bool:
    """Whether a port of the site file is this device."""
    if port.startswith(USB):
        try:
            return parse_address(port).means(device)
        except LinkRefused:
            return False
    return str(Path(port).resolve()) in (*device.serial_ports, *device.keyboards)


def keyboard_of(device: Plugged) -> str:
    """What to write as `port` of a reader that types: of its input devices the keyboard."""
    for folder in (Path("/dev/input/by-id"), Path("/dev/input/by-path")):
        for link in sorted(folder.glob("*-event-kbd")) if device.serial or folder.name == "by-path" else ():
            if str(link.resolve()) in device.keyboards:
                return str(link)
    return device.keyboards[0]


def port_of(device: Plugged, everything: Sequence[Plugged]) -> str:
    """What to write as `port`: by serial number if it has a unique one, else by path."""
    if device.serial_ports:
        for folder in _LINKS:
            for link in sorted(folder.glob("*")) if device.serial or folder.name == "by-path" else ():
                if str(link.resolve()) in device.serial_ports:
                    return str(link)
        return device.serial_ports[0]
    unique = Address("", serial=device.serial)
    if device.serial and sum(unique.means(other) for other in everything) == 1:
        return f"{USB}by-serial/{device.serial}"
    return f"{USB}by-path/{device.path}"
