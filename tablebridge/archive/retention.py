"""Deletes what is older than the rule, a day at a time, and never what somebody still needs.

| of a day that is over | |
| --- | --- |
| its partition of `record` | is dropped; what is held comes into a new one of the same day |
| the last number and hash of each segment | stay in `segment`: what comes after them still has its proof |
| rows of `hand`, `finding`, `alert`, `deck` | go when the record from which they were read is gone |
| what was deleted | stays in `gone_day` |

**Held** are, with the record before them:

- the hand of a finding whose alert is not closed, or that needs one and has none yet;
- the hands of the receipts of awards that are given;
- all records of a table that came on the day of a critical finding about its records that is not settled, or
  on the day of the record that it names.

A day is one transaction, in which no worker stores: a worker takes the rows of its tables before all else,
and waits for the lock on them. So nothing is half deleted, whenever this ends.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, text

from tablebridge.archive.database import LOCK

_BATCH: Final = 5000
_PREFIX: Final = "record_"
_LAST: Final = 2**53

_HELD: Final = "CREATE TEMPORARY TABLE held (segment_id bigint, first bigint, last bigint) ON COMMIT DROP"
_BY_ALERT: Final = text(
    f"""INSERT INTO held SELECT f.segment_id,
        coalesce((SELECT max(began) FROM hand h WHERE h.segment_id = f.segment_id AND h.began <= f.number),
                 f.number),
        coalesce((SELECT min(began) - 1 FROM hand h WHERE h.segment_id = f.segment_id AND h.began > f.number),
                 {_LAST})
    FROM finding f LEFT JOIN alert a ON a.table_id = f.table_id AND a.alert = f.id
    WHERE f.day BETWEEN :day - 1 AND :day + 1
      AND CASE WHEN a.state IS NULL THEN f.severity IN ('warning', 'critical') ELSE a.state <> 'closed' END"""
)
_BY_RECEIPT: Final = text(
    "INSERT INTO held SELECT s.id, :first, :last FROM segment s JOIN played_table p ON p.id = s.table_id "
    "WHERE p.name = :table"
)
_BY_SITE: Final = """INSERT INTO held SELECT DISTINCT s.id, 0, {last}
    FROM site_finding f JOIN played_table p ON p.site = f.site AND p.name = f.table_name
    JOIN segment s ON s.table_id = p.id
    WHERE f.settled IS NULL AND f.severity = 'critical' AND ((f.at AT TIME ZONE 'UTC')::date = :day
      OR EXISTS (SELECT 1 FROM {partition} r WHERE r.table_id = p.id AND r.number = f.number))"""
_BEFORE: Final = text(
    "UPDATE held SET first = coalesce((SELECT max(r.number) FROM record r WHERE r.day BETWEEN :day - 1 "
    "AND :day + 1 AND r.segment_id = held.segment_id AND r.number < held.first), held.first)"
)
_ROWS: Final = """SELECT DISTINCT r.segment_id, r.number FROM held JOIN {partition} r
    ON r.day = :day AND r.segment_id = held.segment_id AND r.number BETWEEN held.first AND held.last"""
_ENDS: Final = """UPDATE segment SET gone_number = found.number, gone_hash = r.hash
    FROM (SELECT s.id, (SELECT max(number) FROM {partition} WHERE day = :day AND segment_id = s.id) AS number
          FROM segment s) found
    JOIN {partition} r ON r.day = :day AND r.segment_id = found.id AND r.number = found.number
    WHERE segment.id = found.id AND found.number > segment.gone_number"""
_DERIVED: Final = {
    "hand": "d.began <= s.gone_number AND d.day <= :last AND NOT EXISTS (SELECT 1 FROM record r "
    "WHERE r.day = d.day AND r.segment_id = d.segment_id AND r.number = d.began)",
    "finding": "d.number <= s.gone_number AND d.day <= :last AND NOT EXISTS (SELECT 1 FROM record r "
    "WHERE r.day = d.day AND r.segment_id = d.segment_id AND r.number = d.number)",
    "deck": "d.number <= s.gone_number AND NOT EXISTS (SELECT 1 FROM record r "
    "WHERE r.table_id = d.table_id AND r.segment_id = d.segment_id AND r.number = d.number)",
    "alert": "d.number <= s.gone_number AND d.state = 'closed' AND NOT EXISTS (SELECT 1 FROM finding f "
    "WHERE f.table_id = d.table_id AND f.id = d.alert)",
}
"""By table which of its rows (d) have lost what they were read from; an alert goes after its finding."""


class Receipt(NamedTuple):
    """The records of a table that an award rests on. `first`: the record before its hand."""

    table: str
    first: int
    last: int


class GoneDay(NamedTuple):
    """A day of which `records` went and `kept` stay."""

    day: date
    records: int
    kept: int


class Retention:
    """Deletes what came before this day. Each method raises SQLAlchemyError; then the day at which it was
    is as before.
    """

    def __init__(self, engine: Engine, first_kept: date, receipts: Sequence[Receipt] = ()) -> None:
        self._engine = engine
        self._first_kept = first_kept
        self._receipts = [receipt._asdict() for receipt in receipts]

    def planned(self) -> Iterator[GoneDay]:
        """What `apply` would delete now, the oldest day first. Nothing is changed."""
        for day in self._days():
            with self._engine.connect() as db:
                records, kept = self._count(db, day)
                db.rollback()
            if records > kept:
                yield GoneDay(day, records - kept, kept)

    def apply(self) -> Iterator[GoneDay]:
        """Delete day by day, the oldest first, and what was read from these records last."""
        for day in self._days():
            with self._engine.begin() as db:
                db.execute(text("SET LOCAL lock_timeout = '30s'"))
                db.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
                db.execute(text("LOCK TABLE played_table IN EXCLUSIVE MODE"))
                gone = self._drop(db, day)
            if gone is not None:
                yield gone
        for table in _DERIVED:
            while self._derived(table) == _BATCH:
                pass

    def _days(self) -> list[date]:
        """The days that are over and have a partition, the oldest first."""
        wanted = text(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
            "WHERE i.inhparent = 'record'::regclass ORDER BY c.relname"
        )
        with self._engine.connect() as db:
            names = [name.removeprefix(_PREFIX) for name in db.execute(wanted).scalars()]
        days = [date.fromisoformat(f"{name[:4]}-{name[4:6]}-{name[6:]}") for name in names]
        return [day for day in days if day < self._first_kept]

    def _count(self, db: Connection, day: date) -> tuple[int, int]:
        """How many records the day has, and how many of them are held: those are in `held` then."""
        partition = _partition(day)
        db.execute(text(_HELD))
        db.execute(_BY_ALERT, {"day": day})
        db.execute(_BEFORE, {"day": day})
        if self._receipts:
            db.execute(_BY_RECEIPT, self._receipts)
        db.execute(text(_BY_SITE.format(partition=partition, last=_LAST)), {"day": day})
        db.execute(text("ANALYZE held"))
        records = db.execute(text(f"SELECT count(*) FROM {partition}")).scalar_one()
        held = f"SELECT count(*) FROM ({_ROWS.format(partition=partition)}) AS rows"
        return records, db.execute(text(held), {"day": day}).scalar_one()

    def _drop(self, db: Connection, day: date) -> GoneDay | None:
        partition, old = _partition(day), f"gone_{day:%Y%m%d}"
        records, kept = self._count(db, day)
        db.execute(text(_ENDS.format(partition=partition)), {"day": day})
        if records and records == kept:
            return None
        db.execute(text(f"ALTER TABLE record DETACH PARTITION {partition}"))
        if kept:
            db.execute(text(f"ALTER TABLE {partition} RENAME TO {old}"))
            db.execute(
                text(
                    f"CREATE TABLE {partition} PARTITION OF record "
                    f"FOR VALUES FROM ('{day}') TO ('{day + timedelta(days=1)}')"
                )
            )
            rows = _ROWS.format(partition=old)
            statement = f"INSERT INTO record SELECT * FROM {old} WHERE (segment_id, number) IN ({rows})"
            db.execute(text(statement), {"day": day})
        db.execute(text(f"DROP TABLE {old if kept else partition}"))
        db.execute(
            text(
                "INSERT INTO gone_day AS known (day, records, kept) VALUES (:day, :records, :kept) "
                "ON CONFLICT (day) DO UPDATE SET records = known.records + excluded.records, "
                "kept = excluded.kept, at = now()"
            ),
            {"day": day, "records": records - kept, "kept": kept},
        )
        return GoneDay(day, records - kept, kept)

    def _derived(self, table: str) -> int:
        """Delete a batch of rows of this table whose records are gone; how many it were."""
        found = (
            f"SELECT d.ctid FROM {table} d JOIN segment s ON s.id = d.segment_id "
            f"WHERE {_DERIVED[table]} LIMIT {_BATCH}"
        )
        with self._engine.begin() as db:
            done = db.execute(
                text(f"DELETE FROM {table} WHERE ctid = ANY(ARRAY({found}))"),
                {"last": self._first_kept} if ":last" in found else {},
            )
        return done.rowcount


def first_kept(days: int) -> date:
    """The first day that is kept if today and this number of days before it are."""
    return datetime.now(UTC).date() - timedelta(days=days)


def _partition(day: date) -> str:
    return f"{_PREFIX}{day:%Y%m%d}"
