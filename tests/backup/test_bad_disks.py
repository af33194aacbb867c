"""Backup and restore on a real file system that is full or read-only, and a backup that is killed: the site
stays as it was, or the same command ends what was begun.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablebridge.backup.restore import contents
from tablebridge.journal.restored import restored_here

from .conftest import Club, write_records
from .test_backup import head, saved
from .test_bad_backups import KILLED, everything

STEP = 4096


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=True)
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def on_disk(small: Path) -> Club:
    """The club with its state on the small disk."""
    return Club(small)


def call(*words: object, code: int) -> str:
    """What the command says; it must end with this exit status, and an error is one sentence at the end."""
    command = [sys.executable, "-m", "tablebridge", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stderr.splitlines()[-1] if code else done.stdout


def fill(disk: Path, left: int) -> Path:
    """A file that leaves so many bytes of the disk."""
    filler = disk / "filler"
    with pytest.raises(OSError, match="No space"), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(STEP))
    os.truncate(filler, filler.stat().st_size // STEP * STEP - left)
    return filler


@pytest.mark.parametrize("left", [0, 4 * STEP, 16 * STEP, 28 * STEP])
def test_a_full_disk_ends_a_restore_over_a_site_with_one_sentence_and_it_is_done_again(
    on_disk: Club, small: Path, tmp_path: Path, left: int
) -> None:
    backup = shutil.move(saved(on_disk), tmp_path / "a.backup")
    path = on_disk.state / "journal/one.sqlite"
    write_records(path, "one", 200)
    before = head(path)
    arguments = ("restore", backup, "--key", on_disk.key, "--site", on_disk.site, "--replace")
    filler = fill(small, left)
    assert "check free space" in call(*arguments, code=2).lower()
    filler.unlink()
    assert restored_here(on_disk.state, "one") is None and head(path) == before
    call(*arguments, code=0)
    assert head(path) == (40, on_disk.heads["one"])


@pytest.mark.parametrize("left", [0, 2 * STEP, 4 * STEP])
def test_a_full_disk_ends_a_restore_of_a_new_box_with_one_sentence_and_it_is_done_again(
    on_disk: Club, small: Path, tmp_path: Path, left: int
) -> None:
    backup, key = (shutil.move(path, tmp_path / path.name) for path in (saved(on_disk), on_disk.key))
    shutil.rmtree(on_disk.state)
    arguments = ("restore", backup, "--key", key, "--site", on_disk.site)
    filler = fill(small, left)
    assert "check free space" in call(*arguments, code=2).lower()
    filler.unlink()
    call(*arguments, code=0)
    assert head(on_disk.state / "journal/one.sqlite") == (40, on_disk.heads["one"])


def test_a_disk_that_is_read_only_is_one_sentence_for_each(
    on_disk: Club, small: Path, tmp_path: Path
) -> None:
    backup = saved(on_disk)
    before = everything(small)
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    site = ("--site", on_disk.site, "--key", on_disk.key)
    for words, expected in (
        (("backup", tmp_path / "new.backup", *site), "The backup could not be made"),
        (("restore", backup, *site, "--replace"), "could not be restored"),
        (("engine", "--site", on_disk.site), "cannot be written (Read-only file system)"),
        (("run", "--site", on_disk.site), "cannot be made (Read-only file system)"),
        (
            ("token", "add", "floor", "anna", "--site", on_disk.site),
            "cannot be written (Read-only file system)",
        ),
    ):
        assert expected in call(*words, code=2)
    assert everything(small) == before and not (tmp_path / "new.backup").exists()


def test_a_backup_that_is_killed_anywhere_leaves_none_or_a_whole_one(club: Club) -> None:
    before = everything(club.state)
    killed = 0
    for after in range(0, 400, 2):
        target = club.folder / f"{after}.backup"
        arguments = ["backup", str(target), "--site", str(club.site), "--key", str(club.key)]
        done = subprocess.run(
            [sys.executable, "-c", KILLED, *arguments, str(after)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        if target.exists():
            assert {table.name for table in contents(target, club.identity).tables} == {"one", "two"}
        if done.returncode == 0:
            break
        assert done.returncode == 9, done.stderr
        killed += 1
    else:
        raise AssertionError("it never came to its end")
    assert killed > 1 and target.exists()
    assert not list(club.state.glob("journal/.backup-*")), "the last one removed what the others left"
    after_all = everything(club.state)
    assert {path: text for path, text in after_all.items() if not path.endswith(("-wal", "-shm"))} == before
