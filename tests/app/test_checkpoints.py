"""The engine signs a table's chain: between hands with every record, in a hand now and then; and a key that
cannot be used holds up no table.
"""

import logging
import sqlite3
from pathlib import Path

import pytest

from tablebridge.app.checkpoints import EVERY
from tablebridge.app.opening import open_core
from tablebridge.app.signing import Signer
from tablebridge.archive.signatures import is_signed
from tablebridge.journal.reader import ChainReader
from tablebridge.journal.records import entry_of
from tablebridge.journal.store import Journal, record_of
from tablebridge.model import events as ev
from tablebridge.model.instant import Instant
from tablebridge.settings.site import Site
from tablebridge.sim.room.dealt import DealtTable

from .conftest import START, stamp
from .recording import night


class Fixed:
    def now(self) -> Instant:
        return START


def signed(path: Path) -> tuple[dict[int, bytes], list[tuple[int, bytes, ev.TableEvent | None]]]:
    """The signatures that fit, by number, and all records with their events; a signature that does not fit
    fails.
    """
    reader = ChainReader(path)
    key = bytes.fromhex(Signer(path.parent).public())
    rows = reader.after(0, 100_000)
    found = reader.checkpoints(0, rows[-1].number)
    hashes = {row.number: row.hash for row in rows}
    for number, checkpoint in found.items():
        assert checkpoint.key == key
        assert is_signed(reader.table, number, hashes[number], key, checkpoint.signature), number
    entries = [(row, entry_of(record_of(row))) for row in rows]
    reader.close()
    return (
        {number: hashes[number] for number in found},
        [(row.number, row.hash, None if entry is None else entry.event) for row, entry in entries],
    )


def test_no_hand_is_over_without_a_signature_before_the_next_begins(site: Site) -> None:
    core = open_core(site, site.tables[0], Fixed())
    for one in stamp(night()):
        core.readings([one], one.at)
    core.close()
    numbers, rows = signed(site.state_dir / "journal" / "one.sqlite")
    began = [number for number, _, event in rows if isinstance(event, ev.Hand)]
    ended = [number for number, _, event in rows if isinstance(event, ev.End)]
    assert len(began) == 5 and ended
    for end in ended:
        following = min((number for number in began if number > end), default=rows[-1][0] + 1)
        assert any(end <= number < following for number in numbers), end
    assert len(numbers) < len(rows) / 2, "within a hand few records are signed"


def test_a_long_hand_is_signed_now_and_then(tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t", signed=True)
    table.enter(ev.Rules("tda-2022"), ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(1))
    table.enter(ev.Stacks(1000), ev.Hand())
    for _ in range(3 * EVERY):
        table.enter(ev.DeviceState("antennas", "live"))
    head = table.journal.head
    table.close()
    numbers, rows = signed(tmp_path / "t.sqlite")
    (began,) = (number for number, _, event in rows if isinstance(event, ev.Hand))
    assert len([number for number in numbers if number > began]) == 3
    assert head == rows[-1][1].hex()


def test_what_is_not_committed_is_not_signed(tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t", signed=True)
    table.deal(1)
    before = signed(tmp_path / "t.sqlite")

    def fails(_entry: ev.Entry, _findings: object) -> None:
        raise RuntimeError

    table.applied = fails
    with pytest.raises(RuntimeError):
        table.enter(ev.Hand())
    table.close()
    assert signed(tmp_path / "t.sqlite") == before


def test_a_key_that_cannot_be_used_holds_up_no_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = tmp_path / "signing.key"
    key.write_text("no key")
    table = DealtTable(tmp_path / "t.sqlite", "t", signed=True)
    with caplog.at_level(logging.ERROR):
        last = table.deal(2)
    said = [one for one in caplog.messages if "is not signed" in one]
    assert len(said) == 1 and "restore it from a backup" in said[0]
    assert last > 40
    key.unlink()
    table.deal(1)
    table.close()
    numbers, _ = signed(tmp_path / "t.sqlite")
    assert min(numbers) > last, "what follows covers what went before"


def test_a_journal_of_an_older_version_is_read_and_signed_on(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    table = DealtTable(path, "t")
    last = table.deal(1)
    table.close()
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE checkpoint")
    db.close()
    assert signed(path)[0] == {}
    Journal(path, "t", readonly=True).close()
    table = DealtTable(path, "t", signed=True)
    table.deal(1)
    table.close()
    assert min(signed(path)[0]) > last
