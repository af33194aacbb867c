"""What is kept of a table on disk, with the entries that can still be corrected, is the table."""

from collections.abc import Iterator

import msgspec
import pytest
from hands.suite import hands, path_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablebridge.cli.scripts import load
from tablebridge.engine.history import KeptHistory
from tablebridge.engine.script.reader import Script
from tablebridge.engine.table import Table
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.events import (
    AllinButton,
    Amend,
    Basis,
    Cut,
    Deal,
    DeckCheck,
    DeviceState,
    Doubt,
    Entry,
    Game,
    Hand,
    Insert,
    Names,
    Rules,
    Ruling,
    Seen,
    Shuffled,
    TableEvent,
    Undo,
)
from tablebridge.model.instant import START
from tablebridge.model.places import BOARD, FLOOR
from tests.attributes import differences
from tests.engine.strategies import ANY_EVENT, BASIS, BOOK, CORRECTIONS, GAME, SETUP
from tests.engine.tables import Script as PlayedScript

PARTS = 4
"""The number of tests among which the scripts are divided."""
TIMES = 3
"""A hand is far enough back to be uncorrectable when two more have begun."""


def restored(table: Table, log: list[Entry]) -> Table:
    """The table that is made of what is kept of this one."""
    kept = msgspec.json.decode(msgspec.json.encode(table.kept()), type=KeptHistory)
    again = Table(table.name)
    again.restore(kept, [entry for entry in log if entry.id >= kept.since])
    return again


def repeated(script: Script) -> Iterator[Entry]:
    """The entries of a script, played over and over."""
    length = max(statement.number for statement in script.statements)
    for past in range(0, TIMES * length, length):
        for statement in script.statements:
            event = statement.event
            if isinstance(event, (Undo, Amend, Insert)):
                event = msgspec.structs.replace(event, entry=event.entry + past)
            yield Entry(statement.number + past, START, event)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_table_is_restored_whole_at_every_hand_of_every_script(part: int) -> None:
    compared = 0
    for name in hands()[part::PARTS]:
        script = load(path_of(name))
        types = {type(statement.event) for statement in script.statements}
        table, log = Table("table"), list[Entry]()
        table.reports(
            shuffles=not types.isdisjoint({Shuffled, Cut}),
            checks=DeckCheck in types,
            buttons=AllinButton in types,
        )
        for entry in repeated(script):
            before = table.street
            log.append(entry)
            table.apply(entry)
            ended = table.street != before and table.street in ("over", "void")
            if ended or isinstance(entry.event, (Hand, Undo, Amend, Insert)):
                assert differences(table, restored(table, log)) == [], f"{name}, entry {entry.id}"
                compared += 1
    assert compared > 500


MANY = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
HANDS = st.lists(st.tuples(ANY_EVENT | CORRECTIONS | st.just(Hand()), BASIS), max_size=60)


@MANY
@given(HANDS, BOOK, GAME)
def test_any_table_is_restored_whole(steps: list[tuple[TableEvent, Basis]], book: str, game: str) -> None:
    script = PlayedScript(*SETUP, Rules(book), Game(game, (50, 100)), Hand())
    table = script.table
    for event, basis in steps:
        script.play(event, basis=basis)
    log = table._log
    again = restored(table, log)
    assert differences(table, again) == []
    more = Entry(len(script.outcomes) + 1, START, Undo(len(script.outcomes)))
    assert again.apply(more) == table.apply(more)
    assert differences(table, again) == []


def test_what_hidden_faces_and_devices_leave_is_restored_too() -> None:
    script = PlayedScript(*SETUP, Names({1: "Ann"}), Hand())
    faces = iter(DECK_52)
    script.play(*(Deal(seat, next(faces)) for _ in range(2) for seat in (1, 2, 3, 4)), basis="rfid")
    for _ in range(3):
        script.play(Seen(Card("Ks"), FLOOR), basis="operator")
        script.play(Undo(len(script.outcomes)), basis="operator")
    script.play(Ruling("misdeal"), DeviceState("board", "lost", (BOARD,)), basis="operator")
    script.play(Doubt(Card("2c"), {BOARD: 0.5}), DeviceState("muck", "live", health="failed"))
    script.play(Hand())
    table = script.table
    kept, untouched = table.kept(), Table("table").kept()
    for name in ("claims", "probed", "lasting"):
        assert getattr(kept, name) != getattr(untouched, name), name
    for name in ("names", "lost", "doubts", "device_findings"):
        assert getattr(table.fold.setup, name), name
    script.play(Hand(), Hand())
    assert differences(script.table, restored(script.table, script.table._log)) == []


def test_the_misdeal_that_a_ruling_overruled_is_kept_though_it_was_amended_since() -> None:
    script = PlayedScript(*SETUP, Hand())
    script.play(Deal(3, Card("2c")), Deal(9, Card("2d")), Ruling("play-on"))
    wrong_seat = len(script.outcomes) - 2
    assert script.table._play_on == {wrong_seat + 2: wrong_seat}
    script.play(Amend(wrong_seat, Deal(1, Card("2c"))))
    assert script.table.street == "void"
    assert differences(script.table, restored(script.table, script.table._log)) == []


def test_a_table_goes_on_as_if_it_had_not_been_restored() -> None:
    for name in hands()[::25]:
        table, twin, log = Table("table"), Table("table"), list[Entry]()
        for entry in repeated(load(path_of(name))):
            log.append(entry)
            assert twin.apply(entry) == table.apply(entry), f"{name}, entry {entry.id}"
            twin = restored(twin, log)
        assert differences(table, twin) == []
