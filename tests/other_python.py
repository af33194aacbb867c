"""What `make pythons` asks of each other Python, in which the wheel is installed: every module can be
imported, all table scripts are ruled as in the Python of the tests, and a table deals two hands with all its
processes. Warnings are errors, since what is deprecated ends with a later Python.

    python tests/other_python.py RULED    what `tablebridge check --strict` printed there, for tests/hands
"""

import importlib
import os
import pkgutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import tablebridge
import tablebridge_drivers
from tablebridge.cli.extras import EXTRAS, ROOM_EXTRAS

HANDS = Path(__file__).resolve().parent / "hands"
PROGRAM = Path(sys.prefix) / "bin/tablebridge"
COMMAND_S = 600
ELSEWHERE = {*chain.from_iterable(ROOM_EXTRAS.values()), *EXTRAS["firmware"]}
"""Packages that no box has."""


def modules() -> int:
    """Import every module of a box; how many there are. Those of a room's machines and of a workbench need
    packages that no box has.
    """
    names = [
        module.name
        for package in (tablebridge, tablebridge_drivers)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ]
    found = 0
    for name in names:
        try:
            importlib.import_module(name)
            found += 1
        except ModuleNotFoundError as missing:
            if (missing.name or "").partition(".")[0] not in ELSEWHERE:
                raise
    return found


def printed(*words: str) -> str:
    """What the command of this Python prints, from a folder where there is no source of ours."""
    strict = {**os.environ, "PYTHONWARNINGS": "error"}
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [PROGRAM, *words], cwd=folder, env=strict, capture_output=True, text=True, timeout=COMMAND_S
        )
    return done.stdout + done.stderr


def main(ruled: Path) -> None:
    """Try this Python."""
    assert Path(tablebridge.__file__).is_relative_to(sys.prefix), "the wheel is what is tried"
    found = modules()
    assert printed("check", "--strict", str(HANDS)) == ruled.read_text(), "table scripts are ruled otherwise"
    said = printed("demo", "--hands", "2", "--speed", "max", "--no-browser")
    assert "2 hands in" in said and "0 readings lost" in said, said
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {version}: {found} modules, all table scripts, two hands dealt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
