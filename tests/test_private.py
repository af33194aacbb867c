"""Private files are private from their first moment, whatever the umask, and written whole or not at all."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablebridge import private
from tablebridge.bus.outbox import Outbox
from tablebridge.journal.store import Journal


@pytest.fixture(autouse=True)
def _loose() -> Iterator[None]:
    """The umask that lets everybody read."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir()}


def test_folders_are_made_private_all_the_way_and_a_part_of_ours_that_is_there_is_tightened(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)
    private.folder(tmp_path / "a" / "b")
    assert (mode(tmp_path), mode(tmp_path / "a"), mode(tmp_path / "a" / "b")) == (0o755, 0o700, 0o700)
    (tmp_path / "a" / "b").chmod(0o755)
    private.folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o755, "it may be somebody's home"
    private.own_folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o700


def test_a_file_is_replaced_in_one_step_and_private(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    path.write_text("old")
    with path.open() as reader:
        private.write(path, b"new")
        assert reader.read() == "old", "who had it open goes on with the old one"
    assert path.read_bytes() == b"new" and modes(tmp_path) == {"tokens.json": 0o600}


def test_what_cannot_be_written_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.mkdir()
    with pytest.raises(OSError):
        private.write(path, b"new")
    assert modes(tmp_path).keys() == {"x"}


def test_the_journal_and_what_lies_beside_it_is_private_while_it_is_written(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal" / "1.sqlite", "1")) as journal:
        with journal.transaction():
            journal.record("entry", {"card": "As"})
        assert modes(tmp_path / "journal") == dict.fromkeys(
            ("1.sqlite", "1.sqlite-wal", "1.sqlite-shm", "1.sqlite.lock"), 0o600
        )
    assert mode(tmp_path / "journal") == 0o700


def test_a_journal_that_others_could_read_is_tightened_with_what_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    with closing(Journal(path, "1")) as before:
        for one in tmp_path.iterdir():
            one.chmod(0o644)
        os.link(f"{path}-wal", tmp_path / "kept-wal")
        with before.transaction():
            before.record("entry", {})
    os.rename(tmp_path / "kept-wal", f"{path}-wal")
    with closing(Journal(path, "1")):
        assert set(modes(tmp_path).values()) == {0o600}


def test_a_journal_elsewhere_leaves_its_folder_as_it_is(tmp_path: Path) -> None:
    """A backup may lie in anybody's folder; an export of it writes down that it was made."""
    tmp_path.chmod(0o1777)
    with closing(Journal(tmp_path / "1.sqlite", "1")):
        assert mode(tmp_path) == 0o1777 and set(modes(tmp_path).values()) == {0o600}


def test_an_outbox_and_what_lies_beside_it_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "outbox" / "main"
    with closing(Outbox(folder)):
        assert set(modes(folder).values()) == {0o600}
    assert mode(tmp_path / "outbox") == mode(folder) == 0o700


def test_a_commit_of_the_journal_waits_for_the_disk(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "1.sqlite", "1")) as journal:
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_making_a_database_private_keeps_the_locks_of_who_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    private.database(path)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as db,
        closing(sqlite3.connect(path, timeout=0)) as other,
    ):
        db.execute("CREATE TABLE a (x)")
        db.execute("BEGIN EXCLUSIVE")
        private.database(path)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("SELECT * FROM a").fetchall()


def test_only_an_ordinary_file_with_one_name_is_given_away(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for path in (own, other):
        path.write_text("")
        path.chmod(0o644)
    (tmp_path / "link").symlink_to(other)
    (tmp_path / "name").hardlink_to(other)
    with pytest.raises(OSError):
        private.give(tmp_path / "link", os.geteuid(), os.getegid(), 0o600)
    private.give(tmp_path / "name", os.geteuid(), os.getegid(), 0o600)
    private.give(own, os.geteuid(), os.getegid(), 0o600)
    assert (mode(own), mode(other)) == (0o600, 0o644)
