"""Logging: one line per event on standard error, in one form everywhere.

No function that is given a card, a tag or their relation logs it: a log goes to people who may not see a
face. What is logged is names of devices and tables, numbers, states and sentences. An exception is logged as
its type and the lines that it passed, never with its own text, which may hold what was read; and each line
passes `scrub.scrubbed`.

The level can be changed while a process runs, by whoever may send it a signal: its own user and root. No page
and no message can do it.

    SIGUSR1   debug, for `DETAIL_S`; then the level that the process started with returns by itself
    SIGUSR2   the level that the process started with
"""

import json
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Final, Literal, NamedTuple, TextIO

from tablebridge.scrub import scrubbed

Form = Literal["text", "json"]
DETAIL_S: Final = 3_600.0
"""How long a process logs at debug after a signal, in seconds."""
LONGEST: Final = 2_000
"""The most characters of a message, and of an exception."""
_CHAIN: Final = 4
_FRAMES: Final = 12
_PRIORITY: Final = {
    logging.DEBUG: 7,
    logging.INFO: 6,
    logging.WARNING: 4,
    logging.ERROR: 3,
    logging.CRITICAL: 2,
}


class Origin(NamedTuple):
    """What logs: the process, and its table and device if it has one of its own."""

    process: str = ""
    table: str = ""
    device: str = ""


class _Plain(logging.Formatter):
    """What all forms share: messages and exceptions without what may not leave."""

    def format(self, record: logging.LogRecord) -> str:
        if record.exc_info:
            record.exc_text = described(record.exc_info[1])
        return scrubbed(super().format(record))


class _Journal(_Plain):
    """Under systemd: the priority in front (sd-daemon(3)); the journal adds time, host and process itself."""

    def format(self, record: logging.LogRecord) -> str:
        # Each line is an entry of its own in the journal, so each carries the priority.
        return "\n".join(_priority(record) + line for line in super().format(record).splitlines())


class _Terminal(_Plain):
    """UTC to the millisecond in front, as every time that tablebridge writes."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"


class _Json(_Terminal):
    """A JSON object per record. `priority`: the journal's priority stands in front."""

    def __init__(self, origin: Origin, *, priority: bool) -> None:
        super().__init__()
        self._origin = origin
        self._front = _priority if priority else lambda _record: ""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "process": self._origin.process,
            "table": getattr(record, "table", self._origin.table),
            "device": getattr(record, "device", self._origin.device),
            "logger": record.name,
            "message": _short(record.getMessage()),
            "exception": _short(described(record.exc_info[1])) if record.exc_info else "",
        }
        return self._front(record) + json.dumps(fields, ensure_ascii=False)


class _Return(logging.Filter):
    """Ends a time of detail: the first record after it sets the level back."""

    def __init__(self, level: str, monotonic: Callable[[], float]) -> None:
        super().__init__()
        self._level = level
        self._monotonic = monotonic
        self._until: float | None = None

    def detail(self) -> None:
        """Log everything for a while."""
        self._until = self._monotonic() + DETAIL_S
        logging.getLogger().setLevel(logging.DEBUG)

    def end(self) -> None:
        """Log at the first level again."""
        self._until = None
        logging.getLogger().setLevel(self._level)

    def filter(self, record: logging.LogRecord) -> bool:
        if self._until is not None and self._monotonic() >= self._until:
            self.end()
            return record.levelno >= logging.getLogger().level
        return True


def start(
    level: str,
    stream: TextIO | None = None,
    environ: Mapping[str, str] = os.environ,
    *,
    form: Form = "text",
    origin: Origin = Origin(),
    monotonic: Callable[[], float] = time.monotonic,
) -> None:
    """Send all logging of this process at `level` (debug, info, warning, error) and above to standard error,
    and obey the signals from now on. Call it from the main thread.
    """
    out = stream if stream is not None else sys.stderr
    handler = logging.StreamHandler(out)
    handler.setFormatter(_formatter(form, origin, journal=_is_journal(out, environ)))
    levels = _Return(level.upper(), monotonic)
    handler.addFilter(levels)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Nothing is logged here: the signal may have come in the middle of another line.
    signal.signal(signal.SIGUSR1, lambda _number, _frame: levels.detail())
    signal.signal(signal.SIGUSR2, lambda _number, _frame: levels.end())


def described(error: BaseException | None) -> str:
    """An exception and those that it came from: types and lines, without their texts."""
    return "\n".join(_links(error))


def _links(error: BaseException | None) -> Iterator[str]:
    for _ in range(_CHAIN):
        if error is None:
            return
        yield f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
        yield from _frames(error.__traceback__)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _frames(trace: TracebackType | None) -> Iterator[str]:
    for frame in traceback.extract_tb(trace)[-_FRAMES:]:
        yield f"  {frame.filename}:{frame.lineno} in {frame.name}"


def _formatter(form: Form, origin: Origin, *, journal: bool) -> logging.Formatter:
    if form == "json":
        return _Json(origin, priority=journal)
    if journal:
        return _Journal("%(name)s: %(message)s")
    return _Terminal("%(asctime)s %(levelname)-7s %(name)s: %(message)s")


def _priority(record: logging.LogRecord) -> str:
    return f"<{_PRIORITY.get(record.levelno, 6)}>"


def _short(text: str) -> str:
    text = scrubbed(text[: 4 * LONGEST])
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _is_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether the stream is the one that systemd connected to its journal (`JOURNAL_STREAM` names device and
    inode).
    """
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"
