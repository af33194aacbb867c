"""What is older than the rule goes, what is needed stays, and what comes afterwards still has its proof."""

import json
import sqlite3
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from rig.records import Kept, messages_of
from rig.wait import wait_for
from sqlalchemy import text

from tablebridge.archive.database import open_database
from tablebridge.archive.retention import Receipt, Retention, first_kept
from tablebridge.archive.verifying import verified
from tablebridge.cli.awards import command as awards
from tablebridge.cli.site import command as site
from tablebridge.journal.records import AlertRecord
from tablebridge.model import events as ev
from tablebridge.model.alerts import AlertChange
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.postgres import Postgres
from tablebridge.stream.message import RecordMessage

pytestmark = pytest.mark.timeout(300)
DAYS = 90
OLD = 100


def dealt(path: Path, name: str, *hands: int, seed: int = 1) -> list[list[RecordMessage]]:
    """The messages of a journal, in one list for each number of hands."""
    table = DealtTable(path, name, seed)
    ends = [0, *(table.deal(count) for count in hands)]
    table.close()
    return _parted(messages_of(path, name), ends)


def _parted(messages: list[RecordMessage], ends: list[int]) -> list[list[RecordMessage]]:
    return [
        [message for message in messages if after < message.number <= last] for after, last in pairwise(ends)
    ]


def retain(kept: Kept, *receipts: Receipt) -> None:
    for _ in Retention(kept.engine, first_kept(DAYS), receipts).apply():
        pass


def assert_sound(kept: Kept, table: str) -> None:
    segments = [segment for segment in verified(kept.engine) if segment.table == table]
    assert segments
    assert all(not segment.unsound and not segment.missing for segment in segments)


def settle_all(kept: Kept) -> None:
    with kept.engine.begin() as db:
        db.exec_driver_sql("UPDATE site_finding SET settled = now() WHERE settled IS NULL")


def test_old_days_go_and_what_comes_afterwards_is_still_checked(kept: Kept, tmp_path: Path) -> None:
    old, young, later = dealt(tmp_path / "a.sqlite", "a", 2, 2, 1)
    kept.put(old, OLD)
    kept.put(young)
    planned = list(Retention(kept.engine, first_kept(DAYS)).planned())
    assert [(gone.records, gone.kept) for gone in planned] == [(len(old), 0)]
    assert kept.numbers("a") == [message.number for message in (*old, *young)]
    retain(kept)
    assert kept.numbers("a") == [message.number for message in young]
    assert kept.rows("SELECT day, records, kept FROM gone_day") == [(planned[0].day, len(old), 0)]
    assert kept.rows("SELECT count(*), min(began) FROM hand") == [(2, young[0].number + 2)]
    assert kept.rows("SELECT count(*) FROM deck") == [(0,)]
    kept.put(later)
    assert_sound(kept, "a")
    assert kept.found("a") == []
    kept.put(_changed(later[:1]))
    assert kept.found("a") == [("forked-chain", later[0].number), ("rewritten-record", later[0].number)]


def _changed(messages: list[RecordMessage]) -> list[RecordMessage]:
    """The same places in the chain with other hashes."""
    return [replace(message, hash=bytes(32)) for message in messages]


def test_a_record_that_is_changed_in_the_database_is_found(
    kept: Kept, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (messages,) = dealt(tmp_path / "v.sqlite", "v", 1)
    kept.put(messages)
    monkeypatch.setenv("TABLEBRIDGE_DATABASE", postgres.address)
    checked = CliRunner().invoke(site, ["verify"])
    assert checked.output.endswith(f"\n{len(messages)} records in 1 segments hold; 0 segments do not.\n")
    assert checked.exit_code == 0
    with kept.engine.begin() as db:
        db.exec_driver_sql(
            "UPDATE record SET body = '{}' WHERE number = 6 AND table_id = "
            "(SELECT id FROM played_table WHERE name = 'v')"
        )
    (found,) = [segment for segment in verified(kept.engine) if segment.table == "v"]
    assert (found.unsound, found.missing) == (6, False)
    checked = CliRunner().invoke(site, ["verify"])
    assert checked.output.startswith("v: record 6 is not what arrived\n")
    assert checked.exit_code == 1
    with kept.engine.begin() as db:
        db.exec_driver_sql(
            "DELETE FROM record WHERE number >= 6 AND table_id = "
            "(SELECT id FROM played_table WHERE name = 'v')"
        )
    (found,) = [segment for segment in verified(kept.engine) if segment.table == "v"]
    assert (found.unsound, found.missing) == (0, True)


def test_an_open_alert_holds_its_hand_until_it_is_closed(kept: Kept, tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite"
    table = DealtTable(path, "b")
    before = table.deal(1)
    for at, events in enumerate(table.hand()):
        table.enter(*events)
        if at == 2:
            table.enter(ev.ForeignTag(Place("board")))
    after = table.journal.next_number - 1
    last = table.deal(1)
    messages = messages_of(path, "b")
    kept.put(messages, OLD)
    retain(kept)
    # The record before the hand is kept, too: the first of the hand has its proof by it.
    assert kept.numbers("b") == [one.number for one in messages if before + 2 <= one.number <= after + 2]
    assert kept.rows("SELECT count(*) FROM hand WHERE table_id = (SELECT max(id) FROM played_table)") == [
        (1,)
    ]
    (alert,) = kept.rows(
        "SELECT id FROM finding WHERE severity = 'warning' AND table_id = (SELECT max(id) FROM played_table)"
    )
    change = AlertChange(alert[0], "closed", "Ann")
    with table.journal.transaction():
        table.journal.record("alert", AlertRecord(change, Instant(time.time_ns(), time.monotonic_ns())))
    table.close()
    kept.put([one for one in messages_of(path, "b") if one.number > last])
    retain(kept)
    assert kept.numbers("b") == [last + 1]
    assert kept.found("b") == []
    assert_sound(kept, "b")


def test_an_open_finding_about_records_holds_their_day(kept: Kept, tmp_path: Path) -> None:
    (first,) = dealt(tmp_path / "c.sqlite", "c", 1)
    (second,) = dealt(tmp_path / "d.sqlite", "c", 1, seed=2)
    kept.put(first, OLD + 1)
    kept.put(second, OLD, "other")
    assert {finding for finding, _ in kept.found("c")} == {"new-chain", "two-boxes"}
    retain(kept)
    # `new-chain` names record 1, which each of the chains has.
    assert len(kept.numbers("c")) == len(first) + len(second)
    settle_all(kept)
    retain(kept)
    assert kept.numbers("c") == []
    kept.put(first, 0)
    assert_sound(kept, "c")


def test_what_a_receipt_proves_stays_and_the_command_says_what_goes(
    kept: Kept, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, paid = tmp_path / "e.sqlite", tmp_path / "paid"
    (messages,) = dealt(path, "e", 12)
    rules = tmp_path / "awards.toml"
    rules.write_text('[[high_hand]]\nname = "Any"\nleast = "2h 3d 4c 5s 7h"\nboth_cards = false\n')
    listed = CliRunner().invoke(awards, ["list", str(rules), str(path), "--receipts", str(paid)])
    assert listed.exit_code == 0, listed.output
    receipts = [json.loads(file.read_text()) for file in sorted(paid.glob("*.json"))]
    assert receipts
    kept.put(messages, OLD)
    monkeypatch.setenv("TABLEBRIDGE_DATABASE", postgres.address)
    command = ["retain", "--days", str(DAYS), "--receipts", str(paid)]
    planned = CliRunner().invoke(site, [*command, "--dry-run", "--json"])
    ended = CliRunner().invoke(site, [*command, "--json"])
    assert ended.exit_code == 0, ended.output
    assert ended.output == planned.output
    hashes = (
        "SELECT number, encode(hash, 'hex') FROM record r "
        "JOIN played_table p ON p.id = r.table_id WHERE p.name = 'e'"
    )
    there = dict(kept.rows(hashes))
    for receipt in receipts:
        before, hash_ = receipt["proof"]["before"]
        assert there[before] == hash_
        assert receipt["proof"]["hashes"].items() <= {str(at): of for at, of in there.items()}.items()
    assert len(there) < len(messages)
    (paid / "broken.json").write_text("{}")
    refused = CliRunner().invoke(site, command)
    assert refused.exit_code != 0
    assert "broken.json cannot be read" in str(refused.exception)


def test_what_is_sent_again_after_it_went_is_no_fork_and_doubles_nothing_that_stayed(
    kept: Kept, tmp_path: Path
) -> None:
    old, young = dealt(tmp_path / "f.sqlite", "f", 2, 1)
    kept.put(old, OLD)
    kept.put(young)
    retain(kept)
    for part in (old[20:], old[:20], young):
        kept.put(part)
    kept.store.settle(0)
    assert kept.found("f") == [("sent-again", 0)]
    numbers = kept.numbers("f")
    assert len(numbers) == len(set(numbers))
    # The first record and the last one that went are known by their hashes alone.
    assert set(numbers) == {one.number for one in (*old, *young)} - {old[0].number, old[-1].number}
    assert_sound(kept, "f")


def test_a_backup_from_before_what_went_is_a_fork_as_soon_as_it_passes_it(kept: Kept, tmp_path: Path) -> None:
    path, backup = tmp_path / "g.sqlite", tmp_path / "backup.sqlite"
    table = DealtTable(path, "g")
    common = table.deal(1)
    with sqlite3.connect(backup) as copy, sqlite3.connect(path) as journal:
        journal.backup(copy)
    copy.close()
    journal.close()
    last = table.deal(2)
    table.close()
    kept.put(messages_of(path, "g"), OLD)
    retain(kept)
    restored = DealtTable(backup, "g", seed=9)
    restored.deal(6)
    restored.close()
    branch = [message for message in messages_of(backup, "g") if message.number > common]
    kept.put(branch)
    kept.store.settle(0)
    passed = min(message.number for message in branch if message.number >= last)
    assert kept.found("g") == [("sent-again", 0), ("forked-chain", passed)]
    assert kept.numbers("g") == [message.number for message in branch]
    assert_sound(kept, "g")


def test_a_day_waits_for_the_worker_that_is_storing(kept: Kept, postgres: Postgres, tmp_path: Path) -> None:
    (messages,) = dealt(tmp_path / "w.sqlite", "w", 1)
    kept.put(messages, OLD)
    other = open_database(postgres.address)
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'played_table'::regclass")
    going = threading.Thread(target=retain, args=(kept,))
    try:
        with other.begin() as worker:
            worker.execute(text("SELECT id FROM played_table FOR UPDATE"))
            going.start()
            wait_for(lambda: worker.execute(waiting).scalar_one(), "retention waits for the worker")
            assert worker.execute(text("SELECT count(*) FROM record")).scalar_one() == len(messages)
        going.join(60)
        assert kept.numbers("w") == []
    finally:
        other.dispose()


def test_a_worker_makes_a_day_again_that_went(kept: Kept, tmp_path: Path) -> None:
    first, second = dealt(tmp_path / "x.sqlite", "x", 1, 1)
    kept.put(dealt(tmp_path / "y.sqlite", "y", 1)[0])
    kept.put(first, OLD)
    retain(kept)
    kept.put(second, OLD)
    assert kept.numbers("x") == [message.number for message in second]


def test_workers_store_while_days_go(kept: Kept, tmp_path: Path) -> None:
    messages = dealt(tmp_path / "h.sqlite", "h", *([1] * 12))
    for at, part in enumerate(messages[:6]):
        kept.put(part, OLD + 10 - at)
    failed: list[BaseException] = []

    def stored() -> None:
        try:
            for part in messages[6:]:
                kept.put(part)
        except BaseException as error:
            failed.append(error)

    storing = threading.Thread(target=stored)
    storing.start()
    gone = list(Retention(kept.engine, first_kept(DAYS)).apply())
    storing.join(60)
    assert failed == []
    assert sum(day.records for day in gone) >= sum(map(len, messages[:6]))
    assert kept.numbers("h") == [message.number for part in messages[6:] for message in part]
    assert kept.found("h") == []
    assert_sound(kept, "h")
