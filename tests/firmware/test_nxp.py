"""PN532 and PN5180 behind our firmware, emulated at the level of frames and registers."""

from collections.abc import Callable
from typing import Any

import pytest
from rig.nxp_pn532 import Pn532OnBus
from rig.nxp_pn5180 import Pn5180

from tablebridge.sdk import DeviceStatus

from .conftest import PICO_SPI, Table
from .test_rc522 import FOUR, FOUR_LIKE, SEVEN, TEN, last_sweep

ICODE = [f"E00401500A0B0C{n:02X}" for n in range(24)]


def started(table: Callable[..., Table], chip: Any, entry: dict[str, Any]) -> Table:
    """A board with one chip, which has run for a moment."""
    buses = {"spi": PICO_SPI, "i2c": {"0": {"scl": 5, "sda": 4}}}
    made = table({"name": "nxp", **buses, "chips": [{"antenna": 1, **entry}]})
    if "i2c" in entry:
        made.board.i2c[0] = {0x24: chip}
    else:
        made.board.i2c[0] = {}
        made.board.spi[1] = {20: chip}
    if "busy" in entry:
        made.board.inputs[entry["busy"]] = chip.busy
        made.board.watchers[entry["reset"]] = chip.reset
    made.board.power()
    made.connect()
    made.run(500)
    assert made.board.complaint() == ""
    return made


@pytest.mark.parametrize("wires", [{"spi": 1, "cs": 20}, {"i2c": 0}])
def test_pn532_reads_two_cards(table: Callable[..., Table], wires: dict[str, int]) -> None:
    chip = Pn532OnBus(FOUR, SEVEN)
    made = started(table, chip, {"chip": "pn532", **wires})
    assert last_sweep(made, 1) == tuple(sorted((FOUR, SEVEN)))
    chip.lay(FOUR)
    made.run(300)
    assert last_sweep(made, 1) == (FOUR,)
    chip.lay()
    made.run(300)
    assert last_sweep(made, 1) == ()


@pytest.mark.parametrize("wires", [{"spi": 1, "cs": 20}, {"i2c": 0}])
def test_pn532_that_falls_silent_is_dead_and_comes_back(
    table: Callable[..., Table], wires: dict[str, int]
) -> None:
    chip = Pn532OnBus(FOUR)
    made = started(table, chip, {"chip": "pn532", **wires})
    chip.silent = True
    made.run(500)
    last = [each for each in made.readings if isinstance(each, DeviceStatus) and each.antenna == 1][-1]
    assert last.state == "failed" and "the PN532 does not" in last.detail
    chip.silent = False
    made.run(2200)
    assert last_sweep(made, 1) == (FOUR,)


def pn5180(*standards: str) -> dict[str, Any]:
    return {"chip": "pn5180", "spi": 1, "cs": 20, "busy": 21, "reset": 22, "standards": list(standards)}


@pytest.mark.parametrize("count", [0, 1, 2, 24])
def test_pn5180_reads_every_card_of_iso_15693(table: Callable[..., Table], count: int) -> None:
    chip = Pn5180(*ICODE[:count], busy_pin=21, reset_pin=22)
    made = started(table, chip, pn5180("iso15693"))
    made.run(30 * count)
    assert last_sweep(made, 1) == tuple(ICODE[:count])


def test_pn5180_tells_apart_cards_that_differ_in_their_highest_bits(table: Callable[..., Table]) -> None:
    alike = ("E004015000000001", "E104015000000001", "E004115000000001")
    made = started(table, Pn5180(*alike, busy_pin=21, reset_pin=22), pn5180("iso15693"))
    made.run(800)
    assert last_sweep(made, 1) == tuple(sorted(alike))


def test_pn5180_reads_cards_of_both_standards(table: Callable[..., Table]) -> None:
    uids = (FOUR, FOUR_LIKE, SEVEN, TEN, *ICODE[:2])
    made = started(table, Pn5180(*uids, busy_pin=21, reset_pin=22), pn5180("iso15693", "iso14443"))
    made.run(500)
    assert last_sweep(made, 1) == tuple(sorted(uids))


def test_pn5180_that_stays_busy_is_dead(table: Callable[..., Table]) -> None:
    chip = Pn5180(ICODE[0], busy_pin=21, reset_pin=22)
    made = started(table, chip, pn5180("iso15693"))
    chip.hangs = True
    made.run(300)
    last = [each for each in made.readings if isinstance(each, DeviceStatus) and each.antenna == 1][-1]
    assert (last.state, last.detail) == ("failed", "the PN5180 stays busy")
    chip.hangs = False
    made.run(2200)
    assert last_sweep(made, 1) == (ICODE[0],)
