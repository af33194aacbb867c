"""Cards of a seat that do not leave together: while they are exchanged."""

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import MUCK, Place, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter

SEAT = seat_place(3)
CYCLE_NS = 100_000_000


class Watched:
    """A filter that is told of one seat and the muck, ten times a second."""

    def __init__(self, expect: Expectation, *tags: str) -> None:
        self.cards = BayesFilter()
        self.cards.reset()
        self._now = 0
        self.watch(expect, 1)
        for tag in tags:
            self.cards.assume(tag, SEAT)

    def watch(self, expect: Expectation, cycles: int, *here: str, muck: tuple[str, ...] = ()) -> None:
        """Each antenna is visited so many times, and reads these."""
        for _ in range(cycles):
            self._now += CYCLE_NS
            for place, tags in ((SEAT, here), (MUCK, muck)):
                self._report(place, tags, expect)

    def _report(self, place: Place, tags: tuple[str, ...], expect: Expectation) -> None:
        report = AntennaReport(place, tags, 1, self._now, self._now - CYCLE_NS, True, "")
        self.cards.locate(report, expect)


def test_in_a_draw_two_cards_go_and_the_others_are_sure_to_stay() -> None:
    tags = ("a", "b", "c", "d", "e")
    drawing = Expectation("draw", (), (3, 4), "preflop", holds={3: 5, 4: 5}, drawing=(3, 4))
    watched = Watched(drawing, *tags)
    watched.watch(drawing, 30, *tags)
    watched.watch(drawing, 10)
    watched.watch(drawing, 40, "a", "b", "c", muck=("d", "e"))
    assert [watched.cards.place(tag) for tag in tags] == [SEAT, SEAT, SEAT, MUCK, MUCK]
    assert max(watched.cards.gone(tag) for tag in "abc") < 0.1
