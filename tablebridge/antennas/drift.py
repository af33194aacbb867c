"""Antennas that read worse than they used to, found from the stays that `dwell.py` counts. Pure.

**Theory.** A calibration says how often cards under an antenna are read, and how much that differs from
placement to placement. Each card that lay there in a hand is compared with it: how many deviations its reads
lie below what was to be expected. These are summed up, less `SLACK` per card and never below zero (a
one-sided CUSUM, Page 1954), so good cards pay for bad ones and a lasting change adds up. At `LIMIT` the
antenna is *weak*. If the deviations were normal and independent, the mean distance of two false alarms would
be

    (exp(2 k h') - 2 k h' - 1) / (2 k^2) cards,    k = `SLACK`, h' = `LIMIT` + 1.166 (Siegmund 1985),

a million. They are neither: cards of a seat are looked at together, and rates are skewed. One card counts
`WORST` deviations at most.

An antenna that has died gives no stays at all. If it sees cards in a known share of the hands, at a place
that is used whoever plays (board, burns, muck, stub), it is *dead* after a run of hands without any that
chance gives less than `NEVER`. A seat without cards is a seat without a player; the hand engine knows who was
dealt in, and misses the cards.
"""

import math
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from tablebridge.antennas.calibration import CalibratedAntenna, Calibration, moments
from tablebridge.antennas.dwell import AntennaName, DwellCounts
from tablebridge.model.events import DeviceState
from tablebridge.model.places import Place, seat_of

SLACK: Final = 0.5
LIMIT: Final = 12.0
WORST: Final = 3.0
NEVER: Final = 1e-6
FEWEST: Final = 30
"""With this many stays an antenna's calibration is good enough to judge by; set."""
FEWEST_HANDS: Final = 20
"""After this many hands it is known in which share of them an antenna sees cards; set."""
_SELDOM: Final = 0.05
"""An antenna that sees cards in a smaller share of the hands is not judged; set."""
_BEST: Final = 0.98
"""To read better than this is no promise."""


class FailingAntenna(msgspec.Struct, frozen=True):
    """An antenna that reads worse than before.

    `before`, `now`: how often a card is read in one visit; for a dead antenna the share of hands in which it
    saw a card, and `hands` without any.
    """

    antenna: AntennaName
    place: Place
    what: Literal["weak", "dead"]
    before: float
    now: float
    hands: int = 0

    @property
    def detail(self) -> str:
        """What a person should know of it."""
        if self.what == "dead":
            return f"it has read no card in {self.hands} hands"
        return f"it reads {self.now:.0%} of what lies there, {self.before:.0%} before"

    @property
    def event(self) -> DeviceState:
        """The event that reports it."""
        device, antenna = self.antenna.rsplit("/", 1)
        return DeviceState(
            device, "live", (self.place,), health="degraded", antenna=int(antenna), detail=self.detail
        )


class _Sum(msgspec.Struct):
    """The sum of the deviations of an antenna, and the visits and reads since it was zero."""

    sum: float = 0.0
    visits: int = 0
    reads: int = 0
    reported: bool = False


class Drift:
    """Follows the antennas of one table. Each that fails is reported once."""

    def __init__(self, known: Calibration, counts: DwellCounts) -> None:
        """`known` and `counts` are those of earlier nights."""
        self._known = known
        self._used = (
            {name: used / counts.hands for name, used in counts.used.items() if counts.hands >= FEWEST_HANDS}
            if counts.hands
            else {}
        )
        self._sums: dict[AntennaName, _Sum] = {name: _Sum() for name in known.antennas}
        self._idle: dict[AntennaName, int] = dict.fromkeys(self._used, 0)

    def judge_hand(self, cards: Iterable[tuple[AntennaName, int, int]]) -> list[FailingAntenna]:
        """A hand is over. `cards`: antenna, visits and reads of each card that lay in it. Returns the
        antennas that fail from now on.
        """
        cards = list(cards)
        failing = [
            found
            for name, visits, reads in cards
            if (found := self._judge_card(name, visits, reads)) is not None
        ]
        used = {name for name, _, _ in cards}
        for name, share in self._used.items():
            antenna = self._known.antennas.get(name)
            self._idle[name] = 0 if name in used else self._idle[name] + 1
            if antenna is None or seat_of(antenna.place) is not None or share < _SELDOM or not used:
                continue
            if self._idle[name] == math.ceil(math.log(NEVER) / math.log(1 - min(share, 1 - _SELDOM))):
                failing.append(FailingAntenna(name, antenna.place, "dead", share, 0.0, self._idle[name]))
        return failing

    def _judge_card(self, name: AntennaName, visits: int, reads: int) -> FailingAntenna | None:
        antenna, so_far = self._known.antennas.get(name), self._sums.get(name)
        if antenna is None or so_far is None or antenna.stays < FEWEST or visits < 1:
            return None
        so_far.sum = max(0.0, so_far.sum + min(WORST, self._below(antenna, visits, reads)) - SLACK)
        if so_far.sum == 0:
            so_far.visits = so_far.reads = 0
        else:
            so_far.visits += visits
            so_far.reads += reads
        if so_far.sum <= LIMIT or so_far.reported:
            return None
        so_far.reported = True
        return FailingAntenna(name, antenna.place, "weak", antenna.hit, so_far.reads / so_far.visits)

    def _below(self, antenna: CalibratedAntenna, visits: int, reads: int) -> float:
        """How many deviations the reads of a card lie below what was to be expected."""
        mean, square = moments(antenna, self._known.spread)
        mean = min(mean, _BEST)
        variance = visits * mean * (1 - mean) + visits * (visits - 1) * max(0.0, square - mean * mean)
        return (visits * mean - reads) / math.sqrt(variance)
