"""One table, all joined: readings and commands in, journal on disk, messages out.

Everything that comes in is one transaction: the readings, the events sensed from them, the findings of the
engine and the alerts they raise are appended together and committed; only then may the caller acknowledge and
publish. Readings from which nothing follows but a sign of a card before a seat wait for the next commit,
`commit_within_s` at most: as long as anything `waits`, the caller acknowledges nothing. What follows from a
reading is committed at once, with all that waits before it. At the start the journal is folded, from a
snapshot on (`snapshots.py`); kept readings are fed to sensing again in their old order, their events being in
the record already. So a kill at any moment loses nothing that was acknowledged and doubles nothing.

An exception inside a transaction is like a kill: the journal has nothing of the transaction nor of what
waited, nothing of it is published, and what is in memory is worthless, since the hand, the alerts and sensing
may have taken a part of it. The core then refuses whatever else is asked of it; the caller opens a new one,
which folds the journal (`served.py`).

What is to be published is collected in `messages`: retained pictures are made again each time, so a picture
that is missed is no loss. `committed` is called as soon as a transaction is on disk and before pictures are
made, so that an alert need not wait for them.
"""

from collections.abc import Callable, Iterable

from tablebridge.antennas.wear import ReadCounts
from tablebridge.app.answers import Answers, reply_of
from tablebridge.app.arrivals import Arrivals, Ready
from tablebridge.app.calibration_records import CalibrationRecords
from tablebridge.app.command_desk import CommandDesk, PublicNames
from tablebridge.app.folded import FoldedTable
from tablebridge.app.group_commit import GroupCommit
from tablebridge.app.history import History
from tablebridge.app.measured import Measured
from tablebridge.app.missing import missing
from tablebridge.app.outgoing import Outgoing
from tablebridge.app.overlay import OverlayFeed
from tablebridge.app.pictures import Messages, open_alerts, pictures
from tablebridge.app.recorder import Recorder
from tablebridge.app.refold import Refold
from tablebridge.app.retention import Retention
from tablebridge.app.ringing import Bell
from tablebridge.app.sensing_time import SensingTime
from tablebridge.app.snapshots import Snapshots
from tablebridge.app.table_clock import TableClock
from tablebridge.app.timelines import Timelines
from tablebridge.bus import topics
from tablebridge.bus.inbox import Lost
from tablebridge.bus.messages import Command, DeviceMeta, Reply
from tablebridge.engine.table import Table
from tablebridge.journal.readings import Taken, Tick
from tablebridge.journal.records import InstallationRecord, SetupRecord
from tablebridge.journal.store import Journal, Record
from tablebridge.model.disclosure import Disclosure
from tablebridge.model.events import BrokenJournal, DeviceState, RestoredJournal, TableEvent
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place
from tablebridge.model.readings import Stamped
from tablebridge.seal.gate import DelayGate
from tablebridge.sensing.sensor import Sensor
from tablebridge.settings.site import Retention as Rules
from tablebridge.settings.site import Ringing
from tablebridge.tracking.tracker import Tracker


class TableCore:
    """One table with its journal. `sensor` and `gate` come made; readings of `keep_hands` hands are kept, and
    else what `retention` says. `ringing`: when alerts ring again. `commit_within_s`: how long readings may
    wait from which nothing follows. `public_names`: what to call players in public who want no name there.

    `messages` are to be published, in order; `asks`: what must be asked again, of what device; `history` and
    `timelines`: what has happened. `committed` may take what is urgent; `applied` gets each reading's device.
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
        commit_within_s: float = 0.0,
        retention: Rules | None = None,
        ringing: Ringing | None = None,
        public_names: PublicNames = lambda names: {},
    ) -> None:
        self.table = Table(journal.table)
        self.committed: Callable[[], None] = lambda: None
        self.applied: Callable[[str], None] = lambda device: None
        self._journal = journal
        self._sensor = sensor
        self._folded = FoldedTable(self.table, now)
        self._outgoing = Outgoing(self.table)
        self._snapshots = Snapshots(journal, self._folded, sensor)
        self._recorder = Recorder(journal, self._folded, self._outgoing, self._snapshots, sensor, keep_hands)
        self._tracker = Tracker(sensor, self.table, lambda: journal.next_number, self._recorder.entered)
        self._overlay = OverlayFeed(self.table, gate, hole_cards=hole_cards)
        self._arrivals = Arrivals(journal.positions(), journal.held(), now)
        self._sensing_time = SensingTime(self._tracker)
        self._answers = Answers(journal)
        self._desk = CommandDesk(
            journal, self._tracker, self._folded, self._outgoing, lambda: self._overlay.delay_s, public_names
        )
        self._commits = GroupCommit(journal, self._outgoing, self._publish, commit_within_s, self.table)
        self._transaction = self._commits.transaction
        self._retention = Retention(journal, retention or Rules(), self.table, self._transaction)
        self._clock = TableClock(self.table, self.note)
        self.calibrations = CalibrationRecords(journal, self._transaction, self._tracker)
        self._bell = Bell(journal, self._folded, self._outgoing, self._commits, ringing or Ringing())
        self._refold(now)
        self.alerts, self.messages = self._folded.alerts, self._outgoing.messages
        self.asks = self._arrivals.asks
        self.history = History(journal, self.alerts)
        self.timelines = Timelines(journal, self._folded, sensor.cards)
        self.measured = Measured(self._arrivals.lost, journal.commits, self._overlay)

    def setup(self, section: str, events: Iterable[TableEvent], now: Instant) -> None:
        """Enter the site file's setup of this table, unless just this section was entered last or a hand is
        under way.
        """
        if section == self._folded.section or self.table.street not in ("over", "void"):
            return
        with self._transaction(now):
            self._journal.record("setup", SetupRecord(section))
            self._folded.section = section
            for event in events:
                self._tracker.enter(event, "operator", now, now, by="site file")

    def installed(self, installation: InstallationRecord, now: Instant) -> None:
        """Record the installation that the engine runs with, unless just that was recorded last."""
        if installation == (before := self._folded.installation):
            return
        with self._transaction(now):
            self._journal.record("installation", installation)
            self._folded.installation = installation
            if before is not None and (terms := installation.terms) != before.terms:
                self._tracker.enter(Disclosure(terms, before.terms), "operator", now, now, by="site file")

    def broken(self, file: str, now: Instant) -> None:
        """The journal before this one was broken and put aside as `file`: it is entered once."""
        if not self._folded.knows_broken(file):
            self.note(BrokenJournal(file), now)

    def restored(self, backup: str, made_wall_ns: int, now: Instant) -> None:
        """The record was restored from this backup: it is entered once."""
        if not self._folded.knows_restored(backup):
            self.note(RestoredJournal(backup, made_wall_ns), now)

    def connected(self, antennas: Iterable[str], now: Instant) -> None:
        """The broker is there again: what was read before this comes out of order between the devices that
        have `antennas`. Those that never sent anything, or are known to be away, are not waited for.
        """
        live = [device for device in antennas if self._folded.state_of(device) == "live"]
        self._arrivals.connected(live, now)

    @property
    def catching_up(self) -> bool:
        """Whether readings are held until they can be put in order. A person's command is to wait as long."""
        return self._arrivals.catching_up

    def readings(self, stamped: Iterable[Stamped], now: Instant) -> None:
        """Take readings, or hold them on disk while catching up; nobody acknowledges while one `waits`."""
        self._arrived(self._arrivals.readings(stamped, now), now)

    def birth(self, meta: DeviceMeta, now: Instant, *, retained: bool = False) -> None:
        """The readings that a driver process still has; `retained` if it said so before this connection."""
        self._arrived(self._arrivals.birth(meta, now, retained=retained), now)

    def tick(self, now: Instant) -> None:
        """Let time pass: for sensing, delayed pictures, gaps to ask for again, commits and retention."""
        self._commits.due(now)
        self._arrived(self._arrivals.due(now), now)
        if not self.catching_up and (at := self._sensing_time.due(now)) is not None:
            with self._transaction(now):
                self._journal.reading(Tick(at))
                self._tracker.tick(at, now)
        self._clock.tick(now, behind=self.catching_up)
        self._desk.unshelve(now, self._transaction)
        self._recorder.tick(now, self._transaction)
        self._retention.tick(now)
        self._bell.tick(now)
        if refusals := self._answers.over(now):
            with self._transaction(now):
                for record in refusals:
                    self._journal.record("command", record)
        if (picture := self._overlay.due(now)) is not None:
            self.messages.append((topics.OVERLAY, picture))

    def command(self, command: Command, now: Instant, *, retained: bool) -> Reply:
        """Do what a person wants, once for each id, and answer. An answer is final, also that it was not
        done: the journal has it, and whatever comes under the same id later is answered the same.
        """
        answer = self._answers.of(command)
        if answer is None:
            with self._transaction(now):
                answer = self._desk.do(command, now, retained=retained)
                self._answers.give(command, answer)
        return reply_of(answer)

    def device(self, device: str, state: str, places: tuple[Place, ...], now: Instant) -> None:
        """A device of this table is live, stale or lost; changes are entered, except for the first `live`."""
        if state != "live":
            self._arrivals.gone(device)
        if state != self._folded.state_of(device):
            self.note(DeviceState(device, state, places), now, device)  # type: ignore[arg-type]

    def note(self, event: TableEvent, now: Instant, by: str = "") -> None:
        """Enter what the box itself found out, about a device `by` that device."""
        with self._transaction(now):
            self._tracker.enter(event, "inferred", now, now, by=by)

    @property
    def waits(self) -> bool:
        """Whether readings wait for a commit."""
        return self._commits.waits

    def commit(self) -> None:
        """Put on disk what waits for it, and publish it."""
        self._commits.commit()

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which `tick` has something to do; gaps want it once per second."""
        if self._arrivals.gaps:
            return 0
        sensing = self._arrivals.until_ns if self.catching_up else self._sensing_time.wake_ns
        own = (self._commits.wake_ns, self._overlay.wake_ns, self._folded.facts.wake_ns, self._clock.wake_ns)
        return min((at for at in (sensing, *own) if at is not None), default=None)

    def take_reads(self) -> ReadCounts:
        """How often each tag answered in the hands that are over, since the last call."""
        return self._sensor.reads.take_counts()

    @property
    def rev(self) -> int:
        """The number of the last row of the journal that the state is true of."""
        return self._journal.next_number - 1

    def retained(self) -> Messages:
        """All retained pictures but the overlay's, for a new connection; what they are true of is on disk."""
        self.commit()
        shown = pictures(self._folded, self._sensor.presence.read(), self.rev)
        return [*shown, *open_alerts(self._folded, self.rev)]

    def close(self) -> None:
        """Close the journal, with what waits on disk, unless the core has failed."""
        self.commit()
        self._journal.close()

    def _publish(self, now: Instant) -> None:
        """Make the messages of what was committed. The overlay's delay is counted from `now`."""
        if self._outgoing.alerted:
            self._outgoing.alerted = False
            self.messages.extend(open_alerts(self._folded, self.rev))
        self.committed()
        self._outgoing.release_signs()
        if self._outgoing.changed:
            self._outgoing.changed = False
            reads = self._sensor.presence.read()
            self._overlay.changed(self._folded.changed_at, self.rev, reads, now)
            self.messages.extend(pictures(self._folded, reads, self.rev))

    def _arrived(self, ready: Ready, now: Instant) -> None:
        """Apply what may be applied, or keep what waits for all devices to catch up."""
        if ready.apply or ready.released:
            self._apply(ready, now)
        elif ready.hold:
            with self._transaction(now):
                for stamped in ready.hold:
                    self._journal.hold(stamped)

    def _apply(self, ready: Ready, now: Instant) -> None:
        with self._transaction(now):
            if ready.released:
                self._journal.release()
            for arrival in ready.apply:
                if isinstance(arrival, Stamped):
                    self._arrivals.applied(arrival.device)
                    self._reading(arrival, now)
                    continue
                if isinstance(arrival, Lost):
                    self._arrivals.applied(arrival.device)
                    self._journal.position(arrival.device, arrival.epoch, arrival.last + 1)
                event = missing(arrival, self._folded.state_of(arrival.device))
                self._tracker.enter(event, "inferred", now, now, by=arrival.device)

    def _reading(self, stamped: Stamped, now: Instant) -> None:
        self._journal.reading(Taken(stamped))
        self._sensing_time.reading(stamped, now)
        for sign in self._sensor.presence.take_signs():
            self._outgoing.presence(sign)
            self._folded.changed_at = stamped.at
        self.applied(stamped.device)

    def _refold(self, now: Instant) -> None:
        """Fold the journal, from a snapshot on if there is one. Kept readings of the hand under way are fed
        to sensing again.
        """
        hand, waiting = self._overlay.last_hands(self._journal, now)
        done = self._snapshots.restore(waiting)
        refold, due = Refold(self._tracker, self._folded, self._journal), None
        for row in self._journal.rows(hand, done + 1):
            if isinstance(row, Record):
                if row.number == waiting:
                    refold.settle()
                    due = self._snapshots.due()
                entry = refold.add(row, shown=row.number >= hand)
                if entry is not None:
                    self._snapshots.count()
                    if row.number >= waiting:
                        self._overlay.refold(entry, now)
            elif isinstance(row.row, Tick):
                self._tracker.replay_tick(row.row.at)
            else:
                self._sensing_time.replay_reading(row.row.stamped, now)
        refold.settle()
        if due is not None:
            with self._journal.transaction():
                self._snapshots.keep(due, waiting - 1)
        self._sensor.presence.take_signs()
        self._outgoing.changed = False
        picture = self._overlay.start(self._folded.changed_at, self.rev, now)
        self._outgoing.messages.append((topics.OVERLAY, picture))
