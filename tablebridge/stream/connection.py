"""The connection of a box or a worker to the nats-servers of a room.

One connection outwards, with a key of its own (NKEY) and over TLS wherever it leaves the machine. The inbox
of answers is below a prefix of the account's own, so that no account can hear the answers to another.
"""

import logging
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from nats.aio.client import Client, RawCredentials

from tablebridge.model.errors import ConfigError

_log: Final = logging.getLogger(__name__)
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_PENDING_BYTES: Final = 8 << 20


class Credentials(msgspec.Struct, frozen=True):
    """How a process is known to the servers. `name`: whose inbox it has; `own`: its certificate and key, or
    the file with them, None if the servers ask for nothing; `ca`: the certificates of the room's authority,
    None for the system's.
    """

    name: str
    own: Path | RawCredentials | None = None
    ca: Path | None = None


def inbox_of(name: str) -> str:
    """The prefix of the inboxes of an account."""
    return f"_INBOX.{name}"


def check_servers(servers: Sequence[str]) -> None:
    """Raises ConfigError unless each is an address of a nats-server, by TLS or on this machine."""
    for server in servers:
        try:
            parts = urlsplit(server)
            known = parts.scheme in ("nats", "tls") and parts.hostname and parts.port
        except ValueError:
            known = False
        if not known or parts.username or parts.password:
            raise ConfigError(f"{server!r} is no address of a nats-server; write tls://HOST:PORT")
        if parts.scheme == "nats" and parts.hostname not in _LOOPBACK:
            raise ConfigError(
                f"{server}: records would cross the network without encryption; write tls://, and give the "
                "servers a certificate"
            )
    if not servers:
        raise ConfigError("no nats-server is named; write tls://HOST:PORT")


async def connect(
    servers: Sequence[str], credentials: Credentials, *, wait_s: float = 1.0, lasting: bool = True
) -> Client:
    """A connection that is kept up for ever if it is `lasting`. Raises ConfigError, OSError,
    nats.errors.Error if none of the servers can be had now.
    """
    check_servers(servers)
    own = credentials.own

    async def failed(error: Exception) -> None:
        _log.info("the connection to the room: %s", error or type(error).__name__)

    client = Client()
    try:
        await client.connect(
            list(servers),
            name=credentials.name,
            error_cb=failed,
            allow_reconnect=lasting,
            max_reconnect_attempts=-1 if lasting else 1,
            reconnect_time_wait=wait_s,  # type: ignore[arg-type]
            connect_timeout=5,
            ping_interval=10,
            max_outstanding_pings=2,
            pending_size=_PENDING_BYTES,
            inbox_prefix=inbox_of(credentials.name),
            user_credentials=str(own) if isinstance(own, Path) else own,
            tls=_tls(servers, credentials.ca),
        )
    except BaseException:
        await client.close()
        raise
    return client


def _tls(servers: Sequence[str], ca: Path | None) -> ssl.SSLContext | None:
    if not any(server.startswith("tls:") for server in servers):
        return None
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"{ca}: no certificates can be read ({error})") from None
