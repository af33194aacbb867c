"""The files for the machines of a room: configuration of nats-servers and PostgreSQL, units and users.

They are written into a folder for a person, who puts each where its first line says; nothing is installed.
"""

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from tablebridge.model.errors import ConfigError

EXAMPLE: Final = ("nats-1", "nats-2", "nats-3")
"""The servers that the files in `room/` name."""
MOST_SERVERS: Final = 9
_NATS: Final = "nats.conf"
_ROUTES: Final = "@ROUTES@"
_HOST: Final = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9][A-Za-z0-9-]{0,62}(\.[A-Za-z0-9-]{1,63})*\Z")


def room_files(servers: Sequence[str]) -> dict[str, str]:
    """The files by name, of a room with these nats-servers: hosts, one to nine. Raises ConfigError."""
    if not 1 <= len(servers) <= MOST_SERVERS or len(set(servers)) != len(servers):
        raise ConfigError(f"name each nats-server once, and at most {MOST_SERVERS}")
    for host in servers:
        if not _HOST.match(host):
            raise ConfigError(f"{host!r} is no name of a machine: letters a to z, digits, - and .")
    found: dict[str, str] = {}
    for source in sorted(files("tablebridge.install").joinpath("room").iterdir(), key=lambda one: one.name):
        text = source.read_text()
        if source.name == _NATS:
            found |= {f"{host}.{_NATS}": _of_server(text, host, servers) for host in servers}
        else:
            found[source.name] = text.replace(_options(EXAMPLE), _options(servers))
    return found


def write_room_files(folder: Path, servers: Sequence[str]) -> list[str]:
    """Write them into this folder; their names. A file that is there stays if it is the same. Raises
    ConfigError; then nothing has been written, or the disk is full.
    """
    wanted = room_files(servers)
    try:
        for name, text in wanted.items():
            if (folder / name).exists() and (folder / name).read_text() != text:
                raise ConfigError(f"{folder / name} is there and is another: name an empty folder")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in wanted.items():
            (folder / name).write_text(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{folder}: {error}") from None
    return list(wanted)


def _of_server(text: str, host: str, servers: Sequence[str]) -> str:
    text = text.replace(_routes(EXAMPLE), _ROUTES).replace(EXAMPLE[0], host)
    return text.replace(_ROUTES, _routes(servers))


def _routes(servers: Sequence[str]) -> str:
    return ", ".join(f"tls://{server}:6222" for server in servers)


def _options(servers: Sequence[str]) -> str:
    return " ".join(f"--server tls://{server}:4222" for server in servers)
