"""What is redacted is gone from every byte of the journal's files, and the chain still proves the rest."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.journal import chain
from tablebridge.journal.store import SCHEMA, Journal, Record
from tablebridge.model.errors import JournalBroken, JournalError

LONGEST = 3000
"""Bytes of a body: several pages of the file."""
BODIES = st.lists(st.integers(0, LONGEST), min_size=1, max_size=40)


def planted(number: int) -> str:
    """What nobody may find any more once it is deleted; no part of another one."""
    return f"<planted-{number}-of-Anna>"


def write(journal: Journal, sizes: list[int]) -> None:
    for size in sizes:
        with journal.transaction():
            number = journal.next_number
            journal.record("entry", {"name": planted(number), "rest": "x" * size})


def redact(journal: Journal, numbers: set[int]) -> None:
    instead = {number: msgspec.json.encode({"name": "?"}) for number in numbers}
    with journal.transaction():
        journal.redactor.redact(instead, "request", "a test", 1)
    assert journal.redactor.erase()


def bytes_of(path: Path) -> bytes:
    """All files of the journal, one after another."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def left(path: Path, numbers: set[int]) -> set[int]:
    """Of which of these records something is still there, whole or in part."""
    held = bytes_of(path)
    return {number for number in numbers if planted(number).encode()[1:-8] in held}


@settings(max_examples=60, deadline=None)
@given(BODIES, st.data())
def test_what_was_redacted_is_in_no_file_and_all_else_is_as_it_was(
    sizes: list[int], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "1.sqlite"
        with closing(Journal(path, "1")) as journal:
            write(journal, sizes)
            before = {record.number: record for record in journal.records()}
            gone: set[int] = set()
            for _ in range(data.draw(st.integers(1, 3))):
                chosen = data.draw(st.sets(st.sampled_from(sorted(before)), min_size=1))
                redact(journal, chosen)
                gone |= chosen
                assert left(path, gone) == set()
                write(journal, data.draw(st.lists(st.integers(0, 300), max_size=5)))
            count, head = journal.verify(), journal.head
            after = {record.number: record for record in journal.records()}
        assert left(path, gone) == set()
        for number, record in before.items():
            if number in gone:
                assert after[number] == Record(number, "entry", b'{"name":"?"}', redacted=True)
            else:
                assert after[number] == record
        with closing(Journal(path, "1", readonly=True)) as again:
            assert (again.verify(), again.head) == (count, head)


def made(path: Path) -> None:
    """Twelve records, of which three are redacted, the last of them twice."""
    with closing(Journal(path, "1")) as journal:
        write(journal, [10] * 12)
        redact(journal, {3, 4, 7})
        redact(journal, {7})


TAMPERINGS = {
    "another body of a record that is whole": (
        "UPDATE record SET body = ? WHERE number = 5",
        b'{"name":"?"}',
        5,
    ),
    "no body": ("UPDATE record SET body = x'' WHERE number = 5 OR 0 = length(?)", b"x", 5),
    "a redacted body": ("UPDATE record SET body = ? WHERE number = 4", b'{"name":"!"}', 4),
    "a redacted body that was redacted again": ("UPDATE record SET body = ? WHERE number = 7", b"{}", 7),
    "another kind": ("UPDATE record SET kind = ? WHERE number = 6", "alert", 6),
    "another salt": ("UPDATE record SET proof = ? WHERE number = 6", b"\0" + bytes(32), 6),
    "another digest": ("UPDATE record SET proof = ? WHERE number = 3", b"\1" + bytes(32), 3),
    "no digest": ("UPDATE record SET proof = NULL WHERE number = 6 OR 0 = length(?)", b"x", 6),
    "a redaction of fewer": (
        "UPDATE record SET body = ? WHERE number = 13",
        b'{"rule":"request","by":"a test","wall_ns":1,"rows":{}}',
        3,
    ),
    "a redaction that is nonsense": ("UPDATE record SET body = ? WHERE number = 13", b"nonsense", 3),
    "a record that is gone": ("DELETE FROM record WHERE number = 6 OR 0 = length(?)", b"x", 8),
}


@pytest.mark.parametrize("of", TAMPERINGS)
def test_any_tampering_is_found_with_its_number(tmp_path: Path, of: str) -> None:
    statement, value, number = TAMPERINGS[of]
    path = tmp_path / "1.sqlite"
    made(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement, (value,))
    named = number - 1 if of == "a record that is gone" else number
    with pytest.raises(JournalBroken, match=rf"record {named}\b"):
        Journal(path, "1", readonly=True).verify()


def test_a_body_that_was_removed_as_a_redaction_does_but_is_in_no_record_is_tampering(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    made(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        row = next(chain.rows(db, 5))
        changed = chain.redacted(row, b"{}")
        db.execute("UPDATE record SET body = ?, proof = ? WHERE number = 5", (changed.body, changed.proof))
    with pytest.raises(
        JournalBroken, match="record 5: what it said is gone, and what stands there instead is in no record"
    ):
        Journal(path, "1", readonly=True)


def test_a_guess_cannot_be_confirmed_once_the_salt_is_gone(tmp_path: Path) -> None:
    """Two records of the same words have different digests, and a redacted one keeps no salt."""
    path = tmp_path / "1.sqlite"
    with closing(Journal(path, "1")) as journal:
        for _ in range(2):
            with journal.transaction():
                journal.record("entry", {"name": "Anna"})
        with closing(sqlite3.connect(path)) as db:
            first, second = chain.rows(db)
        assert first.body == second.body and first.digest != second.digest
        assert first.proof is not None and first.proof[1:] in bytes_of(path)
        redact(journal, {1})
        assert first.proof[1:] not in bytes_of(path)


_KILLED = """
import os, signal, sys
from pathlib import Path
import msgspec
from tablebridge.journal import store
from tests.journal.test_redaction import write

at, path = int(sys.argv[1]), Path(sys.argv[2])
journal = store.Journal(path, "1")
write(journal, [50, 900, 50])
steps = 0

def step(*_):
    global steps
    steps += 1
    if steps == at:
        os.kill(os.getpid(), signal.SIGKILL)

run = journal._execute
def execute(sql, values):
    step()
    run(sql, values)
    step()
journal._execute = execute
with journal.transaction():
    journal.redactor.redact({2: msgspec.json.encode({"name": "?"})}, "request", "a test", 1)
step()
assert journal.redactor.erase()
print(steps)
"""


def test_after_a_kill_at_any_moment_it_was_redacted_with_its_record_or_not_at_all(tmp_path: Path) -> None:
    outcomes = set()
    for at in range(1, 60):
        path = tmp_path / str(at) / "1.sqlite"
        done = subprocess.run(
            [sys.executable, "-c", _KILLED, str(at), str(path)],
            check=False,
            capture_output=True,
            cwd=Path.cwd(),
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
        with closing(Journal(path, "1")) as journal:
            redacted = [record.number for record in journal.records() if record.redacted]
            kinds = [record.kind for record in journal.records()]
            assert (redacted == [2]) == ("redaction" in kinds)
            assert left(path, {2}) == ({2} if not redacted else set()), (
                "the next start makes the disk forget it"
            )
        outcomes.add(bool(redacted))
        if done.returncode == 0:
            break
    else:
        pytest.fail("it never came to its end")
    assert outcomes == {True, False} and at > 10


def test_what_a_reader_still_needs_is_erased_when_the_reader_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    with closing(Journal(path, "1")) as journal, closing(sqlite3.connect(path, isolation_level=None)) as db:
        write(journal, [10] * 3)
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM record").fetchone()
        with journal.transaction():
            journal.redactor.redact({2: b"{}"}, "request", "a test", 1)
        assert not journal.redactor.erase()
        db.execute("COMMIT")
        assert journal.redactor.erase() and left(path, {2}) == set()


def old(path: Path, schema: int) -> None:
    """A journal of three records as an older version wrote it."""
    Journal(path, "1").close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE record DROP COLUMN proof")
        db.execute("UPDATE about SET value = ? WHERE name = 'schema'", (str(schema),))
        previous = chain.link(b"", 0, "table", b"1")
        for number in (1, 2, 3):
            body = msgspec.json.encode({"name": planted(number)})
            previous = chain.link(previous, number, "entry", body)
            db.execute("INSERT INTO record VALUES (?,?,?,?)", (number, "entry", body, previous))
        db.commit()


@pytest.mark.parametrize("schema", [1, 2])
def test_a_journal_of_an_older_schema_is_verified_goes_on_and_keeps_its_rows_as_they_are(
    tmp_path: Path, schema: int
) -> None:
    path = tmp_path / "1.sqlite"
    old(path, schema)
    with closing(Journal(path, "1", readonly=True)) as journal:
        assert journal.verify() == 3
        head = journal.head
    with closing(Journal(path, "1")) as journal:
        assert journal.head == head and journal.redactor.first == 4
        write(journal, [5, 5])
        with pytest.raises(ValueError, match="record 2 is of an older schema"), journal.transaction():
            journal.redactor.redact({2: b"{}"}, "request", "a test", 1)
        redact(journal, {4})
        assert journal.verify() == 6
        assert [record.redacted for record in journal.records()] == [False] * 3 + [True, False, False]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone() == (str(SCHEMA),)
        db.execute("UPDATE record SET body = CAST(replace(body, '-2-', '-9-') AS BLOB) WHERE number = 2")
        db.commit()
    with pytest.raises(JournalBroken, match=r"record 2\b"):
        Journal(path, "1", readonly=True)


def test_an_old_row_cannot_be_made_of_a_new_one(tmp_path: Path) -> None:
    """A digest in place of a body would give the same hash, were it not for the word beside it."""
    path = tmp_path / "1.sqlite"
    made(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        digest = next(chain.rows(db, 5)).digest
        db.execute("UPDATE record SET body = ?, proof = NULL WHERE number = 5", (digest,))
    with pytest.raises(JournalError, match=r"record 5\b"):
        Journal(path, "1", readonly=True)


def test_a_redaction_of_many_records_is_recorded_in_bounded_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "MOST_REDACTED", 10)
    with closing(Journal(tmp_path / "1.sqlite", "1")) as journal:
        write(journal, [5] * 25)
        redact(journal, set(range(1, 26)))
        assert [record.kind for record in journal.records(26)] == ["redaction"] * 3
        assert journal.verify() == 28


def test_deleted_readings_and_snapshots_are_gone_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    with closing(Journal(path, "1")) as journal:
        write(journal, [5])
        with journal.transaction():
            for number in range(2, 30):
                journal.snapshots.add(number, planted(number).encode() * 200)
        with journal.transaction():
            journal.snapshots.drop()
            journal.redactor.redact({1: b"{}"}, "request", "a test", 1)
        assert journal.redactor.erase()
        assert left(path, set(range(1, 30))) == set()
