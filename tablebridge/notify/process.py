"""The process that notifies people: `tablebridge notify`.

It hears the calls of all tables and nothing else of them. What follows is on disk before a message of the bus
is acknowledged, a thread for each person sends it, and another process goes on where this one ended. If no
engine is heard for `SILENT_S` there is nobody who would ring: that is a call of its own, for everybody.
"""

import logging
import os
import random
import secrets
import signal
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from tablebridge import private
from tablebridge.bus import topics
from tablebridge.bus.access import NOTIFY
from tablebridge.bus.account import account, client_id
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import Availability, Unreadable, decode, encode, latest_passes, notifier_state
from tablebridge.deliveries.queue import Deliveries
from tablebridge.deliveries.receiver import Receiver
from tablebridge.deliveries.sending import Sending
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.model.calls import Call, NotifierState, OpenCalls, TestCall
from tablebridge.model.instant import Instant, seconds_between
from tablebridge.notify.desk import Desk, Kept, reachable
from tablebridge.notify.notice import WARNING, Notice, labels, test_text
from tablebridge.notify.ntfy import NtfyWay
from tablebridge.notify.reach import Reach, Way
from tablebridge.settings.people import TOPIC, People, Person
from tablebridge.settings.site import Site
from tablebridge.settings.state import CALLED, NOTICES
from tablebridge.watchdog import Watchdog

log = logging.getLogger(__name__)

SILENT_S: Final = 10.0
MOST: Final = 500
OLDEST_S: Final = 600.0
"""Of each person as many notices wait for so long: later ones say more than these."""
_ROUND_S: Final = 0.25
_HEARD: Final = (topics.CALLS, topics.ENGINE_BEAT, topics.ENGINE_AVAILABILITY, topics.TEST_CALL)


class NotifyProcess:
    """Notifies the people of a site until `stop`. Raises ConfigError."""

    def __init__(self, site: Site, people: People, clock: Clock | None = None) -> None:
        self._site = site
        self._people = people
        self._clock = clock or SystemClock()
        self._watchdog = Watchdog()
        self._stopped = False
        self._connected_ns = 0
        self._epoch = str(self._clock.now().monotonic_ns)
        self._called = CALLED.path(site.state_dir)
        self._desk = Desk(site.name, people, lambda: secrets.token_urlsafe(24), self._read_called())
        self._reaches = {person.name: self._reach(person) for person in people.people}
        self._receivers = {name: _receiver(name, reach) for name, reach in self._reaches.items()}
        self._sending = Sending(tuple(self._receivers.values()), NOTICES.path(site.state_dir), Notice)
        self._done: deque[Callable[[], None]] = deque()
        self._changed = True
        self._heard_at: Instant | None = None
        self._away = False
        self._tables = tuple(table.name for table in site.tables)
        self._client = self._connection()

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self.stop())
        self._sending.start()
        self._watchdog.ready(f"{len(self._people.people)} people")
        try:
            while not self._stopped:
                self.step()
                self._watchdog.worked()
        finally:
            self._watchdog.stopping()
            self._sending.stop()
            self._settle()
            self._publish_state("stopped")
            self._client.close()

    def stop(self) -> None:
        """End `run` after the present round."""
        self._stopped = True

    def step(self) -> None:
        """One round with the broker, and what is due by time."""
        self._client.step(_ROUND_S)
        self._settle()
        now = self._clock.now()
        if self._heard_at is None:
            self._heard_at = now
        away = seconds_between(self._heard_at, now) > SILENT_S
        if away != self._away:
            self._away = away
            calls = (Call("engine-away", "engine-away", "critical", "raised", now, now),) if away else ()
            self._send("", OpenCalls(calls, 0), lambda: None)
        if self._changed and self._client.connected:
            self._changed = False
            self._publish_state("online")

    # The bus.

    def _connection(self) -> BusClient:
        user, password = account(self._site, NOTIFY)
        client = BusClient(self._site.broker, client_id(NOTIFY, password), user, password, self._will)
        client.on_message = self._message
        client.on_up = lambda _: self._up()
        for table in self._tables:
            client.subscribe(*(topic.filter(self._site.name, table) for topic in _HEARD))
        return client

    def _will(self) -> tuple[str, bytes]:
        self._connected_ns = self._clock.now().wall_ns
        return self._topic(topics.NOTIFIER), encode(self._state("offline"))

    def _up(self) -> None:
        self._changed = True
        for table in self._tables:
            self._publish_passes(table)

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        known = topics.parse(topic)
        try:
            if known is None or known.table not in self._tables or not payload:
                ack()
            elif known.topic is topics.CALLS:
                self._send(known.table, decode(payload, OpenCalls), ack)
            elif known.topic is topics.TEST_CALL:
                self._test(decode(payload, TestCall), lambda: self._done.append(ack))
            else:
                beats = known.topic is topics.ENGINE_BEAT
                if beats or decode(payload, Availability).state == "online":
                    self._heard_at = self._clock.now()
                ack()
        except Unreadable as error:
            log.error("a message on %s cannot be read (%s) and is left out", topic, error.reason)
            ack()

    def _send(self, table: str, calls: OpenCalls, kept: Callable[[], None]) -> None:
        """Send what follows from the calls of a table: it is on disk before it is noted that it was sent, and
        a pass is published before its notice can arrive.
        """
        passes = self._desk.passes(table)
        notices = self._desk.take(table, calls)
        if table and self._desk.passes(table) != passes:
            self._publish_passes(table)
        if not notices:
            kept()
            return
        called = msgspec.json.encode(self._desk.kept)

        def noted() -> None:
            self._write_called(called)
            kept()

        wanted = [(self._receivers[notice.person], notice) for notice in notices]
        self._sending.put(wanted, lambda: self._done.append(noted))

    def _test(self, wanted: TestCall, kept: Callable[[], None]) -> None:
        person = next((person for person in self._people.people if person.name == wanted.by), None)
        if person is None:
            kept()
            return
        text = test_text(person.language)
        notice = Notice(
            f"test-{wanted.id}",
            f"test-{secrets.token_hex(8)}",
            person.name,
            "test",
            WARNING,
            text.title,
            text.body,
            labels=labels(person.language),
        )
        self._sending.put([(self._receivers[person.name], notice)], kept)

    def _settle(self) -> None:
        """Do what waited until notices were on disk."""
        while self._done:
            self._done.popleft()()

    def _topic(self, topic: topics.Topic) -> str:
        """What is of no table stands at the first one."""
        return topic.of(self._site.name, self._tables[0])

    def _publish_state(self, state: str) -> None:
        self._client.publish(self._topic(topics.NOTIFIER), encode(self._state(state)), retain=True)

    def _publish_passes(self, table: str) -> None:
        now_ns = self._clock.now().wall_ns
        valid = [found for found in self._desk.passes(table) if found.until_wall_ns > now_ns]
        message = encode(latest_passes(valid))
        self._client.publish(topics.PASSES.of(self._site.name, table), message, retain=True)

    def _state(self, state: str) -> NotifierState:
        failing = sorted(name for reach in self._reaches.values() for name in reach.failing)
        people = reachable(self._people)
        whole = NotifierState(state, self._epoch, self._connected_ns, people, tuple(failing))  # type: ignore[arg-type]
        return notifier_state(whole)

    # People, and what they were sent.

    def _reach(self, person: Person) -> Reach:
        ways: dict[str, Way] = {}
        for number, address in enumerate(person.ways, 1):
            kind = address.partition(":")[0]
            ways[f"{kind} of {person.name}" + (f" ({number})" if number > 1 else "")] = self._way(
                address, person.name
            )
        return Reach(ways, self._desk.is_outdated, self._note_change)

    def _way(self, address: str, person: str) -> Way:
        if TOPIC.fullmatch(address):
            return NtfyWay(self._people, address.partition(":")[2])
        from tablebridge.notify.others import AppriseWay  # the extra that brings it may be missing

        return AppriseWay(address, person, self._people.pages)

    def _note_change(self) -> None:
        self._changed = True

    def _read_called(self) -> Kept:
        try:
            return msgspec.json.decode(self._called.read_bytes(), type=Kept)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            log.warning("%s cannot be read (%s): open alerts are sent again", self._called, error)
            return {}

    def _write_called(self, called: bytes) -> None:
        try:
            private.own_folder(self._called.parent)
            private.write(self._called, called)
        except OSError as error:
            log.error("%s cannot be written (%s): a restart sends open alerts again", self._called, error)


def _receiver(name: str, reach: Reach) -> Receiver[Notice]:
    queue: Deliveries[Notice] = Deliveries(random.random, most=MOST, oldest_s=OLDEST_S)
    return Receiver(name, f"notifications of {name}", reach.send, queue)


def people_file(site: Site) -> Path | None:
    """The file of people: systemd's credential if the unit has one, else what the site file names."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY", "")
    credential = Path(folder) / "people"
    return credential if folder and credential.exists() else site.people
