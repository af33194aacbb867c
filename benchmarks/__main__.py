"""`python -m benchmarks [NAME ...] [--write FILE] [--json] [--phh FOLDER] [--quick] [--fresh] [--tables N]
[--family N] [--seed S]`: measure, and show a table of all figures.

Without names everything is measured but what takes many minutes. A figure with a baseline is given as the
ratio to it; both were taken in this run. With --write the sections of the page (docs/performance.md) are
replaced as each benchmark ends. With --json the figures go to standard output as JSON, the rest to standard
error. The exit status is 0 also if a goal is missed: the table says so.
"""

import argparse
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.catalogue import BENCHMARKS, NAMES
from benchmarks.figures import Figure, Machine, Options, rows
from benchmarks.page import COLUMNS, described, section, write

MOST_TABLES = 1000
MOST_DRAWN = 10_000


def main() -> int:
    asked = _asked()
    images = asked.write.parent / "images" if asked.write else None
    options = Options(
        asked.quick, asked.phh, asked.fresh, images, tuple(asked.tables), asked.family, asked.seed
    )
    warnings.simplefilter("ignore")
    screen = Console(stderr=asked.json, highlight=False, soft_wrap=True)
    measured: dict[str, dict[str, Any]] = {}
    for name in asked.names or [benchmark.name for benchmark in BENCHMARKS if not benchmark.long]:
        machine = Machine()
        with screen.status(name) as status:
            figures = import_module(f"benchmarks.{name}").run(options, status.update)
        on = machine.description(asked.quick)
        screen.print(_table(name, figures), described(on).strip("*"))
        if asked.write:
            write(asked.write, {name: section(NAMES[name], figures, on)})
        measured[name] = {"machine": on, "figures": [figure.as_dict() for figure in figures]}
    if asked.json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(measured)).decode() + "\n")
    return 0


def _asked() -> argparse.Namespace:
    long = ", ".join(benchmark.name for benchmark in BENCHMARKS if benchmark.long)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure tablebridge, beside baselines."
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"what to measure: {', '.join(NAMES)}; by default all but {long}",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page whose sections are replaced")
    parser.add_argument("--json", action="store_true", help="the figures as JSON on standard output")
    parser.add_argument("--phh", type=Path, metavar="FOLDER", help="recorded hands for engine and simulate")
    parser.add_argument("--quick", action="store_true", help="fewer samples: a look, not a measurement")
    parser.add_argument(
        "--fresh", action="store_true", help="start: also from a fresh clone, which downloads packages"
    )
    parser.add_argument(
        "--tables",
        type=int,
        choices=range(1, MOST_TABLES + 1),
        nargs="+",
        default=(),
        metavar="N",
        help="box: so many tables, one measurement per number; site, faults: the first of them",
    )
    parser.add_argument(
        "--family",
        type=int,
        metavar="N",
        help="tables: how many are drawn; by default as many as on the page",
    )
    parser.add_argument("--seed", type=int, metavar="S", help="tables: the seed from which they are drawn")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in NAMES]:
        parser.error(f"nothing is called {unknown[0]!r}; choose from {', '.join(NAMES)}")
    if asked.phh is not None and not asked.phh.is_dir():
        parser.error(f"{asked.phh} is no folder; give one that holds .phh files")
    if asked.family is not None and not 0 <= asked.family <= MOST_DRAWN:
        parser.error(f"--family is a number of tables from 0 to {MOST_DRAWN}")
    return asked


def _table(name: str, figures: list[Figure]) -> Table:
    table = Table(*COLUMNS, title=name, title_justify="left")
    for row in rows(figures):
        table.add_row(*row)
    return table


if __name__ == "__main__":
    sys.exit(main())
