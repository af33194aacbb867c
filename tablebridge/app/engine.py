"""The engine's process: the tables of this box, each a core, on one connection to the broker.

One thread, one loop: a round with the broker, then everything that arrived in it, table by table, in one commit each; right
after the commit its alerts and findings; then the acknowledgements, then the pictures to publish. What the broker does not
take waits: retained pictures in their newest form, events in order.
"""

import logging
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from tablebridge import __version__, private
from tablebridge.app.calibration import CalibrationKeeper
from tablebridge.app.core import TableCore
from tablebridge.app.house import find
from tablebridge.app.installation import installation_of
from tablebridge.app.wear import WearKeeper
from tablebridge.bus import topics
from tablebridge.bus.account import account, client_id
from tablebridge.bus.availability import Life, believed
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.inbox import EPOCHS
from tablebridge.bus.messages import (
    BEAT_S,
    AntennaMap,
    Availability,
    Command,
    DeviceHealth,
    DeviceMeta,
    EngineBeat,
    ReadingMessage,
    decode,
    encode,
)
from tablebridge.bus.topics import Parsed, Topic
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.journal.aside import last_aside, positions_of, put_aside
from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalBroken
from tablebridge.model.events import Ante, BringIn, Button, Chips, Game, House, Names, Rules, Seats, Stacks, TableEvent
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place
from tablebridge.model.readings import Stamped
from tablebridge.rulebooks import text_of
from tablebridge.seal.gate import DelayGate
from tablebridge.sensing.deck import DeckRegistry
from tablebridge.sensing.sensor import Sensor
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.site import Site, Table
from tablebridge.watchdog import Watchdog

_log: Final = logging.getLogger(__name__)
_ROUND_S: Final = 1.0
_MOST_EVENTS: Final = 10_000


def setup_of(table: Table) -> tuple[TableEvent, ...]:
    """The table's section of the site file as table events. Raises ConfigError where its house rulebook cannot be used."""
    rulebook = Path(table.rulebook)
    rules = Rules(rulebook.name, text_of(find(rulebook.name, rulebook.parent)))
    events: list[TableEvent] = [
        rules, Game(table.game, table.stakes_pair), Ante(table.ante), BringIn(table.bring_in), House("betting", table.betting),
        Seats(table.seat_numbers)]
    if table.betting == "told":
        events.append(Stacks(everyone=table.stacks))
    if table.button is not None:
        events.append(Button(table.button))
    if table.chips:
        events.append(Chips(table.chips))
    if table.names:
        events.append(Names(dict(table.names)))
    return tuple(events)


def open_core(site: Site, table: Table, clock: Clock) -> TableCore:
    """The core of one table, its journal folded. Raises ConfigError, JournalError."""
    places = {(device.name, antenna): place for device in table.devices for antenna, place in device.antennas.items()}
    contacts = {(device.name, number): str(meaning) for device in table.devices for number, meaning in device.contacts.items()}
    inventory = load_inventory(site, table)
    installation = installation_of(site, table, inventory)
    terms = installation.terms
    sensor = Sensor(places, contacts, DeckRegistry(inventory))
    events = setup_of(table)
    path = site.state_dir / "journal" / f"{table.name}.sqlite"
    with suppress(OSError):  # the journal says what cannot be had
        private.own_folder(path.parent)
    journal = _journal(path, table.name, clock)
    gate = DelayGate(terms.delay_s, until_over=terms.hole_cards and terms.reveal == "hand-over")
    core = TableCore(journal, sensor, gate, clock.now(), hole_cards=terms.hole_cards, keep_hands=site.keep_readings_hands)
    aside = last_aside(path)
    if aside is not None:
        core.broken(str(aside.relative_to(path.parent)), clock.now())
    core.setup(_section(table, events), events, clock.now())
    core.installed(installation, clock.now())
    return core


def _journal(path: Path, table: str, clock: Clock) -> Journal:
    """The table's journal; where it is broken a new one, the broken one being put aside."""
    try:
        journal = Journal(path, table)
    except JournalBroken as error:
        _log.error("%s; it is now %s and a new one is begun", error, put_aside(path, clock.now()))
        journal = Journal(path, table)
    aside = last_aside(path)
    if journal.next_number == 1 and aside is not None:
        # What was taken for the old journal does not come again.
        journal.begin()
        for (device, epoch), following in positions_of(aside).items():
            journal.position(device, epoch, following, EPOCHS)
        journal.commit()
    return journal


def _section(table: Table, events: tuple[TableEvent, ...]) -> str:
    """The table's section of the site file, with the text of its house rulebook, by which a change is noticed."""
    section = table.model_dump_json(include={
        "rulebook", "game", "stakes", "ante", "bring_in", "seats", "button", "stacks", "chips", "betting", "names"})
    return section + "".join(event.text for event in events if isinstance(event, Rules))


class _Served:
    """A table with what the loop keeps for it: its core, devices, and what waits for the next commit or connection, or, of
    what persons want, until its devices have caught up."""

    def __init__(self, core: TableCore, devices: dict[str, tuple[Place, ...]], wear: WearKeeper,
                 antennas: CalibrationKeeper) -> None:
        self.core = core
        self.wear = wear
        self.antennas = antennas
        self.devices = devices
        self.alive: dict[str, Availability] = {}
        self.health: dict[str, str] = {}
        self.arrived: list[Stamped] = []
        self.acks: list[Ack] = []
        self.later: list[Callable[[], None]] = []
        self.overlay: bytes | None = None
        self.learnt: AntennaMap | None = None


Handler = Callable[[_Served, Parsed, Any, bool], None]


def _do(handle: Handler, served: _Served, known: Parsed, message: Any, retained: bool, ack: Ack) -> None:
    handle(served, known, message, retained)
    ack()


class EngineProcess:
    """`tablebridge engine`: run until `stop`. Raises ConfigError, JournalError."""

    def __init__(self, site: Site, clock: Clock | None = None, watchdog: Watchdog | None = None) -> None:
        self._site = site
        self._clock = clock or SystemClock()
        self._watchdog = watchdog or Watchdog()
        self._tables = {
            table.name: _Served(open_core(site, table, self._clock), {
                device.name: tuple(dict.fromkeys(device.antennas.values())) for device in table.devices},
                WearKeeper(site, table), CalibrationKeeper(site, table))
            for table in site.tables}
        self._life = Life(str(self._clock.now().monotonic_ns), "the engine's process ended", lambda: self._clock.now().wall_ns)
        self._retained: dict[str, bytes] = {}
        self._events: deque[tuple[str, bytes]] = deque(maxlen=_MOST_EVENTS)
        self._beat_ns = 0
        self._stopped = False
        user, password = account(site, "engine")
        # A will speaks on one topic: with several tables the first one's carries it for all of them.
        first = next(iter(self._tables), None)
        will = None if first is None else lambda: (self._topic(topics.ENGINE_AVAILABILITY, first), encode(self._life.will()))
        self._client = BusClient(site.broker, client_id("engine", password), user, password, will)
        self._client.on_message = self._message
        self._client.on_up = self._up
        for name, served in self._tables.items():
            served.core.committed = partial(self._committed, name, served)
            self._client.subscribe(*(topic.filter(site.name, name) for topic in (
                topics.READING, topics.META, topics.AVAILABILITY, topics.HEALTH, topics.COMMAND, topics.ENGINE_AVAILABILITY)))
        self._handlers: dict[str, tuple[type[Any], Handler]] = {
            topics.META.name: (DeviceMeta, self._meta), topics.AVAILABILITY.name: (Availability, self._availability),
            topics.HEALTH.name: (DeviceHealth, self._health), topics.COMMAND.name: (Command, self._command),
            topics.ENGINE_AVAILABILITY.name: (Availability, self._own_availability)}

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self.stop())
        self._watchdog.ready(f"{len(self._tables)} tables, version {__version__}")
        try:
            while not self._stopped:
                self.step()
                self._watchdog.worked()
        finally:
            self._watchdog.stopping()
            for served in self._tables.values():
                served.antennas.save()
            for name in self._tables:
                self._owe(topics.ENGINE_AVAILABILITY, name, self._life.says("offline", "stopped"))
            self._send()
            self._client.close()

    def stop(self) -> None:
        self._stopped = True

    def step(self) -> None:
        """One round: the broker, the commits, the acknowledgements, what is to be published."""
        self._client.step(self._until())
        for name, served in self._tables.items():
            self._take(served)
            now = self._clock.now()
            served.core.tick(now)
            served.wear.hand(served.core.table.hand_number, served.core.take_reads, now)
            for failing in served.antennas.hand(served.core.table.hand_number):
                served.core.note(failing.event, now, failing.event.device)
            if (learnt := served.antennas.learnt(now.wall_ns)) is not None:
                served.learnt = learnt
                self._owe(topics.ANTENNAS, name, learnt)
            while served.later and not served.core.catching_up:
                served.later.pop(0)()
            self._collect(name, served)
        self._send()
        self._beat(now)

    def _beat(self, now: Instant) -> None:
        """After a round in which all tables were served: that the loop works."""
        if now.monotonic_ns - self._beat_ns >= BEAT_S * 1e9:
            self._beat_ns = now.monotonic_ns
            for name in self._tables:
                beat = encode(EngineBeat(self._life.epoch))
                self._client.publish(self._topic(topics.ENGINE_BEAT, name), beat, topics.ENGINE_BEAT.qos)

    def _take(self, served: _Served) -> None:
        """Commit the readings that have arrived, then acknowledge them."""
        if served.arrived:
            served.core.readings(served.arrived, self._clock.now())
            served.antennas.readings(served.arrived)
            served.arrived.clear()
            for ack in served.acks:
                ack()
            served.acks.clear()

    def _until(self) -> float:
        now = self._clock.now().monotonic_ns
        wakes = [wake for served in self._tables.values() if (wake := served.core.wake_ns) is not None]
        return min(_ROUND_S, max(0.0, (min(wakes) - now) / 1e9)) if wakes else _ROUND_S

    # What arrives.

    def _message(self, topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        known = topics.parse(topic)
        served = self._tables.get(known.table) if known is not None else None
        if known is None or served is None:
            ack()
            return
        kind, handle = self._handlers.get(known.topic.name, (ReadingMessage, None))
        try:
            message = decode(payload, kind)
        except ValueError as error:
            _log.warning("a message on %s cannot be read and is dropped (%s)", topic, type(error).__name__)
            ack()
            return
        if handle is None:
            self._reading(served, known.names[0], message.stamped, ack)
            return
        # What was read before a person spoke is entered before it.
        self._take(served)
        if served.core.catching_up and known.topic is topics.COMMAND:
            served.later.append(partial(_do, handle, served, known, message, retained, ack))
        else:
            _do(handle, served, known, message, retained, ack)

    def _reading(self, served: _Served, device: str, stamped: Stamped, ack: Ack) -> None:
        """Kept for the next commit, and acknowledged after it."""
        if stamped.device == device and device in served.devices:
            served.arrived.append(stamped)
            served.acks.append(ack)
        else:
            _log.warning("a reading on the topic of %s is not of a device of this table and is dropped", device)
            ack()

    def _meta(self, served: _Served, known: Parsed, meta: DeviceMeta, retained: bool) -> None:
        if known.names[0] in served.devices and meta.device == known.names[0]:
            served.core.birth(meta, self._clock.now(), retained=retained)

    def _availability(self, served: _Served, known: Parsed, availability: Availability, _retained: bool) -> None:
        if believed(served.alive.get(known.names[0]), availability):
            served.alive[known.names[0]] = availability
            self._device(served, known.names[0])

    def _own_availability(self, _served: _Served, known: Parsed, availability: Availability, _retained: bool) -> None:
        """The late will of a connection that is over must not stand: this engine runs."""
        if availability.state == "offline":
            self._owe(topics.ENGINE_AVAILABILITY, known.table, self._life.says("online"))

    def _health(self, served: _Served, known: Parsed, health: DeviceHealth, _retained: bool) -> None:
        served.health[known.names[0]] = health.state
        self._device(served, known.names[0])

    def _device(self, served: _Served, device: str) -> None:
        """A device is what it says of itself, as long as its process runs."""
        if device in served.devices:
            alive = served.alive.get(device)
            state = "lost" if alive is not None and alive.state == "offline" else served.health.get(device)
            if state is not None:
                served.core.device(device, state, served.devices[device], self._clock.now())

    def _command(self, served: _Served, known: Parsed, command: Command, retained: bool) -> None:
        reply = served.core.command(command, self._clock.now(), retained=retained)
        self._events.append((topics.REPLY.of(self._site.name, known.table, known.names[0]), encode(reply)))

    # What leaves.

    def _up(self, _session_present: bool) -> None:
        """After every connection: that the engine runs, and everything retained, which the broker may have forgotten."""
        for name, served in self._tables.items():
            served.core.connected((device for device, places in served.devices.items() if places), self._clock.now())
            # The overlay's picture goes first: nobody is shown what the broker kept of it once it is known that an engine runs.
            self._collect(name, served)
            if served.overlay is not None:
                self._retained[self._topic(topics.OVERLAY, name)] = served.overlay
            self._owe(topics.ENGINE_AVAILABILITY, name, self._life.says("online"))
            for topic, message in served.core.retained():
                self._owe(topic, name, message)
            if served.learnt is not None:
                self._owe(topics.ANTENNAS, name, served.learnt)

    def _committed(self, name: str, served: _Served) -> None:
        """Alerts and findings go out before acknowledgements and pictures are made: somebody waits for them."""
        self._collect(name, served)
        self._send_events()

    def _collect(self, name: str, served: _Served) -> None:
        while served.core.messages:
            topic, message = served.core.messages.popleft()
            if topic.retained:
                self._owe(topic, name, message)
                if topic is topics.OVERLAY:
                    served.overlay = self._retained[self._topic(topic, name)]
            else:
                self._events.append((self._topic(topic, name), encode(message)))
        while served.core.asks:
            ask = served.core.asks.popleft()
            self._events.append((topics.REPLAY.of(self._site.name, name, ask.device), encode(ask.request)))

    def _send_events(self) -> None:
        while self._events and self._client.publish(*self._events[0]) is not None:
            self._events.popleft()

    def _send(self) -> None:
        self._send_events()
        for topic, payload in list(self._retained.items()):
            if self._client.publish(topic, payload, retain=True) is None:
                return
            del self._retained[topic]

    def _owe(self, topic: Topic, table: str, message: Any) -> None:
        self._retained[self._topic(topic, table)] = encode(message)

    def _topic(self, topic: Topic, table: str) -> str:
        return topic.of(self._site.name, table)
