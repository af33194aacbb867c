"""The engine's process: the tables of this box, each a core, on one connection to the broker.

One thread, one loop: a round with the broker, then everything that arrived in it, table by table, in one
commit each, or in one with what comes within `commit_within_s` if nothing follows from it; right after the
commit its alerts and findings; then the acknowledgements, then the pictures to publish. What the broker does
not take waits: retained pictures in their newest form, events in order.

No message ends the process (`served.py`). A picture that does not fit into a message is dropped and entered
as a fault.
"""

import logging
import signal
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from tablebridge import __version__
from tablebridge.app.calibration import CalibrationKeeper
from tablebridge.app.far_acts import command_of
from tablebridge.app.intake import Intake
from tablebridge.app.opening import open_core
from tablebridge.app.publisher import Publisher
from tablebridge.app.reporter import Reporter
from tablebridge.app.second_engine import SecondEngine
from tablebridge.app.served import Served
from tablebridge.app.wear import WearKeeper
from tablebridge.bus import topics
from tablebridge.bus.account import account, client_id
from tablebridge.bus.aside import Aside
from tablebridge.bus.availability import Life
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import (
    Availability,
    Command,
    DeviceHealth,
    DeviceMeta,
    EngineBeat,
    FarAct,
    HistoryRequest,
    Reply,
    TimelineRequest,
    Unreadable,
    decode,
    encode,
)
from tablebridge.bus.topics import Parsed, Topic
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.model.calls import NotifierState
from tablebridge.model.errors import SecondEngineError
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import JOURNAL_ASIDE
from tablebridge.watchdog import Watchdog

_log: Final = logging.getLogger(__name__)
_ROUND_S: Final = 1.0
_WAITING_S: Final = 0.02
"""How soon a reading that waits is looked at again."""
_RECEIVE_NS: Final = 20_000_000
"""How long messages are received before they are committed."""


_HEARD: Final = (
    topics.READING,
    topics.META,
    topics.AVAILABILITY,
    topics.HEALTH,
    topics.COMMAND,
    topics.HISTORY,
    topics.TIMELINE,
    topics.PREVIEW,
    topics.FAR_ACT,
    topics.ENGINE_AVAILABILITY,
    topics.ENGINE_BEAT,
    topics.NOTIFIER,
)
_OF_PERSONS: Final = {topics.COMMAND: topics.REPLY, topics.FAR_ACT: topics.FAR_REPLY}
"""What persons want, each with the topic of its answer."""
_OWN_ERROR: Final = (
    "The engine met an error of its own and did nothing of this. The floor has an alert; the log says where."
)
Handler = Callable[[Served, Parsed, Any, bool], None]


class EngineProcess:
    """`tablebridge engine`: run until `stop`. Raises ConfigError, JournalError, SecondEngineError."""

    def __init__(self, site: Site, clock: Clock | None = None, watchdog: Watchdog | None = None) -> None:
        self._site = site
        self._clock = clock or SystemClock()
        self._watchdog = watchdog or Watchdog()
        self._aside = Aside(JOURNAL_ASIDE.path(site.state_dir))
        self._tables = {table.name: _served(site, table, self._aside, self._clock) for table in site.tables}
        self._life = Life(
            str(self._clock.now().monotonic_ns),
            "the engine's process ended",
            lambda: self._clock.now().wall_ns,
        )
        self._second_at = ""
        self._others = SecondEngine(self._life.epoch, self._life.started_wall_ns)
        self._stopped = False
        self._heard = 0
        self._client = self._connection()
        self._publisher = Publisher(
            self._client, site.name, lambda table: self._tables[table].faults.add("too-long")
        )
        self._reporter = Reporter(self._publisher, self._tables, self._life)
        for name, served in self._tables.items():
            served.begun = partial(self._begun, name, served)
            served.core.committed = partial(self._committed, name, served)
        self._handlers: dict[str, tuple[type[Any], Handler]] = {
            topics.META.name: (DeviceMeta, self._meta),
            topics.AVAILABILITY.name: (Availability, self._availability),
            topics.HEALTH.name: (DeviceHealth, self._health),
            topics.COMMAND.name: (Command, self._command),
            topics.HISTORY.name: (HistoryRequest, partial(self._page, topics.HISTORY_PAGE)),
            topics.TIMELINE.name: (TimelineRequest, partial(self._page, topics.TIMELINE_PAGE)),
            topics.PREVIEW.name: (Command, partial(self._page, topics.PREVIEWED)),
            topics.FAR_ACT.name: (FarAct, self._command),
            topics.ENGINE_AVAILABILITY.name: (Availability, self._engine_availability),
            topics.ENGINE_BEAT.name: (EngineBeat, self._engine_beat),
            topics.NOTIFIER.name: (NotifierState, lambda served, _, state, __: served.notifier(state)),
        }

    def _connection(self) -> BusClient:
        """The connection to the broker, with all that the engine subscribes to."""
        site = self._site
        user, password = account(site, "engine")
        # A will speaks on one topic: with several tables the first one's carries it for all of them.
        first = next(iter(self._tables), None)
        will = (
            None
            if first is None
            else lambda: (topics.ENGINE_AVAILABILITY.of(site.name, first), encode(self._life.will()))
        )
        client = BusClient(site.broker, client_id("engine", password), user, password, will)
        client.on_message = self._message
        client.on_up = self._up
        for name in self._tables:
            client.subscribe(*(topic.filter(site.name, name) for topic in _HEARD))
        return client

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self.stop())
        self._watchdog.ready(f"{len(self._tables)} tables, version {__version__}")
        try:
            while not self._stopped:
                self.step()
                self._watchdog.worked()
            for served in self._tables.values():
                served.finish()
        finally:
            self._watchdog.stopping()
            for served in self._tables.values():
                served.antennas.save()
            for name in self._tables:
                self._publisher.picture(
                    topics.ENGINE_AVAILABILITY, name, self._life.says("offline", "stopped")
                )
            self._publisher.send()
            self._client.close()

    def stop(self) -> None:
        self._stopped = True

    def step(self) -> None:
        """One round: broker, commits, acknowledgements, what is to be published. Raises SecondEngineError."""
        self._receive()
        now = self._clock.now()
        for name, served in self._tables.items():
            served.intake.let_in(now.monotonic_ns)
            served.take()
            served.tick(now)
            for fault in served.faults.due(now):
                served.core.note(fault, now, fault.device)
            served.wear.hand(served.core.table.hand_number, served.core.take_reads, now)
            for failing in served.antennas.hand(served.core.table.hand_number):
                served.core.note(failing.event, now, failing.event.device)
            if served.core.table.street in ("over", "void"):
                served.antennas.take_measured(served.core.calibrations, now)
            if (learnt := served.antennas.learnt(now.wall_ns)) is not None:
                served.learnt = learnt
                self._publisher.picture(topics.ANTENNAS, name, learnt)
            while served.later and not served.core.catching_up:
                served.later.pop(0)()
            self._collect(name, served)
        self._publisher.send()
        self._reporter.beat(now)
        if self._second_at:
            raise _second_engine(self._second_at)

    def _receive(self) -> None:
        """Wait for something, then take all that has come, but for no longer than a person notices."""
        heard = self._heard
        self._client.step(self._until())
        until_ns = self._clock.now().monotonic_ns + _RECEIVE_NS
        while heard != self._heard and self._clock.now().monotonic_ns < until_ns:
            heard = self._heard
            self._client.step(0.0)

    def _until(self) -> float:
        now = self._clock.now().monotonic_ns
        longest_s = _WAITING_S if any(served.intake.waits for served in self._tables.values()) else _ROUND_S
        wakes = [wake for served in self._tables.values() if (wake := served.core.wake_ns) is not None]
        return min(longest_s, max(0.0, (min(wakes) - now) / 1e9)) if wakes else longest_s

    # What arrives.

    def _message(self, topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        self._heard += 1
        known = topics.parse(topic)
        served = self._tables.get(known.table) if known is not None else None
        if known is None or served is None or not payload:  # an empty payload clears what was retained
            ack()
            return
        name = known.names[0] if known.names else "engine"
        if not served.has(known.topic, name):
            self._aside.put(topic, payload, "not-of-this-table", self._clock.now())
            ack()
            return
        if known.topic is topics.READING:
            served.batch(name, topic, payload, ack)
            return
        kind, handle = self._handlers[known.topic.name]
        try:
            message = decode(payload, kind)
        except Unreadable as error:
            served.set_aside(name, topic, payload, error.reason)
            ack()
            return
        # What was read before a person spoke is entered before it.
        served.take()
        doing = partial(self._do, served, known, handle, message, retained, ack)
        if served.core.catching_up and known.topic in _OF_PERSONS:
            served.later.append(doing)
        else:
            doing()

    def _do(
        self, served: Served, known: Parsed, handle: Handler, message: Any, retained: bool, ack: Ack
    ) -> None:
        if not served.survived(lambda: handle(served, known, message, retained)):
            served.set_aside(
                known.names[0],
                known.topic.of(self._site.name, known.table, *known.names),
                encode(message),
                "unforeseen",
            )
            if known.topic in _OF_PERSONS:
                self._answer(known, Reply(message.id, False, _OWN_ERROR))
        ack()

    def _meta(self, served: Served, known: Parsed, meta: DeviceMeta, retained: bool) -> None:
        if meta.device == known.names[0]:
            served.core.birth(meta, self._clock.now(), retained=retained)

    def _availability(
        self, served: Served, known: Parsed, availability: Availability, _retained: bool
    ) -> None:
        served.availability(known.names[0], availability)

    def _engine_availability(
        self, served: Served, known: Parsed, availability: Availability, _retained: bool
    ) -> None:
        """The late will of a connection that is over must not stand: this engine runs."""
        if self._others.availability(availability):
            self._second(served, known.table, availability)
        elif availability.state == "offline":
            self._publisher.picture(topics.ENGINE_AVAILABILITY, known.table, self._life.says("online"))

    def _engine_beat(self, served: Served, known: Parsed, beat: EngineBeat, _retained: bool) -> None:
        if self._others.beat(beat, self._clock.now()):
            self._second(served, known.table, beat)

    def _second(self, served: Served, table: str, other: EngineBeat | Availability) -> None:
        """Another engine serves the table. The one that was started later ends."""
        if self._others.yields(other):
            self._second_at = table
        served.faults.add("second-engine")

    def _health(self, served: Served, known: Parsed, health: DeviceHealth, retained: bool) -> None:
        served.device_health(known.names[0], health, retained=retained)

    def _command(self, served: Served, known: Parsed, wanted: Command | FarAct, retained: bool) -> None:
        command = command_of(wanted) if isinstance(wanted, FarAct) else wanted
        reply = served.core.command(command, self._clock.now(), retained=retained)
        self._answer(known, replace(reply, id=wanted.id))

    def _page(self, topic: Topic, served: Served, known: Parsed, request: Any, _retained: bool) -> None:
        self._answer(known, served.page(request), topic)

    def _answer(self, known: Parsed, answer: Any, topic: Topic | None = None) -> None:
        self._publisher.event(topic or _OF_PERSONS[known.topic], known.table, answer, known.names[0])

    # What leaves.

    def _up(self, _session_present: bool) -> None:
        """After every connection: that the engine runs, and everything that the broker may have forgotten."""
        for name, served in self._tables.items():
            served.core.connected(
                (device for device, places in served.devices.items() if places), self._clock.now()
            )
            # The overlay's picture goes first: nobody is shown what the broker kept of it once it is known
            # that an engine runs.
            self._collect(name, served)
            if served.overlay is not None:
                self._publisher.again(topics.OVERLAY, name, served.overlay)
            self._publisher.picture(topics.ENGINE_AVAILABILITY, name, self._life.says("online"))
            self._begun(name, served)
            if served.learnt is not None:
                self._publisher.picture(topics.ANTENNAS, name, served.learnt)

    def _begun(self, name: str, served: Served) -> None:
        """The table was folded, or the broker may have forgotten it: what it shows is shown again."""
        served.core.committed = partial(self._committed, name, served)
        for topic, message in served.core.retained():
            self._publisher.picture(topic, name, message)

    def _committed(self, name: str, served: Served) -> None:
        """Alerts and findings go out before acknowledgements and pictures are made: people wait for them."""
        self._collect(name, served)
        self._publisher.send_events()

    def _collect(self, name: str, served: Served) -> None:
        while served.core.messages:
            topic, message = served.core.messages.popleft()
            served.tally.leaves(topic, message)
            if topic.retained:
                payload = self._publisher.picture(topic, name, message)
                if topic is topics.OVERLAY and payload is not None:
                    served.overlay = payload
            else:
                self._publisher.event(topic, name, message)
        while served.core.asks:
            ask = served.core.asks.popleft()
            served.tally.asked(ask.device)
            self._publisher.event(topics.REPLAY, name, ask.request, ask.device)


def _second_engine(table: str) -> SecondEngineError:
    return SecondEngineError(
        f"another engine serves table {table} on this broker and was started first: this "
        "one ends. Stop the other one for good, then start this one again."
    )


def _served(site: Site, table: Table, aside: Aside, clock: Clock) -> Served:
    """A table of the site as it is served."""
    return Served(
        partial(open_core, site, table, clock),
        {device.name: dict(device.antennas) for device in table.devices},
        {group.name: group.devices for group in table.groups},
        WearKeeper(site, table),
        CalibrationKeeper(site, table),
        Intake(site.device_engine_share),
        aside,
        clock,
    )
