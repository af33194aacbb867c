"""A room as its documents say: certificates by their commands, nats-servers and PostgreSQL by the files of
`tablebridge site files`, all on this machine.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Final

from rig.documents import DOCS

from tablebridge.archive.authority import Authority
from tablebridge.bus.broker import nats_server
from tablebridge.install.room_files import room_files
from tablebridge.sim.room.postgres import Postgres
from tablebridge.sim.room.servers import end, free_ports

_NODES: Final = ("nats-1", "nats-2", "nats-3")
_HERE: Final = "127.0.0.1"


def commands() -> list[list[str]]:
    """The commands for certificates that docs/site.md has: of the authority, of one server."""
    text = (DOCS / "site.md").read_text().replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(r"^    (openssl .*)$", text, re.M)]


def make_authority(folder: Path) -> Path:
    """An authority in this folder; its certificate."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(commands()[0], cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem"


def make_certificate(folder: Path, name: str, to: Path, address: str = _HERE) -> None:
    """A certificate and key by the authority in `folder`, called `name`, into `to`."""
    words = [
        word.replace("DNS:nats-1", f"IP:{address}").replace("nats-1", str(to / name))
        if not word.startswith("/CN=")
        else f"/CN={name}"
        for word in commands()[1]
    ]
    to.mkdir(parents=True, exist_ok=True)
    subprocess.run(words, cwd=folder, check=True, capture_output=True)


class Servers:
    """Three nats-servers with the lines of `authority`, by the configuration that is given out."""

    def __init__(self, folder: Path, authority: Authority, ca: Path) -> None:
        self._folder = folder
        ports = free_ports(2 * len(_NODES))
        self._ports, self._routes = ports[:3], ports[3:]
        self._processes: list[subprocess.Popen[bytes]] = []
        given = room_files(_NODES)
        for number, node in enumerate(_NODES):
            make_certificate(ca.parent, node, folder / node)
            (folder / node / "ca.pem").write_bytes(ca.read_bytes())
            (folder / node / "accounts.conf").write_text(authority.server_lines(f'"{folder / node / "jwt"}"'))
            self._write(node, given[f"{node}.nats.conf"], number)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Their addresses."""
        return tuple(f"tls://{_HERE}:{port}" for port in self._ports)

    @property
    def routes(self) -> list[int]:
        """The ports at which they hear each other."""
        return self._routes

    def start(self) -> None:
        """Start them."""
        for node in _NODES:
            with (self._folder / f"{node}.log").open("ab") as log:
                command = [str(nats_server()), "-c", str(self._folder / node / "nats.conf")]
                self._processes.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT))

    def log(self, node: int) -> str:
        """What one of them has logged."""
        return (self._folder / f"{_NODES[node]}.log").read_text()

    def stop(self) -> None:
        """End them."""
        for process in self._processes:
            end(process)

    def _write(self, node: str, text: str, number: int) -> None:
        for given, here in (
            ("listen: 0.0.0.0:4222", f"listen: {_HERE}:{self._ports[number]}"),
            ("listen: 0.0.0.0:6222", f"listen: {_HERE}:{self._routes[number]}"),
            ("/etc/nats/", f"{self._folder / node}/"),
            ("/var/lib/nats/js", str(self._folder / node / "js")),
            ("max_file_store: 200GB", "max_file_store: 1GB"),
            *((f"tls://{one}:6222", f"tls://{_HERE}:{self._routes[at]}") for at, one in enumerate(_NODES)),
        ):
            assert given in text, given
            text = text.replace(given, here)
        (self._folder / node / "nats.conf").write_text(text)


class Database:
    """PostgreSQL with the files and roles that are given out. Its files are in `folder`."""

    def __init__(self, folder: Path, ca: Path) -> None:
        given = room_files(_NODES)
        make_certificate(ca.parent, "db", folder)
        (folder / "pg_hba.conf").write_text(given["pg_hba.conf"])
        (folder / "roles.sql").write_text(given["roles.sql"])
        (self.port,) = free_ports(1)
        settings = dict(re.findall(r"^(\w+) = '?([^'\n]+)'?$", given["postgresql.conf"], re.M))
        here = {
            "listen_addresses": _HERE,
            "hba_file": str(folder / "pg_hba.conf"),
            "ssl_cert_file": str(folder / "db.pem"),
            "ssl_key_file": str(folder / "db.key"),
        }
        assert settings["ssl"] == "on" and settings["fsync"] == "on"
        self.server = Postgres([f"{key}={value}" for key, value in (settings | here).items()], self.port)
        self._folder = folder
        self.passwords = folder / "pgpass"
        self._ca = ca

    def start(self) -> None:
        """Start it, and make the roles."""
        if os.geteuid() == 0:
            for path in (self._folder, *self._folder.iterdir()):
                subprocess.run(["chown", "postgres", str(path)], check=True)
        self.server.start()
        self.as_postgres("-c", "DROP DATABASE archive")
        self.as_postgres("-f", str(self._folder / "roles.sql"))
        for role in ("archive", "pages"):
            self.as_postgres("-c", f"ALTER ROLE {role} PASSWORD '{role}-secret'")
        self.passwords.write_text("".join(f"*:*:*:{role}:{role}-secret\n" for role in ("archive", "pages")))
        self.passwords.chmod(0o600)

    def address(self, role: str = "archive", more: str = "sslmode=verify-full") -> str:
        """The address of the database for this role."""
        return f"postgresql://{role}@{_HERE}:{self.port}/archive?{more}&sslrootcert={self._ca}"

    def as_postgres(self, *arguments: str) -> None:
        """Run psql as its own user."""
        host = re.findall(r"host=([^&]+)", self.server.address)[0].replace("%2F", "/")
        command = [
            "psql",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            host,
            "-p",
            str(self.port),
            "-U",
            "postgres",
            "postgres",
        ]
        user = "postgres" if os.geteuid() == 0 else None
        subprocess.run([*command, *arguments], check=True, capture_output=True, cwd="/", user=user)
