"""One table as the engine's process serves it: its core, and what no message may do to it.

A message that cannot be read, or that the core breaks on, is set aside (`bus/aside.py`), counted,
acknowledged and entered as a fault. In the second case the table is folded again from its journal, as after a
kill, and the readings that were not committed are taken again, one by one. Only the journal's own errors end
the process. What devices send waits if it takes too much of the engine's time (`intake.py`).
"""

import logging
import traceback
from collections.abc import Callable
from typing import Final

from tablebridge.app.calibration import CalibrationKeeper
from tablebridge.app.core import TableCore
from tablebridge.app.faults import Faults
from tablebridge.app.intake import Intake
from tablebridge.app.measured import Tally
from tablebridge.app.preview import preview
from tablebridge.app.wear import WearKeeper
from tablebridge.bus.aside import Aside
from tablebridge.bus.availability import is_news
from tablebridge.bus.batches import batches, in_place_of, salvaged
from tablebridge.bus.client import Ack
from tablebridge.bus.messages import (
    AntennaMap,
    Availability,
    Command,
    DeviceHealth,
    HistoryPage,
    HistoryRequest,
    ReadingBatch,
    TimelinePage,
    TimelineRequest,
    Unreadable,
    decode,
)
from tablebridge.bus.topics import Topic
from tablebridge.host.clock import Clock
from tablebridge.host.sanitize import sanitized
from tablebridge.model.calls import NotifierState
from tablebridge.model.errors import JournalError
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place, is_for_chips
from tablebridge.model.preview import Preview
from tablebridge.model.readings import TOO_MANY_TAGS, Stamped, bounded, hides_face

MOST_UNACKNOWLEDGED: Final = 16
"""Readings that wait for a commit as messages of the broker: mosquitto delivers 20 by default before it waits
for acknowledgements, and an event must not wait behind them.
"""
_log: Final = logging.getLogger(__name__)


class Served:
    """A table with what the loop keeps for it: its core, devices, and what waits for the next commit or
    connection, or, of what persons want, until its devices have caught up. `begin` opens the core, at first
    and after it broke on a message; `begun` is called each time. `devices`: the places of their antennas;
    `groups`: the devices of each.
    """

    def __init__(
        self,
        begin: Callable[[], TableCore],
        devices: dict[str, dict[int, Place]],
        groups: dict[str, tuple[str, ...]],
        wear: WearKeeper,
        antennas: CalibrationKeeper,
        intake: Intake,
        aside: Aside,
        clock: Clock,
    ) -> None:
        self.core = begin()
        self.begun: Callable[[], None] = lambda: None
        self.wear = wear
        self.antennas = antennas
        self.devices = {device: tuple(dict.fromkeys(places.values())) for device, places in devices.items()}
        self.groups = groups
        self.intake = intake
        self.faults = Faults()
        self.tally = Tally()
        self.later: list[Callable[[], None]] = []
        self.overlay: bytes | None = None
        self.learnt: AntennaMap | None = None
        self._unreached: frozenset[str] = frozenset()
        self._begin = begin
        self._uncommitted: list[Stamped] = []
        self._acks: list[Ack] = []
        self._surplus: dict[str, int] = {}
        self._processes: dict[str, Availability] = {}
        self._health: dict[str, DeviceHealth] = {}
        self._for_chips = {
            device: frozenset(number for number, place in places.items() if is_for_chips(place))
            for device, places in devices.items()
        }
        self._aside = aside
        self._clock = clock

    def has(self, topic: Topic, name: str) -> bool:
        """Whether the device or group that a topic names is one of this table."""
        match topic.named:
            case "device":
                return name in self.devices
            case "group":
                return name in self.groups
            case _:
                return True

    def batch(self, group: str, topic: str, payload: bytes, ack: Ack) -> None:
        """Readings of a group of this table: kept for the next commit and acknowledged after it, or
        later.
        """
        began_ns = self._clock.now().monotonic_ns
        try:
            batch = decode(payload, ReadingBatch)
        except Unreadable as error:
            self.set_aside("", topic, payload, error.reason)
            stamped, of = salvaged(payload), group
            self._charge_group(group, began_ns)
        else:
            stamped, of = batch.stamped(), batch.group
        if of != group or not {reading.device for reading in stamped} <= set(self.groups[group]):
            self._aside.put(topic, payload, "of-another-group", self._clock.now())
            ack()
            return
        took_ns = self._clock.now().monotonic_ns - began_ns
        self._take_in(stamped, ack, began_ns, took_ns // max(1, len(stamped)))

    def _charge_group(self, group: str, began_ns: int) -> None:
        """Charge a message that names no device to all devices of its group."""
        now_ns = self._clock.now().monotonic_ns
        for device in self.groups[group]:
            self.intake.spend(device, (now_ns - began_ns) // len(self.groups[group]), now_ns)

    def availability(self, group: str, availability: Availability) -> None:
        """The process of a group of devices runs, or has ended."""
        if is_news(self._processes.get(group), availability):
            self._processes[group] = availability
            for device in self.groups[group]:
                self._device(device, availability)

    def notifier(self, state: NotifierState) -> None:
        """A way to reach a person that fails is itself an alert, once until it works again."""
        failing = {*state.failing, *([f"+{state.more_failing}"] if state.more_failing else ())}
        for way in sorted(failing - self._unreached):
            self.faults.add("unreached", way)
        self._unreached = frozenset(failing)

    def device_health(self, device: str, health: DeviceHealth, *, retained: bool) -> None:
        """How a device is, as its process reports it. What a broker retained is no news if more is known: one
        that crashed may have forgotten what came last.
        """
        known = self._health.get(device)
        if retained and known is not None and health.at.wall_ns < known.at.wall_ns:
            return
        surplus = health.rejects.get(TOO_MANY_TAGS, 0)
        left_out = surplus - self._surplus.get(device, surplus)
        self._surplus[device] = surplus
        if left_out > 0:
            self.faults.add("too-many-tags", device, left_out)
        self._health[device] = health
        (group,) = (name for name, devices in self.groups.items() if device in devices)
        self._device(device, self._processes.get(group))

    def _device(self, device: str, process: Availability | None) -> None:
        """A device is what its process reports, as long as the process runs."""
        health = self._health.get(device)
        reported = None if health is None else health.state
        state = "lost" if process is not None and process.state == "offline" else reported
        if state is not None:
            self.core.device(device, state, self.devices[device], self._clock.now())

    def take(self) -> None:
        """Sense the readings that have arrived, and acknowledge what is committed."""
        arrived, acks = self.intake.take()
        self._uncommitted += arrived
        self._acks += acks
        if arrived:
            self._charge()
            self.survived(lambda: self.core.readings(arrived, self._clock.now()))
        if len(self._acks) >= MOST_UNACKNOWLEDGED:
            self.core.commit()
        self._acknowledge()

    def finish(self) -> None:
        """Commit what waits, and acknowledge it."""
        self.core.commit()
        self._acknowledge()

    def tick(self, now: Instant) -> None:
        """Let time pass at the core."""
        self._charge()
        self.core.tick(now)
        self._acknowledge()

    def survived(self, work: Callable[[], None]) -> bool:
        """Do it. False if the core broke on it: the table is folded again from its journal, which has
        nothing of it, and readings that were not committed are taken again, one by one.
        """
        if self._done(work):
            return True
        readings, self._uncommitted = self._uncommitted, []
        for reading in readings:
            if not self._taken_alone(reading):
                for payload, _ in batches(reading.device, [reading]):
                    self.set_aside(reading.device, reading.device, payload, "unforeseen")
                self._taken_alone(in_place_of(reading))
        return False

    def page(
        self, request: HistoryRequest | TimelineRequest | Command
    ) -> HistoryPage | TimelinePage | Preview:
        """What has happened at the table, by its record; or what would come of a command."""
        if isinstance(request, Command):
            return preview(request, self.core.table, self.core.rev)
        if isinstance(request, TimelineRequest):
            return self.core.timelines.page(request, self._clock.now())
        return self.core.history.page(request)

    def set_aside(self, device: str, topic: str, payload: bytes, reason: str) -> None:
        """A message could not be taken, whose device it is or is not."""
        self._aside.put(topic, payload, reason, self._clock.now())
        self.faults.add(
            "unforeseen" if reason == "unforeseen" else "undecodable",
            device if device in self.devices else "",
        )

    def _take_in(self, made: list[Stamped], ack: Ack, now_ns: int, decoding_ns: int) -> None:
        """Let each reading arrive, wait or be dropped, by what its device has left of its share. The message
        is acknowledged with what arrives of it.
        """
        arrived = False
        for stamped in made:
            device = stamped.device
            hides = hides_face(stamped.reading)
            if hides or self.intake.full(device, now_ns):
                self.faults.add("undecodable" if hides else "overload", device)
                continue
            reading, surplus = bounded(sanitized(stamped.reading), self._for_chips[device])
            if surplus:
                self.faults.add("too-many-tags", device, surplus)
            stamped = Stamped(device, stamped.epoch, stamped.seq, stamped.at, reading)
            if self.intake.put(stamped, now_ns):
                arrived = True
            else:
                self.faults.add("overload", device)
            self.intake.spend(device, decoding_ns, now_ns)
        if arrived:
            self.intake.acknowledge(ack)
        else:
            ack()

    def _done(self, work: Callable[[], None]) -> bool:
        """Do it. False if the core broke on it, and was opened again."""
        try:
            work()
        except JournalError:
            raise
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            # Not the error's own text, which may hold a face.
            _log.error(
                "table %s: %s in %s, line %s; it is folded again from its journal",
                self.core.table.name,
                type(error).__name__,
                frame.filename,
                frame.lineno,
                extra={"table": self.core.table.name},
            )
            self.core.close()
            self.core = self._begin()
            self.begun()
            return False
        return True

    def _taken_alone(self, reading: Stamped) -> bool:
        """Whether the core took this reading, which is committed by itself."""

        def work() -> None:
            self.core.readings([reading], self._clock.now())
            self.core.commit()

        self._charge()
        taken = self._done(work)
        if taken:
            self._uncommitted.append(reading)
        return taken

    def _acknowledge(self) -> None:
        """Acknowledge the readings if all of them are committed, and count them."""
        if self.core.waits:
            return
        charge = self._charge()
        readings, self._uncommitted = self._uncommitted, []
        for reading in readings:
            self.antennas.readings([reading])
            charge(reading.device)
        acks, self._acks = self._acks, []
        for ack in acks:
            ack()

    def _charge(self) -> Callable[[str], None]:
        """From now on a reading's time is charged to its device, except while all devices catch up."""
        free, mark_ns = self.core.catching_up, self._clock.now().monotonic_ns

        def charge(device: str) -> None:
            nonlocal mark_ns
            now_ns = self._clock.now().monotonic_ns
            if not free:
                self.intake.spend(device, now_ns - mark_ns, now_ns)
            mark_ns = now_ns

        self.core.applied = charge
        return charge
