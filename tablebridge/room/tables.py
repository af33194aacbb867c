"""The state of a room: its tables, its players, and what they are paid."""

from collections.abc import Iterator
from dataclasses import dataclass, field

Spot = tuple[str, int]
"""A table and one of its seats."""


@dataclass(slots=True, eq=False)
class Player:
    """One player of the event. `name`: empty if nobody said. `stack`: None if nobody said. `first`, `last`:
    the places that it shares once it is out, the same number if it shares none; 0 while it plays. `won`:
    bounties of others.
    """

    name: str = ""
    stack: int | None = None
    first: int = 0
    last: int = 0
    prize: int = 0
    won: int = 0


@dataclass(slots=True)
class SeatedTable:
    """One table. `opened`: its seats in the order in which they were given up, the last one last. `halted`:
    why play halts there, empty while it goes on.
    """

    name: str
    players: dict[int, Player]
    button: int | None = None
    small: int | None = None
    big: int | None = None
    opened: list[int] = field(default_factory=list)
    halted: str = ""

    def after(self, seat: int, size: int) -> Iterator[int]:
        """The seats of the table clockwise from the one after this, this one last."""
        return (1 + (seat + step) % size for step in range(size))

    def next_big(self, size: int) -> int | None:
        """Who is big blind next: the first player after the last big blind. None if that is not known."""
        if self.big is None:
            return None
        return next((seat for seat in self.after(self.big, size) if seat in self.players), None)

    def begin_hand(self, size: int) -> None:
        """Button and blinds move on: the big blind to the next player, the small blind to where the big blind
        was, the button to where the small blind was, taken or not (TDA 32).
        """
        big = self.next_big(size)
        if big is not None:
            self.button, self.small, self.big = self.small, self.big, big

    def empty(self, seat: int) -> Player:
        """The player leaves the seat."""
        self.opened.append(seat)
        return self.players.pop(seat)

    def take(self, seat: int, player: Player) -> None:
        """The player sits down in an empty seat."""
        if seat in self.opened:
            self.opened.remove(seat)
        self.players[seat] = player


@dataclass(slots=True)
class Tables:
    """All tables of an event with `size` seats each, in the order in which they were named; the players who
    are out, by the seat where they went out, and all of them in that order; where each player sits who has a
    name.
    """

    size: int = 9
    stud: bool = False
    tables: dict[str, SeatedTable] = field(default_factory=dict)
    out: dict[Spot, Player] = field(default_factory=dict)
    gone: list[tuple[Spot, Player]] = field(default_factory=list)
    named: dict[str, Spot] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """How many players are left."""
        return sum(len(table.players) for table in self.tables.values())

    def playing(self) -> Iterator[tuple[Spot, Player]]:
        """Who is left, by table and seat."""
        for table in self.tables.values():
            for seat in sorted(table.players):
                yield (table.name, seat), table.players[seat]

    def player(self, spot: Spot) -> Player | None:
        """Who sits there, or was out there last."""
        table = self.tables.get(spot[0])
        sitting = None if table is None else table.players.get(spot[1])
        return self.out.get(spot) if sitting is None else sitting

    # What changes who sits where: the one place that keeps the names in step.

    def sit(self, spot: Spot, player: Player) -> None:
        """The player sits down in an empty seat."""
        self.tables[spot[0]].take(spot[1], player)
        if player.name:
            self.named[player.name] = spot

    def rise(self, spot: Spot) -> Player:
        """The player leaves the seat."""
        player = self.tables[spot[0]].empty(spot[1])
        self.named.pop(player.name, None)
        return player

    def call(self, spot: Spot, name: str) -> None:
        """The player of the seat has this name from now on."""
        player = self.tables[spot[0]].players[spot[1]]
        self.named.pop(player.name, None)
        player.name = name
        if name:
            self.named[name] = spot

    def go_out(self, spot: Spot) -> None:
        """The player of the seat is out of the event."""
        player = self.rise(spot)
        self.out[spot] = player
        self.gone.append((spot, player))
