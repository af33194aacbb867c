"""One placement: near which edge, when more than one neighbour has read the card."""

from tablebridge.model.places import MUCK, STUB, seat_place
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.dynamics import ASSUMED


def test_one_stray_read_of_a_neighbour_does_not_unlearn_another_edge() -> None:
    known = rates(2.0)
    model = TableModel(known, ASSUMED, CrossReads(ASSUMED.cross, known))
    placement = Placement(model, MUCK, known.own["muck"])
    for _ in range(5):
        placement.observe_visits(seat_place(1), True, 1)
        placement.observe_visits(seat_place(1), False, 1)
    placement.observe_visits(STUB, True, 1)
    again = [placement.observe_visits(seat_place(1), read, 1) for read in (True, False) * 10]
    assert min(again[2:]) > known.edge_read / 2


def test_a_card_that_nobody_knows_may_have_been_looked_at_while_it_was_silent() -> None:
    """Forty silent visits do not mean that it lies badly for ever; of a card that is known they do."""
    known = rates(2.0)
    model = TableModel(known, ASSUMED, CrossReads(ASSUMED.cross, known))
    seat = seat_place(4)

    def read_after_silence(*, unknown: bool) -> float:
        placement = Placement(model, seat, known.own["seat"])
        placement.unknown = unknown
        placement.observe_visits(seat, False, 40)
        for _ in range(2):
            placement.observe_visits(seat, True, 1)
        return placement.observe_visits(seat, True, 1)

    assert read_after_silence(unknown=True) > 0.5
    assert read_after_silence(unknown=False) < 0.3


def test_an_edge_of_a_card_that_nobody_knows_is_forgotten_as_it_may_have_been_looked_at() -> None:
    known = rates(2.0)
    model = TableModel(known, ASSUMED, CrossReads(ASSUMED.cross, known))
    seat, beside = seat_place(4), seat_place(5)

    def silence_next_door(*, unknown: bool) -> float:
        placement = Placement(model, seat, known.own["seat"])
        placement.unknown = unknown
        for _ in range(4):
            placement.observe_visits(seat, True, 1)
            placement.observe_visits(beside, True, 1)
        likely = 1.0
        for _ in range(20):
            placement.observe_visits(seat, True, 1)
            likely *= placement.observe_visits(beside, False, 1)
        return likely

    assert silence_next_door(unknown=True) > 5 * silence_next_door(unknown=False)
