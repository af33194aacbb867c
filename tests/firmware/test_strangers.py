"""Drivers that other people wrote, unchanged, on our emulated chips: what a chip answers satisfies somebody
who never saw our firmware. Only the wires are ours: the SPI, I2C and pins that these drivers ask for.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from rig.nxp_pn532 import Pn532OnBus
from rig.nxp_pn5180 import Pn5180
from rig.sheets.hx711 import Hx711
from rig.sheets.pn532 import SheetPn532
from rig.sheets.pn5180 import SheetPn5180

FOUR, SEVEN, ICODE = "4B219622", "04A1B2C3D4E5F6", "E00401500A0B0C01"
_TRANSFER_US = 1000.0


class Wires:
    """An SPI and an I2C bus as `busio` and an output pin as `digitalio` have them, with `chip` at their other
    end. The chip's time is that of the wall, and each transfer takes a millisecond of it.
    """

    def __init__(self, chip: Any) -> None:
        self._chip = chip
        self._us = 0.0
        self._begun = time.monotonic()
        self.value = True

    def switch_to_output(self, value: bool = True) -> None:
        self.value = value

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def configure(self, **settings: object) -> None:
        assert settings["polarity"] == settings["phase"] == 0

    def write(self, data: bytes) -> None:
        self._chip.exchange(bytes(data), self._later())

    def write_readinto(self, data: bytes, answer: bytearray) -> None:
        answer[:] = self._chip.exchange(bytes(data), self._later())

    def writeto(self, address: int, data: bytes, **rest: object) -> None:
        assert address == 0x24
        if data:
            self._chip.written(bytes(data), self._later())

    def readfrom_into(self, address: int, data: bytearray, *, start: int = 0, end: int | None = None) -> None:
        assert address == 0x24
        size = (len(data) if end is None else end) - start
        data[start : start + size] = self._chip.read(size, self._later())

    def _later(self) -> float:
        self._us = max(self._us + _TRANSFER_US, (time.monotonic() - self._begun) * 1e6)
        return self._us


@pytest.mark.parametrize("chip", [Pn532OnBus, SheetPn532])
@pytest.mark.parametrize("uid", [FOUR, SEVEN])
def test_adafruits_driver_reads_a_card_through_a_pn532_by_spi(chip: type, uid: str) -> None:
    wires = Wires(chip(uid))
    pn532 = import_module("adafruit_pn532.spi").PN532_SPI(wires, wires)
    assert pn532.firmware_version == (0x32, 1, 6, 7)
    assert pn532.read_passive_target(timeout=1).hex().upper() == uid


@pytest.mark.parametrize("chip", [Pn532OnBus, SheetPn532])
def test_adafruits_driver_reads_a_card_through_a_pn532_by_i2c(chip: type) -> None:
    made = chip(SEVEN)
    # This driver does not wake the chip, so something has before.
    made.read(1, -10_000.0)
    pn532 = import_module("adafruit_pn532.i2c").PN532_I2C(Wires(made))
    assert pn532.firmware_version == (0x32, 1, 6, 7)
    assert pn532.read_passive_target(timeout=1).hex().upper() == SEVEN


class Pigpio:
    """What `pigpio.pi()` has, as far as the driver uses it. Pin 25 is BUSY, pin 7 RESET_N."""

    def __init__(self, chip: Any) -> None:
        self._chip = chip
        self._us = 0.0

    def later(self, seconds: float) -> None:
        """Let that much of the chip's time pass."""
        self._us += seconds * 1e6

    def spi_open(self, channel: int, baud: int, flags: int) -> int:
        assert flags == 0
        return 1

    def set_mode(self, pin: int, mode: int) -> None:
        pass

    def read(self, pin: int) -> int:
        self._us += _TRANSFER_US
        return int(self._chip.busy(self._us))

    def write(self, pin: int, level: int) -> None:
        self._chip.reset(level)

    def spi_write(self, bus: int, data: list[int]) -> None:
        self._us += _TRANSFER_US
        self._chip.exchange(bytes(data), self._us)

    def spi_read(self, bus: int, count: int) -> tuple[int, bytes]:
        self._us += _TRANSFER_US
        return count, self._chip.exchange(b"\xff" * count, self._us)


@pytest.fixture
def inventory(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], str | None]:
    """One reading by pn5180pi, whose sleeps are time of the chip. Its inventory has one slot (flags 26)."""
    module = import_module("pn5180.sensor")

    def read(chip: Any) -> str | None:
        wires = Pigpio(chip)
        monkeypatch.setattr(module, "sleep", wires.later)
        found: str | None = module.ISO15693Sensor(wires).read_tag()
        return found

    return read


@pytest.mark.parametrize("chip", [lambda *uids: Pn5180(*uids, busy_pin=25, reset_pin=7), SheetPn5180])
def test_pn5180pi_reads_a_card_of_iso_15693(inventory: Callable[[Any], str | None], chip: Any) -> None:
    said = [f"{byte:02x}" for byte in b"\0\0" + bytes.fromhex(ICODE)[::-1]]
    assert inventory(chip(ICODE)) == ":".join(said)
    assert inventory(chip()) is None


class Pin:
    """One of the two pins of an HX711, as `digitalio` has it; each access takes 2 us of the chip's time."""

    def __init__(self, load: "Load", name: str) -> None:
        self._load, self._name = load, name

    @property
    def value(self) -> int:
        self._load.us += 2
        return self._load.chip.data(self._load.us) if self._name == "data" else self._load.level

    @value.setter
    def value(self, level: int) -> None:
        self._load.us += 2
        self._load.level = level
        self._load.chip.clock(int(level))


class Load:
    """A load cell on an HX711. `raw`: what channel A measures with gain 128."""

    def __init__(self, raw: int) -> None:
        self.us = 0.0
        self.level = 0
        self.chip = Hx711(lambda us: raw, lambda: self.us)

    def later(self, us: float) -> None:
        """Let that much of the chip's time pass."""
        self.us += us


@pytest.mark.parametrize("raw", [0, 1, 84000, -84000, 0x7FFFFF, -0x800000, 0x800000])
def test_adafruits_driver_reads_an_hx711(raw: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its module `microcontroller` is of a board; here its waits are time of the chip."""
    load = Load(raw)
    board: Any = ModuleType("microcontroller")
    board.delay_us = load.later
    board.disable_interrupts = board.enable_interrupts = lambda: None
    monkeypatch.setitem(sys.modules, "microcontroller", board)
    pins: Any = ModuleType("digitalio")
    pins.DigitalInOut = Pin
    monkeypatch.setitem(sys.modules, "digitalio", pins)
    monkeypatch.delitem(sys.modules, "adafruit_hx711.hx711", raising=False)
    module: Any = import_module("adafruit_hx711.hx711")
    clock = SimpleNamespace(sleep=lambda seconds: load.later(seconds * 1e6))
    monkeypatch.setattr(module, "time", clock)
    cell = module.HX711(Pin(load, "data"), Pin(load, "clock"))
    saturated = max(-0x800000, min(0x7FFFFF, raw))
    for _ in range(3):
        assert cell.read() & 0xFFFFFF == saturated & 0xFFFFFF
    assert cell.read(module.HX711.CHAN_B_GAIN_32) & 0xFFFFFF == saturated & 0xFFFFFF
    assert load.chip.gain == ("B", 32) and load.chip.wrong_pulses == 0
    monkeypatch.delitem(sys.modules, "adafruit_hx711.hx711")
