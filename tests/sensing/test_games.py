"""Omaha, two boards, stud and draw games, from readings to the record: hands that the engine planned, dealt
in time before antennas that read cleanly.
"""

from collections.abc import Sequence
from random import Random

import pytest

from benchmarks.games import Box, Counted, measure
from benchmarks.planned import GameDealing, Give, Plan, Throw, plan
from tablebridge.model import events as ev
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import STUB, seat_place, up_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import LINES, Report, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.tracking.tracker import Entered

SEED = 3
SEATS = (1, 2, 3, 4)


class Kept(Box):
    """A box that keeps what is entered by antennas."""

    def __init__(self, *args: object) -> None:
        self.sensed: list[ev.TableEvent] = []
        super().__init__(*args)  # type: ignore[arg-type]

    def _entered(self, entered: Entered) -> None:
        super()._entered(entered)
        if entered.entry.basis == "rfid":
            self.sensed.append(entered.entry.event)


def dealt(game: str, level: str = "clean", seed: int = SEED) -> tuple[Plan, GameDealing, list[Report], Kept]:
    rng = Random(seed)
    deck = new_deck(rng)
    planned = plan(rng, game, SEATS)
    dealing = GameDealing(LEVELS[level], planned, deck, Random(1))
    reports = list(poll(dealing, LEVELS[level], LINES[level], RoundRobin(), Random(2)))
    return planned, dealing, reports, Kept(deck, Counted())


def draws(planned: Plan) -> list[ev.Draw]:
    return [
        ev.Draw(step.seat, len(step.cards), tuple(sorted(step.cards)))
        for step in planned.steps
        if isinstance(step, Throw) and step.draws
    ]


def sensed_draws(events: Sequence[ev.TableEvent]) -> list[ev.Draw]:
    return [
        ev.Draw(event.seat, event.count, tuple(sorted(event.cards)))
        for event in events
        if isinstance(event, ev.Draw)
    ]


@pytest.mark.parametrize("game", ["plo6", "nlhe-2b", "stud", "draw5", "badugi"])
def test_a_hand_that_is_read_cleanly_has_no_error_and_raises_no_alarm(game: str) -> None:
    _, dealing, reports, box = dealt(game)
    box.play(dealing, reports)
    assert box._counted.score.missed + box._counted.score.false == 0
    assert box._counted.alarms == {}


def test_discards_are_reported_as_the_draw_of_their_seat_and_new_cards_after_it() -> None:
    planned, dealing, reports, box = dealt("td27")
    box.play(dealing, reports)
    assert draws(planned) and sensed_draws(box.sensed) == draws(planned)
    given = [step.card for step in planned.steps if isinstance(step, Give)]
    assert [event.card for event in box.sensed if isinstance(event, ev.Deal)] == given


def test_discards_that_a_person_has_counted_are_not_reported_again() -> None:
    planned, dealing, reports, box = dealt("draw5")
    thrown = {
        dealing.deck_tag(step.cards[0]): step
        for step in planned.steps
        if isinstance(step, Throw) and step.draws
    }
    assert thrown
    for landing in dealing.landings:
        if landing.tag in thrown and landing.kind == "muck":
            step = thrown.pop(landing.tag)
            dealing.said.append((landing.at_s - 0.5, ev.Draw(step.seat, len(step.cards))))
    dealing.said.sort(key=lambda said: said[0])
    box.play(dealing, reports)
    assert sensed_draws(box.sensed) == [] and box._counted.alarms == {}


def test_the_up_card_of_stud_comes_after_its_burn_and_lies_open() -> None:
    planned, dealing, reports, box = dealt("stud")
    box.play(dealing, reports)
    hand = box._engine.hand
    assert hand is not None
    up: dict[int, list[object]] = {}
    for step in planned.steps:
        if isinstance(step, Give) and step.up:
            up.setdefault(step.seat, []).append(step.card)
    assert {seat: list(cards) for seat, cards in hand.felt.up.items()} == up


def test_up_cards_with_an_antenna_of_their_own_are_read_there() -> None:
    counted = measure("clean", "stud with up antennas", 1, 1, SEED)
    assert counted.score.landings > 40
    assert (counted.score.missed, counted.score.false, counted.alarms) == (0, 0, {})


@pytest.mark.parametrize("kind", ["down", "up"])
def test_an_antenna_says_nothing_of_the_cards_it_is_not_there_for(kind: str) -> None:
    """What the antenna of up cards misses says nothing of down cards, nor the other way."""
    tags = [f"E00401000000000{number}" for number in range(2)]
    cards = DeckRegistry.of(dict(zip(tags, ("Ah", "Kd"), strict=True)))
    sensor = Sensor({("r", 0): seat_place(1), ("r", 1): up_place(1)}, {}, cards)
    sensor.begin_hand()
    number = 0

    def visit(antenna: int, *read: str) -> None:
        nonlocal number
        number += 1
        at = Instant(number * 50_000_000, number * 50_000_000)
        holds = {1: int(sensor._cards.place(tags[0]) != STUB) + int(sensor._cards.place(tags[1]) != STUB)}
        expect = Expectation("betting", live=(1, 2), holds=holds, open_cards=(1,))
        sensor.update(Stamped("r", "e", number, at, Sweep(antenna, read)), expect)

    for _ in range(12):
        visit(0, tags[0])
    for _ in range(12):
        visit(1, tags[1])
    assert [sensor._cards.place(tag) for tag in tags] == [seat_place(1)] * 2
    mine, other = (0, 1) if kind == "down" else (1, 0)
    for _ in range(8):
        visit(other)
    assert sensor._cards.gone(tags[mine]) < 0.05 < 0.9 < sensor._cards.gone(tags[other])


def test_the_same_readings_give_the_same_record() -> None:
    records = []
    for _ in range(2):
        _, dealing, reports, box = dealt("badugi", "typical")
        box.play(dealing, reports)
        records.append(box.sensed)
    assert records[0] and records[0] == records[1]


@pytest.mark.slow
def test_a_triple_draw_at_typical_noise_has_few_errors() -> None:
    """Before discards were sensed as such, there were eight errors for 100 landings."""
    counted = measure("typical", "td27", 1, 3, 5)
    assert counted.errors < 3
