"""The doctor of the set-up process: the command itself, `tablebridge doctor --json`, so that page and command
say the same.
"""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

from tablebridge.steps.cures import command_of
from tablebridge.steps.picture import DoctorView, Tested

_SECONDS: Final = 3.0
_LONGEST_S: Final = 120.0


class Examination:
    """The last examination, or the one that is under way. `view`: what is shown of it."""

    def __init__(self) -> None:
        self.view = DoctorView()
        self._thread: threading.Thread | None = None

    @property
    def over(self) -> bool:
        """Whether none is under way."""
        return self._thread is None or not self._thread.is_alive()

    def start(self, site_file: Path | None) -> None:
        """Examine the box, and the site if there is one."""
        self.view = DoctorView(runs=True, at_wall_ms=self.view.at_wall_ms, checks=self.view.checks)
        self._thread = threading.Thread(target=self._run, args=(site_file,), name="doctor", daemon=True)
        self._thread.start()

    def _run(self, site_file: Path | None) -> None:
        site = ["--site", str(site_file)] if site_file is not None else []
        try:
            done = subprocess.run(
                [sys.executable, "-m", "tablebridge", "doctor", "--json", "--seconds", str(_SECONDS), *site],
                capture_output=True,
                timeout=_LONGEST_S,
                check=False,
            )
            checks = tuple(
                Tested(check["level"], check["about"], check["says"], check["do"], command_of(check["do"]))
                for check in json.loads(done.stdout)["checks"]
            )
        except (OSError, ValueError, KeyError, subprocess.TimeoutExpired):
            self.view = DoctorView(
                why="The doctor did not end in order: run `tablebridge doctor` on the terminal of the box."
            )
            return
        self.view = DoctorView(at_wall_ms=round(time.time() * 1000), checks=checks)


__all__ = ["Examination"]
