"""Laws of the fold that hold for any events in any order."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablebridge.engine.table import Table
from tablebridge.engine.views import public_view, staff_view
from tablebridge.model import events as ev
from tablebridge.model.cards import DECK_52, UNKNOWN, face
from tablebridge.model.events import Entry, TableEvent
from tablebridge.model.instant import START
from tablebridge.model.sentences import sentence_of
from tests.engine.strategies import ANY_EVENT, BASIS, BETTING, BOOK, CARD_EVENTS, CORRECTIONS, GAME, SETUP
from tests.engine.tables import Script, state, words

STEPS = st.lists(st.tuples(ANY_EVENT, BASIS), max_size=40)
WITH_CORRECTIONS = st.lists(st.tuples(ANY_EVENT | CORRECTIONS, BASIS), max_size=40)
PLAY = st.lists(st.tuples(CARD_EVENTS | BETTING | BETTING | st.just(ev.End()), BASIS), max_size=40)
BOUNDED = settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
SOME = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
FACE = re.compile("|".join(rf"\b{card}\b" for card in DECK_52))


def _chips(table: Table) -> int:
    hand = table.hand
    assert hand is not None
    return (
        sum(hand.chips.stack.values())
        + sum(hand.chips.paid.values())
        + hand.chips.dead_money
        + hand.chips.raked
        + sum(hand.chips.removed.values())
    )


@BOUNDED
@given(WITH_CORRECTIONS, BOOK, GAME)
def test_no_event_raises_in_any_state(steps: list[tuple[TableEvent, ev.Basis]], book: str, game: str) -> None:
    script = Script(*SETUP, ev.Rules(book), ev.Game(game, (50, 100)), ev.Hand())
    for event, basis in steps:
        script.play(event, basis=basis)
        state(script.table)


@BOUNDED
@given(st.lists(st.tuples(ANY_EVENT | CORRECTIONS, BASIS), max_size=15))
def test_no_event_raises_on_a_table_without_setup(steps: list[tuple[TableEvent, ev.Basis]]) -> None:
    script = Script()
    for event, basis in steps:
        script.play(event, basis=basis)
        state(script.table)


@BOUNDED
@given(STEPS, BOOK, GAME)
def test_chips_are_conserved(steps: list[tuple[TableEvent, ev.Basis]], book: str, game: str) -> None:
    script = Script(*SETUP, ev.Rules(book), ev.Game(game, (50, 100)), ev.Hand())
    for event, basis in steps:
        script.play(event, basis=basis)
        hand = script.table.hand
        assert hand is not None
        assert _chips(script.table) == sum(hand.chips.start.values())
        assert all(
            amount >= 0
            for amount in (
                *hand.chips.stack.values(),
                *hand.chips.paid.values(),
                *hand.chips.bet.values(),
                hand.chips.dead_money,
            )
        )
        if hand.over:
            assert script.table.pot == 0
        else:
            assert sum(script.table.pots) == script.table.pot


@BOUNDED
@given(PLAY)
def test_the_next_hand_always_begins_clean(steps: list[tuple[TableEvent, ev.Basis]]) -> None:
    script = Script(*SETUP, ev.Hand())
    for event, basis in steps:
        script.play(event, basis=basis)
    # Who has no chips any more cannot play; everybody gets some, so that a hand is possible.
    script.play(ev.End(), ev.Stacks(everyone=5000), ev.Hand())
    table = script.table
    assert table.street == "preflop" and table.board == () and table.incomplete == () and table.pot == 150
    assert table.to_act is not None and all(table.cards_of(seat) == () for seat in table.seats)


@SOME
@given(WITH_CORRECTIONS)
def test_the_same_entries_give_the_same_state(steps: list[tuple[TableEvent, ev.Basis]]) -> None:
    one, other = Script(*SETUP, ev.Hand()), Script(*SETUP, ev.Hand())
    for event, basis in steps:
        assert one.play(event, basis=basis) == other.play(event, basis=basis)
    assert state(one.table) == state(other.table) == state(one.table.copy())


@SOME
@given(STEPS, st.data())
def test_an_undo_gives_the_state_without_the_entry(
    steps: list[tuple[TableEvent, ev.Basis]], data: st.DataObject
) -> None:
    events = [(event, "script") for event in SETUP] + [
        (ev.Hand(), "script"),
        *((event, basis) for event, basis in steps if not isinstance(event, (ev.Hand, ev.Ruling))),
    ]
    entries = [Entry(number, START, event, basis) for number, (event, basis) in enumerate(events, 1)]
    gone = data.draw(st.integers(1, len(entries)), label="undone")
    undone, never = Table("table 1"), Table("table 1")
    for entry in entries:
        undone.apply(entry)
        if entry.id != gone:
            never.apply(entry)
    undone.apply(Entry(len(entries) + 1, START, ev.Undo(gone)))
    assert state(undone) == state(never)
    undone.apply(Entry(len(entries) + 2, START, ev.Undo(len(entries) + 1)))
    again = Table("table 1")
    for entry in entries:
        again.apply(entry)
    assert state(undone) == state(again)


@SOME
@given(STEPS, ANY_EVENT, st.data())
def test_an_amendment_gives_the_state_of_the_other_event(
    steps: list[tuple[TableEvent, ev.Basis]], instead: TableEvent, data: st.DataObject
) -> None:
    events = [(event, "script") for event in SETUP] + [
        (ev.Hand(), "script"),
        *((event, basis) for event, basis in steps if not isinstance(event, (ev.Hand, ev.Ruling))),
    ]
    entries = [Entry(number, START, event, basis) for number, (event, basis) in enumerate(events, 1)]
    target = data.draw(st.integers(1, len(entries)), label="amended")
    amended, right = Table("table 1"), Table("table 1")
    for entry in entries:
        amended.apply(entry)
        right.apply(Entry(entry.id, START, instead) if entry.id == target else entry)
    amended.apply(Entry(len(entries) + 1, START, ev.Amend(target, instead)))
    if not isinstance(instead, ev.Ruling):
        assert state(amended) == state(right)


@BOUNDED
@given(STEPS)
def test_no_face_is_told_in_words_or_shown_to_who_may_not_see_it(
    steps: list[tuple[TableEvent, ev.Basis]],
) -> None:
    script = Script(*SETUP, ev.Hand())
    for event, basis in steps:
        outcome = script.play(event, basis=basis)
        table = script.table
        for finding in outcome.findings:
            assert not FACE.search(sentence_of(finding))
            assert set(finding.public_cards) <= set(finding.cards)
        for reason in (*table.incomplete, outcome.ignored):
            assert not FACE.search(reason)
        for view in (staff_view(table, START), public_view(table, START)):
            shown = {card for seat in view.seats for card in seat.faces} | set(view.board)
            assert all(table.is_public(card) for card in shown if face(card) != UNKNOWN)


@SOME
@given(STEPS)
def test_whose_turn_it_is_has_a_choice(steps: list[tuple[TableEvent, ev.Basis]]) -> None:
    script = Script(*SETUP, ev.Hand())
    for event, basis in steps:
        script.play(event, basis=basis)
        seat = script.table.to_act
        if seat is not None:
            assert seat in script.table.live and script.table.may(seat)
            assert words(script.table.open_findings) is not None
