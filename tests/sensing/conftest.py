"""A small felt: cards lie where they are put, antennas visit them in turn and miss or cross-read with given
chances.
"""

import random
from collections.abc import Callable

import pytest

from tablebridge.engine.outcome import Outcome
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.events import Entry, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place
from tablebridge.model.readings import Reading, Stamped, Sweep
from tablebridge.sensing.sensor import Conclusion, Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.follower import Follower
from tablebridge.tracking.tracker import Entered, Tracker

VISIT_NS = 10_000_000


def tag_of(card: Card) -> str:
    return f"E00401{DECK_52.index(card) + 1:010X}"


CARDS = {tag_of(card): card for card in DECK_52}


class Felt:
    """`seats` at the table, button on the last. `reported`: the events so far; `calls`: what the sensor was
    given, for a replay; `idle`: no hand is expected. The felt itself is the engine.
    """

    def __init__(self, seats: int = 3, *, miss: float = 0.0, cross: float = 0.0, seed: int = 0) -> None:
        self.places = [*map(seat_place, range(1, seats + 1)), BOARD, BURN, MUCK, STUB]
        self.antennas = {("reader", number): place for number, place in enumerate(self.places)}
        self.sensor = self.new_sensor()
        self.follower = Follower(tuple(range(1, seats + 1)), seats)
        self.lies: dict[str, Place | None] = {}
        self.sensed: list[Conclusion] = []
        self.calls: list[tuple[Stamped, Expectation]] = []
        self.idle = False
        self._rng = random.Random(seed)
        self._miss, self._cross = miss, cross
        self._number = 0
        self.sensor = self.new_sensor()
        self.sensor.begin_hand()

    def new_sensor(self) -> Sensor:
        return Sensor(self.antennas, {}, DeckRegistry.of(CARDS))

    @property
    def sensor(self) -> Sensor:
        return self._sensor

    @sensor.setter
    def sensor(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self.tracker = Tracker(sensor, self, entered=self._entered)

    def expectation(self) -> Expectation:
        return Expectation() if self.idle else self.follower.expectation()

    def apply(self, entry: Entry) -> Outcome:
        return self.follower.apply(entry)

    @property
    def reported(self) -> list[TableEvent]:
        return [sensed.event for sensed in self.sensed]

    def put(self, cards: str, place: Place | None) -> None:
        """Cards such as `Ah Kd` lie at a place now; None: in the air."""
        for card in cards.split():
            self.lies[tag_of(Card(card))] = place

    def cycles(self, count: int, *, but: tuple[Place, ...] = ()) -> None:
        """Every antenna is visited so many times, except those `but`."""
        for _ in range(count):
            for antenna, place in enumerate(self.places):
                if place not in but:
                    self.visit(antenna, self._answers(antenna))

    def visit(self, antenna: int, tags: tuple[str, ...], visits: int = 1) -> None:
        self.give(Sweep(antenna, tags, visits))

    @property
    def now(self) -> int:
        """Monotonic ns."""
        return self._number * VISIT_NS

    @property
    def cycle_ns(self) -> int:
        """How long all antennas take."""
        return len(self.places) * VISIT_NS

    def give(self, reading: Reading, at: int | None = None) -> None:
        """A report arrives, stamped now or with an earlier time."""
        self._number += 1
        stamped = Stamped("reader", "e", self._number, Instant(0, self.now if at is None else at), reading)
        self.calls.append((stamped, self.expectation()))
        self.tracker.reading(stamped)

    def pass_time(self, seconds: float) -> None:
        """Nothing is read for a while."""
        self._number += round(seconds * 1e9 / VISIT_NS)
        now = Instant(0, self._number * VISIT_NS)
        if self.tracker.due(now):
            self.tracker.tick(now)

    def deal(self, *hands: str) -> None:
        """One card to each seat, then the other: `Ah Kd` is a seat's hand."""
        for turn in range(2):
            for seat, hand in enumerate(hands, 1):
                self.put(hand.split()[turn], seat_place(seat))
                self.cycles(5)

    def _entered(self, entered: Entered) -> None:
        if entered.sensed is not None:
            self.sensed.append(entered.sensed)

    def _answers(self, antenna: int) -> tuple[str, ...]:
        chance, here = self._rng.random, self.places[antenna]
        beside = {
            self.places[number] for number in (antenna - 1, antenna + 1) if 0 <= number < len(self.places)
        }
        return tuple(
            tag
            for tag, place in self.lies.items()
            if (place == here and chance() >= self._miss) or (place in beside and chance() < self._cross)
        )


@pytest.fixture
def felt() -> Callable[..., Felt]:
    return Felt
