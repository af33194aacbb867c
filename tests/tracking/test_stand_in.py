"""Recordings of any game are followed without bets: what is sensed of their cards is what was dealt."""

import json
from random import Random

import pytest

from benchmarks.planned import GameDealing, plan
from benchmarks.scoring import Score
from tablebridge.model.cards import Card
from tablebridge.model.events import Burn, Deal, Draw, End, Entry, Muck, Street, Undo
from tablebridge.model.instant import START, Instant
from tablebridge.model.places import BOARD, BURN, MUCK, Place, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import LINES, PLACES, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.tracking.placed import PlacedCards
from tablebridge.tracking.stand_in import stand_in
from tablebridge.tracking.stream import Stream, UnreadableLine
from tablebridge.tracking.tracker import Tracker

SEATS = (1, 2, 3, 4)


@pytest.mark.parametrize("game", ["nlhe", "plo", "nlhe-2b", "stud", "draw5", "td27"])
def test_the_cards_of_a_game_are_followed_without_bets(game: str) -> None:
    rng = Random(3)
    deck = new_deck(rng)
    noise = LEVELS["typical"]
    dealing = GameDealing(noise, plan(rng, game, SEATS), deck, Random(1))
    sensor = Sensor(
        {("table", number): place for number, place in enumerate(PLACES)},
        {},
        DeckRegistry.of({tag: card for card, tag in deck.items()}),
    )
    sensor.begin_hand()
    tracker = Tracker(sensor, stand_in(game, SEATS, SEATS[-1]))
    named: list[tuple[float, str, Place]] = []
    for number, report in enumerate(poll(dealing, noise, LINES["typical"], RoundRobin(), Random(2))):
        ns = round((1 + report.at_s) * 1e9)
        at = Instant(ns, ns)
        tracker.reading(Stamped("table", "e", number, at, Sweep(report.antenna, report.tags)))
        named += [(report.at_s, move.tag, move.place) for move in sensor.moves]
        if tracker.due(at):
            tracker.tick(at)
    tracker.enter(End(), "inferred", at)
    named += [(dealing.end_s, move.tag, move.place) for move in sensor.moves]
    score = Score()
    score.add(dealing.landings, named, dealing.end_s)
    assert score.landings > 15
    assert score.missed + score.false == 0


@pytest.mark.parametrize("game", ["tic-tac-toe", "tcp"])
def test_a_game_that_cannot_be_followed_is_named(game: str) -> None:
    with pytest.raises(ValueError, match=game):
        stand_in(game, SEATS, 4)


def test_the_first_line_of_readings_names_the_game() -> None:
    table = {"seats": [1, 2], "antennas": {"0": "seat 1", "1": "seat 2"}, "tags": {"E0040100000000AA": "Ah"}}
    with pytest.raises(UnreadableLine, match="bingo"):
        Stream().feed(json.dumps({"table": table | {"game": "bingo"}}))
    stream = Stream()
    assert stream.feed(json.dumps({"table": table | {"game": "draw5"}})) == []
    stream.feed(json.dumps({"hand": 0, "begin": True, "at_ms": 0}))
    reading = {"hand": 0, "antenna": 0, "tags": ["E0040100000000AA"]}
    moved = [stream.feed(json.dumps(reading | {"at_ms": 100.0 * number})) for number in range(1, 20)]
    assert [event["place"] for events in moved for event in events] == ["seat 1"]


def test_entries_put_cards_where_they_say() -> None:
    cards = PlacedCards()
    ah, kd, qc = Card("Ah"), Card("Kd"), Card("Qc")

    def placed(number: int, event: Deal | Burn | Street | Draw | Muck | Undo) -> list[tuple[Card, Place]]:
        return cards.placed(Entry(number, START, event))

    assert placed(1, Deal(1, ah)) == [(ah, seat_place(1))]
    assert placed(2, Deal(1, kd)) == [(kd, seat_place(1))]
    assert placed(3, Deal(1, qc)) == [(qc, seat_place(1))]
    assert placed(4, Undo(3)) == []
    assert placed(5, Draw(1, 2, (ah,))) == [(ah, MUCK)]
    assert placed(6, Burn(qc)) == [(qc, BURN)]
    assert placed(7, Street("turn", (qc,))) == [(qc, BOARD)]
    assert placed(8, Muck(1)) == [(kd, MUCK)]
