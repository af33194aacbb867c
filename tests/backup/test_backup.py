"""A backup holds the whole site, is made while the table plays, and comes back on another box as it was."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from rig.wait import wait_for

from tablebridge.backup.archive import Manifest
from tablebridge.backup.keys import load_key, new_key
from tablebridge.backup.restore import contents, restore
from tablebridge.backup.save import save
from tablebridge.journal.restored import restored_here
from tablebridge.journal.store import Journal
from tablebridge.model.errors import ConfigError, JournalError

from .conftest import SECRET, TAG, Club, write_records

Run = Callable[..., tuple[int, str]]


def head(path: Path) -> tuple[int, str]:
    with closing(Journal(path, None, readonly=True)) as journal:
        return journal.verify(), journal.head


def saved(club: Club, name: str = "monday.backup") -> Path:
    target = club.folder / name
    save(club.site, target, [club.identity.to_public()])
    return target


def test_a_backup_comes_back_on_a_new_box_as_it_was(club: Club, tmp_path: Path) -> None:
    backup, before = saved(club), club.files()
    new = tmp_path / "new" / "site.toml"
    club.state.rename(tmp_path / "lost")

    result = restore(backup, new, club.identity)

    assert club.files() == before and before
    for name, (count, last) in {"one": (40, club.heads["one"]), "two": (3, club.heads["two"])}.items():
        assert head(club.state / "journal" / f"{name}.sqlite") == (count, last)
    assert new.read_text() == club.site.read_text()
    assert (new.parent / "house.toml").is_file() and (new.parent / "mine.toml").is_file()
    assert [path.name for path in result.written] == ["house.toml", "mine.toml", "site.toml"]
    modes = {path.stat().st_mode & 0o777 for path in club.state.rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert not list(club.state.glob("journal/.*")), "nothing is left of the work"


def test_a_backup_is_made_while_the_table_plays_and_its_chain_is_whole(club: Club) -> None:
    path = club.state / "journal" / "one.sqlite"
    writer = f"""
from pathlib import Path
from tests.backup.conftest import write_records
while True:
    write_records(Path({str(path)!r}), "one", 50)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", writer], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    try:
        counts = []
        for number in range(3):
            backup = saved(club, f"{number}.backup")
            manifest = contents(backup, club.identity)
            counts.append({table.name: table.records for table in manifest.tables}["one"])
            assert all(table.head for table in manifest.tables), "a copy in the middle of a commit"
            wait_for(lambda: head(path)[0] > counts[-1], "the table plays on", 60)
    finally:
        process.kill()
        process.wait()
    assert sorted(set(counts)) == counts and counts[0] >= 40


def test_nobody_reads_a_backup_without_its_key(club: Club, tmp_path: Path, run: Run) -> None:
    backup = saved(club)
    data = backup.read_bytes()
    for word in (SECRET, TAG, "Anna", "club", "SQLite"):
        assert word.encode() not in data
    assert backup.stat().st_mode & 0o777 == 0o600 and club.key.stat().st_mode & 0o777 == 0o600
    other = tmp_path / "other.key"
    new_key(other)
    code, text = run("restore", backup, "--key", other, "--check")
    assert code and "This key does not open" in text
    with pytest.raises(ConfigError, match="never overwritten"):
        new_key(other)


def test_a_box_that_has_only_the_public_key_makes_backups(club: Club, run: Run) -> None:
    backup = club.folder / "a.backup"
    code, text = run("backup", backup, "--site", club.site, "--to", club.public, "--json")
    assert code == 0, text
    # What is being done goes to standard error, which the runner prints before the result.
    result = json.loads(text[text.index("{") :])
    assert result["tables"] == {"one": 40, "two": 3} and result["bytes"] == backup.stat().st_size
    assert contents(backup, club.identity).id == result["id"]


@pytest.mark.parametrize("arguments", [["--to", "age1nonsense"], ["--key", "/nowhere.key"], []])
def test_a_wrong_key_is_one_sentence_and_no_file(club: Club, run: Run, arguments: list[str]) -> None:
    backup = club.folder / "a.backup"
    code, text = run("backup", backup, "--site", club.site, *arguments)
    assert code == 2 or "key" in text
    assert "Traceback" not in text and not backup.exists()


def test_a_site_that_is_there_is_not_overwritten_but_saved_first(club: Club, run: Run) -> None:
    backup = saved(club)
    later = write_records(club.state / "journal" / "one.sqlite", "one", 5)
    code, text = run("restore", backup, "--key", club.key, "--site", club.site)
    assert code and "holds a site already" in text and "--replace" in text
    assert head(club.state / "journal" / "one.sqlite") == (45, later)

    result = restore(backup, club.site, club.identity, replace=True)
    assert head(club.state / "journal" / "one.sqlite") == (40, club.heads["one"])
    assert result.saved is not None
    again = restore(result.saved, club.site, club.identity, replace=True)
    assert again.saved is not None and head(club.state / "journal" / "one.sqlite") == (45, later)


def test_a_configuration_that_differs_is_written_beside(club: Club) -> None:
    backup = saved(club)
    (club.folder / "mine.toml").write_text('parent = "tda-2024"\n')
    result = restore(backup, club.site, club.identity, replace=True)
    assert [path.name for path in result.beside] == ["mine.toml.restored"] and result.written == ()
    assert "tda-2024" in (club.folder / "mine.toml").read_text()


def test_a_table_that_is_played_is_not_replaced(club: Club) -> None:
    backup = saved(club)
    with (
        closing(Journal(club.state / "journal" / "one.sqlite", "one")),
        pytest.raises(JournalError, match="stop that one first"),
    ):
        restore(backup, club.site, club.identity, replace=True)
    assert head(club.state / "journal" / "one.sqlite") == (40, club.heads["one"])


def test_a_record_that_fails_its_check_is_saved_as_it_is_and_reported(club: Club, run: Run) -> None:
    import sqlite3

    path = club.state / "journal" / "two.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE record SET body = CAST('changed' AS BLOB) WHERE number = 2")
        db.commit()
    backup = club.folder / "a.backup"
    code, text = run("backup", backup, "--site", club.site, "--key", club.key)
    assert code == 1 and "two fails its own verification" in text
    manifest = contents(backup, club.identity)
    assert {table.name: bool(table.head) for table in manifest.tables} == {"one": True, "two": False}


def test_a_full_disk_leaves_no_backup_and_the_site_as_it_was(club: Club) -> None:
    """Files larger than 30 kB are refused to the process, as a full disk does."""
    backup = club.folder / "a.backup"
    code = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
options = ["--site", {str(club.site)!r}, "--key", {str(club.key)!r}]
sys.argv = ["tablebridge", "backup", {str(backup)!r}, *options]
from tablebridge.cli import main
main()
"""
    write_records(club.state / "journal" / "one.sqlite", "one", 400)
    before = {path: path.read_bytes() for path in club.state.rglob("*.sqlite")}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert result.returncode == 2 and "The backup could not be made" in result.stderr, result.stderr
    assert "Traceback" not in result.stderr
    assert [path.name for path in club.folder.iterdir() if "backup" in path.name] == []
    assert not list(club.state.glob("journal/.backup-*"))
    assert {path: path.read_bytes() for path in club.state.rglob("*.sqlite")} == before


def test_a_restored_record_says_that_it_was(club: Club) -> None:
    backup = saved(club)
    assert restored_here(club.state, "one") is None
    result = restore(backup, club.site, club.identity, replace=True)
    restored = restored_here(club.state, "one")
    assert restored is not None and restored.backup == result.manifest.id
    assert restored_here(club.state, "three") is None


def test_the_work_of_a_backup_that_was_killed_is_removed_by_the_next(club: Club) -> None:
    left = club.state / "journal" / ".backup-killed"
    left.mkdir()
    (left / "1.sqlite").write_text(SECRET)
    saved(club)
    assert not left.exists()


def test_what_lies_elsewhere_is_named(club: Club, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text('name = "blue"\n[cards]\n')
    text = club.site.read_text().replace('name = "two"', f'name = "two"\ndeck = "{elsewhere}"')
    club.site.write_text(text)
    manifest: Manifest = contents(saved(club), load_key(club.key))
    assert manifest.left_out == (str(elsewhere),)


def test_a_backup_of_years_ago_has_its_time(club: Club) -> None:
    manifest = contents(saved(club), club.identity)
    assert abs(manifest.made_wall_ns - time.time_ns()) < 600e9
