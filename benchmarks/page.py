"""docs/performance.md: a section for each benchmark, each with the machine on which it was measured.

A run replaces the sections of what it measured and leaves the others as they are, so each section has a date
of its own.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from benchmarks.catalogue import BENCHMARKS, Benchmark
from benchmarks.figures import Figure, number, rows

HEAD: Final = """\
# Performance

Every figure of the benchmarks, written by `make bench`. A figure with a baseline is a ratio: value over
baseline, both taken in the same run on the same machine, so a ratio means more than a time. The goal is for
the ratio, or for the value if there is no baseline; ± is a standard error. A section says on which machine it
was measured, and how much of it other programs took meanwhile; what they take makes times longer and rates
lower.

    make bench                                                 all but the long ones, and this page
    python -m benchmarks sensing --write docs/performance.md   one, and its section of this page
    python -m benchmarks latency --quick                       a look with few samples; nothing is written

Readings are emulated everywhere: no antenna or card was measured.
"""
UNMEASURED: Final = "*Not measured for this page.*"
COLUMNS: Final = ("measured", "ratio", "goal", "value", "baseline")


def section(benchmark: Benchmark, figures: Sequence[Figure], machine: Mapping[str, Any]) -> str:
    """The section of one benchmark, with its tables and its picture."""
    tables = _grids(benchmark, figures) if benchmark.cell else [_table(COLUMNS, rows(figures))]
    picture = [f"![{benchmark.shows}](images/{benchmark.picture})"] if benchmark.picture else []
    return "\n\n".join([*_opening(benchmark), described(machine), *picture, *tables])


def unmeasured(benchmark: Benchmark) -> str:
    """The section of a benchmark that has not been run yet."""
    return "\n\n".join([*_opening(benchmark), UNMEASURED])


def written(page: str, sections: Mapping[str, str]) -> str:
    """The page with these sections, by benchmark, in the place of those that it had."""
    kept = {
        match[1].lower(): match[0].strip()
        for match in re.finditer(r"## (\w+)\n.*?(?=^## |\Z)", page, re.S | re.M)
    }
    parts = [
        sections.get(benchmark.name) or kept.get(benchmark.name) or unmeasured(benchmark)
        for benchmark in BENCHMARKS
    ]
    return "\n\n".join([HEAD.strip(), *parts]) + "\n"


def write(path: Path, sections: Mapping[str, str]) -> None:
    """Put the sections into the page; begin it if there is none."""
    path.write_text(written(path.read_text() if path.exists() else "", sections), encoding="utf-8")


def described(machine: Mapping[str, Any]) -> str:
    """The machine, the date and the version in one line, without name or path of the machine."""
    samples = " Few samples: a look, not a measurement." if machine["quick"] else ""
    return (
        f"*Measured on {machine['date']} with version {machine['version']}: {machine['cpu']}, "
        f"{machine['cores']} cores, "
        f"Python {machine['python']}; other programs took {machine['others']:.1f} of the cores.{samples}*"
    )


def _opening(benchmark: Benchmark) -> tuple[str, str, str]:
    """Heading, meaning, and the command that measures it alone."""
    return (
        f"## {benchmark.name.capitalize()}",
        fill(benchmark.meaning, 120, break_on_hyphens=False),
        f"    python -m benchmarks {benchmark.name}",
    )


def _grids(benchmark: Benchmark, figures: Sequence[Figure]) -> Iterable[str]:
    """Tables of several columns, in the order in which the figures come; figures of a cell stand together."""
    assert benchmark.cell is not None
    tables: dict[str, dict[str, dict[str, str]]] = {}
    baselines: dict[str, dict[str, None]] = {}
    order: dict[str, None] = {}
    for figure in figures:
        table, row, column = benchmark.cell(figure.name)
        cells = tables.setdefault(table, {}).setdefault(row, {})
        cells[column] = f"{cells[column]}, {_cell(figure)}" if column in cells else _cell(figure)
        order[column] = None
        if figure.baseline:
            baselines.setdefault(table, {})[figure.baseline] = None
    for title, grid in tables.items():
        columns = [column for column in order if any(column in cells for cells in grid.values())]
        below = f" In brackets: the ratio to {', '.join(baselines[title])}." if title in baselines else ""
        if title:
            yield f"**{title}.**{below}"
        yield _table(
            ("", *columns),
            [(row, *(cells.get(column, "") for column in columns)) for row, cells in grid.items()],
        )


def _cell(figure: Figure) -> str:
    """Value and unit, the ratio to the baseline in brackets, and whether a goal is missed."""
    ratio = "" if figure.ratio is None else f" ({figure.ratio:.2f})"
    return f"{number(figure.value)} {figure.unit}{ratio}" + (" missed" if figure.reached is False else "")


def _table(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    head = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    return "\n".join([*head, *("| " + " | ".join(line) + " |" for line in lines)])
