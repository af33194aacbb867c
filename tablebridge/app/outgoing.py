"""What one table has to publish, collected until its transaction is on disk."""

from collections import deque
from typing import Any

from msgspec.structs import replace

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
from tablebridge.model.sentences import sentence_of


class Outgoing:
    """`messages`: in the order in which they are to leave. `alerted`: an alert is among them, so that the
    list of open alerts follows; `changed`: the pictures are made again. Signs are kept apart until they are
    on disk: nobody acts on them at once, so no commit is made for them alone.
    """

    def __init__(self, table: Table) -> None:
        self.messages: deque[tuple[Topic, Any]] = deque()
        self.alerted = self.changed = False
        self._committed = 0
        self._signs: list[Sign] = []
        self._hand_events = HandEvents(table)

    def entered(self, entry: Entry) -> None:
        """The table has applied an entry."""
        self.messages.extend((topics.HAND_EVENT, event) for event in self._hand_events.after(entry))

    def alert(self, alert: Alert, number: int) -> None:
        """An alert was raised or has changed, as of this record."""
        self.alerted = True
        self.messages.append((topics.ALERT, AlertMessage(alert, number)))

    def marked(self, alert: Alert | None, number: int) -> None:
        """The floor has set a mark, as of this record: on this alert, or on the table."""
        self.alerted = True
        if alert is not None:
            self.alert(alert, number)

    def finding(self, finding: Finding, at: Instant, number: int) -> None:
        """A finding of something that happened at `at`, as of this record."""
        said = replace(for_staff(finding), sentence=sentence_of(finding))
        self.messages.append((topics.FINDING, FindingMessage(said, at, number)))

    def presence(self, sign: Sign) -> None:
        """A card before a seat was read again, or is not read any more."""
        self._signs.append(sign)

    def release_signs(self) -> None:
        """The signs are on disk: they are to leave, and to be seen in the pictures."""
        self.changed |= bool(self._signs)
        self.messages.extend((topics.PRESENCE, PresenceMessage(sign)) for sign in self._signs)
        self._signs.clear()

    def begin(self) -> None:
        """A transaction begins: what is added from now on is not on disk."""
        self._committed = len(self.messages)
        self._hand_events.begin()

    @property
    def follows(self) -> bool:
        """Whether anything but signs was added in it, which is to be on disk and leave at once."""
        return self.alerted or self.changed or len(self.messages) > self._committed

    def drop(self) -> None:
        """A transaction has failed: what is not on disk never leaves."""
        while len(self.messages) > self._committed:
            self.messages.pop()
        self._signs.clear()
        self.alerted = self.changed = False
