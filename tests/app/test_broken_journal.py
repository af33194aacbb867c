"""A journal that fails its own verification is kept, told of, and does not keep the table from playing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tablebridge.journal.aside import last_aside, positions_of, put_aside
from tablebridge.journal.read import entries
from tablebridge.journal.restored import Restored, save_restored
from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.model.events import BrokenJournal, Hand
from tablebridge.settings.site import Site

from .conftest import START, later, stamp
from .recording import night
from .test_core import command, core_of


def changed(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(
        "UPDATE record SET body = CAST(body || ' ' AS BLOB) WHERE number = (SELECT max(number) FROM record)"
    )
    db.commit()
    db.close()


def cut(path: Path) -> None:
    """The file system lost the middle of the file."""
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


def no_database(path: Path) -> None:
    path.write_bytes(b"something else was written here " * 200)


@pytest.mark.parametrize("damage", [changed, cut, no_database])
def test_the_broken_journal_is_kept_and_the_table_plays_on(
    site: Site, damage: Callable[[Path], None]
) -> None:
    path = site.state_dir / "journal" / "one.sqlite"
    readings = stamp(night())[:40]
    with core_of(site) as core:
        core.readings(readings, readings[-1].at)
        positions = dict(core._journal.positions())
    damage(path)
    broken = path.read_bytes()

    with core_of(site) as core:
        kept = last_aside(path)
        assert kept is not None and kept.read_bytes() == broken
        (alert,) = core.alerts.active()
        assert (alert.finding, alert.severity, alert.state) == ("journal-broken", "critical", "raised")
        assert str(kept.relative_to(path.parent)) in alert.sentence
        # What was taken before is not taken again, where the old journal still says what that was.
        assert dict(core._journal.positions()) == (positions if damage is changed else {})
        assert core.command(command(1, "stacks 5000", "hand", "dealt"), START, retained=False).ok
        assert core.table.hand_number == 1
    with pytest.raises(JournalBroken):
        Journal(kept, "one", readonly=True)

    with core_of(site, later(START, 60)) as core:
        assert [alert.finding for alert in core.alerts.active()] == ["journal-broken"], "told once"
        assert core.table.hand_number == 1
    assert last_aside(path) == kept
    journal = Journal(path, "one", readonly=True)
    told = [type(entry.event) for entry in entries(journal)]
    journal.close()
    assert told[0] is BrokenJournal and told.count(BrokenJournal) == 1 and Hand in told


def test_a_kill_before_the_new_journal_was_begun_leaves_the_old_one_told_of(site: Site) -> None:
    path = site.state_dir / "journal" / "one.sqlite"
    with core_of(site):
        pass
    changed(path)
    put_aside(path, START)
    with core_of(site) as core:
        assert [alert.finding for alert in core.alerts.active()] == ["journal-broken"]


def test_nothing_is_ever_written_over(site: Site) -> None:
    path = site.state_dir / "journal" / "one.sqlite"
    with core_of(site):
        pass
    kept = put_aside(path, START)
    before = kept.read_bytes()
    with core_of(site, later(START, 60)):
        pass
    with pytest.raises(JournalError, match="move that one away"):
        put_aside(path, START)
    assert kept.read_bytes() == before
    assert put_aside(path, later(START, 1)) == last_aside(path) != kept
    assert positions_of(site.state_dir / "nowhere.sqlite") == {}


def test_a_journal_in_use_or_of_another_table_is_no_broken_one(site: Site) -> None:
    path = site.state_dir / "journal" / "one.sqlite"
    with core_of(site), pytest.raises(JournalError, match="another process"), core_of(site):
        pass
    path.unlink()
    Journal(path, "two").close()
    with pytest.raises(JournalError, match="journal of table 'two'"), core_of(site):
        pass
    assert last_aside(path) is None


def test_the_floor_hears_once_that_the_record_was_restored(site: Site) -> None:
    with core_of(site) as core:
        core.command(command(1, "button 3"), START, retained=False)
    restored = Restored("0011223344556677", 1, ("one",), finished=False)
    save_restored(site.state_dir, restored)
    with pytest.raises(JournalError, match="was interrupted"), core_of(site):
        pass
    save_restored(site.state_dir, msgspec.structs.replace(restored, finished=True))
    for _ in range(2):
        with core_of(site) as core:
            (alert,) = core.alerts.active()
            assert (alert.finding, alert.severity) == ("journal-restored", "critical")
            assert "0011223344556677" in alert.sentence
    save_restored(site.state_dir, msgspec.structs.replace(restored, finished=True, backup="8899"))
    with core_of(site) as core:
        assert len(core.alerts.active()) == 2, "another restore is another alert"
    save_restored(site.state_dir, Restored("77", 1, ("two",), finished=True))
    with core_of(site) as core:
        assert len(core.alerts.active()) == 2, "the restore of another table"
