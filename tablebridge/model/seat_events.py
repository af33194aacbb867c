"""Table events of seats: who comes, goes, is away and comes back, and the chips that players buy and take off
the table.
"""

from typing import Final, Literal, get_args

from tablebridge.model.cards import Card
from tablebridge.model.event import Event

EntryKind = Literal["new", "late", "alternate", "re-entry", "broken", "balanced", "must-move"]
ENTRY_KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)
"""How a player came to the seat."""
PostChoice = Literal["", "post", "wait"]
"""To post as soon as the player may, to wait for the big blind, or not said."""
Missed = Literal["small", "big", "both"]
MISSED: Final[tuple[Missed, ...]] = get_args(Missed)


class Enters(Event, frozen=True, tag="enters"):
    """A player takes the seat with this amount in chips; during a hand it counts from the next one."""

    seat: int
    amount: int
    kind: EntryKind = "new"
    choice: PostChoice = ""


class SitsOut(Event, frozen=True, tag="sits-out"):
    """The player of the seat is away from the next hand on, and keeps seat and chips."""

    seat: int


class Returns(Event, frozen=True, tag="returns"):
    """The player of the seat is back, or chooses how to get cards again. `amount`: what one who had given the
    seat up brings.
    """

    seat: int
    amount: int | None = None
    choice: PostChoice = ""


class MissedBlind(Event, frozen=True, tag="missed"):
    """The missed-blind button stands before the seat."""

    seat: int
    blind: Missed


class ChangesSeat(Event, frozen=True, tag="changes-seat"):
    """The player of the seat sits in another one."""

    seat: int
    other: int


class Adds(Event, frozen=True, tag="adds"):
    """The player of the seat bought chips."""

    seat: int
    amount: int


class Removes(Event, frozen=True, tag="removes"):
    """A player who stays took chips off the table."""

    seat: int
    amount: int


class Rebuys(Event, frozen=True, tag="rebuy"):
    """The player of the seat bought a rebuy; `declared`: only announced it, the chips play behind."""

    seat: int
    amount: int
    declared: bool = False


class ButtonCard(Event, frozen=True, tag="button-card"):
    """A card dealt face up to the seat for the button."""

    seat: int
    card: Card


SEATED: Final = (Enters, SitsOut, Returns, MissedBlind, ChangesSeat, Adds, Removes, Rebuys, ButtonCard)
