"""The state of a room of tables, what it answers, and how a finding of it is raised."""

from typing import Final, Literal

from tablebridge.engine.notes import Notes
from tablebridge.model.cards import Card
from tablebridge.model.events import Basis
from tablebridge.model.findings import Arg, Finding
from tablebridge.room import money, seating
from tablebridge.room.tables import Player, SeatedTable, Spot, Tables
from tablebridge.rulebooks import BOOKS, Rulebook

_BALANCE: Final = 2
"""The difference at which tables are balanced, if the house says none: TDA 11 gives no number."""


class Wrong(Exception):
    """Why an event changes nothing."""


class Room:
    """The state of a room, and the findings of the entry that was applied last."""

    def __init__(self) -> None:
        self.book: Rulebook = BOOKS["tda-2024"]
        self.tables = Tables()
        self.hand_for_hand = False
        # Whether names and blinds go to the tables by themselves.
        self.brings_names = False
        self.bounty = 0
        self.level = 0
        self.stakes: tuple[int, int] | None = None
        # The formula by which all who are left proposed to share, until somebody else is out.
        self.offered: Literal["", "chop", "icm"] = ""
        self.new_places: dict[Spot, Spot] = {}
        self.choices: dict[str, int] = {}
        self.named_prizes: tuple[int, ...] = ()
        # Who went out in the last hand, with the number of players before it.
        self.last_out: list[tuple[Spot, Player, int | None]] = []
        self.before = 0
        # By table the words from which its break will be drawn.
        self.seeds: dict[str, str] = {}
        # The table that is being broken, its seat cards, and the playing cards that its seats were dealt.
        self.broken = ""
        self.seat_cards: tuple[Spot, ...] = ()
        self.dealt: dict[int, Card] = {}
        self.announced: set[tuple[object, ...]] = set()
        self.findings: list[Finding] = []
        self.entry = 0
        self.basis: Basis = "script"

    def begin(self, entry: int, basis: Basis) -> None:
        """An entry begins: nothing was found in it yet."""
        self.entry, self.basis, self.findings = entry, basis, []

    # What is known.

    @property
    def balance(self) -> seating.Balance | None:
        """The move that is due now."""
        if self.book.rule("balance") is None:
            return None
        return seating.balance(self.tables, self.choices.get("balance", _BALANCE))

    @property
    def final_table(self) -> int | None:
        """How many are to be combined at the final table now."""
        return seating.final_table(self.tables, self.book)

    @property
    def prizes(self) -> tuple[int, ...]:
        """The prizes, the first place first; those beyond the places paid are none."""
        return self.named_prizes[: self.choices.get("paid", len(self.named_prizes))]

    def halted(self, table: str) -> bool:
        """Whether play halts at the table until its seats are filled."""
        return table in self.tables.tables and self.tables.tables[table].halted == "blinds"

    def places(self, spot: Spot) -> tuple[int, int]:
        """The first and the last of the places that the player has, 0 while it plays. Who is left alone has
        the first.
        """
        player = self.tables.player(spot)
        if player is None or player.first:
            return (0, 0) if player is None else (player.first, player.last)
        return (1, 1) if self.tables.left == 1 and self.tables.gone else (0, 0)

    def prize(self, spot: Spot) -> int:
        """What the player gets so far. Who is left when all prizes that remain are equal has one of them."""
        player = self.tables.player(spot)
        return 0 if player is None else self.prize_of(player)

    def prize_of(self, player: Player) -> int:
        """What this player gets so far."""
        if player.prize or player.first:
            return player.prize or money.of_places(self.prizes, player.first, player.last)
        left = self.tables.left
        remaining = self.prizes[:left]
        return remaining[0] if len(remaining) == left and len(set(remaining)) == 1 else 0

    def bounties(self, spot: Spot) -> int:
        """The bounty money that the player has now, the own bounty included while it plays."""
        player = self.tables.player(spot)
        return 0 if player is None else player.won + (0 if player.first else self.bounty)

    # What the events need.

    def table(self, name: str) -> SeatedTable:
        table = self.tables.tables.get(name)
        if table is None:
            known = ", ".join(self.tables.tables) or "none"
            raise Wrong(f"There is no table {name}; the tables are {known}.")
        return table

    def seated(self, name: str, seat: int) -> Player:
        player = self.table(name).players.get(seat)
        if player is None:
            raise Wrong(f"Nobody sits in seat {seat} of table {name}.")
        return player

    def free(self, name: str, seat: int) -> None:
        """Raise Wrong unless the seat is there and empty."""
        table = self.table(name)
        if seat > self.tables.size or seat < 1:
            raise Wrong(f"A table of this room has {self.tables.size} seats: there is no seat {seat}.")
        if seat in table.players:
            raise Wrong(f"Seat {seat} of table {name} is not empty.")

    def unknown(self, player: str) -> None:
        """Raise Wrong if a player of this name plays already."""
        if player in self.tables.named:
            name, seat = self.tables.named[player]
            raise Wrong(f"{player} sits in seat {seat} of table {name} already; nobody sits twice.")

    def find(
        self,
        table: str,
        finding: str,
        text: str = "",
        *,
        args: dict[str, Arg],
        cause: str | None = None,
        seat: int | None = None,
        case: str = "",
    ) -> None:
        notes = Notes(self.entry, self.basis, table, 0, "", len(self.findings))
        notes.find(self.book, finding, text, args=args, cause=cause, seat=seat, case=case)
        self.findings.extend(notes.findings)
