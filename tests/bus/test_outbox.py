"""The outbox against real files: numbers without a gap, kills, a full disk, damage."""

import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig.groups import readings_of

from tablebridge.bus.frames import MESSAGE, NUMBERS, Damaged, framed, frames
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.outbox_files import OutboxFull
from tablebridge.model.errors import BrokerError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Stamped, Sweep

NOW = Instant(1, 2, "boot")
SWEEP = Sweep(1, ("E00401020304",))
PAYLOADS = st.binary(max_size=40).map(lambda begin: begin + b"}")
BIG = Sweep(1, tuple(f"E004{n:012X}" for n in range(100)))


def put(box: Outbox, *readings: Reading, device: str = "a") -> None:
    """Each reading as a message of its own."""
    for reading in readings:
        box.append([(device, NOW, reading)])


def unsent(box: Outbox, after: int = 0) -> list[tuple[str, int]]:
    """Device and number of all that is to be sent, in order."""
    return [(one.device, one.seq) for one in all_unsent(box, after)]


def all_unsent(box: Outbox, after: int = 0) -> list[Stamped]:
    found: list[Stamped] = []
    while rows := box.unsent(after, 50):
        for number, payload in rows:
            assert number > after
            found += readings_of(payload)
            after = number
    return found


def replayed(box: Outbox, first: int, last: int, device: str = "a") -> list[int]:
    return [one.seq for _, payload in box.replay(device, first, last, 10_000) for one in readings_of(payload)]


def logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.log"))


def test_each_device_has_numbers_without_a_gap_and_a_message_has_many_readings(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    box.append([("a", NOW, SWEEP), ("b", NOW, SWEEP), ("a", NOW, SWEEP)])
    box.append([("b", NOW, SWEEP)])
    assert [(one.device, one.epoch, one.seq, one.at, one.reading) for one in all_unsent(box)] == [
        (device, box.epoch, seq, NOW, SWEEP) for device, seq in (("a", 1), ("b", 1), ("a", 2), ("b", 2))
    ]
    assert (box.first_seq("a"), box.next_seq("a"), box.next_seq("b"), box.next_seq("c")) == (1, 3, 3, 1)
    assert (box.waiting, box.next_number) == (4, 3)
    box.close()


def test_a_message_is_unsent_until_everything_before_it_is_acknowledged(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    put(box, *[SWEEP] * 4)
    box.acked([2, 3])
    assert (box.acked_to, box.waiting) == (0, 2)
    box.acked([1, 1])
    assert (box.acked_to, box.waiting) == (3, 1)
    box.acked([99])
    box.close()
    again = Outbox(tmp_path / "main")
    assert (unsent(again, 3), again.waiting) == ([("a", 4)], 1)
    assert replayed(again, 1, 3) == [1, 2, 3], "what is acknowledged stays for a replay"
    again.close()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), st.integers(0, 12)),
        min_size=1,
        max_size=15,
    ),
    st.sampled_from([0, 300, 100_000]),
)
def test_reopened_it_goes_on_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[list[str], int]], keep: int
) -> None:
    folder = tmp_path_factory.mktemp("box") / "main"
    given: list[tuple[str, int]] = []
    counts: dict[str, int] = {}
    acked, epochs = 0, set()
    for devices, ack_to in runs:
        box = Outbox(folder, keep_bytes=keep, file_bytes=200)
        epochs.add(box.epoch)
        for device in devices:
            put(box, SWEEP, device=device)
            counts[device] = counts.get(device, 0) + 1
            given.append((device, counts[device]))
        box.acked(range(1, ack_to + 1))
        acked = max(acked, min(ack_to, len(given)))
        assert (box.acked_to, box.waiting) == (acked, len(given) - acked)
        assert unsent(box, acked) == given[acked:]
        for device in counts:
            began = counts[device] - devices.count(device) + 1
            assert box.first_seq(device) >= began, "of this epoch"
            kept = replayed(box, 1, counts[device], device)
            assert kept == list(range(counts[device] - len(kept) + 1, counts[device] + 1))
        box.close()
    assert len(epochs) == len(runs)


def test_the_newest_stay_and_older_acknowledged_ones_go_by_files(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main", keep_bytes=20_000, file_bytes=5_000)
    put(box, *[SWEEP] * 1000)
    box.acked(range(1, 951))
    files, size = logs(box.folder), sum(path.stat().st_size for path in logs(box.folder))
    assert 20_000 < size < 40_000 and len(files) < 10
    assert 700 < box.first_seq("a") < 951 and replayed(box, 1, 1000) == list(range(box.first_seq("a"), 1001))
    box.close()


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "main"
    code = f"""
import os, pathlib
from tablebridge.bus.outbox import Outbox
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Sweep
box = Outbox(pathlib.Path({str(folder)!r}))
print(box.epoch, flush=True)
for _ in range(300):
    box.append([("a", Instant(0, 0), Sweep(1, ()))])
os.kill(os.getpid(), 9)
"""
    died = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert died.returncode == -signal.SIGKILL, died.stderr
    box = Outbox(folder)
    assert (box.next_seq("a"), box.waiting, box.damage) == (301, 300, "")
    assert {one.epoch for one in all_unsent(box)} == {died.stdout.strip()}
    box.close()


@pytest.mark.parametrize("cut", [1, 20, 100, 150])
def test_what_ends_in_the_middle_of_a_message_is_no_damage(tmp_path: Path, cut: int) -> None:
    """As a power cut leaves it: the last message is half there, or is zeros."""
    box = Outbox(tmp_path / "main")
    put(box, *[SWEEP] * 10)
    path = logs(box.folder)[0]
    data = path.read_bytes()
    for left in (data[:-cut], data[:-cut] + bytes(cut)):
        shutil.copytree(box.folder, tmp_path / "copy")
        (tmp_path / "copy" / path.name).write_bytes(left)
        again = Outbox(tmp_path / "copy")
        assert (again.damage, unsent(again)) == ("", [("a", seq) for seq in range(1, 10)])
        assert again.next_seq("a") == 10
        again.close()
        shutil.rmtree(tmp_path / "copy")
    box.close()


def test_every_opening_begins_an_epoch_in_which_the_numbers_go_on(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    before = box.epoch
    put(box, *[SWEEP] * 3)
    box.close()
    box = Outbox(tmp_path / "main")
    assert box.epoch != before
    put(box, SWEEP)
    assert (box.first_seq("a"), box.next_seq("a")) == (4, 5)
    assert [one.epoch for one in all_unsent(box)] == [before] * 3 + [box.epoch]
    box.close()


def test_numbers_go_on_though_all_messages_of_a_device_are_pruned(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main", keep_bytes=0, file_bytes=1_000)
    put(box, SWEEP, device="button")
    put(box, *[SWEEP] * 100)
    box.acked(range(1, 102))
    assert replayed(box, 1, 1, "button") == []
    for _ in range(5):
        box.close()
        box = Outbox(tmp_path / "main")
    assert (box.next_seq("button"), box.next_seq("a")) == (2, 101)
    assert len(logs(box.folder)) < 5, "openings leave no empty files"
    box.close()


def test_numbers_of_an_older_copy_are_not_those_that_were_given_out_after_it(tmp_path: Path) -> None:
    """(device, epoch, seq) is one reading for ever, whatever is done with the files."""
    folder, copy = tmp_path / "main", tmp_path / "copy"
    box = Outbox(folder)
    put(box, *[SWEEP] * 5)
    given = {(one.epoch, one.seq) for one in all_unsent(box)}
    box.close()
    shutil.copytree(folder, copy)
    for _ in range(3):
        box = Outbox(folder)
        put(box, *[SWEEP] * 5)
        given |= {(one.epoch, one.seq) for one in all_unsent(box)}
        box.close()
        shutil.rmtree(folder)
        shutil.copytree(copy, folder)
    assert len(given) == 20


def test_the_bound_gives_up_what_is_acknowledged_first_and_then_says_so(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main", limit_bytes=200_000, file_bytes=20_000)
    with pytest.raises(OutboxFull, match="free disk space or bring the broker back"):
        put(box, *[BIG] * 1000)
    full_at = box.next_seq("a")
    assert unsent(box) == [("a", seq) for seq in range(1, full_at)]
    box.acked(range(1, full_at - 10))
    put(box, *[BIG] * 10)
    assert box.first_seq("a") > 1
    assert unsent(box, box.acked_to) == [("a", seq) for seq in range(full_at - 10, full_at + 10)]
    box.close()


def test_a_disk_that_refuses_is_a_clear_error_and_heals(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    put(box, *[SWEEP] * 10)
    size = logs(box.folder)[0].stat().st_size
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 30, kept[1]))
    try:
        with pytest.raises(BrokerError, match=r"cannot be written|is full"):
            put(box, SWEEP)
        box.acked(range(1, 6))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)
    assert (box.next_seq("a"), box.acked_to) == (11, 5)
    put(box, SWEEP)
    box.close()
    again = Outbox(tmp_path / "main")
    assert (again.damage, again.next_seq("a")) == ("", 12), "what was half written is gone"
    again.close()


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    code = (
        "import pathlib\nfrom tablebridge.bus.outbox import Outbox\n"
        f"Outbox(pathlib.Path({str(box.folder)!r}))"
    )
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "open in another process" in second.stderr
    box.close()


def overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    path.write_bytes(data)


def one_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def no_log(path: Path) -> None:
    path.write_bytes(b"this is no outbox, whatever its name says" * 200)


@pytest.mark.parametrize("damage", [overwritten, one_bit, no_log])
def test_a_damaged_file_is_set_aside_and_told(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    box = Outbox(tmp_path / "main")
    before = box.epoch
    put(box, *[BIG] * 50)
    path = logs(box.folder)[0]
    box.close()
    damage(path)
    box = Outbox(tmp_path / "main")
    (aside,) = box.folder.glob("*.damaged-*Z")
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert "is damaged" in caplog.text and aside.name in caplog.text
    assert aside.name in box.damage and "are lost" in box.damage
    assert (box.waiting, box.unsent(0, 100)) == (0, [])
    put(box, SWEEP)
    assert box.epoch != before and len(unsent(box)) == 1
    box.acked([box.next_number - 1])
    assert box.acked_to == box.next_number - 1, "what is lost is waited for no longer"
    box.close()
    again = Outbox(tmp_path / "main")
    assert (again.damage, again.waiting) == ("", 0)
    again.close()


def test_only_the_damaged_file_is_lost(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main", file_bytes=5_000)
    put(box, *[BIG] * 50)
    files = logs(box.folder)
    box.close()
    one_bit(files[3])
    box = Outbox(tmp_path / "main")
    left = [seq for _, seq in unsent(box)]
    assert 40 < len(left) < 50 and left[:2] == [1, 2] and left[-1] == 50 and box.next_seq("a") == 51
    box.acked(range(1, box.next_number))
    assert (box.acked_to, box.waiting) == (box.next_number - 1, 0)
    box.close()


def test_of_the_damaged_ones_the_newest_three_are_kept(tmp_path: Path) -> None:
    for _ in range(6):
        Outbox(tmp_path / "main").close()
        no_log(logs(tmp_path / "main")[-1])
    Outbox(tmp_path / "main").close()
    assert len(list((tmp_path / "main").glob("*.damaged-*"))) == 3


def test_damage_that_shows_while_it_is_used_begins_a_new_epoch_in_which_the_numbers_go_on(
    tmp_path: Path,
) -> None:
    box = Outbox(tmp_path / "main")
    before = box.epoch
    put(box, *[BIG] * 200)
    overwritten(logs(box.folder)[0])
    assert box.replay("a", 1, 200, 1000) == [] or box.damage
    put(box, SWEEP)
    assert "damaged" in box.damage and box.epoch != before
    last = all_unsent(box, box.acked_to)[-1]
    assert (last.seq, last.epoch) == (201, box.epoch)
    assert (box.first_seq("a"), box.next_seq("a")) == (201, 202)
    box.acked([box.next_number - 1])
    assert box.acked_to >= 200 or box.waiting
    box.close()


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokerError, match="cannot be opened"):
        Outbox(tmp_path / "file" / "main")


def test_what_is_too_large_is_cut_so_that_it_can_be_read_and_ends_no_driver(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    put(box, SWEEP, Sweep(1, ("E0" * 40_000,)), Sweep(1, ("E004010000000001",) * 9_000))
    _, text, many = (one.reading for one in all_unsent(box))
    assert isinstance(text, Sweep) and isinstance(many, Sweep)
    assert len(text.tags[0]) == 64 and len(many.tags) == 450
    box.close()


def test_a_replay_is_of_one_device_and_in_pieces(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main", file_bytes=3_000)
    for _ in range(100):
        box.append([("a", NOW, SWEEP), ("b", NOW, BIG), ("a", NOW, SWEEP)])
    rows = box.replay("a", 11, 60, 5)
    assert [reaches for reaches, _ in rows] == [12, 14, 16, 18, 20]
    assert {one.device for _, payload in rows for one in readings_of(payload)} == {"a"}
    assert replayed(box, 11, 60) == list(range(11, 61))
    box.close()


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([MESSAGE, NUMBERS]),
            st.integers(0, 2**53),
            st.integers(0, 2**53),
            st.binary().map(lambda end: end + b"}"),
        ),
        max_size=6,
    )
)
def test_frames_are_read_as_they_were_written(written: list[tuple[bytes, int, int, bytes]]) -> None:
    data = b"".join(framed(*one) for one in written)
    assert [tuple(one[:4]) for one in frames(data)] == written


@settings(max_examples=300)
@given(st.lists(PAYLOADS, min_size=1, max_size=5), st.data())
def test_a_byte_that_is_altered_is_noticed(payloads: list[bytes], data: st.DataObject) -> None:
    whole = bytearray(b"".join(framed(MESSAGE, n, 0, payload) for n, payload in enumerate(payloads)))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    try:
        read = [one.payload for one in frames(bytes(whole))]
    except Damaged:
        return
    # The length of a message reaches beyond the end: it looks like a message that was cut off.
    assert read == payloads[: len(read)] and len(read) < len(payloads)


@given(st.binary(max_size=300))
def test_any_bytes_are_frames_or_an_end_or_damage(data: bytes) -> None:
    try:
        list(frames(data))
    except Damaged as error:
        assert "byte" in str(error)
