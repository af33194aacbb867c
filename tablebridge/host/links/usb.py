"""A USB device without a serial port: opened through libusb by pyusb, read and written in two threads.

libusb's calls block, and the supervisor never may: so one thread waits for what the device says, one sends
what the session said, and both tell the supervisor through an event descriptor. What went wrong in a thread
is told by `read`, and not before all that came until then was given out.

    what libusb says    what it means here
    ENODEV              the device was unplugged: the link is over
    ETIMEDOUT reading   nothing was said: read on
    ETIMEDOUT writing   the device takes nothing: the link is over
    EPIPE               stalled: the halt is cleared, the session is told (reports) or finds out by its own deadline (stream)
    EOVERFLOW, EIO      the transfer was damaged: the same; `_DAMAGED` of them in a row, and the link is over
"""

import contextlib
import ctypes
import errno
import os
import threading
from collections import deque
from typing import Any, Final

import usb.backend.libusb1
import usb.core
import usb.util

from tablebridge.host.links.link import LinkRefused
from tablebridge.host.plugged import Address, Plugged, parse_address, plugged
from tablebridge.model.errors import LinkError
from tablebridge.sdk import reports
from tablebridge.sdk.driver import UsbPort

_LISTEN_MS: Final = 25
"""A read is broken off so often, to see whether the link is being closed: a call of libusb cannot be woken.
"""
_SEND_MS: Final = 1000
_DAMAGED: Final = 10
_UNSENT: Final = 64
_STREAM_BYTES: Final = 4096
_SET_REPORT: Final = (0x21, 0x09)
_SET_PROTOCOL: Final = (0x21, 0x0B)
_BOOT: Final = 1
_GET_REPORT: Final = (0xA1, 0x01)
_KIND: Final = {reports.OUTPUT: 0x0200, reports.FEATURE: 0x0300, reports.GET: 0x0300}


def find(address: Address, port: UsbPort) -> Plugged:
    """The one device that is meant. Raises LinkError: it is not there; LinkRefused: it is another, or one of
    several.
    """
    meant = [device for device in plugged() if address.means(device)]
    known = [device for device in meant if port.knows(device.vendor, device.product)]
    if len(known) == 1:
        return known[0]
    if known:
        places = " and ".join(device.path for device in known)
        raise LinkRefused(
            f"{address.text} means {len(known)} devices, at {places}: name one by its place, such as "
            f"usb://by-path/{known[0].path}."
        )
    if meant:
        raise LinkRefused(
            f"{meant[0]} is plugged in at {address.text}, which is no device of this driver: plug in the right "
            "one, or put driver or port right in the site file."
        )
    raise LinkError(
        f"{address.text} is not there: plug the device in, or put the port right in the site file "
        "(`tablebridge ports` lists what is plugged in)."
    )


def backend() -> Any:
    """libusb for pyusb: the system's, which hears udev; else the one that came with us. Raises LinkRefused
    for none.
    """
    return _loaded("libusb-1.0.so.0") or _loaded(_shipped()) or _none()


def _loaded(library: str) -> Any:
    try:
        ctypes.CDLL(library)
    except OSError:
        return None
    return usb.backend.libusb1.get_backend(find_library=lambda _: library)


def _shipped() -> str:
    import libusb_package

    return str(libusb_package.get_library_path())


def _none() -> Any:
    raise LinkRefused("libusb cannot be loaded: install it (`sudo apt-get install libusb-1.0-0`).")


class UsbLink:
    """One claimed interface of one device, held for us alone: the kernel's own driver is sent away while it
    is open.
    """

    def __init__(self, port: str, how: UsbPort) -> None:
        self._port = port
        self._how = how
        self._there = find(parse_address(port), how)
        self._device = self._handle(self._there)
        self._interface = self._choose()
        self._number: int = self._interface.bInterfaceNumber
        self._in, self._out = self._endpoints()
        self._detached = False
        try:
            self._claim()
        except usb.core.USBError as error:
            self._let_go()
            raise self._refusal(error) from None
        self._lock = threading.Lock()
        self._came: deque[bytes] = deque()
        self._error: LinkError | None = None
        self._unsent: deque[reports.Report] = deque()
        self._wanted = threading.Semaphore(0)
        self._closing = False
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._records = reports.Reports()
        self._threads = [threading.Thread(target=self._write, name=f"{port} out", daemon=True)]
        if self._in is not None:
            self._threads.append(threading.Thread(target=self._listen, name=f"{port} in", daemon=True))
        for thread in self._threads:
            thread.start()

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """The bytes that came. Raises LinkError when the device is gone and all was given out."""
        try:
            os.eventfd_read(self._event)
        except BlockingIOError:
            return b""
        with self._lock:
            data = b"".join(self._came)
            self._came.clear()
            error = self._error
        if error is not None:
            if not data:
                raise error
            os.eventfd_write(self._event, 1)
        return data

    def send(self, data: bytes) -> bool:
        """Have these sent; the threads see to it. Raises LinkError when the device is gone or takes nothing
        any more.
        """
        with self._lock:
            if self._error is not None:
                raise self._error
            if data and self._how.form == "stream":
                self._unsent.append(reports.Report(reports.OUTPUT, data))
                self._wanted.release()
            for record in self._records.feed(data) if self._how.form == "reports" else ():
                if isinstance(record, reports.Report):
                    self._unsent.append(record)
                    self._wanted.release()
            if len(self._unsent) > _UNSENT:
                raise LinkError(f"{self._port} takes no bytes any more.")
        return True

    def close(self) -> None:
        """Let the device go, and give it back to the kernel's driver where it was taken from one."""
        if self._closing:
            return
        self._closing = True
        self._wanted.release()
        for thread in self._threads:
            thread.join()
        self._let_go()
        os.close(self._event)

    # ---- opening and letting go

    def _handle(self, there: Plugged) -> Any:
        device = usb.core.find(
            backend=backend(), custom_match=lambda one: (one.bus, one.address) == (there.bus, there.address)
        )
        if device is None or (device.idVendor, device.idProduct) != (there.vendor, there.product):
            raise LinkError(f"{self._port} has only just appeared and libusb does not know it yet.")
        return device

    def _choose(self) -> Any:
        try:
            for interface in self._device.get_active_configuration():
                kind = (interface.bInterfaceClass, interface.bInterfaceSubClass, interface.bInterfaceProtocol)
                wanted = self._how.interface or (None, None, None)
                if interface.bAlternateSetting == 0 and all(
                    one in (None, got) for one, got in zip(wanted, kind, strict=True)
                ):
                    return interface
        except usb.core.USBError as error:
            raise self._refusal(error) from None
        raise LinkRefused(
            f"{self._there} has no interface that this driver speaks to: choose another driver or port in the "
            "site file."
        )

    def _endpoints(self) -> tuple[Any, Any]:
        """IN and OUT, bulk for a stream and interrupt for reports; either may be missing with reports."""
        kind = usb.util.ENDPOINT_TYPE_BULK if self._how.form == "stream" else usb.util.ENDPOINT_TYPE_INTR
        ends = [one for one in self._interface if usb.util.endpoint_type(one.bmAttributes) == kind]
        found = [
            next(
                (one for one in ends if usb.util.endpoint_direction(one.bEndpointAddress) == direction), None
            )
            for direction in (usb.util.ENDPOINT_IN, usb.util.ENDPOINT_OUT)
        ]
        if self._how.form == "stream" and None in found:
            raise LinkRefused(
                f"{self._there} has no pair of bulk endpoints: choose another driver or port in the site file."
            )
        return found[0], found[1]

    def _claim(self) -> None:
        if self._device.is_kernel_driver_active(self._number):
            self._device.detach_kernel_driver(self._number)
            self._detached = True
        usb.util.claim_interface(self._device, self._number)
        if self._interface.bInterfaceSubClass == _BOOT and self._how.form == "reports":
            # Reports as USB HID 1.11, appendix B lays them out, whatever the device's own descriptor says.
            with contextlib.suppress(usb.core.USBError):
                self._device.ctrl_transfer(*_SET_PROTOCOL, 0, self._number, b"", _SEND_MS)

    def _let_go(self) -> None:
        """A device that was pulled out cannot be let go in order."""
        try:
            usb.util.release_interface(self._device, self._number)
            if self._detached:
                self._device.attach_kernel_driver(self._number)
        except usb.core.USBError:
            pass
        finally:
            usb.util.dispose_resources(self._device)

    def _refusal(self, error: usb.core.USBError) -> LinkError:
        match error.errno:
            case errno.EACCES | errno.EPERM:
                return LinkRefused(
                    f"{self._there} may not be opened: put systemd/60-tablebridge.rules into /etc/udev/rules.d "
                    "and plug it in again, or give this user the right to "
                    f"{self._there.node}."
                )
            case errno.EBUSY:
                return LinkRefused(
                    f"{self._there} is held by another program: end it (`sudo fuser -v {self._there.node}` "
                    "names it; smart card readers are often held by pcscd)."
                )
            case _:
                return self._gone(error)

    def _gone(self, error: usb.core.USBError) -> LinkError:
        if error.errno == errno.ENODEV:
            return LinkError(f"{self._port} went away: check cable and power.")
        return LinkError(f"{self._port} broke ({error.strerror}).")

    # ---- the two threads

    def _listen(self) -> None:
        damaged = 0
        size = _STREAM_BYTES if self._how.form == "stream" else self._in.wMaxPacketSize
        while not self._closing and self._error is None:
            try:
                data = bytes(self._in.read(size, _LISTEN_MS))
            except usb.core.USBTimeoutError:
                continue
            except usb.core.USBError as error:
                damaged += 1
                if not self._heals(self._in, error, damaged):
                    self._over(self._gone(error))
            else:
                damaged = 0
                if data:
                    self._tell(data if self._how.form == "stream" else reports.encode(reports.INPUT, data))

    def _write(self) -> None:
        while True:
            self._wanted.acquire()
            if self._closing or self._error is not None:
                return
            with self._lock:
                record = self._unsent.popleft()
            try:
                answer = self._send(record)
            except usb.core.USBTimeoutError:
                self._over(
                    LinkError(f"{self._port} takes no bytes any more: unplug it and plug it in again.")
                )
            except usb.core.USBError as error:
                if self._heals(self._out, error, 1):
                    continue
                self._over(self._gone(error))
            else:
                if answer:
                    self._tell(answer)

    def _send(self, record: reports.Report) -> bytes:
        """Send one record; what the session is told of it. Raises USBError."""
        if self._how.form == "stream":
            self._put(record.data)
            return b""
        number = record.data[0] if self._how.numbered and record.data else 0
        if record.kind == reports.GET:
            number, length = record.data
            data = self._device.ctrl_transfer(
                *_GET_REPORT, _KIND[record.kind] | number, self._number, length, _SEND_MS
            )
            return reports.encode(reports.GET, bytes(data))
        if record.kind == reports.OUTPUT and self._out is not None:
            self._put(record.data)
        else:
            self._device.ctrl_transfer(
                *_SET_REPORT, _KIND[record.kind] | number, self._number, record.data, _SEND_MS
            )
        return reports.encode(reports.TAKEN)

    def _put(self, data: bytes) -> None:
        if self._out.write(data, _SEND_MS) < len(data):
            raise usb.core.USBTimeoutError("sent in part")

    def _heals(self, endpoint: Any, error: usb.core.USBError, damaged: int) -> bool:
        """Whether the link can go on after this error; a stalled endpoint is set going again."""
        if error.errno not in (errno.EPIPE, errno.EOVERFLOW, errno.EIO) or damaged >= _DAMAGED:
            return False
        if error.errno == errno.EPIPE and endpoint is not None:
            try:
                self._device.clear_halt(endpoint.bEndpointAddress)
            except usb.core.USBError:
                return False
        if self._how.form == "reports":
            self._tell(reports.encode(reports.REFUSED))
        return True

    def _tell(self, data: bytes) -> None:
        with self._lock:
            self._came.append(data)
        os.eventfd_write(self._event, 1)

    def _over(self, error: LinkError) -> None:
        with self._lock:
            self._error = self._error or error
        os.eventfd_write(self._event, 1)
        self._wanted.release()
