"""Blocks of pages that several streams show alike: each is drawn once, as long as it shows the same."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final

MOST: Final = 2_000
"""Blocks that are kept, the last used: 40 tables and their incidents, in four languages and more."""


class Drawn:
    """The blocks that were drawn last."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[tuple[Any, ...], str]] = OrderedDict()

    def block(self, key: Hashable, made_of: tuple[Any, ...], draw: Callable[[], str]) -> str:
        """The block with this key as it was drawn of equal values, else as it is drawn now. `made_of`: all
        that it depends on beside the key.
        """
        known = self._kept.get(key)
        if known is None or known[0] != made_of:
            known = self._kept[key] = made_of, draw()
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return known[1]
