"""One way in which a card is placed: at a place, with a quality that is not known, perhaps near the edge of
its field.

**Theory.** Misses of one placement are not independent: how the card came to lie decides for as long as it
lies so. Given that it lies at the place, reads and misses of the place's own antenna show the quality
(`Rates.own`), reads of a neighbour's show that it lies near that edge, or that it passed there on its way and
has landed since. All are kept as shares that sum to one. For a quality with share s and read probability r, a
visit makes of s

    s r / sum(s r)  if it read the card,      s (1 - r) / sum(s (1 - r))  if it did not,

and the sum is how likely the visit was, if the card lies so at all. That is what `observe_visits` returns,
having learned from it, and what the owner multiplies the weight of this placement by.

A neighbour that never read the card has not been counted against the edge: its silence says next to nothing
about where the card lies, and there is a lot of it.
"""

from collections.abc import KeysView

from tablebridge.model.places import STUB, Place, seat_of
from tablebridge.sensing.cards.prior import NEIGHBOURS
from tablebridge.sensing.cards.rates import Qualities, Shares, reads_of, shares_of, times
from tablebridge.sensing.cards.table_model import TableModel

_LEAST = 1e-12
_MAY_FLY = 0.01
"""From this share on it matters whether the card still flies."""
_MAY_BE_BACK = 1e-3
"""A smaller part of cards that were put back just now leaves the quality as it is."""
_MAY_BE_EDGE = 1e-5
"""From this share of edges on it says something that an antenna does not read the card."""


class Placement:
    """A card lies at `place`, with a quality and an edge that are learned.

    `weight`: how likely this is, beside the card's other placements; kept by the owner. `missed`: visits in a
    row in which its own antenna missed the card. `shared`: the place has several antennas, so that a miss of
    one of them says little. `may_be_lifted`: it came to a seat and may have been taken up at once; later
    `SeatCards` knows that better.
    """

    __slots__ = (
        "_edge",
        "_edges",
        "_far",
        "_flies",
        "_fresh",
        "_odds",
        "_over",
        "_own",
        "_rates",
        "_reads",
        "_seen",
        "_shared",
        "_up",
        "_visits",
        "may_be_lifted",
        "missed",
        "place",
        "weight",
    )

    def __init__(
        self, model: TableModel, place: Place, own: Qualities, weight: float = 0.0, shared: bool = False
    ) -> None:
        self.place = place
        self.weight = weight
        self.missed = 0
        self._rates = model.rates
        self._odds = model.dynamics.placement
        self._far = model.cross.far[place]
        self._edge = model.cross.edge[place]
        self._shared = shared
        self._reads, self._own = reads_of(own), shares_of(own)
        self._fresh = self._own
        self._edges: dict[Place, float] = {}
        self._over: dict[Place, float] = {}
        self._flies = 0.0
        self._visits = 0
        self._seen = False
        self._up = 0.0
        self.may_be_lifted = seat_of(place) is not None

    def observe_visits(self, place: Place, read: bool, visits: int, in_flight: bool = False) -> float:
        """The antenna of `place` read the card in each of `visits` visits, or in none: learns from it, and
        returns how likely that was if the card lies so. `in_flight`: it may have been on its way here just
        now.
        """
        if place == self.place:
            return self.observe_own(read, visits)
        if not read and self._edge[place] < _MAY_BE_EDGE and place not in self._edges:
            return 1.0
        return self._observe_other(place, read, visits, in_flight)

    @property
    def edges(self) -> KeysView[Place]:
        """The other antennas that have read the card, so that it says something when they do not."""
        return self._edges.keys()

    def disturb(self, share: float, fresh: Shares) -> None:
        """In this share of cases the card came to lie so only now, and its quality is not known yet: `fresh`,
        the shares of the qualities, times `share`.
        """
        kept = 1 - share
        self._own = _blended(self._own, kept, fresh)
        if self._edges:
            self._edges = {
                place: edge * kept + self._edge[place] * share for place, edge in self._edges.items()
            }

    def recall_edges(self, before: "Placement", share: float) -> None:
        """In this share of cases the card is near the edges again that it was near before."""
        for place, edge in before._edges.items():
            now = self._edges.get(place, self._edge[place])
            self._edges[place] = max(now, now * (1 - share) + edge * share)

    def lie_among(self, own: Qualities) -> None:
        """Another number of cards lies at the place now: the same qualities are read so."""
        self._reads = reads_of(own)

    def cover(self, share: float, fresh: Shares) -> None:
        """In this share of cases another card came to lie on it: its quality is not known any more, but it
        lies where it lay. `fresh`: as of `disturb`.
        """
        self._own = _blended(self._own, 1 - share, fresh)

    def observe_own(self, read: bool, visits: int) -> float:
        """As `observe_visits`, of the place's own antenna."""
        self.missed = 0 if read else self.missed + visits
        self._visits += visits
        if self._shared and not read:
            return float(self._odds.shared_missed**visits)
        if self._flies > _MAY_FLY and not read and visits == 1:
            # It was read on its way just now and need not have landed yet.
            flies, self._flies = self._flies, 0.0
            return flies + (1 - flies) * self.observe_own(False, visits)
        self._flies = 0.0
        up = self._lift(visits) if self.may_be_lifted and self._seen else 0.0
        likely, self._own = _weighed(self._own, self._reads, read, visits)
        self._seen |= read
        if up:
            lifted_read = self._odds.lifted_read
            held = up * (lifted_read if read else 1 - lifted_read) ** visits
            likely = held + (1 - up) * likely
            self._up = held / likely
        return likely

    def _lift(self, visits: int) -> float:
        """How likely the card is held up by now. What was put back lies there with a fresh quality."""
        stays_up = (1 - self._odds.put_back) ** visits
        up = self._up * stays_up + (1 - self._up) * (1 - (1 - self._odds.lifted) ** visits)
        back = self._up * (1 - stays_up) / (1 - up)
        if back > _MAY_BE_BACK:
            self.disturb(back, times(self._fresh, back))
        return up

    def _observe_other(self, place: Place, read: bool, visits: int, in_flight: bool) -> float:
        rates, edges = self._rates, self._edges
        if self.place == STUB:
            edge = 0.0  # the stub as a whole lies well inside its field
        elif place in edges:
            edge = edges[place]
        else:
            edge = self._edge[place]
            if edges:  # it lies near one edge at most
                edge *= max(0.0, 1 - sum(edges.values()))
        above = self._over.pop(place, 0.0) if self._over else 0.0
        if not read:
            silent = (1 - rates.edge_read) ** visits
            likely = 1 - edge * (1 - silent)
            if place in edges:
                self._set_edge(place, edge, edge * silent / likely)
            return likely
        # A placement that cannot be read at all is not read at its edge either; it is the last of the shares.
        dead = self._own[-1]
        at_edge = edge * rates.edge_read**visits * (1 - dead)
        passing = 0.0
        if (
            visits == 1
            and in_flight
            and self._visits <= self._odds.landing_visits
            and place in NEIGHBOURS[self.place]
        ):
            passing = (1 - edge) * (above * rates.over_again + (1 - above) * rates.over)
        likely = max(at_edge + passing + (1 - edge) * self._far[place] ** visits, rates.ghost)
        alive = 1 - at_edge / likely
        scale = alive + (1 - alive) / max(_LEAST, 1 - dead)
        up, a, b, c, d, e, _ = self._own
        self._own = up * scale, a * scale, b * scale, c * scale, d * scale, e * scale, dead * alive
        self._over[place] = self._flies = passing / likely
        self._set_edge(place, edge, min(self._odds.most_edge, at_edge / likely))
        return likely

    def _set_edge(self, place: Place, before: float, share: float) -> None:
        """Sets how likely the card lies near this edge; the other edges keep their parts of the rest."""
        part = (1 - share) / max(_LEAST, 1 - before)
        if len(self._edges) > (place in self._edges):
            self._edges = {other: edge * part for other, edge in self._edges.items()}
        self._edges[place] = share


# The seven points are written out: this is where sensing spends its time.


def _blended(own: Shares, kept: float, fresh: Shares) -> Shares:
    """The part `kept` of the shares, with those that came."""
    up, a, b, c, d, e, dead = own
    more_up, more_a, more_b, more_c, more_d, more_e, more_dead = fresh
    return (
        up * kept + more_up,
        a * kept + more_a,
        b * kept + more_b,
        c * kept + more_c,
        d * kept + more_d,
        e * kept + more_e,
        dead * kept + more_dead,
    )


def _weighed(own: Shares, reads: Shares, read: bool, visits: int) -> tuple[float, Shares]:
    """How likely it is that a card was read in each of `visits` visits, or in none, and the shares given
    that.
    """
    up, a, b, c, d, e, dead = own
    up_read, a_read, b_read, c_read, d_read, e_read, dead_read = reads
    if visits > 1:
        up, a, b, c, d, e, dead = (
            share * (rate if read else 1 - rate) ** visits for share, rate in zip(own, reads, strict=True)
        )
    elif read:
        up, a, b, c = up * up_read, a * a_read, b * b_read, c * c_read
        d, e, dead = d * d_read, e * e_read, dead * dead_read
    else:
        up, a, b, c = up - up * up_read, a - a * a_read, b - b * b_read, c - c * c_read
        d, e, dead = d - d * d_read, e - e * e_read, dead - dead * dead_read
    likely = up + a + b + c + d + e + dead + _LEAST
    return likely, (up / likely, a / likely, b / likely, c / likely, d / likely, e / likely, dead / likely)
