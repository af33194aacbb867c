"""What a measurement gives: figures with their baseline, and the table in which they are shown."""

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from tablebridge import __version__

Say = Callable[[str], None]
"""Shows what is going on."""


class Options(msgspec.Struct, frozen=True):
    """What the command line asks for. `quick`: fewer samples. `phh`: a folder of recorded hands. `fresh`:
    also from a clone. `images`: the folder into which pictures are drawn. `tables`: how many tables the box
    has, one number after the other; without any, those that the benchmark chooses. `family`, `seed`: how many
    tables are drawn, if not as many as usual, and from which seed.
    """

    quick: bool = False
    phh: Path | None = None
    fresh: bool = False
    images: Path | None = None
    tables: tuple[int, ...] = ()
    family: int | None = None
    seed: int | None = None


class Figure(msgspec.Struct, frozen=True):
    """One measured value. `limit`: the ratio, or without a baseline the value itself, that is to be reached.

    `better`: which way is good, for the ratio and for the value alike.
    """

    name: str
    value: float
    unit: str
    baseline: str = ""
    reference: float | None = None
    limit: float | None = None
    better: Literal["lower", "higher"] = "lower"

    @property
    def ratio(self) -> float | None:
        """The value over that of the baseline."""
        return self.value / self.reference if self.reference else None

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None if there is none."""
        if self.limit is None:
            return None
        measured = self.value if self.ratio is None else self.ratio
        return measured <= self.limit if self.better == "lower" else measured >= self.limit

    def as_dict(self) -> dict[str, Any]:
        return {**msgspec.structs.asdict(self), "ratio": self.ratio, "reached": self.reached}


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which `percent` of the values lie, nearest rank."""
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def median(values: Sequence[float]) -> float:
    return float(statistics.median(values))


class Machine:
    """What the figures are taken on, from the moment at which it is made: without name or path."""

    def __init__(self) -> None:
        self._began = _clocks()

    def description(self, quick: bool) -> dict[str, Any]:
        """Processor, date, version, and `others`: how many cores other programs took then, on average."""
        wall_s, busy_s, own_s = (now - then for now, then in zip(_clocks(), self._began, strict=True))
        return {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "version": __version__,
            "others": round(max(0.0, busy_s - own_s) / max(wall_s, 0.01), 2),
            "quick": quick,
        }


def _clocks() -> tuple[float, float, float]:
    """Seconds on the wall, of all cores at work (Linux: /proc/stat), and of this process and those it waited
    for.
    """
    user, nice, system, _, _, irq, softirq = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:8]
    )
    own = os.times()
    return (
        own.elapsed,
        (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK"),
        own.user + own.system + own.children_user + own.children_system,
    )


def _cpu() -> str:
    """The processor's name, or its family if the kernel gives none."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def rows(figures: Sequence[Figure]) -> list[tuple[str, ...]]:
    """Measure, ratio, goal, value, baseline: as text, for the screen and for docs/performance.md."""
    shown: list[tuple[str, ...]] = []
    for figure in figures:
        goal = ""
        if figure.limit is not None:
            sign = "≤" if figure.better == "lower" else "≥"
            goal = f"{sign} {figure.limit:g}" + ("" if figure.reached else " missed")
        shown.append(
            (
                figure.name,
                "" if figure.ratio is None else f"{figure.ratio:.2f}",
                goal,
                f"{number(figure.value)} {figure.unit}",
                ""
                if figure.reference is None
                else f"{figure.baseline}: {number(figure.reference)} {figure.unit}",
            )
        )
    return shown


def number(value: float) -> str:
    """Three digits, or the whole number."""
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
