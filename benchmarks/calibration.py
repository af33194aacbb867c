"""How well a table calibrates itself: what is learnt from unlabelled readings, against the truth, as hands go
by.

Hands are dealt and read as in `benchmarks/sensing.py`; `tablebridge/antennas/dwell.py` and `calibration.py`
get the readings and nothing else. The truth of an antenna's hit rate is how often cards that lay flat under
it were read, over all hands; the other truths are the figures of the level (`tablebridge/sim/noise.py`).
Given is the mean error over the antennas of seats, board, burns and muck, in points of a percent, and the
other estimates beside the truth.

Then what a measurement with one card is worth to sensing: the errors of the first hands at tables of which
nothing is known, whose antennas differ by a logit. Each card lay there three times; a wrong measurement is
that of another table.

With a folder for pictures, the map of the antennas is drawn that was learnt last at level typical.
"""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

from benchmarks.figures import Figure, Options, Say
from benchmarks.methods import Ours
from benchmarks.scoring import Score
from tablebridge.antennas.calibration import Calibration
from tablebridge.antennas.calibration import learn as learnt_from
from tablebridge.antennas.dwell import DwellCounter, DwellCounts, antenna_name
from tablebridge.antennas.guide import MEASURED
from tablebridge.app.calibration import map_of
from tablebridge.model.learnt import LoneCard
from tablebridge.model.places import STUB, Place
from tablebridge.model.readings import Sweep
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS, Noise
from tablebridge.sim.polling import LINES, PLACES, SEATED, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.sim.table import Table
from tablebridge.web.crosstalk import draw

SEED: Final = 78
NEW_AT: Final = ("typical", "harsh")
"""At these levels there are errors enough to see a difference at new tables."""
TABLES, FEW_TABLES, FIRST_HANDS = 20, 1, 3
TIMES, DIFFER = 3, 1.0
"""How often the card is laid on each place, and by how many logits antennas differ."""
MARKS, QUICK = (1, 3, 10, 30, 100), (1, 3)
BLINDS, BUY_IN = (50, 100), 10_000
_DEVICE: Final = "table"


def learn(
    level: str, marks: tuple[int, ...], seed: int, say: Say
) -> tuple[dict[int, Calibration], dict[str, float]]:
    """What was learnt after each number of hands, and the true hit rate of each antenna."""
    rng = Random(f"{seed} {level}")
    noise, line = LEVELS[level], LINES[level]
    collector = DwellCounter({(_DEVICE, number): place for number, place in enumerate(PLACES)})
    places = {antenna_name(_DEVICE, number): place for number, place in enumerate(PLACES)}
    deck = new_deck(rng)
    lay: Counter[int] = Counter()
    read: Counter[int] = Counter()
    learnt: dict[int, Calibration] = {}
    for number in range(1, marks[-1] + 1):
        say(f"calibration: {level}, hand {number} of {marks[-1]}")
        hand = random_hand(rng, SEATED, rng.choice(SEATED), BLINDS, dict.fromkeys(SEATED, BUY_IN))
        dealing = _Counting(noise, hand, deck, Random(rng.random()))
        for report in poll(dealing, noise, line, RoundRobin(), Random(rng.random())):
            at_ns = round((number * 1000 + report.at_s) * 1e9)
            collector.count_report(_DEVICE, Sweep(report.antenna, report.tags), at_ns)
        lay += dealing.lay
        read += dealing.read
        if number in marks and (result := learnt_from(collector.counts, places)) is not None:
            learnt[number] = result
    return learnt, {antenna_name(_DEVICE, antenna): read[antenna] / lay[antenna] for antenna in lay}


class _Counting(Dealing):
    """Counts, for each antenna, the flat cards of all visits and those that were read."""

    lay: Counter[int]
    read: Counter[int]

    def visit(self, place: Place) -> list[str]:
        tags = super().visit(place)
        antenna = PLACES.index(place)
        for tag in self.flat(place):
            self.lay[antenna] += 1
            self.read[antenna] += tag in tags
        return tags

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.lay, self.read = Counter(), Counter()


def hit_error(learnt: Calibration, truth: dict[str, float]) -> float:
    """Mean distance of the hit rates, but for the stub, of which only the top is read."""
    spots = [spot for spot, antenna in learnt.antennas.items() if antenna.place != STUB]
    return sum(abs(learnt.antennas[spot].hit - truth[spot]) for spot in spots) / len(spots)


def first_hands(level: str, tables: int, hands: int, say: Say) -> dict[str, list[int]]:
    """The errors of the first, second, ... hand, over so many new tables, by what was measured before."""
    noise = LEVELS[level]
    errors: dict[str, list[int]] = {name: [0] * hands for name in ("nothing", "with one card", "wrongly")}
    for table in range(tables):
        rng = Random(f"{SEED} {level} {table}")
        weak, other = _unlike(rng), _unlike(rng)
        deck = new_deck(rng)
        methods = {name: Ours(deck) for name in errors}
        methods["with one card"].sensor.measured(measured(noise, weak, rng))
        methods["wrongly"].sensor.measured(measured(noise, other, rng))
        for number in range(hands):
            say(f"calibration: {level}, new table {table + 1} of {tables}, hand {number + 1}")
            hand = random_hand(rng, SEATED, SEATED[-1], BLINDS, dict.fromkeys(SEATED, BUY_IN))
            dealing = Dealing(noise, hand, deck, Random(rng.random()), weak=weak)
            reports = list(poll(dealing, noise, LINES[level], RoundRobin(), Random(rng.random())))
            for name, ours in methods.items():
                ours.begin_hand()
                named = [(report.at_s, tag, at) for report in reports for tag, at in ours.report(report)]
                score = Score()
                score.add(dealing.landings, named, dealing.end_s)
                errors[name][number] += score.missed + score.false
    return errors


def measured(noise: Noise, weak: Mapping[Place, float], rng: Random) -> dict[str, LoneCard]:
    """By antenna what is measured with one card that is laid on each place."""
    table = Table(noise, rng.randrange(1 << 32), weak=weak)
    counts = DwellCounts()
    for number, place in enumerate(PLACES):
        for _ in range(TIMES):
            table.put(["card"], place)
            reads = sum("card" in table.visit(place) for _ in range(MEASURED))
            if reads:
                counts.add_stay(antenna_name(_DEVICE, number), MEASURED, reads, {})
    return counts.lone_cards()


def _unlike(rng: Random) -> dict[Place, float]:
    """How much worse each antenna is than the others, logits."""
    return {place: rng.gauss(0, DIFFER) for place in PLACES if place != STUB}


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    for level, noise in LEVELS.items():
        learnt, truth = learn(level, QUICK if options.quick else MARKS, SEED, say)
        if options.images and level == "typical":
            picture = draw(map_of(learnt[max(learnt)], 0))
            (options.images / "antennas.svg").write_text(picture, encoding="utf-8")
        for hands, found in learnt.items():
            name = f"{level}, {hands} hands"
            outages = [
                antenna.outage
                for antenna in found.antennas.values()
                if antenna.outage is not None and antenna.place != STUB
            ]
            true_outage = noise.burst_per_s * noise.burst_s / (1 + noise.burst_per_s * noise.burst_s)
            figures += [
                Figure(f"{name}: hit rate, mean error", 100 * hit_error(found, truth), "points"),
                Figure(f"{name}: spread", found.spread, "logits", "true", noise.frailty),
                Figure(f"{name}: edge", 100 * found.edge, "%", "true", 100 * noise.edge),
                Figure(f"{name}: edge read", 100 * found.edge_read, "%", "true", 100 * noise.edge_read),
                Figure(
                    f"{name}: outage",
                    100 * sum(outages) / max(1, len(outages)),
                    "%",
                    "true",
                    100 * true_outage,
                ),
            ]
    tables = FEW_TABLES if options.quick else TABLES
    for level in NEW_AT:
        for name, errors in first_hands(level, tables, FIRST_HANDS, say).items():
            figures += [
                Figure(f"{level}, measured {name}: errors of hand {number}", count / tables, "per hand")
                for number, count in enumerate(errors, 1)
            ]
    return figures
