"""The cards of one seat, which leave it together: looked at and put back, or folded.

**Theory.** A hidden Markov model of the seat as a whole. What is hidden: the cards lie there as they came to
lie; they lie there again after a look, with a new quality and perhaps near another edge; they are held up, in
two stages, so that looks last neither for a moment nor for ever; they are on their way to the muck; they lie
in the muck; one card alone is held up; or one alone has gone to the muck, which is an irregularity and has a
small share from the start. Time moves shares along the table's arrows, by rates a second; each visit of an
antenna multiplies them by how likely it is what all cards of the seat did in it. So two cards that go on
answering, or that vanish together, count for more than each alone, and the muck is concluded for a card that
cannot be read there when there is no other way it can have gone.

    lying, again -> held up      1/8     -> under way  1/40   -> one card gone  1/20000 each
    held up      -> held longer  1/0.9                        -> under way      1/15
    held longer  -> again        1/0.9   -> under way  1/8
    under way    -> in the muck  1/0.7
    one gone     -> in the muck  1/10
    lying        -> one held up  1/60 each; from there -> again 1/20, -> held up 1/20

While cards are dealt a fold is rare: all rates to `under way` are a hundredth. At the end of the hand nobody
looks for long and everybody folds: lying -> under way 1/8, held -> under way 1/3.
"""

from collections.abc import Collection
from typing import Final, Literal

from tablebridge.model.places import MUCK, Place
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.prior import NEAR
from tablebridge.sensing.cards.rates import Rates

Stage = Literal["dealing", "playing", "ending"]
LYING, AGAIN, HELD, LONGER, UNDER_WAY, MUCKED, ALONE = range(7)
"""Places in the list of shares. From `ALONE` on one for each card that went to the muck alone, then one for
each that is held up alone.
"""
_FOLDS: Final[dict[Stage, tuple[float, float, float]]] = {
    "dealing": (1 / 4000, 1 / 1500, 1 / 800),
    "playing": (1 / 40, 1 / 15, 1 / 8),
    "ending": (1 / 8, 1 / 3, 1 / 3),
}
_STEP_S: Final = 0.2
_MOST_S: Final = 4.0
_NEAR_WAY: Final = 0.01
_STILL_OVER: Final = 0.3
"""A card under way is read by an antenna near the muck, and by the antenna that read it last."""
_LEAST: Final = 1e-12
_POSSIBLE: Final = 1e-7


class _Ways:
    """How one card lies in each of the states: as it came, again, held up, in the muck."""

    __slots__ = ("again", "held", "here", "muck")

    def __init__(self, rates: Rates, here: Placement) -> None:
        self.here = here
        self.again = Placement(rates, here.place, rates.own["seat"])
        self.held = Placement(rates, here.place, rates.own["held"])
        self.muck = Placement(rates, MUCK, rates.own["muck"])
        self.again.new = self.held.new = False


class SeatCards:
    """The cards that were told to lie at `place`."""

    def __init__(self, place: Place, rates: Rates, now_ns: int) -> None:
        self.place = place
        self.cards: dict[str, _Ways] = {}
        self.shares = [1.0, *([0.0] * (ALONE - 1))]
        self._rates = rates
        self._near = {place, MUCK, *NEAR[place], *NEAR[MUCK]}
        self._ns = now_ns
        self._over: Place | None = None

    def add(self, tag: str, here: Placement) -> None:
        """A further card lies here."""
        for ways in self.cards.values():
            ways.here.touched(0.5, self._rates.own["seat"])
        self.cards[tag] = _Ways(self._rates, here)
        here.new = False
        lying = max(_LEAST, sum(self.shares[:UNDER_WAY]))
        self.shares = [share / lying for share in self.shares[:UNDER_WAY]] + [0.0] * (2 + 2 * len(self.cards))

    def remove(self, tag: str) -> None:
        """A card is known to lie elsewhere."""
        number = list(self.cards).index(tag)
        del self.shares[ALONE + len(self.cards) + number], self.shares[ALONE + number]
        del self.cards[tag]
        self.shares[LYING] += _LEAST
        self._normalise()

    def lying(self) -> float:
        """The probability that all cards lie here."""
        return self.shares[LYING] + self.shares[AGAIN]

    def gone(self, tag: str) -> float:
        """The probability that the card does not lie here any more."""
        count, number = len(self.cards), list(self.cards).index(tag)
        return (
            1
            - self.lying()
            - sum(self.shares[ALONE:])
            + self.shares[ALONE + number]
            + self.shares[ALONE + count + number]
        )

    def mucked(self, tag: str) -> float:
        """The probability that the card lies in the muck."""
        return self.shares[MUCKED] + self.shares[ALONE + list(self.cards).index(tag)]

    def pass_time(self, now_ns: int, stage: Stage) -> None:
        """Until now."""
        left = min(_MOST_S, (now_ns - self._ns) / 1e9)
        self._ns = max(self._ns, now_ns)
        fold, held, later = _FOLDS[stage]
        begun = self.shares
        count = len(self.cards)
        again, up, muck = begun[AGAIN], begun[HELD], begun[MUCKED]
        while left > 0:
            step = min(left, _STEP_S)
            left -= step
            before = self.shares
            stays = 1 - step * (1 / 8 + fold)
            strayed = before[LYING] * step * fold / 500
            lies = before[LYING] + before[AGAIN]
            lifted = lies * step / 8
            one, single = before[ALONE : ALONE + count], before[ALONE + count :]
            taken, back, joins = before[LYING] * step / 60, sum(single) * step / 20, sum(single) * step / 20
            again += before[LONGER] * step / 0.9 + back
            up += lifted + joins
            muck += before[UNDER_WAY] * step / 0.7
            self.shares = [
                before[LYING] * stays - (strayed + taken) * count,
                before[AGAIN] * stays + before[LONGER] * step / 0.9 + back,
                before[HELD] * (1 - step * (1 / 0.9 + held)) + lifted + joins,
                before[LONGER] * (1 - step * (1 / 0.9 + later)) + before[HELD] * step / 0.9,
                before[UNDER_WAY] * (1 - step / 0.7)
                + lies * step * fold
                + before[HELD] * step * held
                + before[LONGER] * step * later,
                before[MUCKED] + before[UNDER_WAY] * step / 0.7 + sum(one) * step / 10,
                *(share * (1 - step / 10) + strayed for share in one),
                *(share * (1 - step * (1 / 20 + 1 / 20)) + taken for share in single),
            ]
        # What came just now lies there with a quality of which nothing is known yet.
        if again > 1e-6:
            self._blend("again", 1 - begun[AGAIN] / again)
        if up > 1e-6:
            self._blend("held", 1 - (begun[HELD] + begun[LONGER]) / (up + begun[LONGER]))
        if muck > 1e-6:
            self._blend("muck", 1 - begun[MUCKED] / muck)

    def concerned(self, place: Place, tags: Collection[str]) -> bool:
        """Whether it says something about this seat what an antenna read."""
        if place == self.place or any(tag in tags for tag in self.cards):
            return True
        if (
            place == MUCK
            and self.shares[UNDER_WAY] + sum(self.shares[MUCKED : ALONE + len(self.cards)]) > _POSSIBLE
        ):
            return True
        return place in self._near and any(
            ways.here.concerned(place) or ways.held.concerned(place) for ways in self.cards.values()
        )

    def looked(self, place: Place, tags: Collection[str], visits: int) -> dict[str, float]:
        """An antenna looked. Gives how likely it was what each card did, if it is of this seat at all."""
        lying = again = held = way = muck = 1.0
        here = place == self.place
        quiet = not any(tag in tags for tag in self.cards)
        passing = _NEAR_WAY if place in NEAR[MUCK] or place == MUCK else self._rates.ghost * 10
        if place == self._over != MUCK:
            passing = _STILL_OVER
        if not quiet:
            self._over = place
        each: dict[str, tuple[float, float, float, float, float]] = {}
        for tag, ways in self.cards.items():
            read = tag in tags
            one = (
                ways.here.looked(place, read, visits),
                ways.again.looked(place, read, visits),
                ways.held.looked(place, read, visits),
                passing**visits if read else 1.0,
                ways.muck.looked(place, read, visits),
            )
            each[tag] = one
            lying *= one[0]
            again *= one[1]
            held *= one[2]
            way *= one[3]
            muck *= one[4]
        if quiet:
            out = self._rates.outage
            if here:
                lying, again = lying + (1 - lying) * out, again + (1 - again) * out
            elif place == MUCK:
                muck += (1 - muck) * out
        before = self.shares
        self.shares = [
            before[LYING] * lying,
            before[AGAIN] * again,
            before[HELD] * held,
            before[LONGER] * held,
            before[UNDER_WAY] * way,
            before[MUCKED] * muck,
            *before[ALONE:],
        ]
        count = len(self.cards)
        for alone, gone_tag in enumerate(self.cards, ALONE):
            for tag, one in each.items():
                self.shares[alone] *= one[4] if tag == gone_tag else one[0]
                self.shares[alone + count] *= one[2] if tag == gone_tag else one[0]
        self._normalise()
        up = before[HELD] + before[LONGER]
        if self.shares[AGAIN] > self.shares[LYING]:
            self._settle_again()
        strayed = sum(before[ALONE:])
        return {
            tag: max(
                _LEAST,
                (before[LYING] + strayed - before[alone]) * one[0]
                + before[AGAIN] * one[1]
                + up * one[2]
                + before[UNDER_WAY] * one[3]
                + (before[MUCKED] + before[alone]) * one[4]
                + before[alone + count] * (one[2] - one[0]),
            )
            for alone, (tag, one) in enumerate(each.items(), ALONE)
        }

    def _blend(self, state: Literal["again", "held", "muck"], part: float) -> None:
        if part > 1e-3:
            own = self._rates.own["seat" if state == "again" else state]
            for ways in self.cards.values():
                getattr(ways, state).touched(min(1.0, part), own)

    def _settle_again(self) -> None:
        """The cards lie here again: so they lie now."""
        for ways in self.cards.values():
            ways.again.weight = ways.here.weight
            ways.here = ways.again
            ways.again = Placement(self._rates, self.place, self._rates.own["seat"])
            ways.again.new = False
        self.shares[LYING], self.shares[AGAIN] = self.shares[AGAIN] + self.shares[LYING], 0.0

    def _normalise(self) -> None:
        total = sum(self.shares)
        self.shares = (
            [share / total for share in self.shares]
            if total > 1e-200
            else [1.0, *([0.0] * (len(self.shares) - 1))]
        )
