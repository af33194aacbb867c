"""Tagged chips: which of them a player pushes forward for an amount, so that the chips alone say what is
meant.
"""

from collections import deque
from typing import Final

from tablebridge.model.errors import ConfigError

DENOMINATIONS: Final = (1, 5, 25, 100, 500, 1000, 5000, 25_000, 100_000, 500_000)
EACH: Final = 120


def chips_for(amount: int, spare: int | None = None) -> list[int]:
    """Denominations that make up an amount, highest first.

    `spare`: a raise is meant, by which the call is exceeded by this much. Several chips, if the smallest
    could be left out, are a raise; a single one, or chips that are all needed, would be a call.
    Raises ValueError if `spare` is below 1.
    """
    chips: list[int] = []
    for value in reversed(DENOMINATIONS):
        count, amount = divmod(amount, value)
        chips += [value] * count
    if spare is not None:
        if spare < 1:
            raise ValueError("a raise exceeds the call")
        while len(chips) < 2 or chips[-1] > spare:
            broken = chips.pop()
            below = max(value for value in DENOMINATIONS if value < broken)
            chips += [below] * (broken // below)
    return chips


class Bank:
    """The tagged chips that are not on the table. A chip that comes back is given out last."""

    def __init__(self, tags: dict[str, int]) -> None:
        self._value = tags
        self._free: dict[int, deque[str]] = {value: deque() for value in DENOMINATIONS}
        self.back(tags)

    def take(self, chips: list[int]) -> list[str]:
        """Tags of such chips. Raises ConfigError if the bank has no more of them."""
        try:
            return [self._free[value].popleft() for value in chips]
        except IndexError:
            raise ConfigError(
                "the bets of this hand need more tagged chips than there are; play it with --bets console"
            ) from None

    def worth(self, tags: tuple[str, ...]) -> int:
        """What chips with these tags are worth."""
        return sum(self._value[tag] for tag in tags)

    def back(self, tags: dict[str, int] | tuple[str, ...]) -> None:
        """Chips come back from the table."""
        for tag in tags:
            self._free[self._value[tag]].append(tag)
