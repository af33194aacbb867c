"""Whether every chain in the database is still what arrived: all hashes are calculated again.

The readable part of a record with sealed faces has no part in its hash: of such a record the digest is what
is checked, and what is sealed says what the readable part has to be.
"""

import hashlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, Row, RowMapping, select, text

from tablebridge.archive.schema import PLAYED, SEGMENT
from tablebridge.archive.signatures import is_signed
from tablebridge.journal.chain import link

_ROWS: Final = text(
    "SELECT number, kind, salt, digest, body::text AS body, hash FROM record "
    "WHERE segment_id = :segment AND table_id = :table AND number > :gone ORDER BY number"
)
_AT_ONCE: Final = 1000


class Verified(NamedTuple):
    """A segment of a table. `records`: how many are sound; `unsound`: the number of the first that is not, 0
    if all are; `missing`: those at its end are not there. `head`: the number of its last record. `box` has
    signed it up to the record `signed` with the key `key` (hex), 0 and empty if it has not; `forged`: the
    signature that is kept does not fit.
    """

    site: str
    table: str
    segment: int
    records: int
    unsound: int
    missing: bool
    box: str = ""
    head: int = 0
    signed: int = 0
    key: str = ""
    forged: bool = False


def verified(engine: Engine) -> Iterator[Verified]:
    """Each segment of each table, from what retention has left of it. Raises SQLAlchemyError."""
    wanted = (
        select(PLAYED.c.site, PLAYED.c.name, SEGMENT)
        .join(PLAYED, PLAYED.c.id == SEGMENT.c.table_id)
        .order_by(PLAYED.c.site, PLAYED.c.name, SEGMENT.c.id)
    )
    with engine.connect() as db:
        # What workers store meanwhile is not seen: heads and records are of one moment.
        db.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
        for segment in db.execute(wanted).all():
            yield _verified(db, segment)


def _verified(db: Connection, segment: Row[tuple[object, ...]]) -> Verified:
    of = segment._mapping
    before = bytes(of["gone_hash"] if of["gone_number"] else of["before_hash"])
    place = {"segment": of["id"], "table": of["table_id"], "gone": of["gone_number"]}
    count, unsound = 0, 0
    with db.execute(_ROWS, place, execution_options={"yield_per": _AT_ONCE}) as rows:
        hash_then = None
        for number, kind, salt, digest, body, hash_ in rows:
            whole = digest or hashlib.sha256(bytes(salt) + body.encode()).digest()
            if link(before, number, kind, bytes(whole), b"digest") != bytes(hash_):
                unsound = number
                break
            before = bytes(hash_)
            count += 1
            if number == of["signed_number"]:
                hash_then = before
    missing = not unsound and before != bytes(of["head_hash"])
    found = Verified(of["site"], of["name"], of["id"], count, unsound, missing, of["box"], of["head_number"])
    return _with_signature(found, of, hash_then)


def _with_signature(found: Verified, of: RowMapping, hash_then: bytes | None) -> Verified:
    """With what the box has signed. `hash_then`: of that record as it was calculated again; None if retention
    has deleted it, or a record before it is unsound.
    """
    if not of["signed_number"]:
        return found
    key, hash_ = bytes(of["signed_by"]), bytes(of["signed_hash"])
    fits = is_signed(found.table, of["signed_number"], hash_, key, bytes(of["signature"]))
    forged = not fits or (hash_then is not None and hash_then != hash_)
    return found._replace(signed=of["signed_number"], key=key.hex(), forged=forged)
