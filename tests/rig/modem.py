"""A serial port with modem lines, below pyserial: a pseudo-terminal whose lines are answered here, as
/dev/ttyUSB0 of the bed.

The pseudo-terminal does everything else for real. Source of the numbers: ioctl_tty(2).
"""

import contextlib
import os
import socket
import struct
import termios
import threading
import tty

from rig.bed import Bed, Opened

_LINES = {"dtr": 0x002, "rts": 0x004, "cts": 0x020, "cd": 0x040, "ri": 0x080, "dsr": 0x100}


class ModemPort:
    """Plugged in from the start. `wire(cts=True)` raises lines; `lines` has those that are up."""

    def __init__(self, bed: Bed, name: str = "ttyUSB0") -> None:
        self.bed, self.path, self._name = bed, f"/dev/{name}", name
        self._up = 0
        self.plug()

    def wire(self, **lines: bool) -> None:
        """Raise and lower lines by their names."""
        for line, up in lines.items():
            self._up = self._up | _LINES[line] if up else self._up & ~_LINES[line]

    @property
    def lines(self) -> set[str]:
        return {line for line, bit in _LINES.items() if self._up & bit}

    def plug(self) -> None:
        self.gone = False
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        root = self.bed.root
        (root / "dev" / self._name).symlink_to(os.ttyname(self._slave))
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(root / f"ioctl/dev/{self._name}"))
        self._listener.listen(4)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def unplug(self) -> None:
        if self.gone:
            return
        self.gone = True
        for path in (f"dev/{self._name}", f"ioctl/dev/{self._name}"):
            (self.bed.root / path).unlink()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        os.close(self._master)
        os.close(self._slave)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                wire, _ = listener.accept()
                threading.Thread(target=self._serve, args=(Opened(wire),), daemon=True).start()

    def _serve(self, opened: Opened) -> None:
        try:
            while True:
                self._ioctl(opened, *opened.ioctl())
        except (EOFError, OSError):
            opened.close()

    def _ioctl(self, opened: Opened, request: int, argument: int) -> None:
        if request not in (termios.TIOCMGET, termios.TIOCMBIS, termios.TIOCMBIC):
            return opened.for_real()
        if self.gone:
            return opened.done(5)
        if request == termios.TIOCMGET:
            opened.store(argument, struct.pack("@i", self._up))
        else:
            bits = struct.unpack("@i", opened.fetch(argument, 4))[0]
            self._up = self._up | bits if request == termios.TIOCMBIS else self._up & ~bits
        return opened.done()
