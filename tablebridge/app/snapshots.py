"""Snapshots of the state that a journal folds to, so that a start folds the last hands and not all of them.

A snapshot is taken when a hand begins and enough entries were made since the last one. It holds what stands
then; what a correction can still reach is folded again from its entries, and so is everything after it. The
chain has a record of each snapshot with its digest, so nobody can exchange one without changing the chain.

At the start the newest snapshot is taken that was made before the last hand, whose readings sensing is to be
fed again, and before the first hand whose pictures may still wait. Then the chain is checked from the first
record that is read on. A snapshot that is damaged, not of this chain or made by other software is passed
over: if there is no other, the whole chain is checked and folded. That a snapshot is what all records before
it fold to is checked by `tablebridge journal verify`, which folds them (`verify_snapshots`).
"""

import hashlib
import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

import tablebridge
from tablebridge.app.folded import FoldedTable, KeptTable
from tablebridge.app.refold import Refold
from tablebridge.engine.table import Table
from tablebridge.journal.records import InstallationRecord, SnapshotRecord, body_of, entry_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.decks import Inventory
from tablebridge.model.errors import JournalError
from tablebridge.model.events import Entry, Hand
from tablebridge.model.instant import START
from tablebridge.sensing.sensor import KeptSensing, Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.tracker import Tracker

EVERY: Final = 500
"""Entries from one snapshot to the next, about those of fifteen hands: they are folded in 50 ms."""
SCHEMA: Final = 1
_FOLDING: Final = ("app", "engine", "floor", "journal", "model", "rulebooks", "sensing", "tracking")
"""The packages on whose code it depends what a record folds to."""
_log: Final = logging.getLogger(__name__)


class Snapshot(msgspec.Struct, frozen=True):
    """What the records of a table fold to: its state, and what sensing knows of its entries."""

    table: KeptTable
    sensing: KeptSensing


_DECODER: Final = msgspec.json.Decoder(Snapshot)


@cache
def made_by() -> str:
    """The software that folds: its version, with a digest of the code."""
    digest = hashlib.sha256()
    root = Path(tablebridge.__file__).parent
    for path in sorted(path for package in _FOLDING for path in (root / package).rglob("*.py")):
        digest.update(path.read_bytes())
    return f"{tablebridge.__version__} {digest.hexdigest()[:16]}"


def digest_of(snapshot: Snapshot) -> str:
    """The digest of a snapshot, whatever the order of its sets and mappings."""
    plain = msgspec.to_builtins(snapshot, str_keys=True, order="deterministic")
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()


class Snapshots:
    """Takes the snapshots of one table, and restores the state from one."""

    def __init__(self, journal: Journal, folded: FoldedTable, sensor: Sensor) -> None:
        self._journal = journal
        self._folded = folded
        self._sensor = sensor
        self._entries = 0

    def add(self, entry: Entry) -> None:
        """An entry was folded with all that it led to, inside the open transaction: a snapshot is taken if a
        hand begins and it is time.
        """
        self.count()
        if isinstance(entry.event, Hand) and (snapshot := self.due()) is not None:
            self.keep(snapshot, self._journal.next_number - 1)

    def count(self) -> None:
        """An entry was folded."""
        self._entries += 1

    def due(self) -> Snapshot | None:
        """A snapshot of what is folded now, if it is time for one."""
        return self.taken() if self._entries >= EVERY else None

    def taken(self) -> Snapshot:
        """A snapshot of what is folded now."""
        return Snapshot(self._folded.kept(), self._sensor.kept())

    def keep(self, snapshot: Snapshot, through: int) -> None:
        """Keep a snapshot, inside the open transaction, of what the records up to the number `through` fold
        to.
        """
        record = SnapshotRecord(through, snapshot.table.history.since, digest_of(snapshot), made_by(), SCHEMA)
        number = self._journal.record("snapshot", record)
        self._journal.snapshots.add(number, msgspec.json.encode(snapshot))
        self._entries = 0

    def restore(self, before: int) -> int:
        """Restore the state from the newest snapshot that was made before the record of this number, the
        chain being checked as far as it is read. The number of the last record that is folded by that; 0 if
        there is no such snapshot, and the whole chain is checked then. Raises JournalError.
        """
        passed_over = ""
        for number in self._journal.snapshots.numbers():
            record = _record(self._journal, number)
            if record is None or record.through >= before:
                continue
            snapshot = self._found(number, record)
            if isinstance(snapshot, str):
                passed_over = passed_over or snapshot
                continue
            self._journal.verify(record.since)
            self._become(snapshot, record)
            return record.through
        count = self._journal.verify()
        if passed_over:
            _log.warning(
                "table %s: %s; all %d records are folded", self._folded.table.name, passed_over, count
            )
        return 0

    def become(self, number: int, record: SnapshotRecord) -> bool:
        """Restore the state from this snapshot; False if it cannot be used."""
        snapshot = self._found(number, record)
        if isinstance(snapshot, str):
            return False
        self._become(snapshot, record)
        return True

    def _become(self, snapshot: Snapshot, record: SnapshotRecord) -> None:
        self._folded.restore(snapshot.table, _log_of(self._journal, record))
        self._sensor.restore(snapshot.sensing)

    def _found(self, number: int, record: SnapshotRecord) -> Snapshot | str:
        """The snapshot of this record, or why it cannot be used."""
        if record.schema != SCHEMA or record.made_by != made_by():
            return f"the snapshot {number} was made by other software ({record.made_by})"
        try:
            snapshot = _DECODER.decode(self._journal.snapshots.body(number))
            snapshot.table.history.setup.setup()
        except (msgspec.DecodeError, KeyError, ValueError):
            return f"the snapshot {number} is damaged"
        if digest_of(snapshot) != record.digest or snapshot.table.history.since != record.since:
            return f"the snapshot {number} is not the one that the chain names"
        return snapshot


class Before(NamedTuple):
    """A table as the records up to the number `through` fold to it, and the installation then."""

    table: Table
    through: int
    installation: InstallationRecord | None


def table_before(journal: Journal, number: int) -> Before:
    """The table as the newest snapshot has it that was made before the record of this number; a new one if
    there is no such snapshot.
    """
    for kept in journal.snapshots.numbers():
        record = _record(journal, kept)
        if record is not None and record.through < number:
            snapshots, folded = _fresh(journal)
            if snapshots.become(kept, record):
                return Before(folded.table, record.through, folded.installation)
    return Before(Table(journal.table), 0, None)


class Compared(NamedTuple):
    """What came of comparing the snapshots that the records name. `agree`: how many are what the records fold
    to; `others`: how many were made by other software, which may have folded otherwise; `unknown`: how many
    cannot be compared, since records before them were redacted.
    """

    agree: int
    others: int
    unknown: int = 0


def verify_snapshots(journal: Journal) -> Compared:
    """Fold the whole journal, and compare with each snapshot that its records name, also if it is no longer
    kept. After redacted records the fold goes on from the next snapshot that is kept. Raises JournalError
    with the number of the first snapshot that does not follow from the records.
    """
    made = {number: record for number, record in _records(journal) if record.digest}
    named = {number: record for number, record in made.items() if record.made_by == made_by()}
    others = len(made) - len(named)
    if not named:
        return Compared(0, others)
    snapshots, refold = _again(journal)
    due = sorted(named.items(), key=lambda item: item[1].through)
    known, agree = True, 0
    for record in journal.records():
        while due and due[0][1].through < record.number:
            refold.settle()
            number, wanted = due.pop(0)
            if not known:
                fresh = _again(journal)
                if fresh[0].become(number, wanted):
                    (snapshots, refold), known = fresh, True
                continue
            if digest_of(snapshots.taken()) != wanted.digest:
                raise JournalError(
                    f"the snapshot of record {number} is not what the records up to {wanted.through} fold "
                    "to: somebody has changed it, or it was folded wrongly. Keep a copy of the file as "
                    "evidence; stop the engine, and `tablebridge journal drop-snapshots FILE` has it fold "
                    "all records"
                )
            agree += 1
        known = known and (not record.redacted or record.kind == "snapshot")
        refold.add(record, shown=False)
    return Compared(agree, others, len(named) - agree)


def _again(journal: Journal) -> tuple[Snapshots, Refold]:
    """A table into which the records are to be folded again."""
    sensor = Sensor({}, {}, DeckRegistry(Inventory()))
    folded = FoldedTable(Table(journal.table), START)
    return Snapshots(journal, folded, sensor), Refold(Tracker(sensor, folded.table), folded, journal)


def _fresh(journal: Journal) -> tuple[Snapshots, FoldedTable]:
    """A table that becomes what a snapshot has."""
    folded = FoldedTable(Table(journal.table), START)
    return Snapshots(journal, folded, Sensor({}, {}, DeckRegistry(Inventory()))), folded


def _records(journal: Journal) -> Iterator[tuple[int, SnapshotRecord]]:
    for record in journal.records():
        if record.kind == "snapshot" and isinstance(made := body_of(record), SnapshotRecord):
            yield record.number, made


def _record(journal: Journal, number: int) -> SnapshotRecord | None:
    """The record of the snapshot of this number, if the chain has one."""
    record: Record | None = next(journal.records(number), None)
    if record is None or record.number != number or record.kind != "snapshot":
        return None
    try:
        made = body_of(record)
    except msgspec.DecodeError:
        return None
    return made if isinstance(made, SnapshotRecord) else None


def _log_of(journal: Journal, record: SnapshotRecord) -> list[Entry]:
    """The entries that can still be corrected, and that the snapshot does not hold itself."""
    log: list[Entry] = []
    for kept in journal.records(record.since):
        if kept.number > record.through:
            break
        if (entry := entry_of(kept)) is not None:
            log.append(entry)
    return log
