"""The chain of a journal's records, from which a body can be deleted later.

Each record has a hash, `SHA-256(hash of the record before, number, kind, digest, "digest")`, and a digest,
`SHA-256(salt, body)`, with a salt of its own. So the chain holds without the body: a **redacted** record
keeps its digest and has lost salt and body, and without the salt nobody can try out what stood there.
What stands there instead, and that it may, is said by a later record of the kind `redaction`.

| `proof` of a row | then | the body |
| --- | --- | --- |
| 0 and the salt | the digest is calculated | is what was written |
| 1 and the digest | the record is redacted | is what the last redaction that names it says |
| none | the row is of schema 1 or 2: its hash is that of the body itself | cannot be redacted |

Both forms of `proof` have one length, and what stands in place of a body is filled with spaces to its length:
SQLite then writes over the old row where it stands, and leaves no second copy of it in another page.
"""

import hashlib
import os
import sqlite3
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from tablebridge.model.bounds import Count, Nanoseconds, Reader, Short

MOST_REDACTED: Final = 4000
"""Records that one redaction names."""
_SALT_BYTES: Final = 32
_WHOLE, _REDACTED = b"\0", b"\1"
_SHORT_BYTES: Final = 12

Rule = Literal["hole_cards", "names", "request"]


class RedactionRecord(msgspec.Struct, frozen=True):
    """Bodies were deleted. `rows`: by the number of the record the digest of what stands there since, in
    base 64. `rule`: which rule wanted it; `by`: who or what did it; `wall_ns`: when.
    """

    rule: Rule
    by: Short
    wall_ns: Nanoseconds
    rows: Annotated[
        dict[Count, Annotated[str, msgspec.Meta(max_length=16)]], msgspec.Meta(max_length=MOST_REDACTED)
    ]


REDACTIONS: Final = Reader[RedactionRecord](RedactionRecord)


class UnsoundError(Exception):
    """The record of this number is not what was written; the text says why."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(why)
        self.number = number


class Row(NamedTuple):
    """A row of the table `record`."""

    number: int
    kind: str
    body: bytes
    proof: bytes | None
    hash: bytes

    @property
    def redacted(self) -> bool:
        """Whether its body was deleted."""
        return self.proof is not None and self.proof[:1] == _REDACTED

    @property
    def digest(self) -> bytes | None:
        """The digest of what was written; None if the row has none."""
        if self.proof is None:
            return None
        rest = self.proof[1:]
        return rest if self.redacted else hashlib.sha256(rest + self.body).digest()

    def follows(self, previous: bytes) -> bool:
        """Whether its hash is that of the record after the one with the hash `previous`."""
        digest = self.digest
        if digest is None:
            return self.hash == link(previous, self.number, self.kind, self.body)
        return self.hash == link(previous, self.number, self.kind, digest, b"digest")


def link(previous: bytes, number: int, kind: str, *rest: bytes) -> bytes:
    """The hash of the record that follows the one with hash `previous`; lengths are hashed too, so no two can
    be confused. `rest`: the body in schema 1 and 2; since then its digest, and the word for that.
    """
    parts = (previous, str(number).encode(), kind.encode(), *rest)
    return hashlib.sha256(b"".join([len(part).to_bytes(8, "big") + part for part in parts])).digest()


def new_row(previous: bytes, number: int, kind: str, body: bytes) -> Row:
    """The row of a new record, which follows the one with the hash `previous`."""
    salt = os.urandom(_SALT_BYTES)
    digest = hashlib.sha256(salt + body).digest()
    return Row(number, kind, body, _WHOLE + salt, link(previous, number, kind, digest, b"digest"))


def redacted(row: Row, instead: bytes) -> Row:
    """The row without its body. Raises ValueError for a row that has no digest."""
    if row.digest is None:
        raise ValueError(f"record {row.number} is of an older schema")
    return row._replace(body=instead.ljust(len(row.body)), proof=_REDACTED + row.digest)


def short_digest(body: bytes) -> str:
    """What a redaction says of what stands in place of a body."""
    return b64encode(hashlib.sha256(body).digest()[:_SHORT_BYTES]).decode()


def rows(db: sqlite3.Connection, since: int = 0, kind: str = "") -> Iterator[Row]:
    """The rows from number `since` on, in order; of this kind, if one is given."""
    found = db.execute(
        f"SELECT number, kind, body, {_proof(db)}, hash FROM record "
        "WHERE number >= :since AND (:kind = '' OR kind = :kind) ORDER BY number",
        {"since": since, "kind": kind},
    )
    return (Row(*row) for row in found)


def backwards(db: sqlite3.Connection) -> Iterator[Row]:
    """The rows from the last on."""
    return (
        Row(*row)
        for row in db.execute(
            f"SELECT number, kind, body, {_proof(db)}, hash FROM record ORDER BY number DESC"
        )
    )


def before(db: sqlite3.Connection, table: str, since: int) -> tuple[int, bytes]:
    """Number and hash of the record before the number `since`, or of the name of the table, which is the
    first link.
    """
    found = db.execute(
        "SELECT number, hash FROM record WHERE number < ? ORDER BY number DESC LIMIT 1", (since,)
    ).fetchone()
    return found or (0, link(b"", 0, "table", table.encode()))


def verified(db: sqlite3.Connection, since: int, last: int, previous: bytes) -> Iterator[Row]:
    """The rows from number `since` on, as far as they follow from the record with the number `last` and the
    hash `previous`. Raises UnsoundError for the first that does not.
    """
    named = _named(rows(db, since, "redaction"))  # a record is redacted by a later one
    for row in following(db, since, last, previous):
        if row.redacted and named.get(row.number) != short_digest(row.body):
            why = "is not what the record says" if row.number in named else "is in no record"
            raise UnsoundError(row.number, f"what it said is gone, and what stands there instead {why}")
        yield row


def following(db: sqlite3.Connection, since: int, last: int, previous: bytes) -> Iterator[Row]:
    """The same, but that a redaction names what stands in place of a redacted body is left to `verified`,
    which reads all later records for that.
    """
    for row in rows(db, since):
        if row.number <= last or not row.follows(previous):
            raise UnsoundError(row.number, "it was changed after it was written")
        yield row
        last, previous = row.number, row.hash


def has_proofs(db: sqlite3.Connection) -> bool:
    """Whether the table has the column; a journal of schema 1 or 2 has not."""
    return any(name == "proof" for _, name, *_ in db.execute("PRAGMA table_info(record)"))


def _proof(db: sqlite3.Connection) -> str:
    return "proof" if has_proofs(db) else "NULL"


def _named(redactions: Iterable[Row]) -> dict[int, str]:
    """By number what stands in place of the bodies that these records of redactions name."""
    stands: dict[int, str] = {}
    for row in redactions:
        with suppress(msgspec.MsgspecError):  # then it is not what was written, which its own hash says
            stands.update(REDACTIONS.decode(row.body).rows)
    return stands
