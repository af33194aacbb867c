"""The serial ports of the board itself, such as a Raspberry Pi's on its pins, read from sysfs: none is
opened.
"""

from pathlib import Path
from typing import Final

import msgspec

_SERIAL: Final = ("ttyS", "ttyAMA", "ttyTHS", "ttymxc", "ttySC", "ttySTM", "ttyLP")
"""Names that the kernel gives to UARTs of PCs, of Raspberry Pi, Jetson, i.MX, of SPI bridges, of STM32, of
Layerscape.
"""


class Uart(msgspec.Struct, frozen=True):
    """A port of the board. `port`: for the site file. `console`: the kernel writes its messages to it."""

    port: str
    console: bool = False

    def __str__(self) -> str:
        return f"{self.port}, a serial port of the board" + (
            ": the kernel's console is on it; take `console=` out of the kernel's command line first"
            if self.console
            else ""
        )


def uarts(root: Path = Path("/")) -> tuple[Uart, ...]:
    """Those that have hardware behind them. A PC has names for four, most without."""
    try:
        names = sorted(
            entry.name
            for entry in (root / "sys/class/tty").iterdir()
            if entry.name.startswith(_SERIAL) and _real(entry)
        )
        line = (root / "proc/cmdline").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return ()
    consoles = {word.removeprefix("console=").split(",")[0] for word in line if word.startswith("console=")}
    links = {
        link.resolve().name: link.name for link in sorted((root / "dev").glob("serial[0-9]"), reverse=True)
    }
    return tuple(
        Uart(
            f"/dev/{links.get(name, name)}",
            bool(consoles & {name, links.get(name, name)}),
        )
        for name in names
    )


def _real(entry: Path) -> bool:
    """Type 0 is a name without a UART behind it; a driver that gives no type has one."""
    if not (entry / "device").exists():
        return False
    try:
        return (entry / "type").read_text().strip() != "0"
    except OSError:
        return True


def missing(root: Path = Path("/")) -> str:
    """What to do on a board whose port is not switched on; empty if nothing is to be done."""
    try:
        model = (root / "proc/device-tree/model").read_text(encoding="utf-8", errors="replace").rstrip("\0")
    except OSError:
        return ""
    if not model.startswith("Raspberry Pi") or uarts(root):
        return ""
    return (
        "The serial port on the pins is off: sudo raspi-config, Interface Options, Serial Port: no login "
        "shell, hardware yes; or enable_uart=1 in config.txt. On a board with Bluetooth dtoverlay=disable-bt "
        "gives it the better UART, whose speed does not follow the processor's clock."
    )


__all__ = ["Uart", "missing", "uarts"]
