"""The cards of one seat: looked at, folded, covered, read over other fields; and an antenna that is out for a
moment.
"""

import pytest

from tablebridge.model.places import BOARD, seat_place
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.cards.seat import SeatCards, Stage
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.dynamics import ASSUMED

VISIT_NS = 100_000_000
SEAT = seat_place(4)


class Seat:
    """A seat's cards at a table of this noise, visited ten times a second."""

    def __init__(self, level: float = 1.0) -> None:
        known = rates(level)
        self._model = TableModel(known, ASSUMED, CrossReads(ASSUMED.cross, known))
        self.cards = SeatCards(SEAT, self._model, 0)
        self._ns = 0

    def lay(self, tag: str) -> None:
        self.cards.add_card(tag, Placement(self._model, SEAT, self._model.rates.own["seat"]))

    def visit(self, times: int, *tags: str, place: str = SEAT, stage: Stage = "playing") -> None:
        for _ in range(times):
            self.wait(VISIT_NS / 1e9, stage)
            self.cards.observe_report(place, tags, 1)  # type: ignore[arg-type]

    def wait(self, seconds: float, stage: Stage = "playing") -> None:
        self._ns += round(seconds * 1e9)
        self.cards.pass_time(self._ns, stage)


def two(level: float = 1.0) -> Seat:
    """Two cards that were read well for two seconds."""
    seat = Seat(level)
    seat.lay("A")
    seat.lay("B")
    seat.visit(20, "A", "B")
    return seat


def folded(stage: Stage) -> float:
    """How likely both lie in the muck when the seat has been silent for a second."""
    seat = two()
    seat.visit(10, stage=stage)
    return seat.cards.mucked("A")


def test_while_cards_are_dealt_silence_is_no_fold() -> None:
    assert folded("dealing") < folded("playing") / 2


def test_at_the_end_of_a_hand_silence_is_a_fold_and_no_look() -> None:
    assert 1 - folded("ending") < 0.75 * (1 - folded("playing"))


@pytest.mark.parametrize("level", [0.0, 1.0, 2.0])
def test_cards_that_are_read_twice_over_one_far_field_are_on_their_way(level: float) -> None:
    seat = two(level)
    seat.visit(1, "A", "B", place=BOARD)
    assert seat.cards.gone("A") < 0.5, "nobody knows where one stray read came from"
    seat.visit(1, "A", "B", place=BOARD)
    assert seat.cards.gone("A") > 0.999


def test_one_visit_that_reads_nothing_at_all_is_rather_an_outage_than_a_lift() -> None:
    seat = two(2.0)
    seat.visit(1)
    assert seat.cards.all_lie() > 0.5
    seat.visit(2)
    assert seat.cards.all_lie() < 0.1


def test_nobody_knows_what_happened_while_the_antenna_was_away() -> None:
    """However long it was: no more than four seconds' worth of looks and folds."""
    away = {}
    for seconds in (4.0, 60.0, 3600.0):
        seat = two()
        seat.wait(seconds)
        away[seconds] = seat.cards.all_lie()
    assert 0.3 < away[4.0] == away[60.0] == away[3600.0]


def test_a_card_on_which_another_came_to_lie_may_answer_worse_than_before() -> None:
    seat = Seat()
    seat.lay("A")
    seat.visit(40, "A")
    seat.lay("B")
    seat.visit(3, "B")
    assert seat.cards.gone("A") < 0.2


def test_a_neighbour_that_reads_one_card_of_two_does_not_show_that_both_are_under_way() -> None:
    """They are under way together, so the other one would have been read there now and then."""
    seat = two()
    for _ in range(12):
        seat.visit(1, "A", place=seat_place(5))
    assert seat.cards.gone("B") < 0.08


def test_after_a_look_a_card_may_lie_at_the_same_edge_again() -> None:
    """A read of its neighbour's antenna is expected then, and is no card that has left."""
    beside, likely = seat_place(5), []
    for edge in ((), ("A",)):
        seat = two()
        for _ in range(10):
            seat.visit(1, "A", "B")
            seat.visit(1, *edge, place=beside)
        seat.visit(25)
        seat.visit(6, "A", "B")
        likely.append(seat.cards.observe_report(beside, ("A",), 1)()["A"])
    assert likely[1] > 3 * likely[0]


def test_a_visit_that_reads_nothing_is_never_less_likely_than_an_outage() -> None:
    seat = two(2.0)
    outage = rates(2.0).outage
    silent = seat.cards.observe_report(SEAT, (), 12)()
    assert all(likely >= outage for likely in silent.values())
    seat = two(2.0)
    assert seat.cards.observe_report(SEAT, ("C",), 12)()["A"] < outage, (
        "an antenna that reads others is not out"
    )
