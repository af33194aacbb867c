"""A USB device for tests, below libusb: sysfs, device node, transfers, and the ways in which USB fails.

libusb waits on the device node until it can be written to: then a transfer (URB) is finished and may be
fetched. The node here is a pipe: kept full it makes libusb sleep, emptied it wakes it.

Source: the kernel's include/uapi/linux/usbdevice_fs.h for requests and structures, USB 2.0 chapter 9 for
descriptors.
"""

import contextlib
import errno
import fcntl
import os
import shutil
import socket
import struct
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from rig.bed import Bed, Opened

_URB = struct.Struct("@BBiIQiiiIiIQ")
_CONTROL, _REAP, _REAP_NOW, _SUBMIT, _DISCARD = 2, 0x4008550C, 0x4008550D, 0x8038550A, 0x550B
_CAPABILITIES, _GET_DRIVER, _CLEAR_HALT, _CLAIM = 0x8004551A, 0x41045508, 0x80045515, 0x8004550F
_ALLOWED = {
    0x80045510: "release",
    0x80045505: "set configuration",
    0x80085504: "set interface",
    0xC0105512: "to the driver",
    0x8108551B: "disconnect and claim",
    0x5514: "reset",
}

HID_KEYBOARD = (3, 1, 1)
HID = (3, 0, 0)
CCID = (11, 0, 0)
VENDOR = (255, 0, 0)
INTERRUPT, BULK = 3, 2


def descriptors(
    vendor: int, product: int, kind: tuple[int, int, int], ends: Sequence[tuple[int, int, int]]
) -> bytes:
    """Device, configuration and one interface of class, subclass and protocol `kind`. `ends`: (address, type,
    size).
    """
    extra = (
        b"\x09\x21\x11\x01\x00\x01\x22\x1c\x00"
        if kind[0] == 3
        else b"\x36\x21" + bytes(52)
        if kind[0] == 11
        else b""
    )
    body = bytes((9, 4, 0, 0, len(ends), *kind, 0)) + extra
    for address, form, size in ends:
        body += struct.pack("<BBBBHB", 7, 5, address, form, size, 10)
    configuration = struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 1, 1, 0, 0x80, 50) + body
    return (
        struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x200, 0, 0, 0, 8, vendor, product, 0x100, 0, 0, 0, 1)
        + configuration
    )


class _Urb:
    """A transfer that was submitted. `argument`: where it lies in the process; `buffer`: its data there."""

    def __init__(self, opened: Opened, argument: int) -> None:
        self.kind, self.end, _, _, self.buffer, self.length, *_ = _URB.unpack(
            opened.fetch(argument, _URB.size)
        )
        self.argument = argument
        self.sent = (
            opened.fetch(self.buffer, self.length) if self.kind == _CONTROL or not self.end & 0x80 else b""
        )


class UsbModel:
    """What one kind of device does, whatever carries it: override `control` and `out`, and say something with
    `push`.
    """

    VENDOR = 0x1209
    PRODUCT = 0x0001
    KIND = HID
    ENDS: Sequence[tuple[int, int, int]] = ((0x81, INTERRUPT, 8),)
    NAME = "Thing"

    def __init__(self) -> None:
        self.push: Callable[[int, bytes], None] = lambda end, data: None

    def described(self) -> bytes:
        """Device and configuration descriptors, without texts."""
        return descriptors(self.VENDOR, self.PRODUCT, self.KIND, self.ENDS)

    def control(
        self, kind: int, request: int, value: int, index: int, data: bytes, length: int
    ) -> bytes | None:
        """A control transfer: what is answered; None: stall."""
        return None

    def out(self, end: int, data: bytes) -> bool:
        """Data on an OUT endpoint: whether they are taken; if not, the endpoint stalls."""
        return False


class _Plugging:
    """One time that a device is plugged in. It lasts until libusb has closed it, whatever is plugged in by
    then.
    """

    def __init__(self, node: Path) -> None:
        self.gone = False
        self.waiting: dict[int, _Urb] = {}
        self.finished: deque[tuple[_Urb, bytes, int]] = deque()
        self.said: dict[int, deque[tuple[bytes, int]]] = defaultdict(deque)
        self.opened = 0
        os.mkfifo(node, 0o666)
        self._pipe = os.open(node, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, 4096)
        self._full = False
        self.signal()

    def signal(self) -> None:
        """Wake libusb where there is something for it, else let it sleep; and let go of the pipe when nobody
        needs it.
        """
        if self._pipe < 0:
            return
        wanted = not self.finished and not self.gone
        if wanted != self._full:
            self._full = wanted
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(self._pipe, bytes(4096)) if wanted else os.read(self._pipe, 65536)
        if self.gone and not self.opened:
            os.close(self._pipe)
            self._pipe = -1

    def finish(self, argument: int, data: bytes, status: int = 0) -> None:
        self.finished.append((self.waiting.pop(argument), data, status))
        self.signal()

    def serve_reads(self) -> None:
        for argument, urb in list(self.waiting.items()):
            if urb.kind != _CONTROL and urb.end & 0x80 and self.said[urb.end]:
                data, status = self.said[urb.end].popleft()
                if len(data) > urb.length:
                    data, status = data[: urb.length], -errno.EOVERFLOW
                self.finish(argument, data, status)


class UsbDevice:
    """A model below libusb, plugged in from the start.

    Faults: `stall`: endpoints that refuse until the halt is cleared; `stuck`: no transfer ends any more;
    `held`: another program has it. By seed, each a share of the pushed pieces: `flip` a bit, `drop` the
    piece, `cut` it short, `damage`: the transfer ends with an error, `swell`: it is longer than the host
    asked for. `unplug_after`: so many more pieces of any kind, then the cable is pulled in the midst of it.
    """

    def __init__(
        self, bed: Bed, model: UsbModel, path: str = "1-1", address: int = 4, serial: str = "", seed: int = 1
    ) -> None:
        self.bed, self.model, self.path, self.serial = bed, model, path, serial
        model.push = self.push
        self.flip = self.drop = self.cut = self.damage = self.swell = 0.0
        self.stall: set[int] = set()
        self.stuck = self.held = False
        self.unplug_after: int | None = None
        self.claims = 0
        self.rng = Random(seed)
        self._lock = threading.RLock()
        # One hand on the cable: what is still being pulled out is not plugged in.
        self._cable = threading.Lock()
        self._sysfs = f"/devices/pci0000:00/usb1/{path}"
        self.plug(address)

    @property
    def gone(self) -> bool:
        """Whether the cable is out."""
        return self._now.gone

    def push(self, end: int, data: bytes) -> None:
        """Say one transfer's worth on an IN endpoint, as badly as the device is set to."""
        with self._lock:
            if self.unplug_after is not None:
                self.unplug_after -= 1
                if self.unplug_after < 0:
                    self.unplug_after = None
                    threading.Thread(target=self.unplug, daemon=True).start()
                    return
            chance = self.rng.random
            if chance() < self.drop:
                return
            status = -errno.EPROTO if chance() < self.damage else 0
            if chance() < self.flip:
                bit = self.rng.randrange(len(data) * 8)
                data = data[: bit // 8] + bytes((data[bit // 8] ^ 1 << bit % 8,)) + data[bit // 8 + 1 :]
            if chance() < self.cut:
                data = data[: self.rng.randrange(len(data))]
            if chance() < self.swell:
                data += bytes(5000)
            self._now.said[end].append((data, status))
            if not self.stuck:
                self._now.serve_reads()

    # ---- the cable

    def plug(self, address: int) -> None:
        """Put it in, at this address of its bus."""
        with self._cable:
            self._plug(address)

    def _plug(self, address: int) -> None:
        bed, model = self.bed.root, self.model
        self.address = address
        self._node = f"bus/usb/001/{address:03d}"
        folder = bed / f"sys{self._sysfs}"
        folder.mkdir(parents=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(bed / f"ioctl/dev/{self._node}"))
        self._listener.listen(8)
        (bed / "dev/.node" / self._node.replace("/", "_")).symlink_to(f"189:{address - 1}")
        self._now = _Plugging(bed / "dev" / self._node)
        said = {"serial": self.serial, "product": model.NAME} if self.serial else {"product": model.NAME}
        attributes: dict[str, object] = {
            "busnum": 1,
            "devnum": address,
            "speed": 12,
            "bConfigurationValue": 1,
            "idVendor": f"{model.VENDOR:04x}",
            "idProduct": f"{model.PRODUCT:04x}",
            "bDeviceClass": "00",
            "dev": f"189:{address - 1}",
        }
        for name, value in (attributes | said).items():
            (folder / name).write_text(f"{value}\n")
        (folder / "descriptors").write_bytes(model.described())
        (folder / "uevent").write_text(
            "DEVTYPE=usb_device\n" + "".join(f"{k}={v}\n" for k, v in self._properties.items())
        )
        (folder / "subsystem").symlink_to("../../../../bus/usb")
        (bed / "sys/bus/usb/devices" / self.path).symlink_to(f"../../..{self._sysfs}")
        threading.Thread(target=self._accept, args=(self._listener, self._now), daemon=True).start()
        self.bed.tell("add", self._sysfs, "usb", "usb_device", **self._properties)

    def unplug(self, told: bool = True) -> None:
        """Pull it out. `told` False: udev's message is lost."""
        with self._cable:
            self._unplug(told)

    def _unplug(self, told: bool) -> None:
        now = self._now
        with self._lock:
            if now.gone:
                return
            now.gone = True
            for argument in list(now.waiting):
                now.finish(argument, b"", -errno.ENODEV)
            now.signal()
        bed = self.bed.root
        for path in (
            bed / "dev" / self._node,
            bed / "sys/bus/usb/devices" / self.path,
            bed / "ioctl/dev" / self._node,
            bed / "dev/.node" / self._node.replace("/", "_"),
        ):
            path.unlink()
        shutil.rmtree(bed / f"sys{self._sysfs}")
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        if told:
            self.bed.tell("remove", self._sysfs, "usb", "usb_device", **self._properties)

    @property
    def _properties(self) -> dict[str, object]:
        return {
            "BUSNUM": "001",
            "DEVNUM": f"{self.address:03d}",
            "DEVNAME": f"/dev/{self._node}",
            "MAJOR": 189,
            "MINOR": self.address - 1,
            "PRODUCT": f"{self.model.VENDOR:x}/{self.model.PRODUCT:x}/100",
        }

    # ---- transfers

    def _submitted(self, now: _Plugging, opened: Opened, argument: int) -> None:
        urb = _Urb(opened, argument)
        opened.done()
        with self._lock:
            now.waiting[argument] = urb
            if now.gone:
                now.finish(argument, b"", -errno.ENODEV)
            elif self.stuck:
                return
            elif urb.kind == _CONTROL:
                kind, request, value, index, length = struct.unpack_from("<BBHHH", urb.sent)
                answer = self.model.control(kind, request, value, index, urb.sent[8 : 8 + length], length)
                done = b"" if answer is None else answer[:length] if kind & 0x80 else bytes(length)
                now.finish(argument, done, -errno.EPIPE if answer is None else 0)
            elif urb.end in self.stall:
                now.finish(argument, b"", -errno.EPIPE)
            elif urb.end & 0x80:
                now.serve_reads()
            else:
                taken = self.model.out(urb.end, urb.sent)
                now.finish(argument, urb.sent if taken else b"", 0 if taken else -errno.EPIPE)

    def _reap(self, now: _Plugging, opened: Opened, argument: int) -> None:
        with self._lock:
            if not now.finished:
                return opened.done(errno.ENODEV if now.gone else errno.EAGAIN)
            urb, data, status = now.finished.popleft()
            now.signal()
        if urb.kind == _CONTROL:
            opened.store(urb.buffer + 8, data if urb.sent[0] & 0x80 else b"")
        elif urb.end & 0x80:
            opened.store(urb.buffer, data)
        opened.store(urb.argument + 4, struct.pack("@i", status))
        opened.store(urb.argument + 28, struct.pack("@i", len(data)))
        opened.store(argument, struct.pack("@Q", urb.argument))
        return opened.done()

    def _discard(self, now: _Plugging, opened: Opened, argument: int) -> None:
        with self._lock:
            there = argument in now.waiting
            if there:
                now.finish(argument, b"", -errno.ENOENT)
        opened.done(0 if there else errno.EINVAL)

    def _accept(self, listener: socket.socket, now: _Plugging) -> None:
        with contextlib.suppress(OSError):
            while True:
                wire, _ = listener.accept()
                with self._lock:
                    now.opened += 1
                threading.Thread(target=self._serve, args=(now, Opened(wire)), daemon=True).start()

    def _serve(self, now: _Plugging, opened: Opened) -> None:
        while True:
            try:
                request, argument = opened.ioctl()
                self._ioctl(now, opened, request, argument)
            except (EOFError, OSError):
                break
            except Exception as fault:
                # Hanging up would end the process under test.
                self.bed.faults.append(fault)
                opened.done(errno.EIO)
        opened.close()
        with self._lock:
            now.opened -= 1
            now.signal()

    def _ioctl(self, now: _Plugging, opened: Opened, request: int, argument: int) -> None:
        if request in (_REAP, _REAP_NOW):
            return self._reap(now, opened, argument)
        if request == _SUBMIT:
            return self._submitted(now, opened, argument)
        if request == _DISCARD:
            return self._discard(now, opened, argument)
        if now.gone:
            return opened.done(errno.ENODEV)
        if request == _CAPABILITIES:
            opened.store(argument, struct.pack("@I", 0x25))
            return opened.done()
        if request == _GET_DRIVER:
            return opened.done(errno.ENODATA)
        if request == _CLAIM:
            self.claims += 1
            return opened.done(errno.EBUSY if self.held else 0)
        if request == _CLEAR_HALT:
            self.stall.discard(struct.unpack("@I", opened.fetch(argument, 4))[0])
            return opened.done()
        return opened.done(0 if request in _ALLOWED else errno.ENOTTY)


class Reported:
    """A HID model for a session without libusb: call it with the records that the session sends, it answers
    with records.
    """

    def __init__(self, model: UsbModel, numbered: bool = False) -> None:
        self.model = model
        self._numbered = numbered
        self._said = b""
        model.push = self._push

    def __call__(self, data: bytes) -> bytes:
        answers, at = b"", 0
        while at + 2 <= len(data) and len(data) >= at + 2 + data[at + 1]:
            answers += self._answer(chr(data[at]), data[at + 2 : at + 2 + data[at + 1]])
            at += 2 + data[at + 1]
        return answers + self.said()

    def said(self) -> bytes:
        """What the device said by itself since the last time."""
        said, self._said = self._said, b""
        return said

    def _push(self, end: int, data: bytes) -> None:
        self._said += bytes((ord("I"), len(data))) + data

    def _answer(self, kind: str, data: bytes) -> bytes:
        if kind == "G":
            told = self.model.control(0xA1, 0x01, 0x300 | data[0], 0, b"", data[1])
            return b"E\0" if told is None else bytes((ord("G"), len(told))) + told
        ends = [end for end, _, _ in self.model.ENDS if not end & 0x80]
        if kind == "O" and ends:
            return b"A\0" if self.model.out(ends[0], data) else b"E\0"
        value = (0x200 if kind == "O" else 0x300) | (data[0] if self._numbered else 0)
        return b"E\0" if self.model.control(0x21, 0x09, value, 0, data, len(data)) is None else b"A\0"
