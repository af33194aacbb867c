"""What people see of the cards before a seat: how many lie there, never which."""

from random import Random

import msgspec
import pytest

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, Inventory
from tablebridge.model.events import Action, Doubt, Entry, InDoubt, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import START, later
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place
from tablebridge.model.presence import SeatRead, Sign
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.dynamics import ASSUMED
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.virtual import VirtualTable

LONG_VISITS = ASSUMED.presence.long_visits
ACES = ("E004010000000001", "E004010000000002")
DECK = Deck("red", {ACES[0]: Card("Ah"), ACES[1]: Card("As")})
PLACES: tuple[Place, ...] = (seat_place(1), seat_place(2), BOARD, BURN, MUCK, STUB)
DEAL = Expectation("deal", (1, 2, 1, 2), (1, 2))
BETTING = Expectation("betting", (), (1, 2), holds={1: 2, 2: 2})


class _Cycles:
    """Antennas that never miss, ten cycles a second."""

    def __init__(self) -> None:
        self.sensor = Sensor(
            {("r", number): place for number, place in enumerate(PLACES)},
            {},
            DeckRegistry(Inventory((DECK,), {})),
        )
        self._sensor_seq = 0
        self.reported: list[TableEvent] = []

    def run(
        self, lies: dict[str, Place], expect: Expectation, count: int = 12
    ) -> list[tuple[str, str, int, int]]:
        for _ in range(count * len(PLACES)):
            antenna = self._sensor_seq % len(PLACES)
            self._sensor_seq += 1
            tags = tuple(tag for tag, place in lies.items() if place == PLACES[antenna])
            at = later(START, self._sensor_seq / 60)
            self.reported += [
                sensed.event
                for sensed in self.sensor.update(
                    Stamped("r", "e", self._sensor_seq, at, Sweep(antenna, tags)), expect
                )
            ]
        return [
            (sign.sign, sign.place, sign.read.lying, sign.read.lifted)
            for sign in self.sensor.presence.take_signs()
        ]


def test_cards_arrive_are_looked_at_come_back_and_are_mucked() -> None:
    table, seat = _Cycles(), seat_place(1)
    table.run({}, DEAL, 1)
    assert table.run({ACES[0]: seat}, DEAL) == [("arrived", "seat 1", 1, 0)]
    assert table.run(dict.fromkeys(ACES, seat), DEAL) == [("arrived", "seat 1", 2, 0)]
    assert table.run({ACES[0]: seat}, BETTING) == [("lifted", "seat 1", 1, 1)]
    assert table.run({}, BETTING) == [("lifted", "seat 1", 0, 2)]
    assert table.sensor.presence.read() == {1: SeatRead(0, 2)}
    back = table.run(dict.fromkeys(ACES, seat), BETTING)
    assert back == [("returned", "seat 1", 1, 1), ("returned", "seat 1", 2, 0)]
    gone = table.run(dict.fromkeys(ACES, MUCK), BETTING)
    assert [sign for sign, *_ in gone if sign != "lifted"] == ["mucked", "mucked"]
    assert gone[-1][1:] == ("seat 1", 0, 0)
    assert table.sensor.presence.read() == {}


def test_a_card_that_goes_to_another_seat_left_the_one_and_arrived_at_the_other() -> None:
    table = _Cycles()
    table.run({}, DEAL, 1)
    table.run({ACES[0]: seat_place(1)}, DEAL)
    signs = table.run({ACES[0]: seat_place(2)}, BETTING, 40)
    assert [(sign, place) for sign, place, *_ in signs if sign in ("left", "arrived")] == [
        ("left", "seat 1"),
        ("arrived", "seat 2"),
    ]
    assert table.sensor.presence.read() == {2: SeatRead(1, 0)}


def test_a_card_that_stays_away_for_long_is_a_doubt_until_it_is_read_again() -> None:
    table, seat = _Cycles(), seat_place(1)
    table.run({}, DEAL, 1)
    table.run(dict.fromkeys(ACES, seat), DEAL)
    table.run({ACES[0]: seat}, BETTING, LONG_VISITS - 20)
    assert not [event for event in table.reported if isinstance(event, Doubt)]
    table.run({ACES[0]: seat}, BETTING, LONG_VISITS)
    (doubt,) = [event for event in table.reported if isinstance(event, Doubt)]
    assert doubt.card == Card("As")
    assert doubt.odds.get(seat, 0.0) < 0.1
    assert max(doubt.odds.values(), default=0.0) < 0.99
    table.run(dict.fromkeys(ACES, seat), BETTING)
    assert [event for event in table.reported if isinstance(event, Doubt)][1:] == [
        Doubt(Card("As"), {seat: 1.0})
    ]


def test_cards_that_are_held_up_after_the_showdown_are_no_doubt() -> None:
    table = _Cycles()
    table.run({}, DEAL, 1)
    table.run(dict.fromkeys(ACES, seat_place(1)), DEAL)
    table.run({}, Expectation("showdown", live=(1,)), 2 * LONG_VISITS)
    assert not [event for event in table.reported if isinstance(event, Doubt)]


def test_a_new_hand_begins_with_nothing_before_the_seats() -> None:
    table = _Cycles()
    table.run({}, DEAL, 1)
    table.run(dict.fromkeys(ACES, seat_place(1)), DEAL)
    table.sensor.begin_hand()
    assert table.sensor.presence.read() == {}


def test_no_sign_names_a_card_or_a_tag() -> None:
    assert {field.name for field in msgspec.structs.fields(Sign)} == {"sign", "place", "read", "at", "sure"}
    assert {field.name for field in msgspec.structs.fields(SeatRead)} == {"lying", "lifted"}


@pytest.mark.parametrize("level", ["clean", "mild", "typical"])
def test_the_counts_agree_with_the_signs_whatever_the_noise(level: str) -> None:
    table = VirtualTable(level, Random(level).randrange(1000))
    for _ in range(3):
        table.play()
        signs = table.sensor.presence.take_signs()
        assert {sign.sign for sign in signs} >= {"arrived", "lifted", "mucked"}
        for sign in signs:
            assert sign.read.lying >= 0
            assert sign.read.lifted >= 0
            assert 0.0 <= sign.sure <= 1.0
        last = {sign.place: sign.read for sign in signs}
        now = {seat_place(seat): read for seat, read in table.sensor.presence.read().items()}
        assert {place: read for place, read in last.items() if read.lying + read.lifted} == now


def fold(number: int, seat: int = 2) -> Entry:
    return Entry(number, START, Action("fold", seat), "operator", by="Boris (operator)")


def entered(cycles: _Cycles, number: int, event: TableEvent) -> None:
    cycles.sensor.observe(Entry(number, START, event, "inferred"))


def test_a_fold_of_a_person_is_in_doubt_when_the_cards_are_still_read_after_five_seconds() -> None:
    cycles = _Cycles()
    lies = {ACES[0]: PLACES[1], ACES[1]: PLACES[1]}
    cycles.run(lies, DEAL, 20)
    folded = msgspec.structs.replace(BETTING, live=(1,))
    cycles.sensor.observe(fold(9))
    cycles.run(lies, folded, 45)
    assert InDoubt(2, 2) not in cycles.reported, "4.5 s"
    cycles.run(lies, folded, 10)
    assert cycles.reported.count(InDoubt(2, 2)) >= 1
    entered(cycles, 10, InDoubt(2, 2))
    before = len(cycles.reported)
    cycles.run(lies, folded, 60)
    assert InDoubt(2, 2) not in cycles.reported[before:], "it is reported once"
    cycles.run({ACES[0]: MUCK, ACES[1]: MUCK}, folded, 40)
    assert InDoubt(2, over=True) in cycles.reported[before:]


def test_a_fold_that_is_taken_back_or_whose_cards_leave_in_time_is_in_no_doubt() -> None:
    cycles = _Cycles()
    lies = {ACES[0]: PLACES[1], ACES[1]: PLACES[1]}
    cycles.run(lies, DEAL, 20)
    cycles.sensor.observe(fold(9))
    cycles.run(lies, msgspec.structs.replace(BETTING, live=(1,)), 40)
    cycles.run(lies, BETTING, 60)
    cycles.run({ACES[0]: MUCK, ACES[1]: MUCK}, msgspec.structs.replace(BETTING, live=(1,)), 60)
    assert not [event for event in cycles.reported if isinstance(event, InDoubt)]


def test_the_doubt_wakes_sensing_though_nothing_is_read() -> None:
    cycles = _Cycles()
    lies = {ACES[0]: PLACES[1], ACES[1]: PLACES[1]}
    cycles.run(lies, DEAL, 20)
    cycles.sensor.observe(fold(9))
    folded = msgspec.structs.replace(BETTING, live=(1,))
    cycles.run(lies, folded, 1)
    assert cycles.sensor.wake_ns is not None
    later_on = later(START, 30)
    assert [sensed.event for sensed in cycles.sensor.due(later_on, folded)] == [InDoubt(2, 2)]
