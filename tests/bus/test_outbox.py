"""The outbox against real SQLite: numbers without a gap, kills, a full disk, damage."""

import resource
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.bus.messages import ReadingMessage, decode
from tablebridge.bus.outbox import Outbox, OutboxFull
from tablebridge.model.errors import BrokerError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Sweep

NOW = Instant(1, 2, "boot")
SWEEP = Sweep(1, ("E00401020304",))


def test_numbers_have_no_gap_and_the_payload_is_the_message(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite")
    stamped = box.append([SWEEP, SWEEP], NOW) + box.append([SWEEP], NOW)
    assert [(one.device, one.epoch, one.seq) for one in stamped] == [
        ("feig1", box.epoch, seq) for seq in (1, 2, 3)
    ]
    assert [decode(payload, ReadingMessage).stamped for _, payload in box.unsent(0, 10)] == stamped
    assert (box.first_seq, box.next_seq, box.waiting) == (1, 4, 3)
    box.close()


def test_a_row_is_unsent_until_everything_before_it_is_acknowledged(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite")
    box.append([SWEEP] * 4, NOW)
    box.acked([2, 3])
    assert (box.acked_to, box.waiting) == (0, 2)
    box.acked([1])
    assert (box.acked_to, box.waiting) == (3, 1)
    box.acked([99])
    box.close()
    again = Outbox(tmp_path / "feig1.sqlite")
    assert [seq for seq, _ in again.unsent(0, 10)] == [4]
    assert [seq for seq, _ in again.range(1, 3)] == [1, 2, 3], "acknowledged rows stay for a replay"
    again.close()


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 12)), min_size=1, max_size=20), st.integers(0, 6))
def test_reopened_it_goes_on_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[int, int]], keep: int
) -> None:
    path = tmp_path_factory.mktemp("box") / "feig1.sqlite"
    total, acked, epochs = 0, 0, set()
    for count, ack_to in runs:
        box = Outbox(path, keep=keep)
        epochs.add(box.epoch)
        assert [one.seq for one in box.append([SWEEP] * count, NOW)] == list(
            range(total + 1, total + count + 1)
        )
        total += count
        box.acked(range(1, ack_to + 1))
        acked = max(acked, min(ack_to, total))
        assert box.acked_to == acked
        assert [seq for seq, _ in box.unsent(0, 1000)] == list(range(acked + 1, total + 1))
        box._prune(box.next_seq - 1 - keep)
        assert box.first_seq >= total - count + 1, "of this epoch"
        kept = [seq for seq, _ in box.range(1, total)]
        assert kept == list(range(total - len(kept) + 1, total + 1)) and len(kept) >= total - acked
        box.close()
    assert len(epochs) == len(runs)


def test_the_newest_rows_stay_and_older_acknowledged_ones_go(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite", keep=100)
    box.append([SWEEP] * 1000, NOW)
    box.acked(range(1, 951))
    assert (box.first_seq, box.next_seq) == (901, 1001)
    box.acked(range(951, 1001))
    assert box.first_seq == 901, "rows go in batches"
    box.close()


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "feig1.sqlite"
    code = f"""
import os, pathlib
from tablebridge.bus.outbox import Outbox
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Sweep
box = Outbox(pathlib.Path({str(path)!r}))
print(box.epoch, flush=True)
for _ in range(300):
    box.append([Sweep(1, ())], Instant(0, 0))
os.kill(os.getpid(), 9)
"""
    died = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert died.returncode == -signal.SIGKILL, died.stderr
    box = Outbox(path)
    assert (box.next_seq, box.waiting) == (301, 300)
    assert {decode(payload, ReadingMessage).stamped.epoch for _, payload in box.unsent(0, 300)} == {
        died.stdout.strip()
    }
    box.close()


def test_every_opening_begins_an_epoch_in_which_the_numbers_go_on(tmp_path: Path) -> None:
    path = tmp_path / "feig1.sqlite"
    box = Outbox(path)
    before = box.append([SWEEP] * 3, NOW)[0].epoch
    box.close()
    box = Outbox(path)
    assert box.epoch != before
    assert box.append([SWEEP], NOW)[0].seq == 4
    assert box.first_seq == 4
    assert [decode(p, ReadingMessage).stamped.epoch for _, p in box.unsent(0, 9)] == [before] * 3 + [
        box.epoch
    ]
    box.close()


def test_numbers_of_an_older_copy_are_not_those_that_were_given_out_after_it(tmp_path: Path) -> None:
    """(device, epoch, seq) is one reading for ever, whatever is done with the file."""
    path, copy = tmp_path / "feig1.sqlite", tmp_path / "copy"
    box = Outbox(path)
    given = [(one.epoch, one.seq) for one in box.append([SWEEP] * 5, NOW)]
    box.close()
    copy.write_bytes(path.read_bytes())
    for _ in range(3):
        box = Outbox(path)
        given += [(one.epoch, one.seq) for one in box.append([SWEEP] * 5, NOW)]
        box.close()
        path.write_bytes(copy.read_bytes())
    assert len(set(given)) == 20


def test_the_bound_gives_up_acknowledged_rows_first_and_then_says_so(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite", limit_bytes=200_000)
    big = Sweep(1, tuple(f"E004{n:012X}" for n in range(100)))
    with pytest.raises(OutboxFull, match="free disk space or bring the broker back"):
        for _ in range(1000):
            box.append([big], NOW)
    full_at = box.next_seq
    assert [seq for seq, _ in box.unsent(0, 10_000)] == list(range(1, full_at))
    box.acked(range(1, full_at - 10))
    for _ in range(5):
        box.append([big, big], NOW)
    assert box.first_seq > 1
    assert [seq for seq, _ in box.unsent(0, 10_000)] == list(range(full_at - 10, full_at + 10))
    box.close()


def test_a_disk_that_refuses_is_a_clear_error_and_heals(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite")
    box.append([SWEEP] * 10, NOW)
    size = (tmp_path / "feig1.sqlite-wal").stat().st_size
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, kept[1]))
    try:
        with pytest.raises(BrokerError, match=r"cannot be written|is full"):
            box.append([SWEEP] * 500, NOW)
        box.acked(range(1, 6))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)
    assert (box.next_seq, box.acked_to) == (11, 5)
    assert [one.seq for one in box.append([SWEEP] * 2, NOW)] == [11, 12]
    box.close()


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite")
    code = (
        f"import pathlib\nfrom tablebridge.bus.outbox import Outbox\nOutbox(pathlib.Path({str(box.path)!r}))"
    )
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "open in another process" in second.stderr
    box.close()


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    path.write_bytes(data)


def no_database(path: Path) -> None:
    path.write_bytes(b"this is no database, whatever its name says" * 200)


def of_others(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE reading (what TEXT)")
    db.close()


@pytest.mark.parametrize("damage", [truncated, overwritten, no_database, of_others])
def test_a_damaged_file_is_set_aside_and_told(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "feig1.sqlite"
    box = Outbox(path)
    before = box.append([Sweep(1, ("E0" * 50,))] * 200, NOW)[0].epoch
    box.close()
    damage(path)
    box = Outbox(path)
    assert (box.epoch != before, box.append([SWEEP], NOW)[0].seq) == (True, 1)
    (aside,) = tmp_path.glob("*.damaged-*Z")
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert "is damaged" in caplog.text and aside.name in caplog.text
    assert aside.name in box.damage and "are lost" in box.damage
    box.close()
    again = Outbox(path)
    assert (again.damage, again.next_seq) == ("", 2)
    again.close()


def test_of_the_damaged_ones_the_newest_three_are_kept(tmp_path: Path) -> None:
    for _ in range(6):
        no_database(tmp_path / "feig1.sqlite")
        Outbox(tmp_path / "feig1.sqlite").close()
    kept = sorted(path.name for path in tmp_path.glob("*.damaged-*"))
    assert len(kept) == 3


def test_damage_that_shows_while_it_is_used_begins_a_new_one_in_which_the_numbers_go_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "feig1.sqlite"
    box = Outbox(path)
    big = Sweep(1, tuple(f"E004{n:012X}" for n in range(100)))
    before = box.append([big] * 500, NOW)[0].epoch
    box._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))
    box._db.execute("PRAGMA shrink_memory")
    box.range(1, 500)
    stamped = box.append([SWEEP], NOW)
    assert [(one.seq, one.epoch != before) for one in stamped] == [(501, True)]
    assert "damaged" in box.damage
    assert [seq for seq, _ in box.unsent(0, 1000)] == [501]
    assert (box.first_seq, box.next_seq) == (501, 502)
    box.close()


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokerError, match="cannot be opened"):
        Outbox(tmp_path / "file" / "feig1.sqlite")


def test_what_is_too_large_is_cut_so_that_it_can_be_read_and_ends_no_driver(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite")
    box.append([SWEEP, Sweep(1, ("E0" * 40_000,)), Sweep(1, ("E004010000000001",) * 9_000)], NOW)
    _, text, many = (decode(payload, ReadingMessage).stamped.reading for _, payload in box.range(1, 3))
    assert isinstance(text, Sweep) and isinstance(many, Sweep)
    assert len(text.tags[0]) == 64 and len(many.tags) == 450
    box.close()


def test_commits_are_synced_where_asked(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "feig1.sqlite", full_sync=True)
    assert box._db.execute("PRAGMA synchronous").fetchone() == (2,)
    box.close()
