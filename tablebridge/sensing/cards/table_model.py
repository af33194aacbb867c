"""What the card filter knows of a table before it reads anything."""

from collections.abc import Mapping

import msgspec

from tablebridge.model.places import Place
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.rates import PlaceRates, Qualities, Rates, kind_of
from tablebridge.sensing.dynamics import Dynamics


class TableModel(msgspec.Struct, frozen=True):
    """How the antennas of a table read, and how its people move cards. `cross`: the rates at which each
    antenna reads cards of other places, which are learned while the hand is played. `places`: those that are
    read better or worse than their kind.
    """

    rates: Rates
    dynamics: Dynamics
    cross: CrossReads
    places: Mapping[Place, PlaceRates] = {}

    def own(self, place: Place) -> Qualities:
        """How cards that lie at a place are read by its antenna."""
        known = self.places.get(place)
        return self.rates.own[kind_of(place)] if known is None else known.own

    def held(self, place: Place) -> Qualities:
        """How cards of a seat are read that are held up before it."""
        known = self.places.get(place)
        return self.rates.own["held"] if known is None else known.held
