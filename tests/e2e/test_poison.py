"""No message, device or count ends, loops or hangs a process: each kind of poison, from each account, on both
brokers.
"""

import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from app.recording import DECK
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.aside import KEPT
from tablebridge.bus.broker import Kind
from tablebridge.bus.messages import CEILING, BatchedReading, DeviceHealth, ReadingBatch, encode
from tablebridge.bus.topics import TOPICS, Role
from tablebridge.journal.aside import positions_of
from tablebridge.journal.read import findings
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant
from tablebridge.model.readings import TOO_MANY_TAGS, Sweep

from .room import Room

pytestmark = pytest.mark.slow

MEDIAN_S, WORST_S = 5.0, 30.0
"""Answers that wait behind a flood come later and later. On a quiet machine the median is 10 ms, the worst
half a second: these bear one that is busy, and a command is given up after 60 s.
"""
NOW = Instant(1_800_000_000_000_000_000, 10**12, "boot")


def reading(seq: int, tags: tuple[str, ...] = (), epoch: str = "e", antenna: int = 1) -> bytes:
    """As nobody of ours would send it: no bound is looked at."""
    one = BatchedReading("board", seq, 0, 0, Sweep(antenna, tags))
    return msgspec.json.encode(ReadingBatch("board", epoch, NOW, (one,)))


def deep(opening: str, closing: str, times: int, inside: str = "0") -> bytes:
    return (opening * times + inside + closing * times).encode()


POISON = {
    "deep objects": deep('{"a":', "}", 10_000),
    "deep lists": deep("[", "]", 30_000, ""),
    "deep and never closed": b'{"a":' * 10_000,
    "deep where a reading stands": reading(1).replace(
        b'"tags":[]', b'"tags":[],"x":' + deep("[", "]", 20_000, "")
    ),
    "seq 2^63": reading(2**63),
    "seq 2^63 - 1": reading(2**63 - 1),
    "seq -1": reading(-1),
    "a number of 4,000 digits": b'{"stamped":{"seq":' + b"9" * 4_000 + b"}}",
    "a time beyond all": reading(1).replace(b"1800000000000000000", b"1" + b"0" * 300),
    "a text of 60 KB": json.dumps(
        {"device": "x" * 60_000, "state": "lost", "detail": "y", "epoch": "z"}
    ).encode(),
    "a reading with a text of 60 KB": reading(1).replace(b'"epoch":"e"', b'"epoch":"' + b"e" * 60_000 + b'"'),
    "5,000 tags": reading(1, tuple(f"{number:08X}" for number in range(5_000))),
    "400 tags": reading(1, tuple(f"{number:016X}" for number in range(400))),
    "no text": b"\xff\xfe\xc3\x28" * 10,
    "half a surrogate": b'{"device":"\\ud800"}',
    "nothing": b"",
    "null": b"null",
    "no JSON": b"{" * 100,
    "another type": b'{"stamped":7,"id":[],"state":{},"alerts":"x","device":1,"finding":0}',
    "above the ceiling": b'"' + b"x" * (CEILING + 1) + b'"',
    "controls and marks of direction": json.dumps(
        {"device": "\u202e\x1b[2J\x00", "state": "lost", "epoch": "\u2066"}
    ).encode(),
}
OF_ROLE: dict[Role, list[str]] = {
    role: [
        topic.of("hall", "one", *["board" if topic.plane != "cmd" else "web"] * topic.tail.count("+"))
        for topic in TOPICS
        if topic.writer == role
    ]
    for role in ("driver", "engine", "web", "uplink")
}


@pytest.fixture(params=["nats", "mosquitto"])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@pytest.fixture
def room(tmp_path: Path, kind: Kind) -> Iterator[Room]:
    with Room(tmp_path, kind) as room:
        yield room


def assert_well(room: Room) -> None:
    """All processes still run, both tables answer, the page is there."""
    for table in ("one", "two"):
        answer = room.ask(table)
        assert answer is not None and answer[0].ok, room.log("engine")
    assert {name: process.poll() for name, process in room.processes.items()} == dict.fromkeys(
        room.processes
    ), {name: room.log(name)[-3_000:] for name in room.processes}
    if "web" in room.processes:
        assert room.page("/floor").status_code == 200
    assert "Traceback" not in room.log("engine") + room.log(
        "drive" if "drive" in room.processes else "engine"
    )


def told(room: Room, table: str = "one") -> set[tuple[str, str | None]]:
    journal = Journal(room.folder / "journal" / f"{table}.sqlite", table, readonly=True)
    try:
        return {(one.finding, one.cause) for one in findings(journal)}
    finally:
        journal.close()


def test_no_poison_ends_or_hangs_a_process_from_any_account(room: Room) -> None:
    pids = {name: process.pid for name, process in room.processes.items()}
    for role, where in OF_ROLE.items():
        room.publish(role, [(topic, payload, False) for topic in where for payload in POISON.values()])
        assert_well(room)
    answers = [room.ask(table) for table in ("one", "two") for _ in range(10)]
    assert all(answer is not None and answer[1] < WORST_S for answer in answers)
    assert {name: process.pid for name, process in room.processes.items()} == pids
    wait_for(lambda: ("set-aside", "undecodable") in told(room), "the floor hears of it")
    kept = sorted((room.folder / "journal" / "aside").iterdir())
    assert 0 < len(kept) <= KEPT
    assert (
        all(path.stat().st_mode & 0o777 == 0o600 for path in kept)
        and kept[0].parent.stat().st_mode & 0o777 == 0o700
    )
    first, _, payload = kept[0].read_bytes().partition(b"\n")
    assert set(json.loads(first)) == {"at", "topic", "reason", "length"} and payload
    # A second start meets nothing of it again.
    room.end("engine")
    room.start("engine")
    wait_for(lambda: room.ask("one", within_s=1.0) is not None, "the engine is back")
    assert_well(room)
    assert not list((room.folder / "journal").glob("broken-*"))


def test_a_reading_that_cannot_be_decoded_leaves_no_gap_behind_which_its_device_waits(room: Room) -> None:
    where = topics.READING.of("hall", "one", "board")
    tags = tuple(DECK.cards)[:1]
    long = reading(2).replace(b'"tags":[]', b'"tags":["' + b"A" * 5_000 + b'"]')
    room.publish(
        "driver",
        [(where, reading(1), False), (where, long, False)]
        + [(where, reading(seq, tags, antenna=4), False) for seq in range(3, 6)],
    )
    position = room.folder / "journal" / "one.sqlite"
    wait_for(lambda: positions_of(position).get(("board", "e")) == 6, "all five are taken")


def test_devices_that_the_site_does_not_name_grow_neither_pages_nor_memory(room: Room) -> None:
    before = len(room.page("/devices").content)
    health = json.dumps(
        {"device": "x", "state": "lost", "at": [1, 1, "", True], "detail": "d" * 200}
    ).encode()
    room.publish(
        "driver", [(f"tb/v1/hall/one/dev/invented-{number}/health", health, False) for number in range(3_000)]
    )
    assert_well(room)
    assert len(room.page("/devices").content) < before + 1_000
    assert "invented" not in room.page("/floor").text
    assert "invented" not in room.page("/api/devices").text


def test_tags_that_a_driver_has_left_out_are_a_finding(tmp_path: Path) -> None:
    def health(count: int) -> tuple[str, bytes, bool]:
        message = DeviceHealth("board", "live", NOW, rejects={TOO_MANY_TAGS: count})
        return topics.HEALTH.of("hall", "one", "board"), encode(message), True

    with Room(tmp_path, "nats", ("engine",)) as room:
        room.publish("driver", [health(3_986)])
        assert_well(room)
        assert ("too-many-tags", None) not in told(room), "what was before the engine started is told already"
        room.publish("driver", [health(7_972)])
        wait_for(lambda: ("too-many-tags", None) in told(room), "the floor hears of it")


@pytest.fixture
def quick_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, since what is asked is whether the engine keeps up, not the disk below a broker's
    store.
    """
    if not Path("/dev/shm").is_dir():
        yield tmp_path
        return
    with TemporaryDirectory(dir="/dev/shm", prefix="tablebridge-") as folder:
        yield Path(folder)


@pytest.mark.parametrize(("tags", "rate"), [(400, 300), (4_050, 50)])
def test_a_flood_of_one_device_leaves_the_other_tables_commands_quick(
    quick_disk: Path, kind: Kind, tags: int, rate: int
) -> None:
    with Room(quick_disk, kind, ("engine",)) as room:
        flooded(room, tags, rate)


def flooded(room: Room, tags: int, rate: int) -> None:
    """`rate` readings a second: more than an outbox takes, let alone a serial line."""
    where = topics.READING.of("hall", "one", "board")
    flood = room.client("test-driver")
    rest = tuple(f"{number:08X}" for number in range(tags))
    sent = 0

    def pour() -> None:
        nonlocal sent
        while flood.in_flight < 50 and sent < (time.monotonic() - began) * rate:
            sent += 1
            shown = (f"{sent:08X}", *rest[1:])
            if flood.publish(where, reading(sent, shown, "flood", 1 + sent % 5)) is None:
                sent -= 1
                break
        flood.step(0.0)

    began = time.monotonic()
    while time.monotonic() - began < 3:
        pour()
        flood.step(0.01)
    took = []
    for _ in range(60):
        answer = room.ask("two", background=pour)
        assert answer is not None and answer[0].ok, "no answer"
        took.append(answer[1])
    flood.close(0.2)
    assert statistics.median(took) < MEDIAN_S and max(took) < WORST_S, sorted(took)
    wanted = ("too-many-tags", None) if tags == 400 else ("set-aside", "undecodable")
    wait_for(lambda: wanted in told(room), "the floor hears of it")
    assert_well(room)
