"""A test bed below libusb: the process under test runs the real libusb, and what libusb asks the kernel is
answered here.

Debian's umockdev has a library for LD_PRELOAD that sends what a process does below /sys and /dev to a folder
($UMOCKDEV_DIR) instead. Where a file of that name lies in the folder's ioctl/, each ioctl on an opened node
is handed over a Unix socket, as three native longs:

    from the process   1 request argument     it called ioctl
                       7, 8 address count     it called read or write
    to the process     5 address count        give me the memory there         it sends `count` bytes
                       6 address count        `count` bytes for the memory there follow
                       4 0 0                  do it for real                   it sends 2 result errno
                       3 result errno         done; for read and write, -100: do it for real

There is one bed in a process, made before libusb is used: libusb keeps its connection to udev for life.
"""

import contextlib
import os
import shutil
import socket
import struct
import tempfile
from pathlib import Path

PRELOAD = "libumockdev-preload.so.0"
_MESSAGE = struct.Struct("@3L")
_IOCTL, _DONE, _RUN, _FETCH, _STORE = 1, 3, 4, 5, 6
_FOR_REAL = -100
_UNSIGNED = (1 << 64) - 1
_UDEV_MAGIC = 0xFEEDCAFE


class Opened:
    """One opened node of the process under test."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire

    def ioctl(self) -> tuple[int, int]:
        """The next request and its argument. Raises EOFError when the node was closed."""
        while True:
            kind, request, argument = _MESSAGE.unpack(self._take(_MESSAGE.size))
            if kind == _IOCTL:
                return request, argument
            self._wire.sendall(_MESSAGE.pack(_DONE, _FOR_REAL & _UNSIGNED, 0))

    def for_real(self) -> None:
        """Let the process call the ioctl on the node as it is, and give it what came out."""
        self._wire.sendall(_MESSAGE.pack(_RUN, 0, 0))
        _, result, error = _MESSAGE.unpack(self._take(_MESSAGE.size))
        self._wire.sendall(_MESSAGE.pack(_DONE, result, error))

    def fetch(self, address: int, count: int) -> bytes:
        """Memory of the process."""
        if count == 0:
            return b""
        self._wire.sendall(_MESSAGE.pack(_FETCH, address, count))
        return self._take(count)

    def store(self, address: int, data: bytes) -> None:
        """Change memory of the process."""
        if data:
            self._wire.sendall(_MESSAGE.pack(_STORE, address, len(data)) + data)

    def done(self, error: int = 0) -> None:
        """Let the ioctl return: 0, or -1 with this errno."""
        self._wire.sendall(_MESSAGE.pack(_DONE, _UNSIGNED if error else 0, error))

    def close(self) -> None:
        self._wire.close()

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self._wire.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


class Bed:
    """The folder with sysfs and device nodes. `faults`: what went wrong in the bed itself; a test asserts
    that it is empty.
    """

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="bed-"))
        for folder in (
            "sys/bus/usb/devices",
            "sys/class",
            "sys/devices",
            "dev/.node",
            "dev/bus/usb/001",
            "run/udev/data",
            "ioctl/dev/bus/usb/001",
        ):
            (self.root / folder).mkdir(parents=True)
        self.faults: list[BaseException] = []
        self._number = 0
        os.environ["UMOCKDEV_DIR"] = str(self.root)

    def close(self) -> None:
        os.environ.pop("UMOCKDEV_DIR", None)
        shutil.rmtree(self.root, ignore_errors=True)

    def tell(self, action: str, devpath: str, subsystem: str, devtype: str, **properties: object) -> None:
        """What udev tells those who listen: `add` or `remove`."""
        self._number += 1
        pairs = {
            "ACTION": action,
            "DEVPATH": devpath,
            "SUBSYSTEM": subsystem,
            "DEVTYPE": devtype,
            "SEQNUM": self._number,
        }
        body = b"".join(f"{key}={value}\0".encode() for key, value in (pairs | properties).items())
        head = struct.pack("=8sIIII", b"libudev\0", socket.htonl(_UDEV_MAGIC), 40, 40, len(body))
        head += struct.pack("=IIII", socket.htonl(_murmur2(subsystem)), socket.htonl(_murmur2(devtype)), 0, 0)
        for listener in self.root.glob("event[0-9]*"):
            with (
                socket.socket(socket.AF_UNIX, socket.SOCK_RAW) as wire,
                contextlib.suppress(ConnectionRefusedError),
            ):
                wire.connect(str(listener))
                wire.send(head + body)


def _murmur2(text: str) -> int:
    """MurmurHash2 with seed 0, by which listeners of udev filter (public domain algorithm of A. Appleby)."""
    mask, factor, data = 0xFFFFFFFF, 0x5BD1E995, text.encode()
    value = len(data)
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        part = int.from_bytes(data[at : at + 4], "little") * factor & mask
        value = value * factor & mask ^ (part ^ part >> 24) * factor & mask
    if data[whole:]:
        value = (value ^ int.from_bytes(data[whole:], "little")) * factor & mask
    value = (value ^ value >> 13) * factor & mask
    return value ^ value >> 15
