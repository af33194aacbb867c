"""The way back: stops the units and removes what an installation wrote. Files that somebody changed, the site
file, passwords, users and the state stay; `purge` removes these as well.
"""

import shutil
from collections.abc import Callable
from typing import Final

from tablebridge.install import checks
from tablebridge.install.accounts import ACCESS, USERS
from tablebridge.install.installer import MOSQUITTO, OWN
from tablebridge.install.machine import Machine, has, sentence
from tablebridge.install.manifest import PLACE, load
from tablebridge.install.placing import FILES, UNITS, Placed
from tablebridge.model.errors import Refused

_ALL_UNITS: Final = "tablebridge-*"


class Removal:
    """Takes an installation away. `purge`: with settings and state. `dry`, `say`: as for an installation."""

    def __init__(self, machine: Machine, purge: bool, dry: bool, say: Callable[[str], None]) -> None:
        self._machine = machine
        self._purge = purge
        self._dry = dry
        self._say = say

    def run(self) -> None:
        """Remove it. Raises Refused and ConfigError."""
        try:
            self._remove()
        except OSError as error:
            raise Refused(sentence(error)) from None

    def _remove(self) -> None:
        manifest = load(self._machine.root)
        if manifest is None:
            raise Refused(f"tablebridge is not installed here: there is no {self._machine.path(PLACE)}.")
        if not self._dry:
            checks.may_change(self._machine)
        self._stop()
        for placed in FILES:
            self._take(placed, manifest.files.get(placed.place, []))
        for place in (f"{MOSQUITTO}/{USERS}", f"{MOSQUITTO}/{ACCESS}"):
            self._delete(place)
        # Last: as long as it is there, a removal that was interrupted can be done again.
        self._delete(PLACE)
        if self._purge:
            for folder in (OWN, checks.STATE):
                self._say(f"{self._machine.path(folder)}: removed with all that is in it")
                if not self._dry:
                    shutil.rmtree(self._machine.path(folder), ignore_errors=False)
        if not self._dry and self._machine.booted:
            self._machine.run("systemctl", "daemon-reload")
            self._machine.run("systemctl", "try-restart", "mosquitto.service")

    def _stop(self) -> None:
        wants = self._machine.path(UNITS) / "tablebridge.target.wants"
        units = sorted(path.name for path in wants.glob(_ALL_UNITS)) if wants.is_dir() else []
        units = ["tablebridge.target", *units]
        self._say(f"stopped and disabled: {', '.join(units)}")
        if self._dry or not has("systemctl"):
            return
        if self._machine.booted:
            self._machine.run("systemctl", "stop", "tablebridge.target", _ALL_UNITS)
        if self._machine.path(f"{UNITS}/tablebridge.target").exists():
            self._machine.run("systemctl", "--quiet", "disable", *units)

    def _take(self, placed: Placed, ours: list[str]) -> None:
        path = self._machine.path(placed.place)
        if path.exists() and placed.written(path) not in ours:
            self._say(f"{path}: kept, since it was changed")
            return
        self._delete(placed.place)
        self._delete(f"{placed.place}.new")

    def _delete(self, place: str) -> None:
        path = self._machine.path(place)
        if path.exists():
            self._say(f"{path}: removed")
            if not self._dry:
                path.unlink()
