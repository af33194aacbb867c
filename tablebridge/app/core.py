"""One table, all joined: readings and commands in, journal on disk, messages out.

Everything that comes in is one transaction: the readings, the events sensed from them, the findings of the engine and the
alerts they raise are appended together and committed; only then may the caller acknowledge and publish. At the start the
journal is folded; kept readings are fed to sensing again in their old order, their events being in the record already. So a
kill at any moment loses nothing that was acknowledged and doubles nothing.

What is to be published is collected in `messages`: retained pictures are made anew each time, so one of them missed is no loss.
`committed` is called as soon as a transaction is on disk and before pictures are made, so that an alert need not wait for them.
"""

import heapq
import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from tablebridge.app.clearing import cleared
from tablebridge.app.commands import events_of
from tablebridge.app.records import ALERT, COMMAND, ENTRY, FINDING, SETUP, AlertRecord, CommandRecord, SetupRecord
from tablebridge.bus import topics
from tablebridge.bus.catchup import CatchUp
from tablebridge.bus.inbox import Ask, Inbox, Lost
from tablebridge.bus.inbox import Taken as Arrived
from tablebridge.bus.messages import ActiveAlerts, AlertMessage, Command, DeviceMeta, FindingMessage, PresenceMessage, Reply
from tablebridge.bus.topics import Topic
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.engine.views import overlay_view, public_view, staff_view, with_reads
from tablebridge.floor.alerts import Alerts, for_staff, worst
from tablebridge.journal.store import Journal, Record, Row, Taken, Tick
from tablebridge.model.errors import Refused
from tablebridge.model.events import Access, Basis, BrokenJournal, DeviceState, Entry, Hand, TableEvent, Undo
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place
from tablebridge.model.readings import Stamped
from tablebridge.model.views import LineView
from tablebridge.seal.gate import DelayGate
from tablebridge.sensing.sensor import Sensed, Sensor
from tablebridge.sensing.wear import Counted

_log: Final = logging.getLogger(__name__)
_REMEMBERED_REPLIES: Final = 2000
_LINES_SHOWN: Final = 120


class TableCore:
    """The fold of one table with its journal. `sensor` and `gate` come made; readings of `keep_hands` hands are kept.

    `messages` holds what is to be published, in order; `asks` what must be asked of which device again; `committed` may take
    from `messages` what is urgent.
    """

    def __init__(self, journal: Journal, sensor: Sensor, gate: DelayGate, now: Instant, *, hole_cards: bool = True,
                 keep_hands: int = 20) -> None:
        self.table = Table(journal.table)
        self.alerts = Alerts()
        self.messages: deque[tuple[Topic, Any]] = deque()
        self.asks: deque[Ask] = deque()
        self.committed: Callable[[], None] = lambda: None
        self._journal = journal
        self._sensor = sensor
        self._gate = gate
        self._inbox = Inbox(journal.positions())
        self._overlay = overlay_view if hole_cards else public_view
        self._hand_starts: deque[int] = deque(maxlen=keep_hands)
        self._lines: list[LineView] = []
        self._replies: dict[str, Reply] = {}
        self._device_states: dict[str, str] = {}
        self._told_broken: set[str] = set()
        self._section = ""
        self._changed_at = now
        self._dirty = False
        self._catch_up: CatchUp | None = None
        self._refold(now)
        held = [one for stamped in journal.held() for one in self._inbox.take(stamped, now.monotonic_ns).ready]
        if held:
            self._catch_up = CatchUp(now, {one.device for one in held})
            for one in held:
                self._catch_up.hold(one)

    # What comes in.

    def setup(self, section: str, events: Iterable[TableEvent], now: Instant) -> None:
        """Enter the site file's setup of this table, unless just this section was entered last or a hand is under way."""
        if section == self._section or self.table.street not in ("over", "void"):
            return
        self._journal.begin()
        self._journal.record("setup", SetupRecord(section))
        self._section = section
        for event in events:
            self._enter(event, "operator", now, by="site file")
        self._commit()

    def broken(self, file: str, now: Instant) -> None:
        """The journal before this one was broken and put aside as `file`: it is told once."""
        if file in self._told_broken:
            return
        self.note(BrokenJournal(file), now)

    def connected(self, antennas: Iterable[str], now: Instant) -> None:
        """The broker is there, anew: what was read before this comes out of order between devices. `antennas`: the devices
        that have some. Those that never told anything, or are known to be away, are not waited for."""
        known = {device for device, _ in self._positions}
        waited_for = {device for device in antennas if device in known and self._device_states.get(device, "live") == "live"}
        before = self._catch_up
        self._catch_up = CatchUp(now, waited_for)
        for one in before.release() if before is not None else ():
            self._catch_up.hold(one)

    @property
    def catching_up(self) -> bool:
        """Whether readings are held until they can be put in order. A person's command is to wait as long."""
        return self._catch_up is not None

    def readings(self, stamped: Iterable[Stamped], now: Instant) -> None:
        """Take readings, or hold them on disk while catching up; the caller may acknowledge afterwards."""
        self._arrived([self._inbox.take(one, now.monotonic_ns) for one in stamped], now)

    def birth(self, meta: DeviceMeta, now: Instant, *, retained: bool = False) -> None:
        """A driver process said which readings it still has; `retained` where it did so before this connection."""
        self._arrived([self._inbox.meta(meta, now.monotonic_ns, retained=retained)], now)

    def tick(self, now: Instant) -> None:
        """Let time pass: sensing's waits, pictures whose delay is over, gaps to ask for again."""
        self._arrived(self._inbox.due(now.monotonic_ns), now)
        wake = self._sensor.wake_ns
        if wake is not None and wake <= now.monotonic_ns and self._catch_up is None:
            self._journal.begin()
            self._journal.reading(Tick(now))
            for sensed in self._sensor.due(now, self.table.expectation()):
                self._sense(sensed, now)
            self._commit()
        picture = self._gate.due(now)
        if picture is not None:
            self.messages.append((topics.OVERLAY, picture))

    def command(self, command: Command, now: Instant, *, retained: bool) -> Reply:
        """Do what a person wants, once for each id, and answer."""
        if retained:
            return Reply(command.id, False, "A retained command is never done; clear it from the broker.", rev=self.rev)
        if command.id in self._replies:
            return self._replies[command.id]
        if command.deadline_wall_ns < now.wall_ns:
            return Reply(command.id, False, "The command came too late and was not done; send it again.", rev=self.rev)
        self._journal.begin()
        try:
            numbers: tuple[int, ...]
            if command.access:
                numbers = (self._enter(Access(command.access), "operator", now, by=f"{command.by} ({command.role})"),)
            else:
                numbers = self._alert(command, now) if command.alert else self._events(command, now)
            reply = Reply(command.id, True, entries=numbers, rev=self._journal.next_number)
        except Refused as refused:
            reply = Reply(command.id, False, str(refused), rev=self.rev)
        self._journal.record("command", CommandRecord(command.by, command.role, reply))
        self._remember(reply)
        self._commit()
        return reply

    def device(self, device: str, state: str, places: tuple[Place, ...], now: Instant) -> None:
        """A device of this table is live, stale or lost; only changes are entered, and not the first `live`."""
        if self._catch_up is not None and state != "live":
            self._catch_up.gone(device)
        if state != self._device_states.get(device, "live"):
            self.note(DeviceState(device, state, places), now, device)  # type: ignore[arg-type]

    def note(self, event: TableEvent, now: Instant, by: str = "") -> None:
        """Something was found out, about a device `by` it."""
        self._journal.begin()
        self._enter(event, "inferred", now, by=by)
        self._commit()

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which `tick` has something to do, apart from gaps, which want it once a second."""
        sensing = self._sensor.wake_ns if self._catch_up is None else self._catch_up.until_ns
        return min((at for at in (sensing, self._gate.wake_ns) if at is not None), default=None)

    def take_reads(self) -> Counted:
        """How often each tag answered in the hands that are over, since it was asked last."""
        return self._sensor.reads.take()

    @property
    def rev(self) -> int:
        """The number of the last row of the journal that the state is true of."""
        return self._journal.next_number - 1

    def retained(self) -> list[tuple[Topic, Any]]:
        """All retained pictures but the overlay's, for a new connection: the broker may have forgotten them."""
        return [*self._pictures(), *self._open_alerts(self.rev)]

    def close(self) -> None:
        self._journal.close()

    # How it is done.

    def _arrived(self, arrivals: list[Arrived], now: Instant) -> None:
        """Apply what the inbox hands on, and what it gives up; or hold it until all devices have caught up."""
        self.asks.extend(arrived.ask for arrived in arrivals if arrived.ask is not None)
        ready: list[Stamped | Lost] = []
        for arrived in arrivals:
            if arrived.lost is not None:
                ready.append(arrived.lost)
            ready += arrived.ready
        if self._catch_up is None:
            if ready:
                self._apply(ready, now)
            return
        for one in ready:
            self._catch_up.hold(one)
        if self._catch_up.over(now):
            ready, self._catch_up = self._catch_up.release(), None
            self._apply(ready, now, released=True)
        elif any(isinstance(one, Stamped) for one in ready):
            self._journal.begin()
            for one in ready:
                if isinstance(one, Stamped):
                    self._journal.hold(one)
            self._journal.commit()

    def _apply(self, ready: list[Stamped | Lost], now: Instant, *, released: bool = False) -> None:
        """One transaction. `released`: those that were held are among them."""
        self._journal.begin()
        if released:
            self._journal.release()
        for one in ready:
            if isinstance(one, Lost):
                count = one.last - one.first + 1
                _log.warning("%s: %d readings can never come any more", one.device, count)
                state = self._device_states.get(one.device, "live")
                self._enter(DeviceState(one.device, state, (), count), "inferred", now, by=one.device)  # type: ignore[arg-type]
            else:
                self._journal.reading(Taken(one))
                for sensed in self._sensor.update(one, self.table.expectation()):
                    self._sense(sensed, one.at)
                for sign in self._sensor.presence.take():
                    self.messages.append((topics.PRESENCE, PresenceMessage(sign)))
                    self._changed_at, self._dirty = one.at, True
            self._positions[one.device, one.epoch] = (one.last if isinstance(one, Lost) else one.seq) + 1
        for device, epoch in {(one.device, one.epoch) for one in ready}:
            self._journal.position(device, epoch, self._positions[device, epoch])
        self._commit()

    def _events(self, command: Command, now: Instant) -> tuple[int, ...]:
        by = f"{command.by} ({command.role})"
        numbers = []
        for event in events_of(command, self.table):
            for sensed in self._sensor.before(event, self.table.expectation()):
                self._sense(sensed, now)
            numbers.append(self._enter(event, "operator", now, by=by))
        return tuple(numbers)

    def _alert(self, command: Command, now: Instant) -> tuple[int, ...]:
        assert command.alert is not None
        if command.role != "floor":
            raise Refused("Only the floor changes alerts; sign in with a floor token.")
        change = msgspec.structs.replace(command.alert, by=command.by)
        alert = self.alerts.change(change, now)
        number = self._journal.record("alert", AlertRecord(change, now))
        self.messages.append((topics.ALERT, AlertMessage(alert, number)))
        self.messages.extend(self._open_alerts(number))
        return (number,)

    def _sense(self, sensed: Sensed, at: Instant) -> None:
        self._enter(sensed.event, sensed.basis, at, sure=sensed.sure, evidence=sensed.evidence)

    def _enter(self, event: TableEvent, basis: Basis, at: Instant, *, by: str = "", sure: float = 1.0,
               evidence: tuple[str, ...] = ()) -> int:
        """Append one event, fold it, append what the engine says to it."""
        entry = Entry(self._journal.next_number, at, event, basis, sure, by, evidence)
        self._journal.record("entry", entry)
        findings = self._fold(entry)
        self._lines.append(self._line(entry, findings))
        alerted = False
        for finding in findings:
            number = self._journal.record("finding", finding)
            alert = self.alerts.raise_(finding, at)
            if alert is not None:
                alerted = True
                self.messages.append((topics.ALERT, AlertMessage(alert, number)))
            self.messages.append((topics.FINDING, FindingMessage(for_staff(finding), at, number)))
        for alert in cleared(self.alerts, self.table, event):
            alerted = True
            self.messages.append((topics.ALERT, AlertMessage(alert, self.rev)))
        if alerted:
            self.messages.extend(self._open_alerts(self.rev))
        if isinstance(event, Hand) and len(self._hand_starts) == self._hand_starts.maxlen:
            self._journal.forget_readings(self._hand_starts[0])
        return entry.id

    def _open_alerts(self, number: int) -> list[tuple[Topic, Any]]:
        """All that are not closed, for persons and for lights."""
        active = self.alerts.active()
        return [(topics.ALERTS, ActiveAlerts(active, number)), (topics.SIGNAL, worst(active))]

    def _fold(self, entry: Entry) -> tuple[Finding, ...]:
        """What an entry does to everything that is folded, at the start as in life."""
        event = entry.event
        findings = self.table.apply(entry).findings
        if isinstance(event, Hand):
            self._lines.clear()
            self._hand_starts.append(entry.id)
            self._sensor.begin_hand()
        self._sensor.observe(entry)
        if isinstance(event, DeviceState) and not event.health:
            self._device_states[event.device] = event.state
        elif isinstance(event, BrokenJournal):
            self._told_broken.add(event.file)
        elif isinstance(event, Undo):
            self._lines = [msgspec.structs.replace(line, undone=True) if line.entry == event.entry else line
                           for line in self._lines]
        self._changed_at, self._dirty = entry.at, True
        return findings

    def _line(self, entry: Entry, findings: tuple[Finding, ...]) -> LineView:
        return LineView(entry.id, line_of(self.table.known(entry)), entry.basis, entry.by, False,
                        tuple(" ".join(filter(None, (finding.finding, finding.cause))) for finding in findings))

    def _commit(self) -> None:
        self._journal.commit()
        self.committed()
        if self._dirty:
            self._dirty = False
            seen = with_reads(self._overlay(self.table, self._changed_at, self.rev), self._sensor.presence.read())
            self._gate.put(seen, self._changed_at, self._changed_at)
            self.messages.extend(self._pictures())

    def _pictures(self) -> list[tuple[Topic, Any]]:
        lines, reads = tuple(self._lines[-_LINES_SHOWN:]), self._sensor.presence.read()
        return [(topics.STATE, with_reads(staff_view(self.table, self._changed_at, self.rev, lines), reads)),
                (topics.PUBLIC_STATE, with_reads(public_view(self.table, self._changed_at, self.rev), reads))]

    def _remember(self, reply: Reply) -> None:
        self._replies[reply.id] = reply
        if len(self._replies) > _REMEMBERED_REPLIES:
            del self._replies[next(iter(self._replies))]

    def _refold(self, now: Instant) -> None:
        """Fold the journal. Kept readings of the hand under way are fed to sensing again; what they led to is in the record."""
        self._positions = self._journal.positions()
        hand = next((record.number for record in self._journal.backwards()
                     if record.kind == "entry" and isinstance(ENTRY.decode(record.body).event, Hand)), 0)
        rows: Iterable[Record | Row] = heapq.merge(
            self._journal.records(), self._journal.readings(hand), key=lambda row: row.number)
        for row in rows:
            if isinstance(row, Row):
                if isinstance(row.row, Tick):
                    self._sensor.due(row.row.at, self.table.expectation())
                else:
                    self._sensor.update(row.row.stamped, self.table.expectation())
            else:
                self._refold_record(row, now, shown=row.number >= hand)
        self._sensor.presence.take()
        self._dirty = False
        self._gate.put(self._overlay(self.table, self._changed_at, self.rev), self._changed_at, now)

    def _refold_record(self, record: Record, now: Instant, *, shown: bool) -> None:
        """`shown`: its line is one of the hand that is shown."""
        if record.kind == "entry":
            entry = ENTRY.decode(record.body)
            findings = self._fold(entry)
            if shown:
                self._lines.append(self._line(entry, findings))
            cleared(self.alerts, self.table, entry.event)
            if self._gate.still_waits(entry.at, now):
                self._gate.put(self._overlay(self.table, entry.at, record.number), entry.at, now)
        elif record.kind == "finding":
            self.alerts.raise_(FINDING.decode(record.body), self._changed_at)
        elif record.kind == "alert":
            changed = ALERT.decode(record.body)
            self.alerts.change(changed.change, changed.at)
        elif record.kind == "command":
            self._remember(COMMAND.decode(record.body).reply)
        elif record.kind == "setup":
            self._section = SETUP.decode(record.body).section
