"""A serial port, real, USB or pseudo-terminal: opened by pyserial, which knows the line settings, then read
by descriptor.

Reading by descriptor, because pyserial's own `read` throws away the bytes that it has when the device goes in
mid frame. What comes out of the layers below is OSError, SerialException (an OSError) and termios.error,
which is none.
"""

import contextlib
import errno
import os
import select
import stat
import termios
from pathlib import Path
from typing import Final

import serial

from tablebridge.host.links.link import LinkRefused
from tablebridge.model.errors import LinkError
from tablebridge.sdk.driver import SerialPort

_UNSENT: Final = 65_536
_PTY_MAJORS: Final = range(136, 144)
ERRORS: Final = (OSError, termios.error, ValueError)
"""What comes out of pyserial and the layers below."""


class SerialLink:
    """An open serial port, held for us alone. Bytes that were in its buffers before are dropped: the device
    starts again.
    """

    def __init__(self, path: str, settings: SerialPort) -> None:
        self._path = path
        self._unsent = b""
        try:
            self._port = opened(path, settings)
        except ERRORS as error:
            raise refusal(path, error) from None
        self._fd: int = self._port.fileno()

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._fd

    def read(self) -> bytes:
        """The bytes that are there. Raises LinkError when the device went away."""
        try:
            data = os.read(self._fd, 4096)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._gone(error) from None
        if not data and self._hung_up():
            raise self._gone(None)
        return data

    def send(self, data: bytes) -> bool:
        """Send behind what is not sent yet; whether all is on its way. Raises LinkError."""
        self._unsent += data
        if self._unsent:
            try:
                self._unsent = self._unsent[os.write(self._fd, self._unsent) :]
            except BlockingIOError:
                pass
            except OSError as error:
                raise self._gone(error) from None
        if len(self._unsent) > _UNSENT:
            raise LinkError(f"{self._path} accepts no bytes any more.")
        return not self._unsent

    def close(self) -> None:
        """Release the port; a device that was unplugged cannot be closed in order."""
        try:
            self._port.close()
        except ERRORS:
            return

    def _hung_up(self) -> bool:
        """Asked after an empty read, which alone proves nothing: with pyserial's settings a port without
        bytes gives it too.
        """
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return any(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, events in poll.poll(0))

    def _gone(self, error: OSError | None) -> LinkError:
        reason = f" ({error.strerror})" if error is not None else ""
        return LinkError(f"{self._path} went away{reason}: check cable and power.")


def opened(path: str, settings: SerialPort) -> serial.Serial:
    """The port, held for us alone. Raises LinkRefused for what is no serial port, and what `ERRORS` names."""
    if not stat.S_ISCHR(Path(path).stat().st_mode):
        raise LinkRefused(f"{path} is no serial port: correct the port in the site file.")
    try:
        return _open(path, settings, settings.parity, settings.data_bits)
    except termios.error as error:
        # A pseudo-terminal cannot hold parity or seven bits: the first opening drops them silently, the next
        # one fails.
        if error.args[:1] == (errno.EINVAL,) and _is_pseudo_terminal(path):
            return _open(path, settings, "N", 8)
        raise


def _open(path: str, settings: SerialPort, parity: str, data_bits: int) -> serial.Serial:
    port = serial.Serial(
        None, settings.baud, data_bits, parity, settings.stop_bits, timeout=0, write_timeout=0, exclusive=True
    )
    port.dtr = settings.dtr
    port.rts = settings.rts
    port.port = path
    port.open()
    # FTDI's chips hold an answer below 62 bytes back for 16 ms otherwise. What is no such port refuses.
    with contextlib.suppress(*ERRORS):
        port.set_low_latency_mode(True)
    return port


def _is_pseudo_terminal(path: str) -> bool:
    """Unix 98 pseudo-terminals have the majors 136 to 143 (the kernel's list of devices)."""
    return os.major(Path(path).stat().st_rdev) in _PTY_MAJORS


def refusal(path: str, error: BaseException) -> LinkError:
    """Why a port could not be opened, as a sentence."""
    # pyserial hides the number of what it could not configure behind an error of its own without one.
    root = error.__context__ if isinstance(error, serial.SerialException) and error.errno is None else error
    number = root.args[0] if root is not None and root.args else None
    match number:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return LinkError(
                f"{path} is not there: plug the device in, or correct the port in the site file."
            )
        case errno.EACCES | errno.EPERM:
            return LinkRefused(
                f"{path} may not be opened: this user is not in the group dialout. Run "
                "`sudo usermod -aG dialout $USER`, log in again and start again."
            )
        case errno.EAGAIN | errno.EBUSY:
            return LinkRefused(
                f"{path} is held by another program: end it (`sudo fuser -v {path}` names it)."
            )
        case errno.ENOTTY:
            return LinkRefused(f"{path} is no serial port: correct the port in the site file.")
        case _:
            return LinkError(f"{path} cannot be opened ({error}).")
