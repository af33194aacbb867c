"""A hand as a trace for Perfetto (https://ui.perfetto.dev), in the JSON format of Chrome's trace events
(https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).

The process is the table, a thread is a lane. A card that one antenna goes on reading is a slice as long as no
two readings are further apart than a gap; readings, events and findings are slices without length, which
flows lead through: reading to event to finding. Times are microseconds. Cards have their numbers in the hand,
whatever the reader may see of faces.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any, Final

from msgspec.structs import replace

from tablebridge.timeline.hand import FINDINGS, GAP_MS, PLACES, HandTimeline, Read

_PID: Final = 1
_POINT_US: Final = 1
"""The length of what has none: flows begin and end at slices only."""


def trace_of(hand: HandTimeline) -> dict[str, Any]:
    """The trace, to be written as JSON."""
    hand = _by_the_wall(hand)
    tids = {lane: number for number, lane in enumerate(hand.lanes, 1)}
    return {
        "displayTimeUnit": "ms",
        "otherData": {
            "table": hand.table,
            "hand": str(hand.hand),
            "began_wall_ms": f"{hand.began_wall_ms:.3f}",
            "rows": f"{hand.first}-{hand.last}",
        },
        "traceEvents": [
            *_names(hand, tids),
            *_stays(hand, tids),
            *_points(hand, tids),
            *_flows(hand, tids),
            *_counts(hand),
        ],
    }


def _by_the_wall(hand: HandTimeline) -> HandTimeline:
    """The hand with times from 1970 on: some readings came before it began, and no time of a trace is
    negative.
    """
    began = hand.began_wall_ms
    return replace(
        hand,
        events=tuple(replace(event, t=began + event.t) for event in hand.events),
        findings=tuple(replace(found, t=began + found.t) for found in hand.findings),
        readings=tuple(replace(read, t=began + read.t) for read in hand.readings),
    )


def _names(hand: HandTimeline, tids: dict[str, int]) -> Iterator[dict[str, Any]]:
    yield {
        "ph": "M",
        "pid": _PID,
        "name": "process_name",
        "args": {"name": f"table {hand.table}, hand {hand.hand}"},
    }
    for lane, tid in tids.items():
        yield {"ph": "M", "pid": _PID, "tid": tid, "name": "thread_name", "args": {"name": lane}}
        yield {"ph": "M", "pid": _PID, "tid": tid, "name": "thread_sort_index", "args": {"sort_index": tid}}


def _stays(hand: HandTimeline, tids: dict[str, int]) -> Iterator[dict[str, Any]]:
    """From its first reading to its last each stay of a card at an antenna."""
    open_: dict[tuple[int, int | None, int], tuple[Read, Read]] = {}
    for read in hand.readings:
        if read.lane not in PLACES:
            continue
        for card in read.cards:
            key = read.source, read.antenna, card
            first, last = open_.get(key, (read, read))
            if read.t - last.t > GAP_MS:
                yield _stay(card, first, last, tids)
                first = read
            open_[key] = first, read
        gone = [key for key in open_ if key[:2] == (read.source, read.antenna) and key[2] not in read.cards]
        for key in gone:
            if read.complete and key[2] not in read.missed:
                yield _stay(key[2], *open_.pop(key), tids)
    for key, (first, last) in open_.items():
        yield _stay(key[2], first, last, tids)


def _stay(card: int, first: Read, last: Read, tids: dict[str, int]) -> dict[str, Any]:
    length = max(_POINT_US, _us(last.t) - _us(first.t))
    return _slice(f"card {card}", "stay", tids[first.lane], _us(first.t), length, rows=f"{first.n}-{last.n}")


def _points(hand: HandTimeline, tids: dict[str, int]) -> Iterator[dict[str, Any]]:
    linked = {index for event in hand.events for index in event.readings}
    for index, read in enumerate(hand.readings):
        named = f"reading {read.seq}"
        if index in linked:
            yield _slice(named, "reading", tids[read.lane], _us(read.t), _POINT_US, row=read.n)
        else:
            yield {"ph": "i", "s": "t", "pid": _PID, "tid": tids[read.lane], "ts": _us(read.t), "name": named}
    for event in hand.events:
        for lane in event.lanes:
            yield _slice(
                event.line, "event", tids[lane], _us(event.t), _POINT_US, row=event.n, basis=event.basis
            )
    for found in hand.findings:
        yield _slice(
            found.finding, "finding", tids[FINDINGS], _us(found.t), _POINT_US, row=found.n, id=found.id
        )


def _flows(hand: HandTimeline, tids: dict[str, int]) -> Iterator[dict[str, Any]]:
    """From a reading to the event that rests on it, from the event to its findings; each flow has both its
    ends.
    """
    ids = count(1)
    events = {event.n: event for event in hand.events}
    for event in hand.events:
        to = tids[event.lanes[0]], event.t
        for index in event.readings:
            read = hand.readings[index]
            yield from _flow(next(ids), "reading", (tids[read.lane], read.t), to)
    for found in hand.findings:
        for number in found.events:
            if number in events:
                event = events[number]
                yield from _flow(
                    next(ids), "event", (tids[event.lanes[0]], event.t), (tids[FINDINGS], found.t)
                )


def _flow(id: int, kind: str, start: tuple[int, float], end: tuple[int, float]) -> Iterator[dict[str, Any]]:
    for phase, (tid, t) in (("s", start), ("f", end)):
        made = {"ph": phase, "id": id, "pid": _PID, "tid": tid, "ts": _us(t), "name": kind, "cat": "evidence"}
        yield made if phase == "s" else made | {"bp": "e"}


def _counts(hand: HandTimeline) -> Iterator[dict[str, Any]]:
    """How many cards each antenna reads, whenever that changes."""
    before: dict[str, int] = {}
    for read in hand.readings:
        if read.antenna is None:
            continue
        name = f"{hand.sources[read.source][0]} antenna {read.antenna}"
        if before.get(name) != len(read.cards):
            before[name] = len(read.cards)
            yield {"ph": "C", "pid": _PID, "ts": _us(read.t), "name": name, "args": {"tags": len(read.cards)}}


def _slice(name: str, category: str, tid: int, ts: int, dur: int, **args: Any) -> dict[str, Any]:
    return {
        "ph": "X",
        "pid": _PID,
        "tid": tid,
        "ts": ts,
        "dur": dur,
        "name": name,
        "cat": category,
        "args": args,
    }


def _us(ms: float) -> int:
    return round(ms * 1_000)
