"""Images of MicroPython: which file each board needs, and whether a file is one."""

from pathlib import Path
from typing import Final

import msgspec

from tablebridge.model.errors import ConfigError

LARGEST: Final = 16 * 1024 * 1024
_ESP_MAGIC: Final = 0xE9
_UF2_MAGIC: Final = b"UF2\n\x57\x51\x5d\x9e"
_UF2_BLOCK: Final = 512


class BoardKind(msgspec.Struct, frozen=True):
    """A kind of board. `download`: where its official image is. `number`: the chip's in an image of
    Espressif, the family's in a UF2 file. `offset`: where esptool writes it; None for a board that is a
    drive.
    """

    name: str
    title: str
    download: str
    number: int
    offset: int | None = None


_SITE: Final = "https://micropython.org/download/"
KINDS: Final = {
    kind.name: kind
    for kind in (
        BoardKind("esp32", "ESP32", _SITE + "ESP32_GENERIC/", 0, 0x1000),
        BoardKind("esp32s3", "ESP32-S3", _SITE + "ESP32_GENERIC_S3/", 9, 0),
        BoardKind("esp32c3", "ESP32-C3", _SITE + "ESP32_GENERIC_C3/", 5, 0),
        BoardKind("pico", "Raspberry Pi Pico", _SITE + "RPI_PICO/", 0xE48BFF56),
        BoardKind("pico2", "Raspberry Pi Pico 2", _SITE + "RPI_PICO2/", 0xE48BFF59),
    )
}
"""Source of the numbers: Espressif's ESP-IDF, `esp_chip_id_t`; the UF2 families list of Microsoft."""


def check_image(kind: BoardKind, image: Path) -> bytes:
    """The content of an image for this kind of board. Raises ConfigError if it is not one."""
    get = f"download the newest release from {kind.download}"
    try:
        with image.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ConfigError(f"{image}: {error.strerror}: {get} and name that file.") from None
    if len(data) > LARGEST:
        raise ConfigError(f"{image} is larger than any image of MicroPython: {get}.")
    number = _uf2_family(data) if kind.offset is None else _espressif_chip(data)
    if number is None:
        what = "UF2 file" if kind.offset is None else "image for an ESP32"
        raise ConfigError(f"{image} is no {what}: {get}.")
    if number != kind.number:
        other = next((each for each in KINDS.values() if each.number == number), None)
        named = other.title if other else "another board"
        raise ConfigError(f"{image} is for {named}, not for {kind.title}: {get}.")
    return data


def _uf2_family(data: bytes) -> int | None:
    if len(data) < _UF2_BLOCK or len(data) % _UF2_BLOCK or not data.startswith(_UF2_MAGIC):
        return None
    return int.from_bytes(data[28:32], "little")


def _espressif_chip(data: bytes) -> int | None:
    if len(data) < 24 or data[0] != _ESP_MAGIC:
        return None
    return int.from_bytes(data[12:14], "little")
