"""The socket through which the pages reach the set-up process: a UNIX socket, one JSON object per line.

The kernel says which user is at the other end: nobody but this user, root, and the user of the pages is let
in. Each line is decoded as a `Wanted` and nothing else; whoever sends another is cut off.
"""

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

import msgspec

from tablebridge import private
from tablebridge.model.errors import ConfigError
from tablebridge.steps.picture import Wanted

_LONGEST: Final = 16_384
_MOST: Final = 8
"""Connections at once: one web process, and some that are just going."""
_SEND_S: Final = 2


class Caller:
    """A connection of the pages."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        # Of sending alone: who wants nothing may be silent for as long as it likes.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SEND_S, 0))
        self._lock = threading.Lock()

    def send(self, line: bytes) -> bool:
        """Send a line. False if the other end takes none any more: the connection is closed then."""
        with self._lock:
            try:
                self._connection.sendall(line + b"\n")
            except OSError:
                self.close()
                return False
        return True

    def close(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()


class Door:
    """Listens at `path`. `wanted(caller, wish)` and `came(caller)` are called in threads of the callers.
    `users`: who may come in beside this user and root; `group`: who may open the socket's folder, None for
    nobody else. Raises ConfigError.
    """

    def __init__(
        self,
        path: Path,
        wanted: Callable[[Caller, Wanted], None],
        came: Callable[[Caller], None],
        users: Collection[int] = (),
        group: int | None = None,
    ) -> None:
        self._path = path
        self._wanted = wanted
        self._came = came
        self._users = {0, os.geteuid(), *users}
        self._callers: set[Caller] = set()
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            private.own_folder(path.parent)
            path.unlink(missing_ok=True)
            self._listener.bind(str(path))
            path.chmod(0o600)
            if group is not None:
                for made, mode in ((path.parent, 0o710), (path, 0o660)):
                    os.chown(made, -1, group)
                    made.chmod(mode)
            self._listener.listen(_MOST)
        except OSError as error:
            self._listener.close()
            raise ConfigError(
                f"{path} cannot be made ({error.strerror or error}): set state_dir to a folder that may be "
                "written, with a path of less than 80 characters."
            ) from None
        self._decoder = msgspec.json.Decoder(Wanted)
        threading.Thread(target=self._accept, name="door", daemon=True).start()

    def publish(self, line: bytes) -> None:
        """Send a line to all callers."""
        with self._lock:
            callers = list(self._callers)
        for caller in callers:
            caller.send(line)

    def close(self) -> None:
        """Let nobody in any more, and end all connections."""
        self._listener.close()
        self._path.unlink(missing_ok=True)
        with self._lock:
            for caller in self._callers:
                caller.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if _user(connection) not in self._users or len(self._callers) >= _MOST:
                connection.close()
                continue
            caller = Caller(connection)
            with self._lock:
                self._callers.add(caller)
            threading.Thread(target=self._serve, args=(caller, connection), daemon=True).start()

    def _serve(self, caller: Caller, connection: socket.socket) -> None:
        try:
            self._came(caller)
            with connection.makefile("rb") as lines:
                while line := lines.readline(_LONGEST):
                    self._wanted(caller, self._decoder.decode(line))
        except (OSError, ValueError, msgspec.MsgspecError):
            pass
        finally:
            with self._lock:
                self._callers.discard(caller)
            caller.close()


def _user(connection: socket.socket) -> int:
    """The user id of the process at the other end."""
    said = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", said)[1])


__all__ = ["Caller", "Door"]
