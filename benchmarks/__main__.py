"""`python -m benchmarks [NAME ...] [--json] [--phh FOLDER] [--quick] [--fresh]`: measure, and show a table of
all figures.

Without names everything is measured but what takes many minutes (LONG). A figure with a baseline is given as
the ratio to it; both were taken in this run. With --json the figures go to standard output as JSON, the rest
to standard error. The exit status is 0 also where a goal is missed: the table says so.
"""

import argparse
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.figures import Figure, Options, machine, rows

ALL: Final = ("latency", "engine", "night", "simulate", "footprint", "start", "codec", "bus", "drivers")
LONG: Final = ("fuzz", "faces", "sensing", "irregular", "calibration", "schedule", "mutants")
NAMES: Final = (*ALL, *LONG)
COLUMNS: Final = ("measured", "ratio", "goal", "value", "baseline")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure tablebridge, beside baselines."
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"what to measure: {', '.join(NAMES)}; by default all but {', '.join(LONG)}",
    )
    parser.add_argument("--json", action="store_true", help="the figures as JSON on standard output")
    parser.add_argument("--phh", type=Path, metavar="FOLDER", help="recorded hands for engine and simulate")
    parser.add_argument("--quick", action="store_true", help="fewer samples: a look, not a measurement")
    parser.add_argument(
        "--fresh", action="store_true", help="start: also from a fresh clone, which downloads packages"
    )
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in NAMES]:
        parser.error(f"nothing is called {unknown[0]!r}; choose from {', '.join(NAMES)}")
    if asked.phh is not None and not asked.phh.is_dir():
        parser.error(f"{asked.phh} is no folder; give one that holds .phh files")
    options = Options(asked.quick, asked.phh, asked.fresh)
    warnings.simplefilter("ignore")
    screen = Console(stderr=asked.json, highlight=False, soft_wrap=True)
    began = machine()
    measured: dict[str, list[Figure]] = {}
    for name in asked.names or ALL:
        with screen.status(name) as status:
            measured[name] = import_module(f"benchmarks.{name}").run(options, status.update)
        screen.print(_table(name, measured[name]))
    here = {**began, "load": [began["load"], machine()["load"]]}
    screen.print(
        f"{here['cpu']}, {here['cores']} cores, Python {here['python']}; load {here['load'][0]} to {here['load'][1]}"
    )
    if asked.json:
        figures = {name: [figure.as_dict() for figure in these] for name, these in measured.items()}
        sys.stdout.write(
            msgspec.json.format(msgspec.json.encode({"machine": here, "figures": figures})).decode() + "\n"
        )
    return 0


def _table(name: str, figures: list[Figure]) -> Table:
    table = Table(*COLUMNS, title=name, title_justify="left")
    for row in rows(figures):
        table.add_row(*row)
    return table


if __name__ == "__main__":
    sys.exit(main())
