"""How antennas answer: the probability of a read by how a card lies, at the noise that this table shows.

**Theory.** A card under an antenna is read or missed in each visit, but misses are not independent: how it
lies decides for as long as it lies there. So a placement has a quality, drawn once: some are read always,
some seldom, a few never. A quality is a point on the logit scale around the mean of its place (several cards
on a pile answer worse). A placement near the edge of its field is read next door too, in a share of the
visits.

How bad all this is differs from table to table, and is learned: `Gauge` counts how often cards that lie still
are missed between two reads, and gives a level between 0 (a good installation) and 2 (phones, metal, damp
cards). Everything else is interpolated from three rows of assumptions, since nobody has published
measurements.
"""

import math
from typing import Final, Literal

import msgspec

Kind = Literal["seat", "held", "board", "burn", "muck", "stub"]
Own = tuple[tuple[float, float], ...]
"""Shares of placements, each with how often such a one is read in a visit."""

_NODES: Final = ((-2.0, 0.07), (-1.0, 0.24), (0.0, 0.38), (1.0, 0.24), (2.0, 0.07))
"""A normal distribution as five points: where, and how much."""
_OVERLAP: Final[dict[Kind, float]] = {"seat": 1.9, "board": 1.4, "burn": 1.6, "muck": 4.5}
_STUB: Final = ((0.08, 0.8), (0.15, 0.3), (0.77, 0.005))
"""Only the top of the stub answers."""
_MISSED: Final = (0.06, 0.19, 0.30)
"""What the gauge counts at the three levels."""
_LEVELS: Final = {
    "single": (0.02, 0.08, 0.20),
    "stack": (0.05, 0.15, 0.25),
    "spread": (0.6, 1.1, 1.4),
    "dead": (0.0005, 0.004, 0.012),
    "edge": (0.01, 0.05, 0.10),
    "edge_read": (0.06, 0.22, 0.40),
    "far": (3e-5, 1.5e-4, 5e-4),
    "ghost": (3e-7, 1e-6, 3e-6),
    "over": (0.012, 0.02, 0.02),
    "over_again": (0.3, 0.1, 0.02),
    "lifted": (0.3, 0.5, 0.7),
    "unread": (0.006, 0.08, 0.25),
    "outage": (0.0005, 0.004, 0.025),
    "doubt": (3e-4, 1.2e-3, 7e-3),
    "muck_doubt": (3e-4, 1.2e-3, 7e-4),
}


class Rates(msgspec.Struct, frozen=True):
    """All are probabilities. `own`: by kind of place, shares of placements and how often such a one is read
    in a visit. `edge`: a placement is read by one given neighbour, in `edge_read` of its visits. `far`: a
    neighbour reads a card that lies well. `ghost`: any antenna does. `over`: a neighbour reads a card on its
    way, `over_again`: and does so again. `unread`: a card that came was not read yet when the next one is.
    `outage`: a visit reads nothing at all. `sure`: where to believe that a card has moved; `folded`: that the
    cards of a seat have gone to the muck. Where antennas read badly, cards under a chip are silent for long,
    and a fold that was none is wrong for all cards of the seat.
    """

    own: dict[Kind, Own]
    edge: float
    edge_read: float
    far: float
    ghost: float
    over: float
    over_again: float
    unread: float
    outage: float
    sure: float
    folded: float


def rates(level: float) -> Rates:
    """The rates at a level of noise from 0 to 2."""
    low = min(1, int(level))
    part = level - low
    at = {
        name: math.exp(math.log(row[low]) * (1 - part) + math.log(row[low + 1]) * part)
        for name, row in _LEVELS.items()
    }
    own: dict[Kind, Own] = {"stub": _STUB}
    for kind, overlap in _OVERLAP.items():
        plain = 1 - (1 - at["single"]) * math.exp(-at["stack"] * (overlap - 1))
        middle = math.log(plain / (1 - plain))
        own[kind] = (
            *(
                (share * (1 - at["dead"]), 1 / (1 + math.exp(middle + at["spread"] * where)))
                for where, share in _NODES
            ),
            (at["dead"], 1e-4),
        )
    # Held up out of the field, or bent so that the corner can be seen: then it is read, but not so well.
    own["held"] = (
        (at["lifted"], 0.03),
        *(
            (share * (1 - at["lifted"]), 1 / (1 + (1 / read - 1) * math.exp(1.5)))
            for share, read in own["seat"]
        ),
    )
    return Rates(
        own,
        at["edge"] / 2,
        at["edge_read"],
        at["far"],
        at["ghost"],
        at["over"],
        at["over_again"],
        at["unread"],
        at["outage"],
        1 - at["doubt"],
        1 - at["muck_doubt"],
    )


class Gauge:
    """Counts reads and misses of cards that lie still, over many hands."""

    def __init__(self) -> None:
        self._reads = 60.0
        self._misses = 8.0

    def count(self, reads: int, misses: int) -> None:
        """So many reads of cards that lie still, with so many misses between them."""
        self._reads += reads
        self._misses += misses
        if self._reads > 20_000:
            self._reads /= 2
            self._misses /= 2

    @property
    def level(self) -> float:
        """0 to 2."""
        missed = self._misses / (self._reads + self._misses)
        for low in (0, 1):
            if missed < _MISSED[low + 1] or low == 1:
                return min(2.0, max(0.0, low + (missed - _MISSED[low]) / (_MISSED[low + 1] - _MISSED[low])))
        raise AssertionError
