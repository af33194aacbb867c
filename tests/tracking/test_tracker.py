"""The loop of sensing and engine: what is sensed is entered once, in order, and a replay leaves it so."""

from collections.abc import Iterator

from tablebridge.engine.table import Table
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.events import Button, Deal, DeviceState, Entry, Game, Hand, Rules, Seats, Stacks
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, STUB, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.follower import Follower
from tablebridge.tracking.tracker import Entered, Tracker

PLACES = [seat_place(1), seat_place(2), BOARD, BURN, STUB]
TAGS = {card: f"E00401{number:010X}" for number, card in enumerate(DECK_52, 1)}
SETUP = (Rules("tda-2022"), Game("nlhe", (50, 100)), Seats((1, 2)), Button(1), Stacks(everyone=5000), Hand())
DEALT = [(1, "Ah"), (0, "Kd"), (1, "Qc"), (0, "Js")]
"""The antenna and the card, in the order of the deal; a fifth card then comes to seat 1."""


def sensor() -> Sensor:
    places = {("reader", number): place for number, place in enumerate(PLACES)}
    return Sensor(places, {}, DeckRegistry.of({tag: card for card, tag in TAGS.items()}))


def readings(deal: list[tuple[int, str]]) -> Iterator[Stamped]:
    """Cards come one by one; all antennas are visited five times after each."""
    there: dict[int, list[str]] = {number: [] for number in range(len(PLACES))}
    seq = 0
    for antenna, card in deal:
        there[antenna].append(TAGS[Card(card)])
        for _ in range(5):
            for number in there:
                seq += 1
                at = Instant(0, seq * 10_000_000)
                yield Stamped("reader", "e", seq, at, Sweep(number, tuple(there[number])))


def started() -> tuple[Tracker, list[Entered]]:
    kept: list[Entered] = []
    tracker = Tracker(sensor(), Table("one"), entered=kept.append)
    for event in SETUP:
        tracker.enter(event, "operator", Instant(0, 0))
    return tracker, kept


def test_each_card_is_entered_as_the_engine_then_expects_it() -> None:
    tracker, kept = started()
    returned = [entered for stamped in readings(DEALT) for entered in tracker.reading(stamped)]
    assert [entered.entry.event for entered in returned] == [
        Deal(2, Card("Ah")),
        Deal(1, Card("Kd")),
        Deal(2, Card("Qc")),
        Deal(1, Card("Js")),
    ]
    assert kept[len(SETUP) :] == returned
    assert all(entered.sensed is not None and entered.entry.evidence for entered in returned)
    assert all(entered.sensed is None for entered in kept[: len(SETUP)])


def test_an_entry_gets_its_number_after_what_came_of_the_one_before_was_kept() -> None:
    rows: list[Entry | Finding] = []

    def keep(entered: Entered) -> None:
        rows.extend((entered.entry, *entered.findings))

    tracker = Tracker(sensor(), Table("one"), lambda: len(rows) + 1, keep)
    for event in (*SETUP, DeviceState("reader", "lost"), DeviceState("reader", "live")):
        tracker.enter(event, "operator", Instant(0, 0), by="Olga (operator)")
    assert any(isinstance(row, Finding) for row in rows)
    assert all(row.id == number for number, row in enumerate(rows, 1) if isinstance(row, Entry))


def test_a_replay_leaves_engine_and_sensing_as_they_were() -> None:
    """Whatever is replayed in between, the cards that come afterwards are entered alike."""
    alive, kept = started()
    *before, after = [list(readings(DEALT)), list(readings([*DEALT, (0, "7h")]))[len(DEALT) * 25 :]]
    again = Tracker(sensor(), Table("one"), lambda: kept[-1].entry.id)
    for entered in kept:
        assert again.replay(entered.entry) == entered
    for stamped in before[0]:
        concluded = again.replay_reading(stamped)
        entries = alive.reading(stamped)
        assert list(concluded) == [entered.sensed for entered in entries]
        for entered in entries:
            assert again.replay(entered.entry) == entered._replace(sensed=None)
    later = [[event.entry.event for event in alive.reading(stamped)] for stamped in after]
    assert later == [[event.entry.event for event in again.reading(stamped)] for stamped in after]
    assert any(later)


def test_the_stand_in_engine_expects_the_deal_then_burn_and_street() -> None:
    follower, phases = Follower((1, 2), 1), []
    tracker = Tracker(sensor(), follower)
    for stamped in readings([*DEALT, (3, "2c"), (2, "3c"), (2, "4c"), (2, "5c")]):
        phases.append(follower.expectation().phase)
        tracker.reading(stamped)
    assert list(dict.fromkeys(phases)) == ["deal", "burn", "street"]
