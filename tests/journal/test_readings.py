"""The batches in which a journal keeps readings: nothing of a reading is lost in them, and no bytes harm."""

import contextlib
import sqlite3
from pathlib import Path
from random import Random

import msgspec
import pytest

from tablebridge.journal.aside import positions_of
from tablebridge.journal.batches import _NOTED_AFTER
from tablebridge.journal.readings import MOST_ROWS, Taken, Tick, decoded, encoded, follows, head_of
from tablebridge.journal.store import SCHEMA, Journal
from tablebridge.model.errors import JournalBroken
from tablebridge.model.instant import Instant
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Reading,
    ShufflerReport,
    Stamped,
    Sweep,
    TrayReading,
)

Rows = list[Taken | Tick]
TAGS = ("E004015000000001", "E004015000000002", "04A1B2C3", "e0", "E00", "", "not hex", "E0 04", "Ä" * 64)


def any_instant(rng: Random, before: Instant) -> Instant:
    return Instant(
        before.wall_ns + rng.choice([10_000_000, -5_000_000_000, 3_600_000_000_000]),
        before.monotonic_ns + rng.randrange(-1000, 20_000_000),
        rng.choice(["boot", "boot", "boot", "other"]),
        rng.random() < 0.9,
    )


def any_reading(rng: Random) -> Reading:
    if rng.random() < 0.8:
        tags = tuple(rng.sample(TAGS, rng.randrange(4)))
        return Sweep(rng.randrange(3), tags, rng.choice([1, 1, 1, 40]), TAGS[:1], rng.random() < 0.9)
    return rng.choice(
        [
            ButtonPress(3, pressed=False),
            DeviceStatus("degraded", "hot", 2),
            ShufflerReport("count", 52, ("Ah",)),
            TrayReading(TAGS, {100: 3}),
        ]
    )


def any_rows(rng: Random) -> Rows:
    at, seqs, rows = Instant(10**18, 10**12, "boot"), dict.fromkeys("abc", 1), Rows()
    for _ in range(rng.randrange(1, 60)):
        at = any_instant(rng, at)
        if rng.random() < 0.1:
            rows.append(Tick(at))
            continue
        device = rng.choice("abc")
        seqs[device] += rng.choice([1, 1, 1, 7, -3])
        rows.append(Taken(Stamped(device, rng.choice("ef"), max(0, seqs[device]), at, any_reading(rng))))
    return rows


@pytest.mark.parametrize("seed", range(40))
def test_what_is_read_back_is_what_was_written(seed: int) -> None:
    rows = any_rows(Random(seed))
    body = encoded(rows)
    assert decoded(body) == rows
    following = {
        (row.stamped.device, row.stamped.epoch): row.stamped.seq + 1 for row in rows if isinstance(row, Taken)
    }
    assert head_of(body) == (len(rows), following)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_bytes_are_refused_with_one_error_or_read_as_other_rows(seed: int) -> None:
    rng = Random(seed)
    body = encoded(any_rows(rng))
    for _ in range(100):
        damaged = bytearray(body[: rng.randrange(len(body) + 1)])
        for _ in range(rng.randrange(4)):
            if damaged:
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        for read in (decoded, head_of):
            with contextlib.suppress(ValueError):
                read(bytes(damaged))


def test_what_repeats_is_short() -> None:
    """A sweep that repeats, as nearly all do, takes no bytes for its tags, its device or its boot."""
    tags = tuple(f"E00401500000{number:04X}" for number in range(52))
    rows: Rows = [
        Taken(
            Stamped("seat-1", "e" * 16, n, Instant(10**18 + n * 10**7, n * 10**7, "b" * 36), Sweep(0, tags))
        )
        for n in range(1, 101)
    ]
    assert len(encoded(rows)) - len(encoded(rows[:1])) <= 99 * 20


def test_a_clock_may_jump_as_far_as_it_likes(tmp_path: Path) -> None:
    rows: Rows = [Tick(Instant(at, 5)) for at in (0, 2**62, -(2**62), 1)]
    rows += [Tick(Instant(0, at)) for at in (2**62, -(2**62))]
    assert not follows(rows[0], rows[1])
    journal = Journal(tmp_path / "1.sqlite", "1")
    with journal.transaction():
        for row in rows:
            journal.reading(row)
    assert [row.row for row in journal.readings()] == rows
    assert [row.number for row in journal.readings()] == [1, 2, 3, 4, 5, 6]
    journal.close()


def taken(number: int) -> Taken:
    return Taken(Stamped("seat-1", "e", number, Instant(number, number), Sweep(0, ("E0",))))


def keep(journal: Journal, first: int, last: int, *, may_wait: bool = True) -> None:
    for number in range(first, last + 1):
        with journal.transaction(lambda: may_wait):
            journal.reading(taken(number))


def test_readings_that_wait_are_on_disk_together_with_what_follows_and_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    keep(journal, 1, 3)
    assert journal.waits and not list(journal.readings()) and not journal.positions()
    with journal.transaction(lambda: True):
        journal.record("entry", {"n": 1})
        journal.reading(taken(4))
    assert not journal.waits
    beside = Journal(path, "1", readonly=True)
    assert [row.number for row in beside.rows()] == [1, 2, 3, 4, 5]
    assert [row.number for row in beside.records()] == [4]
    assert beside.positions() == {("seat-1", "e"): 5}
    beside.close()
    journal.close()


def test_after_an_exception_what_has_waited_never_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    keep(journal, 1, 2, may_wait=False)
    keep(journal, 3, 5)
    with pytest.raises(KeyError), journal.transaction(lambda: True):
        journal.reading(taken(6))
        raise KeyError
    assert not journal.waits and journal.next_number == 3
    keep(journal, 3, 3, may_wait=False)
    assert [row.row for row in journal.readings()] == [taken(1), taken(2), taken(3)]
    assert journal.positions() == {("seat-1", "e"): 4}
    journal.close()


def test_a_batch_does_not_grow_for_ever(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    keep(journal, 1, MOST_ROWS - 1)
    assert journal.waits
    keep(journal, MOST_ROWS, MOST_ROWS)
    assert not journal.waits and len(list(journal.readings())) == MOST_ROWS
    journal.close()


def test_readings_are_found_from_any_number_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "1.sqlite", "1")
    keep(journal, 1, 5)
    journal.commit()
    keep(journal, 6, 9)
    journal.commit()
    for since in range(12):
        assert [row.number for row in journal.readings(since)] == list(range(max(1, since), 10))
    journal.close()


def test_positions_outlive_the_readings_and_are_noted_now_and_then(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    keep(journal, 1, 4, may_wait=False)
    with journal.transaction():
        journal.forget_readings(journal.next_number)
    assert not list(journal.readings())
    keep(journal, 5, 5, may_wait=False)
    journal.close()
    assert positions_of(path) == {("seat-1", "e"): 6}
    journal = Journal(path, "1")
    keep(journal, 6, 6 + _NOTED_AFTER, may_wait=False)
    (noted,) = journal._db.execute("SELECT next FROM position").fetchone()
    assert noted > 6, "else a start has to read every batch since the last hand began"
    assert journal.positions() == {("seat-1", "e"): 7 + _NOTED_AFTER}
    journal.close()


def test_a_journal_with_a_row_for_each_reading_is_read_and_goes_on(tmp_path: Path) -> None:
    """As schema 1 had them, and its positions with every commit."""
    path = tmp_path / "1.sqlite"
    Journal(path, "1").close()
    db = sqlite3.connect(path)
    db.execute("UPDATE about SET value = '1' WHERE name = 'schema'")
    db.execute("DELETE FROM about WHERE name = 'noted'")
    rows: Rows = [taken(1), Tick(Instant(2, 2)), taken(2)]
    db.executemany(
        "INSERT INTO reading VALUES (?,?)", [(n, msgspec.json.encode(r)) for n, r in enumerate(rows, 1)]
    )
    db.execute("INSERT INTO position VALUES ('seat-1', 'e', 9)")
    db.commit()
    db.close()
    beside = Journal(path, "1", readonly=True)
    assert [row.row for row in beside.readings()] == rows
    beside.close()
    assert positions_of(path) == {("seat-1", "e"): 9}
    journal = Journal(path, "1")
    assert journal.next_number == 4 and journal.positions() == {("seat-1", "e"): 9}
    assert journal._db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone() == (str(SCHEMA),)
    keep(journal, 9, 10)
    journal.close()
    keep(journal := Journal(path, "1"), 9, 10, may_wait=False)
    assert [row.row for row in journal.readings()] == [*rows, taken(9), taken(10)]
    assert journal.positions() == {("seat-1", "e"): 11}
    journal.close()


def test_damaged_readings_make_a_broken_journal_whose_noted_positions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "1.sqlite"
    journal = Journal(path, "1")
    with journal.transaction():
        journal.position("seat-1", "e", 7)
        journal.reading(taken(7))
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE reading SET body = x'00'")
    db.close()
    with pytest.raises(JournalBroken, match="readings from number 1 on are damaged"):
        Journal(path, "1")
    beside = Journal(path, "1", readonly=True)
    assert beside.verify() == 0
    beside.close()
    assert positions_of(path) == {("seat-1", "e"): 7}
