"""A hand on its axis: gaps, clocks, lanes, and what leaves the box of it."""

import csv
import hashlib
import io
import json
import zipfile
from itertools import pairwise

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.bus.messages import TimelinePage
from tablebridge.journal.chain import Row, link, new_row
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant, later
from tablebridge.model.timeline import Happened, Heard, Link, Moment, Noticed, Seal, SeatMoment
from tablebridge.timeline.bundle import UnsoundBundle, bundle_of, checked
from tablebridge.timeline.hand import GAP_MS, LANES, HandTimeline, assembled
from tablebridge.timeline.lane_table import table_of
from tablebridge.timeline.trace import trace_of

BEGAN = Instant(1_800_000_000_000_000_000, 10**12, "boot")
SEATS = (SeatMoment(2, "in", "Vera", 9_900, 100, 2, (), "", 0),)
AFTER = Moment("preflop", (), (), 150, 1, 2, 100, "Seat 2 to act.", False, SEATS)
MS = 1_000_000


def happened(number: int, ms: float, **what: object) -> Happened:
    said = {
        "word": "deal",
        "line": "deal 2 ??",
        "basis": "rfid",
        "after": AFTER,
        "places": ("seat 2",),
        **what,
    }
    return Happened(number, later(BEGAN, ms / 1e3), **said)  # type: ignore[arg-type]


def heard(number: int, ms: float, cards: tuple[int, ...] = (), **what: object) -> Heard:
    said = {"antenna": 1, "place": "seat 2", "cards": cards, **what}
    at = round(ms * MS)
    return Heard(number, "board", "e", number, at, at, **said)  # type: ignore[arg-type]


def hand(items: list[Happened | Noticed], readings: list[Heard]) -> HandTimeline:
    return assembled(
        "one",
        7,
        [
            TimelinePage("a", items=tuple(items), heard=tuple(readings), at=BEGAN, more=True),
            TimelinePage("b"),
        ],
    )


@given(st.lists(st.integers(0, 20_000), min_size=1, max_size=40))
def test_a_gap_is_where_no_reading_came_for_three_seconds_and_nowhere_else(times: list[int]) -> None:
    whole = hand(
        [happened(1, 0), happened(900, 20_000)],
        [heard(number, ms) for number, ms in enumerate(sorted(times), 2)],
    )
    gaps = [(gap.start, gap.end) for gap in whole.gaps]
    inside = sorted({0.0, 20_000.0, *map(float, times)})
    assert gaps == [(a, b) for a, b in pairwise(inside) if b - a > GAP_MS]
    assert {gap.lane for gap in whole.gaps} <= {"seat 2"}


def test_a_lost_device_is_a_gap_of_its_places_until_it_is_back_or_the_end() -> None:
    lost = {"device": "board", "state": "lost", "places": ("seat 2", "board"), "word": "device"}
    whole = hand([happened(1, 0), happened(2, 1_000, **lost), happened(3, 5_000)], [])
    assert {(gap.lane, gap.start, gap.end, gap.why) for gap in whole.gaps} == {
        (lane, 1_000.0, 5_000.0, "lost") for lane in ("devices", "seat 2", "board")
    }


def test_a_wall_clock_that_was_set_moves_nothing_and_is_said() -> None:
    jumped = Instant(BEGAN.wall_ns + 3_600_000 * MS, BEGAN.monotonic_ns + 2_000 * MS, "boot")
    whole = hand([happened(1, 0), msgspec.structs.replace(happened(2, 0), at=jumped), happened(3, 4_000)], [])
    assert [event.t for event in whole.events] == [0, 2_000, 4_000]
    assert whole.drift == ((2_000.0, 3_598_000.0), (4_000.0, 0.0))


def test_lanes_stand_in_their_order_without_places_that_are_not_there() -> None:
    whole = hand([happened(1, 0), happened(2, 10, places=("board",))], [heard(3, 5, place="muck")])
    assert whole.lanes == ("engine", "seat 2", "board", "muck", "buttons", "findings", "alerts", "devices")
    assert list(whole.lanes) == sorted(whole.lanes, key=LANES.index)


def test_a_hand_whose_first_record_is_broken_is_empty_and_no_error() -> None:
    assert hand([], []).events == ()


def full() -> HandTimeline:
    finding = Finding("3.0", "misdeal", "warning", "tda-2022", "one", 7, "preflop", evidence=(2,))
    return hand(
        [
            happened(1, 0, word="hand", line="hand", places=(), basis="button"),
            happened(2, 3_000, evidence=("board/e/11", "board/e/12", "board/e/1")),
            happened(3, 3_500, line="=cmd()", basis="operator", by="Olga"),
            Noticed(4, later(BEGAN, 3.5), 3, finding, "It is a misdeal."),
        ],
        [
            heard(10 + number, -500 + 500 * number, (1,) if number in (1, 2, 3, 12) else ())
            for number in range(13)
        ],
    )


def test_events_name_the_readings_that_are_kept_and_those_that_are_not() -> None:
    whole = full()
    (event,) = [event for event in whole.events if event.n == 2]
    assert [whole.readings[index].seq for index in event.readings] == [11, 12]
    assert event.lost == ("board/e/1",)
    assert whole.findings[0].events == (2, 3)


def test_a_stay_in_the_trace_ends_where_the_card_was_read_last() -> None:
    trace = json.loads(msgspec.json.encode(trace_of(full())))["traceEvents"]
    stays = [(event["dur"], event["args"]["rows"]) for event in trace if event.get("cat") == "stay"]
    assert stays == [(1_000_000, "11-13"), (1, "22-22")]
    assert sorted(event["id"] for event in trace if event["ph"] == "s") == sorted(
        event["id"] for event in trace if event["ph"] == "f"
    )
    assert sum(event["ph"] == "s" for event in trace) == 4


def test_no_cell_of_a_lane_is_a_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(table_of(full(), "seat 2"))))
    assert [row["what"] for row in rows if row["kind"] == "event"] == ["deal 2 ??", "'=cmd()"]
    assert len([row for row in rows if row["kind"] == "reading"]) == 13
    assert [row["what"] for row in csv.DictReader(io.StringIO(table_of(full(), "findings")))] == ["misdeal"]


def sealed(rows: list[Row], key: Ed25519PrivateKey, before: bytes) -> Seal:
    statement = msgspec.json.encode(
        {"after": 0, "hash_before": before.hex(), "through": rows[-1].number, "hash": rows[-1].hash.hex()}
    )
    return Seal(statement.decode(), key.sign(statement).hex(), key.public_key().public_bytes_raw().hex())


@pytest.fixture
def bundle() -> bytes:
    first = before = link(b"", 0, "table", b"one")
    rows: list[Row] = []
    for number in range(1, 6):
        rows.append(new_row(before, number, "entry", f'{{"id":{number}}}'.encode()))
        before = rows[-1].hash
    links = []
    for row in rows:
        assert row.proof is not None and row.digest is not None
        whole = row.number != 3
        links.append(
            Link(
                row.number,
                row.kind,
                row.hash.hex(),
                row.digest.hex(),
                row.proof[1:].hex() if whole else "",
                row.body.decode() if whole else "",
            )
        )
    return bundle_of(full(), links, sealed(rows, Ed25519PrivateKey.generate(), first), "")


def test_a_bundle_proves_records_without_their_bodies(bundle: bytes) -> None:
    sound = checked(bundle)
    assert (sound.records, sound.whole) == (5, 4)


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("chain.jsonl", b'{\\"id\\":2}', b'{\\"id\\":8}', "body of record 2"),
        ("chain.jsonl", b'"number":4', b'"number":9', "record 9 does not follow"),
        ("chain.jsonl", b'"kind":"entry"', b'"kind":"alert"', "record 1 does not follow"),
        ("seal.json", b'\\"through\\":5', b'\\"through\\":6', "last record"),
        ("timeline.json", b"one", b"two", "timeline.json is not the file"),
    ],
)
def test_whatever_is_changed_in_a_bundle_is_found(
    bundle: bytes, file: str, old: bytes, new: bytes, why: str
) -> None:
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    assert old in files[file]
    files[file] = files[file].replace(old, new, 1)
    if file != "timeline.json":  # whoever changes it puts the manifest right
        manifest = msgspec.json.decode(files["manifest.json"])
        manifest[file] = hashlib.sha256(files[file]).hexdigest()
        files["manifest.json"] = msgspec.json.encode(manifest)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    with pytest.raises(UnsoundBundle, match=why):
        checked(out.getvalue())


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04", b"x" * 100])
def test_what_is_no_bundle_is_said_to_be_none(junk: bytes) -> None:
    with pytest.raises(UnsoundBundle, match="no bundle"):
        checked(junk)
