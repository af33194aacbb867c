"""What the card filter knows of a table before it reads anything."""

from collections.abc import Mapping

import msgspec

from tablebridge.model.places import Place
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.rates import PlaceRates, Qualities, Rates, kind_of, missed_more
from tablebridge.sensing.dynamics import Dynamics


class TableModel(msgspec.Struct, frozen=True):
    """How the antennas of a table read, and how its people move cards. `cross`: the rates at which each
    antenna reads cards of other places, which are learned while the hand is played. `places`: those that are
    read better or worse than their kind. `piles`: how many cards lie on each other at each seat, kept by
    `SeatGroups`.
    """

    rates: Rates
    dynamics: Dynamics
    cross: CrossReads
    places: Mapping[Place, PlaceRates] = {}
    piles: dict[Place, int] = {}

    def own(self, place: Place, coming: int = 1) -> Qualities:
        """How cards that lie at a place are read by its antenna. `coming`: cards that come there now."""
        known = self.places.get(place)
        own = self.rates.own[kind_of(place)] if known is None else known.own
        return self._on_each_other(own, place, coming)

    def held(self, place: Place) -> Qualities:
        """How cards of a seat are read that are held up before it."""
        known = self.places.get(place)
        held = self.rates.own["held"] if known is None else known.held
        return self._on_each_other(held, place, 0)

    def gauged(self, place: Place) -> float:
        """What a miss of a card that lies there counts to the gauge of the level of noise."""
        return self.rates.piles.gauge(self.piles.get(place, 0))

    def stayed(self, place: Place) -> float:
        """What a miss of a card that lies there counts for how its antenna reads."""
        return self.rates.piles.stay(self.piles.get(place, 0))

    def _on_each_other(self, qualities: Qualities, place: Place, coming: int) -> Qualities:
        more = self.rates.piles.more(self.piles.get(place, 0) + coming)
        return missed_more(qualities, more) if more else qualities
