"""One poll over paho's socket and the descriptors of others, so that one thread waits for all of them."""

import select
import ssl
from collections.abc import Sequence
from typing import Any

import paho.mqtt.client as paho


class Poller:
    """Waits for paho's client and for further descriptors, and lets paho read and write."""

    def __init__(self, mqtt: paho.Client) -> None:
        self._mqtt = mqtt
        self._poll = select.poll()
        self._polled: dict[int, int] = {}

    def wait(self, timeout_s: float, extra_fds: Sequence[int] = ()) -> list[int]:
        """Wait at most `timeout_s` and serve paho's socket. Returns the `extra_fds` that can be read."""
        wanted = dict.fromkeys(extra_fds, select.POLLIN)
        sock: Any = self._mqtt.socket()
        own = -1
        if sock is not None:
            own = sock.fileno()
            wanted[own] = select.POLLIN | (select.POLLOUT if self._mqtt.want_write() else 0)
            if isinstance(sock, ssl.SSLSocket) and sock.pending():
                timeout_s = 0.0
        if wanted != self._polled:
            self._poll, self._polled = select.poll(), wanted
            for fd, mask in wanted.items():
                self._poll.register(fd, mask)
        events = dict(self._poll.poll(timeout_s * 1000))
        mine = events.pop(own, 0)
        if mine & select.POLLOUT:
            self._mqtt.loop_write()
        if sock is not None and (
            mine & ~select.POLLOUT or (isinstance(sock, ssl.SSLSocket) and sock.pending())
        ):
            self._mqtt.loop_read()
        return [fd for fd in extra_fds if fd in events]
