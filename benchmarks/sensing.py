"""How often sensing is wrong about a card, and how late it is right, beside other methods on the same
readings.

Hands of nine players are dealt in time and read at each level of noise (`tablebridge/sim/dealing.py`,
`polling.py`): placements of lasting quality, cards at an edge, cards in flight over a neighbour, outages,
reports that come late or twice. The methods are those of `benchmarks/methods.py`; the baseline of tablebridge
is the best of the others at that level, by errors. An error is a landing that was missed or a place named
wrongly. Nothing here was fitted to hands of this seed.

`python -m benchmarks.sensing FILE.svg` draws errors against latency, from all methods and levels.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.figures import Figure, Options, Say
from benchmarks.methods import METHODS, Maker
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
_ORACLE: Final = "oracle"


def measure(
    level: str, hands: int, seed: int, say: Say, methods: Mapping[str, Maker] = METHODS
) -> dict[str, Score]:
    """Each method on the same hands."""
    rng = Random(f"{seed} {level}")
    noise, scores = LEVELS[level], {name: Score() for name in methods}
    for number in range(hands):
        say(f"sensing: {level}, hand {number + 1} of {hands}")
        deck = new_deck(rng)
        hand = random_hand(rng, SEATED, rng.choice(SEATED), BLINDS, dict.fromkeys(SEATED, BUY_IN))
        dealing = Dealing(noise, hand, deck, Random(rng.random()))
        reports = list(poll(dealing, noise, LINES[level], RoundRobin(), Random(rng.random())))
        for name, make in methods.items():
            method = make(noise, deck, dealing.landings)
            named: list[tuple[float, str, Place]] = []
            for report in reports:
                named += [(report.at_s, tag, place) for tag, place in method.report(report)]
            scores[name].add(dealing.landings, named, dealing.end_s)
    return scores


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    for level in LEVELS:
        scores = measure(level, QUICK if options.quick else HANDS, SEED, say)
        others = {
            name: score for name, score in scores.items() if name != _OWN and not name.startswith(_ORACLE)
        }
        best = min(others, key=lambda name: others[name].errors)
        for name, score in scores.items():
            if name == _OWN:
                figures += _figures(f"{level}, {name}", score, best, others[best])
                figures += [
                    Figure(f"{level}, {name}: {kind} p{percent}", score.wait_ms(percent, kind), "ms")
                    for kind in KINDS
                    for percent in (50, 99)
                ]
            else:
                figures += _figures(f"{level}, {name}", score)
    return figures


def _figures(name: str, score: Score, base: str = "", reference: Score | None = None) -> list[Figure]:
    """What one method reached. `base`, `reference`: the method that it is compared with, and its score."""
    return [
        Figure(
            f"{name}: errors",
            score.errors,
            f"a hand ±{score.deviation:.2g}",
            base,
            reference.errors if reference else None,
        ),
        Figure(f"{name}: missed", score.missed / score.hands, "a hand"),
        Figure(f"{name}: false", score.false / score.hands, "a hand"),
        Figure(f"{name}: hands without an error", 100 * score.clean / score.hands, "%"),
        *(
            Figure(
                f"{name}: latency p{percent}",
                score.wait_ms(percent),
                "ms",
                base,
                reference.wait_ms(percent) if reference else None,
            )
            for percent in (50, 99)
        ),
    ]


def main(path: Path) -> None:
    panels = []
    for level in ("mild", "typical", "harsh"):
        scores = measure(level, HANDS, SEED, lambda text: print(text, end="\r", file=sys.stderr))
        panels.append(Panel(level, tuple(_point(name, score) for name, score in scores.items())))
    path.write_text(draw(panels), encoding="utf-8")


def _point(name: str, score: Score) -> Point:
    family, _, parameter = name.partition(" ")
    return Point(family, parameter, score.wait_ms(50), score.errors)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
