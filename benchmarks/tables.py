"""How often sensing is wrong at tables that differ from those it was set on.

First tables with a single difference from a level of noise: fields that reach further, a muck beside the
board, seats whose labels are rotated against the antennas. Their stubs answer down to the lowest card, to
their own antenna and to those beside it, which is the hardest. Then tables that are drawn from a family in
which everything varies: noise, how much antennas differ, cross-reading of neighbours and of antennas far
away, geometry, readers, rhythm, players, game. `--family N --seed S` draws others; the same seed draws the
same tables.

At each table a few hands are dealt one after the other, the first of them at a table about which nothing is
known yet. The methods are those of `benchmarks/methods.py` and get the same readings; `hmm, known` knows the
true noise and geometry of the table and says what a method for single cards can reach. Of the drawn tables
the figures are the mean errors a hand of the worst tenth of them, of nine in ten at most, of half of them at
most, and the share of tables without an error; the worst three for tablebridge are described, so that each
can be looked into. With a folder for pictures, the distribution is drawn (tables.svg).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from statistics import pstdev
from typing import Final

import msgspec

from benchmarks.figures import Figure, Options, Say, percentile
from benchmarks.games import Box, Counted, most_seats
from benchmarks.methods import Hmm, Method, Ours, Smurf, Window, end_hand
from benchmarks.planned import GameDealing, plan
from benchmarks.scoring import Score
from benchmarks.spread import draw
from tablebridge.engine.games import FORMS
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place
from tablebridge.sim.dealing import Dealing, Motion
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS, Noise
from tablebridge.sim.polling import LINES, PLACES, SEATED, Line, Report, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.sim.table import NOT_WEAK, STUB_DEPTH, Near, touching

SEED: Final = 1_605
TABLES, HANDS, SEEDS = 20, 4, 2
QUICK_HANDS: Final = 1
BLINDS, BUY_IN = (50, 100), 10_000
OWN: Final = "tablebridge"
PICTURE: Final = "tables.svg"
NOISY: Final = ("mild", "typical", "harsh")
HOLDEM: Final = "nlhe"
PLAYED: Final = (HOLDEM, HOLDEM, HOLDEM, "plo", "plo6", "nlhe-2b", "stud", "td27")
"""The games of the drawn tables."""
_WORST: Final = 3


class TableKind(msgspec.Struct, frozen=True):
    """A table as it is drawn. `line`: how its antennas are read. `rotated`: by how many seats the labels are
    off. `muck_by_board`: the fields of the two touch. `tempo`: how many times as fast everybody moves.
    `players`: how many seats are dealt in, from the first; fewer, if the game has no cards for so many.
    `depth`: how many cards of the stub answer. `weak`: what an antenna adds to the miss logit of its cards,
    by place.
    """

    level: str
    noise: Noise
    line: Line
    rotated: int = 0
    muck_by_board: bool = False
    tempo: float = 1.0
    players: int = len(SEATED)
    depth: int = len(DECK_52)
    weak: Mapping[Place, float] = NOT_WEAK
    game: str = HOLDEM

    @property
    def near(self) -> Near:
        """The antennas next to each."""
        return geometry(self.rotated, muck_by_board=self.muck_by_board)

    @property
    def seated(self) -> tuple[int, ...]:
        """The seats that are dealt in."""
        return SEATED[: min(self.players, most_seats(FORMS[self.game]))]

    def __str__(self) -> str:
        noise, line = self.noise, self.line
        return (
            f"{self.level}, miss {noise.single:.2g}, far {noise.far:.2g}, anywhere {noise.anywhere:.2g}, "
            f"edge {noise.edge:.2g}/{noise.edge_read:.2g}, ghost {noise.ghost:.2g}, rotated {self.rotated}, "
            f"{'muck by board, ' if self.muck_by_board else ''}{line.readers} readers, "
            f"tempo {self.tempo:.2g}, {self.game}, {len(self.seated)} players, depth {self.depth}, "
            f"antennas ±{pstdev(self.weak.values()) if self.weak else 0:.1f}"
        )


def geometry(rotated: int = 0, *, muck_by_board: bool = False) -> Near:
    """The antennas next to each at a table of nine seats, whose labels are off by `rotated` seats."""
    seats = [seat_place((position + rotated) % len(SEATED) + 1) for position in range(len(SEATED))]
    pairs: list[tuple[Place, Place]] = list(pairwise(seats))
    pairs += [(STUB, BURN), (STUB, MUCK), (BURN, BOARD), (MUCK, seats[0]), (STUB, seats[-1])]
    return touching([*pairs, (MUCK, BOARD)] if muck_by_board else pairs)


def as_level(level: str, **noise: float) -> TableKind:
    """A table of a level, with some of its noise changed."""
    return TableKind(level, msgspec.structs.replace(LEVELS[level], **noise), LINES[level])


SINGLE: Final[dict[str, TableKind]] = {
    **{level: as_level(level) for level in NOISY},
    "typical, far cross-reading x100": as_level("typical", far=0.01),
    "mild, cross-reading 0.3 %": as_level("mild", far=0.003),
    "mild, cross-reading 1 %": as_level("mild", far=0.01),
    "harsh, cross-reading 5 %": as_level("harsh", far=0.05),
    "typical, cross-reading 0.1 % of all by all": as_level("typical", anywhere=0.001),
    "typical, muck beside the board": msgspec.structs.replace(as_level("typical"), muck_by_board=True),
    **{
        f"typical, labels rotated by {seats}": msgspec.structs.replace(as_level("typical"), rotated=seats)
        for seats in (1, 4)
    },
    "typical, four weak antennas": msgspec.structs.replace(
        as_level("typical"), weak={seat_place(3): 2.0, seat_place(7): 1.5, BOARD: 1.5, BURN: 1.5}
    ),
    "harsh, antennas that differ": msgspec.structs.replace(
        as_level("harsh"), weak={place: 1.2 * (-1) ** number for number, place in enumerate(PLACES)}
    ),
}
"""Tables with one difference from a level, by what is different."""


def drawn(rng: Random) -> TableKind:
    """A table of the family."""
    level = rng.choice(NOISY)
    own = LEVELS[level]

    def about(value: float) -> float:
        return min(0.5, value * _log_uniform(rng, 0.5, 2.0))

    noise = msgspec.structs.replace(
        own,
        single=about(own.single),
        stack=about(own.stack),
        dead=about(own.dead),
        edge=about(own.edge),
        edge_read=about(own.edge_read),
        far=_log_uniform(rng, 1e-5, 5e-2),
        ghost=_log_uniform(rng, 1e-6, 1e-3),
        pass_over=about(own.pass_over),
        burst_per_s=about(own.burst_per_s),
        anywhere=_log_uniform(rng, 1e-6, 2e-3) if rng.random() < 0.25 else 0.0,
    )
    return TableKind(
        level,
        noise,
        msgspec.structs.replace(LINES[level], readers=rng.choice((1, 2, 4))),
        rng.randrange(len(SEATED)) if rng.random() < 0.5 else 0,
        rng.random() < 0.3,
        _log_uniform(rng, 0.4, 2.5),
        rng.randint(2, len(SEATED)),
        rng.choice((STUB_DEPTH, len(DECK_52))),
        _unlike(rng),
        rng.choice(PLAYED),
    )


def _unlike(rng: Random) -> dict[Place, float]:
    """How much worse each antenna is than the others: not at all at some tables, a logit at others."""
    spread = rng.choice((0.0, 0.5, 1.0))
    return {place: rng.gauss(0, spread) for place in PLACES if place != STUB} if spread else {}


def _log_uniform(rng: Random, low: float, high: float) -> float:
    return float(low * (high / low) ** rng.random())


class Observer:
    """One method at one table, hand after hand."""

    def __init__(self, begin_hand: Callable[[], Method]) -> None:
        self._begin_hand = begin_hand
        self.score = Score()

    def watch(self, reports: Sequence[Report], dealing: Motion) -> None:
        """Concludes from the reports of a hand, and scores it."""
        method = self._begin_hand()
        named = [(report.at_s, tag, place) for report in reports for tag, place in method.report(report)]
        named += [(dealing.end_s, tag, place) for tag, place in end_hand(method)]
        self.score.add(dealing.landings, named, dealing.end_s)


class BoxObserver:
    """Sensing with the engine behind it, which other games than hold'em need."""

    def __init__(self, deck: dict[Card, str]) -> None:
        self._counted = Counted()
        self._box = Box(deck, self._counted)

    @property
    def score(self) -> Score:
        """Of the hands so far."""
        return self._counted.score

    def watch(self, reports: Sequence[Report], dealing: Motion) -> None:
        """As `Observer.watch`."""
        assert isinstance(dealing, GameDealing)
        self._box.play(dealing, reports)


def _own(table: TableKind, deck: dict[Card, str]) -> Observer | BoxObserver:
    if table.game != HOLDEM:
        return BoxObserver(deck)
    ours = Ours(deck, table.seated)

    def next_hand() -> Ours:
        ours.begin_hand()
        return ours

    return Observer(next_hand)


METHODS: Final[dict[str, Callable[[TableKind, dict[Card, str]], Observer | BoxObserver]]] = {
    OWN: _own,
    "hmm, known": lambda table, _deck: Observer(lambda: Hmm(table.noise, 0.999, table.near, table.weak)),
    "window 3/5": lambda *_: Observer(lambda: Window(3, 5)),
    "smurf 3": lambda *_: Observer(lambda: Smurf(3)),
}


def measure(
    table: TableKind, hands: int, rng: Random, methods: Collection[str] = METHODS.keys()
) -> dict[str, Score]:
    """The scores of some methods on the same hands of one table."""
    deck = new_deck(rng)
    observers = {name: METHODS[name](table, deck) for name in methods}
    for _ in range(hands):
        dealing = _dealt(table, deck, rng)
        reports = list(poll(dealing, table.noise, table.line, RoundRobin(), Random(rng.random())))
        for observer in observers.values():
            observer.watch(reports, dealing)
    return {name: observer.score for name, observer in observers.items()}


def _dealt(table: TableKind, deck: dict[Card, str], rng: Random) -> Motion:
    """The next hand of a table."""
    as_built = (table.near, table.tempo, table.depth, table.weak)
    if table.game != HOLDEM:
        planned = plan(rng, table.game, table.seated)
        return GameDealing(table.noise, planned, deck, Random(rng.random()), *as_built)
    hand = random_hand(rng, table.seated, table.seated[-1], BLINDS, dict.fromkeys(table.seated, BUY_IN))
    return Dealing(table.noise, hand, deck, Random(rng.random()), *as_built)


def run(options: Options, say: Say) -> list[Figure]:
    seed = SEED if options.seed is None else options.seed
    hands = QUICK_HANDS if options.quick else HANDS
    figures: list[Figure] = []
    for name, table in SINGLE.items():
        scores: list[dict[str, Score]] = []
        for number in range(1 if options.quick else SEEDS):
            say(f"tables: {name}, table {number + 1}")
            scores.append(measure(table, hands, Random(f"{seed} {name} {number}")))
        figures += _single(name, scores)
    count = options.family if options.family is not None else 3 if options.quick else TABLES
    tables = [drawn(Random(f"{seed} {number}")) for number in range(count)]
    found = []
    for number, table in enumerate(tables):
        say(f"tables: {number + 1} of {count}: {table}")
        found.append(measure(table, hands, Random(f"{seed} {number} hands")))
    if options.images and found:
        errors = {name: [scores[name].errors for scores in found] for name in found[0]}
        (options.images / PICTURE).write_text(draw(errors), encoding="utf-8")
    return figures + list(_distribution(tables, found))


def _single(name: str, scores: Sequence[dict[str, Score]]) -> Iterator[Figure]:
    """The mean errors of each method over tables of one kind."""
    for method in scores[0]:
        errors = [score[method].errors for score in scores]
        yield Figure(f"{name}: {method}", sum(errors) / len(errors), "per hand")


def _distribution(tables: Sequence[TableKind], found: Sequence[dict[str, Score]]) -> Iterator[Figure]:
    """How the errors a hand of each method are spread over the drawn tables, and the worst tables."""
    if not found:
        return
    for method in found[0]:
        errors = sorted(scores[method].errors for scores in found)
        worst = errors[-max(1, len(errors) // 10) :]
        yield Figure(f"drawn, worst tenth: {method}", sum(worst) / len(worst), "per hand")
        yield Figure(f"drawn, nine in ten at most: {method}", percentile(errors, 90), "per hand")
        yield Figure(f"drawn, half at most: {method}", percentile(errors, 50), "per hand")
        yield Figure(f"drawn, without an error: {method}", 100 * errors.count(0) / len(errors), "%")
    order = sorted(range(len(tables)), key=lambda number: -found[number][OWN].errors)
    for number in order[:_WORST]:
        for method, score in found[number].items():
            yield Figure(f"{number}. {tables[number]}: {method}", score.errors, "per hand")
