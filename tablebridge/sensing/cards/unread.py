"""Cards of the stub that fall silent, and the places where a card is missing: which card went there though no
antenna reads it.

**Theory.** A few placements are never read. If the rules say that a card came, to a seat that lacks one while
the deal is over, to the burns before a street that lies on the board, to a flop of two, the card can still be
known by the place that it left: the stub's antenna read it now and then, and reads it no more, though it goes
on reading others.

How often the stub's antenna reads one card is not known and stays about the same: each read or miss of a
visit is a draw with a rate that has a beta distribution (`StubOdds.alpha`, `beta`). With `a` reads in the `n`
visits of the hand so far, the probability of its misses is B(alpha + a, beta + n - a) / B(alpha, beta). A
card that left at the visit `m` has been missed by the stub until then only. So the likelihood ratio of "left
at m" against "lies in the stub" is

    B(alpha + a, beta + m - a) / B(alpha + a, beta + n - a),    0 if it was read after m.

The moment is known roughly (a burn comes a few seconds before its street): the ratio is averaged over the
visits of that time. After each visit a card may fall silent by itself (`falls_silent`), under another or as
the stub is squared: that is a part of "lies in the stub", and the larger part if the silence began before
that time.

Against each other stand: a card went to the place and lies there so that its antenna misses it, with
a quality as always (`placement.py`); or nothing went there, an irregularity. A card is concluded to lie there
only if that is surer than `concluded` beside everything else: when the whole stub moves, all its cards fall
silent, and nothing is concluded. When cards are put back into the stub everything starts again.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, STUB, Place, seat_of, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.prior import seats_due
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.dynamics import StubOdds, to_ns

_POINTS: Final = 16
"""Visits over which an average is taken, about."""
_MOST_REPORTS: Final = 4000
"""Reports of the stub that are kept."""

Odds = Mapping[Place, float]


class Found(msgspec.Struct, frozen=True):
    """A card that is concluded to lie at a place, and with which probability."""

    tag: str
    placement: Placement
    sure: float


class _Gap:
    """A place that lacks a card, which left the stub between two moments. `number`: of the card in the order
    of the deal. `placement`: how the card lies, if it lies there; `unread`: how likely it is read so little
    then.
    """

    def __init__(
        self, place: Place, begin_ns: int, end_ns: int, model: TableModel, number: int | None
    ) -> None:
        self.number = number
        self.place, self.begin_ns, self.end_ns = place, begin_ns, end_ns
        self.placement = Placement(model, place, model.own(place))
        self.placement.may_be_lifted = False
        self.unread = 1.0


class UnreadCards:
    """What the stub's reads in one hand say, and which places lack a card. Times are monotonic ns."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._odds = model.dynamics.stub
        self._gaps: list[_Gap] = []
        self._order: tuple[int, ...] = ()
        self._deals: list[tuple[int, int]] = []
        self._street_ns = self._burn_ns = 0
        self._street_lacks = 0
        self._burned = self._played = False
        self._reads = _StubReads(self._odds)

    @property
    def burn_lacks(self) -> bool:
        """Whether a street lies without its burn."""
        return any(gap.place == BURN for gap in self._gaps)

    def forget(self) -> None:
        """Cards came back into the stub: what was read of it says nothing any more."""
        self._reads = _StubReads(self._odds)
        self._gaps.clear()

    def card_left(self, tag: str, place: Place, ns: int, expect: Expectation) -> None:
        """A card of the stub came to lie at a place, where it was read first at `ns`."""
        self._follow(expect)
        for gap in self._gaps:
            if gap.place == place and self._reads.may_have_left(tag, self._visits_of(gap)):
                self._gaps.remove(gap)
                return
        if place == BURN:
            self._burned, self._burn_ns = True, ns
        elif place == BOARD:
            if self._street_ns and ns < self._street_ns + to_ns(self._odds.street_s):
                self._street_lacks -= 1
                return
            self._street_ns, self._street_lacks = ns, expect.board_due - 1
            if not self._burned and expect.burn_due:
                self._miss(BURN, ns - to_ns(self._odds.before_street_s), ns)
            self._burned = False
        elif (seat := seat_of(place)) is not None:
            self._deals.append((ns, seat))

    def count_report(self, report: AntennaReport, visits: int) -> bool:
        """Counts the reads and misses of a report. Returns whether it was the stub's, so that something may
        follow.
        """
        if report.complete:
            for gap in self._gaps:
                if gap.place == report.place:
                    likely = gap.placement.observe_visits(report.place, False, visits)
                    gap.unread *= likely if report.tags else max(likely, self._model.rates.outage)
        if report.place != STUB or not report.complete or not report.tags:
            return False
        self._reads.count(report, visits)
        return True

    def find_gaps(self, now_ns: int, expect: Expectation, cards_at: Mapping[int, int]) -> bool:
        """Looks for the places that lack a card by now; False if there is none. `cards_at`: as in
        `prior.seats_due`.
        """
        odds = self._odds
        self._follow(expect)
        if len(expect.next_seats) > len(self._order):
            self._order = expect.next_seats
        lacking = {}
        if self._deals and now_ns > self._deals[-1][0] + to_ns(odds.deal_s):
            lacking = self._lacking_cards(expect, cards_at)
        self._gaps = [gap for gap in self._gaps if gap.number is None or gap.number in lacking]
        for number, (begin_ns, end_ns) in lacking.items():
            if all(gap.number != number for gap in self._gaps):
                self._miss(seat_place(self._order[number]), begin_ns, end_ns, number)
        if self._street_lacks > 0 and now_ns > self._street_ns + to_ns(odds.street_s):
            begin_ns = self._street_ns - to_ns(odds.flop_before_s)
            self._miss(BOARD, begin_ns, self._street_ns + to_ns(odds.flop_after_s))
            self._street_lacks = 0
        elif self._burned and expect.board_due == 1 and now_ns > self._burn_ns + to_ns(odds.turn_s):
            begin_ns = self._burn_ns - to_ns(odds.turn_before_s)
            self._miss(BOARD, begin_ns, self._burn_ns + to_ns(odds.turn_after_s))
            self._burned = False
        return bool(self._gaps)

    def conclude(self, states: Mapping[str, Odds | None]) -> Found | None:
        """A card that can only have gone to a place that lacks one, if there is such a card.

        `states`: None for cards that lie elsewhere than in the stub; for those that may lie elsewhere the
        likelihoods by place, as against that of the stub.
        """
        bounds = self._odds
        every = [self._gap_odds(gap, states) for gap in self._gaps]
        for gap, odds in zip(self._gaps, every, strict=True):
            for tag, share in odds.items():
                places = states.get(tag)
                if places and places[gap.place] < bounds.mostly * sum(places.values()):
                    continue
                elsewhere = sum(other.get(tag, 0.0) for other in every) - share
                nothing = bounds.nothing_came * max(bounds.fewest_cards, len(odds))
                sure = share / (nothing + sum(odds.values()) + elsewhere)
                if sure > bounds.concluded:
                    return Found(tag, gap.placement, sure)
        return None

    def _follow(self, expect: Expectation) -> None:
        """A later street of the seats has an order and times of its own."""
        if not expect.next_seats:
            self._played |= expect.phase in ("betting", "burn", "draw")
        elif self._played:
            self._played = False
            self._order = expect.next_seats
            self._deals.clear()

    def _lacking_cards(self, expect: Expectation, cards_at: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        """The cards of the deal, by their number in its order, that no seat got, and between which moments
        they were dealt.
        """
        unnamed = [seat for seat, count in expect.holds.items() if count > cards_at.get(seat, 0)]
        seats = [seat for seat in (*seats_due(expect, cards_at), *unnamed) if seat in expect.live]
        if not seats:
            return {}
        known, pace = self._timed_deals()
        if not known:
            return {}  # cards came to seats alone that are due none
        before, after = to_ns(self._odds.card_before_s), to_ns(self._odds.card_after_s)
        found = {}
        for number, seat in enumerate(self._order):
            if seat in seats and number not in known:
                following = min(((ns, other) for other, ns in known.items() if other > number), default=None)
                if following is None:
                    last = max(known.values())
                    found[number] = (last - before, last + after)
                else:
                    behind = (following[1] - number - 1) * pace
                    found[number] = (round(following[0] - before - behind), following[0])
        return found

    def _timed_deals(self) -> tuple[dict[int, int], float]:
        """When each card of the deal was read, by its number in the order, as far as cards were read; and the
        time between two cards, ns.
        """
        deals = sorted(self._deals)
        first = deals[0][0]
        pace = (deals[-1][0] - first) / max(1, len(self._order) - 1)
        known: dict[int, int] = {}
        for ns, seat in deals:
            numbers = [
                number for number, due in enumerate(self._order) if due == seat and number not in known
            ]
            if numbers:
                known[min(numbers, key=lambda number: abs(first + number * pace - ns))] = ns
        return known, pace

    def _miss(self, place: Place, begin_ns: int, end_ns: int, number: int | None = None) -> None:
        gap = _Gap(place, begin_ns, end_ns, self._model, number)
        # Its antenna, which is visited as often as the stub's, has missed the card since it came there.
        visits = self._visits_of(gap)
        if visits and (missed := self._reads.visits - visits[len(visits) // 2]):
            gap.unread = gap.placement.observe_visits(place, False, missed)
        self._gaps.append(gap)

    def _visits_of(self, gap: _Gap) -> list[int]:
        return self._reads.visits_between(gap.begin_ns, gap.end_ns)

    def _gap_odds(self, gap: _Gap, states: Mapping[str, Odds | None]) -> dict[str, float]:
        """For each card that may be the one, how much likelier that makes everything that was read of it."""
        visits = self._visits_of(gap)
        odds = {}
        for tag in self._reads.tags() if visits else ():
            places = states.get(tag, {})
            if places is None:
                continue
            likely = places.get(gap.place, 0.0) if places else gap.unread
            if likely and (left := self._reads.left_odds(tag, visits)):
                odds[tag] = likely * left
        return odds


class _StubReads:
    """The reads of each card in the stub's visits of a hand."""

    def __init__(self, odds: StubOdds) -> None:
        self._odds = odds
        self.visits = 0
        self._reads: dict[str, int] = {}
        self._read_at: dict[str, int] = {}
        self._times: list[int] = []
        self._counts: list[int] = []

    def tags(self) -> Sequence[str]:
        """The cards that were ever read."""
        return tuple(self._reads)

    def count(self, report: AntennaReport, visits: int) -> None:
        """Counts a complete report of the stub."""
        self.visits += visits
        self._times.append(report.at_ns)
        self._counts.append(self.visits)
        if len(self._times) > _MOST_REPORTS:
            del self._times[: _MOST_REPORTS // 2], self._counts[: _MOST_REPORTS // 2]
        for tag in report.tags:
            self._reads[tag] = self._reads.get(tag, 0) + visits
            self._read_at[tag] = self.visits

    def visits_between(self, begin_ns: int, end_ns: int) -> list[int]:
        """The visits, by number, after which a card may have left between two moments."""
        low, high = bisect_left(self._times, begin_ns), bisect_left(self._times, end_ns)
        return self._counts[max(0, low - 1) : high]

    def may_have_left(self, tag: str, visits: list[int]) -> bool:
        """Whether the card was not read after the last of these visits."""
        return not visits or self._read_at.get(tag, 0) <= visits[-1]

    def left_odds(self, tag: str, visits: list[int]) -> float:
        """The likelihood ratio that the card left the stub after one of these visits, against that it lies
        there.
        """
        reads, read_at = self._reads[tag], self._read_at[tag]
        now = self._ln_beta(reads, self.visits)
        some = visits[:: max(1, len(visits) // _POINTS)]
        left = sum(math.exp(self._ln_beta(reads, count) - now) for count in some if count >= read_at)
        left /= len(some)
        if not left:
            return 0.0
        since = range(read_at, self.visits + 1, max(1, (self.visits - read_at) // _POINTS))
        silent = sum(math.exp(self._ln_beta(reads, count) - now) for count in since) / len(since)
        return left / (1 + self._odds.falls_silent * silent * (self.visits - read_at))

    def _ln_beta(self, reads: int, visits: int) -> float:
        """ln B(alpha + reads, beta + misses), less what depends on the reads alone."""
        alpha, beta = self._odds.alpha, self._odds.beta
        return math.lgamma(beta + visits - reads) - math.lgamma(alpha + beta + visits)
