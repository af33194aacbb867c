"""What the doctor finds: one sentence each, and what to do. Pure."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

Level = Literal["ok", "warn", "fail"]
STATUS: Final[dict[Level, int]] = {"ok": 0, "warn": 1, "fail": 2}
"""The command's exit status, by the worst that was found."""


class Check(msgspec.Struct, frozen=True):
    """One result of the doctor. `about`: clock, disk, broker, a device's name, .... `says`: a sentence. `do`:
    what to do, empty if all is well. `heard`: what a device sent, for the person at the terminal; a report
    leaves it out, since it may hold a tag.
    """

    level: Level
    about: str
    says: str
    do: str = ""
    heard: str = ""

    def __str__(self) -> str:
        return "\n      ".join(
            filter(None, (f"{self.level:4}  {self.about}: {self.says}", self.heard, self.do))
        )


def ok(about: str, says: str) -> Check:
    """A check that found nothing wrong."""
    return Check("ok", about, says)


def warn(about: str, says: str, do: str) -> Check:
    """A check that found something to look at."""
    return Check("warn", about, says, do)


def fail(about: str, says: str, do: str) -> Check:
    """A check that found something that does not work."""
    return Check("fail", about, says, do)


def status(checks: Iterable[Check]) -> int:
    """0: all is well, 1: something to look at, 2: something that does not work."""
    return max((STATUS[check.level] for check in checks), default=0)


__all__ = ["STATUS", "Check", "Level", "fail", "ok", "status", "warn"]
