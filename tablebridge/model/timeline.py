"""What the record of one hand says, item by item, as it is given to those who look at it afterwards.

Every item has the number of its row in the journal. Without an access on record an item holds no other face
than those that lay open when it happened; a card that was read has a number of the hand (`Heard.cards`),
which says neither its face nor its tag.
"""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import (
    Amount,
    Antenna,
    BoardFaces,
    Count,
    HandFaces,
    Line,
    Nanoseconds,
    Probability,
    Seat,
    Sentence,
    Short,
    Spot,
    Word,
)
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant

MOST_EVIDENCE: Final = 64
"""Readings that an event names as what it rests on."""
MOST_CARDS: Final = 450
"""Cards of one reading."""
MOST_ITEMS: Final = 1_000
"""Items of one page."""

CardNumber = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
"""A card of the hand, by the order in which the cards were read first."""
Offset = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
"""Nanoseconds from the instant of the page."""


class SeatMoment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One seat at a moment: as `views.SeatView`."""

    seat: Seat
    state: Word
    name: Word
    stack: Amount
    bet: Amount
    cards: Count
    faces: HandFaces
    last: Word
    won: Amount


class Moment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The table as the engine has it after an event: as `views.TableView`."""

    street: Word
    board: BoardFaces
    first_board: BoardFaces
    pot: Amount
    button: Seat | None
    to_act: Seat | None
    to_call: Amount
    expects: Line
    in_doubt: bool
    seats: Annotated[tuple[SeatMoment, ...], msgspec.Meta(max_length=10)]


class Happened(msgspec.Struct, frozen=True, tag="event", tag_field="item", omit_defaults=True):
    """A table event. `word`: its word in table script; `line`: the whole line; `places`: where it was;
    `evidence`: the readings that it rests on, as `device/epoch/seq`; `sure`: the probability that it is true
    as stated; `entered`: when the engine took it; `after`: the table then. `redacted`: a part of what stood
    in the record was deleted.
    """

    number: Count
    at: Instant
    word: Word
    line: Line
    basis: Word
    after: Moment
    by: Short = ""
    sure: Probability = 1.0
    places: Annotated[tuple[Spot, ...], msgspec.Meta(max_length=12)] = ()
    evidence: Annotated[tuple[Short, ...], msgspec.Meta(max_length=MOST_EVIDENCE)] = ()
    entered: Instant | None = None
    ignored: Line = ""
    device: Word = ""
    state: Word = ""
    redacted: bool = False


class Noticed(msgspec.Struct, frozen=True, tag="finding", tag_field="item", omit_defaults=True):
    """A finding. `number`: its row, 0 for one that the record does not have and the engine finds now.
    `entry`: the event that led to it, and when that happened. `again`: whether the engine finds the same when
    it is run over the record again.
    """

    number: Count
    at: Instant
    entry: Count
    finding: Finding
    sentence: Sentence
    again: bool = True


class AlertStep(msgspec.Struct, frozen=True, tag="alert", tag_field="item", omit_defaults=True):
    """A person changed the alert of the finding `alert`: to which state, with what ruling and note."""

    number: Count
    at: Instant
    alert: Word
    to: Word
    by: Short
    note: Line = ""
    line: Line = ""


class ReviewStep(msgspec.Struct, frozen=True):
    """A person marked the hand as reviewed, wrote a note about it, or had the video marked."""

    at: Instant
    kind: Literal["reviewed", "note", "bookmark"]
    by: Short
    note: Line = ""


Item = Happened | Noticed | AlertStep


class Heard(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A reading: identity, time as offsets from the page's, antenna (None for what is no sweep), the cards
    that answered, how many visits it sums up, the cards that are known to have been missed, whether the sweep
    was complete, and for other readings what was said.
    """

    number: Count
    device: Word
    epoch: Word
    seq: Count
    wall_ns: Offset
    monotonic_ns: Offset
    antenna: Antenna | None = None
    place: Short = ""
    cards: Annotated[tuple[CardNumber, ...], msgspec.Meta(max_length=MOST_CARDS)] = ()
    visits: Count = 1
    missed: Annotated[tuple[CardNumber, ...], msgspec.Meta(max_length=MOST_CARDS)] = ()
    complete: bool = True
    said: Line = ""


class HandRow(msgspec.Struct, frozen=True):
    """A hand of the record: its number, the row with which it began, when that was, how many findings it has,
    and whether somebody has marked it as reviewed.
    """

    hand: Count
    number: Count
    began_wall_ns: Nanoseconds
    findings: Count = 0
    reviewed: bool = False


class Chain(msgspec.Struct, frozen=True):
    """How far the chain of the record was checked: the number and the hash (hex) of the last record that
    follows. `broken`: the first that does not, 0 if there is none; `why`: in words. `end`: the last record
    that there is.
    """

    number: Count
    hash: Word
    broken: Count = 0
    why: Line = ""
    end: Count = 0


class Link(msgspec.Struct, frozen=True):
    """One record of a slice of the chain, from which its hash can be calculated again.

    `digest`: of what was written, as hex; empty for a record of an older schema. `salt` and `body`: what the
    digest is of, unless the body holds what the receiver may not see.
    """

    number: Count
    kind: Word
    hash: Word
    digest: Word = ""
    salt: Word = ""
    body: Annotated[str, msgspec.Meta(max_length=65_536)] = ""


class Seal(msgspec.Struct, frozen=True):
    """What the engine of a box signs of a slice of its record, with Ed25519 (RFC 8032): `statement` as the
    bytes of its UTF-8, `signature` and public `key` as hex. The statement names the table, the hand, the
    rows, the hashes of the record before them and of the last of them, and when it was signed.
    """

    statement: Line
    signature: Annotated[str, msgspec.Meta(max_length=128)]
    key: Word
