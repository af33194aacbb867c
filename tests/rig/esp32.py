"""An ESP32 in its serial bootloader, for a pseudo-terminal: the ROM, and the flasher stub once it was sent.
Also an ESP32-S3 and an ESP32-C3.

Source: Espressif, "Serial Protocol" (docs.espressif.com/projects/esptool, advanced topics): SLIP, packets,
commands, checksum from EF, status of four bytes from the ROM and two from the stub, which greets with OHAI
and gives its MD5 as 16 bytes. Registers: the magic number at 40001000, SPI at 3FF42000 whose W0 gives the
flash's JEDEC number (EF 40 16: Winbond, 4 MB). An S3 and a C3 have other addresses (SPI at 60002000, UART at
60000000, as esptool's targets have them), and name themselves to command 14 by the number that images for
them have (`esp_chip_id_t`: 9, 5); an ESP32 does not know it. composed: all fuses are 0, and sent code is
never run.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterator

MAGIC = {"ESP32": 0x00F01D83, "ESP32-S2": 0x000007C6, "ESP32-S3": 0x00000009, "ESP32-C3": 0x1B31506F}
NUMBERS = {"ESP32-S3": 9, "ESP32-C3": 5}
_W0, _NEWER_W0 = 0x3FF42080, 0x60002058
_UART_CLOCK, _NEWER_UART_CLOCK, _CALIBRATION = 0x3FF40014, 0x60000014, 0x3FF5F06C
_FIRST, _ERASED, _ROM = 0xEF, 0xFF, 0x20120707
SIZE = 4 * 1024 * 1024


def _unpacked(packet: bytes) -> bytes:
    return packet.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")


def _packed(data: bytes) -> bytes:
    return b"\xc0" + data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


class Bootloader:
    """Call it with what the host sent. `flash`: what is on it. `spoils`: the place of a byte that is stored
    wrongly. `commands`: their numbers.
    """

    def __init__(self, chip: str = "ESP32", spoils: int | None = None) -> None:
        self.flash = bytearray(b"\x55" * SIZE)
        self.commands: list[int] = []
        self.stub = False
        self._spoils = spoils
        # 40 MHz: a divider of 347 at 115200 baud; the calibration counts 1.2 times as much in both.
        self._number = NUMBERS.get(chip)
        newer = self._number is not None
        self._registers = {
            0x40001000: MAGIC[chip],
            _NEWER_W0 if newer else _W0: 0x001640EF,
            _NEWER_UART_CLOCK if newer else _UART_CLOCK: 347,
            _CALIBRATION: 0x2710 << 7,
        }
        self._heard = b""
        self._at = self._end = 0
        self._inflate = zlib.decompressobj()

    def __call__(self, data: bytes) -> bytes:
        self._heard += data
        return b"".join(self._answers())

    def _answers(self) -> Iterator[bytes]:
        while (begin := self._heard.find(b"\xc0")) >= 0:
            end = self._heard.find(b"\xc0", begin + 1)
            if end < 0:
                return
            packet = _unpacked(self._heard[begin + 1 : end])
            self._heard = self._heard[end:] if not packet else self._heard[end + 1 :]
            if len(packet) >= 8 and packet[0] == 0x00:
                yield from self._answer(packet)

    def _answer(self, packet: bytes) -> Iterator[bytes]:
        _, command, size, check = struct.unpack("<BBHI", packet[:8])
        data = packet[8:]
        self.commands.append(command)
        if len(data) != size:
            return
        value, body, error = self._done(command, data, check)
        status = bytes((error != 0, error)) + bytes(0 if self.stub else 2)
        answer = struct.pack("<BBHI", 1, command, len(body) + len(status), value) + body + status
        # The ROM answers each SYNC eight times.
        yield _packed(answer) * (8 if command == 0x08 and not self.stub else 1)
        if command == 0x06:
            self.stub = True
            yield _packed(b"OHAI")

    def _done(self, command: int, data: bytes, check: int) -> tuple[int, bytes, int]:
        """Value, data and error of the answer."""
        match command:
            case 0x08:
                # By this value esptool knows the ROM; the stub says 0.
                return 0 if self.stub else _ROM, b"", 0
            case 0x04 | 0x05 | 0x06 | 0x0B | 0x0D | 0x0F | 0x12:
                return 0, b"", 0
            case 0x14 if self._number is not None:
                return 0, bytes(12) + struct.pack("<2I", self._number, 0), 0
            case 0x0A:
                return self._registers.get(int.from_bytes(data[:4], "little"), 0), b"", 0
            case 0x09:
                return 0, b"", 0
            case 0x02 | 0x10:
                size, _, _, self._at = struct.unpack("<4I", data[:16])
                self._end = min(SIZE, self._at + size)
                self._inflate = zlib.decompressobj()
                return 0, b"", 0
            case 0x03 | 0x07 | 0x11:
                return 0, b"", self._block(command, data, check)
            case 0x13:
                at, size = struct.unpack("<2I", data[:8])
                sum_ = hashlib.md5(self.flash[at : at + size])
                return 0, sum_.digest() if self.stub else sum_.hexdigest().encode(), 0
            case 0xD0 if self.stub:
                self.flash[:] = bytes((_ERASED,)) * SIZE
                return 0, b"", 0
        # "Received message is invalid".
        return 0, b"", 0x05

    def _block(self, command: int, data: bytes, check: int) -> int:
        block = data[16:]
        found = _FIRST
        for byte in block:
            found ^= byte
        if found != check & 0xFF or len(block) != int.from_bytes(data[:4], "little"):
            # "Checksum error".
            return 0x07
        if command != 0x07:
            content = self._inflate.decompress(block) if command == 0x11 else block
            content = content[: self._end - self._at]
            self.flash[self._at : self._at + len(content)] = content
            self._at += len(content)
            if self._spoils is not None and self._spoils < self._at:
                self.flash[self._spoils] ^= 0x01
                self._spoils = None
        return 0
