"""All cards of a hand that were ever read outside the stub, with the weights of their placements.

Here reads and misses become weights; whether a weight is enough to say that a card has moved is decided in
`bayes_filter.py`.
"""

from collections import Counter
from collections.abc import Collection, Iterator

from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.places import MUCK, STUB, Place, seat_of
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_state import CardState
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.prior import deal_odds, leave_odds
from tablebridge.sensing.cards.rates import shares_of, times
from tablebridge.sensing.cards.seat import SeatCards, Stage
from tablebridge.sensing.cards.seat_groups import SeatGroups
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.dynamics import to_ns

_ROUND = 4
"""Visits of one antenna in which each other one that works is visited once at least."""


class CardWeights:
    """The cards of a hand. `shared`: places with more than one antenna."""

    def __init__(self, model: TableModel, shared: Collection[Place]) -> None:
        self._shared = frozenset(shared)
        self.begin_hand(model)

    def begin_hand(self, model: TableModel) -> None:
        """All cards are in the stub."""
        self._model = model
        self._rates = model.rates
        self._cross = model.cross
        self._bounds = model.dynamics.filter
        self._leave = model.dynamics.leave
        self._dealing_ns = to_ns(self._bounds.dealing_s)
        self.cards: dict[str, CardState] = {}
        self._here: dict[Place, dict[str, None]] = {}
        self._visits: Counter[Place] = Counter()
        self._seats = SeatGroups(model)
        self.expect: Expectation = NOTHING
        self._dealt_ns = 0
        self._dealing = False
        self._burn_lacks = False
        self._expect_cards()

    # What is believed.

    def gone(self, tag: str) -> float:
        """The probability that the card no longer lies where it was last sure to lie."""
        card = self.cards.get(tag)
        if card is None or card.place == STUB:
            return 0.0
        seat = self._seats.of(tag)
        lies = card.placements[card.place].weight
        return 1 - lies * (1 - seat.gone(tag)) if seat is not None else 1 - lies

    def lies_still(self, tag: str) -> bool:
        """Whether the card can only lie where it was last sure to lie: nothing else is thought of."""
        card = self.cards[tag]
        if len(card.placements) != (card.place != STUB):
            return False
        seat = self._seats.of(tag)
        return seat is None or seat.mucked(tag) < self._bounds.rather

    def odds(self, tag: str) -> dict[Place, float]:
        """The places of a card by probability. For a card of the stub with what is due now as prior."""
        card = self.cards[tag]
        if card.place != STUB:
            odds = {place: placement.weight for place, placement in card.placements.items()}
            seat = self._seats.of(tag)
            if seat is not None:
                home = odds[card.place]
                odds[card.place] = home * (1 - seat.gone(tag))
                odds[MUCK] = odds.get(MUCK, 0.0) + home * seat.mucked(tag)
            return odds
        return card.odds_in_stub(self._deal_odds, self._model.dynamics.deal.unforeseen)

    def may_fly(self, tag: str, place: Place, now_ns: int) -> bool:
        """Whether a card of the stub may only fly over the place, a seat that is not the next one."""
        expected = seat_of(place) is None or self._deal_odds[place] >= max(self._deal_odds.values())
        return not expected and self.cards[tag].just_read(place, now_ns - to_ns(self._bounds.flight_s))

    def cards_at_seats(self) -> dict[int, int]:
        """The number of cards at each seat that ever had one."""
        return self._seats.counts()

    def cards_of_seats(self) -> Iterator[tuple[str, SeatCards]]:
        """The cards that lie at a seat, each with its seat."""
        for seat in list(self._seats):
            for tag in list(seat.cards):
                yield tag, seat

    def absent(self, place: Place, tags: Collection[str]) -> list[str]:
        """The cards that may lie at a place and are not among these."""
        return [tag for tag in self._here.get(place, ()) if tag not in tags]

    # What changes it.

    def expect_next(self, expect: Expectation, now_ns: int) -> Stage:
        """What the engine expects now. Returns the stage of the hand."""
        if expect is not self.expect:
            self.expect = expect
            self._expect_cards()
            self._seats.exchange(expect.drawing)
        self._dealing = False
        if expect.next_seats and now_ns < self._dealt_ns + self._dealing_ns:
            self._dealing = True
            return "dealing"
        return "ending" if expect.phase == "showdown" or len(expect.live) == 1 else "playing"

    def expect_burn(self, lacks: bool) -> None:
        """Whether the last street lies without a burn."""
        if lacks != self._burn_lacks:
            self._burn_lacks = lacks
            self._expect_cards()

    def observe_seats(
        self, report: AntennaReport, tags: Collection[str], visits: int, stage: Stage
    ) -> dict[str, None]:
        """An antenna was visited: weighs the cards at seats that its report concerns, and returns them."""
        self._visits[report.place] += visits
        observed: dict[str, None] = {}
        for seat in self._seats.concerned(report, tags):
            if seat.concerns(report.place, tags):
                observed |= self._observe_seat(seat, tags, report, visits, stage)
        return observed

    def observe_read(self, tag: str, place: Place, visits: int) -> None:
        """The antenna of a place read the card, which is none of those that lie at this seat."""
        card = self.cards[tag]
        self._open(tag, card, place)
        _put_back(card, place, self._leave.back_in_muck)
        for placement in card.placements.values():
            placement.weight *= placement.observe_visits(place, True, visits, card.place == STUB)
        if place != STUB:
            card.stub *= self._cross.far[STUB][place] ** visits
        at_home = place == card.place
        card.air *= self._leave.air_read_at_home if at_home else self._leave.air_read_elsewhere
        card.normalise()

    def observe_miss(self, tag: str, place: Place, visits: int, nothing_read: bool) -> None:
        """The antenna of a place did not read a card that may lie there. `nothing_read`: it read no card."""
        card = self.cards[tag]
        placement = card.placements.get(place)
        if placement is not None and not (place == STUB and card.place == STUB):
            if card.place == place:
                leaves = self._leave.leaves_muck if place == MUCK else self._leave.leaves
                left = placement.weight * (1 - (1 - leaves) ** visits)
                placement.weight -= left
                card.air += left
            if place == MUCK == card.place:
                _cover(self._model, placement, 1 - (1 - self._leave.covers_muck) ** visits)
            likely = placement.observe_visits(place, False, visits)
            # If nothing at all is read, the antenna may be out.
            placement.weight *= max(likely, self._rates.outage) if nothing_read else likely
        for other, beside in card.placements.items():
            if other != place:
                beside.weight *= beside.observe_visits(place, False, visits)
        card.normalise()

    def place_unread(self, tag: str, placement: Placement) -> None:
        """The card is concluded to lie so, though no antenna has read it there."""
        card = self.cards.setdefault(tag, CardState())
        card.placements[placement.place], placement.weight = placement, 1.0
        self._here.setdefault(placement.place, {})[tag] = None
        card.stub = 0.0

    def move(self, tag: str, place: Place, now_ns: int) -> None:
        """The card lies at a place from now on."""
        card = self.cards[tag]
        odds = self.odds(tag)
        seat = self._seats.of(tag)
        mucked = None
        if seat is not None:
            mucked = seat.cards[tag].muck if place == MUCK else None
            self._seats.remove(tag, folds=place == MUCK)
        if place not in card.placements:
            card.placements[place] = mucked or self._placement(place, 0.0)
            self._here.setdefault(place, {})[tag] = None
        for other, placement in card.placements.items():
            placement.weight = odds.get(other, 0.0)
        card.placements[place].weight = max(card.placements[place].weight, self._bounds.landed)
        card.stub, card.air = 0.0, max(0.0, 1 - sum(odds.get(other, 0.0) for other in card.placements))
        card.place = place
        if place == MUCK:
            _cover_all(self._model, [self.cards[below] for below in self._here[MUCK] if below != tag])
        if place == STUB:
            self.forget(tag)
            return
        if seat_of(place) is not None:
            self._dealt_ns = max(self._dealt_ns, now_ns)
            card.air = 0.0
            self._seats.add(place, tag, card.placements[place], now_ns, self.expect.open_cards)
        card.normalise()
        self._expect_cards()

    def forget(self, tag: str) -> None:
        """The card is in the stub after all."""
        card = self.cards[tag]
        for place in card.placements:
            self._here.get(place, {}).pop(tag, None)
        card.placements.clear()
        card.stub = 1.0

    def drop_unlikely(self, tag: str) -> None:
        """Drops the placements of a card that are next to impossible."""
        card = self.cards[tag]
        for other in [
            other
            for other, placement in card.placements.items()
            if placement.weight < self._bounds.dropped and other != card.place
        ]:
            del card.placements[other]
            self._here.get(other, {}).pop(tag, None)

    def _observe_seat(
        self, seat: SeatCards, tags: Collection[str], report: AntennaReport, visits: int, stage: Stage
    ) -> dict[str, None]:
        place, cards = report.place, self.cards
        late = [tag for tag in seat.cards if not cards[tag].new_visits(report)]
        if len(late) == len(seat.cards):
            return dict.fromkeys(late)
        if late:
            visits = min(min(cards[tag].new_visits(report) for tag in seat.cards if tag not in late), visits)
            tags = [tag for tag in tags if tag not in late]
            if place == seat.place and seat.all_lie() > self._bounds.rather:
                tags += late  # they are no reason to doubt the others
        seat.pass_time(report.at_ns, "drawing" if self._seats.is_divided(seat.number) else stage)
        likelihoods = seat.observe_report(place, tags, visits)
        likely: dict[str, float] = {}
        for tag, placements in seat.cards.items():
            card = cards[tag]
            read = tag in tags
            card.placements[card.place] = placements.here
            if read and place != card.place:
                self._open(tag, card, place)
            if len(card.placements) > 1:
                likely = likely or likelihoods()
                card.weigh_home(place, likely[tag], read, visits)
            card.missed += visits if not read and card.read_at == place else 0
        return dict.fromkeys(seat.cards)

    def _open(self, tag: str, card: CardState, place: Place) -> None:
        """Adds the placements in which this place's antenna reads the card, as far as they are not there."""
        if card.place == STUB and place == STUB and not card.placements:
            return
        for other in (place, *self._cross.read_by[place]):
            if other in card.placements or (other == STUB and card.place == STUB):
                continue
            if other == MUCK and seat_of(card.place) is not None:
                continue  # its seat weighs the muck
            if not self._visits[other] and self._visits[place] > _ROUND:
                continue  # nothing would ever speak against it
            weight = card.stub if card.place == STUB else self._gone_to(tag, card, other)
            card.placements[other] = self._placement(other, weight)
            self._here.setdefault(other, {})[tag] = None

    def _gone_to(self, tag: str, card: CardState, other: Place) -> float:
        """How likely a card that is not of the stub left its place and came to lie at another."""
        seat = self._seats.of(tag)
        gone = card.air
        home = card.placements.get(card.place)
        if home is not None:
            leaves = self._leave.leaves_muck if card.place == MUCK else self._leave.leaves
            if seat is not None:
                leaves = max(leaves, seat.gone(tag))
            gone += home.weight * leaves
        return gone * leave_odds(self._leave, card.place, other, self._dealing)

    def _placement(self, place: Place, weight: float) -> Placement:
        return Placement(self._model, place, self._model.own(place), weight, place in self._shared)

    def _expect_cards(self) -> None:
        self._deal_odds: dict[Place, float] = deal_odds(
            self._model.dynamics.deal,
            self.expect,
            self.cards_at_seats(),
            self._rates.unread,
            self._burn_lacks,
        )


def _put_back(card: CardState, place: Place, share: float) -> None:
    """The card is read at a place: in this share of cases in which it left the muck it came back there."""
    if place == MUCK == card.place:
        back = card.air * share
        card.placements[MUCK].weight += back
        card.air -= back


def _cover_all(model: TableModel, cards: Collection[CardState]) -> None:
    """A card came to lie on those of the muck."""
    for card in cards:
        if card.place == MUCK:
            _cover(model, card.placements[MUCK], 1.0)


def _cover(model: TableModel, placement: Placement, share: float) -> None:
    """In this share of cases a card came to lie on one of the muck, which is read otherwise now."""
    placement.cover(share, times(shares_of(model.own(MUCK)), share))
