"""The journal: nothing half written, nothing changed unseen, one writer."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tablebridge.bus.inbox import EPOCHS
from tablebridge.journal.batches import KEPT_EPOCHS
from tablebridge.journal.readings import Taken, Tick
from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped, Sweep


def write(journal: Journal, count: int) -> None:
    for index in range(count):
        with journal.transaction():
            journal.record("entry", {"text": f"number {index}"})


def test_records_come_back_in_order_and_verified(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    write(journal, 5)
    head = journal.head
    journal.close()
    again = Journal(tmp_path / "1.sqlite", "1")
    assert [record.number for record in again.records()] == [1, 2, 3, 4, 5]
    assert again.head == head
    assert again.verify() == 5
    again.close()


def test_readings_and_records_share_one_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    stamped = Stamped("seat-1", "e", 7, Instant(1, 2), Sweep(0, ("E0",)))
    with journal.transaction():
        first = journal.reading(Taken(stamped))
        second = journal.record("entry", {})
        third = journal.reading(Tick(Instant(3, 4)))
        journal.position("seat-1", "e", 8)
    assert (first, second, third) == (1, 2, 3)
    assert [row.row for row in journal.readings()] == [Taken(stamped), Tick(Instant(3, 4))]
    assert journal.positions() == {("seat-1", "e"): 8}
    with journal.transaction():
        journal.forget_readings(3)
    assert [row.number for row in journal.readings()] == [3]
    journal.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET body = CAST(replace(CAST(body AS TEXT), 'number 2', 'number 9') AS BLOB) WHERE "
        "number = 3",
        "UPDATE record SET kind = 'alert' WHERE number = 3",
        "DELETE FROM record WHERE number = 3",
        "UPDATE record SET number = 30 WHERE number = 3",
    ],
)
def test_a_changed_record_is_refused_with_its_number(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    write(journal, 5)
    journal.close()
    db = sqlite3.connect(path)
    db.execute(statement)
    db.commit()
    db.close()
    with pytest.raises(JournalError, match=r"verification at record (3|4|30)\b"):
        Journal(path, "1")


def test_a_flipped_byte_in_the_file_is_refused_with_the_record(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    write(journal, 5)
    journal.close()
    data = bytearray(path.read_bytes())
    at = data.rindex(b"number 3")
    data[at] ^= 0x01
    path.write_bytes(data)
    with pytest.raises(JournalError, match=r"record 4\b"):
        Journal(path, "1")


def test_a_file_that_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    with pytest.raises(JournalError, match="damaged"):
        Journal(path, "1")


def test_another_table_and_a_second_writer_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    with pytest.raises(JournalError, match="another process"):
        Journal(path, "1")
    reader = Journal(path, "1", readonly=True)
    reader.close()
    journal.close()
    with pytest.raises(JournalError, match="table '1'"):
        Journal(path, "2")


def test_a_journal_of_a_newer_schema_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    write(journal, 2)
    journal.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE about SET value = CAST(value AS INTEGER) + 1 WHERE name = 'schema'")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(JournalError, match="newer tablebridge"):
            Journal(path, "1", readonly=readonly)
    assert path.read_bytes() == before


def test_a_commit_is_on_the_disk_before_anybody_is_told(tmp_path: Path) -> None:
    """WAL with synchronous=FULL: SQLite syncs the log at every commit, so a power cut loses nothing that was
    acknowledged.
    """
    for _ in range(2):
        journal = Journal(tmp_path / "1.sqlite", "1")
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
        journal.close()


def test_no_other_user_can_read_a_journal_or_its_log(tmp_path: Path) -> None:
    """The record holds faces, and so does its log while it is open; whatever the umask is."""
    before = os.umask(0)
    try:
        Journal(tmp_path / "1.sqlite", "1").close()
        journal = Journal(tmp_path / "1.sqlite", "1")
        write(journal, 1)
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert {"1.sqlite", "1.sqlite-wal"} <= set(modes) and set(modes.values()) == {0o600}, modes
    journal.close()


def test_readings_that_were_held_and_taken_are_not_held_any_more(tmp_path: Path) -> None:
    """Else a start after a kill would take them a second time."""
    held = [Stamped("seat-1", "e", number, Instant(number, number), Sweep(0, ("E0",))) for number in (1, 2)]
    journal = Journal(tmp_path / "1.sqlite", "1")
    with journal.transaction():
        for stamped in held:
            journal.hold(stamped)
    journal.close()
    journal = Journal(tmp_path / "1.sqlite", "1")
    assert journal.held() == held
    with journal.transaction():
        journal.release()
        for stamped in held:
            journal.reading(Taken(stamped))
    journal.close()
    journal = Journal(tmp_path / "1.sqlite", "1")
    assert journal.held() == [] and len(list(journal.readings())) == 2
    journal.close()


def test_sigkill_in_a_transaction_leaves_the_last_commit(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    program = (
        "import os, signal, sys; from pathlib import Path; from tablebridge.journal.store import Journal\n"
        "journal = Journal(Path(sys.argv[1]), '1')\n"
        "with journal.transaction(): journal.record('entry', {'n': 1})\n"
        "with journal.transaction():\n"
        "    journal.record('entry', {'n': 2})\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], env=os.environ, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    journal = Journal(path, "1")
    assert [record.body for record in journal.records()] == [b'{"n":1}']
    journal.close()


def test_a_full_disk_is_told_in_words(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    journal._db.execute(f"PRAGMA max_page_count={journal._db.execute('PRAGMA page_count').fetchone()[0] + 1}")
    with pytest.raises(JournalError, match="Free space"):
        write(journal, 500)
    journal.close()


def test_of_a_device_the_epochs_that_were_noted_last_are_remembered_in_their_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    with journal.transaction():
        for number in range(KEPT_EPOCHS + 10):
            journal.position("seat-1", f"e{number}", number)
        journal.position("seat-2", "e", 1)
        journal.position("seat-1", "e12", 9)
    remembered = list(journal.positions().items())
    assert len(remembered) == KEPT_EPOCHS + 1 >= EPOCHS + 1
    assert remembered[:2] == [(("seat-1", "e10"), 10), (("seat-1", "e11"), 11)]
    assert remembered[2] == (("seat-1", "e13"), 13)
    assert remembered[-2:] == [(("seat-2", "e"), 1), (("seat-1", "e12"), 9)]
    journal.close()


def test_an_answer_is_found_by_the_commands_id_also_in_a_journal_of_before_that_had_no_index(
    tmp_path: Path,
) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    with journal.transaction():
        for name in ("a", "b"):
            journal.answered(
                name,
                journal.record(
                    "command", {"by": "Olga", "role": "operator", "reply": {"id": name, "ok": True}}
                ),
            )
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE answer")
    db.close()
    again = Journal(path, "1")
    body = again.answer("b")
    assert body is not None and msgspec.json.decode(body)["reply"] == {"id": "b", "ok": True}
    assert again.answer("c") is None
    again.close()


def test_after_an_exception_in_a_transaction_the_journal_goes_on_from_where_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    with journal.transaction():
        journal.record("entry", {"n": 1})
    before = journal.head, journal.next_number
    with pytest.raises(KeyError), journal.transaction():
        journal.record("entry", {"n": 2})
        journal.position("seat-1", "e", 7)
        raise KeyError
    assert (journal.head, journal.next_number) == before and not journal.positions()
    with journal.transaction():
        journal.record("entry", {"n": 3})
    assert [record.body for record in journal.records()] == [b'{"n":1}', b'{"n":3}'] and journal.verify() == 2
    journal.close()
