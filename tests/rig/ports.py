"""Ports of this machine for what a test starts."""

import os
import socket
from itertools import count
from typing import Final

_FIRST: Final = 20_000
_EACH: Final = 500
"""Below the ports that the kernel gives to connections by itself, so that none of them takes a port between
the moment at which it was found free and that at which it is used.
"""
_worker: Final = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_numbers: Final = count(os.getpid())


def free_port() -> int:
    """A port on which nobody listens. Tests that run beside each other never get the same one."""
    while True:
        port = _FIRST + _EACH * (_worker % 20) + next(_numbers) % _EACH
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
