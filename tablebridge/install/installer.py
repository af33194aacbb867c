"""An installation from its first check to its end. Each step leaves the machine whole, and each is taken only
if something is to be changed: what a power cut or a full disk interrupted, the next run ends.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from tablebridge import __version__
from tablebridge.install import checks
from tablebridge.install.accounts import write_accounts
from tablebridge.install.machine import Machine, has, sentence
from tablebridge.install.manifest import PLACE, Manifest, load
from tablebridge.install.placing import BROKER_FILE, FILES, Placed, digest, verdict
from tablebridge.install.site import GROUP, USERS, give_away, site_of, units_of
from tablebridge.model.errors import Refused
from tablebridge.settings import state
from tablebridge.settings.site import Site

OWN: Final = "etc/tablebridge"
MOSQUITTO: Final = "etc/mosquitto"
_ACCOUNTS: Final = "the broker's accounts"
_MODE: Final = 0o644
_UDEV: Final = Path("/run/udev/control")
"""There while udevd runs, which it does not in a container."""


class Installer:
    """Installs this environment on a machine. `dry`: it only says what it would do; `say` hears each step."""

    def __init__(self, machine: Machine, dry: bool, say: Callable[[str], None]) -> None:
        self._machine = machine
        self._dry = dry
        self._say = say
        self._program = checks.program_of(machine)
        self._before = load(machine.root)
        self._texts = {placed.place: placed.text(self._program) for placed in FILES}
        self._changed: set[str] = set()
        """The places that were written, and `_ACCOUNTS`."""

    def run(self) -> bool:
        """Install; whether anything had to be done. Raises Refused and ConfigError."""
        try:
            return self._install()
        except OSError as error:
            raise Refused(sentence(error)) from None

    def _install(self) -> bool:
        checks.alone(self._machine, self._before, self._program)
        checks.not_older(self._machine, self._before)
        site, fault = site_of(self._machine)
        if self._dry:
            self._steps(site)
        else:
            checks.may_change(self._machine)
            with self._only():
                self._steps(site)
        if fault:
            self._say(fault)
        return bool(self._changed)

    def _steps(self, site: Site | None) -> None:
        origin = checks.origin_of(self._machine, self._program)
        known = self._before.files if self._before else {}
        manifest = Manifest(
            __version__,
            origin,
            self._program,
            state.SCHEMA,
            files={
                place: sorted({*known.get(place, []), digest(text)}) for place, text in self._texts.items()
            },
            units=self._before.units if self._before else [],
        )
        whole = self._before is not None and self._before.ended and self._before.version == __version__
        if not whole or any(self._verdict(placed) in ("write", "beside") for placed in FILES):
            self._note(manifest)
        for placed in FILES:
            self._place(placed)
        self._users()
        self._accounts(site)
        wanted = units_of(site) if site else []
        self._enable(wanted, manifest.units)
        if not self._dry:
            give_away(self._machine)
            if self._machine.booted:
                self._start(wanted if site else [], upgraded=self._before is not None and not whole)
        ended = msgspec.structs.replace(
            manifest,
            ended=True,
            files={place: [digest(text)] for place, text in self._texts.items()},
            units=wanted or manifest.units,
        )
        if ended != self._before and not self._dry:
            self._machine.write(PLACE, ended.encoded(), _MODE)

    # ---- files

    def _verdict(self, placed: Placed) -> str:
        known = self._before.files.get(placed.place, []) if self._before else []
        return verdict(self._machine.path(placed.place), self._texts[placed.place], known)

    def _place(self, placed: Placed) -> None:
        path, text = self._machine.path(placed.place), self._texts[placed.place].encode()
        match self._verdict(placed):
            case "write":
                self._step(placed.place, f"{path}: written")
                self._write(placed.place, text)
            case "beside":
                self._step(placed.place, f"{path}: kept, since it was changed; the new version is {path}.new")
                self._write(f"{placed.place}.new", text)
            case "kept":
                self._say(f"{path}: kept, since it was changed")

    def _note(self, manifest: Manifest) -> None:
        self._step(PLACE, f"{self._machine.path(PLACE)}: written")
        self._write(PLACE, manifest.encoded())

    def _write(self, place: str, text: bytes) -> None:
        if not self._dry:
            self._machine.write(place, text, _MODE)

    # ---- users, accounts, units

    def _users(self) -> None:
        machine = self._machine
        missing = [name for name in USERS.values() if machine.user(name) is None]
        if missing:
            self._step("etc/passwd", f"users {', '.join(missing)}, group {GROUP}: made")
        if self._dry:
            return
        for program, *arguments in (("systemd-sysusers",), ("systemd-tmpfiles", "--create")):
            machine.run(program, *arguments, "tablebridge.conf")

    def _accounts(self, site: Site | None) -> None:
        machine = self._machine
        mosquitto = machine.path(MOSQUITTO)
        if self._dry:
            self._say(f"{_ACCOUNTS}: made or kept, in {mosquitto}; passwords in {machine.path(OWN)}")
        else:
            machine.folder(mosquitto)
            made = write_accounts(site, machine.path(OWN), mosquitto, machine)
            if made:
                self._step(_ACCOUNTS, f"{_ACCOUNTS}: made or kept: {', '.join(made)}")

    def _enable(self, wanted: list[str], before: list[str]) -> None:
        """Enable what the site needs and was not enabled by an installation before; what a person disabled
        stays so.
        """
        new = [unit for unit in wanted if unit not in before]
        gone = [unit for unit in before if wanted and unit not in wanted]
        if (new or gone) and not has("systemctl"):
            raise Refused("systemctl is not there: install systemd 252 or later, and install again.")
        for verb, units in (("enable", new), ("disable", gone)):
            if units:
                self._step(verb, f"{verb}d: {', '.join(units)}")
            if units and not self._dry:
                self._machine.run("systemctl", "--quiet", verb, *units)
        if gone and self._machine.booted and not self._dry:
            self._machine.run("systemctl", "stop", *gone)

    def _start(self, wanted: list[str], *, upgraded: bool) -> None:
        """Hand on to systemd and udev what changed. Units are not waited for: a reader may be unplugged."""
        run = self._machine.run
        run("systemctl", "daemon-reload")
        if _UDEV.exists() and any(place.startswith("etc/udev") for place in self._changed):
            run("udevadm", "control", "--reload")
            run("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=usb")
        if {_ACCOUNTS, BROKER_FILE} & self._changed:
            run("systemctl", "restart", "mosquitto.service")
        if upgraded:
            run("systemctl", "--no-block", "try-restart", "tablebridge.target")
        if wanted:
            run("systemctl", "--no-block", "start", "tablebridge.target")

    def _step(self, what: str, text: str) -> None:
        self._changed.add(what)
        self._say(text)

    @contextmanager
    def _only(self) -> Iterator[None]:
        """No second installation at the same time: the folder is locked, so nothing is left behind."""
        folder = self._machine.path(OWN)
        self._machine.folder(folder)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise Refused(
                "Another installation is under way: wait for its end, and run this again."
            ) from None
        finally:
            os.close(handle)
