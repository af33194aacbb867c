"""A batch of records into the database, in one transaction.

The rows of the tables concerned are locked first, in the order of their ids: so workers wait for each other
per table and never in a circle, and the heads that were read still hold when they are written.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from psycopg import Connection as Driver
from psycopg import Error as DriverError
from sqlalchemy import Connection, Engine, bindparam, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import DBAPIError

from tablebridge.archive import findings, signatures, waiting
from tablebridge.archive.chains import Arrived, Chains, Head, Noticed, Placed
from tablebridge.archive.database import make_partition
from tablebridge.archive.extracts import write_extracts
from tablebridge.archive.rows import Standing, Stored, extract
from tablebridge.archive.schema import PLAYED, RECORD, SEGMENT, SITE_FINDING
from tablebridge.archive.signatures import SignedRecord
from tablebridge.stream.message import Address, RecordMessage

_CLOCK_S: Final = 60.0
_COPY: Final = (
    "COPY record (day, segment_id, number, table_id, kind, event, at, hash, salt, digest, body, sealed) "
    "FROM STDIN"
)
_NEW_HEAD: Final = (
    update(SEGMENT)
    .where(SEGMENT.c.id == bindparam("segment"))
    .values(head_number=bindparam("number"), head_hash=bindparam("hash"))
)


class Incoming(NamedTuple):
    """A record from the stream. `arrived`: when it came into the stream."""

    address: Address
    message: RecordMessage
    arrived: datetime


class Outcome(NamedTuple):
    """What became of a batch, by its positions: `stored`, known before (`doubles`), `waiting` in the database
    for what they rest on, `refused` for ever. `noticed`: how many findings there were.
    """

    stored: list[int]
    doubles: list[int]
    waiting: list[int]
    refused: list[int]
    noticed: int


class _Table(NamedTuple):
    """A row of `played_table`."""

    id: int
    site: str
    name: str
    box: str


class _Segment(NamedTuple):
    """A row of `segment`, as far as a batch needs it."""

    id: int
    head_number: int
    head_hash: bytes
    reason: str
    after_number: int
    before_hash: bytes
    first_number: int
    first_hash: bytes
    gone_number: int
    gone_hash: bytes | None
    joined: datetime | None

    @property
    def is_open_hole(self) -> bool:
        """Whether the records before it are missing."""
        return self.reason == "hole" and self.joined is None


class Store:
    """Writes into the database behind `engine`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._made: date | None = None

    def store(self, batch: Sequence[Incoming]) -> Outcome:
        """Write what fits; it is committed when this returns. Raises SQLAlchemyError: then nothing is."""
        # Of the newest day alone is it known that its partition stays: retention drops those of others.
        for day in sorted({one.arrived.date() for one in batch} - {self._made}):
            make_partition(self._engine, day)
            self._made = max(day, self._made or day)
        with self._engine.begin() as db:
            return _Batch(db, batch).store()

    def settle(self, patience_s: float) -> int:
        """Store what has waited for longer than this for what it rests on: that is missing. How many findings
        there were. Raises SQLAlchemyError.
        """
        with self._engine.begin() as db:
            tables = waiting.overdue(db, patience_s)
            return _Batch(db, ()).settle(tables, patience_s) if tables else 0

    def notice(self, address: Address, finding: str, number: int = 0, more: str = "") -> None:
        """Write down a finding of no record that was stored. Raises SQLAlchemyError."""
        with self._engine.begin() as db:
            _find(db, address, finding, number, more=more)

    def has_tables(self, site: str) -> bool:
        """Whether anything of this site was ever stored. Raises SQLAlchemyError."""
        with self._engine.connect() as db:
            return db.execute(select(PLAYED.c.id).where(PLAYED.c.site == site).limit(1)).first() is not None


class _Batch:
    """One transaction."""

    def __init__(self, db: Connection, batch: Sequence[Incoming]) -> None:
        self._db = db
        self._batch = list(batch)
        self._incoming = len(batch)
        self._stored: list[Stored] = []
        self._begun_by: dict[int, str] = {}
        self._heads_now: list[dict[str, Any]] = []
        self._sites: dict[int, str] = {}
        self._outcome = Outcome([], [], [], [], 0)
        self._noticed = 0

    def store(self) -> Outcome:
        """Store the batch, and what has waited for it."""
        by_table: dict[tuple[str, str], list[int]] = defaultdict(list)
        for key, one in enumerate(self._batch):
            by_table[one.address.site, one.address.table].append(key)
        tables = self._lock(by_table)
        segments = self._segments([table.id for table in tables])
        waits = waiting.tables_that_wait(self._db, [table.id for table in tables])
        for table in tables:
            keys = by_table[table.site, table.name]
            self._table(table, segments[table.id], keys, waits=table.id in waits, patient=True)
        self._write()
        return self._outcome._replace(noticed=self._noticed)

    def settle(self, ids: Sequence[int], patience_s: float) -> int:
        """Store what has waited for too long at these tables."""
        wanted = select(PLAYED.c.id, PLAYED.c.site, PLAYED.c.name, PLAYED.c.box).where(PLAYED.c.id.in_(ids))
        locked = self._db.execute(wanted.order_by(PLAYED.c.id).with_for_update()).all()
        segments = self._segments(ids)
        for table in (_Table(*row) for row in locked):
            keys = self._add(table, waiting.longest(self._db, table.id, patience_s))
            if keys:
                self._table(table, segments[table.id], keys, waits=True, patient=False)
        self._write()
        return self._noticed

    def _lock(self, by_table: dict[tuple[str, str], list[int]]) -> list[_Table]:
        """The tables, locked in the order of their ids. One that is new belongs to the box that sends it."""
        names = {name for _, name in by_table}
        sites = {site for site, _ in by_table}
        wanted = (
            select(PLAYED.c.id, PLAYED.c.site, PLAYED.c.name, PLAYED.c.box)
            .where(PLAYED.c.name.in_(names), PLAYED.c.site.in_(sites))
            .order_by(PLAYED.c.id)
            .with_for_update()
        )
        found = [_Table(*row) for row in self._db.execute(wanted)]
        fresh = sorted(by_table.keys() - {(table.site, table.name) for table in found})
        if fresh:
            rows = [
                {"site": site, "name": name, "box": self._batch[by_table[site, name][0]].address.box}
                for site, name in fresh
            ]
            self._db.execute(upsert(PLAYED).on_conflict_do_nothing(), rows)
            found = [_Table(*row) for row in self._db.execute(wanted)]
        return [table for table in found if (table.site, table.name) in by_table]

    def _segments(self, tables: Sequence[int]) -> dict[int, list[_Segment]]:
        """Those of all the tables, by table: one question for the batch, since it may have few records of
        each of many tables.
        """
        segments: dict[int, list[_Segment]] = defaultdict(list)
        columns = [SEGMENT.c[name] for name in _Segment._fields]
        wanted = select(SEGMENT.c.table_id, *columns).where(SEGMENT.c.table_id == func.any(list(tables)))
        for table, *values in self._db.execute(wanted):
            segments[table].append(_Segment(*values))
        return segments

    def _table(
        self, table: _Table, stored: list[_Segment], keys: Sequence[int], *, waits: bool, patient: bool
    ) -> None:
        self._sites[table.id] = table.site
        known = _Known(self._db, table.id, stored)
        heads = [Head(one.id, one.head_number, one.head_hash, one.reason == "sent-again") for one in stored]
        chains = Chains(table.name, heads, known.hashes, known.gone)
        segments: dict[int, int] = {}
        holes_begin = False
        address = self._batch[keys[0]].address
        while keys:
            known.expect([self._batch[key].message for key in keys])
            placed = chains.place([Arrived(key, self._batch[key].message, patient) for key in keys])
            segments |= self._begin(table, placed)
            holes_begin = holes_begin or any(one.reason == "hole" for one in placed.begun)
            for key, segment in placed.appended.items():
                self._append(table, self._batch[key], segments.get(segment, segment))
            self._findings(address, placed.noticed, [self._batch[key] for key in keys])
            self._sort(table, placed)
            keys, patient = (), True
            if placed.appended and (waits or placed.waiting):
                numbers = {number for number, _ in chains.heads().values()}
                keys = self._add(table, waiting.following(self._db, table.id, numbers))
        heads_now = {segments.get(segment, segment): head for segment, head in chains.heads().items()}
        before = {head.segment: (head.number, head.hash) for head in heads}
        for segment, (number, hash_) in heads_now.items():
            if before.get(segment) != (number, hash_):
                self._heads_now.append({"segment": segment, "number": number, "hash": hash_})
        stored = self._segments([table.id])[table.id] if holes_begin else stored
        self._join(table, [one for one in stored if one.is_open_hole], heads_now)

    def _append(self, table: _Table, one: Incoming, segment: int) -> None:
        box, standing = one.address.box, self._standing(table, segment, one.address.box)
        self._stored.append(Stored(one.message, segment, table.id, box, one.arrived, standing))
        if standing != "own":
            self._notice(one.address, "two-boxes", one.message.number, more=table.box, once=True)

    def _standing(self, table: _Table, segment: int, box: str) -> Standing:
        if box == table.box:
            return "own"
        if segment not in self._begun_by:
            wanted = select(SEGMENT.c.box).where(SEGMENT.c.id == segment)
            self._begun_by[segment] = self._db.execute(wanted).scalar_one()
        return "apart" if box == self._begun_by[segment] else "intruder"

    def _add(self, table: _Table, found: Sequence[waiting.Waiting]) -> list[int]:
        """Have records that have waited belong to this batch; their keys."""
        first = len(self._batch)
        self._batch += [
            Incoming(Address(table.site, one.box, table.name), one.message, one.arrived) for one in found
        ]
        return list(range(first, len(self._batch)))

    def _sort(self, table: _Table, placed: Placed) -> None:
        """Note what became of records; those that wait no longer leave, and others begin to wait."""
        done = [*placed.appended, *placed.doubles, *placed.refused]
        waited = [self._batch[key].message for key in done if key >= self._incoming]
        waiting.release(self._db, table.id, waited)
        new = [self._batch[key] for key in placed.waiting if key < self._incoming]
        waiting.put(
            self._db, table.id, [waiting.Waiting(one.address.box, one.message, one.arrived) for one in new]
        )
        self._outcome.stored.extend(key for key in placed.appended if key < self._incoming)
        self._outcome.doubles.extend(key for key in placed.doubles if key < self._incoming)
        self._outcome.waiting.extend(key for key in placed.waiting if key < self._incoming)
        self._outcome.refused.extend(key for key in placed.refused if key < self._incoming)

    def _begin(self, table: _Table, placed: Placed) -> dict[int, int]:
        """Make the segments that begin, each of the box that sent its first record: their ids by the numbers
        that they had so far.
        """
        made: dict[int, int] = {}
        firsts = {segment: key for key, segment in reversed(placed.appended.items())}
        for begun in placed.begun:
            values = {
                "table_id": table.id,
                "box": self._batch[firsts[begun.segment]].address.box,
                "reason": begun.reason,
                "after_number": begun.first.after,
                "before_hash": begun.first.before,
                "first_number": begun.first.number,
                "first_hash": begun.first.hash,
                "head_number": begun.first.number,
                "head_hash": begun.first.hash,
            }
            (made[begun.segment],) = self._db.execute(
                insert(SEGMENT).values(values).returning(SEGMENT.c.id)
            ).one()
        return made

    def _findings(self, address: Address, noticed: list[Noticed], arrived: Sequence[Incoming]) -> None:
        for found in noticed:
            again = found.finding == "sent-again"
            self._notice(address, found.finding, found.number, after=found.after, once=again)
        for one in arrived:
            away_s = one.message.sent_wall_ns / 1e9 - one.arrived.timestamp()
            if one.address == address and one.message.sent_wall_ns and abs(away_s) > _CLOCK_S:
                self._notice(address, "wrong-clock", 0, more=f"{away_s:.0f}", once=True)
                break

    def _notice(
        self,
        address: Address,
        finding: str,
        number: int,
        *,
        after: int = 0,
        more: str = "",
        once: bool = False,
    ) -> None:
        """Write down a finding. `once`: it is the same for all records of this table and box."""
        self._noticed += _find(self._db, address, finding, number, after=after, more=more, once=once)

    def _join(self, table: _Table, holes: Sequence[_Segment], heads: dict[int, tuple[int, bytes]]) -> None:
        """The records before a hole are there now: it is none any more."""
        for hole in holes:
            if (hole.after_number, hole.before_hash) in heads.values():
                joined = update(SEGMENT).where(SEGMENT.c.id == hole.id)
                self._db.execute(joined.values(joined=func.now()))
                settled = update(SITE_FINDING).where(
                    SITE_FINDING.c.site == table.site,
                    SITE_FINDING.c.table_name == table.name,
                    SITE_FINDING.c.finding == "hole",
                    SITE_FINDING.c.number == hole.first_number,
                )
                self._db.execute(settled.values(settled=func.now()))

    def _write(self) -> None:
        if self._heads_now:
            self._db.execute(_NEW_HEAD, self._heads_now)
        driver = self._db.connection.driver_connection
        assert isinstance(driver, Driver)
        extracts = [(stored, extract(stored)) for stored in self._stored]
        try:
            with driver.cursor() as cursor, cursor.copy(_COPY) as copy:
                for stored, found in extracts:
                    copy.write_row(_row(stored, found.event))
        except DriverError as error:
            # As SQLAlchemy has it for statements of its own: a full disk must not end the worker.
            raise DBAPIError.instance(_COPY, None, error, DriverError) from error
        write_extracts(self._db, [found for _, found in extracts])
        for stored, found in extracts:
            if found.redacted:
                self._redact(stored, found.redacted)
        records = [SignedRecord(self._sites[one.table], one, found.event) for one, found in extracts]
        signatures.take(self._db, records, self._unsigned)

    def _unsigned(self, one: SignedRecord, finding: str, number: int, more: str) -> None:
        address = Address(one.site, one.stored.box, one.stored.message.table)
        self._notice(address, finding, number, more=more)

    def _redact(self, stored: Stored, numbers: Sequence[int]) -> None:
        """Delete what the box has deleted, of its own records alone: the digest stays, and with it the proof
        of the chain.
        """
        self._db.execute(
            text(
                "UPDATE record SET body = NULL, salt = NULL, sealed = NULL, "
                "digest = coalesce(digest, sha256(salt || convert_to(body::text, 'UTF8'))) "
                "WHERE table_id = :table AND number = ANY(:numbers) AND number < :redaction "
                "AND segment_id IN (SELECT id FROM segment WHERE table_id = :table AND box = :box)"
            ),
            {
                "table": stored.table,
                "numbers": list(numbers),
                "redaction": stored.message.number,
                "box": stored.box,
            },
        )


class _Known:
    """The hashes of stored records of a table, asked for once for all that a batch may need."""

    def __init__(self, db: Connection, table: int, segments: Sequence[_Segment]) -> None:
        self._db = db
        self._table = table
        self._messages: Sequence[RecordMessage] = ()
        self._hashes: dict[int, list[bytes]] | None = None
        self._cut = [one for one in segments if one.gone_number > 0]
        self.gone: int = max((one.gone_number for one in self._cut), default=0)
        """The number of the last record that retention has deleted."""

    def expect(self, messages: Sequence[RecordMessage]) -> None:
        """These come next."""
        self._messages, self._hashes = messages, None

    def hashes(self, number: int) -> Sequence[bytes]:
        """Those of the records of this number."""
        if self._hashes is None:
            numbers = {one.number for one in self._messages} | {one.after for one in self._messages}
            wanted = select(RECORD.c.number, RECORD.c.hash).where(
                RECORD.c.table_id == self._table, RECORD.c.number == func.any(sorted(numbers))
            )
            self._hashes = defaultdict(list)
            for found, hash_ in self._db.execute(wanted):
                self._hashes[found].append(bytes(hash_))
            for cut in self._cut:
                self._hashes[cut.first_number].append(cut.first_hash)
                self._hashes[cut.gone_number].append(cut.gone_hash or b"")
        return self._hashes.get(number, ())


def _row(stored: Stored, event: str | None) -> tuple[Any, ...]:
    message = stored.message
    return (
        stored.day,
        stored.segment,
        message.number,
        stored.table,
        message.kind,
        event,
        stored.at,
        message.hash,
        message.salt or None,
        message.digest or None,
        bytes(message.body).decode(),
        message.sealed or None,
    )


def _find(
    db: Connection,
    address: Address,
    finding: str,
    number: int,
    *,
    after: int = 0,
    more: str = "",
    once: bool = False,
) -> int:
    """Write down a finding; how many that were not open. `once`: it is the same each time; found again after
    it was settled, it is open again.
    """
    values = {
        "site": address.site,
        "box": address.box,
        "table_name": address.table,
        "finding": finding,
        "number": 0 if once else number,
        "severity": findings.KINDS[finding].severity,
        "sentence": findings.sentence(
            finding, table=address.table, box=address.box, number=number, after=after, more=more
        ),
    }
    statement = upsert(SITE_FINDING).values(values)
    if once:
        statement = statement.on_conflict_do_update(
            index_elements=["site", "box", "table_name", "finding", "number"],
            set_={"settled": None, "at": func.now(), "sentence": values["sentence"]},
            where=SITE_FINDING.c.settled.is_not(None),
        )
    else:
        statement = statement.on_conflict_do_nothing()
    return len(db.execute(statement.returning(SITE_FINDING.c.id)).all())
