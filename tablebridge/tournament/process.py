"""The process of a room: `tablebridge room`.

It hears the staff's picture of every table and nothing of the cards that lie face down. A report is recorded
before the room's new picture is published, a command before it is answered.
"""

import logging
import signal
from typing import Final

import msgspec

from tablebridge.bus import topics
from tablebridge.bus.access import ROOM
from tablebridge.bus.account import account, client_id
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import Unreadable, decode, encode
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.model.rooms import RoomCommand
from tablebridge.model.views import TableView
from tablebridge.room.reported import Report, Sitting
from tablebridge.settings.site import Site
from tablebridge.settings.state import ROOM_FILE
from tablebridge.tournament.desk import Desk
from tablebridge.watchdog import Watchdog

log = logging.getLogger(__name__)

_ROUND_S: Final = 0.25
_OVER: Final = ("over", "void")


class RoomProcess:
    """Follows the tables of a site until `stop`. Raises ConfigError, JournalError."""

    def __init__(self, site: Site, clock: Clock | None = None) -> None:
        self._site = site
        self._clock = clock or SystemClock()
        self._watchdog = Watchdog()
        self._stopped = False
        self._changed = True
        self._tables = tuple(table.name for table in site.tables)
        self.desk = Desk(ROOM_FILE.path(site.state_dir), f"room of {site.name}", self._clock.now)
        self._client = self._connection()

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self.stop())
        self._watchdog.ready(f"{len(self._tables)} tables")
        try:
            while not self._stopped:
                self.step()
                self._watchdog.worked()
        finally:
            self._watchdog.stopping()
            self._client.close()
            self.desk.close()

    def stop(self) -> None:
        """End `run` after the present round."""
        self._stopped = True

    def step(self) -> None:
        """One round with the broker."""
        self._client.step(_ROUND_S)
        if self._changed and self._client.connected:
            self._changed = False
            self._client.publish(self._topic(topics.ROOM_STATE), encode(self.desk.view()), retain=True)

    def _connection(self) -> BusClient:
        user, password = account(self._site, ROOM)
        client = BusClient(self._site.broker, client_id(ROOM, password), user, password)
        client.on_message = self._message
        client.on_up = lambda _: self._up()
        for table in self._tables:
            client.subscribe(topics.STATE.of(self._site.name, table))
        client.subscribe(topics.ROOM_COMMAND.filter(self._site.name))
        client.subscribe(topics.ROOM_IMPORT.filter(self._site.name))
        return client

    def _up(self) -> None:
        self._changed = True

    def _message(self, topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        known = topics.parse(topic)
        try:
            if known is None or not payload:
                pass
            elif known.topic is topics.STATE and known.table in self._tables:
                view = decode(payload, TableView)
                self._changed |= self.desk.report(report_of(view))
            elif known.topic is topics.ROOM_COMMAND and not retained:
                self._answer(decode(payload, RoomCommand), topics.ROOM_REPLY)
            elif known.topic is topics.ROOM_IMPORT and not retained:
                self._answer(decode(payload, RoomCommand), topics.ROOM_IMPORTED, role="tournament")
        except Unreadable as error:
            log.error("a message on %s cannot be read (%s) and is left out", topic, error.reason)
        ack()

    def _answer(self, command: RoomCommand, on: topics.Topic, role: str = "") -> None:
        # What comes by the topic of tournament software is tournament software's, whatever it says it is.
        wanted = msgspec.structs.replace(command, role=role) if role else command
        reply = self.desk.command(wanted)
        self._changed = True
        self._client.publish(self._topic(on), encode(reply))

    def _topic(self, topic: topics.Topic) -> str:
        """What is of no table stands at the first one."""
        return topic.of(self._site.name, self._tables[0])


def report_of(view: TableView) -> Report:
    """What a table's picture says of seats and positions. A bet is the player's until the hand is over."""
    seats = {
        seat.seat: Sitting(seat.name, seat.stack + seat.bet) for seat in view.seats if seat.state != "empty"
    }
    over = view.street in _OVER
    return Report(view.table, view.hand, over, seats, view.button, view.small, view.big)
