"""Every topic in one place: who writes it, who may read it, its QoS, whether it is retained, what it means.

Every access list is made from here: `bus/access.py` says which accounts a site has.

    tb/v1/SITE/TABLE/PLANE/...

The plane is the level by which a broker's access list separates audiences. Levels are `[a-z0-9_-]`, so that
any broker takes them.
"""

from functools import lru_cache
from typing import Final, Literal

import msgspec

Plane = Literal["obs", "dev", "ask", "floor", "public", "sealed", "cmd", "signal", "call", "room"]
Role = Literal[
    "driver",
    "engine",
    "web",
    "notify",
    "room",
    "tournament",
    "uplink",
    "enrol",
    "listen-floor",
    "listen-public",
]

ROOT: Final = "tb/v1"

LISTENERS: Final[dict[Role, tuple[Plane, ...]]] = {
    "listen-floor": ("floor", "public"),
    "listen-public": ("public",),
}
"""The planes that programs of others may listen to, by the role that is given to them. They publish nothing.
"""


class Topic(msgspec.Struct, frozen=True):
    """One kind of topic. `tail` follows the plane; `+` stands for one name, of what `named` says."""

    name: str
    plane: Plane
    tail: str
    writer: Role
    readers: tuple[Role, ...]
    retained: bool
    message: str
    meaning: str
    named: Literal["", "group", "device", "client"] = ""
    qos: Literal[0, 1] = 1

    def of(self, site: str, table: str, *names: str) -> str:
        """The topic for one site and table. Raises ValueError if the names do not fit the tail."""
        tail = self.tail
        for name in names:
            tail = tail.replace("+", name, 1)
        if "+" in tail or any(char in name for name in (site, table, *names) for char in "+#/ ."):
            raise ValueError(f"{self.name} takes {self.tail.count('+')} names of [a-z0-9_-]")
        return f"{ROOT}/{site}/{table}/{self.plane}/{tail}"

    def filter(self, site: str = "+", table: str = "+", name: str = "+") -> str:
        """The subscription filter for all of them, or for those of one site, table, and group, device or
        client.
        """
        return f"{ROOT}/{site}/{table}/{self.plane}/{self.tail.replace('+', name)}"

    def is_read_by(self, role: Role) -> bool:
        """Whether the role may receive it."""
        return role in self.readers or self.plane in LISTENERS.get(role, ())


READING: Final = Topic(
    "reading",
    "obs",
    "+",
    "driver",
    ("engine", "enrol"),
    False,
    "ReadingBatch",
    "what the devices of a group said; each reading is identified by (device, epoch, seq); never a face",
    "group",
)
AVAILABILITY: Final = Topic(
    "availability",
    "dev",
    "+/avail",
    "driver",
    ("engine", "web", "driver"),
    True,
    "Availability",
    "whether the process of a group runs; its last will says offline, and the process corrects a late one",
    "group",
)
META: Final = Topic(
    "meta",
    "dev",
    "+/meta",
    "driver",
    ("engine", "web"),
    True,
    "DeviceMeta",
    "birth: driver, versions, epoch, first sequence number",
    "device",
)
HEALTH: Final = Topic(
    "health",
    "dev",
    "+/health",
    "driver",
    ("engine", "web"),
    True,
    "DeviceHealth",
    "live, stale or lost, with ages and reject counters",
    "device",
)
REPLAY: Final = Topic(
    "replay",
    "ask",
    "+/replay",
    "engine",
    ("driver",),
    False,
    "ReplayRequest",
    "asks the process of a device to send a gap again from its outbox",
    "device",
)
ENGINE_AVAILABILITY: Final = Topic(
    "engine-availability",
    "floor",
    "avail",
    "engine",
    ("web", "driver", "engine", "notify", "uplink"),
    True,
    "Availability",
    "whether the engine runs; its last will says offline, and the engine corrects a late one",
)
ENGINE_BEAT: Final = Topic(
    "engine-beat",
    "floor",
    "beat",
    "engine",
    ("web", "engine", "notify", "uplink"),
    False,
    "EngineBeat",
    "the engine's loop works; at QoS 0, since an old one says nothing",
    qos=0,
)
COUNTERS: Final = Topic(
    "counters",
    "floor",
    "counters",
    "engine",
    ("web",),
    False,
    "TableCounters",
    "what the engine counts of the table, every 5 s; at QoS 0, since the next one says all of it again",
    qos=0,
)
STATE: Final = Topic(
    "state",
    "floor",
    "state",
    "engine",
    ("web", "room", "uplink"),
    True,
    "TableView",
    "the table for staff: the hand's lines, no face that is hidden",
)
FINDING: Final = Topic(
    "finding",
    "floor",
    "finding",
    "engine",
    ("web",),
    False,
    "FindingMessage",
    "a finding, cut to the faces that lie open",
)
ALERT: Final = Topic(
    "alert", "floor", "alert", "engine", ("web",), False, "AlertMessage", "an alert was raised or changed"
)
ALERTS: Final = Topic(
    "alerts",
    "floor",
    "alerts",
    "engine",
    ("web", "uplink"),
    True,
    "ActiveAlerts",
    "all alerts that are not closed",
)
ANTENNAS: Final = Topic(
    "antennas",
    "floor",
    "antennas",
    "engine",
    ("web",),
    True,
    "AntennaMap",
    "what the table has learnt of its antennas: hit rates and cross-reads, no tags",
)
PUBLIC_STATE: Final = Topic(
    "public-state",
    "public",
    "state",
    "engine",
    ("web", "enrol"),
    True,
    "TableView",
    "the table as anybody standing there sees it",
)
HAND_EVENT: Final = Topic(
    "hand-event",
    "public",
    "event",
    "engine",
    ("web",),
    False,
    "HandEvent",
    "a hand began or ended, a street, an action, an undo: no card and no name",
)
PRESENCE: Final = Topic(
    "presence",
    "public",
    "presence",
    "engine",
    ("web",),
    False,
    "PresenceMessage",
    "a card before a seat arrived, was lifted, came back, left or was mucked: never which card",
)
OVERLAY: Final = Topic(
    "overlay",
    "sealed",
    "overlay",
    "engine",
    ("web",),
    True,
    "OverlayView",
    "the table for the broadcast, held back by the delay, hole cards in it",
)
SIGNAL: Final = Topic(
    "signal",
    "signal",
    "worst",
    "engine",
    ("driver",),
    True,
    "TableSignal",
    "the worst open alert, for signal lights: no card, no seat, no words",
)
CALLS: Final = Topic(
    "calls",
    "call",
    "open",
    "engine",
    ("notify",),
    True,
    "OpenCalls",
    "the alerts that are not closed, for notifications: no card, no seat, no words",
)
PASSES: Final = Topic(
    "passes",
    "call",
    "passes",
    "notify",
    ("web",),
    True,
    "Passes",
    "who may take which alert from a notification, once: hashes of the secrets",
)
NOTIFIER: Final = Topic(
    "notifier",
    "call",
    "notifier",
    "notify",
    ("web", "engine"),
    True,
    "NotifierState",
    "whether people are notified, whom, and by which ways not; its last will says offline",
)
TEST_CALL: Final = Topic(
    "test-call",
    "call",
    "test",
    "web",
    ("notify",),
    False,
    "TestCall",
    "a person wants a test notification",
)
COMMAND: Final = Topic(
    "command",
    "cmd",
    "+/do",
    "web",
    ("engine",),
    False,
    "Command",
    "a person's command; never retained, refused if it is",
    "client",
)
REPLY: Final = Topic(
    "reply",
    "cmd",
    "+/done",
    "engine",
    ("web",),
    False,
    "Reply",
    "the answer to a command, by its id",
    "client",
)
HISTORY: Final = Topic(
    "history",
    "cmd",
    "+/history",
    "web",
    ("engine",),
    False,
    "HistoryRequest",
    "asks for what has happened at the table, by the end of its record; it changes nothing",
    "client",
)
HISTORY_PAGE: Final = Topic(
    "history-page",
    "cmd",
    "+/page",
    "engine",
    ("web",),
    False,
    "HistoryPage",
    "a part of what has happened, by the request's id, cut to the faces that lie open",
    "client",
)
PREVIEW: Final = Topic(
    "preview",
    "cmd",
    "+/preview",
    "web",
    ("engine",),
    False,
    "Command",
    "asks what would come of a command; it is not done and not recorded",
    "client",
)
PREVIEWED: Final = Topic(
    "previewed",
    "cmd",
    "+/previewed",
    "engine",
    ("web",),
    False,
    "Preview",
    "what would come of it, by the command's id; never what cards that lie face down decide",
    "client",
)

TIMELINE: Final = Topic(
    "timeline",
    "cmd",
    "+/timeline",
    "web",
    ("engine",),
    False,
    "TimelineRequest",
    "asks what the record says of a hand; it changes nothing",
    "client",
)
TIMELINE_PAGE: Final = Topic(
    "timeline-page",
    "cmd",
    "+/timeline-page",
    "engine",
    ("web",),
    False,
    "TimelinePage",
    "a part of that, by the request's id; faces only to a request that names a recorded access",
    "client",
)

FAR_ACT: Final = Topic(
    "far-act",
    "cmd",
    "+/act",
    "uplink",
    ("engine",),
    False,
    "FarAct",
    "what a person who is not at the box does to an alert, and nothing else; never retained",
    "client",
)
FAR_REPLY: Final = Topic(
    "far-reply",
    "cmd",
    "+/acted",
    "engine",
    ("uplink",),
    False,
    "Reply",
    "the answer to it, by its id",
    "client",
)

BOOKMARK: Final = Topic(
    "bookmark",
    "floor",
    "bookmark",
    "web",
    (),
    False,
    "BookmarkMessage",
    "the video of the table is to be marked: a critical finding, or somebody asked; no card, no person",
)

ROOM_STATE: Final = Topic(
    "room-state",
    "room",
    "state",
    "room",
    ("web", "tournament", "listen-floor"),
    True,
    "RoomView",
    "the room of tables: who moves where, which table halts, who is out; no card",
)
ROOM_COMMAND: Final = Topic(
    "room-command",
    "room",
    "do",
    "web",
    ("room",),
    False,
    "RoomCommand",
    "what a person wants of the room; never retained",
)
ROOM_REPLY: Final = Topic(
    "room-reply", "room", "done", "room", ("web",), False, "RoomReply", "the answer to it, by its id"
)
ROOM_IMPORT: Final = Topic(
    "room-import",
    "room",
    "import",
    "tournament",
    ("room",),
    False,
    "RoomCommand",
    "what tournament software brings, or asks for; never retained",
)
ROOM_IMPORTED: Final = Topic(
    "room-imported",
    "room",
    "imported",
    "room",
    ("tournament",),
    False,
    "RoomReply",
    "the answer to it, by its id",
)

TOPICS: Final = (
    READING,
    AVAILABILITY,
    META,
    HEALTH,
    REPLAY,
    ENGINE_AVAILABILITY,
    ENGINE_BEAT,
    COUNTERS,
    STATE,
    FINDING,
    ALERT,
    ALERTS,
    ANTENNAS,
    PUBLIC_STATE,
    HAND_EVENT,
    PRESENCE,
    OVERLAY,
    SIGNAL,
    CALLS,
    PASSES,
    NOTIFIER,
    TEST_CALL,
    COMMAND,
    REPLY,
    HISTORY,
    HISTORY_PAGE,
    TIMELINE,
    TIMELINE_PAGE,
    FAR_ACT,
    FAR_REPLY,
    BOOKMARK,
    PREVIEW,
    PREVIEWED,
    ROOM_STATE,
    ROOM_COMMAND,
    ROOM_REPLY,
    ROOM_IMPORT,
    ROOM_IMPORTED,
)


class Parsed(msgspec.Struct, frozen=True):
    """A topic name in parts. `names` are those at the `+` of the tail."""

    topic: Topic
    site: str
    table: str
    names: tuple[str, ...]


@lru_cache(maxsize=1024)
def parse(name: str) -> Parsed | None:
    """The parts of a topic name; None if it is not ours."""
    levels = name.split("/")
    if len(levels) < 6 or "/".join(levels[:2]) != ROOT:
        return None
    site, table, plane, *tail = levels[2:]
    for topic in TOPICS:
        wanted = topic.tail.split("/")
        if (
            topic.plane == plane
            and len(wanted) == len(tail)
            and all(w in ("+", t) for w, t in zip(wanted, tail, strict=True))
        ):
            return Parsed(topic, site, table, tuple(t for w, t in zip(wanted, tail, strict=True) if w == "+"))
    return None
