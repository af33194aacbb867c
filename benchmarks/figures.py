"""What a measurement gives: figures with their baseline, and the table in which they are shown."""

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

Say = Callable[[str], None]
"""Shows what is going on."""


class Options(msgspec.Struct, frozen=True):
    """What the command line asks for. `quick`: fewer samples. `phh`: a folder of recorded hands. `fresh`:
    also from a clone.
    """

    quick: bool = False
    phh: Path | None = None
    fresh: bool = False


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
        """Whether the goal is reached; None where there is none."""
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


def machine() -> dict[str, Any]:
    """What the figures were taken on; `load`: how busy the machine is with everything on it, over the last
    minute.
    """
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def rows(figures: Sequence[Figure]) -> list[tuple[str, ...]]:
    """Measure, ratio, goal, value, baseline: as text, for the screen and for docs/performance.md."""
    shown = []
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
                f"{_number(figure.value)} {figure.unit}",
                ""
                if figure.reference is None
                else f"{figure.baseline}: {_number(figure.reference)} {figure.unit}",
            )
        )
    return shown


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
