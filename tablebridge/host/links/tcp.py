"""A device behind a network port that hands bytes through, such as a serial server: `socket://HOST:PORT`."""

import socket
from typing import Final

from tablebridge.host.links.link import LinkRefused
from tablebridge.model.errors import LinkError

SCHEME: Final = "socket://"
_CONNECT_S: Final = 1.0
_UNSENT: Final = 65_536


class TcpLink:
    """One connection. Raises LinkRefused for an invalid address, LinkError if nobody answers."""

    def __init__(self, url: str) -> None:
        host, _, port = url.removeprefix(SCHEME).rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
            raise LinkRefused(
                f"{url} is no address of a port: write socket://HOST:PORT, such as socket://127.0.0.1:4001."
            )
        self._url = url
        self._unsent = b""
        try:
            self._socket = socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S)
            self._socket.setblocking(False)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise LinkError(
                f"nobody answers at {url} ({error}): check the device's address, power and network."
            ) from None

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._socket.fileno()

    def read(self) -> bytes:
        """The bytes that are there. Raises LinkError when the other end hung up."""
        try:
            data = self._socket.recv(4096)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise LinkError(f"the connection to {self._url} broke ({error}).") from None
        if not data:
            raise LinkError(f"{self._url} hung up.")
        return data

    def send(self, data: bytes) -> bool:
        """Send behind what is not sent yet; whether all is on its way. Raises LinkError."""
        self._unsent += data
        if self._unsent:
            try:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
            except BlockingIOError:
                pass
            except OSError as error:
                raise LinkError(f"the connection to {self._url} broke ({error}).") from None
        if len(self._unsent) > _UNSENT:
            raise LinkError(f"{self._url} accepts no bytes any more.")
        return not self._unsent

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
