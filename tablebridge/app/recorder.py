"""What comes of an entry: it is appended to the journal with its findings, folded, and its alerts are to be
published.
"""

from collections import deque

from tablebridge.app.folded import FoldedTable
from tablebridge.app.outgoing import Outgoing
from tablebridge.journal.store import Journal
from tablebridge.model.events import Entry, Hand
from tablebridge.tracking.tracker import Entered


class Recorder:
    """Records the entries of one table, inside the core's open transaction. Readings of `keep_hands` hands
    are kept.
    """

    def __init__(self, journal: Journal, folded: FoldedTable, outgoing: Outgoing, keep_hands: int) -> None:
        self._journal = journal
        self._folded = folded
        self._outgoing = outgoing
        self._hand_starts: deque[int] = deque(maxlen=keep_hands)

    def entered(self, entered: Entered) -> None:
        """Append an entry that the engine has just applied, with what the engine found and the alerts it
        raises.
        """
        entry = entered.entry
        self._journal.record("entry", entry)
        self.add(entry)
        for finding in entered.findings:
            number = self._journal.record("finding", finding)
            alert = self._folded.raise_(finding)
            if alert is not None:
                self._outgoing.alert(alert, number)
            self._outgoing.finding(finding, entry.at, number)
        for alert in self._folded.settle(entry):
            self._outgoing.alert(alert, self._journal.next_number - 1)
        if isinstance(entry.event, Hand) and len(self._hand_starts) == self._hand_starts.maxlen:
            self._journal.forget_readings(self._hand_starts[0])

    def add(self, entry: Entry, *, shown: bool = True) -> None:
        """An entry that the engine has applied, also one that was recorded before. `shown`: its line is of
        the hand whose lines are shown.
        """
        if isinstance(entry.event, Hand):
            self._hand_starts.append(entry.id)
        self._folded.add(entry, shown=shown)
        self._outgoing.changed = True
