"""Events of a site, made from the messages that the engine publishes: what is sent was recorded before."""

from collections import OrderedDict
from datetime import UTC, datetime
from typing import Final

from tablebridge.bus.messages import AlertMessage, FindingMessage, HandEvent
from tablebridge.model.alerts import Alert
from tablebridge.model.instant import Instant
from tablebridge.model.site_event import SCHEMA, EventName, SiteEvent

_REMEMBERED: Final = 4_096
_OF_ALERT: Final[dict[str, EventName]] = {
    "raised": "alert-raised",
    "acknowledged": "alert-acknowledged",
    "taken": "alert-taken",
    "ruled": "alert-ruled",
    "closed": "alert-closed",
}


class SiteEvents:
    """Makes each event once, though a broker may deliver a message again and an alert is published at each
    change.
    """

    def __init__(self, site: str) -> None:
        self._site = site
        self._made: OrderedDict[str, None] = OrderedDict()

    def of_hand(self, table: str, message: HandEvent) -> SiteEvent | None:
        """The event of a hand; None if it was made before."""
        return self._once(
            SiteEvent(
                SCHEMA,
                f"{table}-{message.rev}-{message.event}",
                message.event,
                self._site,
                table,
                _time(message.at),
                message.hand,
                message.street,
                message.seat,
                message.action,
                message.amount,
                message.entry,
            ),
            message.at,
        )

    def of_finding(self, table: str, message: FindingMessage) -> SiteEvent | None:
        """The event of a finding; None if it was made before. Faces and sentence stay here."""
        found = message.finding
        return self._once(
            SiteEvent(
                SCHEMA,
                f"{table}-{found.id}-finding",
                "finding",
                self._site,
                table,
                _time(message.at),
                found.hand,
                found.street,
                found.seat,
                finding=found.finding,
                severity=found.severity,
                cause=found.cause or "",
                rule=found.rule or "",
                device=found.device,
            ),
            message.at,
        )

    def of_alert(self, table: str, message: AlertMessage) -> SiteEvent | None:
        """The event of an alert's present state; None if that was made before."""
        alert = message.alert
        at = _changed_at(alert)
        return self._once(
            SiteEvent(
                SCHEMA,
                f"{table}-{alert.id}-{alert.state}-{alert.times}",
                _OF_ALERT[alert.state],
                self._site,
                table,
                _time(at),
                alert.hand,
                alert.street,
                alert.seat,
                finding=alert.finding,
                severity=alert.severity,
                cause=alert.cause or "",
                rule=alert.rule or "",
                device=alert.device,
                alert=alert.id,
            ),
            at,
        )

    def _once(self, event: SiteEvent, at: Instant) -> SiteEvent | None:
        # Numbers begin again with a new record, so the time belongs to what makes an event another one.
        key = f"{event.id} {at.wall_ns}"
        if key in self._made:
            return None
        self._made[key] = None
        if len(self._made) > _REMEMBERED:
            self._made.popitem(last=False)
        return event


def _changed_at(alert: Alert) -> Instant:
    return alert.life[-1].at if alert.life else alert.raised_at


def _time(at: Instant) -> str:
    """UTC to the millisecond; a clock beyond the calendar gives its nearest end."""
    seconds = min(max(at.wall_ns // 1_000_000_000, 0), 253_402_300_799)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{at.wall_ns // 1_000_000 % 1000:03d}Z"
