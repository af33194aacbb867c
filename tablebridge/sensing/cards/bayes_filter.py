"""Where each card lies, from what antennas read: a belief over all its placements, with the rules as prior.

**Theory.** A card lies at one place. For each card that was ever read outside the stub the filter keeps its
possible placements (`placement.py`), with weights that sum to one together with the stub and the air. A read
or a miss multiplies each weight by how likely it is from there: a read at its own antenna, a read at the edge
of a neighbour's, on its way over a neighbour's, or of nobody knows what (`weights.py`).

- a card of the stub: its placements are weighed by where cards are due (`prior.deal_odds`) at the moment of
  judging, so that what is learned about other cards, a seat that has its card by now, is weighed afresh;
- a card at a seat: the cards of a seat are looked at and leave together (`seat.py`);
- a card that lies elsewhere leaves its place into the air at a small rate, and comes from there to where it
  is read.

A card has moved when one place other than its last is as sure as the noise of the table asks for. Reports of
different readers do not come in the order of their visits: what a report that was held back says of the time
before a card was read elsewhere is history and changes nothing.

`Rates` (`rates.py`) has how antennas read; it is learned from cards that lie still, or handed in. `Dynamics`
has everything else that is assumed.
"""

from collections.abc import Collection, Mapping

from tablebridge.model.expectation import Expectation
from tablebridge.model.learnt import NOTHING_LEARNT, Learnt, LoneCard, faded, learnt
from tablebridge.model.places import MUCK, STUB, Place, seat_of
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_filter import Move, Trouble
from tablebridge.sensing.cards.card_state import CardState
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.leftovers import Leftovers
from tablebridge.sensing.cards.rates import (
    HARSHEST,
    Gauge,
    Qualities,
    Rates,
    kind_of,
    place_rates,
    rates,
    weaknesses,
)
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.cards.unread import UnreadCards
from tablebridge.sensing.cards.weights import CardWeights
from tablebridge.sensing.dynamics import ASSUMED, Dynamics


class BayesFilter:
    """The card filter that the module's text describes.

    `shared`: places with more than one antenna. `known`: how the antennas of this table answer, if that was
    measured; else it is learned from the readings, and taken up at the begin of each hand.
    """

    def __init__(
        self, shared: Collection[Place] = (), known: Rates | None = None, dynamics: Dynamics = ASSUMED
    ) -> None:
        self._known = known
        self._dynamics = dynamics
        self._bounds = dynamics.filter
        self._gauge = Gauge()
        self._learnt = NOTHING_LEARNT
        self._measured: dict[Place, LoneCard] = {}
        self._strange = known is None
        self._harshest = rates(HARSHEST)
        self._cross = CrossReads(dynamics.cross, self._expected_rates(), dynamics.excess)
        self._troubles: dict[Place, tuple[Trouble, ...]] = {}
        self._model = self._new_model()
        self._weights = CardWeights(self._model, shared)
        self._leftovers = Leftovers({}, self._bounds)
        self._unread = UnreadCards(self._model)

    def reset(self) -> None:
        """See `CardFilter.reset`."""
        self._leftovers = Leftovers(self._weights.cards, self._bounds)
        if self._measured and self._gauge.fresh:
            self._gauge.begin_level(self._measured.values())
        measured = faded(self._learnt.measured, self._dynamics.place.measured_kept) | self._measured
        self._measured = {}
        self._begin_hand(learnt(self._gauge.counts, self._cross.counts, self._dynamics.cross.kept, measured))

    @property
    def learnt(self) -> Learnt:
        """See `CardFilter.learnt`."""
        return self._learnt

    def measured(self, places: Mapping[Place, LoneCard]) -> None:
        """See `CardFilter.measured`."""
        self._measured |= places

    def recall(self, known: Learnt) -> None:
        """See `CardFilter.recall`."""
        self._begin_hand(known)

    def locate(self, report: AntennaReport, expect: Expectation) -> tuple[Move, ...]:
        """See `CardFilter.locate`."""
        tags = self._leftovers.fresh_tags(report)
        stage = self._weights.expect_next(expect, report.at_ns)
        visits = min(report.visits, self._bounds.report_visits)
        self._cross.count_visits(report.place, visits)
        observed = self._weights.observe_seats(report, tags, visits, stage)
        self._observe_reads(report, tags, observed)
        if report.complete:
            self._observe_misses(report, tags, observed)
        moves = [move for tag in observed if (move := self._judge(tag, report)) is not None]
        if self._unread.count_report(report, visits) and self._unread.find_gaps(
            report.at_ns, expect, self._weights.cards_at_seats()
        ):
            moves += self._conclude_unread(report.at_ns)
        self._weights.expect_burn(self._unread.burn_lacks)
        return tuple(moves)

    def weigh_look(self, place: Place, odds: float) -> None:
        """See `CardFilter.weigh_look`."""
        groups = {id(seat): seat for _, seat in self._weights.cards_of_seats() if seat.place == place}
        if odds > 1 and len(groups) > 1:
            return  # nothing says whose card lies there
        for seat in groups.values():
            seat.weigh_look(odds)

    def troubles(self, place: Place) -> tuple[Trouble, ...]:
        """See `CardFilter.troubles`."""
        known, excess = self._troubles.get(place, ()), self._cross.excess
        return (excess, *known) if excess is not None and excess.reader == place else known

    def finish(self) -> tuple[Move, ...]:
        """See `CardFilter.finish`."""
        moves = []
        for tag, seat in self._weights.cards_of_seats():
            gone = seat.gone(tag)
            if gone >= self._bounds.gone_at_end:
                moves.append(Move(tag, seat.place, MUCK, self._sure(gone), (), 0))
                self._weights.move(tag, MUCK, 0)
        return tuple(moves)

    def place(self, tag: str) -> Place:
        """See `CardFilter.place`."""
        card = self._weights.cards.get(tag)
        return card.place if card else STUB

    def gone(self, tag: str) -> float:
        """See `CardFilter.gone`."""
        return self._weights.gone(tag)

    def odds(self, tag: str) -> dict[Place, float]:
        """See `CardFilter.odds`."""
        if tag not in self._weights.cards:
            return {STUB: 1.0}
        smallest = self._bounds.smallest_odds
        odds = self._weights.odds(tag)
        return {place: round(share, 3) for place, share in odds.items() if share >= smallest}

    def unread(self, place: Place, visits: int) -> float:
        """See `CardFilter.unread`. In the first hand the table may be noisier than is assumed."""
        known = _unread(self._model.own(place), visits)
        if not self._strange:
            return known
        harsh = self._gauge.harshest(self._bounds.strange_harsh)
        return (1 - harsh) * known + harsh * _unread(self._harshest.own[kind_of(place)], visits)

    def assume(self, tag: str, place: Place) -> None:
        """See `CardFilter.assume`."""
        card = self._weights.cards.setdefault(tag, CardState())
        if card.place != place:
            self._move(tag, place, 0)

    def _begin_hand(self, known: Learnt) -> None:
        """All cards are in the stub, and this is known of the table."""
        self._learnt = known
        self._gauge.begin_hand(known.still)
        self._strange = self._known is None and self._gauge.fresh
        self._cross.begin_hand(self._expected_rates(), known.places)
        self._troubles = self._find_troubles()
        self._model = self._new_model()
        self._weights.begin_hand(self._model)
        self._unread = UnreadCards(self._model)

    def _new_model(self) -> TableModel:
        places = {}
        if self._known is None:
            learnt = self._learnt
            places = place_rates(self._gauge.level, learnt.places, self._dynamics.place, learnt.measured)
        return TableModel(self._expected_rates(), self._dynamics, self._cross, places)

    def _find_troubles(self) -> dict[Place, tuple[Trouble, ...]]:
        """By place what is wrong with its antenna as the hand begins."""
        found: dict[Place, tuple[Trouble, ...]] = {place: (talk,) for place, talk in self._cross.talk.items()}
        for place, weakness in weaknesses(self._learnt.places, self._dynamics.place).items():
            found[place] = (*found.get(place, ()), weakness)
        return found

    def _expected_rates(self) -> Rates:
        return self._known or rates(self._gauge.level)

    def _observe_reads(self, report: AntennaReport, tags: Collection[str], observed: dict[str, None]) -> None:
        """Weighs the cards that were read. `observed`: those that were weighed; it grows."""
        place, cards = report.place, self._weights.cards
        at_seat = seat_of(place) is not None
        for tag in tags:
            card = cards.get(tag)
            if card is None:
                card = cards[tag] = CardState()
            if tag not in observed:
                visits = card.new_visits(report)
                if card.read_at != place and not visits:
                    continue
                self._weights.observe_read(tag, place, min(visits, self._bounds.report_visits))
            observed[tag] = None
            if at_seat and card.place == place == card.read_at:
                self._gauge_still(card, report)
            card.note_read(report, at_seat, self._bounds)
            self._cross.count_read(tag, place, card.place, self._lies, self._model.stayed(card.place))

    def _observe_misses(
        self, report: AntennaReport, tags: Collection[str], observed: dict[str, None]
    ) -> None:
        """Weighs the cards that a complete report did not read. `observed`: as in `_observe_reads`."""
        every = report.of == "all"
        comes = every or self._is_for_next(report)
        for tag in self._weights.absent(report.place, tags):
            at_home = self._weights.cards[tag].place == report.place
            if tag in observed or not (every or (comes and not at_home)):
                continue  # of a card that lies there its group was asked
            visits = min(self._weights.cards[tag].new_visits(report), self._bounds.report_visits)
            if visits:
                self._weights.observe_miss(tag, report.place, visits, not tags)
                observed[tag] = None

    def _is_for_next(self, report: AntennaReport) -> bool:
        """Whether the next card of a seat is one that the antenna is there for: up or down."""
        seat = seat_of(report.place)
        number = 0 if seat is None else self._weights.cards_at_seats().get(seat, 0)
        return (number in self._weights.expect.open_cards) == (report.of == "up")

    def _gauge_still(self, card: CardState, report: AntennaReport) -> None:
        """A card that lies still was read again: how well cards are read here."""
        if card.missed <= self._bounds.still_misses:
            misses = card.missed * self._model.gauged(report.place)
            self._gauge.count(min(report.visits, self._bounds.report_visits), misses)

    def _lies(self, tag: str) -> float:
        """The probability that the card lies where it was last sure to lie, be it the stub."""
        weights = self._weights
        return weights.odds(tag)[STUB] if weights.cards[tag].place == STUB else 1 - weights.gone(tag)

    def _judge(self, tag: str, report: AntennaReport) -> Move | None:
        """Whether the card has moved. Placements that are next to impossible are dropped."""
        card = self._weights.cards[tag]
        if self._weights.lies_still(tag):
            return None
        odds = self._weights.odds(tag)
        place = max(odds, key=odds.__getitem__)
        origin = card.place
        sure = place != origin and self._enough(origin, place, odds)
        sure = sure and not self._weights.may_fly(tag, place, report.at_ns)
        if sure and not card.still_read(place, self._bounds):
            proof = tuple(card.proof) if card.proof_at == place else ()
            read_ns = card.proof_ns if proof else report.at_ns
            if origin == STUB:
                self._unread.card_left(tag, place, read_ns, self._weights.expect)
            self._move(tag, place, report.at_ns)
            return Move(tag, origin, place, self._sure(odds[place]), proof, read_ns)
        if origin != STUB:
            self._weights.drop_unlikely(tag)
        elif odds[STUB] > self._bounds.in_stub:
            self._weights.forget(tag)
        return None

    def _enough(self, origin: Place, place: Place, odds: Mapping[Place, float]) -> bool:
        """Whether it is sure that the card came to the place. If the rules of the game know no such move, it
        must be surer that it has left; to which of two neighbours then matters less.
        """
        sure = self._model.rates.sure
        if origin == STUB:
            return odds[place] >= sure
        usual = MUCK if seat_of(origin) is not None else None
        if place == usual:
            return odds[place] >= self._model.rates.folded
        elsewhere = sum(share for other, share in odds.items() if other not in (origin, usual))
        return (
            elsewhere >= 1 - (1 - sure) / self._bounds.elsewhere_factor
            and odds[place] >= self._bounds.elsewhere_place * elsewhere
        )

    def _conclude_unread(self, now_ns: int) -> list[Move]:
        """The move of a card that fell silent in the stub and can only have gone to a gap."""
        found = self._unread.conclude(
            {
                tag: None if card.place != STUB else card.against_stub()
                for tag, card in self._weights.cards.items()
            }
        )
        if found is None:
            return []
        tag, place = found.tag, found.placement.place
        self._weights.place_unread(tag, found.placement)
        self._unread.card_left(tag, place, 0, self._weights.expect)
        self._move(tag, place, now_ns)
        return [Move(tag, STUB, place, round(found.sure, 6), (), now_ns)]

    def _move(self, tag: str, place: Place, now_ns: int) -> None:
        self._weights.move(tag, place, now_ns)
        if place == STUB:
            self._unread.forget()

    def _sure(self, share: float) -> float:
        return round(min(share, self._bounds.certain), 6)


def _unread(own: Qualities, visits: int) -> float:
    """How likely a card with one of these qualities was read in none of these visits."""
    return sum(share * (1 - read) ** visits for share, read in own)
