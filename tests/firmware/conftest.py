"""Boards with our firmware under MicroPython, and the host's real `line` session at the other end."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rig.microboard import BOARD, Microboard

from tablebridge.sdk import Instant, Reading, Rejected, Turn
from tablebridge.sdk.testing import defaults
from tablebridge_drivers import line

PICO_SPI = {"1": {"sck": 10, "mosi": 11, "miso": 12, "baud": 4000000}}


class Table:
    """A board and its host, in step. `readings` and `rejected`: all that the host's session made of it."""

    def __init__(self, folder: Path, configuration: Any) -> None:
        self.flash = folder / "flash"
        shutil.copytree(BOARD, self.flash, ignore=shutil.ignore_patterns("__pycache__"))
        text = configuration if isinstance(configuration, str) else json.dumps(configuration)
        (self.flash / "board.json").write_text(text)
        self.board = Microboard(self.flash)
        self.board.spi[1] = {}
        self.readings: list[Reading] = []
        self.rejected: list[Rejected] = []
        self.lines: list[str] = []
        self.plugged = True
        self._rest = b""
        self._session: Any = None

    def connect(self) -> None:
        """The host opens the port and begins to speak."""
        self._session = line.DRIVER.session(defaults(line.DRIVER))
        self._take(self._session.start(self._now()))

    def run(self, ms: float, step_ms: float = 10.0) -> None:
        """Let both run; the host looks at its port every `step_ms`."""
        until = self.board.ms + ms
        while self.board.ms < until - 1e-6:
            self.board.run(min(step_ms, until - self.board.ms))
            data = self.board.take()
            if not self.plugged:
                continue
            *whole, self._rest = (self._rest + data).split(b"\n")
            self.lines += [each.decode("ascii", "replace") for each in whole]
            if self._session is not None:
                if data:
                    self._take(self._session.received(data, self._now()))
                else:
                    self._take(self._session.due(self._now()))

    def _now(self) -> Instant:
        return Instant(int(self.board.us * 1000), int(self.board.us * 1000))

    def _take(self, turn: Turn) -> None:
        self.readings += turn.readings
        self.rejected += turn.rejected
        if self.plugged:
            self.board.hears += turn.send


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    made: list[Table] = []

    def make(configuration: Any) -> Table:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Table(folder, configuration))
        return made[-1]

    yield make
    for each in made:
        each.board.cut()
