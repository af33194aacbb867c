"""The file on the board: what is wrong is named, and the rest goes on."""

import json
import runpy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig.documents import ROOT
from rig.mfrc522 import Mfrc522

from tablebridge.sdk import DeviceStatus
from tablebridge_firmware.board.table import configuration

from .conftest import PICO_SPI, Table
from .test_rc522 import FOUR, last_sweep

RC522 = {"antenna": 1, "chip": "rc522", "spi": 1, "cs": 20}


def faults(**keys: Any) -> list[str]:
    return list(configuration.read(json.dumps({"spi": PICO_SPI, **keys})).faults)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"chip": []}, "chip: no such key; the keys are chips contacts i2c name scales shuffler spi"),
        ({"name": "a,b"}, "name: 1 to 32 letters and digits without blank or comma"),
        ({"chips": [{**RC522, "cs": 99}]}, "chips[0]: cs: a whole number from 0 to 48"),
        ({"chips": [{**RC522, "cs": True}]}, "chips[0]: cs: a whole number from 0 to 48"),
        ({"chips": [{**RC522, "spi": 0}]}, "chips[0]: spi: no bus 0 is described under spi"),
        ({"chips": [{**RC522, "chip": "rc523"}]}, "chips[0]: chip is one of pn5180 pn532 rc522"),
        ({"chips": [RC522, {**RC522, "cs": 21}]}, "chips[1]: antenna 1 is there twice"),
        ({"chips": [{"antenna": 1, "chip": "pn532"}]}, "chips[0]: spi or i2c: a pn532 is on one of them"),
        ({"contacts": [{"number": 1}]}, "contacts[0]: pin is missing"),
        ({"contacts": [{"number": 1, "pin": 2, "closed": 1}]}, "contacts[0]: closed: low or high"),
        ({"shuffler": {}}, "shuffler.says: what ready and jam and started look like is missing"),
    ],
)
def test_a_fault_names_its_key(keys: dict[str, Any], sentence: str) -> None:
    assert faults(**keys) == [sentence]


RESERVED = {
    "board-esp32s3": {0, 3, 45, 46, 19, 20, *range(26, 38), 43, 44},
    "board-esp32c3": {2, 8, 9, *range(12, 18), 18, 19, 20, 21},
}
"""Pins that decide how the chip starts, of its flash and memory, of its USB and of its first serial line, by
ESP-IDF on each chip's pins.
"""


@pytest.mark.parametrize("name", RESERVED)
def test_an_example_takes_no_pin_that_the_chip_needs_itself(name: str) -> None:
    board = json.loads((ROOT / "docs" / "examples" / f"{name}.json").read_text())
    buses = [*board["spi"].values(), *board["i2c"].values()]
    used = [pin for bus in buses for key, pin in bus.items() if key != "baud"]
    used += [chip["cs"] for chip in board["chips"] if "cs" in chip]
    used += [contact["pin"] for contact in board["contacts"]]
    assert len(used) == len(set(used)) and not set(used) & RESERVED[name]


@pytest.mark.parametrize(
    "name",
    ["board-pico", "board-esp32", "board-esp32s3", "board-esp32c3", "board-pn5180", "board-shuffler"],
)
def test_the_examples_are_without_fault_and_drawn_as_they_are(name: str) -> None:
    text = (ROOT / "docs" / "examples" / f"{name}.json").read_text()
    assert configuration.read(text).faults == []
    made = runpy.run_path(str(ROOT / "docs" / "wiring.py"))
    drawn = made["picture"](name)
    assert (ROOT / "docs" / "images" / f"{name}.svg").read_text() == drawn, "run: python docs/wiring.py"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["chips", "chip", "antenna", "spi", "cs", "contacts", "pin", "shuffler", "says", "lamps"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(json_values)
def test_no_file_raises(value: Any) -> None:
    assert configuration.read(json.dumps(value)) is not None


def test_the_rest_goes_on_and_the_host_knows_why(table: Callable[..., Table]) -> None:
    made = table(
        {"name": "half", "spi": PICO_SPI, "chips": [RC522, {"antenna": 2, "chip": "rc522", "spi": 1}]}
    )
    made.board.spi[1] = {20: Mfrc522(FOUR)}
    made.board.power()
    made.connect()
    made.run(400)
    assert last_sweep(made, 1) == (FOUR,)
    assert any(each == "# chips[1]: cs is missing" for each in made.lines)
    states = [each for each in made.readings if isinstance(each, DeviceStatus) and each.state == "degraded"]
    assert states[-1].detail == "chips[1]: cs is missing"


@pytest.mark.parametrize("text", ["", "{", "[]", "x" * 20000])
def test_a_file_that_is_none_is_one_sentence(table: Callable[..., Table], text: str) -> None:
    made = table(text)
    made.board.power()
    made.connect()
    made.run(300)
    assert any(",e,degraded,board.json is" in each for each in made.lines)
    assert made.board.complaint() == ""


def test_a_pin_that_the_board_refuses_takes_only_its_own_antenna_away(table: Callable[..., Table]) -> None:
    made = table({"spi": PICO_SPI, "chips": [RC522, {**RC522, "antenna": 2, "cs": 21}]})
    made.board.spi[1] = {20: Mfrc522(FOUR), 21: Mfrc522()}
    made.board.refused_pins = {21}
    made.board.power()
    made.connect()
    made.run(300)
    assert last_sweep(made, 1) == (FOUR,)
    assert any("antenna 2: cs: the board refuses the pin" in each for each in made.lines)
