"""How often sensing is wrong about a card, and how late it is right, beside other methods on the same
readings.

Hands of nine players are dealt in time and read at each level of noise (`tablebridge/sim/dealing.py`,
`polling.py`): placements of lasting quality, cards at an edge, cards in flight over a neighbour, outages,
reports that come late or twice. The methods are those of `benchmarks/methods.py`; the baseline of tablebridge
is the best of the others at that level, by errors. An error is a landing that was missed or a place named
wrongly; before errors are counted tablebridge is given the end of the hand, as at a table. All hands of a
level are dealt at one table, with one deck, from the left of the same button: the first of them at a table
about which nothing is known yet. Nothing here was fitted to hands of this seed.

With a folder for pictures, errors against latency are drawn (sensing.svg), for all levels but the clean one.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from benchmarks.figures import Figure, Options, Say
from benchmarks.methods import METHODS, Maker, Ours, end_hand
from benchmarks.plot import Panel, Point, draw
from benchmarks.scoring import Score
from tablebridge.model.places import Place
from tablebridge.sim.dealing import KINDS, Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import LINES, SEATED, RoundRobin, poll
from tablebridge.sim.rig import new_deck

SEED: Final = 20_261
HANDS, QUICK = 100, 5
BLINDS, BUY_IN = (50, 100), 10_000
_OWN: Final = "tablebridge"
_KNOWN: Final = "known"


def measure(
    level: str, hands: int, seed: int, say: Say, methods: Mapping[str, Maker] = METHODS
) -> dict[str, Score]:
    """Each method on the same hands."""
    rng = Random(f"{seed} {level}")
    noise, scores = LEVELS[level], {name: Score() for name in methods}
    deck = new_deck(rng)
    ours: dict[str, Ours] = {}
    for number in range(hands):
        say(f"sensing: {level}, hand {number + 1} of {hands}")
        hand = random_hand(rng, SEATED, SEATED[-1], BLINDS, dict.fromkeys(SEATED, BUY_IN))
        dealing = Dealing(noise, hand, deck, Random(rng.random()))
        reports = list(poll(dealing, noise, LINES[level], RoundRobin(), Random(rng.random())))
        for name, make in methods.items():
            method = ours.get(name) or make(noise, deck, dealing.landings)
            if isinstance(method, Ours):
                ours[name] = method
                method.begin_hand()
            named: list[tuple[float, str, Place]] = []
            for report in reports:
                named += [(report.at_s, tag, place) for tag, place in method.report(report)]
            named += [(dealing.end_s, tag, place) for tag, place in end_hand(method)]
            scores[name].add(dealing.landings, named, dealing.end_s)
    return scores


def run(options: Options, say: Say) -> list[Figure]:
    figures: list[Figure] = []
    panels = []
    for level in LEVELS:
        scores = measure(level, QUICK if options.quick else HANDS, SEED, say)
        panels.append(Panel(level, tuple(_point(name, score) for name, score in scores.items())))
        others = {name: score for name, score in scores.items() if name != _OWN and _KNOWN not in name}
        best = min(others, key=lambda name: others[name].errors)
        for name, score in scores.items():
            figures += _figures(level, name, score, (best, others[best]) if name == _OWN else None)
        figures += [
            Figure(f"{level}, {_OWN}, {kind}: latency p{percent}", scores[_OWN].wait_ms(percent, kind), "ms")
            for kind in KINDS
            for percent in (50, 99)
        ]
    if options.images:
        (options.images / "sensing.svg").write_text(draw(panels[1:]), encoding="utf-8")
    return figures


def _figures(level: str, name: str, score: Score, best: tuple[str, Score] | None) -> Iterator[Figure]:
    """Of one method at one level; `best`: the baseline, by name."""
    base, other = best or ("", None)

    def beside(measure: str, unit: str, of: Callable[[Score], float]) -> Figure:
        return Figure(f"{level}, {name}: {measure}", of(score), unit, base, of(other) if other else None)

    yield beside("errors", f"per hand ±{score.deviation:.2g}", lambda of: of.errors)
    yield Figure(f"{level}, {name}: missed", score.missed / score.hands, "per hand")
    yield Figure(f"{level}, {name}: false", score.false / score.hands, "per hand")
    yield Figure(f"{level}, {name}: hands without an error", 100 * score.clean / score.hands, "%")
    yield beside("latency p50", "ms", lambda of: of.wait_ms(50))
    yield beside("latency p99", "ms", lambda of: of.wait_ms(99))


def _point(name: str, score: Score) -> Point:
    family, _, parameter = name.partition(" ")
    return Point(family, parameter.removesuffix(", known"), score.wait_ms(50), score.errors)
