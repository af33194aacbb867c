"""Whether the device at a port is the one that belongs there: the option `board`, and what is said of it.

Theory. Adapters without a serial number of their own are named by their place, so identical readers that are
swapped at their cables swap their seats. A reader that can say a number of its own ends that: what begins
otherwise than the site file says is a stranger. Its status is "failed", and what it reads is not used.

    option      the device is asked    it is a stranger
    empty       no                     never
    ?           yes                    never
    a number    yes                    until it says a number that begins so
"""

import re
from typing import Final

from tablebridge.sdk.driver import Option

BOARD: Final = "board"
"""The option's name, the same for all drivers that have it."""
ANY: Final = "?"
LONGEST: Final = 64
"""Characters of a number that are looked at."""
_QUOTED: Final = re.compile(r', board = "([ !#-\[\]-~]{1,64})"$')

OPTIONS: Final = {
    BOARD: Option(
        "",
        "how the reader's own number begins, so that readers swapped at their cables are noticed; "
        '"?" asks for the number and takes any, empty does not ask',
    )
}
"""The option of each driver whose readers say a number when they are asked."""


class Belonging:
    """Whether one device belongs here. `wanted`: the option."""

    def __init__(self, wanted: str = "") -> None:
        self.asked = bool(wanted)
        """Whether the device is asked for its number."""
        self._wanted = "" if wanted == ANY else wanted
        self.stranger = bool(self._wanted)
        """The device has not said that it belongs here: what it reads is of another place."""

    def forget(self) -> None:
        """Another device may be there now."""
        self.stranger = bool(self._wanted)

    def said(self, number: str) -> str:
        """The device has said its number; empty: it says none. Gives why it is a stranger, empty if it is
        none.
        """
        self.stranger = not number.startswith(self._wanted)
        if not self.stranger:
            return ""
        if not number:
            return (
                f"it does not say its number, and the board {self._wanted} belongs here: what it reads is "
                "not used; if no such reader says one, leave board out"
            )
        return (
            f"this is the board {number}, and {self._wanted} belongs here: cables are swapped, or, if it was "
            f'exchanged, write board = "{number}"; what it reads is not used'
        )


def plain(number: str) -> str:
    """A number as it may stand in a site file: printable ASCII without quotes, cut to its length."""
    kept = (letter for letter in number if " " <= letter <= "~" and letter not in '"\\')
    return "".join(kept).strip()[:LONGEST].rstrip()


def with_board(identity: str, number: str) -> str:
    """Who a device is, and its number as the site file has it."""
    return f'{identity}, board = "{number}"' if number else identity


def board_in(identity: str) -> str:
    """The number in an identity of `with_board`; empty if there is none."""
    found = _QUOTED.search(identity)
    return found[1] if found else ""


__all__ = ["ANY", "BOARD", "OPTIONS", "Belonging", "board_in", "plain", "with_board"]
