"""The latest state of every table, from the bus to the pages.

Everything here runs on the web process's event loop; messages come in by `take`, and readers wait with
`watch`.

A table is *away* while the broker or its engine is: retained state would otherwise look alive for ever. An
engine is away as soon as its last will or its own message says so, and when it was not heard for `HUNG_S`: a
process that hangs keeps its connection. After the broker was away an engine runs once it is heard again: it
may be back later than the pages. The server calls `check_engines` a few times per second.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from tablebridge.bus import topics
from tablebridge.bus.access import WEB
from tablebridge.bus.aside import Aside
from tablebridge.bus.messages import (
    ActiveAlerts,
    AlertMessage,
    AntennaMap,
    Availability,
    DeviceHealth,
    EngineBeat,
    FindingMessage,
    HandEvent,
    HistoryPage,
    Reply,
    TableCounters,
    TimelinePage,
    Unreadable,
    decode,
)
from tablebridge.host.clock import SystemClock
from tablebridge.model.alerts import Alert, by_urgency, closed_at
from tablebridge.model.calls import NotifierState, Passes
from tablebridge.model.overlay import OverlayView
from tablebridge.model.preview import Preview
from tablebridge.model.rooms import RoomReply, RoomView
from tablebridge.model.site_event import SiteEvent
from tablebridge.model.views import TableView
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import WEB_ASIDE, WEBHOOK_EVENTS
from tablebridge.web.bookmarks.bookmarks import Bookmarks
from tablebridge.web.notifications import Notifications
from tablebridge.web.requests import Requests
from tablebridge.web.room_link import RoomLink
from tablebridge.web.site_events import SiteEvents
from tablebridge.web.status import DeviceStatus, TableStatus
from tablebridge.web.watch import Watch, Watches
from tablebridge.web.webhooks.webhooks import Webhooks

Send = Callable[[str, bytes], None]


class _Subscription(NamedTuple):
    """A topic that the hub reads: the type of its messages and the method that takes them, which returns what
    other programs are to hear of it.
    """

    topic: topics.Topic
    kind: type[Any]
    handler: Callable[[TableStatus, str, Any], SiteEvent | None]


class Hub:
    """The tables of a site. `send` publishes to the bus; whoever holds the connection sets it.
    `connections`: how many there were. `monotonic`: the clock that absence is measured by, in seconds.
    `webhooks`: who else is to hear what happens; `bookmarks`: the house's video.
    """

    def __init__(
        self,
        site: Site,
        monotonic: Callable[[], float] = time.monotonic,
        webhooks: Webhooks | None = None,
        bookmarks: Bookmarks | None = None,
    ) -> None:
        self.site = site.name
        self.tables: dict[str, TableStatus] = {
            table.name: _unheard(table, monotonic()) for table in site.tables
        }
        self._groups = {
            table.name: {group.name: group.devices for group in table.groups} for table in site.tables
        }
        self.send: Send | None = None
        self.closing = False
        self.connections = 0
        self.refused: dict[str, int] = {}
        self.webhooks = webhooks or Webhooks((), WEBHOOK_EVENTS.path(site.state_dir))
        self.bookmarks = bookmarks or Bookmarks(())
        self._events = SiteEvents(site.name)
        self._aside = Aside(WEB_ASIDE.path(site.state_dir))
        self._clock = SystemClock()
        self._monotonic = monotonic
        self._bus_away_since: float | None = monotonic()
        self._connected_at = 0.0
        self._watches = Watches()
        self.requests = Requests(self._request)
        self.notifications = Notifications()
        self.room = RoomLink(self._ask_room, lambda: self._watches.touch_all("room"))
        self._subscriptions: Final = {entry.topic.name: entry for entry in self._all_read()}

    # From the bus.

    def filters(self) -> tuple[str, ...]:
        """The topic filters to subscribe to: all that the web process's account may read of this site."""
        return tuple(
            entry.topic.filter(self.site, table, WEB if entry.topic.named == "client" else "+")
            for table in self.tables
            for entry in self._subscriptions.values()
        )

    def _all_read(self) -> tuple[_Subscription, ...]:
        """Which messages are taken, and by which method."""
        notified = self.notifications
        return (
            _Subscription(topics.ENGINE_AVAILABILITY, Availability, self._engine),
            _Subscription(topics.ENGINE_BEAT, EngineBeat, self._beat),
            _Subscription(topics.COUNTERS, TableCounters, self._counters),
            _Subscription(topics.STATE, TableView, self._shown("state", TableStatus.take_state)),
            _Subscription(topics.PUBLIC_STATE, TableView, self._shown("public", TableStatus.take_public)),
            _Subscription(
                topics.HAND_EVENT, HandEvent, lambda at, _, event: self._events.of_hand(at.name, event)
            ),
            _Subscription(topics.FINDING, FindingMessage, self._finding),
            _Subscription(topics.ALERT, AlertMessage, self._alert),
            _Subscription(topics.ALERTS, ActiveAlerts, self._shown("alerts", TableStatus.take_alerts)),
            _Subscription(topics.ANTENNAS, AntennaMap, self._antennas),
            _Subscription(topics.OVERLAY, OverlayView, self._shown("overlay", TableStatus.take_overlay)),
            _Subscription(topics.HEALTH, DeviceHealth, self._health),
            _Subscription(topics.AVAILABILITY, Availability, self._process),
            _Subscription(topics.PASSES, Passes, lambda at, _, some: notified.take_passes(at.name, some)),
            _Subscription(topics.NOTIFIER, NotifierState, lambda _, __, state: notified.take_state(state)),
            _Subscription(topics.REPLY, Reply, lambda _, __, reply: self.requests.replied(reply)),
            _Subscription(topics.PREVIEWED, Preview, lambda _, __, seen: self.requests.previewed(seen)),
            _Subscription(topics.HISTORY_PAGE, HistoryPage, lambda _, __, page: self.requests.paged(page)),
            _Subscription(topics.ROOM_STATE, RoomView, lambda _, __, view: self.room.take(view)),
            _Subscription(topics.ROOM_REPLY, RoomReply, lambda _, __, reply: self.room.replied(reply)),
            _Subscription(topics.TIMELINE_PAGE, TimelinePage, lambda _, __, page: self.requests.shown(page)),
        )

    def take(self, topic: str, payload: bytes, ack: Callable[[], None] = lambda: None) -> None:
        """Take one message. It is set aside if its topic is not ours, if its device is not in the site file,
        or if it cannot be read. `ack` is called when a restart loses nothing of it, by any thread.
        """
        event = self._taken(topic, payload)
        if event is None:
            ack()
        else:
            self.webhooks.happened(event, ack)

    def _taken(self, topic: str, payload: bytes) -> SiteEvent | None:
        parsed = topics.parse(topic)
        status = self.tables.get(parsed.table) if parsed else None
        entry = self._subscriptions.get(parsed.topic.name) if parsed else None
        if parsed is None or status is None or entry is None:
            self._refuse("unknown-topic", topic)
            return None
        if not payload:
            return None
        name = parsed.names[0] if parsed.names else ""
        if not self._knows(status, parsed.topic, name):
            self._refuse("unknown-device", topic)
            return None
        try:
            message = decode(payload, entry.kind)
        except Unreadable as error:
            self._refuse(error.reason, topic, payload)
            return None
        return entry.handler(status, name, message)

    def _knows(self, status: TableStatus, topic: topics.Topic, name: str) -> bool:
        """Whether the device or group that a topic names is one of the table."""
        match topic.named:
            case "device":
                return name in status.devices
            case "group":
                return name in self._groups[status.name]
            case _:
                return True

    def bus(self, connected: bool) -> None:
        """The connection to the broker was made or lost."""
        if connected:
            self._bus_away_since = None
            self._connected_at = self._monotonic()
            self.connections += 1
            self.check_engines()
        elif self._bus_away_since is None:
            self._bus_away_since = self._monotonic()
        for table in self.tables:
            self.touch("state", table)

    def check_engines(self) -> None:
        """Decide which engines run. A last will speaks for one table only: a run of the engine that is
        offline at one table is offline at all of its tables.
        """
        now = self._monotonic()
        ended = {
            status.engine.epoch
            for status in self.tables.values()
            if status.engine and status.engine.state == "offline"
        }
        for status in self.tables.values():
            if status.check_engine(ended, now, self._connected_at):
                self.touch("state", status.name)

    def _refuse(self, reason: str, topic: str, payload: bytes = b"") -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1
        self._aside.put(topic, payload, reason, self._clock.now())

    def _shown(
        self, kind: str, take: Callable[[TableStatus, Any], bool]
    ) -> Callable[[TableStatus, str, Any], None]:
        """What takes a view of this kind and wakes those who watch it."""

        def handler(status: TableStatus, _: str, view: Any) -> None:
            if take(status, view):
                self.touch(kind, status.name)

        return handler

    def _engine(self, status: TableStatus, _: str, availability: Availability) -> None:
        another = status.engine is not None and availability.epoch != status.engine.epoch
        if status.take_engine(availability, self._monotonic()):
            self.check_engines()
            for kind in status.begin_record() if another else ():
                self.touch(kind, status.name)

    def _beat(self, status: TableStatus, _: str, __: EngineBeat) -> None:
        status.heard_at = self._monotonic()
        self.check_engines()

    def _finding(self, status: TableStatus, _: str, message: FindingMessage) -> SiteEvent | None:
        self.bookmarks.found(status.name, message)
        return self._events.of_finding(status.name, message)

    def _counters(self, status: TableStatus, _: str, counters: TableCounters) -> None:
        status.counters = counters

    def _alert(self, status: TableStatus, _: str, message: AlertMessage) -> SiteEvent | None:
        if status.take_alert(message):
            self.touch("alerts", status.name)
        return self._events.of_alert(status.name, message)

    def _antennas(self, status: TableStatus, _: str, learnt: AntennaMap) -> None:
        status.antennas = learnt

    def _health(self, status: TableStatus, device: str, health: DeviceHealth) -> None:
        if status.take_health(device, health):
            self.touch("devices", status.name)

    def _process(self, status: TableStatus, group: str, availability: Availability) -> None:
        for device in self._groups[status.name][group]:
            if status.take_process(device, availability):
                self.touch("devices", status.name)

    # To the pages.

    @property
    def bus_away(self) -> bool:
        """Whether there is no connection to the broker."""
        return self._bus_away_since is not None

    def away_s(self, tables: Iterable[str] = ()) -> float:
        """For how many seconds the broker, or the engine of one of these tables, is away; 0 if none is."""
        away = [self._bus_away_since] if self._bus_away_since is not None else []
        away += [self.tables[name].away_since for name in tables if not self.tables[name].runs]
        return self._monotonic() - min(away) if away else 0.0

    def alive(self, names: Iterable[str]) -> int:
        """How many of these tables have a running engine that can be heard."""
        return 0 if self.bus_away else sum(self.tables[name].runs for name in names)

    def open_alerts(self, names: Iterable[str]) -> list[Alert]:
        """The alerts of these tables that are not closed, most severe first, then oldest."""
        return sorted(
            (alert for name in names for alert in self.tables[name].alerts.values()), key=by_urgency
        )

    def closed_alerts(self, names: Iterable[str]) -> list[Alert]:
        """The alerts of these tables that were closed last, the latest first."""
        return sorted(
            (alert for name in names for alert in self.tables[name].closed), key=closed_at, reverse=True
        )

    def more_alerts(self, names: Iterable[str]) -> int:
        """How many alerts are open beside those."""
        return sum(self.tables[name].more_alerts for name in names)

    def touch(self, kind: str, table: str) -> None:
        """Wake the readers that watch this kind of thing at this table."""
        self.tables[table].changes += 1
        self._watches.touch(kind, table)

    def watch(self, keys: Iterable[str]) -> Watch:
        """A new watch of these keys, until `unwatch`."""
        return self._watches.add(keys)

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return len(self._watches)

    def unwatch(self, watch: Watch) -> None:
        """The reader has gone."""
        self._watches.discard(watch)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        self.closing = True
        self._watches.end()

    def _request(self, topic: topics.Topic, table: str, payload: bytes) -> None:
        if self.send is None or self.away_s([table]):
            raise ConnectionError
        self.send(topic.of(self.site, table, WEB), payload)

    def _ask_room(self, topic: topics.Topic, payload: bytes) -> None:
        if self.send is None or self.bus_away:
            raise ConnectionError
        self.send(topic.of(self.site, next(iter(self.tables))), payload)


def _unheard(table: Table, now: float) -> TableStatus:
    """What is known of a table before anything is heard of it."""
    devices = {
        device.name: DeviceStatus(device.name, device.driver, tuple(sorted(set(device.antennas.values()))))
        for device in table.devices
    }
    return TableStatus(table.name, devices=devices, away_since=now)
