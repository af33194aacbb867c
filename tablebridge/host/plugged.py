"""Which USB devices are plugged in, read from sysfs: no device is opened and nothing is written to any.

A device's path, such as 1-1.4, names the bus and the ports on the way to it. It stays the same until somebody
moves the cable; serial numbers are better if devices have them, and many have none or the same one.
"""

from pathlib import Path
from typing import Final

import msgspec

from tablebridge.host.links.link import LinkRefused

USB: Final = "usb://"
_BUS: Final = Path("/sys/bus/usb/devices")
_HUB: Final = 0x09
_INTERFACE: Final = 4


class Interface(msgspec.Struct, frozen=True):
    """One interface of a configuration, by its first alternate setting."""

    number: int
    kind: tuple[int, int, int]
    """Class, subclass, protocol."""


class Plugged(msgspec.Struct, frozen=True):
    """One device. `path`: bus and ports, such as 1-1.4. `bus` and `address`: where it is until it is
    unplugged.
    """

    vendor: int
    product: int
    path: str
    bus: int
    address: int
    serial: str = ""
    name: str = ""
    hub: bool = False
    interfaces: tuple[Interface, ...] = ()
    serial_ports: tuple[str, ...] = ()
    keyboards: tuple[str, ...] = ()

    @property
    def ids(self) -> str:
        """Vendor and product as they are written: 072f:2200."""
        return f"{self.vendor:04x}:{self.product:04x}"

    @property
    def node(self) -> Path:
        """The file that a program opens to talk to it."""
        return Path(f"/dev/bus/usb/{self.bus:03d}/{self.address:03d}")

    def __str__(self) -> str:
        return " ".join(
            filter(
                None, (self.ids, self.name, self.serial and f"serial number {self.serial}", f"at {self.path}")
            )
        )


class Address(msgspec.Struct, frozen=True):
    """Which device a site file's `port` means: by numbers, by serial number or by path."""

    text: str
    vendor: int | None = None
    product: int | None = None
    serial: str = ""
    path: str = ""

    def means(self, device: Plugged) -> bool:
        """Whether the address means this device, or devices like it."""
        return (
            self.vendor in (None, device.vendor)
            and self.product in (None, device.product)
            and self.serial in ("", device.serial)
            and self.path in ("", device.path)
        )


def parse_address(text: str) -> Address:
    """The address in a `port` that begins with usb://. Raises LinkRefused for one that cannot be read."""
    kind, slash, rest = text.removeprefix(USB).partition("/")
    if slash and rest and kind == "by-path":
        return Address(text, path=rest)
    if slash and rest and kind == "by-serial":
        return Address(text, serial=rest)
    numbers = kind.split(":")
    if (
        not slash
        and len(numbers) in (1, 2)
        and all(len(number) == 4 and _is_hex(number) for number in numbers)
    ):
        vendor, product = (int(number, 16) for number in [*numbers, "0"][:2])
        return Address(text, vendor, product if len(numbers) == 2 else None)
    raise LinkRefused(
        f"{text} names no USB device: write usb://VENDOR:PRODUCT such as usb://072f:2200, "
        "usb://by-serial/NUMBER, or usb://by-path/1-1.4; `tablebridge ports` lists what is plugged in."
    )


def _is_hex(text: str) -> bool:
    return all(char in "0123456789abcdefABCDEF" for char in text)


def plugged() -> tuple[Plugged, ...]:
    """All devices by their paths, hubs among them. One that goes while it is looked at is left out."""
    try:
        entries = sorted(path for path in _BUS.iterdir() if ":" not in path.name)
    except OSError:
        return ()
    return tuple(device for device in map(_device, entries) if device is not None)


def _device(entry: Path) -> Plugged | None:
    try:
        return Plugged(
            vendor=int(_text(entry / "idVendor"), 16),
            product=int(_text(entry / "idProduct"), 16),
            path=entry.name,
            bus=int(_text(entry / "busnum")),
            address=int(_text(entry / "devnum")),
            serial=_reported(entry / "serial"),
            name=_reported(entry / "product"),
            hub=int(_text(entry / "bDeviceClass"), 16) == _HUB,
            interfaces=interfaces((entry / "descriptors").read_bytes()),
            serial_ports=_serial_ports(entry),
            keyboards=tuple(
                sorted(f"/dev/input/{node.name}" for node in entry.glob("*:*/*/input/input*/event*"))
            ),
        )
    except (OSError, ValueError):
        return None


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()


def _reported(path: Path) -> str:
    """What a device reports of itself, without characters that no terminal or log should show; empty if
    nothing.
    """
    return "".join(char for char in _text(path) if char.isprintable())[:80] if path.exists() else ""


def interfaces(descriptors: bytes) -> tuple[Interface, ...]:
    """The interfaces that binary descriptors name (USB 2.0, 9.6.5); those behind damage are left out."""
    found: dict[int, Interface] = {}
    at = 0
    while at + 2 <= len(descriptors) and descriptors[at] >= 2:
        descriptor = descriptors[at : at + descriptors[at]]
        if descriptor[1] == _INTERFACE and len(descriptor) >= 9 and descriptor[2] not in found:
            found[descriptor[2]] = Interface(descriptor[2], (descriptor[5], descriptor[6], descriptor[7]))
        at += descriptors[at]
    return tuple(found.values())


def _serial_ports(entry: Path) -> tuple[str, ...]:
    """The serial ports that the kernel made of it, such as /dev/ttyUSB0."""
    found = [*entry.glob("*:*/tty/tty*"), *entry.glob("*:*/tty*/tty/tty*")]
    return tuple(sorted(f"/dev/{tty.name}" for tty in found))


__all__ = ["USB", "Address", "Interface", "Plugged", "interfaces", "parse_address", "plugged"]
