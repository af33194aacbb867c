"""The serial line to the host: USB, or the UART on which MicroPython has its console."""

import select
import sys

MOST = 256
"""Bytes taken at once, so that a host that never stops cannot hold the board up."""


class Link:
    """Bytes out and in; reading never waits."""

    def __init__(self):
        self._out = sys.stdout.buffer
        self._in = sys.stdin.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def write(self, data):
        """Send a whole line."""
        self._out.write(data)

    def read(self):
        """What has come, at most `MOST` bytes."""
        found = bytearray()
        while len(found) < MOST and self._poll.poll(0):
            found += self._in.read(1)
        return bytes(found)
