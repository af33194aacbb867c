"""What the pages know of notifications: whether they run, for whom, and the passes that they carry.

A pass lets one person take one alert once. The process that notifies makes the secrets and publishes their
hashes; the pages compare. That a pass is used once is the engine's doing: its hash is the id of the command,
which the record answers the same for ever.
"""

import hmac
from typing import NamedTuple

from tablebridge.model.calls import NotifierState, Pass, Passes, digest_of


class Given(NamedTuple):
    """A pass, and the table of its alert."""

    table: str
    right: Pass


class Notifications:
    """Notifications of a site. `state`: of the process that notifies, None if nothing was heard of it."""

    def __init__(self) -> None:
        self.state: NotifierState | None = None
        self._passes: dict[str, Passes] = {}

    def take_passes(self, table: str, passes: Passes) -> None:
        """These are the passes of a table."""
        self._passes[table] = passes

    def take_state(self, state: NotifierState) -> None:
        """The process reports itself; a late last will of an older connection says nothing."""
        known = self.state
        if known is None or state.state == "online" or state.since_wall_ns >= known.since_wall_ns:
            self.state = state

    def find(self, secret: str, now_ns: int) -> Given | None:
        """The pass with this secret that has not ended. All hashes are compared, each in constant time."""
        digest = digest_of(secret)
        found = None
        for table, passes in self._passes.items():
            for right in passes.passes:
                if hmac.compare_digest(right.digest, digest) and now_ns < right.until_wall_ns:
                    found = Given(table, right)
        return found
