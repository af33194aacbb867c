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
from pathlib import Path
from tempfile import TemporaryDirectory

import tablebridge
import tablebridge_drivers

HANDS = Path(__file__).resolve().parent / "hands"
PROGRAM = Path(sys.prefix) / "bin/tablebridge"
COMMAND_S = 600


def modules() -> int:
    """Import every module; how many there are."""
    names = [
        module.name
        for package in (tablebridge, tablebridge_drivers)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ]
    for name in names:
        importlib.import_module(name)
    return len(names)


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
