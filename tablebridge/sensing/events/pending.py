"""A card on its way into an event, and the conclusion that it becomes."""

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.events import TableEvent
from tablebridge.model.places import Place
from tablebridge.sensing.cards.card_filter import Move
from tablebridge.sensing.conclusion import Conclusion


class Pending(msgspec.Struct):
    """A card that moved, until it is reported.

    `since_ns`: since when it waits (monotonic). `missed`: visits in a row in which the antenna of the place
    where the record has it missed it. `reads`: reads at the place to which it moved, as far as they are
    known. `stays`: it was read there again when it could have flown on, or its move was concluded from other
    cards.
    """

    move: Move
    card: Card
    place: Place
    since_ns: int
    missed: int = 0
    reads: int = 0
    stays: bool = False


def conclude(event: TableEvent, *pending: Pending) -> Conclusion:
    """The event to which these cards belong: as sure as the least sure of them."""
    proofs = dict.fromkeys(proof for card in pending for proof in card.move.evidence)
    return Conclusion(event, min(card.move.sure for card in pending), "rfid", tuple(proofs))
