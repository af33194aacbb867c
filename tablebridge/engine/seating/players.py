"""What is known of players beside the hand: who is away or waits for cards, who left, and what is owed.

A player who simply plays has no entry: a table of such players costs nothing. Everything here is a value; the
modules beside this one make the next one of it.
"""

from collections.abc import Mapping
from typing import Final, Literal, Self, TypeVar

import msgspec
from msgspec.structs import replace

from tablebridge.model.instant import Instant

Value = TypeVar("Value")

MOVED: Final = frozenset({"broken", "balanced", "must-move"})
"""Players who were moved, and did not come by themselves."""
CHANGED: Final = "changed"
"""The kind of a player who changed the seat."""


class Player(msgspec.Struct, frozen=True):
    """A player who is away, or waits for cards.

    `kind`: how the player came to the seat (`Enters.kind`), empty for one who has played from it. `choice`:
    to post as soon as he may, to wait for the big blind, or nothing yet. `small`, `big`: the blinds that
    passed him. `since`: when he went away; `long`: that he is away for long was reported.
    """

    state: Literal["away", "waits"]
    kind: str = ""
    choice: Literal["", "post", "wait"] = ""
    small: bool = False
    big: bool = False
    since: Instant | None = None
    long: bool = False

    @property
    def new(self) -> bool:
        """Whether the player has not played from this seat yet, nor been counted for its blinds."""
        return bool(self.kind)

    @property
    def missed(self) -> Literal["none", "small", "big", "both"]:
        """The blinds that were missed."""
        if self.small and self.big:
            return "both"
        return "small" if self.small else "big" if self.big else "none"


class Gone(msgspec.Struct, frozen=True):
    """A player who gave the seat up. `amount`: the chips that he took along."""

    amount: int
    at: Instant


class Seating(msgspec.Struct, frozen=True):
    """What is known of players beside the hand, by seat.

    `declared`: rebuys that were announced and are not paid. `opening`: the seats of a table that was opened
    by players who entered, before its first hand: nobody waits there. `becomes`, `adds`: what a stack of the
    hand under way is set to when it is over, and what is added to it then. `bought`, `taken`: the seats at
    which chips were added and removed since the hand began. `served`: those who waited until this hand, as
    they did. `button_cards`: the cards that are dealt for the button.
    """

    players: dict[int, Player] = {}
    gone: dict[int, Gone] = {}
    declared: dict[int, int] = {}
    opening: frozenset[int] = frozenset()
    becomes: dict[int, int] = {}
    adds: dict[int, int] = {}
    bought: frozenset[int] = frozenset()
    taken: frozenset[int] = frozenset()
    served: dict[int, Player] = {}
    button_cards: dict[int, str] = {}

    def with_player(self, seat: int, player: Player | None) -> Self:
        """The same with this player at the seat; None: with one who simply plays."""
        others = without(self.players, seat)
        return replace(self, players=others if player is None else {**others, seat: player})

    def without_seat(self, seat: int) -> Self:
        """The same without anything of the seat's player."""
        return replace(
            self,
            players=without(self.players, seat),
            declared=without(self.declared, seat),
            served=without(self.served, seat),
            opening=self.opening - {seat},
            bought=self.bought - {seat},
            taken=self.taken - {seat},
        )

    def of_seats(self, seats: frozenset[int]) -> Self:
        """The same for a table at which only these seats are taken now."""
        known = self
        if not (self.players or self.declared or self.opening):
            return known
        for seat in sorted((self.players.keys() | self.declared.keys() | self.opening) - seats):
            known = known.without_seat(seat)
        return known

    def waiting(self) -> tuple[int, ...]:
        """Seats whose players wait for cards, ascending."""
        return tuple(sorted(seat for seat, player in self.players.items() if player.state == "waits"))

    def away(self) -> tuple[int, ...]:
        """Seats whose players are away, ascending."""
        return tuple(sorted(seat for seat, player in self.players.items() if player.state == "away"))


def without(known: Mapping[int, Value], seat: int) -> dict[int, Value]:
    """The same without the seat."""
    return {other: value for other, value in known.items() if other != seat}


NOBODY: Final = Seating()
