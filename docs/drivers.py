"""Writes the table of drivers into docs/drivers.md, from what the drivers say of themselves: `python
docs/drivers.py`.
"""

import sys
from pathlib import Path
from typing import Final

from tablebridge import DISTRIBUTION
from tablebridge.host import registry
from tablebridge.sdk import Driver

PAGE: Final = Path(__file__).with_name("drivers.md")
BEGIN: Final = "<!-- made by docs/drivers.py -->\n"
END: Final = "<!-- end of what docs/drivers.py makes -->\n"
COMPOSED: Final = " (**composed**)"
HEAD: Final = "| driver | devices | reached by | trust | source | tried on |\n" + "| --- " * 6 + "|\n"


def ways(driver: Driver) -> str:
    """How a device is reached."""
    named = {
        "serial": driver.port,
        "USB": driver.usb,
        "input device": driver.keys,
        "PC/SC": driver.pcsc,
        "the box itself": driver.watch,
    }
    return ", ".join(way for way, port in named.items() if port is not None)


def row(driver: Driver) -> str:
    """One line of the table."""
    cells = (
        f"`{driver.name}`",
        driver.title,
        ways(driver),
        driver.trust,
        driver.source,
        driver.tested + COMPOSED * driver.composed,
    )
    return "| " + " | ".join(cells) + " |\n"


def drivers() -> list[Driver]:
    """All that come with tablebridge, by name."""
    return [
        registry.load(f"{known.distribution}:{known.name}")
        for known in sorted(registry.known(), key=lambda known: known.name)
        if known.distribution == DISTRIBUTION
    ]


def text() -> str:
    """The page with the table as it has to be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, behind = rest.partition(END)
    return before + BEGIN + HEAD + "".join(map(row, drivers())) + END + behind


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{PAGE} has every driver now.\n")
