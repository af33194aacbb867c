"""Journals of many tables from hands that the real engine was given once.

A few tables are dealt at, irregularities included, and what the engine wrote is written again into the
journal of each table: under its own name, with salts and hashes of its own, in the same transactions. To run
the engine for each of a thousand tables would measure the engine.
"""

import heapq
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from benchmarks.figures import Say
from tablebridge.journal.reader import ChainReader
from tablebridge.journal.store import Journal, Kind
from tablebridge.model import events as ev
from tablebridge.model.places import Place
from tablebridge.sim.room.dealt import DealtTable

HAND_S: Final = 120.0
"""Seconds from one hand to the next: thirty in an hour."""
_IRREGULAR: Final = 5
_MIDDLE: Final = 2
_SAID_S: Final = 1.0

Step = tuple[tuple[Kind, bytes], ...]
"""What one transaction of the engine wrote."""
Hands = Sequence[Sequence[Step]]


def dealt_hands(hands: int, seed: int) -> Hands:
    """Hands of one table; in every fifth a card lies where none belongs."""
    with tempfile.TemporaryDirectory(prefix="tb-dealt-") as folder:
        path = Path(folder) / "dealt.sqlite"
        table = DealtTable(path, "dealt", seed)
        try:
            return [_dealt(table, path, number % _IRREGULAR == _IRREGULAR - 1) for number in range(hands)]
        finally:
            table.close()


def _dealt(table: DealtTable, path: Path, irregular: bool) -> list[Step]:
    ends = [table.journal.next_number]
    for at, events in enumerate(table.hand()):
        table.enter(*events)
        if irregular and at == _MIDDLE:
            table.enter(ev.ForeignTag(Place("board")))
        ends.append(table.journal.next_number)
    reader = ChainReader(path)
    try:
        rows = reader.after(ends[0] - 1, ends[-1])
    finally:
        reader.close()
    steps = [
        tuple((msgspec.convert(row.kind, Kind), row.body) for row in rows if begin <= row.number < end)
        for begin, end in pairwise(ends)
    ]
    return [step for step in steps if step]


def records_of(hands: Hands) -> int:
    """How many records they have."""
    return sum(len(step) for hand in hands for step in hand)


def _record(journal: Journal, step: Step) -> int:
    number = 0
    for kind, body in step:
        number = journal.record(kind, msgspec.Raw(body))
    return number


class Life:
    """Tables that are dealt at as fast as people deal. `journals`: by table; each is somewhere else in its
    first hand, what came before is in its journal. To be closed.
    """

    def __init__(self, journals: Mapping[str, Path], dealt: Sequence[Hands], seed: int = 1) -> None:
        rng = Random(seed)
        self._journals = {table: Journal(path, table) for table, path in journals.items()}
        self._steps = {
            table: [
                (hand + (at + 1) / (len(steps) + 1), step)
                for hand, steps in enumerate(dealt[number % len(dealt)])
                for at, step in enumerate(steps)
            ]
            for number, table in enumerate(journals)
        }
        self._played_s = 0.0
        self.committed: dict[tuple[str, int], float] = {}
        """By table and number of the last record when a transaction was on the disk, in seconds of the wall
        clock.
        """
        self.records = 0
        """How many records are in the journals."""
        self.late_s = 0.0
        """How far the dealing itself fell behind, at most."""
        self._due = [self._begun(table, rng.random()) for table in journals]
        heapq.heapify(self._due)

    def play(self, seconds: float, say: Say) -> None:
        """Deal for this time, from where it stopped."""
        began = time.monotonic() - self._played_s
        said = 0.0
        until = self._played_s + seconds
        while self._due and self._due[0][0] < until:
            due, table, at = heapq.heappop(self._due)
            wait_s = began + due - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            else:
                self.late_s = max(self.late_s, -wait_s)
            if due - said > _SAID_S:
                said = due
                say(f"{due:.0f} of {until:.0f} s at the speed of life, {len(self.committed)} commits")
            self._step(due, table, at)
        time.sleep(max(0.0, began + until - time.monotonic()))
        self._played_s = until

    def _begun(self, table: str, phase: float) -> tuple[float, str, int]:
        """When the next step of a table is due that is so far in its first hand."""
        steps = self._steps[table]
        at = min(sum(moment < phase for moment, _ in steps), len(steps) - 1)
        with self._journals[table].transaction():
            for _, step in steps[:at]:
                _record(self._journals[table], step)
                self.records += len(step)
        return (steps[at][0] - phase) * HAND_S, table, at

    def _step(self, due: float, table: str, at: int) -> None:
        steps = self._steps[table]
        journal = self._journals[table]
        with journal.transaction():
            number = _record(journal, steps[at][1])
        self.committed[table, number] = time.time()
        self.records += len(steps[at][1])
        if at + 1 < len(steps):
            heapq.heappush(self._due, (due + (steps[at + 1][0] - steps[at][0]) * HAND_S, table, at + 1))

    def rest(self) -> None:
        """Write what is left of all hands at once, one transaction per table."""
        for _, table, at in self._due:
            journal = self._journals[table]
            with journal.transaction():
                for _, step in self._steps[table][at:]:
                    _record(journal, step)
                    self.records += len(step)
        self._due = []

    def close(self) -> None:
        """Close the journals."""
        for journal in self._journals.values():
            journal.close()
