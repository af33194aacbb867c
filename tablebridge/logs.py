"""Logging: one line per event on standard error, in one form everywhere.

No function that is given a card, a tag or their relation logs it: a log goes to people who may not see a
face. What is logged is names of devices and tables, numbers, states and sentences.
"""

import logging
import os
import sys
import time
from collections.abc import Mapping
from typing import Final, TextIO

_PRIORITY: Final = {
    logging.DEBUG: 7,
    logging.INFO: 6,
    logging.WARNING: 4,
    logging.ERROR: 3,
    logging.CRITICAL: 2,
}


class _Journal(logging.Formatter):
    """Under systemd: the priority in front (sd-daemon(3)); the journal adds time, host and process itself."""

    def format(self, record: logging.LogRecord) -> str:
        priority = _PRIORITY.get(record.levelno, 6)
        # Each line is an entry of its own in the journal, so each carries the priority.
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())


class _Terminal(logging.Formatter):
    """UTC to the millisecond in front, as every time that tablebridge writes."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"


def start(level: str, stream: TextIO | None = None, environ: Mapping[str, str] = os.environ) -> None:
    """Send all logging of this process at `level` (debug, info, warning, error) and above to standard
    error.
    """
    out = stream if stream is not None else sys.stderr
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        _Journal("%(name)s: %(message)s")
        if _is_journal(out, environ)
        else _Terminal("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


def _is_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether the stream is the one that systemd connected to its journal (`JOURNAL_STREAM` names device and
    inode).
    """
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"
