"""A small FEIG reader for tests: it answers inventories with the tags that lie on it. Its frames are built
here by hand.
"""

import threading

from rig.usb import BULK, VENDOR, UsbModel

_OK, _NO_TAG, _VERSION = 0x00, 0x01, bytes.fromhex("030200004C0008")


def crc(data: bytes) -> bytes:
    """CRC-16/MCRF4XX, low byte first."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return value.to_bytes(2, "little")


class Feig:
    """Call it with what the host sent. `put` lays tags (UIDs in hex) on the antenna; `inventories` counts
    answers. `address`: its own; None answers to all, as one that is asked with FF does. `number`: its own; an
    older reader has none. What follows the number is composed: zeros, as many bytes as FEDM reads.
    """

    def __init__(self, *tags: str, address: int | None = None, number: bytes = b"\x0b\xa7\x5e\x01") -> None:
        self._address, self.number = address, number
        self._lock = threading.Lock()
        self._tags = tags
        self._buffer = b""
        self.inventories = 0
        # Block 1 as somebody logged it: 38400 baud, even parity, inventories of up to 400 ms.
        self.blocks = {1: bytes.fromhex("0000080100050004000000000000")}

    def put(self, *tags: str) -> None:
        """These tags, and no others, lie on the antenna from now on."""
        with self._lock:
            self._tags = tags

    def __call__(self, data: bytes) -> bytes:
        self._buffer += data
        answers = b""
        while self._buffer and len(self._buffer) >= self._buffer[0]:
            length = self._buffer[0]
            frame, self._buffer = self._buffer[:length], self._buffer[length:]
            if length < 5 or crc(frame[:-2]) != frame[-2:]:
                self._buffer = b""
                break
            if self._address in (None, frame[1]) or frame[1] == 0xFF:
                answers += self._addressed(self._answer(frame[2], frame[3:-2]))
        return answers

    def _addressed(self, answer: bytes) -> bytes:
        body = answer[:1] + bytes((self._address or 0,)) + answer[2:-2]
        return body + crc(body)

    def _answer(self, control: int, data: bytes) -> bytes:
        match control:
            case 0xB0 if data[:1] == b"\x01":
                with self._lock:
                    tags = self._tags
                self.inventories += 1
                if not tags:
                    return _frame(control, _NO_TAG)
                records = b"".join(b"\x03\x00" + bytes.fromhex(tag) for tag in tags)
                return _frame(control, _OK, bytes((len(tags),)) + records)
            case 0x65:
                return _frame(control, _OK, _VERSION)
            case 0x66 if data == b"\x80":
                return _frame(control, _OK, self.number + bytes(26)) if self.number else _frame(control, 0x80)
            case 0x66:
                return _frame(control, _OK, _VERSION + bytes.fromhex("01400140"))
            case 0x80:
                return _frame(control, _OK, bytes(self.blocks.setdefault(data[0] & 0x3F, bytes(14))))
            case 0x81:
                self.blocks[data[0] & 0x3F] = data[1:]
                return _frame(control, _OK)
            case 0x52 | 0x69 | 0x6A:
                return _frame(control, _OK)
            case _:
                return _frame(control, 0x80)


class FeigUsb(UsbModel):
    """The reader over USB: the same bytes over a pair of bulk endpoints, long answers in several packets."""

    VENDOR, PRODUCT, KIND, NAME = 0x0AB1, 0x0004, VENDOR, "ID ISC.MR101-U"
    ENDS = ((0x81, BULK, 64), (0x02, BULK, 64))

    def __init__(self, *tags: str) -> None:
        super().__init__()
        self.reader = Feig(*tags)

    def put(self, *tags: str) -> None:
        self.reader.put(*tags)

    def out(self, end: int, data: bytes) -> bool:
        answer = self.reader(data)
        for at in range(0, len(answer), 64):
            self.push(0x81, answer[at : at + 64])
        return True


def _frame(control: int, status: int, data: bytes = b"") -> bytes:
    body = bytes((len(data) + 6, 0, control, status)) + data
    return body + crc(body)
