"""What is believed of one card: its placements, what was read of it, and when."""

from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.model.places import MUCK, STUB, Place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.dynamics import FilterBounds

_LEAST: Final = 1e-290
_MOST_PROOFS: Final = 4
"""Readings that are kept as evidence of one move."""


class CardState(msgspec.Struct):
    """Everything that is believed of one card.

    `place`: where it was last sure to lie. The weights of `stub` or, once it was sure to lie elsewhere, of
    `air`, and of its `placements` sum to one.

    `read_at`, `read_ns`: where and when it was read last; `missed`: visits of that antenna since;
    `last_places`: the places of its last reads. `proof`: the readings that showed it at `proof_at`, the first
    of them at `proof_ns`.
    """

    place: Place = STUB
    stub: float = 1.0
    air: float = 0.0
    placements: dict[Place, Placement] = msgspec.field(default_factory=dict)
    read_at: Place | None = None
    read_ns: int = 0
    missed: int = 0
    last_places: list[Place] = []
    proof_at: Place | None = None
    proof: list[str] = []
    proof_ns: int = 0

    def normalise(self) -> None:
        """Scales all weights so that they sum to one."""
        placed = 0.0
        for placement in self.placements.values():
            placed += placement.weight
        total = self.stub + self.air + placed
        if total < _LEAST:
            self.stub, self.air, total = (1.0, 0.0, 1.0) if self.place == STUB else (0.0, 1.0, 1.0)
        self.stub /= total
        self.air /= total
        for placement in self.placements.values():
            placement.weight /= total

    def weigh_home(self, place: Place, likely: float, read: bool, visits: int) -> None:
        """For a card of a seat: how likely a visit was in the states of its seat, against that of every other
        placement.
        """
        for other, placement in self.placements.items():
            placement.weight *= (
                likely if other == self.place else placement.observe_visits(place, read, visits)
            )
        self.normalise()

    def odds_in_stub(self, due: Mapping[Place, float], unforeseen: float) -> dict[Place, float]:
        """The places of a card of the stub by probability. `due`: how likely it went to each, against the
        stub; `unforeseen`: to another.
        """
        odds = {
            place: placement.weight * due.get(place, unforeseen)
            for place, placement in self.placements.items()
        }
        odds[STUB] = self.stub
        total = sum(odds.values())
        return {place: share / total for place, share in odds.items()}

    def against_stub(self) -> dict[Place, float]:
        """For a card of the stub: how much likelier what antennas read of it is from each place than from the
        stub.
        """
        return {
            place: placement.weight / max(self.stub, _LEAST) for place, placement in self.placements.items()
        }

    def just_read(self, place: Place, since_ns: int) -> bool:
        """Whether the card left the stub for a place that has read it since this time only."""
        return self.place == STUB and self.proof_at == place and self.proof_ns > since_ns

    def still_read(self, place: Place, bounds: FilterBounds) -> bool:
        """Whether the card still answers where it lay. If it is read at two places, both placements explain
        nearly the same: it has not left while it answers, nor when both fall silent, since then it was taken
        up.
        """
        home = self.placements.get(self.place)
        if home is None or self.place == STUB or place == MUCK:
            return False
        if self.place in self.last_places[-bounds.shown :]:
            return True
        return home.missed < bounds.silent_visits and self.last_places.count(self.place) > bounds.still_read

    def new_visits(self, report: AntennaReport) -> int:
        """The visits that say something new of the card: a report that was held back is older than reads
        elsewhere.
        """
        read_at = self.read_at
        if read_at is None or read_at == report.place:
            return report.visits
        return report.visits_after(self.read_ns)

    def note_read(self, report: AntennaReport, at_seat: bool, bounds: FilterBounds) -> None:
        """The report, of a seat or not, read the card: evidence for the record."""
        place = report.place
        if self.place != place:
            if self.proof_at != place:
                self.proof_at, self.proof, self.proof_ns = place, [], report.at_ns
            if len(self.proof) < _MOST_PROOFS:
                self.proof.append(report.reading)
        elif self.read_at != place or not at_seat:
            self.proof_at = None  # what was read elsewhere before is no proof of a move
        self.read_at, self.read_ns, self.missed = place, report.at_ns, 0
        self.last_places = [*self.last_places[1 - bounds.last_reads :], place]
