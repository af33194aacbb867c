"""What the hand engine expects to happen next: a prior for sensing, never a filter on it."""

from typing import Literal

import msgspec

from tablebridge.model.cards import Card


class Expectation(msgspec.Struct, frozen=True):
    """`next_seats`: seats of the cards still due in this deal, in order, a seat once for each card. `to_act`:
    the seat whose act is due. `live`: seats with a live hand. `board_due`: cards that the next street puts on
    the board. `holds`: cards that the engine knows at each seat. `board`: the cards that lie on the board as
    the engine has it; a card of a premature street that went back is not there. In the phase `draw` a seat is
    about to discard. `drawing`: seats that have still to exchange cards in this draw, in order. `open_cards`:
    which cards of a hand lie open, by their number in the order in which a seat gets them, from 0.
    """

    phase: Literal["idle", "deal", "betting", "burn", "street", "draw", "showdown"] = "idle"
    next_seats: tuple[int, ...] = ()
    live: tuple[int, ...] = ()
    street: str = "over"
    next_street: str = ""
    board_due: int = 0
    holds: dict[int, int] = {}
    burn_due: bool = False
    board: tuple[Card, ...] = ()
    drawing: tuple[int, ...] = ()
    open_cards: tuple[int, ...] = ()
    to_act: int | None = None


NOTHING = Expectation()
