"""What one antenna reported of its place: which tags answered, in how many visits, and when those were."""

from typing import Literal

import msgspec

from tablebridge.model.places import Place


class AntennaReport(msgspec.Struct, frozen=True):
    """One report: `visits` visits of an antenna of `place`, the last at `at_ns`, evenly spread since its
    report before, at `since_ns` (monotonic ns). In each of them just `tags` answered, cards of the deck in
    play. `complete` False: that a tag is not among them proves nothing. `of`: which cards of a seat the
    antenna is there for, if its up cards have one of their own. `reading`: the identity of the report.
    """

    place: Place
    tags: tuple[str, ...]
    visits: int = 1
    at_ns: int = 0
    since_ns: int = 0
    complete: bool = True
    reading: str = ""
    of: Literal["all", "down", "up"] = "all"

    def visits_after(self, ns: int) -> int:
        """The number of visits that came after a moment. A report that was held back may lie before it as a
        whole.
        """
        if ns > self.at_ns:
            return 0
        if ns <= self.since_ns:
            return self.visits
        return max(1, self.visits * (self.at_ns - ns) // (self.at_ns - self.since_ns))
