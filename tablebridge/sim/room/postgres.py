"""A PostgreSQL of its own in a folder, reached through a socket in that folder: no port, no password, and no
server that runs as root.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tablebridge.model.errors import ConfigError

_PLACES: Final = "/usr/lib/postgresql"
_NAME: Final = "archive"
_TIMEOUT_S: Final = 120
_SETTINGS: Final = (
    "listen_addresses=''",
    "shared_buffers=32MB",
    "max_connections=40",
    "fsync=on",
    "autovacuum_naptime=10s",
)


class Postgres:
    """The server. Root starts it as the user `postgres`, which Debian's package makes. `stop` also deletes
    its folder. `settings`: of the server, beside ours; `port`: in the name of its socket, too. Raises
    ConfigError.
    """

    def __init__(self, settings: Sequence[str] = (), port: int = 5432) -> None:
        self._settings = (*_SETTINGS, f"port={port}", *settings)
        self._port = str(port)
        self._programs = _programs()
        self._user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        # The path of a socket may have a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="tb-pg-", dir="/tmp"))
        if self._user is not None:
            os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
        self._data = self._folder / "data"

    @property
    def address(self) -> str:
        """The address of its database."""
        name = self._user.pw_name if self._user else pwd.getpwuid(os.geteuid()).pw_name
        return f"postgresql://{name}@/{_NAME}?host={quote(str(self._folder))}&port={self._port}"

    @property
    def pid(self) -> int:
        """The process of the server, whose children serve the connections."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Make the database if it is not there, and start the server; it answers when this returns."""
        fresh = not self._data.exists()
        if fresh:
            self._run("initdb", "-D", str(self._data), "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        options = " ".join(f"-c {setting}" for setting in self._settings)
        log = str(self._folder / "log")
        self._run(
            "pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", f"-k {self._folder} {options}", "start"
        )
        if fresh:
            self._run("createdb", "-h", str(self._folder), "-p", self._port, _NAME)

    def pause(self) -> None:
        """End it at once, as a crash does; `start` goes on with what it had."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def restart(self) -> None:
        """End it at once, as a crash does, and start it again."""
        self.pause()
        self.start()

    def stop(self) -> None:
        """End it and delete its folder."""
        if self._data.exists():
            self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        user = self._user
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_TIMEOUT_S,
            cwd="/",
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else [],
            check=False,
        )
        if check and done.returncode:
            why = done.stderr.decode(errors="replace").strip()[:300]
            raise ConfigError(f"PostgreSQL: {program} failed ({why})")


def _programs() -> Path:
    """Where the programs of the newest server are. Raises ConfigError."""
    places = [path for path in Path(_PLACES).glob("*/bin") if (path / "initdb").exists()]
    if not places:
        raise ConfigError("no PostgreSQL is installed: apt install postgresql")
    return max(places, key=lambda path: float(path.parent.name))
