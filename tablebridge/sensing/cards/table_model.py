"""What the card filter knows of a table before it reads anything."""

import msgspec

from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.rates import Rates
from tablebridge.sensing.dynamics import Dynamics


class TableModel(msgspec.Struct, frozen=True):
    """How the antennas of a table read, and how its people move cards. `cross`: the rates at which each
    antenna reads cards of other places, which are learned while the hand is played.
    """

    rates: Rates
    dynamics: Dynamics
    cross: CrossReads
