"""A capture in place of a device: `replay:FILE` as a site file's port.

Theory. The first conversation of the capture is played. What the device sent is returned when two things have
happened: the host has sent as many bytes as the capture's host had by then, and the time has passed that lay
between this piece and the one before it. So a driver that requests gets its answers to its requests, at the
pace of the recording, and a board that pushes its readings pushes them. At the end the link breaks, as when a
cable is pulled; the supervisor opens it again and it begins again. A host that requests less than the
recorded one, as another version of the driver may, waits for ever and notices it by its own timeouts.
"""

import contextlib
import os
import threading
from collections import deque
from pathlib import Path
from typing import Final

from tablebridge.host.links.link import LinkRefused
from tablebridge.model.errors import LinkError
from tablebridge.sdk.captures import Piece, read_capture

SCHEME: Final = "replay:"


class ReplayLink:
    """A capture that is played. Raises LinkRefused if the file is none."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._pieces = deque(_first_conversation(port))
        self._came: deque[bytes] = deque()
        self._sent = 0
        self._due = 0
        self._over = False
        self._closing = False
        self._changed = threading.Condition()
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread = threading.Thread(target=self._play, name=port, daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """What the device has sent by now. Raises LinkError after the end of it."""
        with self._changed:
            data = b"".join(self._came)
            self._came.clear()
            if self._over and not data:
                raise LinkError(f"{self._port} is played to its end, and begins again.")
            if not self._over:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._event)
            return data

    def send(self, data: bytes) -> bool:
        """Count what the host sends; all of it is accepted."""
        with self._changed:
            self._sent += len(data)
            self._changed.notify()
        return True

    def close(self) -> None:
        """End the player."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify()
        self._thread.join()
        os.close(self._event)

    def _play(self) -> None:
        before_ms = 0.0
        for piece in self._pieces:
            with self._changed:
                if piece.direction == "tx":
                    self._due += len(piece.hex) // 2
                    self._changed.wait_for(lambda: self._closing or self._sent >= self._due)
                else:
                    self._changed.wait_for(lambda: self._closing, (piece.ms - before_ms) / 1000)
                if self._closing:
                    return
                if piece.direction == "rx":
                    self._came.append(bytes.fromhex(piece.hex))
                    os.eventfd_write(self._event, 1)
            before_ms = piece.ms
        with self._changed:
            self._over = True
            os.eventfd_write(self._event, 1)


def _first_conversation(port: str) -> list[Piece]:
    path = Path(port.removeprefix(SCHEME))
    try:
        capture = read_capture(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LinkError(
            f"{path} cannot be read ({error.strerror}): correct the port in the site file."
        ) from None
    except ValueError as error:
        raise LinkRefused(f"{path} cannot be played: {error}.") from None
    starts = [number for number, piece in enumerate(capture) if piece.direction == "start"]
    first = capture[: starts[1]] if len(starts) > 1 else capture
    if not any(piece.direction == "rx" for piece in first):
        raise LinkRefused(f"{path} cannot be played: the device says nothing in its first conversation.")
    return [piece for piece in first if piece.direction in ("rx", "tx")]
