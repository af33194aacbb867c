"""One hand as it is shown: its items on one axis of time, what links them, and the gaps in which nothing was
read.

Times are milliseconds from the beginning of the hand, by the monotonic clock as long as the box was not
started again, else by the wall clock. How far the wall clock has drifted from that since is said beside.

**Gaps.** An antenna that answers is heard at least once per second. A longer silence than `GAP_MS` is a gap
of its place, and so is the time for which a device was lost. Nothing is drawn in a gap, and nothing is filled
in.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from tablebridge.bus.messages import TimelinePage
from tablebridge.model.instant import START, Instant
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, STUB, TRAY, seat_place
from tablebridge.model.timeline import AlertStep, Chain, Happened, Heard, Item, Moment, Noticed, ReviewStep

GAP_MS: Final = 3_000.0
ENGINE: Final = "engine"
BUTTONS: Final = "buttons"
FINDINGS: Final = "findings"
ALERTS: Final = "alerts"
DEVICES: Final = "devices"
PLACES: Final = (*map(seat_place, SEATS), BOARD, BURN, MUCK, STUB, TRAY)
LANES: Final = (ENGINE, *PLACES, BUTTONS, FINDINGS, ALERTS, DEVICES)
"""All lanes, in the order in which they stand."""
_DRIFT_MS: Final = 2.0
"""Drift of the wall clock that is worth a word."""


class Event(msgspec.Struct, frozen=True):
    """A table event on the axis. `readings`: indexes of the readings that it rests on; `lost`: the identities
    of those that are no longer kept.
    """

    n: int
    t: float
    word: str
    line: str
    basis: str
    by: str
    sure: float
    lanes: tuple[str, ...]
    readings: tuple[int, ...]
    lost: tuple[str, ...]
    ignored: str
    after: Moment


class Found(msgspec.Struct, frozen=True):
    """A finding on the axis. `events`: the numbers of the events that it rests on, the one that led to it
    among them; `again`: whether the engine finds the same now.
    """

    n: int
    t: float
    id: str
    finding: str
    severity: str
    sentence: str
    rulebook: str
    rule: str | None
    cause: str | None
    seat: int | None
    device: str
    cards: tuple[str, ...]
    remedy: tuple[str, ...]
    events: tuple[int, ...]
    again: bool


class Act(msgspec.Struct, frozen=True):
    """What a person did with an alert, on the axis."""

    n: int
    t: float
    alert: str
    to: str
    by: str
    note: str


class Read(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A reading on the axis: row, time, index of its source, sequence number, antenna, lane, cards, visits,
    missed cards, whether the sweep was complete, what was said.
    """

    n: int
    t: float
    source: int
    seq: int
    antenna: int | None
    lane: str
    cards: tuple[int, ...]
    visits: int
    missed: tuple[int, ...]
    complete: bool
    said: str


class Gap(msgspec.Struct, frozen=True):
    """A time in which a place was not read. `why`: `silent` if no reading came, `lost` if the device was
    away.
    """

    lane: str
    start: float
    end: float
    why: str


class HandTimeline(msgspec.Struct, frozen=True):
    """The whole hand. `began_wall_ms`: when it began; `end`: of the axis; `drift`: from which time on the
    wall clock differs by how many milliseconds; `sources`: devices with their epochs; `faces`: of the cards
    by their numbers, if they are shown; `kept`: whether readings of the hand are still kept. `first`, `last`:
    its rows.
    """

    table: str
    hand: int
    began_wall_ms: float
    end: float
    synchronised: bool
    drift: tuple[tuple[float, float], ...]
    lanes: tuple[str, ...]
    events: tuple[Event, ...]
    findings: tuple[Found, ...]
    acts: tuple[Act, ...]
    reviews: tuple[ReviewStep, ...]
    sources: tuple[tuple[str, str], ...]
    readings: tuple[Read, ...]
    gaps: tuple[Gap, ...]
    faces: dict[int, str]
    chain: Chain
    differences: int
    kept: bool
    first: int
    last: int
    software: str


class _Axis:
    """Times of one hand, which began at `began`."""

    def __init__(self, began: Instant) -> None:
        self._began = began

    def ms(self, at: Instant) -> float:
        """The place of an instant on the axis."""
        if at.boot_id == self._began.boot_id:
            return (at.monotonic_ns - self._began.monotonic_ns) / 1e6
        return (at.wall_ns - self._began.wall_ns) / 1e6

    def drift_ms(self, at: Instant) -> float:
        """How far the wall clock has gone from the axis since the beginning."""
        return (at.wall_ns - self._began.wall_ns) / 1e6 - self.ms(at)


def assembled(table: str, hand: int, pages: Sequence[TimelinePage]) -> HandTimeline:
    """The hand of these pages, which are all of it. A record that is broken at its first row has no
    events.
    """
    items = [item for page in pages for item in page.items]
    happened = [item for item in items if isinstance(item, Happened)]
    began = happened[0].at if happened else START
    axis, last = _Axis(began), pages[-1]
    sources: dict[tuple[str, str], int] = {}
    reads = sorted(
        (_read(heard, page.at, axis, sources) for page in pages for heard in page.heard),
        key=lambda read: (read.t, read.n),
    )
    names = list(sources)
    index = {f"{'/'.join(names[read.source])}/{read.seq}": number for number, read in enumerate(reads)}
    events = tuple(_event(item, axis, index) for item in happened)
    found = tuple(_found(item, axis) for item in items if isinstance(item, Noticed))
    acts = tuple(
        Act(item.number, axis.ms(item.at), item.alert, item.to, item.by, item.note or item.line)
        for item in items
        if isinstance(item, AlertStep)
    )
    end = max([0.0, *(event.t for event in events), *(read.t for read in reads[-1:])])
    gaps = (*_silences(reads, end), *_outages(happened, axis, end))
    return HandTimeline(
        table=table,
        hand=hand,
        began_wall_ms=began.wall_ns / 1e6,
        end=end,
        synchronised=began.clock_synchronised,
        drift=_drift(items, axis),
        lanes=_lanes(events, reads, gaps),
        events=events,
        findings=found,
        acts=acts,
        reviews=last.reviews,
        sources=tuple(names),
        readings=tuple(reads),
        gaps=gaps,
        faces={number: str(card) for number, card in last.faces.items()},
        chain=last.chain or Chain(0, ""),
        differences=last.differences,
        kept=last.kept,
        first=last.first,
        last=last.last,
        software=last.software,
    )


def _read(heard: Heard, since: Instant, axis: _Axis, sources: dict[tuple[str, str], int]) -> Read:
    at = Instant(
        since.wall_ns + heard.wall_ns,
        since.monotonic_ns + heard.monotonic_ns,
        since.boot_id,
        since.clock_synchronised,
    )
    source = sources.setdefault((heard.device, heard.epoch), len(sources))
    lane = (
        heard.place
        if heard.place in LANES
        else BUTTONS
        if heard.said.startswith(("contact", "shuffler"))
        else DEVICES
    )
    return Read(
        heard.number,
        round(axis.ms(at), 3),
        source,
        heard.seq,
        heard.antenna,
        lane,
        heard.cards,
        heard.visits,
        heard.missed,
        heard.complete,
        heard.said,
    )


def _event(item: Happened, axis: _Axis, index: dict[str, int]) -> Event:
    return Event(
        item.number,
        round(axis.ms(item.at), 3),
        item.word,
        item.line,
        item.basis,
        item.by,
        item.sure,
        _lanes_of(item),
        tuple(index[one] for one in item.evidence if one in index),
        tuple(one for one in item.evidence if one not in index),
        item.ignored,
        item.after,
    )


def _lanes_of(item: Happened) -> tuple[str, ...]:
    if item.device:
        return (DEVICES,)
    if item.word == "ruling":
        return (ALERTS,)
    at_places = tuple(place for place in item.places if place in PLACES)
    return at_places or ((BUTTONS,) if item.basis in ("button", "shuffler") else (ENGINE,))


def _found(item: Noticed, axis: _Axis) -> Found:
    finding = item.finding
    return Found(
        item.number,
        round(axis.ms(item.at), 3),
        finding.id,
        finding.finding,
        finding.severity,
        item.sentence,
        finding.rulebook,
        finding.rule,
        finding.cause,
        finding.seat,
        finding.device,
        tuple(map(str, finding.cards)),
        finding.remedy,
        tuple(dict.fromkeys((*finding.evidence, item.entry))),
        item.again,
    )


def _drift(items: Iterable[Item], axis: _Axis) -> tuple[tuple[float, float], ...]:
    """From when on the wall clock is off by how much, at each change that is worth a word."""
    steps: list[tuple[float, float]] = []
    before = 0.0
    for item in items:
        now = axis.drift_ms(item.at)
        if abs(now - before) >= _DRIFT_MS:
            steps.append((axis.ms(item.at), round(now, 1)))
            before = now
    return tuple(steps)


def _silences(reads: Sequence[Read], end: float) -> list[Gap]:
    """The times in which an antenna that was heard in this hand was not."""
    heard: dict[tuple[int, int | None, str], list[float]] = {}
    for read in reads:
        if read.lane in PLACES:
            heard.setdefault((read.source, read.antenna, read.lane), []).append(read.t)
    gaps: list[Gap] = []
    for (_, _, lane), times in heard.items():
        inside = [0.0, *(time for time in times if 0 <= time <= end), end]
        gaps += [
            Gap(lane, before, after, "silent")
            for before, after in pairwise(inside)
            if after - before > GAP_MS
        ]
    return gaps


def _outages(happened: Iterable[Happened], axis: _Axis, end: float) -> list[Gap]:
    """The times for which devices were lost, at their places."""
    since: dict[str, tuple[float, tuple[str, ...]]] = {}
    gaps: list[Gap] = []
    for item in happened:
        if item.state == "lost":
            since.setdefault(item.device, (axis.ms(item.at), (DEVICES, *item.places)))
        elif item.state == "live" and item.device in since:
            start, lanes = since.pop(item.device)
            gaps += [Gap(lane, start, axis.ms(item.at), "lost") for lane in lanes]
    return gaps + [Gap(lane, start, end, "lost") for start, lanes in since.values() for lane in lanes]


def _lanes(events: Iterable[Event], reads: Iterable[Read], gaps: Iterable[Gap]) -> tuple[str, ...]:
    """The lanes that are shown, in their order: all but the places that the table does not have."""
    there = {lane for event in events for lane in event.lanes} | {read.lane for read in reads}
    there |= {gap.lane for gap in gaps}
    there |= {
        seat_place(seat.seat) for event in events for seat in event.after.seats if seat.state != "empty"
    }
    return tuple(lane for lane in LANES if lane not in PLACES or lane in there)
