"""What the card filter knows of a table before it reads anything."""

import msgspec

from tablebridge.sensing.cards.rates import Rates
from tablebridge.sensing.dynamics import Dynamics


class TableModel(msgspec.Struct, frozen=True):
    """How the antennas of a table read, and how its people move cards."""

    rates: Rates
    dynamics: Dynamics
