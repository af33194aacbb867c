"""The commands as a person calls them, and a site file's lines for a device on a pseudo-terminal."""

import subprocess
import sys
from pathlib import Path


def device(tmp_path: Path, name: str, driver: str = "feig", antennas: str = '{ 0 = "seat 1" }') -> str:
    """A device's lines of the site file, on the pseudo-terminal of its name."""
    return f'name = "{name}"\ndriver = "{driver}"\nport = "{tmp_path / name}"\nantennas = {antennas}\n'


def tablebridge(*arguments: object, stdin: str = "", seconds: float = 90) -> subprocess.CompletedProcess[str]:
    """A command, run to its end. Never with a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return done
