"""Contacts on the modem lines of a serial port: see `SerialPort.contacts` for the bytes.

No thread watches the lines: the session requests them by sending the outputs, as often as it needs them, so
debouncing is its own task and can be tested without a port.
"""

import errno
import os
import termios

import serial

from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.serial import ERRORS, opened, refusal
from tablebridge.model.errors import LinkError
from tablebridge.sdk.driver import SerialPort


class ContactsLink:
    """A serial port whose lines are contacts, held for us alone. Raises LinkRefused, LinkError."""

    def __init__(self, path: str, settings: SerialPort) -> None:
        self._path = path
        self._inputs = bytearray()
        try:
            self._port = opened(path, settings)
        except ERRORS as error:
            raise refusal(path, error) from None
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """The inputs, a byte for each that was sent."""
        try:
            os.eventfd_read(self._event)
        except BlockingIOError:
            return b""
        data = bytes(self._inputs)
        self._inputs.clear()
        return data

    def send(self, data: bytes) -> bool:
        """Set the outputs and look at the inputs. Raises LinkError when the port is gone, LinkRefused if
        it has no lines.
        """
        try:
            for outputs in data:
                self._port.dtr, self._port.rts = bool(outputs & 1), bool(outputs & 2)
                port = self._port
                self._inputs.append(port.cts | port.dsr << 1 | port.ri << 2 | port.cd << 3)
        except (OSError, termios.error, serial.SerialException) as error:
            if error.args[:1] == (errno.ENOTTY,):
                raise LinkRefused(
                    f"{self._path} has no modem lines: choose another serial port for contacts."
                ) from None
            raise LinkError(f"{self._path} went away: check cable and power.") from None
        if data:
            os.eventfd_write(self._event, 1)
        return True

    def close(self) -> None:
        """Release the port; a device that was unplugged cannot be closed in order."""
        if self._event < 0:
            return
        os.close(self._event)
        self._event = -1
        try:
            self._port.close()
        except ERRORS:
            return
