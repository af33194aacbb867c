"""Whether a process runs, as it reports itself and as its last will reports when it has ended.

Theory. A broker publishes the will of a connection when it notices that the connection is gone. A broker that
stalled notices that late: the client has come back on another connection by then, and the old will overwrites
what it published. Two things help:

- Each connection has a will of its own, with the time at which the connection was made. A receiver ignores an
  offline of a connection that is older than the one it knows.
- A process receives its own topic. If that says offline while it runs, it publishes online again, which
  corrects what the broker retains for those who connect later.
"""

from collections.abc import Callable
from typing import Literal

from tablebridge.bus.messages import Availability


class Life:
    """What one process reports of its own running. `epoch`: the run; `ended`: the will's reason; `wall_ns`:
    the time.
    """

    def __init__(self, epoch: str, ended: str, wall_ns: Callable[[], int]) -> None:
        self._epoch = epoch
        self._ended = ended
        self._wall_ns = wall_ns
        self._since = 0
        self.started_wall_ns = wall_ns()

    @property
    def epoch(self) -> str:
        """The run of the process."""
        return self._epoch

    def will(self) -> Availability:
        """The last will of a connection that is about to be made."""
        self._since = self._wall_ns()
        return self.says("offline", self._ended)

    def says(self, state: Literal["online", "offline"], reason: str = "") -> Availability:
        """A message about the present connection."""
        return Availability(state, self._epoch, reason, self._since, self.started_wall_ns)


def is_news(known: Availability | None, said: Availability) -> bool:
    """Whether a message is news: online always is, offline unless it is about a connection before the known
    one.
    """
    return said.state == "online" or known is None or said.since_wall_ns >= known.since_wall_ns
