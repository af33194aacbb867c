"""Messages that could not be accepted, set aside so that somebody can look at them later.

They are counted by topic and reason. The newest `KEPT` are files in a folder of the process that received
them, mode 0600: a line of JSON with the time, the topic and the reason, then the payload as it came. No more
than `EACH_MINUTE` are written per minute, and the log has a line when a count reaches 1, 2, 4, 8 ...: so
nobody who sends such messages fills the disk or the log.
"""

import logging
from pathlib import Path
from typing import Final

import msgspec

from tablebridge import private
from tablebridge.model.instant import Instant

KEPT: Final = 50
EACH_MINUTE: Final = 10
_MOST_BYTES: Final = 131_072
_MOST_COUNTERS: Final = 256
_MINUTE_NS: Final = 60_000_000_000
_log: Final = logging.getLogger(__name__)


class About(msgspec.Struct, frozen=True):
    """The first line of a file."""

    at: Instant
    topic: str
    reason: str
    length: int


class Aside:
    """The messages that one process set aside. `counts`: by topic and reason; beyond 256 of them they are
    counted as `other`.
    """

    def __init__(self, folder: Path) -> None:
        self.counts: dict[tuple[str, str], int] = {}
        self._folder = folder
        self._slot: int | None = None
        self._minute = -1
        self._written = 0

    def put(self, topic: str, payload: bytes, reason: str, at: Instant) -> None:
        """Count a message, and keep it. A disk that refuses it is logged: nothing ends for that."""
        key = (topic, reason)
        if key not in self.counts and len(self.counts) >= _MOST_COUNTERS:
            key = ("other", reason)
        count = self.counts[key] = self.counts.get(key, 0) + 1
        if not count & count - 1:
            _log.warning(
                "%d messages on %s could not be taken (%s); the newest are in %s",
                count,
                key[0],
                reason,
                self._folder,
            )
        minute = at.monotonic_ns // _MINUTE_NS
        if minute != self._minute:
            self._minute, self._written = minute, 0
        if self._written < EACH_MINUTE:
            self._written += 1
            try:
                self._write(
                    msgspec.json.encode(About(at, topic[:500], reason, len(payload)))
                    + b"\n"
                    + payload[:_MOST_BYTES]
                )
            except OSError as error:
                _log.warning("a message cannot be set aside in %s (%s)", self._folder, error.strerror)

    def _write(self, data: bytes) -> None:
        if self._slot is None:
            private.folder(self._folder)
            there = sorted(self._folder.glob("??.message"), key=lambda path: path.stat().st_mtime_ns)
            self._slot = int(there[-1].stem) + 1 if there and there[-1].stem.isdecimal() else 0
        private.write(self._folder / f"{self._slot % KEPT:02}.message", data)
        self._slot += 1
