"""`tablebridge firmware`: a bare MicroPython becomes a board that reads; each error is one sentence."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
import serial
from click.testing import CliRunner, Result
from rig.boardport import plugged
from rig.mfrc522 import Mfrc522
from rig.microboard import BOARD, Microboard
from rig.pty import Pty

from tablebridge.cli import cli
from tablebridge.firmware.images import KINDS
from tablebridge.model.errors import TablebridgeError
from tablebridge.sdk.framing import crc_mcrf4xx

from .conftest import PICO_SPI
from .test_rc522 import FOUR

CONFIGURATION = {
    "name": "table-3",
    "spi": PICO_SPI,
    "chips": [{"antenna": 1, "chip": "rc522", "spi": 1, "cs": 20}],
}


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["firmware", *words])


def refusal(*words: str) -> str:
    result = run(*words)
    assert isinstance(result.exception, TablebridgeError), result.output
    return str(result.exception)


def board(folder: Path, chip: Mfrc522) -> Microboard:
    flash = folder / "flash"
    flash.mkdir()
    made = Microboard(flash)
    made.spi[1] = {20: chip}
    return made


def written(folder: Path, configuration: Any) -> str:
    file = folder / "mine.json"
    file.write_text(json.dumps(configuration))
    return str(file)


def test_from_bare_micropython_to_the_first_card(tmp_path: Path) -> None:
    """What it takes is printed: `pytest -s` shows it."""
    made = board(tmp_path, Mfrc522(FOUR))
    link = str(tmp_path / "ttyACM0")
    with plugged(made, Path(link)):
        begun = time.monotonic()
        result = run("config", "--port", link, "--json", written(tmp_path, CONFIGURATION))
        assert result.exit_code == 0, result.output + made.complaint()
        print(f"from bare MicroPython to the first card: {time.monotonic() - begun:.1f} s")
        said = json.loads(result.output)
        assert said["identity"].startswith("tablebridge-board/1 table-3 ")
        assert said["read"] == {"1": [FOUR]} and said["faults"] == []
        assert said["written"] == sum(1 for _ in BOARD.rglob("*.py")) + 1
        # Again, over the firmware that runs now: only what differs is written.
        again = run(
            "config", "--port", link, "--json", written(tmp_path, {**CONFIGURATION, "name": "table-4"})
        )
        assert again.exit_code == 0, again.output + made.complaint()
        said = json.loads(again.output)
        assert said["written"] == 1 and " table-4 " in said["identity"]
        shown = run("show", "--port", link)
        assert f"antenna 1: {FOUR}" in shown.output


def test_what_scales_read_is_no_fault(tmp_path: Path) -> None:
    body = b"v1,7,900,h,b/1 t 1,0,0,asked"
    hello = body + b"*%04X\n" % crc_mcrf4xx(body)
    said = hello + b"# scale of 25 reads -84000\n# scale of 5: no value for a second\n"
    port = Pty(tmp_path / "port", lambda data: said)
    try:
        shown = run("show", "--port", str(port.link))
    finally:
        port.unplug()
    assert "scale of 25: reads -84000\nwrong: scale of 5: no value for a second\n" in shown.output


def test_a_configuration_with_a_fault_never_reaches_the_board(tmp_path: Path) -> None:
    file = written(tmp_path, {**CONFIGURATION, "spi": {}})
    assert refusal("config", "--port", "/dev/null", file) == (
        f"{file}: chips[0]: spi: no bus 1 is described under spi."
    )


def test_no_port(tmp_path: Path) -> None:
    port = str(tmp_path / "none")
    assert refusal("show", "--port", port).startswith(f"{port} is not there: plug the board in;")


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    made = board(tmp_path, Mfrc522())
    link = str(tmp_path / "port")
    with plugged(made, Path(link)), serial.Serial(link, exclusive=True):
        assert "is taken by another program" in refusal("show", "--port", link)


def test_a_board_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablebridge.firmware.writing._PROMPT_S", 4.0)
    made = board(tmp_path, Mfrc522())
    link = str(tmp_path / "port")
    with plugged(made, Path(link)) as port:
        port.asleep = True
        assert "the board does not answer" in refusal("show", "--port", link)
        file = written(tmp_path, CONFIGURATION)
        assert "MicroPython does not answer" in refusal("config", "--port", link, file)


def uf2(family: int) -> bytes:
    block = bytes.fromhex("5546320a57515d9e00200000") + bytes(16) + family.to_bytes(4, "little")
    return block.ljust(508, b"\0") + bytes.fromhex("306fb10a")


def espressif(chip: int) -> bytes:
    return b"\xe9\x03\x02\x20" + bytes(8) + chip.to_bytes(2, "little") + bytes(50)


def test_an_image_for_another_board_is_refused(tmp_path: Path) -> None:
    image = tmp_path / "image"
    flash = ["flash", "--board", "pico", "--drive", str(tmp_path), str(image)]
    assert f"download the newest release from {KINDS['pico'].download}" in refusal(*flash)
    image.write_bytes(b"no image at all")
    assert "is no UF2 file" in refusal(*flash)
    image.write_bytes(uf2(0xE48BFF59))
    assert "is for Raspberry Pi Pico 2, not for Raspberry Pi Pico" in refusal(*flash)
    image.write_bytes(espressif(9))
    assert "is for ESP32-S3, not for ESP32:" in refusal(
        "flash", "--board", "esp32", "--port", "x", str(image)
    )


def test_a_pico_is_written_as_a_drive(tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.write_bytes(uf2(0xE48BFF56) * 300)
    drive = tmp_path / "RPI-RP2"
    drive.mkdir()
    flash = ["flash", "--board", "pico", "--drive", str(drive), "--json", str(image)]
    assert "hold BOOTSEL while you plug the Raspberry Pi Pico in" in refusal(*flash)
    (drive / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    assert json.loads(run(*flash).output)["bytes"] == 300 * 512
    assert (drive / "firmware.uf2").read_bytes() == image.read_bytes()


def test_an_esp32_that_does_not_answer_esptool(tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.write_bytes(espressif(0))
    made = board(tmp_path, Mfrc522())
    link = str(tmp_path / "port")
    with plugged(made, Path(link)) as port:
        port.asleep = True
        said = refusal("flash", "--board", "esp32", "--port", link, "--json", str(image))
    assert said == f"{link}: the board does not answer: hold its button BOOT, press EN, and try again."
