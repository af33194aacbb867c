"""The way of a group of devices to the broker: one outbox and one connection for all of them.

What the devices read is collected, numbered and put on disk as one message, and published: at once if there
is news in it (`host/news.py`), otherwise after the site file's `batch_ms`. What is collected has no number
yet: a kill loses it as it loses what is on its way in the cable.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from tablebridge import __version__
from tablebridge.bus import topics
from tablebridge.bus.access import group_account
from tablebridge.bus.account import client_id
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
from tablebridge.bus.outbox import Made, Outbox
from tablebridge.bus.outbox_files import OutboxFull
from tablebridge.bus.sender import Sender
from tablebridge.host.clock import SystemClock
from tablebridge.host.coalesce import Passed
from tablebridge.host.health import Health
from tablebridge.host.loop import RESTING_TICK_NS
from tablebridge.host.news import News
from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Sweep
from tablebridge.sdk.driver import Signal
from tablebridge.settings.site import Group, Site

log: Final = logging.getLogger(__name__)


class GroupLink:
    """The link of one group. Readings go to the outbox and from there to the broker; what is retained is
    published after every connection.
    """

    def __init__(self, site: Site, group: Group, outbox: Outbox, user: str, password: str) -> None:
        self._site = site.name
        self._group = group
        self._outbox = outbox
        self._devices: dict[str, DeviceLink] = {}
        self._collected: list[Made] = []
        self._batch_ns = site.broker.batch_ms * 1_000_000
        self._flush_ns: int | None = None
        self._dropped: Counter[str] = Counter()
        self._owed: dict[str, bytes] = {}
        self._aside = Aside(outbox.folder / "aside")
        self._clock = SystemClock()
        self._life = Life(outbox.epoch, "the driver's process or its connection ended", time.time_ns)
        self._lights: list[Callable[[Signal], None]] = []
        self._signal = Signal()
        self._engines: dict[str, Availability] = {}
        self._client = BusClient(
            site.broker,
            client_id(group_account(group.name), password),
            user,
            password,
            lambda: (self._topic(topics.AVAILABILITY, group.name), encode(self._life.will())),
        )
        self._client.on_up = self._up
        self._client.on_message = self._message
        self._client.subscribe(
            self._topic(topics.AVAILABILITY, group.name),
            *(self._topic(topics.REPLAY, device) for device in group.devices),
        )
        self._sender = Sender(self._client, outbox, self._topic(topics.READING, group.name))

    def device(self, name: str, driver: str, antennas: Collection[int]) -> "DeviceLink":
        """The link of a device of the group. `antennas`: those to which the site file gives a place."""
        self._devices[name] = DeviceLink(self, name, driver, antennas)
        return self._devices[name]

    def show_alerts(self, show: Callable[[Signal], None]) -> None:
        """Call this with the table's worst open alert, at every change; `unknown` while broker or engine are
        away.
        """
        if not self._lights:
            self._client.on_down = lambda _reason: self._show(Signal())
            self._client.subscribe(
                topics.SIGNAL.of(self._site, self._group.table), topics.ENGINE_AVAILABILITY.filter(self._site)
            )
        self._lights.append(show)

    def step(self, timeout_s: float, fds: Sequence[int]) -> list[int]:
        """One round with the broker; those of `fds` that can be read."""
        self.deliver()
        if self._flush_ns is not None:
            timeout_s = min(timeout_s, (self._flush_ns - time.monotonic_ns()) / 1e9)
        ready = self._client.step(timeout_s, fds)
        self._send()
        return ready

    def deliver(self) -> None:
        """Put on disk what is due before the next tick ends, and send what can be sent."""
        if self._flush_ns is not None and time.monotonic_ns() + RESTING_TICK_NS >= self._flush_ns:
            self._flush()
        self._send()

    def close(self) -> None:
        """Send what can be sent within a moment, say offline, and go."""
        self._flush()
        self._owe(topics.AVAILABILITY, self._group.name, self._life.says("offline", "stopped"))
        self._send()
        self._client.close()
        self._sender.pump()

    # ---- what the devices have

    def collect(self, device: str, passed: Passed, *, news: bool) -> None:
        """Readings to be kept and sent, at once if there is news among them."""
        self._collected += [(device, at, reading) for at, reading in passed]
        due_ns = 0 if news else time.monotonic_ns() + self._batch_ns
        self._flush_ns = due_ns if self._flush_ns is None else min(self._flush_ns, due_ns)

    def owe_health(self, health: DeviceHealth) -> None:
        """Publish the health, now or as soon as there is a broker."""
        self._owe(topics.HEALTH, health.device, health)

    def owe_meta(self, device: str, driver: str, identity: str) -> None:
        """Publish the birth of a device."""
        box = self._outbox
        meta = DeviceMeta(
            device, driver, box.epoch, box.first_seq(device), box.next_seq(device), __version__, identity
        )
        self._owe(topics.META, device, meta)

    @property
    def waiting(self) -> int:
        """How many readings of the group the broker has not acknowledged."""
        return self._outbox.waiting

    def _flush(self) -> None:
        """Put what was collected on disk, as one message. What a full disk refuses is counted, and reported
        as a reading as soon as there is room again: a gap is never silent.
        """
        collected, self._collected, self._flush_ns = self._collected, [], None
        if not collected:
            return
        self._report_damage(collected[0][1])
        lost: list[Made] = [
            (
                device,
                collected[0][1],
                DeviceStatus("degraded", f"{count} readings lost: the outbox could not be written"),
            )
            for device, count in self._dropped.items()
        ]
        try:
            self._outbox.append([*lost, *collected])
        except OutboxFull as error:
            if not self._dropped:
                log.error("%s", error)
            self._dropped.update(device for device, _, _ in collected)
        else:
            if self._dropped:
                log.error(
                    "%s: the outbox can be written again; %d readings are lost",
                    self._group.name,
                    self._dropped.total(),
                )
            self._dropped.clear()
        self._sender.pump()

    def _report_damage(self, at: Instant) -> None:
        """That the outbox was damaged is a reading of the new epoch, of the first device for all; and there
        is a new epoch to be known.
        """
        if self._outbox.damage:
            damage, self._outbox.damage = self._outbox.damage, ""
            try:
                self._outbox.append([(self._group.devices[0], at, DeviceStatus("degraded", damage))])
            except OutboxFull as error:
                log.error("%s", error)
            for device in self._devices.values():
                device.owe_meta()

    # ---- the broker

    def _send(self) -> None:
        self._sender.pump()
        for topic, payload in list(self._owed.items()):
            if self._client.publish(topic, payload, retain=True) is None:
                return
            del self._owed[topic]

    def _up(self, _session_present: bool) -> None:
        """After every connection: birth first, then what is retained. The broker may have lost all of it."""
        self._owed.clear()
        self._owe(topics.AVAILABILITY, self._group.name, self._life.says("online"))
        for device in self._devices.values():
            device.owe_all()

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
                    self._owe(topics.AVAILABILITY, self._group.name, self._life.says("online"))
            elif parsed is not None and parsed.topic is topics.REPLAY:
                self._replay(parsed.names[0], decode(payload, ReplayRequest))
        except Unreadable as error:
            self._aside.put(topic, payload, error.reason, self._clock.now())
        else:
            # The engine's last will speaks on the topic of one of its tables.
            runs = self._group.table in self._engines and all(
                engine.state == "online" for engine in self._engines.values()
            )
            self._show(self._signal if runs else Signal())
        ack()

    def _replay(self, name: str, request: ReplayRequest) -> None:
        if not self._sender.replay(name, request) and name in self._devices:
            self._devices[name].owe_meta()

    def _show(self, signal: Signal) -> None:
        for show in self._lights:
            show(signal)

    def _owe(self, topic: topics.Topic, name: str, message: Any) -> None:
        self._owed[self._topic(topic, name)] = encode(message)

    def _topic(self, topic: topics.Topic, name: str) -> str:
        return topic.of(self._site, self._group.table, name)


class DeviceLink:
    """The link of one device of a group. That an antenna without a place reads tags is reported once, and
    in the health.
    """

    def __init__(self, group: GroupLink, name: str, driver: str, antennas: Collection[int]) -> None:
        self._group = group
        self._name = name
        self._driver = driver
        self._antennas = frozenset(antennas)
        self._without_place: set[int] = set()
        self._identity = ""
        self._health: Health | None = None
        self._news = News()

    def keep(self, passed: Passed) -> None:
        """Keep the readings and send them, in this order."""
        if not passed:
            return
        news = False
        for _, reading in passed:
            news = self._news.take(reading) or news
            if isinstance(reading, DeviceStatus):
                if reading.state == "identified" and reading.detail != self._identity:
                    self._identity = reading.detail
                    self.owe_meta()
            elif isinstance(reading, Sweep) and reading.tags and reading.antenna not in self._antennas:
                self._unused(reading.antenna)
        self._group.collect(self._name, passed, news=news)

    def report(self, health: Health) -> None:
        """Publish the health, now or as soon as there is a broker."""
        self._health = health
        self._group.owe_health(
            DeviceHealth(
                self._name,
                health.state,
                health.at,
                health.alive_wall_ns,
                health.detail or self._unplaced,
                health.reconnects,
                health.frames,
                health.rejects,
                self._group.waiting,
            )
        )

    def owe_all(self) -> None:
        """What is retained of the device is to be published again."""
        self.owe_meta()
        if self._health is not None:
            self.report(self._health)

    def owe_meta(self) -> None:
        """The device's birth is to be published."""
        self._group.owe_meta(self._name, self._driver, self._identity)

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
            log.warning("%s: %s", self._name, self._unplaced)
            if self._health is not None:
                self.report(self._health)
