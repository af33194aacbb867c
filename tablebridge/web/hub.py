"""The latest state of every table, and who wants to hear of it.

Everything here runs on the web process's event loop; messages come in by `take`. A watcher is not sent a
queue of messages but told which things changed since it last looked, so that a slow page gets fewer, newer
pictures and never holds up a fast one: what waits for it is bounded by the number of things it watches.

A table is *away* while the broker or its engine is: retained state would otherwise look alive for ever. An
engine is away as soon as its last will or its word says so, and when its beats have stopped for `HUNG_S`: a
process that stands still keeps its connection. Somebody must call `judge` a few times a second.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tablebridge.bus import topics
from tablebridge.bus.access import WEB
from tablebridge.bus.aside import Aside
from tablebridge.bus.availability import believed
from tablebridge.bus.messages import (
    HUNG_S,
    MOST_ALERTS,
    ActiveAlerts,
    AlertMessage,
    AntennaMap,
    Availability,
    Command,
    DeviceHealth,
    EngineBeat,
    Reply,
    Unreadable,
    decode,
    encode,
)
from tablebridge.host.clock import SystemClock
from tablebridge.model.alerts import Alert
from tablebridge.model.findings import SEVERITIES
from tablebridge.model.views import Choice, TableView
from tablebridge.settings.site import Site
from tablebridge.settings.state import WEB_ASIDE

log = logging.getLogger(__name__)

ANSWER_S: Final = 5.0
"""How long a person waits for the engine's answer."""
_KEPT_CLOSED: Final = 20
_MOST_ALERTS: Final = 2 * MOST_ALERTS

Send = Callable[[str, bytes], None]


@dataclass
class Device:
    """One device under a table. `driver`: from the site file."""

    name: str
    driver: str
    health: DeviceHealth | None = None
    process: Availability | None = None

    @property
    def state(self) -> str:
        """`live`, `stale` or `lost`. A device whose driver is gone, or that never spoke, is lost."""
        if self.health is None or (self.process is not None and self.process.state == "offline"):
            return "lost"
        return self.health.state

    @property
    def why(self) -> str:
        """What there is to say about the state, in words."""
        if self.process is not None and self.process.state == "offline":
            return self.process.reason or "its driver is not running"
        if self.health is None:
            return "not heard of yet"
        return self.health.detail

    @property
    def alive_wall_ns(self) -> int:
        """When it last proved that it works, 0 for never."""
        return self.health.alive_wall_ns if self.health else 0


@dataclass
class TableNow:
    """What is known of one table. `overlay` may hold hole cards; `view` never does. `runs`: whether its
    engine is there. `more_alerts`: how many are open beside `alerts`.
    """

    name: str
    view: TableView | None = None
    overlay: TableView | None = None
    engine: Availability | None = None
    runs: bool = False
    alerts: dict[str, Alert] = field(default_factory=dict)
    more_alerts: int = 0
    closed: deque[Alert] = field(default_factory=lambda: deque(maxlen=_KEPT_CLOSED))
    devices: dict[str, Device] = field(default_factory=dict)
    antennas: AntennaMap | None = None
    engine_gone: float = 0.0
    heard: float = 0.0
    revs: dict[str, int] = field(default_factory=dict)
    late: dict[str, Any] = field(default_factory=dict)

    @property
    def rev(self) -> int:
        return self.view.rev if self.view else 0


class Watch:
    """One reader's list of what changed. Keys are `KIND:TABLE`, such as `state:main`."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = frozenset(keys)
        self._changed: set[str] = set()
        self._wake = asyncio.Event()

    def touch(self, key: str) -> None:
        if key in self.keys:
            self._changed.add(key)
            self._wake.set()

    def end(self) -> None:
        self._wake.set()

    async def wait(self, timeout_s: float) -> set[str]:
        """What changed since the last call, as soon as something did; nothing after `timeout_s`."""
        try:
            async with asyncio.timeout(max(0.0, timeout_s)):
                await self._wake.wait()
        except TimeoutError:
            return set()
        changed, self._changed = self._changed, set()
        self._wake.clear()
        return changed


class Hub:
    """`send` publishes to the bus; it is set by whoever holds the connection. `monotonic` measures absence."""

    def __init__(self, site: Site, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.site = site.name
        self.tables: dict[str, TableNow] = {
            table.name: TableNow(
                table.name,
                devices={device.name: Device(device.name, device.driver) for device in table.devices},
            )
            for table in site.tables
        }
        self.send: Send | None = None
        self.closing = False
        self.refused: dict[str, int] = {}
        self._aside = Aside(WEB_ASIDE.path(site.state_dir))
        self._clock = SystemClock()
        self._monotonic = monotonic
        self._bus_gone: float | None = monotonic()
        self._watches: set[Watch] = set()
        self._waiting: dict[str, asyncio.Future[Reply]] = {}
        for now in self.tables.values():
            now.engine_gone = monotonic()
        self._kinds: dict[str, tuple[type[Any], Callable[[TableNow, str, Any], None]]] = {
            topic.name: (kind, handler)
            for topic, kind, handler in (
                (topics.STATE, TableView, self._state),
                (topics.OVERLAY, TableView, self._overlay),
                (topics.ENGINE_AVAILABILITY, Availability, self._engine),
                (topics.ENGINE_BEAT, EngineBeat, self._beat),
                (topics.ALERT, AlertMessage, self._alert),
                (topics.ALERTS, ActiveAlerts, self._alerts),
                (topics.ANTENNAS, AntennaMap, self._antennas),
                (topics.HEALTH, DeviceHealth, self._health),
                (topics.AVAILABILITY, Availability, self._process),
                (topics.REPLY, Reply, self._reply),
            )
        }

    # From the bus.

    def filters(self) -> tuple[str, ...]:
        """What to subscribe to: all that the web process's account may read of this site."""
        heard = (
            topics.ENGINE_AVAILABILITY,
            topics.ENGINE_BEAT,
            topics.STATE,
            topics.ALERT,
            topics.ALERTS,
            topics.ANTENNAS,
            topics.OVERLAY,
            topics.HEALTH,
            topics.AVAILABILITY,
            topics.REPLY,
        )
        return tuple(
            topic.filter(self.site, table, WEB if topic is topics.REPLY else "+")
            for table in self.tables
            for topic in heard
        )

    def take(self, topic: str, payload: bytes) -> None:
        """One message. What is none of ours, of a device that the site file does not name, or cannot be read,
        is set aside.
        """
        parsed = topics.parse(topic)
        now = self.tables.get(parsed.table) if parsed else None
        kind, handler = self._kinds.get(parsed.topic.name, (None, None)) if parsed else (None, None)
        if parsed is None or now is None or kind is None or handler is None:
            self._refuse("unknown-topic", topic)
            return
        if not payload:
            return
        name = parsed.names[0] if parsed.names else ""
        if parsed.topic.plane == "dev" and name not in now.devices:
            self._refuse("unknown-device", topic)
            return
        try:
            message = decode(payload, kind)
        except Unreadable as error:
            self._refuse(error.reason, topic, payload)
            return
        handler(now, name, message)

    def bus(self, connected: bool) -> None:
        """The connection to the broker came or went."""
        if connected:
            self._bus_gone = None
        elif self._bus_gone is None:
            self._bus_gone = self._monotonic()
        self._tell_all()

    def _refuse(self, reason: str, topic: str, payload: bytes = b"") -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1
        self._aside.put(topic, payload, reason, self._clock.now())

    def _newest(self, now: TableNow, kind: str, rev: int, message: Any) -> bool:
        """Whether a message is no older than what is shown. A broker may deliver one again, or in another
        order.

        The last one that is older is kept: it is the newest after all where its engine begins a new record
        and the message that says so comes behind it.
        """
        if rev < now.revs.get(kind, -1):
            now.late[kind] = message
            return False
        now.revs[kind] = rev
        now.late.pop(kind, None)
        return True

    def _state(self, now: TableNow, _: str, view: TableView) -> None:
        if self._newest(now, "state", view.rev, view):
            now.view = view
            self._touch("state", now)

    def _overlay(self, now: TableNow, _: str, view: TableView) -> None:
        if self._newest(now, "overlay", view.rev, view):
            now.overlay = msgspec.structs.replace(view, lines=())
            self._touch("overlay", now)

    def _engine(self, now: TableNow, _: str, availability: Availability) -> None:
        if not believed(now.engine, availability):
            return
        another = now.engine is not None and availability.epoch != now.engine.epoch
        now.engine, now.heard = availability, self._monotonic()
        self.judge()
        if another:
            now.revs.clear()
            late, now.late = now.late, {}
            for kind, handler in (
                ("state", self._state),
                ("overlay", self._overlay),
                ("alerts", self._alerts),
            ):
                if kind in late:
                    handler(now, "", late[kind])
            now.revs.clear()  # and whatever comes next is newer still

    def _beat(self, now: TableNow, _: str, __: EngineBeat) -> None:
        now.heard = self._monotonic()
        self.judge()

    def judge(self) -> None:
        """Which engines run. A last will speaks for one table only: a run of the engine that is offline at
        one table is so at all of its own.
        """
        at = self._monotonic()
        ended = {
            now.engine.epoch for now in self.tables.values() if now.engine and now.engine.state == "offline"
        }
        for now in self.tables.values():
            hung = at - now.heard > HUNG_S
            runs = now.engine is not None and now.engine.epoch not in ended and not hung
            if now.runs and not runs:
                now.engine_gone = now.heard if hung else at
                if not hung:
                    # No engine, no picture: the next engine begins with the one that may be shown. One that
                    # stands still and goes on does not say it again, and while it is away no picture is sent
                    # either.
                    now.overlay = None
                    now.revs.pop("overlay", None)
                    now.late.pop("overlay", None)
            if now.runs != runs:
                now.runs = runs
                self._touch("state", now)

    def _alert(self, now: TableNow, _: str, message: AlertMessage) -> None:
        if message.rev < now.revs.get("alerts", -1):
            return
        now.revs["alerts"] = message.rev
        alert = message.alert
        if alert.state == "closed":
            self._closed(now, alert)
            now.alerts.pop(alert.id, None)
        else:
            now.alerts[alert.id] = alert
            if len(now.alerts) > _MOST_ALERTS:
                # The list that comes with each change says which of them are shown.
                now.alerts.pop(self.open_alerts([now.name])[-1].id)
                now.more_alerts += 1
        self._touch("alerts", now)

    def _alerts(self, now: TableNow, _: str, message: ActiveAlerts) -> None:
        if self._newest(now, "alerts", message.rev, message):
            now.alerts = {alert.id: alert for alert in message.alerts if alert.state != "closed"}
            now.more_alerts = message.more
            self._touch("alerts", now)

    def _antennas(self, now: TableNow, _: str, learnt: AntennaMap) -> None:
        now.antennas = learnt

    def _closed(self, now: TableNow, alert: Alert) -> None:
        if all(other.id != alert.id for other in now.closed):
            now.closed.append(alert)

    def _health(self, now: TableNow, name: str, health: DeviceHealth) -> None:
        now.devices[name].health = health
        self._touch("devices", now)

    def _process(self, now: TableNow, name: str, availability: Availability) -> None:
        device = now.devices[name]
        if believed(device.process, availability):
            device.process = availability
            self._touch("devices", now)

    def _reply(self, _: TableNow, __: str, reply: Reply) -> None:
        waiting = self._waiting.get(reply.id)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    # To the pages.

    def away_s(self, tables: Iterable[str] = ()) -> float:
        """For how long the broker, or the engine of one of these tables, has been away; 0 where all are
        there.
        """
        gone = [self._bus_gone] if self._bus_gone is not None else []
        gone += [self.tables[name].engine_gone for name in tables if not self.tables[name].runs]
        return self._monotonic() - min(gone) if gone else 0.0

    @property
    def bus_away(self) -> bool:
        """Whether there is no connection to the broker."""
        return self._bus_gone is not None

    def alive(self, names: Iterable[str]) -> int:
        """How many of these tables have a running engine that can be heard."""
        return 0 if self._bus_gone is not None else sum(self.tables[name].runs for name in names)

    def open_alerts(self, names: Iterable[str]) -> list[Alert]:
        """The alerts that are not closed: most severe first, then oldest."""
        alerts = [alert for name in names for alert in self.tables[name].alerts.values()]
        return sorted(
            alerts, key=lambda alert: (-SEVERITIES.index(alert.severity), alert.raised_at.wall_ns, alert.id)
        )

    def touch(self, kind: str, table: str) -> None:
        """Wake whoever watches this of the table."""
        self._touch(kind, self.tables[table])

    def more_alerts(self, names: Iterable[str]) -> int:
        """How many are open beside those."""
        return sum(self.tables[name].more_alerts for name in names)

    def offered(self, names: Iterable[str]) -> dict[tuple[str, str], tuple[Choice, ...]]:
        """The rulings that tables offer, by table and alert."""
        return {
            (name, question.finding): question.choices
            for name in names
            if (view := self.tables[name].view) is not None
            for question in view.questions
        }

    def watch(self, keys: Iterable[str]) -> Watch:
        watch = Watch(keys)
        self._watches.add(watch)
        return watch

    def unwatch(self, watch: Watch) -> None:
        self._watches.discard(watch)

    def close(self) -> None:
        """All streams end, so that the server can stop."""
        self.closing = True
        for watch in self._watches:
            watch.end()

    def _touch(self, kind: str, now: TableNow) -> None:
        for watch in self._watches:
            watch.touch(f"{kind}:{now.name}")

    def _tell_all(self) -> None:
        for now in self.tables.values():
            self._touch("state", now)

    # Commands.

    async def command(self, table: str, command: Command) -> Reply:
        """Sends a command and waits for its answer; a second call with an id under way gets the same answer.

        Nothing is kept for later: without a broker or an engine it is not sent. Raises TimeoutError where no
        answer came within `ANSWER_S`, ConnectionError where it was not sent.
        """
        waiting = self._waiting.get(command.id)
        if waiting is None:
            if self.send is None or self.away_s([table]):
                raise ConnectionError
            waiting = asyncio.get_running_loop().create_future()
            self._waiting[command.id] = waiting
            self.send(topics.COMMAND.of(self.site, table, WEB), encode(command))
        try:
            async with asyncio.timeout(ANSWER_S):
                return await asyncio.shield(waiting)
        finally:
            self._waiting.pop(command.id, None)
