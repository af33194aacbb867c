"""`tablebridge firmware flash` with the real esptool, against an emulated ESP32 in its bootloader, and an
ESP32-S3 and an ESP32-C3.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rig.esp32 import Bootloader
from rig.pty import Pty
from rig.wait import wait_for

from .test_command import espressif, refusal, run

BODY = random.Random(32).randbytes(30_000) + bytes(20_000)
IMAGE = espressif(0) + BODY
BOARDS = {
    "esp32": ("ESP32", 0, 0x1000),
    "esp32s3": ("ESP32-S3", 9, 0),
    "esp32c3": ("ESP32-C3", 5, 0),
}
"""By the board's name its chip, the chip's number in an image, and where the image begins."""


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[[Bootloader], Pty]]:
    made: list[Pty] = []

    def plug(bootloader: Bootloader) -> Pty:
        made.append(Pty(tmp_path / "ttyUSB0", bootloader))
        return made[-1]

    yield plug
    for each in made:
        each.unplug()


def words(tmp_path: Path, port: Pty, board: str = "esp32") -> list[str]:
    image = tmp_path / "ESP32_GENERIC.bin"
    image.write_bytes(espressif(BOARDS[board][1]) + BODY)
    return ["flash", "--board", board, "--port", str(port.link), "--json", str(image)]


@pytest.mark.parametrize("board", BOARDS)
def test_an_image_arrives_whole_on_an_erased_board(
    tmp_path: Path, plugged: Callable[[Bootloader], Pty], board: str
) -> None:
    chip, number, begin = BOARDS[board]
    image = espressif(number) + BODY
    bootloader = Bootloader(chip)
    result = run(*words(tmp_path, plugged(bootloader), board))
    assert result.exit_code == 0, result.output + str(result.exception)
    assert json.loads(result.output)["bytes"] == len(image)
    assert bytes(bootloader.flash[begin : begin + len(image)]) == image
    assert set(bootloader.flash[:begin]) <= {0xFF} and set(bootloader.flash[0x20000:]) == {0xFF}


def test_an_image_that_is_stored_wrongly_is_one_sentence(
    tmp_path: Path, plugged: Callable[[Bootloader], Pty]
) -> None:
    port = plugged(Bootloader(spoils=0x1100))
    assert refusal(*words(tmp_path, port)) == (
        f"{port.link}: what is on the board differs from the image: try again, perhaps with a shorter cable."
    )


@pytest.mark.parametrize(
    ("board", "chip"),
    [
        ("esp32", "ESP32-S2"),
        ("esp32", "ESP32-S3"),
        ("esp32", "ESP32-C3"),
        ("esp32s3", "ESP32"),
        ("esp32s3", "ESP32-C3"),
        ("esp32c3", "ESP32"),
        ("esp32c3", "ESP32-S3"),
    ],
)
def test_another_chip_is_one_sentence(
    tmp_path: Path, plugged: Callable[[Bootloader], Pty], board: str, chip: str
) -> None:
    bootloader = Bootloader(chip)
    port = plugged(bootloader)
    assert refusal(*words(tmp_path, port, board)) == (
        f"{port.link}: the board is no {BOARDS[board][0]} but an {chip}: name it with --board."
    )
    assert set(bootloader.flash) == {0x55}, "nothing was erased"


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
