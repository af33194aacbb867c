"""The baseline of the latency: two processes that do nothing but hand bytes on, with paho as it comes.

    python -m benchmarks.plain read PORT SERIAL      bytes of a serial port -> the topic of a reading, QoS 1
    python -m benchmarks.plain republish PORT        that topic -> the topic of an alert, QoS 1

User and password are read from standard input, one a line. A line on standard output says that it is ready.
"""

import os
import socket
import subprocess
import sys
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tablebridge.bus.topics import ALERT, COMMAND
from tablebridge.model.errors import LinkError

SITE, TABLE = "bench", "plain"
"""A table that the site does not have: nobody but these two and who measures is at it."""
IN, OUT = COMMAND.of(SITE, TABLE, "web"), ALERT.of(SITE, TABLE)
"""From the account of the pages to the engine's: no device may speak at another table than its own."""


def connect(name: str, port: int) -> paho.Client:
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=name)
    client.username_pw_set(*(sys.stdin.readline().strip() for _ in range(2)))
    client.on_socket_open = _no_delay
    client.connect("127.0.0.1", port)
    return client


def _no_delay(_client: Any, _data: Any, sock: Any) -> None:
    # Else TCP holds small packets back for up to 40 ms, and every comparison would be won.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def read(port: int, serial: str) -> None:
    client = connect("plain-reader", port)
    client.on_connect = lambda *_: print("ready", flush=True)
    client.loop_start()
    line = os.open(serial, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    while data := os.read(line, 4096):
        client.publish(IN, data, 1)


def republish(port: int) -> None:
    client = connect("plain-republisher", port)

    def connected(*_: object) -> None:
        client.subscribe(IN, 1)

    def arrived(_client: object, _data: object, message: paho.MQTTMessage) -> None:
        client.publish(OUT, message.payload, 1)

    client.on_connect = connected
    client.on_subscribe = lambda *_: print("ready", flush=True)
    client.on_message = arrived
    client.loop_forever()


@contextmanager
def forwarders(port: int, users: Mapping[str, tuple[str, str]], serial: Path) -> Iterator[None]:
    """Both processes, at the broker of this port, with the accounts of the engine and the pages. Raises
    LinkError.
    """
    started: list[subprocess.Popen[str]] = []
    try:
        for user, *arguments in (("web", "read", str(port), str(serial)), ("engine", "republish", str(port))):
            process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.plain", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(process)
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write("\n".join(users[user]) + "\n")
            process.stdin.flush()
            if process.stdout.readline() != "ready\n":
                raise LinkError("The baseline's process does not start.")
        yield
    finally:
        for process in started:
            process.kill()
            process.communicate()


if __name__ == "__main__":
    if sys.argv[1] == "read":
        read(int(sys.argv[2]), sys.argv[3])
    else:
        republish(int(sys.argv[2]))
