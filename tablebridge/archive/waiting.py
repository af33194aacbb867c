"""Records that came before what they rest on: another worker has it, or it never comes.

They wait in the database, so that each record of the stream is taken once, whichever worker gets it: the
servers deal the records of one table out among all workers that ask.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, select, text
from sqlalchemy.dialects.postgresql import insert

from tablebridge.archive.schema import WAITING
from tablebridge.stream.message import RecordMessage, decode, encode

_MOST: Final = 1000
_OLD: Final = text("since < now() - make_interval(secs => :patience)")


class Waiting(NamedTuple):
    """A record that waits. `box`: who sent it; `arrived`: when it came into the stream."""

    box: str
    message: RecordMessage
    arrived: datetime


def tables_that_wait(db: Connection, tables: Collection[int]) -> set[int]:
    """Of these tables those of which records wait."""
    wanted = select(WAITING.c.table_id).where(WAITING.c.table_id.in_(tables)).distinct()
    return set(db.execute(wanted).scalars())


def overdue(db: Connection, patience_s: float) -> list[int]:
    """The tables of which a record has waited for longer than this."""
    wanted = select(WAITING.c.table_id).where(_OLD).distinct().limit(_MOST)
    return list(db.execute(wanted, {"patience": patience_s}).scalars())


def following(db: Connection, table: int, heads: Collection[int]) -> list[Waiting]:
    """Records of the table that wait for one of these numbers, and some of those after them."""
    first = select(func.min(WAITING.c.number)).where(
        WAITING.c.table_id == table, WAITING.c.after_number.in_(heads)
    )
    return _from(db, table, db.execute(first).scalar())


def longest(db: Connection, table: int, patience_s: float) -> list[Waiting]:
    """The first record of the table that has waited for longer than this, and some of those after it."""
    first = select(func.min(WAITING.c.number)).where(WAITING.c.table_id == table, _OLD)
    return _from(db, table, db.execute(first, {"patience": patience_s}).scalar())


def put(db: Connection, table: int, waiting: Iterable[Waiting]) -> None:
    """Have these wait; one that does already goes on waiting."""
    rows = [
        {
            "table_id": table,
            "number": one.message.number,
            "hash": one.message.hash,
            "after_number": one.message.after,
            "box": one.box,
            "message": encode(one.message),
            "arrived": one.arrived,
        }
        for one in waiting
    ]
    if rows:
        db.execute(insert(WAITING).on_conflict_do_nothing(), rows)


def release(db: Connection, table: int, messages: Sequence[RecordMessage]) -> None:
    """These wait no longer."""
    numbers = [message.number for message in messages]
    hashes = [message.hash for message in messages]
    if messages:
        db.execute(
            delete(WAITING).where(
                WAITING.c.table_id == table, WAITING.c.number.in_(numbers), WAITING.c.hash.in_(hashes)
            )
        )


def _from(db: Connection, table: int, first: int | None) -> list[Waiting]:
    if first is None:
        return []
    wanted = (
        select(WAITING.c.box, WAITING.c.message, WAITING.c.arrived)
        .where(WAITING.c.table_id == table, WAITING.c.number >= first)
        .order_by(WAITING.c.number)
        .limit(_MOST)
    )
    return [Waiting(box, decode(bytes(message)), arrived) for box, message, arrived in db.execute(wanted)]
