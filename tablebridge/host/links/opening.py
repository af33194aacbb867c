"""Opens the link that a site file's `port` names: a serial port, contacts on one, a network port, a USB
device, a reader behind PC/SC, or a capture in place of any of them.
"""

from collections.abc import Sequence
from typing import Final

from tablebridge.host.links import replayed
from tablebridge.host.links.keys import KeysLink
from tablebridge.host.links.link import Link, LinkRefused
from tablebridge.host.links.tcp import SCHEME, TcpLink
from tablebridge.host.links.watch import WATCH, WatchLink
from tablebridge.host.plugged import USB, parse_address
from tablebridge.sdk.driver import Driver, KeysPort, Options, PcscPort, SerialPort, UsbPort, WatchPort

Way = SerialPort | UsbPort | WatchPort | KeysPort | PcscPort
PCSC: Final = "pcsc://"


def way(port: str, driver: Driver, options: Options) -> Way:
    """How the driver reaches a device at that port. Raises LinkRefused if it cannot."""
    if port.startswith(replayed.SCHEME):
        # Whichever it is, a capture has what the session heard through it.
        return driver.port(options) if driver.port is not None else driver.usb or SerialPort(9600)
    if driver.watch is not None:
        if port == WATCH:
            return driver.watch
        raise LinkRefused(f'The driver {driver.name} watches the box and no device: write port = "{WATCH}".')
    if port == WATCH:
        raise LinkRefused(f"{WATCH} is a port for drivers that watch the box, which {driver.name} does not.")
    if driver.keys is not None:
        if "://" not in port:
            return driver.keys
        raise LinkRefused(
            f"The driver {driver.name} reads a keyboard's keys: write port = "
            '"/dev/input/by-id/…-event-kbd"; `tablebridge ports` lists what is plugged in.'
        )
    if driver.pcsc is not None:
        if port.startswith(PCSC):
            return driver.pcsc
        raise LinkRefused(
            f'The driver {driver.name} reads by PC/SC: write port = "{PCSC}", or "{PCSC}NAME" with the '
            "beginning of the reader's name."
        )
    if port.startswith(PCSC):
        raise LinkRefused(
            f"{PCSC} is a port for drivers that read by PC/SC, which {driver.name} does not: write driver = "
            '"pcsc".'
        )
    if port.startswith(USB):
        if driver.usb is None:
            raise LinkRefused(
                f"The driver {driver.name} does not speak over USB: write the port as a path, such as "
                "/dev/serial/by-path/…."
            )
        return driver.usb
    if driver.port is None:
        raise LinkRefused(
            f"The driver {driver.name} speaks over USB only: write the port as usb://VENDOR:PRODUCT, "
            "usb://by-serial/NUMBER or usb://by-path/1-1.4; `tablebridge ports` lists what is plugged in."
        )
    settings = driver.port(options)
    if settings.contacts and port.startswith(SCHEME):
        raise LinkRefused(
            f"{port} has no contacts: the driver {driver.name} needs a serial port of this machine."
        )
    return settings


def check_port(port: str, driver: Driver, options: Options) -> None:
    """Whether a site file's `port` can be one of this driver's, plugged in or not. Raises LinkRefused."""
    way(port, driver, options)
    if port.startswith(USB):
        parse_address(port)


def open_link(port: str, settings: Way, named: Sequence[str] = ()) -> Link:
    """The open link: to a path such as /dev/serial/by-path/..., socket://HOST:PORT, usb://..., pcsc://...,
    replay:FILE, or watch://usb.

    `named`: the ports that the site file names, for the watch; one that is named twice is a bus. Raises
    LinkRefused if a person must act, LinkError if trying again may help.
    """
    if port.startswith(replayed.SCHEME):
        return replayed.ReplayLink(port)
    if isinstance(settings, WatchPort):
        return WatchLink(named)
    if isinstance(settings, KeysPort):
        return KeysLink(port)
    if isinstance(settings, PcscPort):
        # libpcsclite is loaded for readers behind it only.
        from tablebridge.host.links.pcsc import PcscLink

        return PcscLink(port)
    if isinstance(settings, UsbPort):
        # pyusb and libusb are needed for devices behind them only; so is pyserial below.
        from tablebridge.host.links.usb import UsbLink

        return UsbLink(port, settings)
    if port.startswith(SCHEME):
        return TcpLink(port)
    if "://" in port:
        raise LinkRefused(
            f"{port} is no port that can be opened: write a path such as /dev/ttyUSB0, socket://HOST:PORT, "
            "or "
            "usb://VENDOR:PRODUCT."
        )
    if settings.contacts:
        from tablebridge.host.links.contacts import ContactsLink

        return ContactsLink(port, settings)
    if list(named).count(port) > 1:
        from tablebridge.host.links.bus import BusLink

        return BusLink(port, settings)
    from tablebridge.host.links.serial import SerialLink

    return SerialLink(port, settings)
