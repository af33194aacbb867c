"""What the record of one table folds to: the hand, the lines and alerts that people see, the state of its
devices.

In life and at the start it is the same: `add` each entry after the engine has applied it, `raise_` each of
its findings, then `settle`.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from tablebridge.app.clearing import cleared
from tablebridge.app.dealer_facts import DealerFacts, KeptFacts
from tablebridge.app.floor_calls import FloorCalls
from tablebridge.app.lines import Lines
from tablebridge.app.notices import Notices
from tablebridge.engine.history import KeptHistory
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import Alerts, KeptAlerts
from tablebridge.floor.inhibition import DevicePlaces, Hidden, hidden
from tablebridge.floor.service import Service
from tablebridge.journal.records import (
    AlertRecord,
    Body,
    InstallationRecord,
    MarkRecord,
    ReviewRecord,
    RingRecord,
    SetupRecord,
)
from tablebridge.model.alerts import Alert
from tablebridge.model.events import BrokenJournal, DeviceState, Entry, Hand, RestoredJournal
from tablebridge.model.findings import Finding
from tablebridge.model.floor_marks import FloorMark, OutOfService, Shelve, Unshelve
from tablebridge.model.instant import Instant
from tablebridge.settings.site import MOST_HANDS_KEPT

_MOST_REVIEWS: Final = 200


class KeptTable(msgspec.Struct, frozen=True):
    """A folded record as it is kept on disk, but for what the next hand begins afresh: its lines.

    `out`: what is out of service; `rulings`: the last entries that ruled; `facts`: what the dealer may take
    back; `steps`: those of remedies that were done, by finding; `devices`: states by device; `broken`: the
    broken journals in the record; `restored`: the last backup that it was restored from; `section`,
    `installation`: as in `FoldedTable`; `hands`: the entries that began the last, `hand_numbers`: the numbers
    of these hands; `reviews`: the last.
    """

    history: KeptHistory
    alerts: KeptAlerts
    out: tuple[OutOfService, ...]
    rulings: tuple[int, ...]
    devices: dict[str, str]
    broken: frozenset[str]
    restored: str
    section: str
    installation: InstallationRecord | None
    hands: tuple[int, ...]
    hand_numbers: tuple[int, ...] = ()
    reviews: tuple[ReviewRecord, ...] = ()
    facts: KeptFacts = KeptFacts()
    steps: dict[str, tuple[int, ...]] = {}


class FoldedTable:
    """The folded record of one table. `changed_at`: when what happened last happened.

    `section`: the setup that was entered last; `installation`: with what the engine ran last. `hands`: the
    entries that began the last hands, `hand_numbers`: the numbers that these hands got. `reviews`: what
    people said last of hands.
    """

    def __init__(self, table: Table, now: Instant) -> None:
        self.table = table
        self.alerts = Alerts()
        self.service = Service()
        self.lines = Lines(table)
        self.facts = DealerFacts(table)
        self.notices = Notices(table, self.alerts, self.facts)
        self.calls = FloorCalls(table, self.alerts, self.facts)
        self.changed_at = now
        self.section = ""
        self.installation: InstallationRecord | None = None
        self.hands: deque[int] = deque(maxlen=MOST_HANDS_KEPT)
        self.hand_numbers: deque[int] = deque(maxlen=MOST_HANDS_KEPT)
        self.reviews: deque[ReviewRecord] = deque(maxlen=_MOST_REVIEWS)
        self._device_states: dict[str, str] = {}
        self._broken: set[str] = set()
        self._restored = ""

    def kept(self) -> KeptTable:
        """The folded record as it is kept on disk, to go on from at a later hand."""
        return KeptTable(
            self.table.kept(),
            self.alerts.kept(),
            self.service.out(),
            self.calls.kept(),
            dict(self._device_states),
            frozenset(self._broken),
            self._restored,
            self.section,
            self.installation,
            tuple(self.hands),
            tuple(self.hand_numbers),
            tuple(self.reviews),
            self.facts.kept(),
            self.notices.kept(),
        )

    def restore(self, kept: KeptTable, log: Sequence[Entry]) -> None:
        """Become the folded record that was kept; `log`: the entries that can still be corrected. Raises
        ValueError, KeyError if there is no such rulebook or game.
        """
        self.table.restore(kept.history, log)
        self.alerts.restore(kept.alerts)
        self.service.restore(kept.out)
        self.facts.restore(kept.facts)
        self.notices.restore(kept.steps)
        self.calls.restore(kept.rulings)
        self._device_states = dict(kept.devices)
        self._broken, self._restored = set(kept.broken), kept.restored
        self.section, self.installation = kept.section, kept.installation
        self.hands.extend(kept.hands)
        self.hand_numbers.extend(kept.hand_numbers)
        self.reviews.extend(kept.reviews)
        self.changed_at = log[-1].at

    def state_of(self, device: str) -> str:
        """The state of a device as it was entered last: live, stale or lost."""
        return self._device_states.get(device, "live")

    def began(self, hand: int) -> int:
        """The entry with which the hand of this number began; 0 if it is not among the last ones. The
        beginning of a hand may be taken back: then the number is that of the next one.
        """
        numbered = zip(reversed(self.hands), reversed(self.hand_numbers), strict=True)
        return next((began for began, number in numbered if number == hand), 0)

    def ends(self, began: int) -> int:
        """The entry with which the hand after the one that began with this entry began; 0 if none did."""
        return next((later for later in self.hands if later > began), 0)

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
            self.hand_numbers.append(self.table.hand_number)
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
        return (*cleared(self.alerts, self.table, entry.event, entry.at), *self.calls.after(entry))

    def mark(self, mark: FloorMark, at: Instant) -> Alert | None:
        """What the floor set, as it was checked. The alert that it changes, if it is one's."""
        if isinstance(mark, (Shelve, Unshelve)):
            return self.alerts.mark(mark, at)
        self.service.apply(mark, at, self.device_places)
        return None

    def hidden(self) -> dict[str, Hidden]:
        """The alerts that another, or what is out of service, explains, by their ids."""
        waiting = {finding.id for finding in self.table.asked}
        return hidden(self.alerts.active(), self.service.out(), self.device_places, waiting)

    def standing(self) -> list[Alert]:
        """The alerts that want somebody now, neither hidden nor on the shelf, most severe first."""
        unseen = self.hidden()
        return [alert for alert in self.alerts.active() if alert.shelved is None and alert.id not in unseen]

    @property
    def device_places(self) -> DevicePlaces:
        """The places that the antennas of each device read, as the engine was installed last."""
        antennas = self.installation.antennas if self.installation is not None else {}
        return {device: tuple(places.values()) for device, places in antennas.items()}

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
        elif isinstance(body, RingRecord):
            if body.alert in self.alerts:
                self.alerts.ring(body.alert, body.ring)
        elif isinstance(body, MarkRecord):
            self.mark(body.mark, body.at)
        elif isinstance(body, SetupRecord):
            self.section = body.section
        elif isinstance(body, InstallationRecord):
            self.installation = body
        elif isinstance(body, ReviewRecord):
            self.reviews.append(body)
