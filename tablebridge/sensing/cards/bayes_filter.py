"""Where each card lies, from what antennas read: a belief over all ways in which it can lie, with the rules
as prior.

**Theory.** A card lies at one place. For each card that was ever read outside the stub the filter keeps the
ways in which it may lie (`lie.py`), with weights that sum to one together with the stub and the air. A read
or a miss multiplies each way by how likely it is from there: a read at its own antenna, a read at the edge of
a neighbour's, on its way over a neighbour's, or of nobody knows what.

- a card of the stub: its ways are weighed by where cards are due (`prior.dealt`) at the moment of judging, so
  that what is learned about other cards, a seat that has its card by now, weighs anew;
- a card at a seat: the cards of a seat are looked at and leave together (`seat.py`);
- a card that lies elsewhere leaves its place into the air at a small rate, and comes from there to where it
  is read.

A card has moved when one place other than its last is as sure as the noise of the table asks for. Reports of
different readers do not come in the order of their visits: what a report that was held back says of the time
before a card was read elsewhere is history and changes nothing.

`Rates` (`rates.py`) has every probability, by name; it is learned from cards that lie still, or handed in.

After `reset` all cards are in the stub. Reports still under way may tell of the hand before, so a card read
where it lay then is ignored there until that antenna has missed it, or for `LEFTOVER_VISITS`.
"""

from collections.abc import Collection, Mapping
from typing import Final

from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.places import MUCK, STUB, Place, seat_of
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards import prior
from tablebridge.sensing.cards.card_filter import Move
from tablebridge.sensing.cards.card_state import LAST_READS, SILENT, CardState
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.rates import Gauge, Rates, rates
from tablebridge.sensing.cards.seat import SeatCards, Stage
from tablebridge.sensing.cards.unread import UnreadCards

LEFTOVER_VISITS: Final = 30
_CERTAIN: Final = 1 - 1e-6
_MOST_VISITS: Final = 12
_LEAVES: Final = 0.003
_MUCK_LEAVES: Final = 0.0005
_NOTHING: Final = 1e-7
_GONE: Final = 0.5
_STILL_MISSES: Final = 3
_THERE: Final = 0.95
_PROOFS: Final = 4
_DEALING_NS: Final = 4_000_000_000


class BayesFilter:
    """The implementation that the module's text describes. `shared`: places with more than one antenna.
    `known`: how the antennas of this table answer, if that was measured; else it is learned from the
    readings, anew for each hand.
    """

    def __init__(self, shared: Collection[Place] = (), known: Rates | None = None) -> None:
        self._known = known
        self._shared = frozenset(shared)
        self._cards: dict[str, CardState] = {}
        self._here: dict[Place, dict[str, None]] = {}
        self._seats: dict[Place, SeatCards] = {}
        self._leftover: dict[Place, dict[str, int]] = {}
        self._gauge = Gauge()
        self._rates = known or rates(self._gauge.level)
        self._expect = NOTHING
        self._dealt_ns = 0
        self._dealing = False
        self._dealt: dict[Place, float] = {}
        self._silence = UnreadCards(self._rates)

    def reset(self) -> None:
        """A hand begins: all cards are in the stub."""
        self._leftover = {}
        for tag, card in self._cards.items():
            for place in [
                place for place, lie in card.lies.items() if lie.weight > 0.01 and lie.silent < SILENT
            ]:
                self._leftover.setdefault(place, {})[tag] = 0
        self._cards.clear()
        self._here.clear()
        self._seats.clear()
        self._rates = self._known or rates(self._gauge.level)
        self._expect = NOTHING
        self._silence = UnreadCards(self._rates)

    def sweep(self, look: AntennaReport, expect: Expectation) -> tuple[Move, ...]:
        """See `CardFilter.sweep`."""
        tags = self._without_leftovers(look)
        place = look.place
        if expect is not self._expect:
            self._expect = expect
            self._due()
        moves: list[Move] = []
        visits = min(look.visits, _MOST_VISITS)
        touched: dict[str, None] = {}
        stage = self._stage(look.at_ns)
        self._dealing = stage == "dealing"
        for seat in self._seats.values():
            if (
                seat.cards
                and (look.complete or any(tag in tags for tag in seat.cards))
                and seat.concerned(place, tags)
            ):
                touched |= self._seat_looked(seat, tags, look, visits, stage)
        for tag in tags:
            card = self._cards.get(tag)
            if card is None:
                card = self._cards[tag] = CardState()
            if tag not in touched:
                steps = card.visits(look)
                if card.read_at != place and not steps:
                    continue
                self._read(tag, card, place, min(steps, _MOST_VISITS))
            touched[tag] = None
            self._count(card, look)
        if look.complete:
            for tag in [tag for tag in self._here.get(place, ()) if tag not in tags and tag not in touched]:
                card = self._cards[tag]
                if steps := min(card.visits(look), _MOST_VISITS):
                    self._missed(card, place, steps, not tags)
                    touched[tag] = None
        for tag in touched:
            self._judge(tag, self._cards[tag], look, moves)
        if self._silence.looked(look, visits) and self._silence.missed(look.at_ns, expect, self._at_seats()):
            self._conclude(look.at_ns, moves)
        return tuple(moves)

    def finish(self) -> tuple[Move, ...]:
        """See `CardFilter.finish`."""
        moves = []
        for seat in list(self._seats.values()):
            for tag in list(seat.cards):
                gone = seat.gone(tag)
                if gone >= _GONE:
                    moves.append(Move(tag, seat.place, MUCK, round(min(gone, _CERTAIN), 6), (), 0))
                    self._settle(tag, self._cards[tag], MUCK, 0)
        return tuple(moves)

    def place(self, tag: str) -> Place:
        """Where the card was last sure to lie."""
        card = self._cards.get(tag)
        return card.place if card else STUB

    def gone(self, tag: str) -> float:
        """The probability that the card no longer lies there."""
        card = self._cards.get(tag)
        if card is None or card.place == STUB:
            return 0.0
        seat = self._seats.get(card.place)
        lies = card.lies[card.place].weight
        return 1 - lies * (1 - seat.gone(tag)) if seat is not None and tag in seat.cards else 1 - lies

    def odds(self, tag: str) -> dict[Place, float]:
        """The places where the card may lie, each with its probability."""
        card = self._cards.get(tag)
        if card is None:
            return {STUB: 1.0}
        return {place: round(share, 3) for place, share in self._odds(tag, card).items() if share >= 0.001}

    def unread(self, place: Place, visits: int) -> float:
        """See `CardFilter.unread`."""
        return sum(share * (1 - read) ** visits for share, read in self._rates.own[prior.kind_of(place)])

    def assume(self, tag: str, place: Place) -> None:
        """See `CardFilter.assume`."""
        card = self._cards.setdefault(tag, CardState())
        if card.place != place:
            self._settle(tag, card, place, 0)

    # What a visit tells.

    def _stage(self, now_ns: int) -> Stage:
        expect = self._expect
        if expect.next_seats and now_ns < self._dealt_ns + _DEALING_NS:
            return "dealing"
        return "ending" if expect.phase == "showdown" or len(expect.live) == 1 else "playing"

    def _seat_looked(
        self, seat: SeatCards, tags: Collection[str], look: AntennaReport, visits: int, stage: Stage
    ) -> dict[str, None]:
        """An antenna that says something of a seat's cards. Gives those of which it told something."""
        place = look.place
        late = [tag for tag in seat.cards if not self._cards[tag].visits(look)]
        if len(late) == len(seat.cards):
            return dict.fromkeys(late)
        if late:
            visits = min(min(self._cards[tag].visits(look) for tag in seat.cards if tag not in late), visits)
            tags = [tag for tag in tags if tag not in late]
            if place == seat.place and seat.lying() > 0.5:
                tags += late
        seat.pass_time(look.at_ns, stage)
        for tag, likely in seat.looked(place, tags, visits).items():
            card = self._cards[tag]
            read = tag in tags
            card.lies[card.place] = seat.cards[tag].here
            if read and place != card.place:
                self._open(tag, card, place)
            self._weigh(card, place, likely, read, visits)
            card.missed += visits if not read and card.read_at == place else 0
        return dict.fromkeys(seat.cards)

    def _weigh(self, card: CardState, place: Place, likely: float, read: bool, visits: int) -> None:
        """A card of a seat: its seat's likelihood against that of every other way."""
        if len(card.lies) == 1:
            return
        for other, lie in card.lies.items():
            if other == card.place:
                lie.weight *= likely
            else:
                lie.weight *= lie.looked(place, read, visits)
        card.normalise()

    def _read(self, tag: str, card: CardState, place: Place, visits: int) -> None:
        """The place's antenna read the card, which is none of the cards told to lie at this seat."""
        known = self._rates
        self._open(tag, card, place)
        for lie in card.lies.values():
            lie.weight *= lie.looked(place, True, visits, card.place == STUB)
        card.stub *= (
            (known.far if place in prior.NEAR[STUB] else known.ghost) ** visits if place != STUB else 1.0
        )
        card.air *= 0.02 if place == card.place else 0.001
        card.normalise()

    def _open(self, tag: str, card: CardState, place: Place) -> None:
        """The ways in which the card may lie so that this place reads it, as far as they were not thought of."""
        if card.place == STUB and place == STUB and not card.lies:
            return
        for other in (place, *prior.NEAR[place]):
            if other in card.lies or (other == STUB and card.place == STUB):
                continue
            if other == MUCK and seat_of(card.place) is not None:
                continue  # this way is its seat's to weigh
            if card.place == STUB:
                weight = card.stub
            else:
                seat = self._seats.get(card.place)
                gone = card.air
                home = card.lies.get(card.place)
                if home is not None:
                    leaves = _MUCK_LEAVES if card.place == MUCK else _LEAVES
                    gone += home.weight * (
                        leaves if seat is None or tag not in seat.cards else max(leaves, seat.gone(tag))
                    )
                weight = gone * prior.goes(card.place, other, self._dealing)
            card.lies[other] = Placement(
                known := self._rates, other, known.own[prior.kind_of(other)], weight, other in self._shared
            )
            self._here.setdefault(other, {})[tag] = None

    def _missed(self, card: CardState, place: Place, visits: int, quiet: bool) -> None:
        """The place's antenna did not read a card that may lie there. `quiet`: it read nothing at all."""
        lie = card.lies.get(place)
        if place == MUCK == card.place and lie is not None:
            lie.silent += visits
            return  # others came to lie on it
        if lie is not None and not (place == STUB and card.place == STUB):
            if card.place == place:
                left = lie.weight * (1 - (1 - _LEAVES) ** visits)
                lie.weight -= left
                card.air += left
            likely = lie.looked(place, False, visits)
            # Where nothing at all is read, the antenna may be out.
            lie.weight *= max(likely, self._rates.outage) if quiet else likely
        for other in prior.NEAR[place]:
            if other in card.lies:
                card.lies[other].weight *= card.lies[other].looked(place, False, visits)
        card.normalise()

    # What follows.

    def _odds(self, tag: str, card: CardState) -> dict[Place, float]:
        """The places by probability. For a card of the stub with what is due now as prior."""
        if card.place != STUB:
            odds = {place: lie.weight for place, lie in card.lies.items()}
            seat = self._seats.get(card.place)
            if seat is not None and tag in seat.cards:
                home = odds[card.place]
                odds[card.place] = home * (1 - seat.gone(tag))
                odds[MUCK] = odds.get(MUCK, 0.0) + home * seat.mucked(tag)
            return odds
        odds = {place: lie.weight * self._dealt.get(place, 1e-6) for place, lie in card.lies.items()}
        odds[STUB] = card.stub
        total = sum(odds.values())
        return {place: share / total for place, share in odds.items()}

    def _judge(self, tag: str, card: CardState, look: AntennaReport, moves: list[Move]) -> None:
        """Whether the card has moved."""
        odds = self._odds(tag, card)
        place, share = max(odds.items(), key=lambda item: item[1])
        if place != card.place and self._enough(card.place, place, odds) and not card.still_read(place):
            proof = tuple(card.proof) if card.proof_at == place else ()
            read_ns = card.proof_ns if proof else look.at_ns
            moves.append(Move(tag, card.place, place, round(min(share, _CERTAIN), 6), proof, read_ns))
            if card.place == STUB:
                self._silence.moved(tag, place, read_ns, self._expect)
            self._settle(tag, card, place, look.at_ns)
        elif card.place == STUB and odds[STUB] > 0.9999:
            self._forget(tag, card)
        elif card.place != STUB:
            for other in [
                other for other, lie in card.lies.items() if lie.weight < _NOTHING and other != card.place
            ]:
                del card.lies[other]
                self._here.get(other, {}).pop(tag, None)

    def _conclude(self, now_ns: int, moves: list[Move]) -> None:
        """Whether a card that fell silent in the stub has gone where one is missed."""
        ways = {tag: None if card.place != STUB else card.against_stub() for tag, card in self._cards.items()}
        found = self._silence.concluded(ways)
        if found is None:
            return
        tag, lie, sure = found
        card = self._cards.setdefault(tag, CardState())
        card.lies[lie.place], lie.weight = lie, 1.0
        self._here.setdefault(lie.place, {})[tag] = None
        card.stub = 0.0
        moves.append(Move(tag, STUB, lie.place, round(sure, 6), (), now_ns))
        self._silence.moved(tag, lie.place, 0, self._expect)
        self._settle(tag, card, lie.place, now_ns)

    def _enough(self, origin: Place, place: Place, odds: Mapping[Place, float]) -> bool:
        """Whether it is sure that the card came to the place. Where the rules of the game know no such move,
        it must be surer that it has left; to which of two neighbours then matters less.
        """
        usual = MUCK if seat_of(origin) is not None else None
        if origin == STUB or place == usual:
            return odds[place] >= (self._rates.sure if origin == STUB else self._rates.folded)
        elsewhere = sum(share for other, share in odds.items() if other not in (origin, usual))
        return elsewhere >= 1 - (1 - self._rates.sure) / 10 and odds[place] >= _THERE * elsewhere

    def _forget(self, tag: str, card: CardState) -> None:
        """The card is in the stub after all."""
        for place in card.lies:
            self._here.get(place, {}).pop(tag, None)
        card.lies.clear()
        card.stub = 1.0

    def _settle(self, tag: str, card: CardState, place: Place, now_ns: int) -> None:
        """The card lies at a place from now on."""
        known = self._rates
        odds = self._odds(tag, card)
        seat = self._seats.get(card.place)
        home = None
        if seat is not None and tag in seat.cards:
            home = seat.cards[tag].muck if place == MUCK else None
            seat.remove(tag)
        if place not in card.lies:
            card.lies[place] = home or Placement(
                known, place, known.own[prior.kind_of(place)], 0.0, place in self._shared
            )
            self._here.setdefault(place, {})[tag] = None
        for other, lie in card.lies.items():
            lie.weight = odds.get(other, 0.0)
        card.lies[place].weight = max(card.lies[place].weight, 0.9)
        card.stub, card.air = 0.0, max(0.0, 1 - sum(odds.get(other, 0.0) for other in card.lies))
        card.place = place
        if place == STUB:
            self._silence.shuffled()
            self._forget(tag, card)
            return
        if seat_of(place) is not None:
            self._dealt_ns = max(self._dealt_ns, now_ns)
            seat = self._seats.get(place)
            if seat is None:
                seat = self._seats[place] = SeatCards(place, known, now_ns)
            card.air = 0.0
            seat.add(tag, card.lies[place])
        card.normalise()
        self._due()

    def _due(self) -> None:
        self._dealt = prior.dealt(self._expect, self._at_seats(), self._rates.unread)

    def _at_seats(self) -> dict[int, int]:
        return {
            number: len(seat.cards)
            for place, seat in self._seats.items()
            if (number := seat_of(place)) is not None
        }

    def _count(self, card: CardState, look: AntennaReport) -> None:
        """Evidence for the record, and for how well cards are read that lie still."""
        place = look.place
        if card.place == place and seat_of(place) is not None and card.read_at == place:
            if card.missed <= _STILL_MISSES:
                self._gauge.count(min(look.visits, _MOST_VISITS), card.missed)
        elif card.place == place:
            card.proof_at = None  # what was read elsewhere before is no proof of a move
        else:
            if card.proof_at != place:
                card.proof_at, card.proof, card.proof_ns = place, [], look.at_ns
            if len(card.proof) < _PROOFS:
                card.proof.append(look.reading)
        card.read_at, card.read_ns, card.missed = place, look.at_ns, 0
        card.last = [*card.last[1 - LAST_READS :], place]

    def _without_leftovers(self, look: AntennaReport) -> Collection[str]:
        left = self._leftover.get(look.place)
        if not left:
            return look.tags
        for tag in list(left):
            if tag in look.tags:
                left[tag] += look.visits
                if left[tag] > LEFTOVER_VISITS:
                    del left[tag]
            elif look.complete:
                del left[tag]
        return [tag for tag in look.tags if tag not in left]
