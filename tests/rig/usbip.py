"""The models of `rig.usb` on a real kernel: it enumerates them, binds its drivers, makes nodes, tells udev.

The kernel's virtual host controller (vhci_hcd) takes a connected socket and speaks USB/IP over it: to another
machine by its trade, here to the other end of a socket pair in this process. It wants root and a kernel of
one's own: tests/vm has both.

    CMD_SUBMIT, RET_SUBMIT    a transfer, and how it ended
    CMD_UNLINK, RET_UNLINK    a transfer taken back, and whether it was still there

Source: the kernel's Documentation/usb/usbip_protocol.rst; USB 2.0, 9.4, for the requests every device
answers; USB HID 1.11, appendix B, for the boot keyboard's report descriptor; CDC PSTN 1.2 for the modem.
"""

import contextlib
import errno
import socket
import struct
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path

from rig.usb import BULK, HID_KEYBOARD, INTERRUPT, UsbModel, descriptors
from rig.wait import wait_for

CONTROLLER = Path("/sys/devices/platform/vhci_hcd.0")
_HEAD = struct.Struct(">10I8s")
_SUBMIT, _UNLINK = 1, 2
_SUBMITTED, _UNLINKED = struct.Struct(">5Ii4I8x"), struct.Struct(">5Ii24x")
_FULL_SPEED = 2
_FREE = "004"
_ENGLISH = b"\x04\x03\x09\x04"
_VENDOR_REPORT = bytes.fromhex("0600ff0901a10115002600ff7508950809018102090191020901b102c0")
_KEYBOARD_REPORT = bytes.fromhex(
    "05010906a101050719e029e71500250175019508810295017508810195067508150025650507190029658100c0"
)


class RealDevice:
    """A model in a socket of the virtual hub, 1 to 8, plugged in from the start; its path is 1-SOCKET.

    `unplug_after`: so many more pieces, then the cable is pulled in the midst of it.
    """

    def __init__(self, model: UsbModel, place: int = 1, serial: str = "") -> None:
        self.model, self.serial = model, serial
        self.unplug_after: int | None = None
        self._lock = threading.RLock()
        self._wire: socket.socket | None = None
        self.plug(place)

    @property
    def gone(self) -> bool:
        """Whether the cable is out."""
        return self._wire is None

    def plug(self, place: int) -> None:
        """Put it in there; the kernel begins to ask what it is."""
        wait_for(lambda: _state(place) == _FREE, f"socket {place} of the virtual hub is free")
        self.place, self.path = place, f"1-{place}"
        self.model.push = self.push
        self._said: defaultdict[int, deque[bytes]] = defaultdict(deque)
        self._waiting: defaultdict[int, deque[tuple[int, int]]] = defaultdict(deque)
        self._wire, theirs = socket.socketpair()
        with theirs:
            (CONTROLLER / "attach").write_text(
                f"{place - 1} {theirs.fileno()} {0x10000 + place} {_FULL_SPEED}"
            )
        threading.Thread(target=self._serve, args=(self._wire,), daemon=True).start()

    def unplug(self) -> None:
        """Pull it out; the kernel learns it from the end of the connection."""
        with self._lock:
            wire, self._wire = self._wire, None
        if wire is not None:
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
            wire.close()

    def push(self, end: int, data: bytes) -> None:
        """Say one transfer's worth on an IN endpoint."""
        with self._lock:
            if self.unplug_after is not None:
                self.unplug_after -= 1
                if self.unplug_after < 0:
                    self.unplug_after = None
                    return self.unplug()
            self._said[end].append(data)
            return self._hand_over(end)

    # ---- transfers

    def _serve(self, wire: socket.socket) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                command, number, _, is_in, end, flags, length, _, _, _, setup = _HEAD.unpack(
                    _take(wire, _HEAD.size)
                )
                sent = _take(wire, length) if command == _SUBMIT and not is_in else b""
                with self._lock:
                    if command == _UNLINK:
                        self._take_back(number, flags)
                    elif end == 0:
                        self._control(number, length if is_in else None, setup, sent)
                    elif is_in:
                        self._waiting[end | 0x80].append((number, length))
                        self._hand_over(end | 0x80)
                    else:
                        taken = self.model.out(end, sent)
                        self._done(number, b"", len(sent) if taken else 0, 0 if taken else -errno.EPIPE)

    def _control(self, number: int, length: int | None, setup: bytes, sent: bytes) -> None:
        kind, request, value, index, wanted = struct.unpack("<BBHHH", setup)
        answer = self._standard(kind, request, value)
        if answer is None:
            answer = self.model.control(kind, request, value, index, sent, wanted)
        told = b"" if answer is None or length is None else answer[:length]
        self._done(
            number, told, len(sent) if length is None else len(told), -errno.EPIPE if answer is None else 0
        )

    def _standard(self, kind: int, request: int, value: int) -> bytes | None:
        """What any device answers; None: ask the model."""
        if (kind & 0x7F, request) == (0, 0x06):
            return self._descriptor(value >> 8, value & 0xFF)
        if (kind, request) == (0x81, 0x06) and value >> 8 == 0x22:
            return self._report
        if kind & 0x60 == 0 and request in (0x00, 0x01, 0x03, 0x09, 0x0B):
            return bytes(2) if request == 0 else b""
        return None

    @property
    def _report(self) -> bytes:
        return _KEYBOARD_REPORT if self.model.KIND == HID_KEYBOARD else _VENDOR_REPORT

    def _descriptor(self, kind: int, index: int) -> bytes | None:
        described = bytearray(self.model.described())
        if kind == 1:
            described[15:17] = 2, 3 if self.serial else 0
            return bytes(described[:18])
        if kind == 2:
            at = described.find(b"\x09\x21\x11\x01\x00\x01\x22")
            if at >= 0:
                described[at + 7 : at + 9] = struct.pack("<H", len(self._report))
            return bytes(described[18:])
        if kind == 3:
            text = {2: self.model.NAME, 3: self.serial}.get(index, "").encode("utf-16-le")
            return bytes((2 + len(text), 3)) + text if index else _ENGLISH
        return None

    def _hand_over(self, end: int) -> None:
        while self._waiting[end] and self._said[end]:
            number, length = self._waiting[end].popleft()
            self._done(number, self._said[end].popleft()[:length])

    def _take_back(self, number: int, which: int) -> None:
        """`which`: the number of the transfer that nobody wants any more."""
        there = False
        for waiting in self._waiting.values():
            for one in [one for one in waiting if one[0] == which]:
                waiting.remove(one)
                there = True
        self._send(_UNLINKED.pack(4, number, 0, 0, 0, -errno.ECONNRESET if there else 0))

    def _done(self, number: int, data: bytes, count: int | None = None, status: int = 0) -> None:
        length = len(data) if count is None else count
        self._send(_SUBMITTED.pack(3, number, 0, 0, 0, status, length, 0, 0xFFFFFFFF, 0) + data)

    def _send(self, data: bytes) -> None:
        if self._wire is not None:
            self._wire.sendall(data)


class Modem(UsbModel):
    """A serial port by USB (CDC-ACM), behind which `answer(data)` speaks, in pieces of eight bytes.

    Other numbers make another device of it. `rate` and `raised`: what the host set, in baud and as bits (DTR
    1, RTS 2).
    """

    VENDOR, PRODUCT, NAME = 0x2341, 0x0043, "Board"
    KIND = (2, 2, 1)
    ENDS = ((0x81, INTERRUPT, 16), (0x82, BULK, 8), (0x02, BULK, 8))
    rate = 0
    raised = 0

    def __init__(
        self,
        answer: Callable[[bytes], bytes] = lambda data: b"",
        ids: tuple[int, int] | None = None,
        name: str = "",
    ) -> None:
        super().__init__()
        self.answer = answer
        self.VENDOR, self.PRODUCT = ids or (self.VENDOR, self.PRODUCT)
        self.NAME = name or self.NAME

    def described(self) -> bytes:
        """Two interfaces, one for control and one for data."""
        device = descriptors(self.VENDOR, self.PRODUCT, self.KIND, ())[:18]
        control = bytes((9, 4, 0, 0, 1, *self.KIND, 0)) + bytes.fromhex(
            "05240010010424020605240600010524010001"
        )
        data = bytes((9, 4, 1, 0, 2, 10, 0, 0, 0))
        ends = [struct.pack("<BBBBHB", 7, 5, address, form, size, 10) for address, form, size in self.ENDS]
        body = control + ends[0] + data + ends[1] + ends[2]
        configuration = struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0x80, 50)
        return device[:4] + bytes((2, 0, 0)) + device[7:] + configuration + body

    def control(
        self, kind: int, request: int, value: int, index: int, data: bytes, length: int
    ) -> bytes | None:
        match kind, request:
            case 0x21, 0x20:
                self.rate = int.from_bytes(data[:4], "little")
            case 0x21, 0x22:
                self.raised = value
            case 0x21, 0x23:
                pass
            case _:
                return None
        return b""

    def say(self, data: bytes) -> None:
        """Send without being asked."""
        for at in range(0, len(data), 8):
            self.push(0x82, data[at : at + 8])

    def out(self, end: int, data: bytes) -> bool:
        self.say(self.answer(data))
        return True


def _state(place: int) -> str:
    """The state of a socket: lines are `hub port state …`, ports counted from 0."""
    rows = [line.split() for line in (CONTROLLER / "status").read_text().splitlines()[1:]]
    return next(row[2] for row in rows if row[0] == "hs" and int(row[1]) == place - 1)


def _take(wire: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = wire.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data
