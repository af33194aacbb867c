"""The test hand of the set-up process: sensing as the engine's process runs it, on a hand without bets."""

import time

from tablebridge.host.clock import SystemClock
from tablebridge.model.decks import Deck
from tablebridge.model.errors import Refused
from tablebridge.model.places import Place, seat_of
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.steps.mapping import Spot
from tablebridge.steps.trial_hand import HandView, TrialHand
from tablebridge.tracking.follower import Follower
from tablebridge.tracking.tracker import Tracker


class HandDesk:
    """The test hand that is dealt, or was."""

    def __init__(self) -> None:
        self._hand: TrialHand | None = None
        self._sensor: Sensor | None = None
        self._tracker: Tracker | None = None
        self._places: dict[Spot, Place] = {}
        self._tags: frozenset[str] = frozenset()
        self._clock = SystemClock()
        self._began_s = 0.0
        self._readings = 0

    def begin(self, deck: Deck, places: dict[Spot, Place]) -> None:
        """Expect a hand of this deck at these places. Raises Refused."""
        seats = tuple(sorted({seat for place in places.values() if (seat := seat_of(place)) is not None}))
        if not seats:
            raise Refused("No seat has an antenna yet: step 2 lays the test card on each.")
        self._hand = TrialHand(deck.name, places.values())
        self._places, self._tags = dict(places), frozenset(deck.cards)
        self._sensor = Sensor(self._places, {}, DeckRegistry.of(deck.cards))
        self._sensor.begin_hand()
        self._tracker = Tracker(self._sensor, Follower(seats, seats[-1]))
        self._began_s, self._readings = time.monotonic(), 0

    def sweep(self, device: str, sweep: Sweep) -> bool:
        """One visit or several of an antenna. Returns whether the hand is complete by it."""
        hand, sensor, tracker = self._hand, self._sensor, self._tracker
        place = self._places.get((device, sweep.antenna))
        if hand is None or sensor is None or tracker is None or hand.over or place is None:
            return False
        self._readings += 1
        tracker.reading(Stamped(device, "setup", self._readings, self._clock.now(), sweep))
        self._note(hand, sensor)
        if not self._tags.issuperset(sweep.tags):
            hand.stranger(place)
        return hand.passed

    def tick(self) -> bool:
        """Time has passed. Returns whether the hand is complete by it."""
        hand, sensor, tracker = self._hand, self._sensor, self._tracker
        if hand is None or sensor is None or tracker is None or hand.over:
            return False
        if tracker.due(now := self._clock.now()):
            tracker.tick(now)
            self._note(hand, sensor)
        return hand.passed

    def end(self) -> None:
        """All cards are dealt. Raises Refused if no hand is."""
        if self._hand is None:
            raise Refused("No test hand is dealt: begin one first.")
        self._hand.end()

    def view(self) -> HandView | None:
        """The hand as it is shown; None if there was none."""
        return None if self._hand is None else self._hand.view()

    def _note(self, hand: TrialHand, sensor: Sensor) -> None:
        for move in sensor.moves:
            hand.moved(move.tag, move.place, round(time.monotonic() - self._began_s, 1))


__all__ = ["HandDesk"]
