"""The connection of a box or a worker to the nats-servers of a room.

One connection outwards, with a key of its own (NKEY) and over TLS wherever it leaves the machine. The inbox
of answers is below a prefix of the account's own, so that no account can hear the answers to another.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
import nats.errors
from nats.aio.client import Client, RawCredentials

from tablebridge.model.errors import ConfigError

_log: Final = logging.getLogger(__name__)
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_PENDING_BYTES: Final = 8 << 20
_SERVER_S: Final = 5
_CLOSE_S: Final = 2.0


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
        if parts.scheme != urlsplit(servers[0]).scheme:
            raise ConfigError(f"{server} and {servers[0]}: write tls:// in front of all servers, or of none")
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
    """A connection that is kept up for ever if it is `lasting`. Raises ConfigError, OSError, TimeoutError,
    nats.errors.Error if none of the servers can be had now.
    """
    check_servers(servers)
    own, tls = credentials.own, _tls(servers, credentials.ca)
    first = _First(len(servers))
    client = Client()
    connecting = client.connect(
        list(servers),
        name=credentials.name,
        error_cb=first.failed,
        allow_reconnect=lasting,
        max_reconnect_attempts=-1 if lasting else 1,
        reconnect_time_wait=wait_s,  # type: ignore[arg-type]
        connect_timeout=_SERVER_S,
        ping_interval=10,
        max_outstanding_pings=2,
        pending_size=_PENDING_BYTES,
        inbox_prefix=inbox_of(credentials.name),
        user_credentials=str(own) if isinstance(own, Path) else own,
        tls=tls,
        # The server's own first word would come without encryption, and so could all that follows.
        tls_handshake_first=tls is not None,
    )
    try:
        await asyncio.wait_for(connecting, _SERVER_S * (len(servers) + 1))
    except BaseException as error:
        await close(client)
        if tls is not None and isinstance(error, ssl.SSLError | TimeoutError):
            raise ConnectionError(_sentence(error, credentials.ca)) from error
        raise
    first.worked()
    return client


async def close(client: Client) -> None:
    """End a connection, whatever state it is in. After a handshake that has failed the client itself would
    wait for ever.
    """
    with contextlib.suppress(OSError, TimeoutError, nats.errors.Error):
        await asyncio.wait_for(client.close(), _CLOSE_S)


class _First:
    """The first attempt, which ends when each server has failed, or TLS with one of them: the client would
    try for ever. Who calls tries again, and then with the servers in another order.
    """

    def __init__(self, servers: int) -> None:
        self._left: int | None = servers

    async def failed(self, error: Exception) -> None:
        """A server has failed. Raises this error if that ends the attempt."""
        _log.info("the connection to the room: %s", error or type(error).__name__)
        if self._left is None:
            return
        self._left -= 1
        if self._left <= 0 or isinstance(error, ssl.SSLError):
            raise error

    def worked(self) -> None:
        """There is a connection: from now on it is tried again for ever."""
        self._left = None


def _sentence(error: ssl.SSLError | TimeoutError, ca: Path | None) -> str:
    """What is wrong with the TLS of a server."""
    if isinstance(error, ssl.SSLCertVerificationError):
        known = "the authorities of this machine" if ca is None else f"the authority in {ca}"
        return (
            f"the certificate of a nats-server is not accepted ({error.verify_message}): it must be of "
            f"{known} and name the host of the address"
        )
    return (
        "a nats-server does not answer, or does not begin with TLS, and nothing is sent to it then: its "
        "configuration needs handshake_first: true in tls"
    )


def _tls(servers: Sequence[str], ca: Path | None) -> ssl.SSLContext | None:
    if not any(server.startswith("tls:") for server in servers):
        return None
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"{ca}: no certificates can be read ({error})") from None
