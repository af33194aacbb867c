"""What the broadcast is sent of a table: the picture that the engine lets out after its delay, and what
follows from the faces in it.

`OverlayView` is the engine's message. `OverlayPicture` is the same picture with `hands`, which the process of
the pages works out from this picture and from nothing else: no number in it can come from a face that is not
in it.
"""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import Amount, Count, Faces, HandFaces, Probability, Seat, Word
from tablebridge.model.direction import Direction
from tablebridge.model.views import SeatView, TableView

Verb = Literal["", "fold", "check", "call", "bet", "raise", "allin"]
MOST_ACTS: Final = 40
"""Actions of one street in a message: the last ones."""
Seats = Annotated[tuple[Seat, ...], msgspec.Meta(max_length=10)]


class ActView(msgspec.Struct, frozen=True):
    """One action as it was taken. `total`: what the seat had bet in the round then."""

    seat: Seat
    verb: Verb
    total: Amount = 0


class StreetView(msgspec.Struct, frozen=True):
    """One street of the hand and the actions on it, in the order in which they were taken."""

    street: Word
    acts: Annotated[tuple[ActView, ...], msgspec.Meta(max_length=MOST_ACTS)] = ()


class PotView(msgspec.Struct, frozen=True):
    """One pot. `seats`: those that can win it; when the hand is over, those that won it."""

    amount: Amount
    seats: Seats = ()


class OverlaySeat(SeatView, frozen=True):
    """One seat. `order`: its place in the order of the first round's action, from 1; 0 for a seat that was
    not dealt in. `position`: `BTN`, `SB`, `BB`, `UTG`, `UTG+1`, `LJ`, `HJ`, `CO` or none. `act`: what it did
    last on the street under way; a fold and an all-in hold on. `hands`: how many hands the player was dealt
    into at this table, this one included.
    """

    order: Count = 0
    position: Word = ""
    act: Verb = ""
    hands: Count = 0


class OverlayView(TableView, frozen=True):
    """The table for the broadcast. `title`: the game in words. `ante`: of each seat, or of the big blind.
    `collected`: what is in the middle without the bets in front of the seats. `shares`: main pot and side
    pots with their seats. `history`: the streets so far, the first one first.
    """

    title: Word = ""
    ante: Amount = 0
    collected: Amount = 0
    seats: Annotated[tuple[OverlaySeat, ...], msgspec.Meta(max_length=10)] = ()
    shares: Annotated[tuple[PotView, ...], msgspec.Meta(max_length=16)] = ()
    history: Annotated[tuple[StreetView, ...], msgspec.Meta(max_length=8)] = ()


class MadeHand(msgspec.Struct, frozen=True):
    """A made hand. `kind`: such as `two-pair`; `ranks`: the ranks that name it, such as `AT`; `cards`: those
    that make it, the highest first; `board`: 1 for the board, 2 for the first board of two.
    """

    kind: Word
    ranks: Word
    cards: HandFaces
    board: Count = 1


class HandOdds(msgspec.Struct, frozen=True):
    """What follows from the faces for one seat. `made`: its best hands, one per board, and of a high-low game
    the low one if it qualifies. `equity`: its share of the pot on average over all cards that may come, None
    if it is not known. `outs`: the cards that bring it in front if one of them comes next.
    """

    seat: Seat
    made: Annotated[tuple[MadeHand, ...], msgspec.Meta(max_length=4)] = ()
    equity: Probability | None = None
    outs: Faces = ()


class PlayerNote(msgspec.Struct, frozen=True):
    """What is shown of the player in a seat beside the name: a country, a line of text, and the name of a
    picture's file.
    """

    seat: Seat
    flag: Word = ""
    line: Word = ""
    picture: Word = ""


class OverlayPicture(OverlayView, frozen=True):
    """The picture with what follows from its faces. `boards`: how many boards the equities were taken over, 0
    without equities; `error`: how far from the true value they may be, with 95 % certainty; 0 if they are
    exact. `direction`: what the director of the broadcast has ordered. `players`: what the site knows of
    those at the table. `logo`, `sponsor`: the names of the files with the site's pictures for these places.
    """

    hands: Annotated[tuple[HandOdds, ...], msgspec.Meta(max_length=10)] = ()
    boards: Count = 0
    error: Probability = 0.0
    direction: Direction = Direction()
    players: Annotated[tuple[PlayerNote, ...], msgspec.Meta(max_length=10)] = ()
    logo: Word = ""
    sponsor: Word = ""
