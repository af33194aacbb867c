"""A start from a snapshot is a start from all records, and reads few of them."""

import logging
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tablebridge.app import snapshots
from tablebridge.app.core import TableCore
from tablebridge.app.folded import FoldedTable, KeptTable
from tablebridge.app.snapshots import Snapshot, digest_of, made_by, verify_snapshots
from tablebridge.bus.messages import Command
from tablebridge.cli.journal import command as journal_command
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import KeptAlerts
from tablebridge.journal import chain
from tablebridge.journal.aside import last_aside
from tablebridge.journal.read import entries
from tablebridge.journal.records import SnapshotRecord
from tablebridge.journal.snapshot_table import superfluous
from tablebridge.journal.store import SCHEMA, Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.model.events import BrokenJournal, DeckInPlay, DeviceState, Hand, RestoredJournal
from tablebridge.model.floor_marks import EndService
from tablebridge.model.instant import Instant, later
from tablebridge.settings.site import Site
from tests.attributes import differences

from .conftest import START, stamp
from .recording import night
from .test_core import command, core_of

LATER = later(START, 3600)
"""Nothing that was played at START waits for the overlay any more."""
OFTEN = 20
"""Entries from one snapshot to the next in these tests, but for those that play many hands."""
HAND = ("hand", "dealt", "clock 1", "flop 2c 7d Jh", "call-floor", "muck 1", "muck 2", "end")
"""A hand with findings, whoever has the button."""


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", OFTEN)


def path_of(site: Site) -> Path:
    return site.state_dir / "journal" / "one.sqlite"


def numbers(site: Site) -> list[int]:
    """The snapshots that are kept, the newest first."""
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        return journal.snapshots.numbers()


def change(site: Site, sql: str, *values: Any) -> None:
    with closing(sqlite3.connect(path_of(site), isolation_level=None)) as db:
        db.execute(sql, values)


def play(core: TableCore, hands: int, at: Instant = START, first: int = 1) -> None:
    """Hands that are typed, each with findings, and an alert that the floor closes."""
    for number in range(first, first + hands):
        asked = Command(f"id-{number}", "Olga", "operator", later(at, 9).wall_ns, HAND)
        reply = core.command(asked, at, retained=False)
        assert reply.ok, reply.sentence


def played(site: Site, hands: int) -> None:
    with core_of(site) as core:
        play(core, hands)


@contextmanager
def all_folded(site: Site, folder: Path, at: Instant) -> Iterator[TableCore]:
    """The core of a copy of the journal without its snapshots."""
    shutil.copytree(site.state_dir, folder)
    copy = site.model_copy(update={"state_dir": folder})
    with closing(Journal(path_of(copy), "one")) as journal, journal.transaction():
        journal.snapshots.drop()
    with core_of(copy, at) as core:
        yield core


def state_of(core: TableCore) -> tuple[object, ...]:
    return core._folded, core._sensor, core._overlay._gate, core._overlay._shown


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("seed", range(3))
def test_a_start_from_a_snapshot_is_a_start_from_all_records(
    site: Site, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng, stamped = Random(seed), stamp(night(2))
    cuts = sorted(rng.sample(range(len(stamped) // 3, len(stamped)), 5))
    begun, used, changed = 0, 0, set[str]()
    with core_of(site) as core:
        fresh, idle = FoldedTable(Table("one"), START), core._sensor.kept()
        happen(core, START)
    for cut in cuts:
        at = stamped[cut].at
        with core_of(site, stamped[begun].at) as core:
            for one in stamped[begun:cut]:
                core.readings([one], one.at)
            core.command(command(cut, "call-floor"), at, retained=False)
            report(core, cut, at)
            for number, alert in enumerate(core.alerts.active()):
                seen = AlertChange(alert.id, rng.choice(("acknowledged", "taken", "closed")), "")
                asked = Command(f"{cut}-{number}", "Anna", "floor", later(at, 9).wall_ns, alert=seen)
                core.command(asked, at, retained=False)
        begun = cut
        used += len(numbers(site))
        folder = tmp_path_factory.mktemp("copies") / str(cut)
        with all_folded(site, folder, at) as whole, core_of(site, at) as core:
            assert differences(state_of(core), state_of(whole)) == []
            changed |= {
                name for name in vars(fresh) if differences(vars(fresh)[name], vars(core._folded)[name])
            }
            kept, empty = core._folded.kept(), fresh.kept()
            changed |= {
                name for name in KeptTable.__struct_fields__ if getattr(kept, name) != getattr(empty, name)
            }
            changed |= {name for name in KeptAlerts.__struct_fields__ if getattr(kept.alerts, name)}
            assert core._sensor.kept().deck != idle.deck and core._sensor.kept().health != idle.health
    assert used, "no start was from a snapshot"
    assert changed == {*vars(fresh), *KeptTable.__struct_fields__, *KeptAlerts.__struct_fields__}, (
        "let `happen` change it: what never changes is compared with nothing"
    )
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        agree, others, _ = verify_snapshots(journal)
    assert agree >= 2 and others == 0


def report(core: TableCore, cut: int, at: Instant) -> None:
    """The dealer reports a fact and the first step of each remedy."""
    steps = [f"step {notice.id} 1" for notice in core._folded.notices.shown().notices if notice.remedy]
    asked = command(10**6 + cut, "dealer-change", *steps, role="dealer")
    assert core.command(asked, at, retained=False).ok


def happen(core: TableCore, at: Instant) -> None:
    """Something of everything that outlives a hand, early in the night."""
    core.note(BrokenJournal("broken-1/one.sqlite"), at)
    core.note(RestoredJournal("backup-1", 0), at)
    core.note(DeckInPlay("red"), at)
    core.device("board", "stale", (), at)
    core.note(DeviceState("board", "live", health="degraded", detail="warm"), at)
    play(core, 3)
    assert core.command(command(-1, "hand", "dealt", "ruling misdeal"), at, retained=False).ok
    looked = Command("looked", "Ines", "surveillance", LATER.wall_ns, review="reviewed", hand=1)
    assert core.command(looked, at, retained=False).ok
    out = Command("out", "Anna", "floor", LATER.wall_ns, mark=EndService("board", "one antenna is loose"))
    assert core.command(out, at, retained=False).ok


def test_what_a_start_reads_does_not_grow_with_the_journal(site: Site) -> None:
    calls = []
    for begun, hands in ((1, 150), (151, 450)):
        with core_of(site) as core:
            play(core, hands, first=begun)
        counted: Counter[str] = Counter()
        with counting(counted), core_of(site, LATER) as core:
            assert core.table.hand_number == begun + hands - 1
        calls.append(counted)
    short, long = calls
    assert long["apply"] < 2 * snapshots.EVERY and long["link"] < 4 * snapshots.EVERY, "the limits themselves"
    assert sum(long.values()) < 2.5 * sum(short.values()), "four times the hands"


@contextmanager
def counting(calls: Counter[str]) -> Iterator[None]:
    """Counts the calls of each function by its name."""

    def profile(frame: Any, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_name] += 1

    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)


def forged(site: Site) -> None:
    """A snapshot of another state is put in, with a chain that fits it."""
    with closing(Journal(path_of(site), "one")) as journal:
        newest = journal.snapshots.numbers()[0]
        snapshot = msgspec.json.decode(journal.snapshots.body(newest), type=Snapshot)
        record = next(msgspec.json.decode(one.body, type=SnapshotRecord) for one in journal.records(newest))
    table = msgspec.structs.replace(snapshot.table, devices={"board": "lost"})
    snapshot = msgspec.structs.replace(snapshot, table=table)
    change(site, "UPDATE snapshot SET body = ? WHERE number = ?", msgspec.json.encode(snapshot), newest)
    body = msgspec.json.encode(msgspec.structs.replace(record, digest=digest_of(snapshot)))
    change(site, "UPDATE record SET body = ? WHERE number = ?", body, newest)
    with closing(sqlite3.connect(path_of(site), isolation_level=None)) as db:
        (previous,) = db.execute(
            "SELECT hash FROM record WHERE number < ? ORDER BY number DESC", (newest,)
        ).fetchone()
        for row in list(chain.rows(db, newest)):
            assert row.digest is not None
            previous = chain.link(previous, row.number, row.kind, row.digest, b"digest")
            db.execute("UPDATE record SET hash = ? WHERE number = ?", (previous, row.number))


def cut_short(site: Site) -> None:
    change(site, "UPDATE snapshot SET body = substr(body, 1, length(body) / 2)")


def of_another_state(site: Site) -> None:
    of = "CAST(replace(CAST(body AS TEXT), '\"hand_number\":', '\"hand_number\":1') AS BLOB)"
    change(site, f"UPDATE snapshot SET body = {of}")


def exchanged(site: Site) -> None:
    change(site, "UPDATE snapshot SET body = (SELECT body FROM snapshot ORDER BY number LIMIT 1)")


def without_its_record(site: Site) -> None:
    change(site, "UPDATE snapshot SET number = -number")


def no_blob(site: Site) -> None:
    change(site, "UPDATE snapshot SET body = x'00ff'")


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("damage", [cut_short, of_another_state, no_blob])
def test_a_damaged_snapshot_is_passed_over_with_a_sentence(
    site: Site, damage: Callable[[Site], None], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    played(site, 30)
    damage(site)
    with caplog.at_level(logging.WARNING), core_of(site, LATER) as core:
        play(core, 1, LATER, 31)
        assert core.table.hand_number == 31
    assert len(caplog.messages) == 1 and "records are folded" in caplog.text
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        assert verify_snapshots(journal)[0] > 3


@pytest.mark.usefixtures("often")
def test_the_newest_sound_snapshot_is_taken_if_others_were_exchanged_or_have_no_record(site: Site) -> None:
    played(site, 30)
    exchanged(site)
    with core_of(site, LATER) as core:
        assert core.table.hand_number == 30
    change(site, "DELETE FROM snapshot")
    with core_of(site, LATER) as core:
        assert core.table.hand_number == 30
    without_its_record(site)
    with core_of(site, LATER) as core:
        assert core.table.hand_number == 30


@pytest.mark.usefixtures("often")
def test_a_snapshot_of_other_software_is_not_used(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    played(site, 30)
    monkeypatch.setattr(snapshots, "made_by", lambda: "0.0.9 0123456789abcdef")
    with caplog.at_level(logging.WARNING), core_of(site, LATER) as core:
        assert core.table.hand_number == 30
    assert "made by other software" in caplog.text
    # Since it was made at that start, the next one is short again.
    caplog.clear()
    with caplog.at_level(logging.WARNING), core_of(site, LATER) as core:
        assert core.table.hand_number == 30
    assert caplog.messages == []
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        agree, others, _ = verify_snapshots(journal)
    assert agree == 1 and others > 3


def test_the_software_is_its_version_and_its_code() -> None:
    version, _, digest = made_by().partition(" ")
    assert version and len(digest) == 16


@pytest.mark.usefixtures("often")
def test_a_forged_snapshot_with_a_chain_that_fits_it_is_found_by_verify(site: Site) -> None:
    played(site, 30)
    forged(site)
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        journal.verify()
        with pytest.raises(JournalError, match="not what the records up to"):
            verify_snapshots(journal)
        with closing(sqlite3.connect(path_of(site), isolation_level=None)) as db:
            db.execute("DELETE FROM snapshot")
        with pytest.raises(JournalError, match="not what the records up to"):
            verify_snapshots(journal)


@pytest.mark.usefixtures("often")
def test_the_command_says_that_snapshots_agree_and_drops_them(site: Site) -> None:
    played(site, 30)
    count = len(numbers(site))
    said = CliRunner().invoke(journal_command, ["verify", str(path_of(site))]).output.splitlines()
    assert "all sound" in said[0] and said[1].endswith(
        "snapshots, each of them what the records before it fold to"
    )
    dropped = CliRunner().invoke(journal_command, ["drop-snapshots", str(path_of(site))])
    assert dropped.output == f"{count} snapshots dropped; the next start folds all records\n"
    assert numbers(site) == []
    with core_of(site, LATER) as core:
        assert core.table.hand_number == 30


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("of", ["since", "through", "last"])
def test_a_record_that_is_read_at_the_start_is_checked(site: Site, of: str) -> None:
    played(site, 30)
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        entered = list(entries(journal))
        begun = max(entry.id for entry in entered if isinstance(entry.event, Hand))
        made = [
            msgspec.json.decode(next(journal.records(number)).body, type=SnapshotRecord)
            for number in journal.snapshots.numbers()
        ]
    used = next(record for record in made if record.through < begun)
    number = {"since": used.since, "through": used.through, "last": entered[-1].id}[of]
    change(site, "UPDATE record SET body = CAST(body || ' ' AS BLOB) WHERE number = ?", number)
    with core_of(site, LATER) as core:
        assert [alert.finding for alert in core.alerts.active()] == ["journal-broken"]
    kept = last_aside(path_of(site))
    assert kept is not None
    with pytest.raises(JournalBroken, match=rf"record {number}\b"):
        Journal(kept, "one", readonly=True)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("to", ["CAST(body || ' ' AS BLOB)", "x'00'"])
def test_a_record_of_an_old_hand_that_was_changed_is_found_by_verify_and_whenever_all_is_folded(
    site: Site, to: str
) -> None:
    played(site, 30)
    change(site, f"UPDATE record SET body = {to} WHERE number = 9")
    with core_of(site, LATER) as core:
        assert core.table.hand_number == 30
    with pytest.raises(JournalBroken, match=r"record 9\b"):
        Journal(path_of(site), "one", readonly=True)
    change(site, "DELETE FROM snapshot")
    with core_of(site, LATER) as core:
        assert [alert.finding for alert in core.alerts.active()] == ["journal-broken"]


def test_a_journal_without_snapshots_gets_them_and_is_not_read_by_an_older_version(site: Site) -> None:
    played(site, 2)
    change(site, "DROP TABLE snapshot")
    change(site, "UPDATE about SET value = '1' WHERE name = 'schema'")
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        assert journal.snapshots.numbers() == [] and verify_snapshots(journal) == (0, 0, 0)
    with core_of(site, LATER) as core:
        play(core, 1, LATER, 3)
    with closing(sqlite3.connect(path_of(site))) as db:
        assert db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone() == (str(SCHEMA),)


@pytest.mark.usefixtures("often")
def test_pictures_that_wait_for_long_are_made_again_from_an_older_snapshot(site: Site) -> None:
    web = site.web.model_copy(update={"overlay_delay_s": 3600.0})
    late = site.model_copy(update={"web": web})
    with core_of(late) as core:
        for number in range(40):
            play(core, 1, later(START, number * 120), number + 1)
    at = later(START, 40 * 120)
    with core_of(late, at) as core:
        # The hand that was under way an hour ago is on the air.
        assert core._overlay._shown.hand in (9, 10, 11)


def test_of_old_snapshots_fewer_are_kept_the_older_they_are() -> None:
    kept: list[int] = []
    for number in range(1000, 3_000_000, 1000):
        kept.insert(0, number)
        for old in superfluous(kept):
            kept.remove(old)
        ages = [kept[0] - one for one in kept]
        assert all(after <= 2 * before for before, after in pairwise(ages[2:]))
    assert kept[:3] == [2_999_000, 2_998_000, 2_997_000] and kept[-1] == 1000 and len(kept) < 40
