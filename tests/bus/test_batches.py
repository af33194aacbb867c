"""Readings as messages: what is packed comes out as it was, within the bounds, and of a damaged message all
that is good.
"""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig.groups import readings_of

from tablebridge.bus.batches import batches, in_place_of, salvaged, taken
from tablebridge.bus.messages import CEILING, MOST_READINGS, ReadingBatch, Unreadable, decode
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

TAGS = st.lists(st.text("0123456789ABCDEF", max_size=64), max_size=100).map(tuple)
READINGS = st.one_of(
    st.builds(Sweep, st.integers(0, 65_535), TAGS, st.integers(0, 100), TAGS, st.booleans()),
    st.builds(ButtonPress, st.integers(0, 65_535), st.booleans()),
    st.builds(ShufflerReport, st.sampled_from(["ok", "jam"]), st.none() | st.integers(0, 60)),
    st.builds(TrayReading, TAGS, st.dictionaries(st.integers(0, 10_000), st.integers(0, 500), max_size=5)),
    st.builds(DeviceStatus, st.sampled_from(["ok", "failed"]), st.text(max_size=200)),
)
INSTANTS = st.builds(
    Instant,
    st.integers(-(2**61), 2**61),
    st.integers(0, 2**50),
    st.sampled_from(["boot", "other boot"]),
    st.booleans(),
)


@st.composite
def stamped(draw: st.DrawFn) -> list[Stamped]:
    """Readings of two devices within a second of each other, of which some are after a step of the clock."""
    base = draw(INSTANTS)
    made: list[Stamped] = []
    for number, (device, reading) in enumerate(
        draw(st.lists(st.tuples(st.sampled_from("ab"), READINGS), min_size=1, max_size=30))
    ):
        step = draw(st.integers(-(10**9), 10**9))
        at = Instant(
            base.wall_ns + step,
            base.monotonic_ns + number,
            base.boot_id,
            base.clock_synchronised and draw(st.booleans()),
        )
        made.append(Stamped(device, "epoch", number, at, reading))
    return made


@settings(deadline=None)
@given(stamped())
def test_what_is_packed_comes_out_as_it_was(made: list[Stamped]) -> None:
    found: list[Stamped] = []
    for payload, count in batches("main", made):
        assert len(payload) <= CEILING
        batch = decode(payload, ReadingBatch)
        assert batch.group == "main" and len(batch.readings) == count <= MOST_READINGS
        found += batch.stamped()
    assert found == made


def test_there_are_as_few_messages_as_the_bounds_allow() -> None:
    at = Instant(1, 1, "boot")
    small = [Stamped("a", "e", number, at, Sweep(0, ())) for number in range(MOST_READINGS * 2 + 1)]
    assert [count for _, count in batches("main", small)] == [MOST_READINGS, MOST_READINGS, 1]
    full = Sweep(0, tuple(f"{number:064X}" for number in range(450)))
    large = [Stamped("a", "e", number, at, full) for number in range(7)]
    assert [count for _, count in batches("main", large)] == [2, 2, 2, 1]
    other = [*small[:3], Stamped("a", "e", 3, Instant(1, 1, "boot", False), Sweep(0, ()))]
    assert [count for _, count in batches("main", other)] == [3, 1], "a clock that is not set says so"


def test_it_can_be_read_by_people() -> None:
    reading = Stamped("seat-3", "e", 7, Instant(10, 20, "boot"), Sweep(0, ("E004",)))
    ((payload, _),) = batches("main", [reading])
    said = json.loads(payload)
    assert (said["group"], said["epoch"], said["at"]) == ("main", "e", [10, 20, "boot", True])
    (one,) = said["readings"]
    assert one[:4] == ["seat-3", 7, 0, 0] and one[4]["tags"] == ["E004"]


def damaged(**changed: object) -> bytes:
    """A message of three readings, with other content."""
    made = [Stamped("a", "e", number, Instant(1, 1), ButtonPress(number)) for number in range(3)]
    ((payload, _),) = batches("main", made)
    return json.dumps({**json.loads(payload), **changed}).encode()


def test_of_a_damaged_message_the_rest_is_good_and_the_damaged_reading_keeps_its_number() -> None:
    readings = json.loads(damaged())["readings"]
    readings[1][4] = {"kind": "nothing known"}
    payload = damaged(readings=readings)
    with pytest.raises(Unreadable):
        decode(payload, ReadingBatch)
    first, second, third = salvaged(payload)
    assert [one.seq for one in (first, second, third)] == [0, 1, 2]
    assert (first.reading, third.reading) == (ButtonPress(0), ButtonPress(2))
    assert second == in_place_of(first).__class__("a", "e", 1, first.at, in_place_of(first).reading)
    readings[1] = ["a", "no number"]
    assert [one.seq for one in salvaged(damaged(readings=readings))] == [0, 2]


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{}",
        b"[" * 30_000,
        b"\xff",
        damaged(group="x" * 65),
        damaged(readings=[["a", 1, 0, 0, {"kind": "button", "contact": 1}]] * (MOST_READINGS + 1)),
        damaged() + b" " * (2 * CEILING),
    ],
)
def test_of_what_is_no_message_nothing_is_good(payload: bytes) -> None:
    assert salvaged(payload) == [] == taken(payload)
    with pytest.raises(Unreadable):
        decode(payload, ReadingBatch)


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 1e300, "1", None, True])
def test_a_time_beyond_the_bound_is_refused(number: object) -> None:
    one = ["a", 1, number, 0, {"kind": "button", "contact": 1}]
    with pytest.raises(Unreadable):
        decode(damaged(readings=[one]), ReadingBatch)
    assert salvaged(damaged(readings=[one])) == []


@given(st.data(), stamped())
def test_any_byte_may_be_altered_and_nothing_is_raised(data: st.DataObject, made: list[Stamped]) -> None:
    payload = bytearray(batches("main", made[:3])[0][0])
    payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    for one in taken(bytes(payload)):
        assert isinstance(one.reading, Reading) and msgspec.json.encode(one)


def test_a_message_is_read_by_the_helper_of_the_tests_as_by_the_engine() -> None:
    assert readings_of(damaged()) == taken(damaged())
