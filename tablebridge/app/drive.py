"""A device's process, joined: supervisor, outbox and broker connection of `tablebridge drive NAME`."""

import logging
import signal
import time
from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import Any

from tablebridge import __version__
from tablebridge.bus import topics
from tablebridge.bus.access import device_account
from tablebridge.bus.account import account, client_id
from tablebridge.bus.aside import Aside
from tablebridge.bus.availability import Life, is_news
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import (
    Availability,
    DeviceHealth,
    DeviceMeta,
    ReplayRequest,
    TableSignal,
    Unreadable,
    decode,
    encode,
)
from tablebridge.bus.outbox import Outbox, OutboxFull
from tablebridge.bus.sender import Sender
from tablebridge.bus.topics import Topic
from tablebridge.host import registry
from tablebridge.host.clock import SystemClock
from tablebridge.host.coalesce import Passed
from tablebridge.host.health import Health
from tablebridge.host.supervisor import Supervisor
from tablebridge.host.tap import Tap, tapped
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.nearest import nearest
from tablebridge.model.places import is_for_chips
from tablebridge.model.readings import DeviceStatus, Reading, Sweep
from tablebridge.sdk.driver import Driver, Options, Signal
from tablebridge.settings.site import Device, Site, Table
from tablebridge.settings.state import OUTBOX_FILE
from tablebridge.watchdog import Watchdog

log = logging.getLogger(__name__)


def find_device(site: Site, name: str) -> tuple[Table, Device]:
    """The device of that name and its table. Raises ConfigError if there is none, or more than one."""
    found = [(table, device) for table in site.tables for device in table.devices if device.name == name]
    if len(found) == 1:
        return found[0]
    names = sorted({device.name for table in site.tables for device in table.devices})
    if not found:
        raise ConfigError(f"No device is called {name!r} in the site file: {nearest(name, names)}")
    raise ConfigError(
        f"The tables {' and '.join(table.name for table, _ in found)} both have a device {name!r}: "
        "give each device of a box its own name."
    )


def drive(
    site: Site, name: str, tap: Callable[[Driver, Options], Tap] | None = None, seconds: float = 0
) -> None:
    """Run the device until SIGTERM or SIGINT, or for this number of seconds. `tap`: makes who listens in on
    the driver. Raises ConfigError, BrokerError.
    """
    table, device = find_device(site, name)
    driver = registry.load(device.driver)
    options = registry.settle(driver, device.options)
    if tap is not None:
        driver = tapped(driver, tap(driver, options))
    user, password = account(site, device_account(name))
    watchdog = Watchdog()
    outbox = Outbox(OUTBOX_FILE.path(site.state_dir, name))
    try:
        uplink = DeviceUplink(site, table.name, outbox, device.driver, user, password, device.antennas)
        named = [device.port for other in site.tables for device in other.devices]
        for_chips = [number for number, place in device.antennas.items() if is_for_chips(place)]
        supervisor = Supervisor(
            name, device.port, driver, options, uplink, watchdog, named=named, for_chips=for_chips
        )
        if driver.shows:
            uplink.show_alerts(supervisor.show)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
            signal.signal(number, lambda _number, _frame: supervisor.stop())
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            supervisor.run()
        finally:
            watchdog.stopping()
            uplink.close()
    finally:
        outbox.close()


class DeviceUplink:
    """Readings go to the outbox and from there to the broker; what is retained is published after every
    connection.

    `antennas`: those to which the site file gives a place. That another one reads tags is reported once, and
    in the health.
    """

    def __init__(
        self,
        site: Site,
        table: str,
        outbox: Outbox,
        driver: str,
        user: str,
        password: str,
        antennas: Collection[int],
    ) -> None:
        self._address = (site.name, table, outbox.device)
        self._outbox = outbox
        self._driver = driver
        self._antennas = frozenset(antennas)
        self._without_place: set[int] = set()
        self._identity = ""
        self._health: Health | None = None
        self._owed: dict[str, bytes] = {}
        self._dropped = 0
        self._aside = Aside(outbox.path.with_suffix(".aside"))
        self._clock = SystemClock()
        self._life = Life(outbox.epoch, "the driver's process or its connection ended", time.time_ns)
        self._client = BusClient(
            site.broker,
            client_id(device_account(outbox.device), password),
            user,
            password,
            lambda: (self._topic(topics.AVAILABILITY), encode(self._life.will())),
        )
        self._client.on_up = self._up
        self._client.on_message = self._message
        self._show: Callable[[Signal], None] = lambda signal: None
        self._signal = Signal()
        self._engines: dict[str, Availability] = {}
        self._client.subscribe(self._topic(topics.REPLAY), self._topic(topics.AVAILABILITY))
        self._sender = Sender(self._client, outbox, self._topic(topics.READING))

    def show_alerts(self, show: Callable[[Signal], None]) -> None:
        """Call this with the table's worst open alert, at every change; `unknown` while broker or engine are
        away.
        """
        self._show = show
        self._client.on_down = lambda _reason: self._show(Signal())
        self._client.subscribe(
            topics.SIGNAL.of(*self._address[:2]), topics.ENGINE_AVAILABILITY.filter(self._address[0])
        )

    def keep(self, passed: Passed) -> None:
        """Append to the outbox, readings of the same instant in one commit, and send them at once. What a
        full disk refuses is counted, and reported as a reading as soon as there is room again: a gap is never
        silent.
        """
        for at, group in groupby(passed, key=lambda reading: reading[0]):
            self._report_damage(at)
            readings = [reading for _, reading in group]
            self._append(readings, at)
            for reading in readings:
                if (
                    isinstance(reading, DeviceStatus)
                    and reading.state == "identified"
                    and reading.detail != self._identity
                ):
                    self._identity = reading.detail
                    self._owe_meta()
                if isinstance(reading, Sweep) and reading.tags and reading.antenna not in self._antennas:
                    self._unused(reading.antenna)
        self._sender.pump()

    def report(self, health: Health) -> None:
        """Publish the health, now or as soon as there is a broker."""
        self._report_damage(health.at)
        self._health = health
        self._owe(
            topics.HEALTH,
            DeviceHealth(
                self._outbox.device,
                health.state,
                health.at,
                health.alive_wall_ns,
                health.detail or self._unplaced,
                health.reconnects,
                health.frames,
                health.rejects,
                self._outbox.waiting,
            ),
        )

    def step(self, timeout_s: float, fds: Sequence[int]) -> list[int]:
        """One round with the broker; those of `fds` that can be read."""
        self._send()
        ready = self._client.step(timeout_s, fds)
        self._send()
        return ready

    def close(self) -> None:
        """Send what can be sent within a moment, say offline, and go."""
        self._owe(topics.AVAILABILITY, self._life.says("offline", "stopped"))
        self._send()
        self._client.close()
        self._sender.pump()

    @property
    def _unplaced(self) -> str:
        """Antennas that read tags and have no place in the site file, in a sentence; empty if there is
        none.
        """
        numbers = ", ".join(map(str, sorted(self._without_place)))
        return (
            f"antenna {numbers} reads tags and has no place in the site file: what it reads is not used."
            if numbers
            else ""
        )

    def _unused(self, antenna: int) -> None:
        if antenna not in self._without_place:
            self._without_place.add(antenna)
            log.warning("%s: %s", self._outbox.device, self._unplaced)
            if self._health is not None:
                self.report(self._health)

    def _report_damage(self, at: Instant) -> None:
        """That the outbox was damaged is a reading of the new one, and there is a new epoch to be known."""
        if self._outbox.damage:
            damage, self._outbox.damage = self._outbox.damage, ""
            self._append([DeviceStatus("degraded", damage)], at)
            self._owe_meta()

    def _append(self, readings: list[Reading], at: Instant) -> None:
        lost = [DeviceStatus("degraded", f"{self._dropped} readings lost: the outbox could not be written")]
        try:
            self._outbox.append([*lost, *readings] if self._dropped else readings, at)
        except OutboxFull as error:
            if not self._dropped:
                log.error("%s", error)
            self._dropped += len(readings)
        else:
            if self._dropped:
                log.error(
                    "%s: the outbox can be written again; %d readings are lost",
                    self._outbox.device,
                    self._dropped,
                )
            self._dropped = 0

    def _send(self) -> None:
        self._sender.pump()
        for topic, payload in list(self._owed.items()):
            if self._client.publish(topic, payload, retain=True) is None:
                return
            del self._owed[topic]

    def _up(self, _session_present: bool) -> None:
        """After every connection: birth first, then what is retained. The broker may have lost all of it."""
        self._owed.clear()
        self._owe(topics.AVAILABILITY, self._life.says("online"))
        self._owe_meta()
        if self._health is not None:
            self.report(self._health)

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        parsed = topics.parse(topic)
        try:
            if parsed is not None and parsed.topic is topics.SIGNAL:
                said = decode(payload, TableSignal)
                self._signal = Signal(said.level, said.taken)
            elif parsed is not None and parsed.topic is topics.ENGINE_AVAILABILITY:
                engine = decode(payload, Availability)
                if is_news(self._engines.get(parsed.table), engine):
                    self._engines[parsed.table] = engine
            elif parsed is not None and parsed.topic is topics.AVAILABILITY:
                if decode(payload, Availability).state == "offline":
                    # The late will of a connection that is over, or somebody else: it runs.
                    self._owe(topics.AVAILABILITY, self._life.says("online"))
            elif not self._sender.replay(decode(payload, ReplayRequest)):
                self._owe_meta()
        except Unreadable as error:
            self._aside.put(topic, payload, error.reason, self._clock.now())
        else:
            # The engine's last will speaks on the topic of one of its tables.
            runs = self._address[1] in self._engines and all(
                engine.state == "online" for engine in self._engines.values()
            )
            self._show(self._signal if runs else Signal())
        ack()

    def _owe_meta(self) -> None:
        box = self._outbox
        self._owe(
            topics.META,
            DeviceMeta(
                box.device, self._driver, box.epoch, box.first_seq, box.next_seq, __version__, self._identity
            ),
        )

    def _owe(self, topic: Topic, message: Any) -> None:
        self._owed[self._topic(topic)] = encode(message)

    def _topic(self, topic: Topic) -> str:
        return topic.of(*self._address)
