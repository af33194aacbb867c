"""What tablebridge writes to the disk, and how long a card of stated endurance bears it.

Each process has counted since it was started what it had written to storage, `write_bytes` in /proc/PID/io
(proc(5)); what the file system adds is not in it. A card's endurance is stated in TBW, terabytes that may be
written to it. Processes that hold faces let only root look.
"""

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.doctor.check import Check, ok, warn

COMMON_TBW: Final = 30.0
"""What a common card of 64 GB bears, if its maker says so at all."""
FEW_YEARS: Final = 3.0
_SHORT_S: Final = 600.0
"""What was written within less is no measure of a night."""
_DAY_S: Final = 86_400
_PROC: Final = Path("/proc")
_NAME: Final = b"tablebridge"


class Budget(msgspec.Struct, frozen=True):
    """What the processes of tablebridge write. `processes`: how many were measured, for `seconds` at most;
    `hidden`: how many do not let us look.
    """

    processes: int = 0
    hidden: int = 0
    bytes_per_s: float = 0.0
    seconds: float = 0.0

    def years(self, tbw: float) -> float | None:
        """How long a card of this endurance lasts; None if nothing is written."""
        return tbw * 1e12 / self.bytes_per_s / _DAY_S / 365 if self.bytes_per_s else None


def budget(proc: Path = _PROC) -> Budget:
    """What is written, on the average of each process since it was started."""
    uptime_s = float((proc / "uptime").read_text().split()[0])
    found = Budget()
    for process in _processes(proc):
        try:
            age_s = uptime_s - _started_ticks(process) / os.sysconf("SC_CLK_TCK")
            counts = dict(line.split(": ") for line in (process / "io").read_text().splitlines())
        except PermissionError:
            found = msgspec.structs.replace(found, hidden=found.hidden + 1)
        except (OSError, ValueError):
            continue  # it has ended meanwhile
        else:
            found = Budget(
                found.processes + 1,
                found.hidden,
                found.bytes_per_s + int(counts["write_bytes"]) / max(age_s, 1.0),
                max(found.seconds, age_s),
            )
    return found


def judge_budget(found: Budget, tbw: float | None) -> Check:
    """`tbw`: the endurance of the box's disk, None if nobody said. Pure."""
    if found.hidden:
        return ok(
            "writes",
            f"only root sees what {found.hidden} processes write: `sudo tablebridge doctor` says it.",
        )
    years = found.years(COMMON_TBW if tbw is None else tbw)
    if years is None:
        return ok("writes", "no process of tablebridge runs, or none has written anything.")
    says = (
        f"tablebridge writes {found.bytes_per_s / 1000:.1f} kB/s, {found.bytes_per_s * _DAY_S / 1e9:.1f} GB "
        f"per day ({_span(found.seconds)} measured): "
        f"a card of {COMMON_TBW if tbw is None else tbw:g} TBW lasts {_years(years)}."
    )
    if tbw is None:
        says += " Say what yours bears with --endurance TBW."
    if found.seconds >= _SHORT_S and years < FEW_YEARS:
        return warn("writes", says, "Use an SSD, or a card that is made for recording without end.")
    return ok("writes", says)


def _processes(proc: Path) -> Iterator[Path]:
    """The processes of tablebridge and what they have started, but this one."""
    parents: dict[int, int] = {}
    ours: set[int] = set()
    for process in proc.iterdir():
        if not process.name.isdecimal() or int(process.name) == os.getpid():
            continue
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
            parents[int(process.name)] = int(_after_name(process)[1])
        except (OSError, ValueError, IndexError):
            continue
        if _is_ours(arguments):
            ours.add(int(process.name))
    while children := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= children
    return (proc / str(pid) for pid in sorted(ours))


def _is_ours(arguments: list[bytes]) -> bool:
    """Whether this is the command line of tablebridge: itself, its script, or its module run by Python."""
    program, *rest = arguments[:6]
    if program.rpartition(b"/")[2].startswith(b"python"):
        return rest[:1] != [] and (rest[0].rpartition(b"/")[2] == _NAME or (b"-m", _NAME) in pairwise(rest))
    return program.rpartition(b"/")[2] == _NAME


def _started_ticks(process: Path) -> int:
    return int(_after_name(process)[19])


def _after_name(process: Path) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may hold anything."""
    return (process / "stat").read_text().rpartition(")")[2].split()


def _span(seconds: float) -> str:
    return f"{seconds / 3600:.0f} hours" if seconds >= 7200 else f"{seconds / 60:.0f} minutes"


def _years(years: float) -> str:
    return (
        "more than 100 years"
        if years > 100
        else f"{years:.0f} years"
        if years >= 10
        else f"{years:.1f} years"
    )
