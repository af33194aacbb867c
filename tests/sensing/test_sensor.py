"""What does not come from card antennas, and what holds for any readings at all."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.model import contacts
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.decks import Deck, Inventory
from tablebridge.model.events import (
    AllinButton,
    Boxed,
    ChipsIn,
    ClonedTag,
    Deal,
    DealerChange,
    DeckCheck,
    DeckInPlay,
    End,
    Entry,
    ForeignTag,
    Hand,
    Shuffler,
    Undo,
)
from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.instant import START, Instant, later
from tablebridge.model.key_events import CallFloor, Exposed, ShufflerLid
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_of, seat_place
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Reading,
    ShufflerReport,
    Stamped,
    Sweep,
    TrayReading,
)
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

RED = Deck("red", {"E004010000000001": Card("Ah"), "E004010000000002": Card("Kd")})
BLUE = Deck("blue", {"E004010000000101": Card("Ah")})
CHIPS = {"E0040200000000" + f"{number:02X}": 100 if number < 8 else 25 for number in range(12)}
PLACES: dict[tuple[str, int], Place] = {
    ("r", 0): seat_place(1),
    ("r", 1): seat_place(2),
    ("r", 2): BOARD,
    ("r", 3): MUCK,
    ("r", 4): STUB,
    ("r", 5): BURN,
    ("r", 6): Place("bet 1"),
}
KEYS = {("r", number): text for number, text in enumerate([*contacts.MEANINGS, contacts.all_in(4)])}
DEAL = Expectation("deal", (1, 2, 1, 2), (1, 2))


def sensor(*decks: Deck) -> Sensor:
    return Sensor(PLACES, KEYS, DeckRegistry(Inventory(decks or (RED,), CHIPS)))


def stamped(reading: Reading, number: int = 1, seconds: float = 0.0) -> Stamped:
    return Stamped("r", "e", number, later(START, seconds), reading)


def sweeps(
    one: Sensor, antenna: int, tags: tuple[str, ...], numbers: range, expect: Expectation = DEAL
) -> list[Any]:
    """The events of one sweep that repeats, ten a second."""
    return [
        sensed.event
        for number in numbers
        for sensed in one.update(stamped(Sweep(antenna, tags), number, number / 10), expect)
    ]


def press(one: Sensor, meaning: str) -> list[Any]:
    number = next(contact for (_, contact), text in KEYS.items() if text == meaning)
    assert one.update(stamped(ButtonPress(number, False)), NOTHING) == ()
    return [(sensed.event, sensed.basis) for sensed in one.update(stamped(ButtonPress(number)), NOTHING)]


@pytest.mark.parametrize(
    ("meaning", "event"),
    [
        (contacts.HAND, Hand()),
        (contacts.KEY_END, End()),
        (contacts.KEY_BOXED, Boxed(UNKNOWN)),
        (contacts.KEY_DEALER_CHANGE, DealerChange()),
        (contacts.KEY_DECK_CHECK, DeckCheck(state="begin")),
        (contacts.KEY_FLOOR, CallFloor()),
        (contacts.KEY_EXPOSED, Exposed()),
        (contacts.all_in(4), AllinButton(4)),
    ],
)
def test_a_contact_reports_its_event_when_it_closes(meaning: str, event: object) -> None:
    assert press(sensor(), meaning) == [(event, "button")]


def test_the_undo_key_with_nothing_to_take_back_shows_nothing() -> None:
    assert press(sensor(), contacts.KEY_UNDO) == []


def test_the_lid_of_the_shuffler_reports_that_it_opens_and_that_it_closes() -> None:
    one, number = (
        sensor(),
        next(contact for (_, contact), text in KEYS.items() if text == contacts.SHUFFLER_LID),
    )
    reported = [one.update(stamped(ButtonPress(number, pressed)), NOTHING) for pressed in (True, False)]
    assert [[(sensed.event, sensed.basis) for sensed in each] for each in reported] == [
        [(ShufflerLid(True), "button")],
        [(ShufflerLid(False), "button")],
    ]


def test_the_lid_is_no_key_that_the_undo_key_takes_back() -> None:
    one = sensor()
    one.observe(Entry(7, START, CallFloor(), "button"))
    one.observe(Entry(8, START, ShufflerLid(True), "button"))
    assert press(one, contacts.KEY_UNDO) == [(Undo(7), "button")]


def test_the_undo_key_takes_back_the_last_key_once() -> None:
    one = sensor()
    one.observe(Entry(7, START, AllinButton(4), "button"))
    one.observe(Entry(8, START, Deal(1, Card("Ah")), "rfid"))
    assert press(one, contacts.KEY_UNDO) == [(Undo(7), "button")]
    one.observe(Entry(9, START, Undo(7), "button"))
    assert press(one, contacts.KEY_UNDO) == []


def test_the_undo_key_does_not_take_back_the_end_of_a_hand() -> None:
    one = sensor()
    one.observe(Entry(7, START, AllinButton(4), "button"))
    one.observe(Entry(8, START, End(), "button"))
    assert press(one, contacts.KEY_UNDO) == []


def test_shuffler_and_contact_begin_one_hand() -> None:
    one = sensor()
    assert [sensed.event for sensed in one.update(stamped(ShufflerReport("started")), NOTHING)] == [
        Shuffler("started"),
        Hand(),
    ]
    one.begin_hand()
    one.observe(Entry(1, START, Hand(), "shuffler"))
    assert press(one, contacts.HAND) == []
    assert [sensed.event for sensed in one.update(stamped(ShufflerReport("started")), NOTHING)] == [
        Shuffler("started")
    ]
    assert [sensed.event for sensed in one.update(stamped(ShufflerReport("ready")), NOTHING)] == [
        Shuffler("ready")
    ]
    one.observe(Entry(2, START, Deal(1, Card("Ah")), "rfid"))
    assert press(one, contacts.HAND) == [(Hand(), "button")]


def test_a_shuffler_report_keeps_faces_it_can_read() -> None:
    reported = sensor().update(stamped(ShufflerReport("boxed", 51, ("Ah", "nonsense"))), NOTHING)
    assert [(sensed.event, sensed.basis) for sensed in reported] == [
        (Shuffler("boxed", (Card("Ah"), UNKNOWN), 51), "shuffler")
    ]


def test_chips_that_come_together_are_one_event() -> None:
    one = sensor()
    tags = tuple(CHIPS)[6:10]
    reported = [
        sensed.event
        for number in range(12)
        for sensed in one.update(stamped(Sweep(6, tags[: 1 + min(number, 3)]), number, number / 10), NOTHING)
    ]
    assert reported == [ChipsIn(1, (100, 100, 25, 25))]
    assert sweeps(one, 6, (), range(12, 60)) == []


def test_time_reports_chips_where_the_spot_falls_silent() -> None:
    one = sensor()
    one.update(stamped(Sweep(6, tuple(CHIPS)[:1], 2)), NOTHING)
    assert one.wake_ns is not None
    assert [sensed.event for sensed in one.due(Instant(0, one.wake_ns), NOTHING)] == [ChipsIn(1, (100,))]
    assert one.wake_ns is None


def test_tags_of_no_deck_and_of_another_deck_are_reported_once() -> None:
    one = Sensor(PLACES, KEYS, DeckRegistry(Inventory((RED, BLUE), CHIPS, "red")))
    tags = ("E0FFFFFFFFFFFFFF", "E004010000000101", next(iter(CHIPS)))
    assert sweeps(one, 2, tags, range(10)) == [ForeignTag(BOARD, None), ForeignTag(BOARD, "blue")]


def test_of_two_decks_that_take_turns_a_third_is_foreign() -> None:
    green = Deck("green", {"E004010000000201": Card("Ah")})
    one = Sensor(PLACES, KEYS, DeckRegistry(Inventory((RED, BLUE, green), CHIPS, at_table=("red", "blue"))))
    one.begin_hand()
    assert sweeps(one, 0, tuple(green.cards), range(6)) == [ForeignTag(seat_place(1), "green")]
    assert sweeps(one, 0, tuple(BLUE.cards), range(6, 12)) == [DeckInPlay("blue"), Deal(1, Card("Ah"))]


def test_the_first_card_of_a_hand_says_which_deck_is_in_play() -> None:
    one = sensor(RED, BLUE)
    one.begin_hand()
    reported = sweeps(one, 0, ("E004010000000101",), range(6))
    assert reported == [DeckInPlay("blue"), Deal(1, Card("Ah"))]
    for event in reported:
        one.observe(Entry(1, START, event, "rfid"))
    assert sweeps(one, 1, ("E004010000000002",), range(6)) == [ForeignTag(seat_place(2), "red")]


def test_a_tag_at_two_places_at_once_is_a_copy() -> None:
    one = sensor()
    reported = []
    for number in range(60):
        for antenna in (0, 1):
            for sensed in one.update(stamped(Sweep(antenna, ("E004010000000001",)), number), DEAL):
                reported.append(sensed.event)
                one.observe(Entry(len(reported), START, sensed.event, sensed.basis))
    assert sum(isinstance(event, ClonedTag) for event in reported) == 1
    assert ClonedTag(Card("Ah"), (seat_place(1), seat_place(2))) in reported


@pytest.mark.parametrize("typed", ["Ah", "Kd"])
def test_a_card_that_the_operator_entered_is_not_reported_again_whatever_face_he_typed(typed: str) -> None:
    one = sensor()
    expect = Expectation("deal", (2, 1, 2), (1, 2), holds={1: 1})
    one.observe(Entry(1, START, Deal(1, Card(typed)), "operator"))
    assert sweeps(one, 0, ("E004010000000001",), range(80), expect) == []


def test_a_card_of_unknown_face_that_was_entered_is_not_dealt_twice() -> None:
    one = sensor()
    expect = Expectation("deal", (2, 1, 2), (1, 2), holds={1: 1})
    one.observe(Entry(1, START, Deal(1, UNKNOWN), "operator"))
    assert sweeps(one, 0, ("E004010000000001",), range(9), expect) == []


tags = st.sampled_from([*RED.cards, *BLUE.cards, *list(CHIPS)[:3], "", "E0", "zz", "E0FFFFFFFFFFFFFF"])
readings: st.SearchStrategy[Reading] = st.one_of(
    st.builds(
        Sweep,
        st.integers(-1, 8),
        st.lists(tags, max_size=6).map(tuple),
        st.integers(-3, 500),
        complete=st.booleans(),
    ),
    st.builds(ButtonPress, st.integers(-1, 12), st.booleans()),
    st.builds(
        ShufflerReport,
        st.sampled_from(["ok", "boxed", "started", "ready", "jam"]),
        st.none() | st.integers(),
        st.lists(st.text(max_size=3), max_size=3).map(tuple),
    ),
    st.builds(
        TrayReading,
        st.lists(tags, max_size=4).map(tuple),
        st.dictionaries(st.integers(), st.integers(), max_size=3),
    ),
    st.builds(DeviceStatus, st.sampled_from(["ok", "failed"])),
)
expectations = st.builds(
    Expectation,
    st.sampled_from(["idle", "deal", "betting", "burn", "street", "showdown"]),
    st.lists(st.integers(1, 10), max_size=4).map(tuple),
    street=st.just("preflop"),
    next_street=st.sampled_from(["", "flop", "turn", "river", "third"]),
    board_due=st.integers(0, 3),
    holds=st.dictionaries(st.integers(1, 10), st.integers(0, 3), max_size=3),
    burn_due=st.booleans(),
)
steps = st.lists(
    st.tuples(
        readings, expectations, st.sampled_from(["update", "update", "update", "due", "begin", "observe"])
    ),
    max_size=60,
)


def run(given_steps: list[tuple[Reading, Expectation, str]]) -> list[Any]:
    one = sensor(RED, BLUE)
    reported: list[Any] = []
    for number, (reading, expect, what) in enumerate(given_steps):
        new: tuple[Any, ...] = ()
        if what == "begin":
            one.begin_hand()
        elif what == "due":
            new = one.due(later(START, number), expect)
        else:
            new = one.update(stamped(reading, number, number / 7), expect)
        for sensed in new:
            reported.append(sensed)
            if what == "observe":
                one.observe(Entry(len(reported), START, sensed.event, sensed.basis))
    return reported


@given(steps)
@settings(max_examples=150)
def test_any_readings_are_taken_and_a_replay_reports_the_same(
    given_steps: list[tuple[Reading, Expectation, str]],
) -> None:
    reported = run(given_steps)
    assert run(given_steps) == reported
    assert all(0 <= sensed.sure <= 1 for sensed in reported)


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.booleans(), st.integers(1, 20), st.booleans(), expectations),
        max_size=60,
    )
)
@settings(max_examples=150)
def test_a_card_is_at_one_place_only(visits: list[tuple[int, bool, int, bool, Expectation]]) -> None:
    cards = BayesFilter()
    for antenna, read, count, complete, expect in visits:
        cards.locate(
            AntennaReport(PLACES["r", antenna], ("T",) if read else (), count, complete=complete), expect
        )
        odds = cards.odds("T")
        assert sum(odds.values()) <= 1.01
        assert 0 <= cards.gone("T") <= 1
        assert seat_of(cards.place("T")) in (None, 1, 2)


def test_a_replay_of_a_noisy_hand_reports_the_same(felt: Callable[..., Any]) -> None:
    table = felt(miss=0.2, cross=0.02, seed=5)
    table.deal("Ah Kd", "2c 7d", "Ts 9s")
    again, reported = table.new_sensor(), []
    again.begin_hand()
    for one, expect in table.calls:
        for sensed in again.update(one, expect):
            reported.append(sensed)
            again.observe(Entry(len(reported), one.at, sensed.event, sensed.basis))
    assert reported == table.sensed
