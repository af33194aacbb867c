"""What comes of an entry: it is appended to the journal with its findings, folded, and its alerts are to be
published.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from tablebridge.app.folded import FoldedTable
from tablebridge.app.outgoing import Outgoing
from tablebridge.app.snapshots import Snapshots
from tablebridge.journal.records import LearntRecord, PaymentsRecord
from tablebridge.journal.store import Journal
from tablebridge.model.events import Hand
from tablebridge.model.instant import Instant
from tablebridge.sensing.sensor import Sensor
from tablebridge.tracking.tracker import Entered


class Recorder:
    """Records the entries of one table, inside the core's open transaction. Readings of `keep_hands` hands
    are kept.
    """

    def __init__(
        self,
        journal: Journal,
        folded: FoldedTable,
        outgoing: Outgoing,
        snapshots: Snapshots,
        sensor: Sensor,
        keep_hands: int,
    ) -> None:
        self._journal = journal
        self._folded = folded
        self._outgoing = outgoing
        self._snapshots = snapshots
        self._sensor = sensor
        self._keep_hands = keep_hands

    def entered(self, entered: Entered) -> None:
        """Append an entry that the engine has just applied, with what the engine found and the alerts it
        raises.
        """
        entry, folded = entered.entry, self._folded
        self._journal.record("entry", entry)
        self._outgoing.entered(entry)
        for released in folded.release(entry.entered or entry.at):
            self._outgoing.alert(released, entry.id)
        folded.add(entry)
        self._outgoing.changed = True
        for finding in entered.findings:
            number = self._journal.record("finding", finding)
            alert = folded.raise_(finding)
            if alert is not None:
                self._outgoing.alert(alert, number)
            self._outgoing.finding(finding, entry.at, number)
        for alert in folded.settle(entry):
            self._outgoing.alert(alert, self._journal.next_number - 1)
        hands = folded.hands
        if isinstance(entry.event, Hand) and len(hands) >= self._keep_hands:
            self._journal.forget_readings(hands[-self._keep_hands])
        for settled in entered.settled:
            self._journal.record("payments", PaymentsRecord(settled.began, settled.number, settled.paid))
        if isinstance(entry.event, Hand) and (learnt := self._sensor.learnt).antennas:
            self._journal.record("learnt", LearntRecord(learnt))
        self._snapshots.add(entry)

    def tick(self, now: Instant, transaction: Callable[[Instant], AbstractContextManager[None]]) -> None:
        """Publish the alerts of facts that the dealer can no longer take back."""
        if not self._folded.facts.is_due(now):
            return
        with transaction(now):
            self._outgoing.changed = True
            for alert in self._folded.release(now):
                self._outgoing.alert(alert, self._journal.next_number - 1)
