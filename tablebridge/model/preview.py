"""What would come of a line or a correction, before it is written."""

from typing import Annotated, Final

import msgspec

from tablebridge.model.bounds import Amount, Count, Line, Seat, Sentence, Word
from tablebridge.model.findings import Severity

MOST: Final = 5


class Foreseen(msgspec.Struct, frozen=True):
    """A finding that would come or go."""

    finding: Word
    severity: Severity
    sentence: Line
    rulebook: Word = ""
    rule: Word | None = None


Findings = Annotated[tuple[Foreseen, ...], msgspec.Meta(max_length=MOST)]


class Taken(msgspec.Struct, frozen=True):
    """The action of a seat would be taken as `action`; `amount`: its total for the round then."""

    seat: Seat
    action: Word
    amount: Amount


class Moment(msgspec.Struct, frozen=True):
    """What of a table a correction may change: the pot, whose turn it is and what it must add to call, the
    street, the seats with a live hand.
    """

    pot: Amount = 0
    to_act: Seat | None = None
    to_call: Amount = 0
    street: Word = "over"
    live: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=10)] = ()


class Preview(msgspec.Struct, frozen=True):
    """The answer to the Command of this `id`, which was not done; true of the journal record `rev`.

    `ok`: it can be written; `sentence`: why not, or why it changes nothing. `taken`, `back`: how actions are
    taken, what goes back to seats. `comes`, `goes`: findings. `before`, `after`: the table. `ends`: a hand
    ends or is over, so what would follow is not tried out: it may depend on cards that lie face down.
    """

    id: Word
    ok: bool
    sentence: Sentence = ""
    rev: Count = 0
    taken: Annotated[tuple[Taken, ...], msgspec.Meta(max_length=MOST)] = ()
    back: Annotated[tuple[tuple[Seat, Amount], ...], msgspec.Meta(max_length=MOST)] = ()
    comes: Findings = ()
    goes: Findings = ()
    before: Moment = Moment()
    after: Moment = Moment()
    ends: bool = False
    schema: Count = 1
