"""`tablebridge firmware flash` with the real esptool, against an emulated ESP32 in its bootloader."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rig.esp32 import Bootloader
from rig.pty import Pty
from rig.wait import wait_for

from .test_command import espressif, refusal, run

IMAGE = espressif(0) + random.Random(32).randbytes(30_000) + bytes(20_000)


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[[Bootloader], Pty]]:
    made: list[Pty] = []

    def plug(bootloader: Bootloader) -> Pty:
        made.append(Pty(tmp_path / "ttyUSB0", bootloader))
        return made[-1]

    yield plug
    for each in made:
        each.unplug()


def words(tmp_path: Path, port: Pty) -> list[str]:
    image = tmp_path / "ESP32_GENERIC.bin"
    image.write_bytes(IMAGE)
    return ["flash", "--board", "esp32", "--port", str(port.link), "--json", str(image)]


def test_an_image_arrives_whole_on_an_erased_esp32(
    tmp_path: Path, plugged: Callable[[Bootloader], Pty]
) -> None:
    bootloader = Bootloader()
    result = run(*words(tmp_path, plugged(bootloader)))
    assert result.exit_code == 0, result.output + str(result.exception)
    assert json.loads(result.output)["bytes"] == len(IMAGE)
    assert bytes(bootloader.flash[0x1000 : 0x1000 + len(IMAGE)]) == IMAGE
    assert set(bootloader.flash[:0x1000]) == set(bootloader.flash[0x20000:]) == {0xFF}


def test_an_image_that_is_stored_wrongly_is_one_sentence(
    tmp_path: Path, plugged: Callable[[Bootloader], Pty]
) -> None:
    port = plugged(Bootloader(spoils=0x1100))
    assert refusal(*words(tmp_path, port)) == (
        f"{port.link}: what is on the board differs from the image: try again, perhaps with a shorter cable."
    )


def test_another_chip_is_one_sentence(tmp_path: Path, plugged: Callable[[Bootloader], Pty]) -> None:
    port = plugged(Bootloader("ESP32-S2"))
    assert refusal(*words(tmp_path, port)) == (
        f"{port.link}: the board is no ESP32 but an ESP32-S2: name it with --board."
    )


def test_a_cable_that_is_pulled_is_one_sentence(tmp_path: Path, plugged: Callable[[Bootloader], Pty]) -> None:
    class Pulled(Bootloader):
        def __call__(self, data: bytes) -> bytes:
            said = super().__call__(data)
            if self.commands.count(0x11) >= 1:
                port.cut_after = 0
            return said

    port = plugged(Pulled())
    assert refusal(*words(tmp_path, port)) == (
        f"{port.link}: the cable was pulled or the board lost its power: its image is not whole; "
        "plug it in, try again."
    )
    wait_for(lambda: not port.plugged, "the cable is out")
