"""What one table has to publish, collected until its transaction is on disk."""

from collections import deque
from typing import Any

from tablebridge.app.hand_events import HandEvents
from tablebridge.bus import topics
from tablebridge.bus.messages import AlertMessage, FindingMessage, PresenceMessage
from tablebridge.bus.topics import Topic
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import for_staff
from tablebridge.model.alerts import Alert
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.presence import Sign


class Outgoing:
    """`messages`: in the order in which they are to leave. `alerted`: an alert is among them, so that the
    list of open alerts follows; `changed`: the pictures are made again.
    """

    def __init__(self, table: Table) -> None:
        self.messages: deque[tuple[Topic, Any]] = deque()
        self.alerted = self.changed = False
        self._committed = 0
        self._hand_events = HandEvents(table)

    def entered(self, entry: Entry) -> None:
        """The table has applied an entry."""
        self.messages.extend((topics.HAND_EVENT, event) for event in self._hand_events.after(entry))

    def alert(self, alert: Alert, number: int) -> None:
        """An alert was raised or has changed, as of this record."""
        self.alerted = True
        self.messages.append((topics.ALERT, AlertMessage(alert, number)))

    def finding(self, finding: Finding, at: Instant, number: int) -> None:
        """A finding of something that happened at `at`, as of this record."""
        self.messages.append((topics.FINDING, FindingMessage(for_staff(finding), at, number)))

    def presence(self, sign: Sign) -> None:
        """A card before a seat was read again, or is not read any more."""
        self.changed = True
        self.messages.append((topics.PRESENCE, PresenceMessage(sign)))

    def begin(self) -> None:
        """A transaction begins."""
        self._committed = len(self.messages)
        self._hand_events.begin()

    def drop(self) -> None:
        """The transaction has failed: what was added since its beginning never leaves."""
        while len(self.messages) > self._committed:
            self.messages.pop()
        self.alerted = self.changed = False
