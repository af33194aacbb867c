"""Drivers on a real pseudo-terminal with real pyserial, against emulated devices whose encoders were written
apart.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from tablebridge.model.places import bet_place, seat_place
from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Driver,
    Instant,
    Reading,
    Rejected,
    ShufflerReport,
    Sweep,
    TrayReading,
    Turn,
)
from tablebridge.sdk.testing import check_turn, defaults
from tablebridge.sim.bench import Bench
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.reader import Reader
from tablebridge.sim.table import Table
from tablebridge_drivers import feig, line

TAG = "E004015000000001"


class Host:
    """Opens the port as the driver asks for and lets a session talk until something was heard."""

    def __init__(self, driver: Driver, path: Path, **options: Any) -> None:
        settled = defaults(driver, **options)
        port = driver.port(settled)
        self.port = serial.Serial(str(path), port.baud, parity=port.parity, timeout=0.005, exclusive=True)
        self.session = driver.session(settled)
        self.readings: list[Reading] = []
        self._found = 0
        self.rejected: list[Rejected] = []
        self._take(self.session.start(self._now()))

    def until(self, holds: Callable[[Reading], bool], seconds: float = 60.0) -> Reading:
        """The first reading behind the last one found for which something holds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            while self._found < len(self.readings):
                self._found += 1
                if holds(self.readings[self._found - 1]):
                    return self.readings[self._found - 1]
            if data := self.port.read(self.port.in_waiting or 1):
                self._take(self.session.received(data, self._now()))
            elif self._wake_ns is not None and time.monotonic_ns() >= self._wake_ns:
                self._take(self.session.due(self._now()))
        raise AssertionError(f"not heard within {seconds} s; rejected: {self.rejected}")

    def _take(self, turn: Turn) -> None:
        check_turn(turn, time.monotonic_ns())
        self.readings.extend(turn.readings)
        self.rejected.extend(turn.rejected)
        self._wake_ns = turn.wake_ns
        if turn.send:
            self.port.write(turn.send)

    def _now(self) -> Instant:
        return Instant(time.time_ns(), time.monotonic_ns(), "test")


@pytest.fixture
def table() -> Table:
    return Table(LEVELS["clean"], seed=1)


@pytest.fixture
def bench() -> Iterator[Bench]:
    yield Bench()


def test_the_emulated_reader_is_read_through_its_port(table: Table, bench: Bench, tmp_path: Path) -> None:
    place = seat_place(1)
    reader = Reader(table, place, speed=1.0)
    bench.add("reader", tmp_path / "reader", reader)
    with bench:
        host = Host(feig.DRIVER, tmp_path / "reader")
        told = host.until(lambda reading: isinstance(reading, DeviceStatus))
        assert isinstance(told, DeviceStatus) and "MR101" in told.detail
        host.until(lambda reading: reading == Sweep(0, ()))
        bench.call(lambda: table.put([TAG], place))
        for _ in range(3):
            host.until(lambda reading: reading == Sweep(0, (TAG,)))
        reader.status = 0x84
        fault = host.until(lambda reading: isinstance(reading, DeviceStatus))
        assert isinstance(fault, DeviceStatus) and fault.state == "degraded"
        reader.status = None
        host.until(lambda reading: reading == Sweep(0, (TAG,)))
        assert host.rejected == []
        host.port.close()


def test_the_emulated_board_is_read_through_its_port(table: Table, bench: Bench, tmp_path: Path) -> None:
    board = LineBoard(table, 3, {1: bet_place(1)}, speed=1.0)
    bench.add("board", tmp_path / "board", board)
    with bench:
        host = Host(line.DRIVER, tmp_path / "board")
        host.until(lambda reading: isinstance(reading, DeviceStatus) and reading.state == "identified")
        host.until(lambda reading: reading == ButtonPress(2, False))
        host.until(lambda reading: isinstance(reading, Sweep) and reading.antenna == 1 and reading.tags == ())
        board.press(2)
        host.until(lambda reading: reading == ButtonPress(2, True))
        host.until(lambda reading: reading == ButtonPress(2, False))
        board.shuffler("ok", 52)
        host.until(lambda reading: reading == ShufflerReport("ok", 52))
        board.tray(tuple(f"E0040151{number:08X}" for number in range(90)))
        tray = host.until(lambda reading: isinstance(reading, TrayReading))
        assert isinstance(tray, TrayReading) and len(tray.tags) == 90
        bench.call(lambda: table.put([TAG], bet_place(1)))
        host.until(lambda reading: isinstance(reading, Sweep) and reading.tags == (TAG,))
        assert host.rejected == []
        host.port.close()
