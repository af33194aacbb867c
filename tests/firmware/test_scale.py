"""Trays that weigh their chips: from HX711 of the data sheet to what the host's `line` session reads."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from rig.sheets.hx711 import Hx711

from tablebridge.sdk import DeviceStatus, TrayReading

from .conftest import Table

ZERO, ONE = 84000, 1150
DATA, CLOCK = 6, 7
TWO = {
    "name": "tray",
    "scales": [
        {"data": DATA, "clock": CLOCK, "denomination": 25, "zero": ZERO, "chip": ONE},
        {"data": 8, "clock": 9, "denomination": 100, "zero": -ZERO, "chip": -ONE},
    ],
}


class Scales:
    """A board with two scales and the chips that lie on each; `noise`: how far values swing, in raw units."""

    def __init__(self, table: Callable[..., Table]) -> None:
        self.made = table(TWO)
        board = self.made.board
        self.chips = [20, 7]
        self.noise = 0
        self.raw: int | None = None
        chance = random.Random(711)

        def weight(place: int, sign: int) -> Callable[[float], int]:
            def value(us: float) -> int:
                if self.raw is not None and place == 0:
                    return self.raw
                return sign * (ZERO + ONE * self.chips[place]) + chance.randint(-self.noise, self.noise)

            return value

        self.adcs = [Hx711(weight(0, 1), lambda: board.us), Hx711(weight(1, -1), lambda: board.us)]
        for adc, data in zip(self.adcs, (DATA, 8), strict=True):
            board.inputs[data] = adc.data
            board.watchers[data + 1] = adc.clock
        board.power()
        self.made.connect()

    def run(self, ms: float) -> None:
        self.made.run(ms, 50)
        assert self.made.board.complaint() == ""

    def counts(self) -> list[Any]:
        return [each.counts for each in self.made.readings if isinstance(each, TrayReading)]

    def health(self) -> list[tuple[str, str]]:
        said = [each for each in self.made.readings if isinstance(each, DeviceStatus) and not each.antenna]
        return [(each.state, each.detail) for each in said]


@pytest.fixture
def scales(table: Callable[..., Table]) -> Scales:
    return Scales(table)


def test_a_tray_is_counted_and_counted_again_if_chips_leave_it(scales: Scales) -> None:
    scales.run(1500)
    assert scales.counts() == [{25: 20, 100: 7}]
    scales.chips = [0, 65]
    scales.run(1000)
    assert scales.counts()[-1] == {25: 0, 100: 65}
    assert [adc.gain for adc in scales.adcs] == [("A", 128)] * 2
    assert not any(adc.wrong_pulses for adc in scales.adcs)
    assert not scales.made.rejected


def test_what_a_scale_reads_is_said_when_the_host_asks(scales: Scales) -> None:
    """By it people find `zero` and `chip`."""
    scales.run(1500)
    scales.made.board.hears += b"?\n"
    scales.run(200)
    said = [line for line in scales.made.lines if line.startswith("# scale")]
    assert said[-2:] == [
        f"# scale of 25 reads {ZERO + 20 * ONE}",
        f"# scale of 100 reads {-ZERO - 7 * ONE}",
    ]


def test_noise_of_a_third_of_a_chip_changes_no_count(scales: Scales) -> None:
    scales.noise = ONE * 3 // 10
    scales.run(5000)
    assert scales.counts() == [{25: 20, 100: 7}]


@pytest.mark.parametrize("raw", [0x7FFFFF, -0x800000])
def test_a_saturated_scale_counts_nothing_and_is_reported_until_it_measures_again(
    scales: Scales, raw: int
) -> None:
    scales.run(1500)
    scales.raw = raw
    scales.chips[1] = 8
    scales.run(1500)
    assert scales.counts() == [{25: 20, 100: 7}]
    assert scales.health()[-1] == (
        "degraded",
        "scale of 25: out of its range: too heavy or a wire of its load cell is loose",
    )
    scales.raw = None
    scales.run(1500)
    assert scales.counts()[-1] == {25: 20, 100: 8}
    assert scales.health()[-1][0] == "ok"


@pytest.mark.parametrize(
    ("level", "says"),
    [(1, "no value for a second: is DOUT wired?"), (0, "DOUT stays low: is it wired to ground?")],
)
def test_a_scale_whose_dout_hangs_is_reported_and_counts_nothing(
    scales: Scales, level: int, says: str
) -> None:
    scales.made.board.inputs[DATA] = lambda us: level
    scales.run(2500)
    assert scales.counts() == []
    assert scales.health()[-1] == ("degraded", "scale of 25: " + says)
    scales.made.board.inputs[DATA] = scales.adcs[0].data
    scales.run(2500)
    assert scales.counts()[-1] == {25: 20, 100: 7}
    assert scales.health()[-1][0] == "ok"


def test_a_dout_that_is_not_wired_reads_high(scales: Scales) -> None:
    """Its pin is pulled up: without that a loose wire could read as values."""
    del scales.made.board.inputs[DATA]
    scales.made.board.levels.pop(DATA, None)
    scales.run(2000)
    assert scales.made.board.levels[DATA] == 1
    assert scales.health()[-1] == ("degraded", "scale of 25: no value for a second: is DOUT wired?")
