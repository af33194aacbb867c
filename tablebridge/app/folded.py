"""What the record of one table folds to: the hand, the lines and alerts that people see, the state of its
devices.

In life and at the start it is the same: `add` each entry after the engine has applied it, `raise_` each of
its findings, then `settle`.
"""

from collections import deque
from collections.abc import Sequence

import msgspec

from tablebridge.app.clearing import cleared
from tablebridge.app.dealer_facts import DealerFacts, KeptFacts
from tablebridge.app.floor_calls import FloorCalls
from tablebridge.app.lines import Lines
from tablebridge.app.notices import Notices
from tablebridge.engine.history import KeptHistory
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import Alerts, KeptAlerts
from tablebridge.journal.records import AlertRecord, Body, InstallationRecord, SetupRecord
from tablebridge.model.alerts import Alert
from tablebridge.model.events import BrokenJournal, DeviceState, Entry, Hand, RestoredJournal
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.settings.site import MOST_HANDS_KEPT


class KeptTable(msgspec.Struct, frozen=True):
    """A folded record as it is kept on disk, but for what the next hand begins afresh: its lines.

    `rulings`: the last entries that ruled; `facts`: what the dealer may take back; `steps`: those of remedies
    that were done, by finding; `devices`: states by device; `broken`: the broken journals in the record;
    `restored`: the last backup that it was restored from; `section`, `installation`: as in `FoldedTable`;
    `hands`: the entries that began the last.
    """

    history: KeptHistory
    alerts: KeptAlerts
    rulings: tuple[int, ...]
    devices: dict[str, str]
    broken: frozenset[str]
    restored: str
    section: str
    installation: InstallationRecord | None
    hands: tuple[int, ...]
    facts: KeptFacts = KeptFacts()
    steps: dict[str, tuple[int, ...]] = {}


class FoldedTable:
    """The folded record of one table. `changed_at`: when what happened last happened.

    `section`: the setup that was entered last; `installation`: with what the engine ran last. `hands`: the
    entries that began the last hands.
    """

    def __init__(self, table: Table, now: Instant) -> None:
        self.table = table
        self.alerts = Alerts()
        self.lines = Lines(table)
        self.facts = DealerFacts(table)
        self.notices = Notices(table, self.alerts, self.facts)
        self.calls = FloorCalls(table, self.alerts, self.facts)
        self.changed_at = now
        self.section = ""
        self.installation: InstallationRecord | None = None
        self.hands: deque[int] = deque(maxlen=MOST_HANDS_KEPT)
        self._device_states: dict[str, str] = {}
        self._broken: set[str] = set()
        self._restored = ""

    def kept(self) -> KeptTable:
        """The folded record as it is kept on disk, to go on from at a later hand."""
        return KeptTable(
            self.table.kept(),
            self.alerts.kept(),
            self.calls.kept(),
            dict(self._device_states),
            frozenset(self._broken),
            self._restored,
            self.section,
            self.installation,
            tuple(self.hands),
            self.facts.kept(),
            self.notices.kept(),
        )

    def restore(self, kept: KeptTable, log: Sequence[Entry]) -> None:
        """Become the folded record that was kept; `log`: the entries that can still be corrected. Raises
        ValueError, KeyError if there is no such rulebook or game.
        """
        self.table.restore(kept.history, log)
        self.alerts.restore(kept.alerts)
        self.facts.restore(kept.facts)
        self.notices.restore(kept.steps)
        self.calls.restore(kept.rulings)
        self._device_states = dict(kept.devices)
        self._broken, self._restored = set(kept.broken), kept.restored
        self.section, self.installation = kept.section, kept.installation
        self.hands.extend(kept.hands)
        self.changed_at = log[-1].at

    def state_of(self, device: str) -> str:
        """The state of a device as it was entered last: live, stale or lost."""
        return self._device_states.get(device, "live")

    def knows_broken(self, file: str) -> bool:
        """Whether the broken journal of this name is in the record."""
        return file in self._broken

    def knows_restored(self, backup: str) -> bool:
        """Whether the record says that it was restored from this backup, and from none since."""
        return self._restored == backup

    def add(self, entry: Entry, *, shown: bool = True) -> None:
        """An entry that the engine has applied. `shown`: it belongs to the hand whose lines are shown."""
        self.facts.add(entry)
        self.notices.add(entry)
        self.calls.add(entry)
        if isinstance(entry.event, Hand):
            self.hands.append(entry.id)
        elif isinstance(entry.event, DeviceState) and not entry.event.health:
            self._device_states[entry.event.device] = entry.event.state
        elif isinstance(entry.event, BrokenJournal):
            self._broken.add(entry.event.file)
        elif isinstance(entry.event, RestoredJournal):
            self._restored = entry.event.backup
        self.changed_at = entry.at
        if shown:
            self.lines.add(entry)

    def raise_(self, finding: Finding) -> Alert | None:
        """The alert of a finding of the entry that was added last, if it raises one."""
        return self.calls.raise_(finding, self.changed_at)

    def settle(self, entry: Entry) -> tuple[Alert, ...]:
        """The alerts that this entry clears, and those that are raised because the table now waits."""
        return (*cleared(self.alerts, self.table, entry.event), *self.calls.after(entry.at))

    def release(self, now: Instant) -> tuple[Alert, ...]:
        """The alerts of the facts that can no longer be taken back: before each entry, and as time passes."""
        return self.calls.release(self.facts.release(now))

    def replay(self, body: Body) -> None:
        """A record that is no entry."""
        if isinstance(body, Finding):
            self.raise_(body)
        elif isinstance(body, AlertRecord):
            self.release(body.at)
            if body.change.alert in self.alerts:
                self.alerts.apply(body.change, body.at)
        elif isinstance(body, SetupRecord):
            self.section = body.section
        elif isinstance(body, InstallationRecord):
            self.installation = body
