"""A journal that cannot be opened is not a damaged one: each reason has its sentence."""

import os
import resource
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalBroken, JournalError

NOBODY = 65534


@contextmanager
def descriptors(spare: int) -> Iterator[None]:
    """This process may open no more than `spare` files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 10, before[1]))
    try:
        with suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(spare):
            os.close(held.pop())
        yield
    finally:
        for handle in held:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def refusal(work: Callable[[], object]) -> str:
    """What is said to it; empty if it works."""
    try:
        work()
    except JournalError as error:
        assert not isinstance(error, JournalBroken)
        return str(error)
    return ""


def as_nobody(work: Callable[[], str]) -> str:
    """What the same returns in a process of another user."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        said = "it failed in another way"
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            said = work()
        finally:
            os.write(write, said.encode())
            os._exit(0)
    os.close(write)
    with open(read, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.parametrize("readonly", [False, True])
def test_no_more_descriptors_is_said_and_the_file_is_good(tmp_path: Path, readonly: bool) -> None:
    path = tmp_path / "1.sqlite"
    with closing(Journal(path, "1")) as journal, journal.transaction():
        journal.record("setup", {"section": ""})
    said = []
    for spare in range(9):
        with descriptors(spare):
            said.append(refusal(lambda: Journal(path, "1", readonly=readonly).close()))
    too_few = said.index("")
    assert too_few and not any(said[too_few:])
    assert all(
        "too many files open already. Start it with a higher limit" in found for found in said[:too_few]
    )
    with closing(Journal(path, "1", readonly=readonly)) as journal:
        assert journal.verify() == 1


@pytest.mark.parametrize("readonly", [False, True])
def test_no_right_to_a_file_is_said(readonly: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="tablebridge-test-") as name:
        folder = Path(name)
        Journal(folder / "1.sqlite", "1").close()
        for file in folder.iterdir():
            file.chmod(0o600)
        work = lambda: refusal(lambda: Journal(folder / "1.sqlite", "1", readonly=readonly).close())  # noqa: E731
        folder.chmod(0o755)
        in_it = as_nobody(work)
        folder.chmod(0o700)
        not_even_there = as_nobody(work)
    for said in (in_it, not_even_there):
        assert "1.sqlite" in said and "damaged" not in said
        if readonly:
            assert said.endswith("may not be opened: run this as the user that the file belongs to")
        else:
            assert "cannot be written (Permission denied)" in said


def test_no_right_to_the_folder_is_said() -> None:
    with tempfile.TemporaryDirectory(prefix="tablebridge-test-") as name:
        path = Path(name) / "1.sqlite"
        Journal(path, "1").close()
        path.chmod(0o666)
        path.parent.chmod(0o755)
        said = as_nobody(lambda: refusal(lambda: Journal(path, "1", readonly=True).close()))
    assert "since nothing can be written beside it: check the rights of its folder" in said


def test_a_journal_that_is_not_there_is_said(tmp_path: Path) -> None:
    said = refusal(lambda: Journal(tmp_path / "1.sqlite", "1", readonly=True))
    assert said.startswith("there is no journal ")


def test_a_journal_that_another_program_has_locked_is_said(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    Journal(path, "1").close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("BEGIN EXCLUSIVE")
        said = refusal(lambda: Journal(path, "1", readonly=True))
    assert said.endswith("is locked by another program; close that one, then try again")
