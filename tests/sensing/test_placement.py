"""One way to lie: near which edge, when more than one neighbour has read the card."""

from tablebridge.model.places import MUCK, STUB, seat_place
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.rates import rates


def test_one_stray_read_of_a_neighbour_does_not_unlearn_another_edge() -> None:
    lie = Placement(known := rates(2.0), MUCK, known.own["muck"])
    for _ in range(5):
        lie.looked(seat_place(1), True, 1)
        lie.looked(seat_place(1), False, 1)
    lie.looked(STUB, True, 1)
    again = [lie.looked(seat_place(1), read, 1) for read in (True, False) * 10]
    assert min(again[2:]) > known.edge_read / 2
