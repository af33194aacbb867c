"""How one person is reached: by the first way that works.

What rings goes by the first way that accepts it. What changes or withdraws a notice goes by every way that
can do that, since any of them may have carried it. A way that fails is tried again with the next notice.
"""

import logging
from collections.abc import Callable
from typing import Final, Protocol

from tablebridge.notify.notice import Notice

ACCEPTED, NOT_NOW = 200, 503
_log: Final = logging.getLogger(__name__)


class Way(Protocol):
    """A way to reach a person. `updates`: it can replace and withdraw what was sent."""

    updates: bool

    def send(self, notice: Notice) -> int:
        """The status of the answer, as HTTP counts it. Raises OSError if there is none."""


class Reach:
    """The ways of one person, by name, the first one first. `changed` is called when `failing` has."""

    def __init__(
        self,
        ways: dict[str, Way],
        is_outdated: Callable[[Notice], bool],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._ways = ways
        self._is_outdated = is_outdated
        self._changed = changed
        self.failing: frozenset[str] = frozenset()

    def send(self, notice: Notice, _lost_before: int = 0) -> int:
        """Send it, unless a newer one was made since. 503 if no way accepts it."""
        if self._is_outdated(notice):
            return ACCEPTED
        if notice.what in ("ring", "test"):
            return ACCEPTED if any(self._sent(name, notice) for name in self._ways) else NOT_NOW
        all_sent = [self._sent(name, notice) for name, way in self._ways.items() if way.updates]
        return ACCEPTED if all(all_sent) else NOT_NOW

    def _sent(self, name: str, notice: Notice) -> bool:
        try:
            status = self._ways[name].send(notice)
        except Exception as error:  # whatever a service does, the next way is tried
            _log.debug("%s: %s", name, type(error).__name__)
            status = 0
        accepted = 200 <= status < 300
        failing = self.failing - {name} if accepted else self.failing | {name}
        if failing != self.failing:
            self.failing = failing
            _log.warning("%s %s", name, "works again" if accepted else f"fails ({status or 'no answer'})")
            self._changed()
        return accepted
