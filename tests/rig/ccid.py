"""ACS readers below libusb. Bytes by hand, apart from the driver."""

import struct

from rig.usb import BULK, CCID, INTERRUPT, UsbModel


class Acr(UsbModel):
    """What both kinds share: messages on two bulk endpoints. `put` lays cards on it. `hushed`: so many
    questions get no answer; `waits`: so many answers are preceded by a request for more time.
    """

    VENDOR, KIND = 0x072F, CCID
    ENDS = ((0x81, INTERRUPT, 8), (0x02, BULK, 64), (0x82, BULK, 64))

    def __init__(self, *tags: str) -> None:
        super().__init__()
        self.tags = tags
        self.hushed = self.waits = self.asked = 0

    def put(self, *tags: str) -> None:
        self.tags = tags

    def out(self, end: int, data: bytes) -> bool:
        if answer := self(data):
            self.push(0x82, answer)
        return True

    def __call__(self, frame: bytes) -> bytes:
        """The answer to one message: for tests without libusb, too."""
        if len(frame) < 10:
            return b""
        kind, length, _, number = struct.unpack_from("<BIBB", frame)
        self.asked += 1
        if self.hushed:
            self.hushed -= 1
            return b""
        told = b""
        if self.waits:
            self.waits -= 1
            told = struct.pack("<BIBBBBB", 0x80, 0, 0, number, 0x80, 1, 0)
        answer, status, data = self.answer(kind, frame[10 : 10 + length])
        error = 0xFE if status & 0x40 else 0x81
        return told + struct.pack("<BIBBBBB", answer, len(data), 0, number, status, error, 0) + data

    def answer(self, kind: int, data: bytes) -> tuple[int, int, bytes]:
        """Type, status and data of the answer."""
        raise NotImplementedError


class Acr122U(Acr):
    """ISO 14443A only, by the PN532 inside. `radio` False: the PN532 is dead."""

    PRODUCT, NAME = 0x2200, "ACR122U PICC Interface"
    radio = True
    _field = False

    def answer(self, kind: int, data: bytes) -> tuple[int, int, bytes]:
        if kind == 0x62:
            return 0x80, 0, b"\x3b\x00"
        if kind != 0x6F:
            return 0x83, 0x42, b""
        if data == bytes.fromhex("FF00480000"):
            return 0x80, 2, b"ACR122U203"
        if data == bytes.fromhex("FF00517F00"):
            return 0x80, 0, b"\x90\x7f"
        if data[:4] != b"\xff\0\0\0" or len(data) < 6 or data[4] != len(data) - 5 or data[5] != 0xD4:
            return 0x80, 0, b"\x63\x00"
        return 0x80, 0, self._radio(data[6:]) if self.radio else b""

    def _radio(self, command: bytes) -> bytes:
        if command[:1] == b"\x32":
            if command == b"\x32\x01\x00":
                self._field = False
            return b"\xd5\x33\x90\x00"
        if command != b"\x4a\x02\x00":
            return b"\x63\x27"
        # A card that was listed in this field stays silent until the field was off.
        heard, self._field = () if self._field else self.tags[:2], True
        listed = b"".join(
            bytes((number, 0, 4, 0x08, len(tag) // 2)) + bytes.fromhex(tag)
            for number, tag in enumerate(heard, 1)
        )
        return b"\xd5\x4b" + bytes((len(heard),)) + listed + b"\x90\x00"


class Acr1552U(Acr):
    """Looks for cards by itself and names one. `reverse`: gives the UID last byte first."""

    PRODUCT, NAME = 0x2308, "ACR1552 CL Reader"
    number = b"RR554-000123"
    """Sixteen bytes, as others read them; their content is composed. Empty: refused."""
    reverse = False

    def answer(self, kind: int, data: bytes) -> tuple[int, int, bytes]:
        card = 0 if self.tags else 2
        if kind == 0x6B and data == bytes.fromhex("E000001800"):
            text = b"ACR1552U-M1 1.03"
            return 0x83, card, b"\xe1\0\0\0" + bytes((len(text),)) + text
        if kind == 0x6B and data == bytes.fromhex("E000003300") and self.number:
            return 0x83, card, b"\xe1\0\0\0\x10" + self.number.ljust(16, b"\0")
        if kind == 0x6B:
            return 0x83, card | 0x40, b""
        if kind == 0x65:
            return 0x81, card, b""
        if card:
            return 0x80, 0x42, b""
        if kind == 0x62:
            return 0x80, 0, bytes.fromhex("3B8F8001804F0CA0000003060B00140000000077")
        if data == bytes.fromhex("FFCA000000"):
            uid = bytes.fromhex(self.tags[0])
            return 0x80, 0, (uid[::-1] if self.reverse else uid) + b"\x90\x00"
        return 0x80, 0, b"\x6a\x81"
