"""Run by a unit in place of its program: tries what the sandbox must allow and what it must not, and prints
how that went.

python probe.py DOES ...    each DOES is a word of `TRIES`, with its argument behind a colon
"""

import ctypes
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path


def _open(path: str) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))


def _connect(address: str) -> None:
    host, _, port = address.rpartition("@")
    socket.create_connection((host, int(port)), 10).close()


def _send(address: str) -> None:
    host, _, port = address.rpartition("@")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(b"x", (host, int(port)))


def _syscall(number: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(int(number), 0, 0, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


TRIES: dict[str, Callable[[str], object]] = {
    "open": _open,
    "read": lambda path: Path(path).read_bytes(),
    "list": lambda path: list(Path(path).iterdir()),
    "write": lambda path: Path(path).write_text("x"),
    "connect": _connect,
    "send": _send,
    "socket": lambda family: socket.socket(int(family), socket.SOCK_RAW).close(),
    "wx": lambda _: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close(),
    "syscall": _syscall,
    "process": lambda number: os.stat(f"/proc/{number}"),
}


def tried(what: str) -> str:
    """`yes`, or the name of the error."""
    word, _, argument = what.partition(":")
    try:
        TRIES[word](argument)
    except OSError as error:
        return type(error).__name__ if error.errno is None else os.strerror(error.errno)
    return "yes"


for one in sys.argv[1:]:
    print(f"{one} {tried(one)}", flush=True)
