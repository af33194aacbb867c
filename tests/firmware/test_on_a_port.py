"""The firmware's bytes through a pseudo-terminal at the speed of the line, for the `line` session."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import serial
from rig.boardport import plugged
from rig.mfrc522 import Mfrc522

from tablebridge.sdk import Instant, Reading, Sweep
from tablebridge.sdk.testing import defaults
from tablebridge_drivers import line

from .conftest import Table
from .test_rc522 import FOUR, SEVEN, configuration


class Host:
    """Reads the port, as often as it is opened, until something was heard."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._session: Any = None
        self.readings: list[Reading] = []

    def until(self, holds: Callable[[Reading], bool]) -> Reading:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with serial.Serial(str(self._link), 115200, timeout=0.02, exclusive=True) as port:
                    self._session = line.DRIVER.session(defaults(line.DRIVER))
                    port.write(self._session.start(self._now()).send)
                    while time.monotonic() < deadline:
                        data = port.read(port.in_waiting or 1)
                        turn = (
                            self._session.received(data, self._now())
                            if data
                            else self._session.due(self._now())
                        )
                        port.write(turn.send)
                        self.readings += turn.readings
                        if found := next((each for each in turn.readings if holds(each)), None):
                            return found
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"not heard; the last was {self.readings[-3:]}")

    def _now(self) -> Instant:
        return Instant(time.time_ns(), time.monotonic_ns())


def test_cards_over_a_port_whose_cable_is_pulled(table: Callable[..., Table], tmp_path: Path) -> None:
    made = table(configuration(2))
    chips = {20: Mfrc522(FOUR), 21: Mfrc522()}
    made.board.spi[1] = chips
    host = Host(tmp_path / "port")
    with plugged(made.board, tmp_path / "port") as port:
        host.until(
            lambda reading: isinstance(reading, Sweep) and (reading.antenna, reading.tags) == (1, (FOUR,))
        )
        chips[21].lay(SEVEN)
        host.until(
            lambda reading: isinstance(reading, Sweep) and (reading.antenna, reading.tags) == (2, (SEVEN,))
        )
        port.pty.unplug()
        chips[20].lay()
        port.pty.plug()
        host.until(lambda reading: isinstance(reading, Sweep) and reading.antenna == 1 and not reading.tags)
