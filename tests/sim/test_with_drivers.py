"""The emulated devices and the drivers in one room: two programs written from one description each must
agree.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablebridge.model.places import BOARD, bet_place
from tablebridge.model.readings import ButtonPress, DeviceStatus, Reading, ShufflerReport, Sweep
from tablebridge.sim import obid
from tablebridge.sim.bench import Bench
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.reader import RECORDS, Reader
from tablebridge.sim.table import Table
from tablebridge_drivers.feig import DRIVER as FEIG
from tablebridge_drivers.line import DRIVER as LINE

Start = Callable[..., Any]
TAGS = [f"E0040150{number:08X}" for number in range(2 * RECORDS + 3)]


def sweeps(readings: list[Reading]) -> list[set[str]]:
    return [set(reading.tags) for reading in readings if isinstance(reading, Sweep)]


def visits(readings: list[Reading], tags: set[str]) -> int:
    return sum(one.visits for one in readings if isinstance(one, Sweep) and set(one.tags) == tags)


class Rig:
    def __init__(self, folder: Path, speed: float | None) -> None:
        self.table = Table(LEVELS["clean"], seed=1)
        self.reader = Reader(self.table, BOARD, speed)
        self.board = LineBoard(self.table, 3, {1: bet_place(1)}, None)
        self.table.watch(lambda place: self.reader.touched() if place == BOARD else self.board.touched(place))
        self.bench = Bench(seed=2)
        self.reader_link, self.board_link = folder / "reader", folder / "board"
        self.bench.add("reader", self.reader_link, self.reader)
        self.bench.add("board", self.board_link, self.board)


@pytest.fixture(params=[None, 1.0], ids=["max", "live"])
def rig(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Rig]:
    made = Rig(tmp_path, request.param)
    with made.bench:
        yield made


@pytest.mark.parametrize("options", [{}, {"frames": "advanced"}], ids=["standard", "advanced"])
def test_the_driver_sees_what_lies_there(rig: Rig, drive: Start, options: dict[str, str]) -> None:
    host = drive(FEIG, rig.reader_link, **options)
    assert any(
        isinstance(one, DeviceStatus) and one.state == "identified"
        for one in host.until(lambda readings: bool(sweeps(readings)))
    )
    rig.table.put(TAGS[:2], BOARD)
    host.until(lambda readings: sweeps(readings)[-4:] == [set(TAGS[:2])] * 4)
    rig.table.put(TAGS, BOARD)
    host.until(lambda readings: sweeps(readings)[-1:] == [set(TAGS)])
    rig.table.take(TAGS)
    host.until(lambda readings: sweeps(readings)[-1:] == [set()])
    assert host.rejected == []


def test_damaged_answers_are_rejected_and_asked_for_again(rig: Rig, drive: Start) -> None:
    host = drive(FEIG, rig.reader_link)
    host.until(lambda readings: bool(sweeps(readings)))
    rig.table.put(TAGS[:3], BOARD)
    host.until(lambda readings: sweeps(readings)[-1:] == [set(TAGS[:3])])
    rig.bench.damage("reader", *["flip", "drop", "double"] * 2)
    after = host.until(lambda readings: len(sweeps(readings)) > 8)
    assert len(host.rejected) >= 4 and set().union(*sweeps(after)) == set(TAGS[:3])


def test_an_antenna_fault_is_a_status_and_no_empty_table(rig: Rig, drive: Start) -> None:
    host = drive(FEIG, rig.reader_link)
    rig.table.put(TAGS[:1], BOARD)
    host.until(lambda readings: sweeps(readings)[-1:] == [set(TAGS[:1])])
    rig.reader.status = obid.RF_WARNING
    told = host.until(
        lambda readings: any(isinstance(one, DeviceStatus) and one.state != "ok" for one in readings)
    )
    assert set() not in sweeps(told)
    rig.reader.status = None
    host.until(lambda readings: sweeps(readings)[-1:] == [set(TAGS[:1])])


def test_a_reader_that_was_exchanged_is_asked_who_it_is(rig: Rig, drive: Start) -> None:
    first = drive(FEIG, rig.reader_link)
    first.until(lambda readings: bool(sweeps(readings)))
    first.port.close()
    rig.bench.unplug("reader")
    rig.bench.plug("reader")
    again = drive(FEIG, rig.reader_link)
    again.until(lambda readings: bool(sweeps(readings)))


def test_the_board_and_its_driver_agree(rig: Rig, drive: Start) -> None:
    host = drive(LINE, rig.board_link)
    host.until(
        lambda readings: any(isinstance(one, DeviceStatus) and one.state == "identified" for one in readings)
    )
    rig.board.press(2)
    pressed = [ButtonPress(2, True), ButtonPress(2, False)]
    host.until(
        lambda readings: (
            [one for one in readings if isinstance(one, ButtonPress) and one.contact == 2][-2:] == pressed
        )
    )
    rig.board.shuffler("count", 51)
    host.until(lambda readings: ShufflerReport("count", 51) in readings)
    rig.table.put(TAGS[:3], bet_place(1))
    host.until(lambda readings: visits(readings, set(TAGS[:3])) >= 8)
    rig.table.take(TAGS[:1])
    host.until(lambda readings: sweeps(readings)[-1:] == [set(TAGS[1:3])])
    assert host.rejected == []


def test_lost_lines_of_the_board_are_noticed_and_the_state_comes_again(rig: Rig, drive: Start) -> None:
    host = drive(LINE, rig.board_link)
    host.until(
        lambda readings: any(isinstance(one, DeviceStatus) and one.state == "identified" for one in readings)
    )
    rig.bench.damage("board", "flip", "drop", "double")
    rig.board.contact(3, True)
    rig.table.put(TAGS[:2], bet_place(1))
    host.until(lambda readings: ButtonPress(3, True) in readings and set(TAGS[:2]) in sweeps(readings))
    assert host.rejected
