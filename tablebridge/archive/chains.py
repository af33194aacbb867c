"""Where each record that arrives has its place in the chain of its table. Pure: what is stored comes in.

Theory. A message names the record before its own by number and hash. Of a table are known its segments, each
an unbroken piece of the chain with a head.

| the record before it is | and the record | then |
| --- | --- | --- |
| the head of a segment | | it is appended there |
| any | is stored, with the same hash | it came twice: nothing is done |
| stored, and not a head | is not stored | the chain is forked: a segment begins there |
| none (the table's first link) | is not stored, and others are | another chain begins: a segment |
| none, but of another table's chain | | it is another table's record: a segment |
| not stored | may still come | it waits |
| not stored | has waited long enough | records are missing: a segment begins after them |
| any | is no later than what retention has deleted | it is sent again: a segment that may not go on |

The head is compared first, so what a table sends in order costs no question. What hash and contents of a
record do not agree was rewritten at the box before it was sent; it has its place by its hash.

Of what retention has deleted are known its last record and that with which its segment began. A segment of
records that are sent again ends where it meets that last record; if it passes it, the chain is forked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from tablebridge.journal.chain import link
from tablebridge.stream.message import RecordMessage

MOST_SEGMENTS: Final = 64
"""Of one table: whoever has a box's key could begin any number of them."""

Reason = Literal["begin", "begins-late", "new-chain", "forked-chain", "other-table", "hole", "sent-again"]
Hashes = Callable[[int], Sequence[bytes]]
"""The hashes of the stored records of this number."""


class Head(NamedTuple):
    """The last record of a segment. `segment`: its id, below 0 if it has none yet. `again`: it is one of
    records that retention has deleted and that were sent again.
    """

    segment: int
    number: int
    hash: bytes
    again: bool = False


class Arrived(NamedTuple):
    """A record that has arrived. `key`: by which the caller knows it. `patient`: what it rests on may still
    come.
    """

    key: int
    message: RecordMessage
    patient: bool


class Begun(NamedTuple):
    """A segment that begins with this record."""

    segment: int
    reason: Reason
    first: RecordMessage


class Noticed(NamedTuple):
    """Something about the chain that people have to know."""

    finding: str
    number: int
    after: int = 0


class Placed(NamedTuple):
    """What becomes of records that have arrived. `appended`: by key, to which segment each belongs, in the
    order of the chain. `doubles`, `waiting`, `refused`: the keys of the others.
    """

    appended: dict[int, int]
    begun: list[Begun]
    doubles: list[int]
    waiting: list[int]
    refused: list[int]
    noticed: list[Noticed]


class Chains:
    """The segments of one table. `table`: its name, of which the first link is made. `gone`: the number of
    the last record that retention has deleted, 0 if there is none.
    """

    def __init__(self, table: str, heads: Iterable[Head], stored: Hashes, gone: int = 0) -> None:
        self._first = (0, link(b"", 0, "table", table.encode()))
        self._heads: dict[tuple[int, bytes], int] = {}
        self._segments = 0
        self._gone = gone
        self._again: set[int] = set()
        for head in heads:
            self._heads[head.number, head.hash] = head.segment
            self._segments += 1
            if head.again:
                self._again.add(head.segment)
        self._stored = stored
        self._fresh: dict[int, list[bytes]] = {}
        self._placed = Placed({}, [], [], [], [], [])

    def place(self, arrived: Sequence[Arrived]) -> Placed:
        """Find the place of each of these."""
        self._placed = Placed({}, [], [], [], [], [])
        for one in sorted(arrived, key=lambda one: one.message.number):
            self._place(one)
        return self._placed

    def heads(self) -> Mapping[int, tuple[int, bytes]]:
        """By segment number and hash of its head."""
        return {segment: head for head, segment in self._heads.items()}

    def _place(self, one: Arrived) -> None:
        message = one.message
        before = (message.after, message.before)
        segment = self._heads.pop(before, None)
        if segment is None:
            if message.hash in self._hashes(message.number):
                self._placed.doubles.append(one.key)
                return
            reason = self._reason(message, one.patient)
            if reason is None:
                self._placed.waiting.append(one.key)
                return
            if self._segments >= MOST_SEGMENTS:
                self._placed.refused.append(one.key)
                self._placed.noticed.append(Noticed("too-many-chains", message.number))
                return
            segment = self._begin(reason, message)
        elif segment in self._again and message.number >= self._gone:
            if message.hash in self._hashes(message.number):
                self._heads[before] = segment
                self._placed.doubles.append(one.key)
                return
            if message.after < self._gone:
                self._placed.noticed.append(Noticed("forked-chain", message.number))
        if not message.follows:
            self._placed.noticed.append(Noticed("rewritten-record", message.number))
        self._heads[message.number, message.hash] = segment
        self._fresh.setdefault(message.number, []).append(message.hash)
        self._placed.appended[one.key] = segment

    def _begin(self, reason: Reason, message: RecordMessage) -> int:
        self._segments += 1
        segment = -self._segments
        if reason == "sent-again":
            self._again.add(segment)
        self._placed.begun.append(Begun(segment, reason, message))
        if reason != "begin":
            self._placed.noticed.append(Noticed(reason, message.number, message.after))
        return segment

    def _reason(self, message: RecordMessage, patient: bool) -> Reason | None:
        """Why a segment begins with this record, which fits no head; None if it waits."""
        if message.after == 0:
            if message.before != self._first[1]:
                return "other-table"
            return "begin" if self._segments == 0 else "new-chain"
        if message.before in self._hashes(message.after):
            return "sent-again" if message.number <= self._gone else "forked-chain"
        if message.begins and self._segments == 0:
            return "begins-late"
        if patient:
            return None
        return "sent-again" if message.number <= self._gone else "hole"

    def _hashes(self, number: int) -> list[bytes]:
        return [*self._fresh.get(number, ()), *self._stored(number)]
