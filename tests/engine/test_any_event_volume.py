"""At least 100,000 sequences of events: no event raises, chips are conserved in every state, corrections are
what they say.

A sequence begins at a table in the midst of play, in every game and under every book: hands that were dealt,
played and disturbed up to some point. From there it goes on for a few events, most of them any events at all.
Every state of it can be asked for what pages and sensing ask; and in some a correction must give the state of
the corrected history.
"""

import pickle
from collections.abc import Sequence
from io import BytesIO
from random import Random
from typing import Any, Final

import msgspec
import pytest

from tablebridge.engine.corrections import CORRECTIONS, may_be_inserted
from tablebridge.engine.games import FORMS, Form
from tablebridge.engine.table import Table
from tablebridge.engine.views import public_view, staff_view
from tablebridge.model import events as ev
from tablebridge.model.instant import START
from tablebridge.rulebooks import BOOKS, Rulebook
from tests.engine.alphabet import alphabet, disturbed, opening
from tests.engine.tables import state

STATES, SEQUENCES, LENGTH = 30, 34, 8
"""Of each game and book: tables in the midst of play, sequences from each of them, events in a sequence at
most.
"""
CORRECTED: Final = 50
NOT_YET: Final = (*CORRECTIONS, ev.Ruling)
PAIRS: Final = [(game, book) for game in FORMS for book in BOOKS]


class Moment:
    """A table at some moment, to be taken up again many times, and the entries that led to it."""

    def __init__(self, table: Table, entries: list[ev.Entry]) -> None:
        self.entries = entries
        self._shared: list[Any] = []
        file = BytesIO()
        pickler = pickle.Pickler(file, protocol=5)
        pickler.persistent_id = self._share  # type: ignore[method-assign]
        pickler.dump(table)
        self._frozen = file.getvalue()

    def table(self) -> Table:
        unpickler = pickle.Unpickler(BytesIO(self._frozen))
        unpickler.persistent_load = self._shared.__getitem__  # type: ignore[method-assign]
        found = unpickler.load()
        assert isinstance(found, Table)
        return found

    def _share(self, one: object) -> int | None:
        """What never changes is not copied."""
        if not isinstance(one, (Rulebook, Form, ev.Entry)):
            return None
        self._shared.append(one)
        return len(self._shared) - 1


def moment(rng: Random, game: str, book: str, *, share: float | None = None) -> Moment:
    """A table of this game and book. `share`: how many of the entries disturb it; no corrections are among
    them.
    """
    table, entries = Table("table 1"), []
    for event in opening(rng, book, game):
        entries.append(ev.Entry(len(entries) + 1, START, event))
        table.apply(entries[-1])
    events = disturbed(
        rng, table, len(entries), share=rng.choice((0.0, 0.0, 0.05)) if share is None else share
    )
    for _ in range(rng.randint(0, 60)):
        event = next(one for one in events if not isinstance(one, NOT_YET))
        entries.append(ev.Entry(len(entries) + 1, START, event, rng.choice(("rfid", "operator", "script"))))
        table.apply(entries[-1])
    return Moment(table, entries)


def holds(table: Table) -> None:
    """What is so in every state."""
    hand = table.hand
    if hand is None:
        return
    chips = hand.chips
    held = sum(chips.stack.values()) + sum(chips.paid.values()) + sum(chips.removed.values())
    assert held + chips.dead_money + chips.raked == sum(chips.start.values()) + chips.from_house
    assert (
        min(
            *hand.chips.stack.values(),
            *hand.chips.paid.values(),
            *hand.chips.bet.values(),
            hand.chips.dead_money,
        )
        >= 0
    )
    assert (0 if hand.over else sum(table.pots)) == (0 if hand.over else table.pot)
    # Too few chips for a raise lie there until their seat completes it, and are no bet yet.
    unfinished = hand.round.unfinished
    bets = [bet for seat, bet in hand.chips.bet.items() if unfinished is None or seat != unfinished.seat]
    assert hand.over or max(bets) <= hand.round.current
    assert hand.round.to_act is None or (hand.round.to_act in hand.live and table.may(hand.round.to_act))


def asked(table: Table) -> None:
    """What pages and sensing ask."""
    for view in (staff_view(table, START), public_view(table, START)):
        assert msgspec.json.encode(view)
    table.expectation()
    for seat in table.seats:
        table.may(seat), table.min_raise(seat), table.max_raise(seat), table.to_call(seat)


def told(entries: Sequence[ev.Entry]) -> str:
    return "\n".join(f"{entry.id} {entry.basis} {entry.event}" for entry in entries)


@pytest.mark.parametrize(("game", "book"), PAIRS)
def test_any_event_in_any_state(game: str, book: str) -> None:
    rng = Random(f"{game} {book}")
    for _ in range(STATES):
        began = moment(rng, game, book)
        for _ in range(SEQUENCES):
            table, entries = began.table(), list(began.entries)
            events = disturbed(rng, table, len(entries), share=0.6)
            try:
                for _ in range(rng.randint(1, LENGTH)):
                    entries.append(
                        ev.Entry(
                            len(entries) + 1, START, next(events), rng.choice(("rfid", "operator", "script"))
                        )
                    )
                    table.apply(entries[-1])
                    holds(table)
                asked(table)
            except Exception as error:
                raise AssertionError(f"{error!r} after\n{told(entries)}") from error


@pytest.mark.parametrize(("game", "book"), PAIRS)
def test_a_correction_gives_the_state_of_the_corrected_history(game: str, book: str) -> None:
    rng = Random(f"corrected {game} {book}")
    for _ in range(CORRECTED):
        began = moment(rng, game, book, share=0.2)
        table, entries = began.table(), began.entries
        target = rng.choice(entries[-25:])
        instead = rng.choice((None, rng.choice(alphabet())))
        if instead is None or isinstance(instead, CORRECTIONS):
            correction: ev.TableEvent = ev.Undo(target.id)
            history = [entry for entry in entries if entry is not target]
        elif may_be_inserted(instead) and rng.random() < 0.4:
            correction, place = ev.Insert(target.id, instead), entries.index(target)
            history = [*entries[:place], ev.Entry(len(entries) + 1, START, instead), *entries[place:]]
        else:
            correction = ev.Amend(target.id, instead)
            history = [ev.Entry(entry.id, START, instead) if entry is target else entry for entry in entries]
        before = state(table)
        ignored = table.apply(ev.Entry(len(entries) + 1, START, correction)).ignored
        right = Table("table 1")
        for entry in history:
            right.apply(entry)
        assert state(table) == (before if ignored else state(right)), f"{correction} after\n{told(entries)}"


def test_there_are_sequences_enough() -> None:
    assert len(PAIRS) * STATES * SEQUENCES >= 100_000
