"""The outbox against real SQLite: numbers without a gap, kills, a full disk, damage."""

import resource
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.bus import outbox as module
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
    assert [(one.device, one.epoch, one.seq) for one in stamped] == [("feig1", box.epoch, seq) for seq in (1, 2, 3)]
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
def test_reopened_it_goes_on_where_it_was(tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[int, int]],
                                          keep: int) -> None:
    path = tmp_path_factory.mktemp("box") / "feig1.sqlite"
    total, acked, epochs = 0, 0, set()
    for count, ack_to in runs:
        box = Outbox(path, keep=keep)
        epochs.add(box.epoch)
        assert [one.seq for one in box.append([SWEEP] * count, NOW)] == list(range(total + 1, total + count + 1))
        total += count
        box.acked(range(1, ack_to + 1))
        acked = max(acked, min(ack_to, total))
        assert box.acked_to == acked
        assert [seq for seq, _ in box.unsent(0, 1000)] == list(range(acked + 1, total + 1))
        box._prune(box.next_seq - 1 - keep)
        assert box.first_seq <= acked + 1
        assert [seq for seq, _ in box.range(1, total)] == list(range(box.first_seq, total + 1))
        box.close()
    assert len(epochs) == 1


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
    died = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert died.returncode == -signal.SIGKILL, died.stderr
    box = Outbox(path)
    assert (box.next_seq, box.waiting, box.epoch) == (301, 300, died.stdout.strip())
    box.close()


def test_after_a_power_cut_the_numbers_that_may_have_been_used_are_not_used_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, boot = tmp_path / "feig1.sqlite", tmp_path / "boot"
    monkeypatch.setattr(module, "_BOOT", boot)
    boot.write_text("first")
    box = Outbox(path)
    before = box.append([SWEEP] * 3, NOW)[0].epoch
    box._db.close()  # not Outbox.close: the machine went off
    boot.write_text("second")
    box = Outbox(path)
    assert box.epoch != before
    assert box.append([SWEEP], NOW)[0].seq == 4
    assert box.first_seq == 4
    assert [decode(p, ReadingMessage).stamped.epoch for _, p in box.unsent(0, 9)] == [before] * 3 + [box.epoch]
    box.close()
    boot.write_text("third")
    after = Outbox(path)
    assert after.epoch == box.epoch, "closed in order: nothing can have been cut off"
    after.close()


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
    code = f"import pathlib\nfrom tablebridge.bus.outbox import Outbox\nOutbox(pathlib.Path({str(box.path)!r}))"
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert "open in another process" in second.stderr
    box.close()


def test_a_damaged_file_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "feig1.sqlite"
    path.write_bytes(b"this is no database, whatever its name says" * 200)
    box = Outbox(path)
    assert box.append([SWEEP], NOW)[0].seq == 1
    assert "is damaged" in caplog.text
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1
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
    with sqlite3.connect(tmp_path / "feig1.sqlite") as db:
        assert db.execute("SELECT closed FROM box").fetchone() == (1,)
    db.close()
