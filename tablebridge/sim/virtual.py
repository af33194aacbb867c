"""The emulated table in virtual time: antennas, coalescing, sensing and engine in one thread, as fast as can
be computed.

The same dealer plays the same hands with the same irregularities as under the real processes; only the lines,
the broker and the journal are left out, and nobody waits. A queue of things to come is the clock. The same
seed gives the same hand, to the reading, so that sensing can be measured over hundreds of hands.
"""

import heapq
import itertools
from collections.abc import Callable
from random import Random
from typing import Final

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table as Engine
from tablebridge.engine.views import staff_view
from tablebridge.floor.alerts import Alerts
from tablebridge.host.coalesce import Coalescer
from tablebridge.model.alerts import Alert
from tablebridge.model.decks import Deck, Inventory
from tablebridge.model.errors import ScriptError
from tablebridge.model.events import (
    AllinButton,
    Basis,
    DeviceState,
    End,
    Game,
    Hand,
    Rules,
    Seats,
    Shuffler,
    TableEvent,
)
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Stamped, Sweep
from tablebridge.model.views import LineView, TableView
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.dealer import Dealer, Manner, Played
from tablebridge.sim.hands import random_hand
from tablebridge.sim.irregular import Irregular
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.pace import Pace
from tablebridge.sim.rig import READERS, new_deck
from tablebridge.sim.table import Table
from tablebridge.tracking.tracker import Entered, Tracker

CYCLE_S: Final = {"clean": 0.07, "mild": 0.073, "typical": 0.152, "harsh": 0.340}
"""The time between two visits of an antenna at each level: four, two or one reader for all antennas
(computed).
"""
_SEATED: Final = tuple(range(1, 10))
_BLINDS: Final = (50, 100)
_BUY_IN: Final = 10_000
_LOOK_S: Final = 0.02
_TRIES: Final = 500


class _Time(Pace):
    """A pace that lets virtual time pass."""

    def __init__(self, speed: float, rng: Random, felt: "VirtualTable") -> None:
        super().__init__(speed, rng)
        self._felt = felt

    def stopwatch(self) -> Callable[[], float]:
        began_s = self._felt.now_s
        return lambda: self._felt.now_s - began_s

    def pause(self, seconds: float) -> None:
        self._felt.advance(seconds)


class VirtualTable:
    """`level`: how badly antennas read; `speed`: how many times faster than life people move and antennas are
    visited.

    It stands in for bench, keys and console of the dealer. `sensed`: what was sensed so far, each with the
    time; `findings`: what the engine said; `moved`: which card truly lay where, and since when. Times are
    seconds.
    """

    def __init__(
        self, level: str, seed: int, speed: float = 1.0, cycle_s: float | None = None, game: str = "nlhe"
    ) -> None:
        rng = Random(seed)
        self.now_s = 1.0
        self.rng = Random(rng.randrange(1 << 32))
        self.deck = new_deck(rng)
        self.other = new_deck(rng)
        self.table = Table(LEVELS[level], rng.randrange(1 << 32))
        self.engine = Engine("virtual")
        self.sensor = Sensor({(name, 0): place for name, place in READERS.items()}, {}, self._registry())
        self._tracker = Tracker(self.sensor, self.engine, entered=self._entered)
        self.sensed: list[tuple[float, Conclusion]] = []
        self.findings: list[tuple[float, Finding]] = []
        self.readings = 0
        self.refused: list[str] = []
        self._alerts = Alerts()
        self._lines: list[LineView] = []
        self._order = itertools.count()
        self._coming: list[tuple[float, int, Callable[[], object]]] = []
        self._coalescers = {name: Coalescer() for name in READERS}
        self.pace = _Time(speed, Random(rng.randrange(1 << 32)), self)
        self.dealer = Dealer(
            self.table,
            self,  # type: ignore[arg-type]
            self,
            self,  # type: ignore[arg-type]
            self.pace,
            self.deck,
            self.rng,
            self.rng.choice(list(self.other.values())),
        )
        self._cycle_s = (cycle_s or CYCLE_S[level]) / speed
        self._button = _SEATED[-1]
        self._game = game
        for event in (Rules("tda-2022"), Game(game, _BLINDS), Seats(_SEATED)):
            self.enter(event, "operator")
        for name in READERS:
            self.later(rng.random() * self._cycle_s, lambda name=name: self._visit(name))  # type: ignore[misc]

    def _registry(self) -> DeckRegistry:
        both = (("demo", self.deck), ("other", self.other))
        decks = tuple(Deck(name, {tag: card for card, tag in deck.items()}) for name, deck in both)
        return DeckRegistry(Inventory(decks, {}, "demo"))

    def play(self, manner: Callable[[], Irregular] | None = None) -> Played:
        """One hand from the shuffler's button to the empty table, the first that suits the manner."""
        for _ in range(_TRIES):
            hand = random_hand(
                self.rng, _SEATED, self._button, _BLINDS, dict.fromkeys(_SEATED, _BUY_IN), self._game
            )
            how: Manner = manner() if manner else Manner()
            if not isinstance(how, Irregular) or how.suits(hand):
                break
        self._button = _SEATED[_SEATED.index(self._button) - 1]
        stacks = " ".join(f"{seat}:{stack}" for seat, stack in hand.stacks.items())
        return self.dealer.play(hand, (f"button {hand.button}", f"stacks {stacks}"), how)

    # Time.

    def advance(self, seconds: float) -> None:
        """Lets time pass and everything happen that is to come in it."""
        end = self.now_s + seconds
        while self._coming and self._coming[0][0] <= end:
            self.now_s, _, function = heapq.heappop(self._coming)
            function()
        self.now_s = end

    @property
    def now(self) -> Instant:
        ns = round(self.now_s * 1e9)
        return Instant(ns, ns)

    # What the dealer has of the bench.

    def later(self, seconds: float, function: Callable[[], object]) -> None:
        """Does something after this number of seconds."""
        heapq.heappush(self._coming, (self.now_s + seconds, next(self._order), function))

    def unplug(self, name: str) -> None:
        """A device goes away."""
        self.enter(DeviceState(name, "lost", (READERS[name],)), "inferred")

    def plug(self, name: str) -> None:
        """It is back."""
        self.enter(DeviceState(name, "live", (READERS[name],)), "inferred")

    # What he has of the keys.

    def shuffler_done(self) -> None:
        """A hand begins."""
        self.enter(Hand(), "shuffler")

    def shuffler_counts(self, cards: int) -> None:
        """The shuffler says how many cards it holds."""
        self.enter(Shuffler("count", (), cards), "shuffler")

    def end(self) -> None:
        """The hand is over."""
        self.enter(End(), "button")

    def all_in(self, seat: int) -> None:
        """The all-in button."""
        self.enter(AllinButton(seat), "button")

    def all_in_away(self) -> None:
        """Buttons that go away report nothing."""

    # What he has of the console.

    def write(self, *lines: str) -> bool:
        """Enters lines; False if one of them is none."""
        try:
            events = [parse_line(line) for line in lines]
        except ScriptError as error:
            self.refused.append(str(error))
            return False
        for event in events:
            self._tracker.before(event, self.now)
            self.enter(event, "operator")
        return True

    def view(self) -> TableView:
        """The table as staff see it."""
        return staff_view(self.engine, self.now, 0, tuple(self._lines))

    def alerts(self) -> tuple[Alert, ...]:
        """All alerts that are not closed."""
        return self._alerts.active()

    def sync(self) -> None:
        """Nothing is on its way: all is done at once."""

    def follow(self, holds: Callable[[TableView], bool]) -> None:
        """Nobody is busy here: the table is as far as it can be."""

    def until(self, holds: Callable[[TableView], bool], within_s: float) -> TableView | None:
        """Lets time pass until something holds; None if it did not within the time."""
        end = self.now_s + within_s
        while self.now_s <= end:
            view = self.view()
            if holds(view):
                return view
            self.advance(_LOOK_S)
        return None

    # What goes on behind.

    def enter(self, event: TableEvent, basis: Basis) -> None:
        """An event is entered in the record."""
        self._tracker.enter(event, basis, self.now)

    def _entered(self, entered: Entered) -> None:
        entry, findings, sensed, _ = entered
        if sensed is not None:
            self.sensed.append((self.now_s, sensed))
        if isinstance(entry.event, Hand):
            self._lines.clear()
        self._lines.append(LineView(entry.id, line_of(entry.event), entry.basis, ""))
        for finding in findings:
            self.findings.append((self.now_s, finding))
            self._alerts.raise_(finding, entry.at)

    def _visit(self, name: str) -> None:
        tags = self.table.visit(READERS[name])
        self._taken(name, self._coalescers[name].take(self.now, Sweep(0, tuple(tags))))
        self._taken(name, self._coalescers[name].due(self.now.monotonic_ns))
        self.later(self._cycle_s, lambda: self._visit(name))
        if self._tracker.due(self.now):
            self._tracker.tick(self.now)

    def _taken(self, name: str, readings: list[tuple[Instant, Reading]]) -> None:
        for at, reading in readings:
            self.readings += 1
            self._tracker.reading(Stamped(name, "v", self.readings, at, reading))
