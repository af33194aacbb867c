"""A journal is read whatever its file is called: the file itself says whose it is."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rig.command import tablebridge

from tablebridge.engine.table import Table
from tablebridge.journal.store import Journal
from tablebridge.model import events as ev
from tablebridge.model.instant import START, later


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A copy of table oak's journal under another name, with a hand in it, as SQLite's `.backup` makes it."""
    path = tmp_path / "oak.sqlite"
    journal, table = Journal(path, "oak"), Table("oak")
    with journal.transaction():
        for event in (
            ev.Rules("tda-2022", ""),
            ev.Game("nlhe", (50, 100)),
            ev.Seats((1, 2)),
            ev.Stacks(everyone=1000),
            ev.Hand(),
            *(ev.Deal(seat, card) for seat, card in ((1, "As"), (2, "Kd"), (1, "Ah"), (2, "Kc"))),
            ev.Action("call", 1),
            ev.Action("fold", 2),
            ev.End(),
        ):
            entry = ev.Entry(journal.next_number, later(START, float(journal.next_number)), event, "operator")
            journal.record("entry", entry)
            for finding in table.apply(entry).findings:
                journal.record("finding", finding)
    journal.close()
    copy = tmp_path / "night of the 21st.backup"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    path.unlink()
    return copy


def test_every_command_that_reads_a_journal_takes_any_file_name(backup: Path, tmp_path: Path) -> None:
    assert "all sound" in tablebridge("journal", "verify", backup).stdout
    assert "identical" in tablebridge("journal", "replay", backup).stdout
    assert "fold 2" in tablebridge("journal", "show", backup).stdout
    assert json.loads(tablebridge("deck", "receipt", backup, "--json").stdout)["table"] == "oak"
    assert json.loads(tablebridge("chips", "tray", backup, "--json").stdout)["table"] == "oak"
    exported = tablebridge("export", backup, "--public", "--out", tmp_path / "hands")
    assert (
        exported.returncode == 0
        and 'table = "oak"' in (tmp_path / "hands" / f"{backup.stem}.phhs").read_text()
    )


def test_a_journal_of_a_table_that_the_site_has_not_is_refused_by_its_own_name(
    backup: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site.toml"
    site.write_text(
        f'name = "club"\nstate_dir = "{tmp_path}"\n[broker]\nembedded = false\n[[table]]\nname = "elm"\n'
    )
    done = tablebridge("sense", backup, "--site", site)
    assert done.returncode == 2 and "no table 'oak'" in done.stderr


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\0" + bytes(200)])
def test_what_is_no_journal_is_refused_in_a_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.backup"
    path.write_bytes(content)
    for words in (("journal", "verify"), ("journal", "show"), ("journal", "replay"), ("export",)):
        done = tablebridge(*words, path)
        assert done.returncode == 2 and str(path) in done.stderr, (words, done.stderr)


def test_another_programs_database_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "contacts.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE about (name TEXT, value TEXT)")
        other.commit()
    done = tablebridge("journal", "verify", path)
    assert done.returncode == 2 and "is no journal" in done.stderr
