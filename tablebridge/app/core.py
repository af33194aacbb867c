"""One table, all joined: readings and commands in, journal on disk, messages out.

Everything that comes in is one transaction: the readings, the events sensed from them, the findings of the
engine and the alerts they raise are appended together and committed; only then may the caller acknowledge and
publish. At the start the journal is folded; kept readings are fed to sensing again in their old order, their
events being in the record already. So a kill at any moment loses nothing that was acknowledged and doubles
nothing.

What is to be published is collected in `messages`: retained pictures are made anew each time, so one of them
missed is no loss. `committed` is called as soon as a transaction is on disk and before pictures are made, so
that an alert need not wait for them.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from tablebridge.antennas.wear import ReadCounts
from tablebridge.app.answers import Answers
from tablebridge.app.clearing import cleared
from tablebridge.app.commands import events_of, in_turn, own_last
from tablebridge.app.floor_calls import FloorCalls
from tablebridge.app.lines import Lines
from tablebridge.app.missing import missing
from tablebridge.app.overlay import OverlayFeed
from tablebridge.app.pictures import Messages, open_alerts, pictures, records_again, turn_of
from tablebridge.app.records import AlertRecord, InstallationRecord, SetupRecord, body_of
from tablebridge.bus import topics
from tablebridge.bus.catchup import CatchUp
from tablebridge.bus.inbox import EPOCHS, Ask, Back, Inbox, Lost
from tablebridge.bus.inbox import Taken as Arrived
from tablebridge.bus.messages import AlertMessage, Command, DeviceMeta, FindingMessage, PresenceMessage, Reply
from tablebridge.bus.topics import Topic
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import Alerts, for_staff
from tablebridge.journal.store import Journal, Record, Taken, Tick
from tablebridge.model.disclosure import Access, Disclosure
from tablebridge.model.errors import Moved, Refused
from tablebridge.model.events import Basis, BrokenJournal, DeviceState, Entry, Hand, TableEvent
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place
from tablebridge.model.readings import Stamped
from tablebridge.seal.gate import DelayGate
from tablebridge.sensing.sensor import Conclusion, Sensor

_log: Final = logging.getLogger(__name__)


class TableCore:
    """The fold of one table with its journal. `sensor` and `gate` come made; readings of `keep_hands` hands
    are kept.

    `messages` holds what is to be published, in order; `asks` what must be asked of which device again;
    `committed` may take from `messages` what is urgent; `applied` is called after each reading that was
    applied, with its device.
    """

    def __init__(
        self,
        journal: Journal,
        sensor: Sensor,
        gate: DelayGate,
        now: Instant,
        *,
        hole_cards: bool = True,
        keep_hands: int = 20,
    ) -> None:
        self.table = Table(journal.table)
        self.alerts = Alerts()
        self.messages: deque[tuple[Topic, Any]] = deque()
        self.asks: deque[Ask] = deque()
        self.committed: Callable[[], None] = lambda: None
        self.applied: Callable[[str], None] = lambda device: None
        self._journal = journal
        self._sensor = sensor
        self._overlay = OverlayFeed(self.table, gate, hole_cards=hole_cards)
        positions = journal.positions()
        self._inbox = Inbox(positions)
        self._known = {device for device, _ in positions}
        self._hand_starts: deque[int] = deque(maxlen=keep_hands)
        self._lines = Lines(self.table)
        self._calls = FloorCalls(self.table, self.alerts)
        self._answers = Answers(journal)
        self._device_states: dict[str, str] = {}
        self._told_broken: set[str] = set()
        self._section = ""
        self._installation: InstallationRecord | None = None
        self._changed_at = self._now = now
        self._dirty = False
        self._alerted = False
        self._catch_up: CatchUp | None = None
        self._refold(now)
        held = [
            one for stamped in journal.held() for one in self._inbox.take(stamped, now.monotonic_ns).ready
        ]
        if held:
            self._catch_up = CatchUp(now, {one.device for one in held})
            for one in held:
                self._catch_up.hold(one)

    # What comes in.

    def setup(self, section: str, events: Iterable[TableEvent], now: Instant) -> None:
        """Enter the site file's setup of this table, unless just this section was entered last or a hand is
        under way.
        """
        if section == self._section or self.table.street not in ("over", "void"):
            return
        self._begin(now)
        self._journal.record("setup", SetupRecord(section))
        self._section = section
        for event in events:
            self._enter(event, "operator", now, by="site file")
        self._commit()

    def installed(self, installation: InstallationRecord, now: Instant) -> None:
        """Record with what the engine runs, unless just that was recorded last."""
        before = self._installation
        if installation == before:
            return
        self._begin(now)
        self._journal.record("installation", installation)
        self._installation = installation
        if before is not None and before.terms != installation.terms:
            self._enter(Disclosure(installation.terms, before.terms), "operator", now, by="site file")
        self._commit()

    def broken(self, file: str, now: Instant) -> None:
        """The journal before this one was broken and put aside as `file`: it is told once."""
        if file in self._told_broken:
            return
        self.note(BrokenJournal(file), now)

    def connected(self, antennas: Iterable[str], now: Instant) -> None:
        """The broker is there, anew: what was read before this comes out of order between devices.
        `antennas`: the devices that have some. Those that never told anything, or are known to be away, are
        not waited for.
        """
        waited_for = {
            device
            for device in antennas
            if device in self._known and self._device_states.get(device, "live") == "live"
        }
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
        """A driver process said which readings it still has; `retained` where it did so before this
        connection.
        """
        self._arrived([self._inbox.meta(meta, now.monotonic_ns, retained=retained)], now)

    def tick(self, now: Instant) -> None:
        """Let time pass: sensing's waits, pictures whose delay is over, gaps to ask for again."""
        self._arrived(self._inbox.due(now.monotonic_ns), now)
        wake = self._sensor.wake_ns
        if wake is not None and wake <= now.monotonic_ns and self._catch_up is None:
            self._begin(now)
            self._journal.reading(Tick(now))
            for sensed in self._sensor.due(now, self.table.expectation()):
                self._sense(sensed, now)
            self._commit()
        for record in self._answers.over(now):
            self._begin(now)
            self._journal.record("command", record)
            self._journal.commit()
        picture = self._overlay.due(now)
        if picture is not None:
            self.messages.append((topics.OVERLAY, picture))

    def command(self, command: Command, now: Instant, *, retained: bool) -> Reply:
        """Do what a person wants, once for each id, and answer. An answer is final, also that it was not
        done: the journal has it, and whatever comes under the same id later is answered the same.
        """
        given = self._answers.of(command)
        if given is not None:
            return given
        late = not retained and command.deadline_wall_ns < now.wall_ns
        self._begin(now)
        try:
            numbers: tuple[int, ...]
            sentence = ""
            if retained:
                raise Refused("A retained command is never done; clear it from the broker.")
            if late:
                raise Refused(
                    "The command came too late and was not done. Enter it anew; this copy is never done."
                )
            if command.access:
                access = Access(command.access, command.token, self._overlay.delay_s)
                numbers = (self._enter(access, "operator", now, by=f"{command.by} ({command.role})"),)
            elif command.alert:
                numbers = self._alert(command, now)
            else:
                numbers, sentence = self._events(command, now)
            reply = Reply(
                command.id,
                True,
                sentence,
                entries=numbers,
                rev=self._journal.next_number,
                turn=turn_of(self.table),
            )
        except Refused as refused:
            moved = isinstance(refused, Moved)
            reply = Reply(
                command.id,
                False,
                str(refused),
                rev=self.rev,
                late=late,
                turn=turn_of(self.table),
                moved=moved,
            )
        self._answers.give(command, reply)
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
        self._begin(now)
        self._enter(event, "inferred", now, by=by)
        self._commit()

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which `tick` has something to do, apart from gaps, which want it once a
        second.
        """
        if self._inbox.waits:
            return 0
        sensing = self._sensor.wake_ns if self._catch_up is None else self._catch_up.until_ns
        return min((at for at in (sensing, self._overlay.wake_ns) if at is not None), default=None)

    def take_reads(self) -> ReadCounts:
        """How often each tag answered in the hands that are over, since it was asked last."""
        return self._sensor.reads.take_counts()

    @property
    def rev(self) -> int:
        """The number of the last row of the journal that the state is true of."""
        return self._journal.next_number - 1

    def retained(self) -> list[tuple[Topic, Any]]:
        """All retained pictures but the overlay's, for a new connection: the broker may have forgotten them."""
        return [*self._pictures(), *open_alerts(self.alerts, self.rev)]

    def close(self) -> None:
        self._journal.close()

    # How it is done.

    def _arrived(self, arrivals: list[Arrived], now: Instant) -> None:
        """Apply what the inbox hands on, and what it gives up; or hold it until all devices have caught up."""
        self.asks.extend(arrived.ask for arrived in arrivals if arrived.ask is not None)
        ready: list[Stamped | Lost | Back] = []
        for arrived in arrivals:
            if arrived.back is not None:
                ready.append(arrived.back)
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
            self._begin(now)
            for one in ready:
                if isinstance(one, Stamped):
                    self._journal.hold(one)
            self._journal.commit()

    def _apply(self, ready: list[Stamped | Lost | Back], now: Instant, *, released: bool = False) -> None:
        """One transaction. `released`: those that were held are among them."""
        self._begin(now)
        if released:
            self._journal.release()
        following: dict[tuple[str, str], int] = {}
        for one in ready:
            if not isinstance(one, Stamped):
                if isinstance(one, Lost):
                    following[one.device, one.epoch] = one.last + 1
                self._enter(
                    missing(one, self._device_states.get(one.device, "live")), "inferred", now, by=one.device
                )
            else:
                following[one.device, one.epoch] = one.seq + 1
                self._journal.reading(Taken(one))
                for sensed in self._sensor.update(one, self.table.expectation()):
                    self._sense(sensed, one.at)
                for sign in self._sensor.presence.take_signs():
                    self.messages.append((topics.PRESENCE, PresenceMessage(sign)))
                    self._changed_at, self._dirty = one.at, True
        for (device, epoch), number in following.items():
            self._known.add(device)
            self._journal.position(device, epoch, number, EPOCHS)
        self._commit()

    def _events(self, command: Command, now: Instant) -> tuple[tuple[int, ...], str]:
        """The entries of the lines or the correction, and what is to be said of them."""
        by = f"{command.by} ({command.role})"
        if command.last:
            command = msgspec.structs.replace(command, undo=own_last(command, self._lines.all()))
        numbers: list[int] = []
        in_turn(command, self.table)
        for event in events_of(command, self.table):
            for sensed in self._sensor.before(event, self.table.expectation()):
                self._sense(sensed, now)
            if not numbers:
                # What was sensed just before may have moved the turn.
                in_turn(command, self.table)
            numbers.append(self._enter(event, "operator", now, by=by))
        return tuple(numbers), self._lines.said(numbers, undo=command.undo)

    def _alert(self, command: Command, now: Instant) -> tuple[int, ...]:
        assert command.alert is not None
        if command.role != "floor":
            raise Refused("Only the floor changes alerts; sign in with a floor token.")
        change = self._calls.check(msgspec.structs.replace(command.alert, by=command.by))
        entries: tuple[int, ...] = ()
        if change.line:
            entries = (
                self._enter(parse_line(change.line), "operator", now, by=f"{command.by} ({command.role})"),
            )
        alert = self.alerts.apply(change, now)
        number = self._journal.record("alert", AlertRecord(change, now))
        self.messages.append((topics.ALERT, AlertMessage(alert, number)))
        self._alerted = True
        return (*entries, number)

    def _sense(self, sensed: Conclusion, at: Instant) -> None:
        self._enter(sensed.event, sensed.basis, at, sure=sensed.sure, evidence=sensed.evidence)

    def _enter(
        self,
        event: TableEvent,
        basis: Basis,
        at: Instant,
        *,
        by: str = "",
        sure: float = 1.0,
        evidence: tuple[str, ...] = (),
    ) -> int:
        """Append one event, fold it, append what the engine says to it."""
        entry = Entry(self._journal.next_number, at, event, basis, sure, by, evidence, self._now)
        self._journal.record("entry", entry)
        findings = self._fold(entry)
        self._lines.add(entry)
        for finding in findings:
            number = self._journal.record("finding", finding)
            alert = self._calls.raise_(finding, at)
            if alert is not None:
                self._alerted = True
                self.messages.append((topics.ALERT, AlertMessage(alert, number)))
            self.messages.append((topics.FINDING, FindingMessage(for_staff(finding), at, number)))
        for alert in (*cleared(self.alerts, self.table, event), *self._calls.after(at)):
            self._alerted = True
            self.messages.append((topics.ALERT, AlertMessage(alert, self.rev)))
        if isinstance(event, Hand) and len(self._hand_starts) == self._hand_starts.maxlen:
            self._journal.forget_readings(self._hand_starts[0])
        return entry.id

    def _fold(self, entry: Entry) -> tuple[Finding, ...]:
        """What an entry does to everything that is folded, at the start as in life."""
        event = entry.event
        self._calls.before(entry)
        findings = self.table.apply(entry).findings
        if isinstance(event, Hand):
            self._hand_starts.append(entry.id)
            self._sensor.begin_hand()
        self._sensor.observe(entry)
        if isinstance(event, DeviceState) and not event.health:
            self._device_states[event.device] = event.state
        elif isinstance(event, BrokenJournal):
            self._told_broken.add(event.file)
        self._changed_at, self._dirty = entry.at, True
        return findings

    def _begin(self, now: Instant) -> None:
        """Open a transaction. `now` is what the overlay's delay is counted from, whatever the time of a
        reading.
        """
        self._now = now
        self._journal.begin()

    def _commit(self) -> None:
        self._journal.commit()
        if self._alerted:
            self._alerted = False
            self.messages.extend(open_alerts(self.alerts, self.rev))
        self.committed()
        if self._dirty:
            self._dirty = False
            self._overlay.changed(self._changed_at, self.rev, self._sensor.presence.read(), self._now)
            self.messages.extend(self._pictures())

    def _pictures(self) -> Messages:
        return pictures(
            self.table, self._calls, self._lines, self._sensor.presence.read(), self._changed_at, self.rev
        )

    def _refold(self, now: Instant) -> None:
        """Fold the journal. Kept readings of the hand under way are fed to sensing again; what they led to is
        in the record.
        """
        hand, waiting = self._overlay.last_hands(self._journal, now)
        for record in records_again(self._journal, hand, self._sensor, self.table.expectation):
            self._refold_record(record, now, shown=record.number >= hand, waits=record.number >= waiting)
        self._sensor.presence.take_signs()
        self._dirty = False
        self.messages.append((topics.OVERLAY, self._overlay.start(self._changed_at, self.rev, now)))

    def _refold_record(self, record: Record, now: Instant, *, shown: bool, waits: bool) -> None:
        """`shown`: its line is one of the hand that is shown. `waits`: its picture may still wait for its
        time.
        """
        body = body_of(record)
        if isinstance(body, Entry):
            self._fold(body)
            if shown:
                self._lines.add(body)
            cleared(self.alerts, self.table, body.event)
            self._calls.after(body.at)
            if waits:
                self._overlay.refold(body, now)
        elif isinstance(body, Finding):
            self._calls.raise_(body, self._changed_at)
        elif isinstance(body, AlertRecord):
            if body.change.alert in self.alerts:
                self.alerts.apply(body.change, body.at)
        elif isinstance(body, SetupRecord):
            self._section = body.section
        elif isinstance(body, InstallationRecord):
            self._installation = body
