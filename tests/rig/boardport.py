"""A board on a pseudo-terminal, at the pace of the clock on the wall: its firmware, or MicroPython's raw
prompt.

The raw prompt's bytes follow MicroPython's documentation ("Raw mode and raw-paste mode",
docs/reference/repl.rst): A enters it, code ends with D, `OK`, what was printed, D, the error, D and `>`.
Raw-paste mode is answered with "not supported". What is typed runs in MicroPython itself. composed: that a
reset keeps the port, as an ESP32 behind an adapter does.
"""

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from rig.microboard import Microboard
from rig.pty import Pty

_HELLO = b"raw REPL; CTRL-B to exit\r\n>"


class BoardPort:
    """The board behind `pty`, in a thread of its own until `stop`. `asleep`: it hears and says nothing."""

    def __init__(self, board: Microboard, link: Path) -> None:
        self.board = board
        self.asleep = False
        self._heard: list[bytes] = []
        self._raw = False
        self._begun = b""
        self._fault: BaseException | None = None
        self._stop = threading.Event()
        self.pty = Pty(link, self._listen)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _listen(self, data: bytes) -> bytes:
        self._heard.append(data)
        return b""

    def stop(self) -> None:
        """Take its power and pull its cable."""
        self._stop.set()
        self._thread.join(60)
        self.board.cut()
        self.pty.unplug()
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        begun, from_ms = time.monotonic(), self.board.ms
        try:
            while not self._stop.is_set():
                while self._heard:
                    self._hear(self._heard.pop(0))
                self.board.run(10)
                if not self.board.at_prompt:
                    self._raw = False
                said = self.board.take() + b"".join(self._answers())
                if said and not self.asleep:
                    self.pty.say(said)
                ahead = (self.board.ms - from_ms) / 1000 - (time.monotonic() - begun)
                if ahead > 0:
                    time.sleep(ahead)
        except BaseException as fault:
            self._fault = fault

    def _hear(self, data: bytes) -> None:
        if self.asleep:
            return
        if not self.board.at_prompt:
            self.board.hears += data
            return
        for byte in data:
            if byte == 0x03:
                self._begun = b""
            elif byte == 0x01:
                if self._begun.endswith(b"\x05A"):
                    self._begun = b""
                    self.pty.say(b"R\x00")
                else:
                    self._raw, self._begun = True, b""
                    self.pty.say(_HELLO)
            elif byte == 0x04 and self._raw:
                self.pty.say(b"OK")
                self.board.typed.append(self._begun.hex())
                self._begun = b""
            else:
                self._begun += bytes((byte,))

    def _answers(self) -> Iterator[bytes]:
        while self.board.ended:
            printed, fault = self.board.ended.pop(0)
            yield printed.replace(b"\n", b"\r\n") + b"\x04" + fault.replace(b"\n", b"\r\n") + b"\x04>"


@contextlib.contextmanager
def plugged(board: Microboard, link: Path) -> Iterator[BoardPort]:
    """The board, powered and plugged in."""
    board.power()
    port = BoardPort(board, link)
    try:
        yield port
    finally:
        port.stop()
