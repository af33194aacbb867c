"""What is gained if a reader visits the antennas at which something happens more often than the others.

Hands are dealt as in `benchmarks/sensing.py` and read in three ways: in rounds; by what each reader sees by
itself (`tablebridge/sdk/visiting.py`); and with hints, too, of what is due, from the order of the deal and
from cards of which sensing is not sure. Sensing is tablebridge's own in each. Readers are as at the level,
and one reader for all antennas besides, where there is most to gain. Every way has the same hands, not the
same readings: what is read depends on what is visited.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from benchmarks.figures import Figure, Options, Say
from benchmarks.methods import Ours
from benchmarks.scoring import Score
from tablebridge.model.places import BOARD, BURN, MUCK, Place, seat_of, seat_place
from tablebridge.sdk.visiting import Visiting
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import (
    LINES,
    PLACES,
    SEATED,
    Line,
    Report,
    RoundRobin,
    Schedule,
    antennas_of,
    poll,
)
from tablebridge.sim.rig import new_deck

SEED: Final = 31
HANDS, QUICK = 100, 4
BLINDS, BUY_IN = (50, 100), 10_000
DUE: Final = 4.0
WAYS: Final = ("rounds", "by itself", "with hints")


class Local:
    """Each reader by itself."""

    def __init__(self, readers: int) -> None:
        self._readers = {antennas: Visiting(antennas) for antennas in antennas_of(readers)}

    def choose(self, antennas: Sequence[int], now_s: float) -> int:
        return self._readers[tuple(antennas)].choose(now_s)

    def report(self, report: Report) -> None:
        for antennas, reader in self._readers.items():
            if report.antenna in antennas:
                reader.visited(report.antenna, report.tags)

    def say(self, interests: dict[int, float]) -> None:
        for reader in self._readers.values():
            reader.say(interests)


class Hinted(Local):
    """With hints of what is due. `note_places`: what sensing concludes comes back here."""

    def __init__(self, readers: int) -> None:
        super().__init__(readers)
        self._due = [*SEATED, *SEATED]
        self._at: dict[str, Place] = {}
        self._missed: dict[str, int] = {}

    def note_places(self, named: list[tuple[str, Place]]) -> None:
        for tag, place in named:
            self._at[tag] = place
            seat = seat_of(place)
            if seat in self._due:
                self._due.remove(seat)

    def report(self, report: Report) -> None:
        super().report(report)
        here = PLACES[report.antenna]
        for tag, place in self._at.items():
            if place == here:
                self._missed[tag] = 0 if tag in report.tags else self._missed.get(tag, 0) + 1
        self.say(self._interests())

    def _interests(self) -> dict[int, float]:
        interests = {}
        if self._due:
            for seat in self._due[:2]:
                interests[PLACES.index(seat_place(seat))] = DUE
        elif any(missed > 3 and seat_of(self._at[tag]) is not None for tag, missed in self._missed.items()):
            interests[PLACES.index(MUCK)] = DUE
        else:
            interests[PLACES.index(BURN)] = interests[PLACES.index(BOARD)] = 2.0
        return interests


def measure(level: str, line: Line, way: str, hands: int, seed: int, say: Say) -> Score:
    """Sensing on readings that were scheduled in a way."""
    rng = Random(f"{seed} {level}")
    noise, score = LEVELS[level], Score()
    for number in range(hands):
        say(f"schedule: {level}, {line.readers} readers, {way}, hand {number + 1} of {hands}")
        deck = new_deck(rng)
        hand = random_hand(rng, SEATED, SEATED[-1], BLINDS, dict.fromkeys(SEATED, BUY_IN))
        dealing = Dealing(noise, hand, deck, Random(rng.random()))
        schedule: Schedule = (
            RoundRobin()
            if way == WAYS[0]
            else Local(line.readers)
            if way == WAYS[1]
            else Hinted(line.readers)
        )
        ours = Ours(deck)
        named: list[tuple[float, str, Place]] = []
        for report in poll(dealing, noise, line, schedule, Random(rng.random())):
            concluded = list(ours.report(report))
            named += [(report.at_s, tag, place) for tag, place in concluded]
            if isinstance(schedule, Hinted):
                schedule.note_places(concluded)
        score.add(dealing.landings, named, dealing.end_s)
    return score


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    for level in LEVELS:
        for line in dict.fromkeys((LINES[level], msgspec.structs.replace(LINES[level], readers=1))):
            base: Score | None = None
            for way in WAYS:
                score = measure(level, line, way, QUICK if options.quick else HANDS, SEED, say)
                name = f"{level}, {line.readers} reader{'s' if line.readers > 1 else ''}, {way}"
                figures += [
                    Figure(
                        f"{name}: {kind} p{percent}",
                        score.wait_ms(percent, kind),
                        "ms",
                        WAYS[0] if base else "",
                        base.wait_ms(percent, kind) if base else None,
                    )
                    for kind in ("deal", "burn", "board", "muck")
                    for percent in (50, 99)
                ]
                figures.append(
                    Figure(
                        f"{name}: errors",
                        score.errors,
                        f"per hand ±{score.deviation:.2g}",
                        WAYS[0] if base else "",
                        base.errors if base else None,
                    )
                )
                base = base or score
    return figures
