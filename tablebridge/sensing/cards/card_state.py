"""What is believed of one card: the ways in which it may lie, what was read of it, and when."""

from typing import Final

import msgspec

from tablebridge.model.places import MUCK, STUB, Place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.placement import Placement

SILENT: Final = 8
"""An antenna that missed a card in so many visits does not read it any more."""
LAST_READS: Final = 8
_STILL_READ: Final = 2
"""Of a card's last reads, so many may be of the place that it left."""
_SHOWN: Final = 3
"""So often it was read elsewhere since its place read it last."""
_LEAST: Final = 1e-290


class CardState(msgspec.Struct):
    """`place`: where it was last told to lie. The weights of `stub` or, once it was told to lie elsewhere, of
    `air`, and of the ways in `lies` sum to one.

    `read_at`, `read_ns`: where and when it was read last; `missed`: visits of that antenna since; `last`: the
    places of its last reads. `proof`: the readings that showed it at `proof_at`, the first of them at
    `proof_ns`.
    """

    place: Place = STUB
    stub: float = 1.0
    air: float = 0.0
    lies: dict[Place, Placement] = msgspec.field(default_factory=dict)
    read_at: Place | None = None
    read_ns: int = 0
    missed: int = 0
    last: list[Place] = []
    proof_at: Place | None = None
    proof: list[str] = []
    proof_ns: int = 0

    def normalise(self) -> None:
        """All weights sum to one again."""
        total = self.stub + self.air + sum(lie.weight for lie in self.lies.values())
        if total < _LEAST:
            self.stub, self.air, total = (1.0, 0.0, 1.0) if self.place == STUB else (0.0, 1.0, 1.0)
        self.stub /= total
        self.air /= total
        for lie in self.lies.values():
            lie.weight /= total

    def against_stub(self) -> dict[Place, float]:
        """For a card of the stub: how likely what antennas read of it is from each place, against that it
        lies in the stub.
        """
        return {place: lie.weight / max(self.stub, _LEAST) for place, lie in self.lies.items()}

    def still_read(self, place: Place) -> bool:
        """Where a card is read at two places, both ways to lie explain nearly the same: it has not left while
        it answers, nor when both fall silent, since then it was taken up.
        """
        home = self.lies.get(self.place)
        if home is None or self.place == STUB or place == MUCK:
            return False
        if self.place in self.last[-_SHOWN:]:
            return True
        return home.silent < SILENT and self.last.count(self.place) > _STILL_READ

    def visits(self, look: AntennaReport) -> int:
        """The visits that tell something new of the card: a report that was held back is older than reads
        elsewhere.
        """
        return look.visits if self.read_at in (None, look.place) else look.after(self.read_ns)
