"""A table whose hands are invented, entered into the real engine and recorded in a real journal, as
`tablebridge engine` would do it: without antennas, since no reading leaves a box.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from tablebridge.app.checkpoints import Checkpoints
from tablebridge.engine.table import Table
from tablebridge.journal.records import PaymentsRecord, entry_of
from tablebridge.journal.store import Journal
from tablebridge.model import events as ev
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.sim.hands import Act, Board, GiveUp, Hand, Show, random_hand

_SEATED: Final = tuple(range(1, 10))
_BLINDS: Final = (50, 100)
_STACK: Final = 10_000


class DealtTable:
    """A table of this name, whose journal is at `path`. Hands follow from the seed. `applied` is called with
    each entry and its findings, once the engine has applied it. `signed`: with the signatures of a box.
    """

    def __init__(self, path: Path, name: str, seed: int = 1, *, signed: bool = False) -> None:
        self.journal = Journal(path, name)
        self.name = name
        self._rng = Random(seed)
        self._button = _SEATED[-1]
        self._began = self.journal.next_number == 1
        self.engine = Table(name)
        self._checkpoints = Checkpoints(self.journal, self.engine) if signed else None
        self.applied: Callable[[ev.Entry, Sequence[Finding]], None] = lambda _entry, _findings: None
        for record in self.journal.records(kind="entry"):
            if (entry := entry_of(record)) is not None:
                self.engine.apply(entry)

    def deal(self, hands: int = 1) -> int:
        """Deal this number of hands; the number of the last record."""
        for _ in range(hands):
            for events in self.hand():
                self.enter(*events)
        return self.journal.next_number - 1

    def hand(self) -> Iterator[tuple[ev.TableEvent, ...]]:
        """The events of the next hand, in steps such as people make."""
        if self._began:
            yield ev.Rules("tda-2022"), ev.Game("nlhe", _BLINDS), ev.Seats(_SEATED)
            yield ev.DeviceState("antennas", "live"), ev.DeckInPlay("red")
            self._began = False
        stacks = dict.fromkeys(_SEATED, _STACK)
        hand = random_hand(self._rng, _SEATED, self._button, _BLINDS, stacks, "nlhe")
        self._button = _SEATED[_SEATED.index(self._button) - 1]
        yield ev.Button(hand.button), ev.Stacks(by_seat=stacks), ev.Hand()
        yield tuple(ev.Deal(seat, card) for seat, card in hand.deal)
        for step in hand.steps:
            yield _events(hand, step)
        yield (ev.End(),)

    def enter(self, *events: ev.TableEvent) -> None:
        """Enter these in one transaction, with what the engine finds."""
        with self.journal.transaction():
            for event in events:
                now = Instant(time.time_ns(), time.monotonic_ns())
                basis: ev.Basis = "rfid" if isinstance(event, ev.Deal | ev.Street | ev.Tabled) else "dealer"
                entry = ev.Entry(self.journal.next_number, now, event, basis, entered=now)
                outcome = self.engine.apply(entry)
                self.applied(entry, outcome.findings)
                self.journal.record("entry", entry)
                for finding in outcome.findings:
                    self.journal.record("finding", finding)
                for hand in outcome.settled:
                    self.journal.record("payments", PaymentsRecord(hand.began, hand.number, hand.paid))
            if self._checkpoints is not None:
                self._checkpoints.due()

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()


def _events(hand: Hand, step: object) -> tuple[ev.TableEvent, ...]:
    match step:
        case Act(seat, kind, amount):
            return (ev.Action(kind, seat, amount or None),)
        case Board(street, cards):
            return ev.Burn(), ev.Street(street, cards)
        case Show(seat):
            return (ev.Tabled(seat, hand.holes[seat]),)
        case GiveUp(seat):
            return (ev.Muck(seat),)
        case _:
            return ()
