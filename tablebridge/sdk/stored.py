"""What a reader keeps of its configuration and a driver needs otherwise: read, compared, written on demand.

A reader comes from the shop in the mode that its maker thought of, and somebody may have changed it. A driver
changes nothing that is stored while a table plays: it says what is wrong, and `tablebridge drivers configure`
shows and, if a person wants that, writes it. Pure: who opens the port sends the bytes and collects answers.
"""

from collections.abc import Callable

import msgspec

Options = dict[str, bool | int | float | str]
"""What a site file sets of a driver: each option's name and value."""


class Stored(msgspec.Struct, frozen=True):
    """One setting that a reader keeps.

    `name` and `meaning`: for people. `ask`: the request for it. `read`: its value in words, from all that
    came since the request; None while no whole answer came. `wanted`: whether this value is right. `wish`:
    what is wanted, in words. `write`: the request that puts it right, made of the answer to `ask`, so that
    the settings beside it stay. `written`: whether the reader has taken it; None while no whole answer came.
    """

    name: str
    meaning: str
    ask: Callable[[Options], bytes]
    read: Callable[[bytes], str | None]
    wanted: Callable[[str, Options], bool]
    wish: Callable[[Options], str]
    write: Callable[[bytes, Options], bytes]
    written: Callable[[bytes], bool | None]


__all__ = ["Options", "Stored"]
