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


def test_a_card_that_was_put_back_lies_there_with_another_quality() -> None:
    """Read once, silent for fifteen visits, and read well again: it was looked at, and does not lie badly."""
    known = rates(2.0)
    model = TableModel(known, ASSUMED, CrossReads(ASSUMED.cross, known))
    placement = Placement(model, seat_place(4), known.own["seat"])
    placement.observe_visits(seat_place(4), True, 1)
    for _ in range(15):
        placement.observe_visits(seat_place(4), False, 1)
    again = [placement.observe_visits(seat_place(4), True, 1) for _ in range(4)]
    assert again[-1] > 0.5
