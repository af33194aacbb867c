"""What the players of an event are paid: prizes by place, deals, and what a room that goes down owes.

Theory. Every amount is cut down to the whole unit. Who share places share the prizes of these places equally.
A deal by chips gives everybody the lowest prize that is left and divides the rest by chips; one by the
independent chip model gives each player the sum of the prizes times the chances of its place: the chance of
the first place is the share of the chips, that of a later place the same among those who are left for it.
"""

from collections.abc import Sequence
from typing import Final

MOST_IN_A_DEAL: Final = 15
"""Players for whom the independent chip model is computed: its work doubles with each."""
_ROUNDING: Final = 1e-9


def of_places(prizes: Sequence[int], first: int, last: int) -> int:
    """What each of those who share these places gets."""
    return sum(prizes[first - 1 : last]) // (last - first + 1) if first else 0


def chop(prizes: Sequence[int], stacks: Sequence[int]) -> list[int]:
    """Everybody the lowest prize that is left, and the rest by chips: a deal, or a room that went down in the
    money.
    """
    pool = _for(prizes, len(stacks))
    lowest = pool[-1]
    return _by_chips(sum(pool) - lowest * len(pool), stacks, lowest)


def icm(prizes: Sequence[int], stacks: Sequence[int]) -> list[int]:
    """The prizes that are left, by the independent chip model. At most `MOST_IN_A_DEAL` stacks."""
    pool = _for(prizes, len(stacks))
    everybody = range(len(stacks))
    expected = [0.0] * len(stacks)
    # By who has the first places already, as bits: how likely that is.
    gone = {0: 1.0}
    for prize in pool:
        later: dict[int, float] = {}
        for taken, chance in gone.items():
            chips = sum(stacks[player] for player in everybody if not taken >> player & 1)
            for player in everybody:
                if not taken >> player & 1 and chips:
                    share = chance * stacks[player] / chips
                    expected[player] += share * prize
                    later[taken | 1 << player] = later.get(taken | 1 << player, 0.0) + share
        gone = later
    return [int(amount + _ROUNDING) for amount in expected]


def half_by_chips(prizes: Sequence[int], stacks: Sequence[int]) -> list[int]:
    """Half of the pool equally, half by chips: the room went down before the money."""
    pool = sum(prizes)
    return _by_chips(pool - pool // 2, stacks, pool // 2 // len(stacks))


def _for(prizes: Sequence[int], players: int) -> list[int]:
    """The prizes that so many players still play for."""
    return [*prizes[:players], *[0] * (players - len(prizes))]


def _by_chips(amount: int, stacks: Sequence[int], each: int) -> list[int]:
    chips = sum(stacks)
    return [each + (amount * stack // chips if chips else 0) for stack in stacks]
