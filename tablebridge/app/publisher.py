"""What the engine's process publishes: events in order, retained pictures in their newest form.

What the broker does not take waits. A message that does not fit is dropped and reported to `too_long`.
"""

import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import encode
from tablebridge.bus.topics import Topic

MOST_EVENTS: Final = 10_000
_log: Final = logging.getLogger(__name__)


class Publisher:
    """Publishes for the tables of one site. `too_long` is called with the table of a message that does not
    fit.
    """

    def __init__(self, client: BusClient, site: str, too_long: Callable[[str], None]) -> None:
        self._client = client
        self._site = site
        self._too_long = too_long
        self._retained: dict[str, bytes] = {}
        self._events: deque[tuple[str, bytes]] = deque(maxlen=MOST_EVENTS)

    def __len__(self) -> int:
        """How many messages wait for the broker."""
        return len(self._events) + len(self._retained)

    def event(self, topic: Topic, table: str, message: Any, *names: str) -> None:
        """To be published once, after all events before it. `names`: of the device or client in the topic."""
        if (payload := self._payload(table, message)) is not None:
            self._events.append((topic.of(self._site, table, *names), payload))

    def picture(self, topic: Topic, table: str, message: Any) -> bytes | None:
        """To be published retained, unless a newer picture comes first. Returns the payload if it fits."""
        payload = self._payload(table, message)
        if payload is not None:
            self.again(topic, table, payload)
        return payload

    def again(self, topic: Topic, table: str, payload: bytes) -> None:
        """A picture that was published before is to be published again: the broker may have forgotten it."""
        self._retained[topic.of(self._site, table)] = payload

    def now(self, topic: Topic, table: str, message: Any) -> None:
        """Published now or never."""
        self._client.publish(topic.of(self._site, table), encode(message), topic.qos)

    def send_events(self) -> None:
        """Publish the events that wait, as many as the broker takes."""
        while self._events and self._client.publish(*self._events[0]) is not None:
            self._events.popleft()

    def send(self) -> None:
        """Publish events, then pictures, as many as the broker takes."""
        self.send_events()
        for topic, payload in list(self._retained.items()):
            if self._client.publish(topic, payload, retain=True) is None:
                return
            del self._retained[topic]

    def _payload(self, table: str, message: Any) -> bytes | None:
        """None for what does not fit into a message: the record has it, and the floor hears that it was not
        shown.
        """
        try:
            return encode(message)
        except ValueError as error:
            _log.error("table %s: a picture is not shown: %s", table, error, extra={"table": table})
            self._too_long(table)
            return None
