"""Whether one tag identity answers at two places for long: a copied tag, or a card that lies between two
antennas.

A card near the edge of its field is read next door now and then, a card that moves is read at both places one
after the other. When a tag is read away from where it lies, reads at both places are counted from then on.
After `CloneBounds.visits` of each, it is a copy if both read it in more than `copy_rate` of their visits, and
in doubt if both read it in more than `doubt_rate` and neither much oftener than the other (`doubt_ratio`): a
card whose edge is read next door is read more where it lies.
"""

import msgspec

from tablebridge.model.places import Place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.dynamics import CloneBounds


class _Watch(msgspec.Struct):
    """The reads of one tag at two places."""

    places: tuple[Place, Place]
    since_ns: int
    visits: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    reads: list[int] = msgspec.field(default_factory=lambda: [0, 0])


class Clone(msgspec.Struct, frozen=True):
    """A tag that two places read; `rates`: reads per visit of each of them. `sure` False: a doubt only."""

    tag: str
    places: tuple[Place, Place]
    rates: tuple[float, float]
    sure: bool


class Clones:
    """Follows tags that are read at two places. Copies and doubts are reported once for each tag until
    `begin_hand`.
    """

    def __init__(self, bounds: CloneBounds) -> None:
        self._bounds = bounds
        self._watched: dict[str, _Watch] = {}
        self._reported: dict[tuple[str, bool], None] = {}

    def begin_hand(self) -> None:
        """A hand begins."""
        self._watched.clear()
        self._reported.clear()

    def suspect(self, tag: str, place: Place, read_at: Place, now_ns: int) -> None:
        """The tag is read at a place while it is believed to lie at another."""
        if tag not in self._watched:
            self._watched[tag] = _Watch((place, read_at), now_ns)

    def compare(self, report: AntennaReport) -> list[Clone]:
        """Counts the reads of a report. Returns the tags that are now known to answer at two places."""
        found = []
        for tag, watch in list(self._watched.items()):
            if report.place not in watch.places:
                continue
            side = watch.places.index(report.place)
            visits = report.visits_after(watch.since_ns)
            watch.visits[side] += visits
            watch.reads[side] += visits if tag in report.tags else 0
            if min(watch.visits) >= self._bounds.visits:
                del self._watched[tag]
                clone = self._judge(tag, watch)
                if clone is not None and (tag, clone.sure) not in self._reported:
                    self._reported[tag, clone.sure] = None
                    found.append(clone)
        return found

    def _judge(self, tag: str, watch: _Watch) -> Clone | None:
        bounds = self._bounds
        first, second = (reads / seen for reads, seen in zip(watch.reads, watch.visits, strict=True))
        rarer, oftener = min(first, second), max(first, second)
        sure = rarer > bounds.copy_rate
        if not sure and not (rarer > bounds.doubt_rate and oftener < bounds.doubt_ratio * rarer):
            return None
        return Clone(tag, watch.places, (first, second), sure)
