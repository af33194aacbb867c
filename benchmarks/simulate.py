"""Recorded hands through the whole chain with `tablebridge simulate`: how many come out as they went in, and
the time.

With --phh: all hold'em hands of the folder. Without: twenty invented ones. Once with antennas that read
cleanly, once with antennas that read as in a good installation (`mild`).
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from benchmarks.engine import invented
from benchmarks.figures import Figure, Options, Say
from tablebridge.export.phh import write_phh

HANDS, QUICK = 20, 5
LEVELS = ("clean", "mild")
RESULT = re.compile(r"identical (\d+) of (\d+); (\d+) s, ([\d.]+) s a hand; (\d+) readings lost")


def _simulated(level: str, folder: Path, out: Path) -> tuple[str, ...]:
    """What the command says at its end: hands the same, hands, seconds in all and per hand, readings lost."""
    arguments = ("simulate", "--phh", str(folder), "--level", level, "--out", str(out))
    done = subprocess.run([sys.executable, "-m", "tablebridge", *arguments], capture_output=True, text=True)
    found = RESULT.search(done.stdout)
    if found is None:
        raise RuntimeError(f"tablebridge simulate gave no result:\n{done.stdout}{done.stderr}")
    return found.groups()


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as name:
        folder = options.phh
        if folder is None or options.quick:
            rng, folder = Random(3), Path(name) / "hands"
            folder.mkdir()
            for number in range(QUICK if options.quick else HANDS):
                (folder / f"{number:02}.phh").write_text(write_phh(invented(rng)))
        for level in LEVELS:
            say(f"simulate: {level}; all hands of {folder}")
            same, hands, seconds, each, lost = _simulated(level, folder, Path(name) / level)
            figures += [
                Figure(
                    f"{level}: hands the same in and out",
                    int(same),
                    "hands",
                    "all played",
                    int(hands),
                    1,
                    "higher",
                ),
                Figure(f"{level}: time in all", float(seconds), "s"),
                Figure(f"{level}: time per hand", float(each), "s"),
                Figure(f"{level}: readings lost", int(lost), "readings", limit=0),
            ]
    return figures
