"""Cards of the stub that fall silent, and the places where a card is missed: which went there though no
antenna reads it.

**Theory.** A few placements are never read. Where the rules say that a card came, to a seat that lacks one
while the deal is over, to the burns before a street that lies on the board, to a flop of two, the card can
still be known by the place that it left: the stub's antenna read it now and then, and reads it no more,
though it goes on reading others.

How often the stub's antenna reads one card is not known and stays about the same: each read or miss of a
visit is a draw with a rate that has a beta distribution. With `a` reads in the `n` visits of the hand so far,
the probability of its misses is B(α + a, β + n - a) / B(α, β). A card that left at the visit `m` has been
missed by the stub until then only. So the likelihood ratio of "left at m" against "lies in the stub" is B(α +
a, β + m - a) / B(α + a, β + n - a), and 0 where it was read after m. The moment is known roughly (a burn
comes a few seconds before its street): the ratio is averaged over the visits of that time. After each visit a
card may fall silent by itself (`_ALONE`), under another or as the stub is squared: that is a part of "lies in
the stub", and the larger one where the silence began before that time.

Against each other stand: one of the cards went to the place and lies there so that its antenna misses it,
with a quality as always (`lie.py`); or nothing went there, an irregularity. A card is concluded to lie there
only where that is surer than `_CONCLUDED` beside everything else: when the whole stub moves, all its cards
fall silent, and nothing is said. When cards are put back into the stub everything begins anew.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, STUB, Place, seat_of, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.prior import due, kind_of
from tablebridge.sensing.cards.rates import Rates

_ALPHA, _BETA = 0.5, 2.5
_ALONE: Final = 1e-5
_POINTS: Final = 16
_CONCLUDED: Final = 0.99
_MOSTLY: Final = 0.9
_MOST_LOOKS: Final = 4000
_LEAST_CARDS: Final = 20
_NONE: Final = 1e-3
_S: Final = 1_000_000_000
_DEAL_NS, _BURN_NS, _SPREAD_NS, _STREET_NS = 4 * _S, 5 * _S, 3 * _S, 4 * _S


class _Slot:
    """A place that lacks a card, which left the stub between two moments. `lie`: how it lies, if it lies
    there; `unread`: the likelihood of that.
    """

    def __init__(self, place: Place, begin_ns: int, end_ns: int, rates: Rates, number: int | None) -> None:
        self.number = number
        self.place, self.begin_ns, self.end_ns = place, begin_ns, end_ns
        self.lie = Placement(rates, place, rates.own[kind_of(place)])
        self.lie.new = False
        self.unread = 1.0


class UnreadCards:
    """What one hand's visits of the stub tell, and where cards are missed. Times are monotonic ns."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._slots: list[_Slot] = []
        self._order: tuple[int, ...] = ()
        self._deals: list[tuple[int, int]] = []
        self._street_ns = self._burn_ns = 0
        self._street_lacks = 0
        self._burned = False
        self.shuffled()

    def shuffled(self) -> None:
        """Cards came back into the stub: what was read of it says nothing any more."""
        self._visits = 0
        self._reads: dict[str, int] = {}
        self._read_at: dict[str, int] = {}
        self._times: list[int] = []
        self._counts: list[int] = []
        self._slots.clear()

    def moved(self, tag: str, place: Place, ns: int, expect: Expectation) -> None:
        """A card of the stub came to lie at a place, where it was read first at `ns`."""
        for slot in self._slots:
            if slot.place == place and self._may_be(tag, slot):
                self._slots.remove(slot)
                return
        if place == BURN:
            self._burned, self._burn_ns = True, ns
        elif place == BOARD:
            if self._street_ns and ns < self._street_ns + _STREET_NS:
                self._street_lacks -= 1
                return
            self._street_ns, self._street_lacks = ns, expect.board_due - 1
            if not self._burned and expect.burn_due:
                self._miss(BURN, ns - _BURN_NS, ns)
            self._burned = False
        elif (seat := seat_of(place)) is not None:
            self._deals.append((ns, seat))

    def looked(self, look: AntennaReport, visits: int) -> bool:
        """An antenna was visited. Says whether that was the stub's, so that something may follow."""
        if look.complete:
            for slot in self._slots:
                if slot.place == look.place:
                    likely = slot.lie.looked(look.place, False, visits)
                    slot.unread *= likely if look.tags else max(likely, self._rates.outage)
        if look.place != STUB or not look.complete or not look.tags:
            return False
        self._visits += visits
        self._times.append(look.at_ns)
        self._counts.append(self._visits)
        if len(self._times) > _MOST_LOOKS:
            del self._times[: _MOST_LOOKS // 2], self._counts[: _MOST_LOOKS // 2]
        for tag in look.tags:
            self._reads[tag] = self._reads.get(tag, 0) + visits
            self._read_at[tag] = self._visits
        return True

    def missed(self, now_ns: int, expect: Expectation, here: Mapping[int, int]) -> bool:
        """Whether a card is missed anywhere by now. `here`: as in `prior.due`."""
        if len(expect.next_seats) > len(self._order):
            self._order = expect.next_seats
        lacking = (
            self._lacking(expect, here) if self._deals and now_ns > self._deals[-1][0] + _DEAL_NS else {}
        )
        self._slots = [slot for slot in self._slots if slot.number is None or slot.number in lacking]
        for number, (begin_ns, end_ns) in lacking.items():
            if all(slot.number != number for slot in self._slots):
                self._miss(seat_place(self._order[number]), begin_ns, end_ns, number)
        if self._street_lacks > 0 and now_ns > self._street_ns + _STREET_NS:
            self._miss(BOARD, self._street_ns - _SPREAD_NS, self._street_ns + _S)
            self._street_lacks = 0
        elif self._burned and expect.board_due == 1 and now_ns > self._burn_ns + 6 * _S:
            self._miss(BOARD, self._burn_ns - _S, self._burn_ns + 3 * _S)
            self._burned = False
        return bool(self._slots)

    def _lacking(self, expect: Expectation, here: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        """The cards of the deal, by their number in its order, that no seat got, and between which moments
        they were dealt.
        """
        unnamed = [seat for seat, count in expect.holds.items() if count > here.get(seat, 0)]
        seats = [seat for seat in (*due(expect, here), *unnamed) if seat in expect.live]
        if not seats:
            return {}
        deals = sorted(self._deals)
        first = deals[0][0]
        pace = (deals[-1][0] - first) / max(1, len(self._order) - 1)
        known: dict[int, int] = {}
        for ns, seat in deals:
            numbers = [number for number, of in enumerate(self._order) if of == seat and number not in known]
            if numbers:
                known[min(numbers, key=lambda number: abs(first + number * pace - ns))] = ns
        found = {}
        for number, seat in enumerate(self._order):
            if seat in seats and number not in known:
                after = min(((ns, other) for other, ns in known.items() if other > number), default=None)
                if after is None:
                    last = max(known.values())
                    found[number] = (last - 3 * _S, last + 2 * _S)
                else:
                    found[number] = (round(after[0] - 3 * _S - (after[1] - number - 1) * pace), after[0])
        return found

    def _miss(self, place: Place, begin_ns: int, end_ns: int, number: int | None = None) -> None:
        slot = _Slot(place, begin_ns, end_ns, self._rates, number)
        # Its antenna, which is visited as often as the stub's, has missed the card since it came there.
        counts = self._counts_of(slot)
        if counts and (missed := self._visits - counts[len(counts) // 2]):
            slot.unread = slot.lie.looked(place, False, missed)
        self._slots.append(slot)

    def _counts_of(self, slot: _Slot) -> list[int]:
        """The stub's visits after which the card may have left."""
        low, high = bisect_left(self._times, slot.begin_ns), bisect_left(self._times, slot.end_ns)
        return self._counts[max(0, low - 1) : high]

    def _may_be(self, tag: str, slot: _Slot) -> bool:
        counts = self._counts_of(slot)
        return not counts or self._read_at.get(tag, 0) <= counts[-1]

    def concluded(
        self, ways: Mapping[str, Mapping[Place, float] | None]
    ) -> tuple[str, Placement, float] | None:
        """A card that can only have gone where one is missed, if there is one, with its way to lie and how
        sure that is. `ways`: for cards that lie elsewhere than in the stub None, for those that may lie
        elsewhere the likelihoods, as against that of the stub.
        """
        odds = [self._odds(slot, ways) for slot in self._slots]
        for slot, each in zip(self._slots, odds, strict=True):
            for tag, share in each.items():
                lies = ways.get(tag)
                if lies and lies[slot.place] < _MOSTLY * sum(lies.values()):
                    continue
                elsewhere = sum(other.get(tag, 0.0) for other in odds) - share
                sure = share / (_NONE * max(_LEAST_CARDS, len(each)) + sum(each.values()) + elsewhere)
                if sure > _CONCLUDED:
                    return tag, slot.lie, sure
        return None

    def _odds(self, slot: _Slot, ways: Mapping[str, Mapping[Place, float] | None]) -> dict[str, float]:
        """For each card that may be the one, how much likelier that makes everything that was read of it."""
        counts = self._counts_of(slot)
        odds = {}
        for tag in self._reads if counts else ():
            lies = ways.get(tag, {})
            likely = 0.0 if lies is None else lies.get(slot.place, 0.0) if lies else slot.unread
            if likely and (left := self._left(tag, counts)):
                odds[tag] = likely * left
        return odds

    def _left(self, tag: str, counts: list[int]) -> float:
        """The likelihood ratio that the card left the stub after one of these visits, against that it lies
        there.
        """
        reads, read_at = self._reads[tag], self._read_at[tag]
        now = _ln_beta(reads, self._visits)
        some = counts[:: max(1, len(counts) // _POINTS)]
        left = sum(math.exp(_ln_beta(reads, count) - now) for count in some if count >= read_at) / len(some)
        if not left:
            return 0.0
        since = range(read_at, self._visits + 1, max(1, (self._visits - read_at) // _POINTS))
        silent = sum(math.exp(_ln_beta(reads, count) - now) for count in since) / len(since)
        return left / (1 + _ALONE * silent * (self._visits - read_at))


def _ln_beta(reads: int, visits: int) -> float:
    """ln B(α + reads, β + misses), less what depends on the reads alone."""
    misses = visits - reads
    return math.lgamma(_BETA + misses) - math.lgamma(_ALPHA + _BETA + visits)
