"""Whether a finding costs more the longer the night, or the hand, has been.

One table plays the same hundred hands of two to nine players over and over, so that only what lies behind it
grows: 10,000 hands are what a table deals in a month of nights. In each hand the clock is called on a seat,
which is a finding. A second table gets one finding after another in a single hand that never ends. The figure
is the median of a hundred, late against early.
"""

import time
from random import Random
from typing import Final

from benchmarks.engine import SEED, entries, invented
from benchmarks.figures import Figure, Options, Say, median
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.instant import START

ROUND: Final = 100
NIGHT, QUICK = (100, 1000, 10_000), (100, 1000)
LONG: Final = (100, 1000, 10_000)
LIMIT: Final = 1.25
"""How much more the last may cost than the first: so much two measurements of the same differ on a busy
machine.
"""


def disturbed(rng: Random) -> list[ev.TableEvent]:
    """A hand, and after its deal a finding."""
    hand = [entry.event for entry in entries(invented(rng))]
    begin = next(at for at, event in enumerate(hand) if isinstance(event, ev.Action))
    return [*hand[:begin], ev.Clock(1), *hand[begin:]]


def night(hands: int, marks: tuple[int, ...], say: Say) -> dict[int, tuple[float, float]]:
    """Up to each mark: the median seconds of a hand and of its finding, over the last hundred hands before
    it.
    """
    rng = Random(SEED)
    rounds = [disturbed(rng) for _ in range(ROUND)]
    table, entry = Table("table"), 0
    found: dict[int, tuple[float, float]] = {}
    whole: list[float] = []
    finding: list[float] = []
    for number in range(1, hands + 1):
        began = time.perf_counter()
        for event in rounds[number % ROUND]:
            entry += 1
            if isinstance(event, ev.Clock):
                at = time.perf_counter()
                outcome = table.apply(ev.Entry(entry, START, event))
                finding.append(time.perf_counter() - at)
                assert outcome.findings
            else:
                table.apply(ev.Entry(entry, START, event))
        whole.append(time.perf_counter() - began)
        if number in marks:
            say(f"night: {number} hands")
            found[number] = median(whole), median(finding)
        if number % ROUND == 0:
            whole.clear()
            finding.clear()
    return found


def long_hand(marks: tuple[int, ...]) -> dict[int, float]:
    """Up to each mark: the median seconds of a finding, over the last hundred of a hand."""
    table, entry = Table("table"), 0
    for event in disturbed(Random(SEED))[:8]:
        entry += 1
        table.apply(ev.Entry(entry, START, event))
    spent: list[float] = []
    for number in range(1, marks[-1] + 1):
        began = time.perf_counter()
        table.apply(ev.Entry(entry + number, START, ev.Clock(1)))
        spent.append(time.perf_counter() - began)
    return {mark: median(spent[mark - ROUND : mark]) for mark in marks}


def run(options: Options, say: Say) -> list[Figure]:
    marks = QUICK if options.quick else NIGHT
    first, *later = marks
    played, long = night(marks[-1], marks, say), long_hand(LONG)
    figures = []
    for mark in later:
        hand, finding = played[mark]
        early = played[first]
        figures += [
            Figure(f"a hand after {mark} hands", hand * 1e6, "µs", f"after {first}", early[0] * 1e6, LIMIT),
            Figure(
                f"a finding after {mark} hands", finding * 1e6, "µs", f"after {first}", early[1] * 1e6, LIMIT
            ),
        ]
    figures += [
        Figure(
            f"finding {mark} of one hand",
            long[mark] * 1e6,
            "µs",
            f"finding {LONG[0]}",
            long[LONG[0]] * 1e6,
            LIMIT,
        )
        for mark in LONG[1:]
    ]
    return figures
