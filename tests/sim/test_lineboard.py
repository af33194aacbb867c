"""The emulated board against what docs/line-protocol.md promises, through a real pseudo-terminal."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from tablebridge.model.places import bet_place
from tablebridge.sim.bench import Bench
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.obid import crc
from tablebridge.sim.table import Table

CHIPS = [f"E0040151{number:08X}" for number in range(3)]


class Rig:
    """A board on a bench; `lines` are the fields of all lines so far, each with its check sum proved."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(LEVELS["clean"], seed=1)
        self.board = LineBoard(self.table, 3, {1: bet_place(1), 2: bet_place(2)}, speed=None)
        self.table.watch(self.board.touched)
        self.bench = Bench()
        self.bench.add("board", folder / "board", self.board)
        self.port = serial.Serial(str(folder / "board"), 115200, timeout=0.02)
        self.lines: list[list[str]] = []
        self._rest = b""

    def until(self, holds: Callable[[list[str]], bool]) -> list[str]:
        """The first line from now on for which something holds."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            *whole, self._rest = (self._rest + self.port.read(4096)).split(b"\n")
            hit = None
            for line in whole:
                text, check = line.rsplit(b"*", 1)
                assert check == crc(text)[::-1].hex().upper().encode()
                self.lines.append(text.decode().split(","))
                hit = hit or (self.lines[-1][3:] if holds(self.lines[-1][3:]) else None)
            if hit:
                return hit
        raise AssertionError(f"no such line among {self.lines}")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    with made.bench:
        yield made
        made.port.close()


def test_a_question_is_answered_with_a_hello_and_everything(rig: Rig) -> None:
    rig.port.write(b"?\n")
    assert rig.until(lambda line: line[0] == "h" and line[-1] == "asked")[2:4] == ["2", "3"]
    rig.until(lambda line: line[:2] == ["k", "3"])


def test_lines_are_numbered_without_a_gap(rig: Rig) -> None:
    rig.until(lambda line: line[:2] == ["k", "3"])
    rig.board.press(1)
    rig.until(lambda line: line == ["k", "1", "0", "2"])
    numbers = [int(line[1]) for line in rig.lines]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_press_is_two_edges_told_at_once_and_again(rig: Rig) -> None:
    rig.board.press(2)
    rig.until(lambda line: line == ["k", "2", "1", "1"])
    rig.until(lambda line: line == ["k", "2", "0", "2"])
    rig.until(lambda line: line == ["k", "2", "0", "2"])


def test_every_visit_is_told_once_and_the_set_can_be_followed(rig: Rig) -> None:
    rig.table.put(CHIPS[:1], bet_place(1))
    assert rig.until(lambda line: line[:2] == ["1", "+"])[3:] == CHIPS[:1]
    rig.table.put(CHIPS[1:], bet_place(1))
    assert sorted(rig.until(lambda line: line[:2] == ["1", "+"])[3:]) == CHIPS[1:]
    rig.table.take(CHIPS[:2])
    assert sorted(rig.until(lambda line: line[:2] == ["1", "-"])[3:]) == CHIPS[:2]
    assert rig.until(lambda line: line[:2] == ["1", "="])[3:] == CHIPS[2:]


def test_the_shuffler_and_the_tray_are_told_and_repeated(rig: Rig) -> None:
    rig.board.shuffler("count", 51)
    rig.board.tray(tuple(CHIPS))
    for _ in range(2):
        rig.until(lambda line: line == ["s", "1", "count", "51"])
        rig.until(lambda line: line == ["t", "1", "1", *CHIPS])


def test_a_board_that_was_unplugged_begins_anew(rig: Rig) -> None:
    rig.until(lambda line: line[0] == "k")
    rig.bench.unplug("board")
    rig.port.close()
    rig.bench.plug("board")
    rig.port.open()
    rig.lines.clear()
    rig.until(lambda line: line[0] == "k")
    assert int(rig.lines[0][1]) < 5 and re.fullmatch(r"\d+", rig.lines[0][2])
