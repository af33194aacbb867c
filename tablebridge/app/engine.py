"""The engine's process: the tables of this box, each a core, on one connection to the broker.

One thread, one loop: a round with the broker, then everything that arrived in it, table by table, in one
commit each; right after the commit its alerts and findings; then the acknowledgements, then the pictures to
publish. What the broker does not take waits: retained pictures in their newest form, events in order.

No message ends the process (`served.py`). A picture that does not fit into a message is dropped and entered
as a fault.
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
from tablebridge.app.intake import Intake
from tablebridge.app.served import Served
from tablebridge.app.wear import WearKeeper
from tablebridge.bus import topics
from tablebridge.bus.account import account, client_id
from tablebridge.bus.aside import Aside
from tablebridge.bus.availability import Life, believed
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.inbox import EPOCHS
from tablebridge.bus.messages import (
    BEAT_S,
    Availability,
    Command,
    DeviceHealth,
    DeviceMeta,
    EngineBeat,
    Reply,
    Unreadable,
    decode,
    encode,
)
from tablebridge.bus.topics import Parsed, Topic
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.journal.aside import last_aside, positions_of, put_aside
from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalBroken
from tablebridge.model.events import (
    Ante,
    BringIn,
    Button,
    Chips,
    Game,
    House,
    Names,
    Rules,
    Seats,
    Stacks,
    TableEvent,
)
from tablebridge.model.instant import Instant
from tablebridge.model.readings import TOO_MANY_TAGS
from tablebridge.rulebooks import text_of
from tablebridge.seal.gate import DelayGate
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.site import Site, Table
from tablebridge.watchdog import Watchdog

_log: Final = logging.getLogger(__name__)
_ROUND_S: Final = 1.0
_WAITING_S: Final = 0.02
"""So soon it is looked whether what waits may be taken."""
_RECEIVE_NS: Final = 20_000_000
"""So long messages are received before they are committed."""
_MOST_EVENTS: Final = 10_000


def setup_of(table: Table) -> tuple[TableEvent, ...]:
    """The table's section of the site file as table events. Raises ConfigError where its house rulebook
    cannot be used.
    """
    rulebook = Path(table.rulebook)
    rules = Rules(rulebook.name, text_of(find(rulebook.name, rulebook.parent)))
    events: list[TableEvent] = [
        rules,
        Game(table.game, table.stakes_pair),
        Ante(table.ante),
        BringIn(table.bring_in),
        House("betting", table.betting),
        Seats(table.seat_numbers),
    ]
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
    places = {
        (device.name, antenna): place
        for device in table.devices
        for antenna, place in device.antennas.items()
    }
    contacts = {
        (device.name, number): str(meaning)
        for device in table.devices
        for number, meaning in device.contacts.items()
    }
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
    core = TableCore(
        journal, sensor, gate, clock.now(), hole_cards=terms.hole_cards, keep_hands=site.keep_readings_hands
    )
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
    """The table's section of the site file, with the text of its house rulebook, by which a change is
    noticed.
    """
    section = table.model_dump_json(
        include={
            "rulebook",
            "game",
            "stakes",
            "ante",
            "bring_in",
            "seats",
            "button",
            "stacks",
            "chips",
            "betting",
            "names",
        }
    )
    return section + "".join(event.text for event in events if isinstance(event, Rules))


Handler = Callable[[Served, Parsed, Any, bool], None]


class EngineProcess:
    """`tablebridge engine`: run until `stop`. Raises ConfigError, JournalError."""

    def __init__(self, site: Site, clock: Clock | None = None, watchdog: Watchdog | None = None) -> None:
        self._site = site
        self._clock = clock or SystemClock()
        self._watchdog = watchdog or Watchdog()
        self._aside = Aside(site.state_dir / "journal" / "aside")
        self._tables = {
            table.name: Served(
                partial(open_core, site, table, self._clock),
                {device.name: dict(device.antennas) for device in table.devices},
                WearKeeper(site, table),
                CalibrationKeeper(site, table),
                Intake(site.device_engine_share),
                self._aside,
                self._clock,
            )
            for table in site.tables
        }
        self._life = Life(
            str(self._clock.now().monotonic_ns),
            "the engine's process ended",
            lambda: self._clock.now().wall_ns,
        )
        self._retained: dict[str, bytes] = {}
        self._events: deque[tuple[str, bytes]] = deque(maxlen=_MOST_EVENTS)
        self._beat_ns = 0
        self._stopped = False
        self._heard = 0
        user, password = account(site, "engine")
        # A will speaks on one topic: with several tables the first one's carries it for all of them.
        first = next(iter(self._tables), None)
        will = (
            None
            if first is None
            else lambda: (self._topic(topics.ENGINE_AVAILABILITY, first), encode(self._life.will()))
        )
        self._client = BusClient(site.broker, client_id("engine", password), user, password, will)
        self._client.on_message = self._message
        self._client.on_up = self._up
        for name, served in self._tables.items():
            served.begun = partial(self._begun, name, served)
            served.core.committed = partial(self._committed, name, served)
            self._client.subscribe(
                *(
                    topic.filter(site.name, name)
                    for topic in (
                        topics.READING,
                        topics.META,
                        topics.AVAILABILITY,
                        topics.HEALTH,
                        topics.COMMAND,
                        topics.ENGINE_AVAILABILITY,
                    )
                )
            )
        self._handlers: dict[str, tuple[type[Any], Handler]] = {
            topics.META.name: (DeviceMeta, self._meta),
            topics.AVAILABILITY.name: (Availability, self._availability),
            topics.HEALTH.name: (DeviceHealth, self._health),
            topics.COMMAND.name: (Command, self._command),
            topics.ENGINE_AVAILABILITY.name: (Availability, self._own_availability),
        }

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
        if known.topic not in (topics.COMMAND, topics.ENGINE_AVAILABILITY) and name not in served.devices:
            self._aside.put(topic, payload, "not-of-this-table", self._clock.now())
            ack()
            return
        if known.topic is topics.READING:
            served.reading(name, topic, payload, ack)
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
        if served.core.catching_up and known.topic is topics.COMMAND:
            served.later.append(doing)
        else:
            doing()

    def _do(
        self, served: Served, known: Parsed, handle: Handler, message: Any, retained: bool, ack: Ack
    ) -> None:
        if not served.survived(lambda: handle(served, known, message, retained)):
            served.set_aside(
                known.names[0],
                self._topic(known.topic, known.table, *known.names),
                encode(message),
                "unforeseen",
            )
            if isinstance(message, Command):
                self._answer(
                    known,
                    Reply(
                        message.id,
                        False,
                        "The engine met an error of its own and did nothing of this. "
                        "The floor has an alert; the log says where.",
                    ),
                )
        ack()

    def _meta(self, served: Served, known: Parsed, meta: DeviceMeta, retained: bool) -> None:
        if meta.device == known.names[0]:
            served.core.birth(meta, self._clock.now(), retained=retained)

    def _availability(
        self, served: Served, known: Parsed, availability: Availability, _retained: bool
    ) -> None:
        if believed(served.alive.get(known.names[0]), availability):
            served.alive[known.names[0]] = availability
            self._device(served, known.names[0])

    def _own_availability(
        self, _served: Served, known: Parsed, availability: Availability, _retained: bool
    ) -> None:
        """The late will of a connection that is over must not stand: this engine runs."""
        if availability.state == "offline":
            self._owe(topics.ENGINE_AVAILABILITY, known.table, self._life.says("online"))

    def _health(self, served: Served, known: Parsed, health: DeviceHealth, _retained: bool) -> None:
        device, surplus = known.names[0], health.rejects.get(TOO_MANY_TAGS, 0)
        left_out = surplus - served.surplus.get(device, surplus)
        served.surplus[device] = surplus
        if left_out > 0:
            served.faults.add("too-many-tags", device, left_out)
        served.health[device] = health.state
        self._device(served, device)

    def _device(self, served: Served, device: str) -> None:
        """A device is what it says of itself, as long as its process runs."""
        alive = served.alive.get(device)
        state = "lost" if alive is not None and alive.state == "offline" else served.health.get(device)
        if state is not None:
            served.core.device(device, state, served.devices[device], self._clock.now())

    def _command(self, served: Served, known: Parsed, command: Command, retained: bool) -> None:
        self._answer(known, served.core.command(command, self._clock.now(), retained=retained))

    def _answer(self, known: Parsed, reply: Reply) -> None:
        self._events.append((topics.REPLY.of(self._site.name, known.table, known.names[0]), encode(reply)))

    # What leaves.

    def _up(self, _session_present: bool) -> None:
        """After every connection: that the engine runs, and everything retained, which the broker may have
        forgotten.
        """
        for name, served in self._tables.items():
            served.core.connected(
                (device for device, places in served.devices.items() if places), self._clock.now()
            )
            # The overlay's picture goes first: nobody is shown what the broker kept of it once it is known
            # that an engine runs.
            self._collect(name, served)
            if served.overlay is not None:
                self._retained[self._topic(topics.OVERLAY, name)] = served.overlay
            self._owe(topics.ENGINE_AVAILABILITY, name, self._life.says("online"))
            for topic, message in served.core.retained():
                self._owe(topic, name, message)
            if served.learnt is not None:
                self._owe(topics.ANTENNAS, name, served.learnt)

    def _begun(self, name: str, served: Served) -> None:
        """The table was folded again: what it shows is shown again."""
        served.core.committed = partial(self._committed, name, served)
        for topic, message in served.core.retained():
            self._owe(topic, name, message)

    def _committed(self, name: str, served: Served) -> None:
        """Alerts and findings go out before acknowledgements and pictures are made: somebody waits for them."""
        self._collect(name, served)
        self._send_events()

    def _collect(self, name: str, served: Served) -> None:
        while served.core.messages:
            topic, message = served.core.messages.popleft()
            if topic.retained:
                self._owe(topic, name, message)
                if topic is topics.OVERLAY:
                    served.overlay = self._retained.get(self._topic(topic, name), served.overlay)
            else:
                self._publish(self._topic(topic, name), name, message)
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

    def _publish(self, topic: str, table: str, message: Any) -> None:
        if (payload := self._payload(table, message)) is not None:
            self._events.append((topic, payload))

    def _owe(self, topic: Topic, table: str, message: Any) -> None:
        if (payload := self._payload(table, message)) is not None:
            self._retained[self._topic(topic, table)] = payload

    def _payload(self, table: str, message: Any) -> bytes | None:
        """None for what does not fit into a message: the record has it, and somebody hears that it was not
        shown.
        """
        try:
            return encode(message)
        except ValueError as error:
            _log.error("table %s: a picture is not shown: %s", table, error)
            self._tables[table].faults.add("too-long")
            return None

    def _topic(self, topic: Topic, table: str, *names: str) -> str:
        return topic.of(self._site.name, table, *names)
