"""How often sensing is wrong about a card in other games than hold'em, and how late it is right.

Hands of each game are planned by the hand engine and dealt in time (`benchmarks/planned.py`), with the noise
that hold'em has at each level. Sensing stands before the engine as in a box: bets and hands that stand pat
are typed, cards are read. An error is a landing that was missed or a place named wrongly, as in
`benchmarks/sensing.py`; the games have different numbers of cards, so errors are given for 100 landings. The
baseline is hold'em from the same generator at the same level. An alarm is a finding above `info` in a hand in
which nothing was wrong.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from benchmarks.figures import Figure, Options, Say
from benchmarks.planned import GameDealing, plan
from benchmarks.scoring import Score
from tablebridge.engine.games import FORMS, Form
from tablebridge.engine.table import Table as Engine
from tablebridge.model import events as ev
from tablebridge.model.cards import Card, deck_of
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place, card_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import LINES, PLACES, PLACES_UP, Report, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.tracking.tracker import Entered, Tracker

SEED: Final = 8_128
TABLES, HANDS, QUICK = 2, 10, 6
BASE: Final = "nlhe"
WITH_UP: Final = " with up antennas"
GAMES: Final = (BASE, "plo", "plo6", "nlhe-2b", "stud", f"stud{WITH_UP}", "draw5", "td27")
NOISY: Final = ("mild", "typical", "harsh")
WITHIN: Final = 2.0
"""Sensing is to make no more than so many times the errors of hold'em."""
_SECOND_NS: Final = 1_000_000_000


class Counted(msgspec.Struct):
    """What sensing did at some tables. `alarms`: findings above `info`, by name."""

    score: Score = msgspec.field(default_factory=Score)
    alarms: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def errors(self) -> float:
        """For 100 landings."""
        return 100 * (self.score.missed + self.score.false) / self.score.landings

    @property
    def alarms_a_hand(self) -> float:
        return sum(self.alarms.values()) / self.score.hands


class Box:
    """Sensing before the engine, hand after hand of one table."""

    def __init__(
        self, deck: Mapping[Card, str], counted: Counted, antennas: Sequence[Place] = PLACES
    ) -> None:
        places = {("table", number): place for number, place in enumerate(antennas)}
        self._sensor = Sensor(places, {}, DeckRegistry.of({tag: card for card, tag in deck.items()}))
        self._engine = Engine("box")
        self._tracker = Tracker(self._sensor, self._engine, entered=self._entered)
        self._counted = counted
        self._readings = 0
        self._began_s = 1.0
        self._last: list[tuple[int, float]] = []

    def play(self, dealing: GameDealing, reports: Sequence[Report]) -> None:
        """One hand, and its score."""
        for event in dealing.planned.before:
            self._tracker.enter(event, "operator", self._at(0.0))
        said = list(dealing.said)
        named: list[tuple[float, str, Place]] = []
        for report in reports:
            while said and said[0][0] <= report.at_s:
                self._say(*said.pop(0))
            named += self._read(report)
        for at_s, event in said:
            self._say(at_s, event)
        self._tracker.enter(ev.End(), "button", self._at(dealing.end_s))
        named += [(dealing.end_s, move.tag, move.place) for move in self._sensor.moves]
        self._began_s += dealing.end_s + 5.0
        landings = [replace(landing, place=card_place(landing.place)) for landing in dealing.landings]
        self._counted.score.add(landings, named, dealing.end_s)

    def _say(self, at_s: float, event: ev.TableEvent) -> None:
        self._tracker.before(event, self._at(at_s))
        self._tracker.enter(event, "operator", self._at(at_s))

    def _read(self, report: Report) -> Iterator[tuple[float, str, Place]]:
        visit = (report.antenna, report.visited_s)
        if visit in self._last:
            return
        self._last = [*self._last[-63:], visit]
        self._readings += 1
        at = self._at(report.at_s)
        self._tracker.reading(Stamped("table", "e", self._readings, at, Sweep(report.antenna, report.tags)))
        for move in self._sensor.moves:
            yield report.at_s, move.tag, move.place
        if self._tracker.due(at):
            self._tracker.tick(at)

    def _at(self, at_s: float) -> Instant:
        ns = round((self._began_s + at_s) * _SECOND_NS)
        return Instant(ns, ns)

    def _entered(self, entered: Entered) -> None:
        for finding in entered.findings:
            if finding.severity != "info":
                name = f"{finding.finding} {finding.cause or ''}".strip()
                self._counted.alarms[name] = self._counted.alarms.get(name, 0) + 1


def measure(
    level: str, game: str, tables: int, hands: int, seed: int, say: Say = lambda text: None
) -> Counted:
    """Some hands of a game at each of some tables, about which nothing is known at first."""
    counted = Counted()
    up = game.endswith(WITH_UP)
    antennas, name = PLACES_UP if up else PLACES, game.removesuffix(WITH_UP)
    noise, form = LEVELS[level], FORMS[name]
    for table in range(tables):
        rng = Random(f"{seed} {level} {name} {table}")
        deck = new_deck(rng)
        box = Box(deck, counted, antennas)
        seats = range(1, most_seats(form) + 1)
        for number in range(hands):
            say(f"games: {level}, {game}, table {table + 1}, hand {number + 1} of {hands}")
            planned = plan(rng, name, tuple(seats))
            dealing = GameDealing(noise, planned, deck, Random(rng.random()), up_antennas=up)
            chance = Random(rng.random())
            reports = list(poll(dealing, noise, LINES[level], RoundRobin(), chance, antennas))
            box.play(dealing, reports)
    return counted


def most_seats(form: Form) -> int:
    """How many play: those for whom there are cards, with some to spare for draws."""
    drawn = 3 * form.dealt if form.last.draw else 0
    cards = (len(deck_of(form.deck)) - form.board * form.boards - 8 - drawn) // form.hole
    return min(9, form.most_seats, form.table_seats, max(cards, 6))


def run(options: Options, say: Say) -> list[Figure]:
    figures: list[Figure] = []
    tables, hands = (1, QUICK) if options.quick else (TABLES, HANDS)
    seed = SEED if options.seed is None else options.seed
    for level in NOISY:
        found = {game: measure(level, game, tables, hands, seed, say) for game in GAMES}
        for game, counted in found.items():
            figures += _figures(level, game, counted, found[BASE])
    return figures


def _figures(level: str, game: str, counted: Counted, base: Counted) -> Iterator[Figure]:
    """Of one game at one level; `base`: hold'em."""

    def figure(measure: str, unit: str, of: Callable[[Counted], float], limit: float | None = None) -> Figure:
        beside = of(base) if game != BASE else None
        return Figure(f"{level}, {game}: {measure}", of(counted), unit, BASE if beside else "", beside, limit)

    limit = WITHIN if game != BASE and base.errors else None
    yield figure("errors", "per 100 landings", lambda of: of.errors, limit)
    yield Figure(f"{level}, {game}: landings", counted.score.landings / counted.score.hands, "per hand")
    yield Figure(f"{level}, {game}: alarms", counted.alarms_a_hand, "per hand")
    yield figure("latency p50", "ms", lambda of: of.score.wait_ms(50))
    yield figure("latency p99", "ms", lambda of: of.score.wait_ms(99))
