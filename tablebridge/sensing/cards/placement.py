"""One way in which a card may lie: at a place, with a quality that is not known, perhaps near the edge of its
field.

**Theory.** Misses of one placement are not independent: how the card came to lie decides for as long as it
lies so. Given that it lies at the place, reads and misses of the place's own antenna tell the quality
(`Rates.own`), reads of a neighbour's tell that it lies near that edge, or that it passed there on its way and
has landed since. All are kept as shares that sum to one. What an observation makes of the belief that the
card lies there at all is its mean over these shares: the likelihood that `looked` gives, having learned from
it.

A neighbour that never read the card has not been counted against the edge: its silence says next to nothing
about where the card lies, and there is a lot of it.
"""

from tablebridge.model.places import STUB, Place, seat_of
from tablebridge.sensing.cards.prior import NEAR
from tablebridge.sensing.cards.rates import Own, Rates

_LEAST = 1e-12
_LANDING = 4
_LIFTS = 0.02
_LIFTED_READ = 0.03
"""A card that lies at a seat is taken up between two visits; and is read so."""


class Placement:
    """`weight`: how likely this is, beside the other ways; kept by the owner. `silent`: its own antenna
    missed the card so many times in a row. `shared`: the place has several antennas, so that a miss of one of
    them says little. `new`: it came to a seat and may have been taken up at once; later `SeatCards` knows
    that better.
    """

    __slots__ = (
        "_edges",
        "_flies",
        "_looks",
        "_over",
        "_own",
        "_rates",
        "_reads",
        "_seen",
        "_shared",
        "_up",
        "new",
        "place",
        "silent",
        "weight",
    )

    def __init__(
        self, rates: Rates, place: Place, own: Own, weight: float = 0.0, shared: bool = False
    ) -> None:
        self.place = place
        self.weight = weight
        self.silent = 0
        self._rates = rates
        self._shared = shared
        self._reads = [read for _, read in own]
        self._own = [share for share, _ in own]
        self._edges: dict[Place, float] = {}
        self._over: dict[Place, float] = {}
        self._flies = 0.0
        self._looks = 0
        self._seen = False
        self._up = 0.0
        self.new = seat_of(place) is not None

    def looked(self, place: Place, read: bool, visits: int, ways: bool = False) -> float:
        """An antenna did, or did not, read the card in each of so many visits: how likely that is if it lies
        so. `ways`: the card may have been on its way here just now.
        """
        if place == self.place:
            return self._looked_here(read, visits)
        if place in NEAR[self.place]:
            return self._looked_beside(place, read, visits, ways)
        return self._rates.ghost if read else 1.0

    def concerned(self, place: Place) -> bool:
        """Whether it says something that this other antenna does not read the card."""
        return place in self._edges

    def touched(self, part: float, own: Own) -> None:
        """In a part of all cases the card came to lie so only now, and how is not known yet."""
        self._own = [
            before * (1 - part) + share * part for before, (share, _) in zip(self._own, own, strict=True)
        ]
        if self._edges:
            self._edges = {
                place: edge * (1 - part) + self._rates.edge * part for place, edge in self._edges.items()
            }

    def _looked_here(self, read: bool, visits: int) -> float:
        self.silent = 0 if read else self.silent + visits
        self._looks += visits
        if self._shared and not read:
            return float(0.85**visits)
        if self._flies > 0.01 and not read and visits == 1:
            # It was read on its way just now and need not have landed yet.
            flies, self._flies = self._flies, 0.0
            return flies + (1 - flies) * self._looked_here(False, visits)
        self._flies = 0.0
        up = 1 - (1 - self._up) * (1 - _LIFTS) ** visits if self.new and self._seen else 0.0
        if visits == 1:
            new = [share * rate for share, rate in zip(self._own, self._reads, strict=True)]
            if not read:
                new = [share - one for share, one in zip(self._own, new, strict=True)]
        else:
            new = [
                share * (rate if read else 1 - rate) ** visits
                for share, rate in zip(self._own, self._reads, strict=True)
            ]
        likely = sum(new) + _LEAST
        self._own = [one / likely for one in new]
        self._seen |= read
        if up:
            held = up * (_LIFTED_READ if read else 1 - _LIFTED_READ) ** visits
            likely = held + (1 - up) * likely
            self._up = held / likely
        return likely

    def _looked_beside(self, place: Place, read: bool, visits: int, ways: bool) -> float:
        rates = self._rates
        # It lies near one edge at most; the stub as a whole lies well inside its field.
        others = sum(share for other, share in self._edges.items() if other != place)
        edge = self._edges.get(place, rates.edge * max(0.0, 1 - others)) if self.place != STUB else 0.0
        above = self._over.pop(place, 0.0)
        if not read:
            likely = 1 - edge * (1 - (1 - rates.edge_read) ** visits)
            if place in self._edges:
                self._at_edge(place, edge, edge * (1 - rates.edge_read) ** visits / likely)
            return likely
        # A placement that cannot be read at all is not read at its edge either; it is the last of the shares.
        dead = self._own[-1]
        at_edge = edge * rates.edge_read**visits * (1 - dead)
        passing = 0.0
        if visits == 1 and ways and self._looks <= _LANDING:
            passing = (1 - edge) * (above * rates.over_again + (1 - above) * rates.over)
        likely = max(at_edge + passing + (1 - edge) * rates.far**visits, rates.ghost)
        alive = 1 - at_edge / likely
        self._own = [share * (alive + (1 - alive) / max(_LEAST, 1 - dead)) for share in self._own[:-1]] + [
            dead * alive
        ]
        self._over[place] = self._flies = passing / likely
        self._at_edge(place, edge, min(0.995, at_edge / likely))
        return likely

    def _at_edge(self, place: Place, before: float, share: float) -> None:
        """How likely it lies near this edge now; the other edges have the same part of the rest as before."""
        part = (1 - share) / max(_LEAST, 1 - before)
        self._edges = {other: edge * part for other, edge in self._edges.items()}
        self._edges[place] = share
