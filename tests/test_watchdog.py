"""The line to systemd, against a real datagram socket."""

import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablebridge.watchdog import Watchdog


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    name = str(tmp_path / "notify") if request.param == "path" else "@tablebridge-" + secrets.token_hex(8)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind("\0" + name[1:] if name.startswith("@") else name)
        sock.setblocking(False)
        yield sock, name


def heard(sock: socket.socket) -> list[str]:
    words = []
    while True:
        try:
            words.append(sock.recv(4096).decode())
        except BlockingIOError:
            return words


def test_a_life(manager: tuple[socket.socket, str]) -> None:
    sock, name = manager
    clock = _Clock()
    watchdog = Watchdog(
        {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}, clock
    )
    assert watchdog.every_s == 5.0
    watchdog.ready("reading")
    watchdog.worked()
    clock.now += 4.9
    watchdog.worked()
    assert heard(sock) == ["READY=1\nSTATUS=reading"]
    clock.now += 0.1
    watchdog.worked()
    watchdog.worked()
    assert heard(sock) == ["WATCHDOG=1"]
    watchdog.status("lost")
    watchdog.status("lost")
    watchdog.stopping()
    watchdog.worked()
    assert heard(sock) == ["STATUS=lost", "STOPPING=1"]


def test_a_loop_that_does_no_work_says_nothing(manager: tuple[socket.socket, str]) -> None:
    sock, name = manager
    clock = _Clock()
    watchdog = Watchdog({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000"}, clock)
    watchdog.ready()
    clock.now += 3600
    assert heard(sock) == ["READY=1"]
    watchdog.stopping()


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"WATCHDOG_USEC": "10000000"},
        {"NOTIFY_SOCKET": "/nowhere/notify"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "many"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"},
    ],
)
def test_nobody_watches(environ: dict[str, str]) -> None:
    watchdog = Watchdog(environ)
    assert watchdog.every_s is None
    watchdog.ready()
    watchdog.worked()
    watchdog.stopping()


def test_a_manager_that_is_away_or_busy_hurts_nobody(manager: tuple[socket.socket, str]) -> None:
    _, name = manager
    watchdog = Watchdog({"NOTIFY_SOCKET": name})
    for number in range(1000):
        watchdog.status(str(number))
    watchdog.stopping()
