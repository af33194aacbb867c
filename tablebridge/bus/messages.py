"""Every message on the bus, with its schema version. Payloads are JSON; unknown fields are ignored, wrong
types refused.

Every number, text and list has a bound in its type (`model/bounds.py`). What is sent is within them, what is
received is refused beyond them.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from tablebridge.model.alert_events import AlertEvent
from tablebridge.model.alerts import Alert, AlertChange, AlertIds
from tablebridge.model.bounds import (
    Amount,
    Count,
    Counters,
    Face,
    Line,
    Lines,
    Nanoseconds,
    Numbers,
    Probability,
    Seat,
    SeatNames,
    Sentence,
    Spot,
    Word,
    cut,
)
from tablebridge.model.calls import (
    MOST_CALLS,
    MOST_PASSES,
    NotifierState,
    OpenCalls,
    Pass,
    Passes,
    TestCall,
    call_of,
)
from tablebridge.model.commit_times import BOUNDS_MS
from tablebridge.model.direction import Directed
from tablebridge.model.findings import Finding
from tablebridge.model.floor_marks import FloorMark, OutOfService
from tablebridge.model.instant import START, Instant
from tablebridge.model.overlay import OverlayView
from tablebridge.model.presence import Sign
from tablebridge.model.preview import Preview
from tablebridge.model.readings import Reading, Stamped
from tablebridge.model.rooms import RoomCommand, RoomReply, RoomView
from tablebridge.model.timeline import MOST_ITEMS, Chain, HandRow, Heard, Item, Link, ReviewStep, Seal
from tablebridge.model.views import LineView, Question, TableView, Turn

SCHEMA: Final = 1
CEILING: Final = 65_536
"""The largest payload in bytes that is sent or accepted."""
BEAT_S: Final = 2.0
COUNTERS_S: Final = 5.0
"""How often the engine reports its counters."""
HUNG_S: Final = 6.0
"""An engine that was not heard for this long does not work, whatever its process does."""
MOST_READINGS: Final = 100
"""Readings in one message."""
MOST_ANTENNAS: Final = 64
MOST_CROSS: Final = 64
MOST_ALERTS: Final = 90
"""Alerts in one message. Longer ones may be fewer: as many are sent as the ceiling holds."""
MOST_OUT: Final = 65
"""What is out of service, in one message: 64 devices and the table."""
MOST_FOUND: Final = 100
"""Findings in one message."""
MOST_EVENTS: Final = 200
"""What happened to alerts, in one message."""
MOST_LINES: Final = 120
_ENVELOPE: Final = 200
"""Bytes of a message around its list."""

M = TypeVar("M")


Offset = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class BatchedIdentity(msgspec.Struct, frozen=True, array_like=True):
    """The identity of one reading of a batch: [device, seq, wall, monotonic]. The times are nanoseconds after
    those of the batch.
    """

    device: Word
    seq: Count
    wall_ns: Offset
    monotonic_ns: Offset

    def made_after(self, at: Instant) -> Instant:
        """When it was made, in a batch whose time is `at`."""
        return Instant(
            at.wall_ns + self.wall_ns,
            at.monotonic_ns + self.monotonic_ns,
            at.boot_id,
            at.clock_synchronised,
        )


class BatchedReading(BatchedIdentity, frozen=True, array_like=True):
    """One reading of a batch: [device, seq, wall, monotonic, reading]."""

    reading: Reading


class ReadingBatch(msgspec.Struct, frozen=True):
    """Readings of a group of devices, in the order in which they were made. A batch, or a part of it, is sent
    again after a broken connection and when it is asked for, so the receiver drops what it has (device,
    epoch, seq). `at`: when the first of them was made.
    """

    group: Word
    epoch: Word
    at: Instant
    readings: Annotated[tuple[BatchedReading, ...], msgspec.Meta(max_length=MOST_READINGS)]
    schema: Count = SCHEMA

    def stamped(self) -> list[Stamped]:
        """The readings, each with its identity and time."""
        return [
            Stamped(reading.device, self.epoch, reading.seq, reading.made_after(self.at), reading.reading)
            for reading in self.readings
        ]


class Availability(msgspec.Struct, frozen=True):
    """`epoch`: the run of the process. `since_wall_ns`: when the connection that this is about was made; it
    lets a late last will be known from the present. `started_wall_ns`: when the process was started.
    """

    state: Literal["online", "offline"]
    epoch: Word
    reason: Line = ""
    since_wall_ns: Nanoseconds = 0
    started_wall_ns: Nanoseconds = 0
    schema: Count = SCHEMA


class DeviceMeta(msgspec.Struct, frozen=True):
    """The birth of a device's driver process. `epoch`: of the outbox of its group. `first_seq`: the oldest
    reading of the epoch that can still be replayed.
    """

    device: Word
    driver: Word
    epoch: Word
    first_seq: Count
    next_seq: Count
    version: Word
    identity: Line = ""
    schema: Count = SCHEMA


class DeviceHealth(msgspec.Struct, frozen=True):
    """`alive_wall_ns`: when the device last proved that it works. `rejects`: counters by reason."""

    device: Word
    state: Literal["live", "stale", "lost"]
    at: Instant
    alive_wall_ns: Nanoseconds = 0
    detail: Line = ""
    reconnects: Count = 0
    frames: Count = 0
    rejects: Counters = {}
    outbox: Count = 0
    schema: Count = SCHEMA


class ReplayRequest(msgspec.Struct, frozen=True):
    """Send these readings again, both ends included. What the outbox no longer has is answered by META, and
    so is a request for none at all (`last` below `first`).
    """

    epoch: Word
    first: Count
    last: Count
    schema: Count = SCHEMA


class EngineBeat(msgspec.Struct, frozen=True):
    """The engine's loop is running. Sent every `BEAT_S` for each table. `epoch`: the run of the process;
    `started_wall_ns`: when that began.
    """

    epoch: Word
    started_wall_ns: Nanoseconds = 0
    schema: Count = SCHEMA


_Counted = Annotated[str, msgspec.Meta(max_length=40)]
"""The name of a device or a finding."""
MOST_FINDINGS: Final = 120
"""More than there are kinds of findings."""
FindingCounts = Annotated[dict[_Counted, Count], msgspec.Meta(max_length=MOST_FINDINGS)]
DeviceCounts = Annotated[dict[_Counted, Count], msgspec.Meta(max_length=64)]
CommitCounts = Annotated[tuple[Count, ...], msgspec.Meta(max_length=len(BOUNDS_MS) + 1)]


class TableCounters(msgspec.Struct, frozen=True):
    """What the engine has counted of a table since its process started, for those who watch the box. No tag,
    no card, no person.

    `hands`: hands that began; `findings`: by name; `gaps`: how often readings were asked for again, and
    `lost`: readings that can never come, both by device. `waiting`: readings that wait for the engine,
    `unsent`: messages of this process that wait for the broker, `overlay_waiting`: pictures that wait for
    their delay of `overlay_delay_s`. `commits`: commits of the journal by how long they took, one number per
    bound of `model.commit_times` and one for those that took longer; `commits_ns`: how long all of them took.
    """

    epoch: Word
    hands: Count = 0
    findings: FindingCounts = {}
    gaps: DeviceCounts = {}
    lost: DeviceCounts = {}
    waiting: Count = 0
    unsent: Count = 0
    overlay_waiting: Count = 0
    overlay_delay_s: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0.0
    commits: CommitCounts = ()
    commits_ns: Nanoseconds = 0
    schema: Count = SCHEMA


class FindingMessage(msgspec.Struct, frozen=True):
    """A finding was made. `rev`: the journal record that made it."""

    finding: Finding
    at: Instant
    rev: Count
    schema: Count = SCHEMA


class HandEvent(msgspec.Struct, frozen=True):
    """Something happened in the hand `hand`, at the instant `at`. `rev`: the journal record that says so,
    which with `event` identifies it. `street`: the street on which it happened, or that it led to. `seat`,
    `action`, `amount`: of an action. `entry`: what was taken back.
    """

    event: Literal["hand-started", "street", "action", "undone", "hand-ended"]
    at: Instant
    rev: Count
    hand: Count
    street: Word = ""
    seat: Seat | None = None
    action: Word = ""
    amount: Amount | None = None
    entry: Count = 0
    schema: Count = SCHEMA


class PresenceMessage(msgspec.Struct, frozen=True):
    """What an antenna saw of a card before a seat."""

    sign: Sign
    schema: Count = SCHEMA


class BookmarkMessage(msgspec.Struct, frozen=True):
    """The video of this table is to be marked. `id`: the finding's, or that of the person's request;
    `camera`: what the video system calls it, as the site file says; `kind`: the finding, or `asked`; the
    times are of the wall clock. No card, no person.
    """

    id: Word
    table: Word
    camera: Word
    kind: Word
    hand: Count
    at_wall_ns: Nanoseconds
    from_wall_ns: Nanoseconds
    to_wall_ns: Nanoseconds
    schema: Count = SCHEMA


class AlertMessage(msgspec.Struct, frozen=True):
    """An alert as it is now, sent when it is raised and at every change."""

    alert: Alert
    rev: Count
    schema: Count = SCHEMA


class ActiveAlerts(msgspec.Struct, frozen=True):
    """The alerts that are not closed, most severe first, then oldest, for those who have just connected.
    `more`: how many there are beside these, which are shown as these are closed. `out`: what of the table is
    out of service.
    """

    alerts: Annotated[tuple[Alert, ...], msgspec.Meta(max_length=MOST_ALERTS)]
    rev: Count
    more: Count = 0
    out: Annotated[tuple[OutOfService, ...], msgspec.Meta(max_length=MOST_OUT)] = ()
    schema: Count = SCHEMA


AntennaName = Annotated[str, msgspec.Meta(max_length=40)]
"""A device and the number of its antenna."""


class AntennaRate(msgspec.Struct, frozen=True):
    """One antenna. `hit`: a card that is placed there is read in one visit; `stays`: how many placements that
    rests on.
    """

    antenna: AntennaName
    place: Spot
    hit: Probability
    stays: Count


class CrossRate(msgspec.Struct, frozen=True):
    """A card that is placed at antenna `at` is read in one visit by antenna `by`."""

    at: AntennaName
    by: AntennaName
    rate: Probability


class AntennaMap(msgspec.Struct, frozen=True):
    """What a table has learnt of its antennas up to `learnt_wall_ns`: how well each reads, and which reads
    cards that are placed at another, the strongest first. It names antennas and places, no tags.
    """

    learnt_wall_ns: Nanoseconds
    antennas: Annotated[tuple[AntennaRate, ...], msgspec.Meta(max_length=MOST_ANTENNAS)]
    cross: Annotated[tuple[CrossRate, ...], msgspec.Meta(max_length=MOST_CROSS)]
    schema: Count = SCHEMA


class TableSignal(msgspec.Struct, frozen=True):
    """What signal lights show: the worst alert that is not closed. `called`: the dealer calls the floor, and
    nothing is critical. `taken`: a person has acknowledged all of that level.
    """

    level: Literal["clear", "warning", "called", "critical"]
    taken: bool = False
    schema: Count = SCHEMA


class Command(msgspec.Struct, frozen=True):
    """What a person wants. Exactly one of: `lines` of table script, `undo` of an entry, `last`: the person's
    own last line is taken back, or brought back, `alert` change, `mark` of the floor, `access`: this person
    wants hole cards through the named feed, with the token whose id is `token`; ok means that it is recorded.
    `direction`: an order of the broadcast's director. `review` of the hand `hand`: it was reviewed, or `note`
    is to be kept about it. `hand` and `note` are also which hand's faces an access to the timeline is to, and
    why.

    `change`: the one line stands in the place of this entry; `before`: the lines were left out before this
    entry; `note`: also why it is corrected. `turn`: the turn for which the lines were meant, as
    `TableView.turn` names it; at another turn they are refused. `question`: the id of the finding on which
    the lines rule; they are refused unless the table waits for that. `also`: other alerts that are changed
    likewise, as far as they can be. `back`: the change is a step back, nobody goes after all. `names`: what
    the players of the seats are called from now on; seats that are not among them are nobody's.

    `id` is the idempotency key: the same id is done once and answered twice. `by`: person and role, set by
    the web process from the token. After `deadline_wall_ns` it is refused.
    """

    id: Word
    by: Word
    role: Word
    deadline_wall_ns: Nanoseconds
    lines: Lines = ()
    undo: Count | None = None
    change: Count | None = None
    before: Count | None = None
    note: Line = ""
    last: Literal["", "undo", "redo"] = ""
    turn: Word = ""
    question: Word = ""
    alert: AlertChange | None = None
    also: AlertIds = ()
    back: bool = False
    mark: FloorMark | None = None
    access: Word = ""
    token: Word = ""
    direction: Directed | None = None
    review: Literal["", "reviewed", "note", "bookmark"] = ""
    hand: Count = 0
    names: SeatNames | None = None
    schema: Count = SCHEMA


class Reply(msgspec.Struct, frozen=True):
    """`sentence` says what was refused and why, or what the engine ignored. `late`: because it came too late,
    so that it may be tried under a new id. `entries`: the journal numbers that the command got. `turn`: whose
    turn it is after it. `moved`: it was refused because it was meant for another turn.
    """

    id: Word
    ok: bool
    sentence: Sentence = ""
    entries: Numbers = ()
    rev: Count = 0
    late: bool = False
    turn: Turn | None = None
    moved: bool = False
    schema: Count = SCHEMA


FarPerson = Annotated[str, msgspec.Meta(min_length=1, max_length=48)]
"""The name of a person who is not at the box."""
FarId = Annotated[str, msgspec.Meta(min_length=8, max_length=48)]
FarChange = Literal["acknowledged", "taken", "released", "closed"]


class FarAct(msgspec.Struct, frozen=True):
    """What a person who is not at the box does to the alert `alert`: `acknowledged`, it was seen; `taken`;
    `released`, nobody goes after all; `closed`. `over`: in the place of the person who took it. Rulings and
    lines are not among it.

    `id` is the idempotency key, as of a Command, and `person` who wants it, as the room knows that person.
    After `deadline_wall_ns` it is refused.
    """

    id: FarId
    person: FarPerson
    deadline_wall_ns: Nanoseconds
    alert: Word
    to: FarChange
    note: Line = ""
    over: bool = False
    schema: Count = SCHEMA


class HistoryRequest(msgspec.Struct, frozen=True):
    """What has happened at a table, the latest first. `about`: the alerts that were closed last, as many as
    one message holds, or the findings, or what happened to alerts, in the record before the number `before`
    (0: all).
    """

    id: Word
    about: Literal["closed-alerts", "findings", "alert-events"]
    before: Count = 0
    schema: Count = SCHEMA


class HistoryPage(msgspec.Struct, frozen=True):
    """The answer to the HistoryRequest of this `id`, true of the journal record `rev`. `before`: a request
    with it gets what happened earlier; 0 if there is nothing. A page may be empty though there is more: a
    bounded number of records is looked at, back to what happened at `reached_wall_ns`.
    """

    id: Word
    rev: Count
    closed: Annotated[tuple[Alert, ...], msgspec.Meta(max_length=MOST_ALERTS)] = ()
    findings: Annotated[tuple[FindingMessage, ...], msgspec.Meta(max_length=MOST_FOUND)] = ()
    events: Annotated[tuple[AlertEvent, ...], msgspec.Meta(max_length=MOST_EVENTS)] = ()
    reached_wall_ns: Nanoseconds = 0
    before: Count = 0
    schema: Count = SCHEMA


class TimelineRequest(msgspec.Struct, frozen=True):
    """What the record of a table says of its hands. `about`:

    `hands`: those that began before the row `number` (0: the last), and before `before_wall_ns` if that is
    given. `hand`: the page `page` of the hand of this number, under a name of the `reading` that is the same
    for all its pages; `access`: the row with which an access to its faces was recorded for `token`, 0 for
    none. `chain`: whether the records after the number `number` with the hash `hash` follow. `slice`: the
    chain of the hand's records from `number` on.
    """

    id: Word
    about: Literal["hands", "hand", "chain", "slice"]
    hand: Count = 0
    page: Count = 0
    reading: Word = ""
    number: Count = 0
    hash: Word = ""
    before_wall_ns: Nanoseconds = 0
    access: Count = 0
    token: Word = ""
    phh: bool = False
    schema: Count = SCHEMA


class TimelinePage(msgspec.Struct, frozen=True):
    """The answer to the TimelineRequest of this `id`.

    `refused`: why there is none. `more`: there is a further page; `number`: from where the next one goes on.
    `at`: what the times of `heard` count from. `faces`: of cards by their numbers, if they may be seen.
    `hand`: the rows of the hand, the first and the last. `differences`: how many findings the engine finds
    otherwise than they were recorded. `kept`: whether the readings of the hand are still kept. `chain`: how
    far the records were checked. `software`: the engine's version.
    """

    id: Word
    refused: Sentence = ""
    more: bool = False
    number: Count = 0
    hands: Annotated[tuple[HandRow, ...], msgspec.Meta(max_length=MOST_ITEMS)] = ()
    items: Annotated[tuple[Item, ...], msgspec.Meta(max_length=MOST_ITEMS)] = ()
    heard: Annotated[tuple[Heard, ...], msgspec.Meta(max_length=MOST_ITEMS)] = ()
    at: Instant = START
    faces: Annotated[dict[Count, Face], msgspec.Meta(max_length=MOST_ITEMS)] = {}
    differences: Count = 0
    kept: bool = True
    first: Count = 0
    last: Count = 0
    chain: Chain | None = None
    reviews: Annotated[tuple[ReviewStep, ...], msgspec.Meta(max_length=MOST_ITEMS)] = ()
    links: Annotated[tuple[Link, ...], msgspec.Meta(max_length=MOST_ITEMS)] = ()
    phh: Annotated[str, msgspec.Meta(max_length=30_000)] = ""
    seal: Seal | None = None
    software: Word = ""
    schema: Count = SCHEMA


MESSAGES: Final[dict[str, type[Any]]] = {
    kind.__name__: kind
    for kind in (
        ReadingBatch,
        Availability,
        DeviceMeta,
        DeviceHealth,
        ReplayRequest,
        EngineBeat,
        TableCounters,
        FindingMessage,
        AlertMessage,
        ActiveAlerts,
        HandEvent,
        PresenceMessage,
        AntennaMap,
        TableSignal,
        Command,
        FarAct,
        Reply,
        HistoryRequest,
        HistoryPage,
        TimelineRequest,
        TimelinePage,
        BookmarkMessage,
        OpenCalls,
        Passes,
        NotifierState,
        TestCall,
        Preview,
        TableView,
        OverlayView,
        RoomView,
        RoomCommand,
        RoomReply,
    )
}

_ENCODER: Final = msgspec.json.Encoder()
_DECODERS: Final[dict[type[Any], msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(kind) for kind in MESSAGES.values()
}


class Unreadable(ValueError):
    """A payload is not the message of its topic. `reason` is `too-long`, `too-deep`, `no-json` or
    `wrong-type`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def encode(message: Any) -> bytes:
    """The payload, which its receiver can read: what is beyond a bound is cut to it. Raises ValueError above
    the ceiling.
    """
    kind = type(message)
    payload = _ENCODER.encode(message)
    decoder = _DECODERS.get(kind)
    if decoder is not None:
        try:
            decoder.decode(payload)
        except msgspec.ValidationError:
            payload = _ENCODER.encode(cut(payload, kind))
    if len(payload) > CEILING:
        raise ValueError(f"a {kind.__name__} of {len(payload)} bytes is above the ceiling of {CEILING}")
    return payload


def decode(payload: bytes, kind: type[M]) -> M:
    """The message in a payload. Raises Unreadable if there is none, and nothing else."""
    if len(payload) > CEILING:
        raise Unreadable("too-long")
    try:
        message: M = _DECODERS[kind].decode(payload)
    except msgspec.ValidationError:
        raise Unreadable("wrong-type") from None
    except RecursionError:
        raise Unreadable("too-deep") from None
    except Exception:
        # Whatever else the decoder raises, now or in another version, is about the payload.
        raise Unreadable("no-json") from None
    return message


def fitting(items: Iterable[Any], room: int) -> int:
    """How many of these, from the first on, take at most `room` bytes together as members of a list."""
    count = 0
    for item in items:
        room -= len(_ENCODER.encode(item)) + 1
        if room < 0:
            break
        count += 1
    return count


def active_alerts(
    alerts: Sequence[Alert], total: int, rev: int, out: Sequence[OutOfService] = ()
) -> ActiveAlerts:
    """The first of these alerts, as many as one message holds beside what is out of service, and how many
    more of `total` there are.
    """
    room = CEILING - _ENVELOPE - len(_ENCODER.encode(out))
    shown = tuple(alerts[: fitting(alerts[:MOST_ALERTS], room)])
    return ActiveAlerts(shown, rev, total - len(shown), tuple(out))


def open_calls(alerts: Sequence[Alert], total: int, rev: int) -> OpenCalls:
    """The calls of the first of these alerts, as many as one message holds, and how many more of `total`
    there are.
    """
    calls = [call_of(alert) for alert in alerts[:MOST_CALLS]]
    shown = tuple(calls[: fitting(calls, CEILING - _ENVELOPE)])
    return OpenCalls(shown, rev, total - len(shown))


def latest_passes(passes: Sequence[Pass]) -> Passes:
    """The last of these passes, as many as one message holds."""
    latest = passes[-MOST_PASSES:]
    count = fitting(reversed(latest), CEILING - _ENVELOPE)
    return Passes(tuple(latest[len(latest) - count :]))


def notifier_state(state: NotifierState) -> NotifierState:
    """The state with the first of its failing ways and the first of its people, as many as one message
    holds: ways take half of it at most. Those that are left out are counted.
    """
    room = CEILING - _ENVELOPE - len(_ENCODER.encode(msgspec.structs.replace(state, people=(), failing=())))
    failing = state.failing[: fitting(state.failing, room // 2)]
    people = state.people[: fitting(state.people, room - len(_ENCODER.encode(failing)))]
    return msgspec.structs.replace(
        state,
        people=people,
        failing=failing,
        more_people=len(state.people) - len(people),
        more_failing=len(state.failing) - len(failing),
    )


def history_page(
    id: str, rev: int, closed: Sequence[Alert] = (), findings: Sequence[FindingMessage] = (), before: int = 0
) -> HistoryPage:
    """The first of these alerts or findings, as many as one message holds."""
    closed = closed[: fitting(closed[:MOST_ALERTS], CEILING - _ENVELOPE)]
    count = fitting(findings[:MOST_FOUND], CEILING - _ENVELOPE)
    if count < len(findings):
        findings, before = findings[:count], findings[count - 1].rev
    return HistoryPage(id, rev, tuple(closed), tuple(findings), before=before)


def with_lines(view: TableView, lines: Sequence[LineView], questions: Sequence[Question] = ()) -> TableView:
    """The view with these questions to the floor, with its notices and facts, and with the newest of these
    lines, as many as one message holds: each of the first three takes half of the room that is left at most.
    Notices and facts that are left out are counted.
    """
    lists = (("questions", questions), ("notices", view.notices), ("facts", view.facts))
    view = msgspec.structs.replace(view, questions=(), notices=(), facts=())
    # The newest line is shown in any case, if necessary without its findings.
    newest_alone = tuple(msgspec.structs.replace(line, findings=(), ignored="") for line in lines[-1:])
    kept = _ENVELOPE + len(_ENCODER.encode(newest_alone))
    for name, items in lists:
        room = max(0, CEILING - kept - len(_ENCODER.encode(view))) // 2
        view = msgspec.structs.replace(view, **{name: tuple(items[: fitting(items, room)])})
    view = msgspec.structs.replace(
        view,
        more_notices=view.more_notices + len(lists[1][1]) - len(view.notices),
        more_facts=view.more_facts + len(lists[2][1]) - len(view.facts),
    )
    room = CEILING - _ENVELOPE - len(_ENCODER.encode(view))
    newest = lines[-MOST_LINES:]
    count = fitting(reversed(newest), room)
    if newest and not count:
        return msgspec.structs.replace(view, lines=newest_alone)
    return msgspec.structs.replace(view, lines=tuple(newest[len(newest) - count :]))
