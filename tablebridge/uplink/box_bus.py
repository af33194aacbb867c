"""The uplink at the broker of its own box: one connection, for what the room sees of the tables and for what
it has done there.
"""

from collections.abc import Callable

from tablebridge.bus import topics
from tablebridge.bus.client import Ack
from tablebridge.uplink.commands import FarActs
from tablebridge.uplink.live import LivePictures


class BoxBus:
    """Takes what comes from the broker for `pictures` and `acts`, and is the way of acts to the engines."""

    def __init__(self, pictures: LivePictures, acts: FarActs) -> None:
        self.send: Callable[[str, bytes], None] | None = None
        self._pictures = pictures
        self._acts = acts
        self._connected = False
        acts.send = self._hand_over

    def filters(self) -> tuple[str, ...]:
        """What both read."""
        return (*self._pictures.filters(), *self._acts.filters())

    def bus(self, connected: bool) -> None:
        """The connection was made or lost."""
        self._connected = connected
        self._pictures.bus(connected)

    def take(self, topic: str, payload: bytes, ack: Ack) -> None:
        """Take one message."""
        parsed = topics.parse(topic)
        if parsed is not None and parsed.topic is topics.FAR_REPLY:
            ack()
            self._acts.take(topic, payload)
        else:
            self._pictures.take(topic, payload, ack)

    def _hand_over(self, topic: str, payload: bytes) -> None:
        if self.send is None or not self._connected:
            raise ConnectionError
        self.send(topic, payload)
