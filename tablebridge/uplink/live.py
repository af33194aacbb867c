"""Live pictures of the box's tables, from the broker of the box to the room.

    bus ── view, alerts, signs of life ──▶ what is known ── due ──▶ picture ──▶ key BOX.TABLE

A picture is due at once when an alert has changed, else half a second after the last, and in any case with
the next beat. Messages are taken in the order in which they arrive: the broker keeps the order of a topic,
and the engine publishes all of it again after every connection. What cannot be read is counted and left out.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tablebridge.bus import topics
from tablebridge.bus.availability import is_news
from tablebridge.bus.client import Ack
from tablebridge.bus.messages import HUNG_S, ActiveAlerts, Availability, EngineBeat, Unreadable, decode
from tablebridge.model.views import TableView
from tablebridge.stream.pictures import BEAT_S, Place, TablePicture, encode_picture, picture_subject

REST_S: Final = 0.5
"""How long a table whose alerts stay the same rests after a picture."""
_LOOK_S: Final = 0.25
_READ: Final[dict[str, tuple[topics.Topic, type[Any]]]] = {
    topic.name: (topic, kind)
    for topic, kind in (
        (topics.ENGINE_AVAILABILITY, Availability),
        (topics.ENGINE_BEAT, EngineBeat),
        (topics.STATE, TableView),
        (topics.ALERTS, ActiveAlerts),
    )
}

Write = Callable[[str, bytes], Awaitable[object]]
"""Writes a value under the subject of its key. Raises nats.errors.Error, TimeoutError, OSError."""


@dataclass
class _Known:
    """What is known of a table, and what of it the room has. `heard_s`, `sent_s`: monotonic times."""

    view: TableView | None = None
    alerts: ActiveAlerts | None = None
    engine: Availability | None = None
    heard_s: float = -HUNG_S
    heard_wall_ns: int = 0
    ran: bool = False
    changed: bool = True
    urgent: bool = False
    sent_s: float = -BEAT_S


class LivePictures:
    """The pictures of these tables of a box. `monotonic`, `wall_ns`: the clocks."""

    def __init__(
        self,
        site: str,
        box: str,
        tables: Sequence[str],
        monotonic: Callable[[], float] = time.monotonic,
        wall_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self.send: Callable[[str, bytes], None] | None = None
        self.unreadable = 0
        """How many messages of the bus could not be read."""
        self._site = site
        self._box = box
        self._tables = {table: _Known() for table in tables}
        self._monotonic = monotonic
        self._wall_ns = wall_ns
        self._connected = False
        self._wake = asyncio.Event()

    def filters(self) -> tuple[str, ...]:
        """The topics that it reads, of all its tables."""
        return tuple(topic.filter(self._site, table) for table in self._tables for topic, _ in _READ.values())

    def bus(self, connected: bool) -> None:
        """The connection to the broker was made or lost."""
        self._connected = connected
        self._wake.set()

    def take(self, topic: str, payload: bytes, ack: Ack) -> None:
        """Take one message of the bus."""
        ack()
        parsed = topics.parse(topic)
        known = self._tables.get(parsed.table) if parsed is not None else None
        read = _READ.get(parsed.topic.name) if parsed is not None else None
        if known is None or read is None or not payload:
            return
        try:
            message = decode(payload, read[1])
        except Unreadable:
            self.unreadable += 1
            return
        self._took(known, message)

    def due(self) -> list[str]:
        """The tables whose pictures are to be written now."""
        now = self._monotonic()
        found = []
        for table, known in self._tables.items():
            since = now - known.sent_s
            changed = known.changed or self._runs(known) != known.ran
            if known.urgent or since >= BEAT_S or (changed and since >= REST_S):
                found.append(table)
        return found

    def picture(self, table: str) -> TablePicture:
        """What the room is to see of a table now."""
        known = self._tables[table]
        alerts = known.alerts or ActiveAlerts((), 0)
        view = known.view and msgspec.structs.replace(known.view, lines=(), notices=(), facts=())
        return TablePicture(
            table,
            view,
            alerts.alerts,
            alerts.more,
            alerts.out,
            self._runs(known),
            known.heard_wall_ns,
            self._wall_ns(),
        )

    async def step(self, write: Write) -> None:
        """Write what is due. Raises what `write` raises: then it stays due."""
        await self._written(self.due(), write)

    async def wait(self) -> None:
        """Return when something may be due."""
        try:
            async with asyncio.timeout(_LOOK_S):
                await self._wake.wait()
        except TimeoutError:
            pass
        self._wake.clear()

    async def _written(self, tables: Iterable[str], write: Write) -> None:
        now = self._monotonic()
        writing = []
        for table in tables:
            known = self._tables[table]
            known.changed, known.urgent, known.sent_s = False, False, now
            known.ran = self._runs(known)
            subject = picture_subject(Place(self._box, table))
            writing.append((known, write(subject, encode_picture(self.picture(table)))))
        outcomes = await asyncio.gather(*(one for _, one in writing), return_exceptions=True)
        failed = [
            (known, outcome)
            for (known, _), outcome in zip(writing, outcomes, strict=True)
            if isinstance(outcome, BaseException)
        ]
        for known, _ in failed:
            known.changed = True
        if failed:
            raise failed[0][1]

    def _took(self, known: _Known, message: object) -> None:
        match message:
            case Availability() if is_news(known.engine, message):
                if message != known.engine:  # what a broker has kept is no sign of life
                    self._heard(known)
                known.engine = message
            case EngineBeat():
                self._heard(known)
            case TableView():
                known.view, known.changed = message, True
            case ActiveAlerts():
                before = () if known.alerts is None else known.alerts.alerts
                known.urgent = known.urgent or before != message.alerts
                known.alerts, known.changed = message, True
                if known.urgent:
                    self._wake.set()

    def _heard(self, known: _Known) -> None:
        known.heard_s, known.heard_wall_ns = self._monotonic(), self._wall_ns()

    def _runs(self, known: _Known) -> bool:
        """Whether the engine runs and is heard. A last will speaks on the topic of one table for all."""
        ended = {
            other.engine.epoch
            for other in self._tables.values()
            if other.engine is not None and other.engine.state == "offline"
        }
        return (
            self._connected
            and known.engine is not None
            and known.engine.epoch not in ended
            and self._monotonic() - known.heard_s <= HUNG_S
        )
