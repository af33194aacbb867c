"""The compose file as it is, run by podman and docker-compose with a store and a network of their own: no
daemon that stays, no registry, nothing left on the machine.
"""

import contextlib
import json
import os
import subprocess
import threading
import time
import tty
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from package.reader import crc
from rig.wait import wait_for

PROJECT = "tablebridge-test"
COMMAND_S = 300
_SETTINGS = """\
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "{folder}/networks"
"""
_DEVICES = {
    "null": (1, 3),
    "zero": (1, 5),
    "full": (1, 7),
    "random": (1, 8),
    "urandom": (1, 9),
    "tty": (5, 0),
}


class Podman:
    """podman with a store on the disk; `close` removes all of it."""

    def __init__(self) -> None:
        # A short path: podman takes none with more than 50 characters.
        self._folder = TemporaryDirectory(prefix="tablebridge-", dir="/var/tmp")
        folder = Path(self._folder.name)
        settings = folder / "containers.conf"
        settings.write_text(_SETTINGS.format(folder=folder))
        self._environ = {**os.environ, "CONTAINERS_CONF": str(settings)}
        self._network = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        own = Path(f"/proc/{self._network.pid}/ns/net")
        wait_for(lambda: own.readlink() != Path("/proc/self/ns/net").readlink(), "a network of its own")
        self._enter = ["nsenter", f"--net={own}"]
        self.there("ip", "link", "set", "lo", "up")
        store = [
            "--root",
            str(folder / "root"),
            "--runroot",
            str(folder / "run"),
            "--tmpdir",
            str(folder / "tmp"),
        ]
        self._command = ["podman", *store]
        self._socket = folder / "api"
        serve = [*self._enter, *self._command, "system", "service", "--time", "0", f"unix://{self._socket}"]
        with (folder / "service.log").open("wb") as log:
            self._service = subprocess.Popen(
                serve, env=self._environ, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            wait_for(self._socket.exists, "podman answers")
        except BaseException:
            self.close()
            raise

    def there(self, *words: str, code: int | None = 0) -> str:
        """What a command prints that runs on the machine as these containers see it."""
        return said([*self._enter, *words], self._environ, code)

    def run(self, *words: str, code: int | None = 0) -> str:
        """What podman prints; it must end with this exit status, None for any."""
        return self.there(*self._command, *words, code=code)

    def compose(self, site: Path, *words: str, code: int | None = 0) -> str:
        """What docker-compose prints with the compose file of a folder."""
        where = ["env", f"DOCKER_HOST=unix://{self._socket}"]
        command = ["docker-compose", "-p", PROJECT, "-f", str(site / "compose.yaml")]
        return self.there(*where, *command, *words, code=code)

    def inside(self, service: str, *words: str, code: int | None = 0) -> str:
        """What a command prints in the container of a service."""
        return self.run("exec", self.name(service), *words, code=code)

    def name(self, service: str) -> str:
        """The container of a service."""
        return f"{PROJECT}_{service}_1"

    def state(self, service: str) -> dict[str, Any]:
        """What podman knows of the container of a service."""
        found: list[dict[str, Any]] = json.loads(self.run("inspect", self.name(service)))
        return found[0]

    def healthy(self, service: str) -> bool:
        """Whether the check of health holds now."""
        return self.run("healthcheck", "run", self.name(service), code=None) == ""

    def close(self) -> None:
        """End the service, remove containers, images and networks."""
        self._service.terminate()
        self._service.wait(COMMAND_S)
        try:
            wait_for(self._removed, "podman has removed everything")
        finally:
            self._network.kill()
            self._network.wait(COMMAND_S)
            self._folder.cleanup()

    def _removed(self) -> bool:
        """Whether podman could remove its store: what ended last may still be writing there."""
        words = [*self._enter, *self._command, "system", "reset", "--force"]
        done = subprocess.run(words, env=self._environ, capture_output=True, timeout=COMMAND_S)
        return done.returncode == 0


def said(command: Sequence[str], environ: dict[str, str], code: int | None) -> str:
    """What a command prints; it must end with this exit status, None for any."""
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=COMMAND_S)
    text = done.stdout + done.stderr
    assert code in (None, done.returncode), f"{' '.join(command)}: {done.returncode}\n{text}"
    return text


class Board:
    """An emulated board of the line protocol on a pseudo-terminal: two antennas, nothing on them."""

    def __init__(self, group: int) -> None:
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        os.fchown(self._theirs, 0, group)
        os.fchmod(self._theirs, 0o660)
        # As on a real line, what is said while nobody reads is lost.
        os.set_blocking(self._ours, False)
        self.port = os.ttyname(self._theirs)
        self._began, self._number = time.monotonic(), 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._speak)
        self._thread.start()

    def _speak(self) -> None:
        self._say("h", "emulated/1.0", 2, 1, "power")
        while not self._ended.wait(0.2):
            self._say(1, "=", 4)
            self._say(2, "=", 4)
            self._say("k", 1, 0, 0)

    def _say(self, *fields: object) -> None:
        now_ms = int((time.monotonic() - self._began) * 1000)
        text = ",".join(map(str, ("v1", self._number, now_ms, *fields)))
        self._number += 1
        with contextlib.suppress(BlockingIOError):
            os.write(self._ours, f"{text}*{crc(text):04X}\n".encode())

    def close(self) -> None:
        """Take it away, if it is still there."""
        if self._ended.is_set():
            return
        self._ended.set()
        self._thread.join()
        os.close(self._ours)
        os.close(self._theirs)


class Devices:
    """A folder that stands for the machine's /dev: what every program needs, and serial ports that are
    pseudo-terminals, which work nowhere but in their own file system and are mounted here.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in ("pts", "shm", "mqueue", "serial/by-path"):
            (folder / part).mkdir(parents=True)
        for name, numbers in _DEVICES.items():
            os.mknod(folder / name, 0o020666, os.makedev(*numbers))
            (folder / name).chmod(0o666)
        self._mounted: list[Path] = []

    def add(self, name: str, port: str) -> None:
        """A serial port; before the containers are started."""
        path = self.folder / name
        path.touch()
        subprocess.run(["mount", "--bind", port, str(path)], check=True)
        self._mounted.append(path)

    def link(self, place: str, name: str) -> None:
        """As udev makes it when a device is plugged in: the place leads to this port."""
        link = self.folder / "serial/by-path" / place
        link.unlink(missing_ok=True)
        link.symlink_to(f"../../{name}")

    def close(self) -> None:
        """Take the ports away."""
        for path in self._mounted:
            subprocess.run(["umount", str(path)], check=True)
