"""Records of real journals through real nats-servers into a real PostgreSQL, with what goes wrong there."""

import asyncio
import hashlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import nats.errors
import pytest
from msgspec.structs import replace
from nats.js.errors import NotFoundError
from rig.room import SITE, Link, Room, is_chain, journal_of

from tablebridge.archive.store import Incoming, Store
from tablebridge.archive.worker import Worker
from tablebridge.journal.chain import link as chained
from tablebridge.journal.records import AlertRecord, PaymentsRecord
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import JournalError
from tablebridge.model.events import DeviceState, Entry
from tablebridge.model.instant import Instant
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.stream.message import STREAM, Address, RecordMessage, decode, encode, subject_of

pytestmark = pytest.mark.timeout(300)
CHAIN = (
    "SELECT number, kind, salt, digest, body::text, hash FROM record JOIN played_table "
    "ON played_table.id = table_id WHERE name = :table ORDER BY number"
)


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    folder = Path(tempfile.mkdtemp(prefix="tb-room-"))
    room = Room(folder)
    try:
        asyncio.run(room.start())
        yield room
    finally:
        room.stop()
        shutil.rmtree(folder, ignore_errors=True)


def assert_whole(room: Room, table: str, path: Path) -> None:
    """Nothing is lost, nothing is doubled, and the chain is that of the journal."""
    (archived,) = room.archived(table).values()
    assert archived == journal_of(path)
    assert is_chain(room.rows(CHAIN, table=table), table)


async def messages(link: Link, table: str) -> list[RecordMessage]:
    """What the stream holds of a table, in order."""
    subject = subject_of(Address(SITE, "box", table))
    found: list[RecordMessage] = []
    info = await link.js.stream_info(STREAM)
    for sequence in range(info.state.first_seq, info.state.last_seq + 1):
        message = await link.js.get_msg(STREAM, sequence)
        if message.subject == subject:
            found.append(decode(message.data or b""))
    return found


async def publish(link: Link, message: RecordMessage, box: str = "box", table: str = "") -> None:
    """A message without an id, so that no broker knows it again."""
    subject = subject_of(Address(SITE, box, table or message.table))
    await link.js.publish(subject, encode(message), timeout=10)


def test_hands_findings_devices_and_decks_arrive_and_no_hidden_face_is_readable(
    room: Room, tmp_path: Path
) -> None:
    table = DealtTable(tmp_path / "plain.sqlite", "plain")
    table.deal(4)

    async def through() -> None:
        async with room.link() as link:
            await link.send(link.uplink("plain", tmp_path / "plain.sqlite"))
            await link.archive()

    asyncio.run(through())
    assert_whole(room, "plain", tmp_path / "plain.sqlite")
    assert room.rows("SELECT count(*), count(ended), count(paid) FROM hand") == [(4, 4, 2)]
    assert room.rows("SELECT device, state FROM device") == [("antennas", "live")]
    assert room.rows("SELECT deck FROM deck") == [("red",)]
    deals = "SELECT number, body ->> 'event', sealed FROM record WHERE event = 'deal'"
    found = room.rows(deals)
    assert len(found) == 4 * 18
    records = {record.number: record for record in table.journal.records()}
    for number, event, sealed in found:
        assert '"card":"??"' in event.replace(" ", "")
        assert room.key.open(bytes(sealed))[1] == records[number].body
    assert room.found("plain") == []
    table.close()


def test_nothing_is_lost_or_doubled_while_the_leader_is_killed_and_the_database_restarts(
    room: Room, tmp_path: Path
) -> None:
    names = [f"busy-{number}" for number in range(6)]
    for seed, name in enumerate(names):
        table = DealtTable(tmp_path / f"{name}.sqlite", name, seed)
        table.deal(12)
        table.close()

    async def through() -> None:
        async with room.link() as link:
            leader = await room.cluster.leader()
            sending = [
                asyncio.create_task(link.send(link.uplink(name, tmp_path / f"{name}.sqlite")))
                for name in names
            ]
            await asyncio.sleep(0.1)
            room.cluster.kill(leader)
            storing = asyncio.create_task(link.archive())
            await asyncio.gather(*sending)
            await asyncio.to_thread(room.postgres.restart)
            room.cluster.start_node(leader)
            await storing
            await link.archive()

    asyncio.run(through())
    for name in names:
        assert_whole(room, name, tmp_path / f"{name}.sqlite")
        assert room.found(name) == []


def test_what_was_committed_and_not_acknowledged_is_known_when_it_comes_again(
    room: Room, tmp_path: Path
) -> None:
    table = DealtTable(tmp_path / "again.sqlite", "again")
    table.deal(2)
    table.close()

    async def through() -> None:
        async with room.link() as link:
            await link.send(link.uplink("again", tmp_path / "again.sqlite"))
            dying = await link.js.pull_subscribe_bind("archive", STREAM)
            taken = await dying.fetch(500, timeout=5)
            batch = [
                Incoming(Address(SITE, "box", "again"), decode(one.data), one.metadata.timestamp)
                for one in taken
            ]
            await asyncio.to_thread(Store(room.engine).store, batch)
        # Nothing was acknowledged: a worker was killed after the commit.
        async with room.link() as link:
            await link.archive()
            await link.send(link.uplink("again", tmp_path / "again.sqlite"))
            for message in await messages(link, "again"):
                await publish(link, message)
            await link.archive()

    asyncio.run(through())
    assert_whole(room, "again", tmp_path / "again.sqlite")
    assert room.found("again") == []


def test_a_box_restored_from_an_old_backup_is_a_fork_and_both_branches_are_kept(
    room: Room, tmp_path: Path
) -> None:
    path, backup = tmp_path / "fork.sqlite", tmp_path / "old.sqlite"
    table = DealtTable(path, "fork")
    common = table.deal(1)
    with sqlite3.connect(backup) as copy, sqlite3.connect(path) as journal:
        journal.backup(copy)
    copy.close()
    journal.close()
    table.deal(1)
    table.close()
    first = journal_of(path)

    async def through() -> None:
        async with room.link() as link:
            uplink = link.uplink("fork", path)
            await link.send(uplink)
            await link.archive()
            for tail in ("", "-wal", "-shm"):
                path.with_name(path.name + tail).unlink(missing_ok=True)
            backup.rename(path)
            restored = DealtTable(path, "fork", seed=7)
            restored.deal(2)
            restored.close()
            await link.send(uplink)
            await link.archive()

    asyncio.run(through())
    second = [row for row in journal_of(path) if row[0] > common]
    assert list(room.archived("fork").values()) == [first, second]
    assert room.found("fork") == [("forked-chain", common + 1)]


def forged(own: list[RecordMessage], kind: str, body: bytes) -> RecordMessage:
    """A record that fits at the head of a table's chain, as whoever has a copy of the journal can make it."""
    last, salt = own[-1], bytes(32)
    digest = hashlib.sha256(salt + body).digest()
    hash_ = chained(last.hash, last.number + 1, kind, digest, b"digest")
    own.append(
        RecordMessage(
            last.table, last.number + 1, kind, last.number, last.hash, hash_, msgspec.Raw(body), salt
        )
    )
    return own[-1]


def test_another_box_that_claims_a_table_changes_none_of_its_rows(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "mine.sqlite"
    table = DealtTable(path, "mine")
    table.deal(2)
    now = Instant(time.time_ns(), 1)
    with table.journal.transaction():
        table.journal.record("alert", AlertRecord(AlertChange("1.0", "taken", "Ann"), now))
    table.close()
    rows = (
        "SELECT state, by, number FROM alert JOIN played_table t ON t.id = table_id WHERE t.name = 'mine'",
        "SELECT device, state, d.number FROM device d JOIN played_table t ON t.id = table_id "
        "WHERE t.name = 'mine'",
        "SELECT began, ended, hand, paid FROM hand JOIN played_table t ON t.id = table_id "
        "WHERE t.name = 'mine' ORDER BY began",
    )

    async def through() -> None:
        async with room.link() as link:
            await link.send(link.uplink("mine", path))
            await link.archive()
            before = [room.rows(query) for query in rows]
            assert before[0][0][:2] == ("taken", "Ann")
            assert before[1][0][:2] == ("antennas", "live")
            own = await messages(link, "mine")
            encoder = msgspec.json.Encoder()
            closed = AlertRecord(AlertChange("1.0", "closed", "Mallory"), now)
            lost = Entry(own[-1].number + 2, now, DeviceState("antennas", "lost"), "system")
            paid = PaymentsRecord(before[2][0][0], 1, {"1": 1})
            for kind, body in (("alert", closed), ("entry", lost), ("payments", paid)):
                await publish(link, forged(own, kind, encoder.encode(body)), box="other")
            await link.archive()
            assert [room.rows(query) for query in rows] == before

    asyncio.run(through())
    assert room.found("mine") == [("two-boxes", 0)]
    assert len(next(iter(room.archived("mine").values()))) == len(journal_of(path)) + 3


def test_two_boxes_that_claim_one_table_are_found_and_kept_apart(room: Room, tmp_path: Path) -> None:
    for box in ("box", "other"):
        table = DealtTable(tmp_path / f"{box}.sqlite", "claimed")
        table.deal(1)
        table.close()

    async def through() -> None:
        async with room.link() as link:
            for box in ("box", "other"):
                await link.send(link.uplink("claimed", tmp_path / f"{box}.sqlite", box))
                await link.archive()

    asyncio.run(through())
    assert sorted(room.found("claimed")) == [("new-chain", 1), ("two-boxes", 0)]
    kept = [journal_of(tmp_path / f"{box}.sqlite") for box in ("box", "other")]
    assert list(room.archived("claimed").values()) == kept


def test_what_a_box_deletes_is_deleted_of_its_own_records_alone(room: Room, tmp_path: Path) -> None:
    tables = {box: DealtTable(tmp_path / f"{box}-deleted.sqlite", "deleted") for box in ("box", "other")}
    number = min(table.deal(1) for table in tables.values()) - 1

    async def sent() -> None:
        async with room.link() as link:
            for box in tables:
                await link.send(link.uplink("deleted", tmp_path / f"{box}-deleted.sqlite", box))
                await link.archive()

    def bodies() -> dict[str, str | None]:
        found = "SELECT box, body::text FROM record JOIN segment ON segment.id = segment_id"
        name = "SELECT id FROM played_table WHERE name = 'deleted'"
        return dict(
            room.rows(f"{found} WHERE number = :number AND record.table_id = ({name})", number=number)
        )

    asyncio.run(sent())
    before = bodies()
    assert None not in before.values()
    with tables["other"].journal.transaction():
        tables["other"].journal.redactor.redact({number: b"{}"}, "request", "a test", 1)
    asyncio.run(sent())
    assert bodies() == {"box": before["box"], "other": None}
    of_other = CHAIN.replace("ORDER", "AND segment_id IN (SELECT id FROM segment WHERE box = 'other') ORDER")
    assert is_chain(room.rows(of_other, table="deleted"), "deleted")
    for table in tables.values():
        table.close()


def test_a_journal_under_another_tables_name_is_refused_at_the_box_and_found_in_the_room(
    room: Room, tmp_path: Path
) -> None:
    path = tmp_path / "renamed.sqlite"
    table = DealtTable(path, "first-name")
    table.deal(1)
    table.close()

    async def through() -> None:
        async with room.link() as link:
            with pytest.raises(JournalError, match="is the journal of table 'first-name', not of 'renamed'"):
                await link.uplink("renamed", path).step()
            with sqlite3.connect(path) as journal:
                journal.execute("UPDATE about SET value = 'renamed' WHERE name = 'table'")
            journal.close()
            await link.send(link.uplink("renamed", path))
            await link.archive()

    asyncio.run(through())
    assert room.found("renamed") == [("rewritten-record", 1)]


def test_a_record_that_was_rewritten_at_the_box_is_found_by_its_number(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "rewritten.sqlite"
    table = DealtTable(path, "rewritten")
    table.deal(1)
    table.close()
    with sqlite3.connect(path) as journal:
        (number,) = journal.execute("SELECT max(number) FROM record WHERE kind = 'entry'").fetchone()
        rewritten = "CAST(replace(CAST(body AS TEXT), 'dealer', 'button') AS BLOB)"
        journal.execute(f"UPDATE record SET body = {rewritten} WHERE number = ?", (number,))
    journal.close()

    async def through() -> None:
        async with room.link() as link:
            await link.send(link.uplink("rewritten", path))
            await link.archive()

    asyncio.run(through())
    assert room.found("rewritten") == [("rewritten-record", number)]


def test_a_hole_is_found_with_its_numbers_and_settled_when_the_records_come(
    room: Room, tmp_path: Path
) -> None:
    path = tmp_path / "hole.sqlite"
    table = DealtTable(path, "hole-source")
    table.deal(1)
    table.close()
    source = path.with_name("hole-source.sqlite")
    path.rename(source)

    async def through() -> None:
        async with room.link() as link:
            recorded: list[RecordMessage] = []
            uplink = link.uplink("hole-source", source)
            await link.send(uplink)
            recorded = await messages(link, "hole-source")
            await link.archive()
            assert room.found("hole-source") == []
            # The same chain, as if the room had never had records 11 to 20.
            with room.engine.begin() as db:
                db.exec_driver_sql(
                    "DELETE FROM record; DELETE FROM segment WHERE table_id = "
                    "(SELECT id FROM played_table WHERE name = 'hole-source')"
                )
            missing = [one for one in recorded if 11 <= one.number <= 20]
            for message in recorded:
                if message not in missing:
                    await publish(link, message)
            await link.archive()
            assert room.found("hole-source") == []
            impatient = Worker(Store(room.engine), link.client, SITE, patience_s=0.2)
            await asyncio.sleep(0.3)
            await impatient.step()
            assert room.found("hole-source") == [("hole", 21)]
            for message in missing:
                await publish(link, message)
            await link.archive()

    asyncio.run(through())
    settled = "SELECT settled IS NOT NULL FROM site_finding WHERE table_name = 'hole-source'"
    assert room.rows(settled) == [(True,)]
    archived = [row for rows in room.archived("hole-source").values() for row in rows]
    assert sorted(archived) == journal_of(source)


def test_records_wait_in_the_journal_while_the_disk_of_the_room_is_full(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "full.sqlite"
    table = DealtTable(path, "full")
    table.deal(3)
    table.close()

    async def through() -> None:
        async with room.link() as link:
            info = await link.js.stream_info(STREAM)
            await link.js.update_stream(info.config, max_bytes=info.state.bytes + 20_000)
            uplink = link.uplink("full", path)
            with pytest.raises(nats.errors.Error):
                while await uplink.step():
                    pass
            uplink.close()
            await link.archive()
            await link.js.update_stream(info.config, max_bytes=-1)
            await link.send(uplink)
            await link.archive()

    asyncio.run(through())
    assert_whole(room, "full", path)
    assert room.found("full") == []


def test_a_stream_that_was_deleted_is_made_again_and_what_it_held_is_sent_again(
    room: Room, tmp_path: Path
) -> None:
    path = tmp_path / "gone.sqlite"
    table = DealtTable(path, "gone")
    table.deal(1)

    async def through() -> None:
        async with room.link() as link:
            uplink = link.uplink("gone", path)
            await link.send(uplink)
            await link.js.delete_stream(STREAM)
            with pytest.raises(NotFoundError):
                await link.js.stream_info(STREAM)
            for _ in range(3):
                try:
                    await link.worker.step()
                except nats.errors.Error:
                    link.worker.reset()
            await link.worker.step()
            table.deal(1)
            await link.send(uplink)
            await link.archive()

    asyncio.run(through())
    table.close()
    assert_whole(room, "gone", path)
    made = "SELECT count(*) FROM site_finding WHERE finding = 'stream-made-again'"
    assert room.rows(made) == [(1,)]


def test_a_message_that_is_no_record_is_found_and_holds_up_nothing(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "sound.sqlite"
    table = DealtTable(path, "sound")
    table.deal(1)
    table.close()

    async def through() -> None:
        async with room.link() as link:
            subject = subject_of(Address(SITE, "box", "broken"))
            await link.js.publish(subject, b"\xff no record")
            await link.send(link.uplink("sound", path))
            (first, *_) = await messages(link, "sound")
            await publish(link, first, table="broken")
            # No text of PostgreSQL can hold it: it must not come again for ever.
            await publish(link, replace(first, table="broken", kind="e\0", number=77))
            await link.archive()

    asyncio.run(through())
    assert_whole(room, "sound", path)
    assert [finding for finding, _ in room.found("broken")] == ["unreadable-message"] * 3
    assert ("unreadable-message", 77) in room.found("broken")
