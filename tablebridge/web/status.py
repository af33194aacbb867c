"""What is known of one table and its devices, from the messages of the bus.

A broker may deliver a message again, or in another order, so each kind of message is taken by its revision:
an older one is not shown. The last older one is kept all the same: it is the newest after all if its engine
begins a new record and the message that says so arrives behind it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tablebridge.bus.availability import is_news
from tablebridge.bus.messages import (
    HUNG_S,
    MOST_ALERTS,
    ActiveAlerts,
    AlertMessage,
    AntennaMap,
    Availability,
    DeviceHealth,
    HistoryPage,
    TableCounters,
)
from tablebridge.model.alerts import Alert, by_urgency, closed_at
from tablebridge.model.floor_marks import OutOfService
from tablebridge.model.overlay import OverlayPicture, OverlayView
from tablebridge.model.places import Place, is_for_chips
from tablebridge.model.views import Choice, TableView
from tablebridge.odds.picture import with_odds

_KEPT_CLOSED: Final = 50
_MOST_ALERTS: Final = 2 * MOST_ALERTS


@dataclass
class DeviceStatus:
    """One device of a table. `driver`, and the `places` that its antennas read: from the site file."""

    name: str
    driver: str
    places: tuple[Place, ...] = ()
    health: DeviceHealth | None = None
    process: Availability | None = None

    @property
    def state(self) -> str:
        """`live`, `stale` or `lost`. A device whose driver has ended, or that never reported, is lost."""
        if self.health is None or (self.process is not None and self.process.state == "offline"):
            return "lost"
        return self.health.state

    @property
    def why(self) -> str:
        """The reason for the state, as text."""
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
class TableStatus:
    """What is known of one table.

    `overlay` may hold hole cards; `view` and `public` never do. `runs`: whether its engine runs and can be
    heard. `more_alerts`: how many are open beside `alerts`; `out`: what is out of service. `heard_at`,
    `away_since`: when the engine was last heard, and since when it has been away, by the hub's monotonic
    clock. `changes`: how often the hub has reported a change of what is shown.

    The `take_` methods apply one message each; they say whether what is shown has changed.
    """

    name: str
    view: TableView | None = None
    public: TableView | None = None
    overlay: OverlayPicture | None = None
    engine: Availability | None = None
    runs: bool = False
    alerts: dict[str, Alert] = field(default_factory=dict)
    more_alerts: int = 0
    out: tuple[OutOfService, ...] = ()
    devices: dict[str, DeviceStatus] = field(default_factory=dict)
    antennas: AntennaMap | None = None
    counters: TableCounters | None = None
    away_since: float = 0.0
    heard_at: float = 0.0
    changes: int = 0
    _closed: dict[str, AlertMessage] = field(default_factory=dict)
    _revs: dict[str, int] = field(default_factory=dict)
    _late: dict[str, Any] = field(default_factory=dict)

    @property
    def rev(self) -> int:
        """The journal record that the view is true of, 0 without a view."""
        return self.view.rev if self.view else 0

    @property
    def open_alerts(self) -> list[Alert]:
        """The alerts that are not closed, most severe first, then oldest."""
        return sorted(self.alerts.values(), key=by_urgency)

    @property
    def closed(self) -> list[Alert]:
        """The alerts that were closed last, the latest first."""
        return sorted((message.alert for message in self._closed.values()), key=closed_at, reverse=True)

    @property
    def blind(self) -> bool:
        """Whether a device that reads cards is lost."""
        return any(
            device.state == "lost" and not all(map(is_for_chips, device.places))
            for device in self.devices.values()
        )

    def reads_at(self, place: Place) -> bool:
        """Whether an antenna reads the cards of this place."""
        return any(place in device.places for device in self.devices.values())

    # Views and alerts, by their revision.

    def take_state(self, view: TableView) -> bool:
        if not self._is_newest("state", view.rev, view):
            return False
        self.view = view
        return True

    def take_public(self, view: TableView) -> bool:
        if not self._is_newest("public", view.rev, view):
            return False
        self.public = view
        return True

    def take_overlay(self, view: OverlayView) -> bool:
        if not self._is_newest("overlay", view.rev, view):
            return False
        self.overlay = with_odds(view)
        return True

    def take_alert(self, message: AlertMessage) -> bool:
        alert = message.alert
        late = message.rev < self._revs.get("alerts", -1)
        # Even if the list without it arrived first: only this message says who closed it.
        reopened = late and alert.id in self.alerts
        newly_closed = alert.state == "closed" and not reopened and self._close(message)
        if late:
            return newly_closed
        self._revs["alerts"] = message.rev
        if alert.state == "closed":
            self.alerts.pop(alert.id, None)
            return True
        self._closed.pop(alert.id, None)
        self.alerts[alert.id] = alert
        if len(self.alerts) > _MOST_ALERTS:
            # The list that comes with each change says which of them are shown.
            self.alerts.pop(self.open_alerts[-1].id)
            self.more_alerts += 1
        return True

    def take_closed(self, page: HistoryPage) -> None:
        later = [message for message in self._closed.values() if message.rev > page.rev]
        self._closed.clear()
        for message in (*(AlertMessage(alert, page.rev) for alert in reversed(page.closed)), *later):
            self._close(message)

    def _close(self, message: AlertMessage) -> bool:
        """Keep an alert that was closed, unless it is kept already. Whether it was not."""
        known = self._closed.get(message.alert.id)
        if known is not None and known.rev >= message.rev:
            return False
        self._closed[message.alert.id] = message
        if len(self._closed) > _KEPT_CLOSED:
            del self._closed[min(self.closed, key=closed_at).id]
        return True

    def take_alerts(self, message: ActiveAlerts) -> bool:
        if not self._is_newest("alerts", message.rev, message):
            return False
        self.alerts = {alert.id: alert for alert in message.alerts if alert.state != "closed"}
        self.more_alerts, self.out = message.more, message.out
        return True

    def _is_newest(self, kind: str, rev: int, message: Any) -> bool:
        """Whether a message is no older than what is shown; an older one is kept as the last late one."""
        if rev < self._revs.get(kind, -1):
            self._late[kind] = message
            return False
        self._revs[kind] = rev
        self._late.pop(kind, None)
        return True

    # The engine.

    def take_engine(self, availability: Availability, now: float) -> bool:
        if not is_news(self.engine, availability):
            return False
        if availability != self.engine:  # what a broker has kept is no sign of life
            self.engine, self.heard_at = availability, now
        return True

    def begin_record(self) -> list[str]:
        """Another run of the engine has begun a new record, whose revisions begin again. The kinds of message
        that had arrived late and are shown now.
        """
        self._revs.clear()
        self._closed = {id: AlertMessage(closed.alert, 0) for id, closed in self._closed.items()}
        late, self._late = self._late, {}
        handlers: dict[str, Callable[[Any], bool]] = {
            "state": self.take_state,
            "public": self.take_public,
            "overlay": self.take_overlay,
            "alerts": self.take_alerts,
        }
        shown = [kind for kind, take in handlers.items() if kind in late and take(late[kind])]
        self._revs.clear()  # whatever comes next is newer still
        return shown

    def check_engine(self, ended: set[str], now: float, connected_at: float) -> bool:
        """Decide whether the engine runs, and say whether that has changed. `ended`: the runs that are
        offline at any table. `connected_at`: when the broker was reached; who was heard before it may be
        gone.
        """
        hung = now - self.heard_at > HUNG_S or self.heard_at < connected_at
        runs = self.engine is not None and self.engine.epoch not in ended and not hung
        if self.runs and not runs:
            self.away_since = self.heard_at if hung else now
            if not hung:
                # Without an engine there is no picture: the next engine begins with the picture that may be
                # shown. An engine that hangs and recovers does not publish it again, and no picture is sent
                # while it is away.
                self.overlay = None
                self._revs.pop("overlay", None)
                self._late.pop("overlay", None)
        changed, self.runs = self.runs != runs, runs
        return changed

    # Devices and antennas.

    def take_health(self, device: str, health: DeviceHealth) -> bool:
        self.devices[device].health = health
        return True

    def take_process(self, device: str, availability: Availability) -> bool:
        status = self.devices[device]
        if not is_news(status.process, availability):
            return False
        status.process = availability
        return True


def offered(statuses: Iterable[TableStatus]) -> dict[tuple[str, str], tuple[Choice, ...]]:
    """The rulings that tables offer, by table and alert."""
    return {
        (status.name, question.finding): question.choices
        for status in statuses
        if status.view is not None
        for question in status.view.questions
    }
