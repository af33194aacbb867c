"""A hand in time with its truth: when each card comes to lie where, while antennas are visited at any moment.

It is the emulated table without dealer, engine or sensing, so that what happens never depends on what is
sensed, and several methods can be measured on the same readings. Hands are those of `hands.py`, moved at
human times: a card each 0.3 to 0.9 s in the deal, looks at the cards, folds that take a second, chips on
cards. Nothing irregular happens.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Final, Literal

import msgspec

from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place
from tablebridge.sim.hands import Act, Board, GiveUp, Hand, Show
from tablebridge.sim.noise import Noise
from tablebridge.sim.table import NEAR, NOT_WEAK, STUB_DEPTH, Near, Table

Kind = Literal["deal", "burn", "board", "muck"]
KINDS: Final[tuple[Kind, ...]] = ("deal", "burn", "board", "muck")
START_S: Final = 2.0
REST_S: Final = 3.0
"""Before the first card leaves the stub, and after the last has come to the muck."""


class Landing(msgspec.Struct):
    """A card came to lie at a place at `at_s` and stayed until `until_s`, seconds since the hand began."""

    at_s: float
    tag: str
    place: Place
    kind: Kind
    until_s: float = math.inf


class Motion:
    """Cards in motion at one table. `now_s` only grows, by `advance`; `visit` reads an antenna now.
    `landings`: the truth, also of what is to come.

    `near`, `depth`, `weak`: as `Table` has them. `tempo`: how many times as fast everybody moves. `end_s`:
    when the hand is over. Deterministic for the same arguments and calls. Antennas have no outages here:
    these are in time, and belong to whoever visits.
    """

    def __init__(
        self,
        noise: Noise,
        rng: Random,
        near: Near = NEAR,
        tempo: float = 1.0,
        depth: int = STUB_DEPTH,
        weak: Mapping[Place, float] = NOT_WEAK,
    ) -> None:
        self.now_s = 0.0
        self.end_s = 0.0
        self.landings: list[Landing] = []
        self._rng = rng
        self._tempo = tempo
        steady = msgspec.structs.replace(noise, burst_per_s=0.0)
        self._table = Table(steady, rng.randrange(1 << 32), near, depth, weak)
        self._order = itertools.count()
        self._coming: list[tuple[float, int, Callable[[], object]]] = []
        self._last: dict[str, Landing] = {}

    def advance(self, to_s: float) -> None:
        """Lets everything happen until then."""
        while self._coming and self._coming[0][0] <= to_s:
            heapq.heappop(self._coming)[2]()
        self.now_s = to_s

    def visit(self, place: Place) -> list[str]:
        """What the antenna of a place reads now."""
        return self._table.visit(place)

    def flat(self, place: Place) -> tuple[str, ...]:
        """The cards that lie there flat, so that they ought to be read."""
        return self._table.flat(place)

    def _at(self, at_s: float, function: Callable[[], object]) -> None:
        heapq.heappush(self._coming, (at_s / self._tempo, next(self._order), function))

    def _fly(
        self, tags: list[str], to: Place, kind: Kind, at_s: float, flight_s: float, *, spread: bool = False
    ) -> float:
        """Cards leave at a time; gives when they have landed, each alone if `spread`. At the end of its
        flight a card may pass over a neighbour.
        """
        lands_s = at_s + flight_s
        over_s = min(self._rng.uniform(0.05, 0.15), 0.6 * flight_s)
        self._at(at_s, lambda: self._table.take(tags))
        self._at(lands_s - over_s, lambda: self._table.take(tags, over=to))
        self._at(lands_s, lambda: self._table.put(tags, to, spread=spread))
        for tag in tags:
            if tag in self._last:
                self._last[tag].until_s = at_s / self._tempo
            self._last[tag] = Landing(lands_s / self._tempo, tag, to, kind)
            self.landings.append(self._last[tag])
        return lands_s


class Dealing(Motion):
    """One hand of hold'em or Omaha."""

    def __init__(
        self,
        noise: Noise,
        hand: Hand,
        deck: dict[Card, str],
        rng: Random,
        near: Near = NEAR,
        tempo: float = 1.0,
        depth: int = STUB_DEPTH,
        weak: Mapping[Place, float] = NOT_WEAK,
    ) -> None:
        super().__init__(noise, rng, near, tempo, depth, weak)
        self._free: dict[int, float] = {}
        self._held: dict[int, list[str]] = {seat: [] for seat in hand.order}
        self._stub = self._ordered(hand, deck)
        self._table.put(reversed(self._stub), STUB)
        self.end_s = (self._play(hand) + REST_S) / tempo

    def _ordered(self, hand: Hand, deck: dict[Card, str]) -> list[str]:
        spare = [card for card in DECK_52 if card not in hand.known_cards()]
        self._rng.shuffle(spare)
        cards = [card for _, card in hand.deal]
        for step in hand.steps:
            if isinstance(step, Board):
                cards += [spare.pop(), *step.cards]
        return [deck[card] for card in [*cards, *spare]]

    def _look(self, seat: int, at_s: float) -> float:
        """The player looks at the cards; gives when they lie again."""
        begin_s = max(at_s, self._free[seat] + 0.05)
        end_s = begin_s + self._rng.uniform(0.8, 3.0)
        place = seat_place(seat)
        self._at(begin_s, lambda: self._table.hold(place, None))
        self._at(end_s, lambda: self._table.hold(place, "flat"))
        self._free[seat] = end_s
        return end_s

    def _muck(self, seat: int, at_s: float) -> float:
        begin_s = max(at_s, self._free[seat] + 0.05)
        self._free[seat] = self._fly(self._held[seat], MUCK, "muck", begin_s, self._rng.uniform(0.5, 1.5))
        return begin_s

    def _play(self, hand: Hand) -> float:
        rng, at_s = self._rng, START_S
        for seat, _ in hand.deal:
            tag = self._stub.pop(0)
            self._held[seat].append(tag)
            self._free[seat] = self._fly([tag], seat_place(seat), "deal", at_s, rng.uniform(0.25, 0.45))
            at_s += rng.uniform(0.3, 0.9)
        at_s += 1.0
        for seat in hand.order:
            if rng.random() < 0.6:
                self._look(seat, self._free[seat] + rng.expovariate(1 / 1.5))
        for step in hand.steps:
            match step:
                case Act(seat, kind):
                    at_s += 0.8 + rng.expovariate(1 / 1.7)
                    if rng.random() < 0.35:
                        at_s = self._look(seat, at_s)
                    if kind == "fold":
                        at_s = self._muck(seat, at_s)
                case Board(cards=cards):
                    at_s = self._street(len(cards), at_s + rng.uniform(1.0, 2.0)) + 1.0
                case Show(seat):
                    place, lifted_s = seat_place(seat), max(at_s + rng.uniform(0.6, 1.2), self._free[seat])
                    self._free[seat] = at_s = lifted_s + rng.uniform(0.4, 1.0)
                    self._at(lifted_s, lambda place=place: self._table.hold(place, "out"))  # type: ignore[misc]
                    self._at(at_s, lambda place=place: self._table.hold(place, "flat"))  # type: ignore[misc]
                case GiveUp(seat):
                    at_s = self._muck(seat, at_s + rng.uniform(0.6, 1.2))
        at_s += rng.uniform(3.0, 6.0)
        for seat in hand.order:
            if all(self._last[tag].kind == "deal" for tag in self._held[seat]):
                at_s = self._muck(seat, at_s) + rng.uniform(0.3, 0.9)
        return max([at_s, *self._free.values()])

    def _street(self, count: int, at_s: float) -> float:
        rng = self._rng
        at_s = self._fly([self._stub.pop(0)], BURN, "burn", at_s, rng.uniform(0.3, 0.5)) + rng.uniform(
            0.2, 0.6
        )
        tags, self._stub = self._stub[:count], self._stub[count:]
        at_s = self._fly(tags, BOARD, "board", at_s, rng.uniform(0.3, 0.5), spread=count == 1)
        if count > 1:
            at_s += rng.uniform(0.4, 1.0)
            self._at(at_s, lambda: self._table.spread(BOARD))
        return at_s
