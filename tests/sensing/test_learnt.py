"""What sensing has learnt of a table as a hand begins is all that the readings of the hand need to be sensed
again in the same way.
"""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from tablebridge.model.instant import Instant
from tablebridge.model.learnt import NOTHING_LEARNT, LearntTable, PairCounts, PlaceCounts
from tablebridge.model.places import seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.cards.card_filter import Move
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import LINES, PLACES, SEATED, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.tracking.follower import Follower
from tablebridge.tracking.tracker import Tracker
from tests.attributes import differences

LOUD = msgspec.structs.replace(LEVELS["harsh"], far=0.02)
ANTENNAS = {("table", number): place for number, place in enumerate(PLACES)}


class Hands:
    """Hands of one deck, each with the readings of its antennas."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self.deck = new_deck(self._rng)

    def next(self) -> list[Stamped]:
        rng = self._rng
        hand = random_hand(rng, SEATED, SEATED[-1], (50, 100), dict.fromkeys(SEATED, 10_000))
        dealing = Dealing(LOUD, hand, self.deck, Random(rng.random()))
        return [
            Stamped(
                "table",
                "e",
                number,
                Instant(round(report.at_s * 1e9), round(report.at_s * 1e9)),
                Sweep(report.antenna, report.tags),
            )
            for number, report in enumerate(poll(dealing, LOUD, LINES["harsh"], RoundRobin(), rng), 1)
        ]

    def sensor(self) -> Sensor:
        registry = DeckRegistry.of({tag: card for card, tag in self.deck.items()})
        sensor = Sensor(ANTENNAS, {}, registry)
        sensor.begin_hand()
        return sensor


def sensed(sensor: Sensor, readings: Sequence[Stamped]) -> list[Move]:
    """The moves of a hand, in the middle of which the sensor is left."""
    tracker = Tracker(sensor, Follower(SEATED, SEATED[-1]))
    moves: list[Move] = []
    for stamped in readings:
        tracker.reading(stamped)
        moves += sensor.moves
    return moves


@pytest.fixture(scope="module")
def played() -> tuple[Hands, Sensor]:
    """A sensor that has learnt from two hands, as the third begins."""
    hands = Hands(3)
    sensor = hands.sensor()
    for _ in range(2):
        sensed(sensor, hands.next())
        sensor.begin_hand()
    return hands, sensor


def written(sensor: Sensor) -> LearntTable:
    """What is known, written and read again."""
    return msgspec.json.decode(msgspec.json.encode(sensor.learnt), type=LearntTable)


def test_a_sensor_that_recalls_what_was_learnt_senses_a_hand_as_the_one_that_learnt_it(
    played: tuple[Hands, Sensor],
) -> None:
    hands, sensor = played
    known = written(sensor)
    assert known == sensor.learnt and len(known.cards.places) == len(PLACES)
    assert any(counts.pairs for counts in known.cards.places.values())
    # Both begin the hand at an empty table: which cards lay where in the hand before is not recorded.
    sensor.begin_hand()
    sensor.recall(known)
    other = hands.sensor()
    other.recall(known)
    assert differences(sensor._cards, other._cards) == []
    readings = hands.next()
    moves = sensed(sensor, readings)
    assert len(moves) > 20 and moves == sensed(other, readings)
    unknown = hands.sensor()
    assert moves != sensed(unknown, readings), "else it would not matter whether it is recalled"
    sensor.begin_hand()
    other.begin_hand()
    assert sensor.learnt == other.learnt != known


def test_what_was_learnt_of_other_antennas_is_not_used(played: tuple[Hands, Sensor]) -> None:
    _, sensor = played
    places = {("table", number): place for number, place in enumerate(reversed(PLACES))}
    other = Sensor(places, {}, DeckRegistry.of({}))
    other.begin_hand()
    other.recall(sensor.learnt)
    assert other.learnt.cards == NOTHING_LEARNT != sensor.learnt.cards
    assert other.learnt.antennas != sensor.learnt.antennas
    assert Sensor({}, {}, DeckRegistry.of({})).learnt == LearntTable()


def test_a_record_of_what_was_learnt_is_small_and_names_no_card(played: tuple[Hands, Sensor]) -> None:
    hands, sensor = played
    text = msgspec.json.encode(sensor.learnt).decode()
    assert len(text) < 8000
    assert not any(tag in text for tag in hands.deck.values())
    assert not any(f'"{card}"' in text for card in hands.deck)


def test_counts_fade_and_are_rounded_and_what_is_hardly_known_is_left_out() -> None:
    pairs = {seat_place(2): PairCounts(1.0, 0.5, 123456.7, 0.25), seat_place(3): PairCounts(0.004)}
    faded = PlaceCounts(10.0, 1234.5678, 1000.0, pairs).faded(0.98)
    assert faded == PlaceCounts(9.8, 1209.9, 980.0, {seat_place(2): PairCounts(0.98, 0.49, 120990.0, 0.25)})
