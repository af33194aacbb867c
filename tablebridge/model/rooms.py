"""What people and other programs are shown of a room of tables, and what they ask of it."""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import Amount, Count, Line, Nanoseconds, Seat, Sentence, Short, Word
from tablebridge.model.findings import Args

MOST_TABLES: Final = 250
"""Tables in one message; a room may have more."""
MOST_OUT: Final = 50
MOST_DUTIES: Final = 50
MOST_SHARES: Final = 20
MOST_SEEDS: Final = 20
MOST_PLACES: Final = 20
MOST_ROWS: Final = 200
MOST_ROOM_LINES: Final = 200
LONGEST_FILE: Final = 48_000
"""Characters of a file that is imported in one command."""


class RoomTable(msgspec.Struct, frozen=True):
    """One table. `hand`: the number of its hand; `halted`: why play halts there, empty while it goes on."""

    table: Word
    players: Count
    hand: Count = 0
    halted: Word = ""


class Move(msgspec.Struct, frozen=True):
    """A move that is due. `seat`: None if the floor chooses the player; `name`: who sits there."""

    table: Word
    seat: Seat | None
    to: Word
    to_seat: Seat
    name: Word = ""


class Placed(msgspec.Struct, frozen=True):
    """The new place that a player of a broken table has drawn and not taken yet."""

    table: Word
    seat: Seat
    to: Word
    to_seat: Seat
    name: Word = ""


class Seeded(msgspec.Struct, frozen=True):
    """The words from which a table's break will be drawn."""

    table: Word
    seed: Word


class Row(msgspec.Struct, frozen=True):
    """One player. `first`, `last`: the places that it shares once it is out, 0 while it plays."""

    name: Word
    table: Word
    seat: Seat
    stack: Amount | None = None
    first: Count = 0
    last: Count = 0
    prize: Amount = 0


class Duty(msgspec.Struct, frozen=True):
    """What the room found: the finding, its sentence, and when. `text`, `args`: as in `Alert`."""

    finding: Word
    sentence: Sentence
    table: Word
    at_wall_ns: Nanoseconds
    rulebook: Word = ""
    rule: Word | None = None
    cause: Word | None = None
    text: Word = ""
    args: Args = {}


class RoomView(msgspec.Struct, frozen=True):
    """A room at one moment. `rev`: the record it is true of; `entries`: who sat down so far; `clashes`: what
    tables report that cannot be; `out`: who went out last, the latest first; `duties`: the latest first.
    `stakes`: of the level, None if nobody said. `offered`: the formula of the deal that is proposed,
    `shares`: what each would get. `seeds`: of breaks that were not drawn yet; `places`: new places that were
    drawn. `named_by`: who of the floor decided that names and blinds go to the tables by themselves, empty if
    nobody did; `names_rev`: the record since which they are as they are.
    """

    rev: Count = 0
    at_wall_ns: Nanoseconds = 0
    game: Word = ""
    rulebook: Word = ""
    level: Count = 0
    players: Count = 0
    entries: Count = 0
    chips: Amount = 0
    hand_for_hand: bool = False
    move: Move | None = None
    final_table: Count | None = None
    tables: Annotated[tuple[RoomTable, ...], msgspec.Meta(max_length=MOST_TABLES)] = ()
    more_tables: Count = 0
    clashes: Annotated[tuple[Line, ...], msgspec.Meta(max_length=20)] = ()
    out: Annotated[tuple[Row, ...], msgspec.Meta(max_length=MOST_OUT)] = ()
    duties: Annotated[tuple[Duty, ...], msgspec.Meta(max_length=MOST_DUTIES)] = ()
    stakes: tuple[Amount, Amount] | None = None
    offered: Literal["", "chop", "icm"] = ""
    shares: Annotated[tuple[Row, ...], msgspec.Meta(max_length=MOST_SHARES)] = ()
    seeds: Annotated[tuple[Seeded, ...], msgspec.Meta(max_length=MOST_SEEDS)] = ()
    places: Annotated[tuple[Placed, ...], msgspec.Meta(max_length=MOST_PLACES)] = ()
    named_by: Word = ""
    names_rev: Count = 0


class RoomCommand(msgspec.Struct, frozen=True):
    """What a person, or tournament software, wants of a room, once for its `id`. `lines`: of a room script;
    `file`: an import, of the form `form`; `rows_from`: asks for players from this number on and writes
    nothing. `trial`: it is tried and nothing is written.
    """

    id: Word
    by: Short
    role: Word
    deadline_wall_ns: Nanoseconds
    lines: Annotated[tuple[Line, ...], msgspec.Meta(max_length=MOST_ROOM_LINES)] = ()
    form: Literal["", "csv", "json"] = ""
    file: Annotated[str, msgspec.Meta(max_length=LONGEST_FILE)] = ""
    rows_from: Count | None = None
    trial: bool = False
    schema: Count = 1


class RoomReply(msgspec.Struct, frozen=True):
    """The answer to a command. `sentence`: why it was refused, or what changed nothing. `rows`: the players
    asked for, `more`: the number to ask from next, None for no more. `changes`: how many
    events it was, or would be.
    """

    id: Word
    ok: bool
    sentence: Sentence = ""
    rev: Count = 0
    rows: Annotated[tuple[Row, ...], msgspec.Meta(max_length=MOST_ROWS)] = ()
    more: Count | None = None
    changes: Count = 0
    schema: Count = 1
