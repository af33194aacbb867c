"""What is known of a device's health: the message, and the record that it is made from. Pure: time comes
in.
"""

from collections import Counter

import msgspec

from tablebridge.host.liveness import State
from tablebridge.model.instant import Instant


class Health(msgspec.Struct, frozen=True):
    """The health of a device. `frames`: how many readings it made; `rejects`: counters by reason.

    `alive_wall_ns`: when the device last proved that it works, 0 for never. `reconnects`: how many links
    broke.
    """

    state: State
    at: Instant
    alive_wall_ns: int = 0
    detail: str = ""
    reconnects: int = 0
    frames: int = 0
    rejects: dict[str, int] = {}


class HealthRecord:
    """The counters of one device. `detail`: why it is not live, in a sentence; empty while it is live."""

    def __init__(self) -> None:
        self.detail = ""
        self.alive_wall_ns = 0
        self.reconnects = 0
        self.frames = 0
        self.rejects: Counter[str] = Counter()

    def health(self, state: State, now: Instant) -> Health:
        """The record as a message."""
        return Health(
            state,
            now,
            self.alive_wall_ns,
            self.detail,
            self.reconnects,
            self.frames,
            dict(self.rejects),
        )

    def summary(self, state: State) -> str:
        """The record in a line."""
        detail = f"; {self.detail}" if self.detail else ""
        return f"{state}, {self.frames} readings, {self.rejects.total()} rejects{detail}"
