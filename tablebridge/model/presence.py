"""What the antennas see lying before people: how many cards, never which."""

from typing import Literal

import msgspec

from tablebridge.model.bounds import Count, Probability, Spot
from tablebridge.model.instant import Instant

SignKind = Literal["arrived", "lifted", "returned", "left", "mucked"]


class SeatRead(msgspec.Struct, frozen=True):
    """The cards that were read before a seat: `lying` answer, `lifted` are held up or covered."""

    lying: Count = 0
    lifted: Count = 0


class Sign(msgspec.Struct, frozen=True):
    """A card came, was taken up, came back, or went away.

    `place`: where that was; of a card that was mucked, the seat it came from. `read`: what is read there now.
    `sure`: probability, 0 to 1. No sign is for ever: a card that was lifted has not been folded, and `left`
    may be taken back by `arrived`.
    """

    sign: SignKind
    place: Spot
    read: SeatRead
    at: Instant
    sure: Probability = 1.0
