"""The games against the house as data: their boxes, their later bet, and what each box pays unless the house
has a table of its own.

A clause is numbered by its game: `3C-5`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

Pays = Mapping[str, tuple[int, int]]
"""By hand what is paid to one, as a fraction. 0 gives the bet back; a hand that is not named loses."""


@dataclass(frozen=True, slots=True)
class Banked:
    """One game. `boxes`: the bets before the deal, each with the clause that it is by; `limited`: those that
    the limits of the table bound; `plays_by`: the clause of the later bet, empty if there is none; `pays`:
    what is paid by hand, by box.
    """

    boxes: Mapping[str, str]
    limited: frozenset[str]
    plays_by: str = ""
    pays: Mapping[str, Pays] = field(default_factory=dict)


def _times(**pays: int) -> Pays:
    return {hand.replace("_", "-"): (number, 1) for hand, number in pays.items()}


_UTH_BLIND: Final[Pays] = {
    **_times(royal=500, straight_flush=50, four=10, full_house=3),
    "flush": (3, 2),
    **_times(straight=1),
}
_DRAWN: Final = _times(
    royal=249, straight_flush=49, four=24, full_house=8, flush=5, straight=3, three=2, two_pair=1, jacks=0
)
ROYAL_FOR_FIVE: Final = 3_995
"""What five coins win with a royal flush in video poker: 4,000 come back."""

WIDER: Final = {"royal": "straight-flush", "jacks": "pair", "ace-king": "high"}
"""The hand that a hand is too: the row that pays it if it has none of its own."""


def row(pays: Pays, made: str) -> tuple[int, int] | None:
    """What a table pays for this hand; None if it loses."""
    return pays.get(made) or pays.get(WIDER.get(made, ""))


BANKED: Final[Mapping[str, Banked]] = {
    "three-card": Banked(
        {"ante": "3C-1", "pair-plus": "3C-1"},
        frozenset({"ante", "pair-plus"}),
        "3C-2",
        {
            "ante-bonus": _times(straight_flush=4, three=3, straight=1),
            "pair-plus": _times(straight_flush=40, three=20, straight=5, flush=4, pair=1, jacks=1),
        },
    ),
    "caribbean": Banked(
        {"ante": "CAR-1", "jackpot": "CAR-1"},
        frozenset({"ante"}),
        "CAR-2",
        {
            "play": {
                **_times(high=1, ace_king=1, pair=1, jacks=1, two_pair=2, three=3, straight=4, flush=5),
                **_times(full_house=7, four=20, straight_flush=50, royal=100),
            },
            "jackpot": _times(flush=50, full_house=75, four=100),
        },
    ),
    "pai-gow": Banked({"bet": "PG-1", "bonus": "PG-5"}, frozenset({"bet"})),
    "uth": Banked(
        {"ante": "UTH-1", "blind": "UTH-1", "trips": "UTH-1", "bonus": "UTH-8"},
        frozenset({"ante"}),
        "UTH-2",
        {
            "blind": _UTH_BLIND,
            "bonus": _UTH_BLIND,
            "trips": {
                **_times(three=3, straight=4, flush=7, full_house=8, four=30, straight_flush=40, royal=50)
            },
        },
    ),
    "video-poker": Banked({"bet": "VP-1"}, frozenset({"bet"}), "", {"bet": _DRAWN}),
}
"""By the name of the form."""

JACKPOT_SHARES: Final[Mapping[str, int]] = {"straight-flush": 10, "royal": 100}
"""What a hand wins of the jackpot, in percent (CAR-7)."""
