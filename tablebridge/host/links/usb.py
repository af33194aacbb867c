"""A USB device without a serial port: a claimed interface, read and written in two threads.

libusb's calls block, and the supervisor never may: so one thread waits for what the device sends, another
sends what the session wrote, and both notify the supervisor through an event descriptor. `read` raises the
error of a thread, but not before everything that had arrived until then was returned.

    libusb reports      what it means here
    ENODEV              the device was unplugged: the link is over
    ETIMEDOUT reading   nothing was sent: read on
    ETIMEDOUT writing   the device accepts nothing: the link is over
    EPIPE               stalled: the halt is cleared; the session receives a refusal (reports) or notices by
                        its own deadline (stream)
    EOVERFLOW, EIO      the transfer was damaged: the same; after `_DAMAGED` of them in a row the link is over
"""

import errno
import os
import threading
from collections import deque
from typing import Any, Final

import usb.core

from tablebridge.host.links.usb_interface import ClaimedInterface
from tablebridge.model.errors import LinkError
from tablebridge.sdk import reports
from tablebridge.sdk.driver import UsbPort

_LISTEN_MS: Final = 25
"""How long a read lasts before it is broken off, to see whether the link is being closed: a call of libusb
cannot be woken.
"""
_DAMAGED: Final = 10
_UNSENT: Final = 64
_STREAM_BYTES: Final = 4096


class UsbLink:
    """An open way to one claimed interface. Raises LinkRefused, LinkError."""

    def __init__(self, port: str, settings: UsbPort) -> None:
        self._port = port
        self._settings = settings
        self._interface = ClaimedInterface(port, settings)
        self._lock = threading.Lock()
        self._received: deque[bytes] = deque()
        self._error: LinkError | None = None
        self._unsent: deque[reports.Report] = deque()
        self._wanted = threading.Semaphore(0)
        self._closing = False
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._records = reports.Reports()
        self._threads = [threading.Thread(target=self._write, name=f"{port} out", daemon=True)]
        if self._interface.end_in is not None:
            self._threads.append(threading.Thread(target=self._listen, name=f"{port} in", daemon=True))
        for thread in self._threads:
            thread.start()

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """The bytes that have arrived. Raises LinkError when the device is gone and all bytes were
        returned.
        """
        try:
            os.eventfd_read(self._event)
        except BlockingIOError:
            return b""
        with self._lock:
            data = b"".join(self._received)
            self._received.clear()
            error = self._error
        if error is not None:
            if not data:
                raise error
            os.eventfd_write(self._event, 1)
        return data

    def send(self, data: bytes) -> bool:
        """Have the thread send these. Raises LinkError when the device is gone or accepts nothing any
        more.
        """
        with self._lock:
            if self._error is not None:
                raise self._error
            if data and self._settings.form == "stream":
                self._unsent.append(reports.Report(reports.OUTPUT, data))
                self._wanted.release()
            for record in self._records.feed(data) if self._settings.form == "reports" else ():
                if isinstance(record, reports.Report):
                    self._unsent.append(record)
                    self._wanted.release()
            if len(self._unsent) > _UNSENT:
                raise LinkError(f"{self._port} accepts no bytes any more.")
        return True

    def close(self) -> None:
        """End the threads and give the device back to the kernel's driver if it was detached from it."""
        if self._closing:
            return
        self._closing = True
        self._wanted.release()
        for thread in self._threads:
            thread.join()
        self._interface.release()
        os.close(self._event)

    # ---- the two threads

    def _listen(self) -> None:
        damaged = 0
        while not self._closing and self._error is None:
            try:
                data = self._interface.read(_LISTEN_MS, _STREAM_BYTES)
            except usb.core.USBTimeoutError:
                continue
            except usb.core.USBError as error:
                damaged += 1
                if not self._recovers(self._interface.end_in, error, damaged):
                    self._end(self._interface.gone(error))
            else:
                damaged = 0
                if data:
                    self._deliver(
                        data if self._settings.form == "stream" else reports.encode(reports.INPUT, data)
                    )

    def _write(self) -> None:
        while True:
            self._wanted.acquire()
            if self._closing or self._error is not None:
                return
            with self._lock:
                record = self._unsent.popleft()
            try:
                answer = self._interface.send(record)
            except usb.core.USBTimeoutError:
                self._end(
                    LinkError(f"{self._port} accepts no bytes any more: unplug it and plug it in again.")
                )
            except usb.core.USBError as error:
                if self._recovers(self._interface.end_out, error, 1):
                    continue
                self._end(self._interface.gone(error))
            else:
                if answer:
                    self._deliver(answer)

    def _recovers(self, endpoint: Any, error: usb.core.USBError, damaged: int) -> bool:
        """Whether the link can go on after this error; a stalled endpoint is restarted."""
        if error.errno not in (errno.EPIPE, errno.EOVERFLOW, errno.EIO) or damaged >= _DAMAGED:
            return False
        if error.errno == errno.EPIPE and endpoint is not None and not self._interface.clear_halt(endpoint):
            return False
        if self._settings.form == "reports":
            self._deliver(reports.encode(reports.REFUSED))
        return True

    def _deliver(self, data: bytes) -> None:
        with self._lock:
            self._received.append(data)
        os.eventfd_write(self._event, 1)

    def _end(self, error: LinkError) -> None:
        with self._lock:
            self._error = self._error or error
        os.eventfd_write(self._event, 1)
        self._wanted.release()
