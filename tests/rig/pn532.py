"""A small PN532 for tests, after NXP's user manual UM0701-02 and what nfcpy, libnfc and Adafruit's library
expect of a chip: it sleeps until woken by 55 55 or by a long preamble of zeros, takes normal and extended
frames, diagnoses itself, and looks for cards for ever unless its tries are set.

A card that was listed is active: it misses the first look and answers the next one (ISO 14443-3: a REQA sends
an active card back to idle). `halts`: InRelease halts a card, so that only the field off and on wakes it.
"""

import threading

_ACK = bytes.fromhex("0000FF00FF00")
_LONGEST_NORMAL = 255


def frame(body: bytes) -> bytes:
    """A frame as the chip sends it, extended if it must be."""
    size = len(body)
    if size <= _LONGEST_NORMAL:
        head = bytes((size, -size & 0xFF))
    else:
        head = b"\xff\xff" + size.to_bytes(2, "big") + bytes((-sum(size.to_bytes(2, "big")) & 0xFF,))
    return b"\0\0\xff" + head + body + bytes((-sum(body) & 0xFF, 0))


def _target(uid: bytes) -> bytes:
    """ATQA, SAK and UID of a MIFARE Classic (4 bytes) or an NTAG (7 bytes)."""
    return (b"\0\x44\0" if len(uid) == 7 else b"\0\x04\x08") + bytes((len(uid),)) + uid


class Pn532:
    """Call it with what the host sent. `put` lays cards of type A before it."""

    def __init__(self, *tags: str, halts: bool = False) -> None:
        self._lock = threading.Lock()
        self._tags = tags
        self._halts = halts
        self._selected: set[str] = set()
        self._halted: set[str] = set()
        self._awake = False
        self._tries = 0xFF
        self._buffer = b""
        self._registers: dict[bytes, int] = {}
        self.commands: list[int] = []
        self.nack_next = 0

    def put(self, *tags: str) -> None:
        """These cards, and no others, lie there from now on."""
        with self._lock:
            self._tags = tags
            self._selected &= set(tags)
            self._halted &= set(tags)

    def __call__(self, data: bytes) -> bytes:
        self._awake |= b"\x55\x55" in data or data.startswith(bytes(6))
        self._buffer += data
        said = b""
        while (begin := self._buffer.find(b"\0\xff")) >= 0 and len(self._buffer) > begin + 3:
            head, length, check = self._head(self._buffer[begin + 2 :])
            if head > len(self._buffer) - begin - 2:
                break
            if length == 0 or check & 0xFF:
                self._buffer = self._buffer[begin + 4 :]
                continue
            begin += 2 + head
            if len(self._buffer) < begin + length + 1:
                break
            body = self._buffer[begin : begin + length]
            good = sum(self._buffer[begin : begin + length + 1]) & 0xFF == 0
            self._buffer = self._buffer[begin + length + 1 :]
            if self._awake and length > 1 and body[0] == 0xD4:
                said += self._take(body[1], body[2:], good)
        return said

    @staticmethod
    def _head(data: bytes) -> tuple[int, int, int]:
        """How long the head of a frame is, the length that it says, and the sum that has to be zero."""
        if data[:2] != b"\xff\xff":
            return 2, data[0], data[0] + data[1]
        return 5, int.from_bytes(data[2:4], "big"), sum(data[2:5])

    def _take(self, command: int, data: bytes, good: bool) -> bytes:
        if not good:
            return frame(b"\x7f")
        if self.nack_next:
            self.nack_next -= 1
            return bytes.fromhex("0000FFFF0000")
        self.commands.append(command)
        told = self._do(command, data)
        return _ACK if told is None else _ACK + frame(bytes((0xD5, command + 1)) + told)

    def _do(self, command: int, data: bytes) -> bytes | None:
        match command:
            case 0x00:
                # Diagnose: 00 is a test of the line, which comes back; of ROM and RAM 00 is good.
                return data if data[:1] == b"\0" else b"\0"
            case 0x02:
                return bytes.fromhex("32010607")
            case 0x04:
                return bytes.fromhex("00010000")
            case 0x06:
                return bytes(self._registers.get(data[at : at + 2], 0) for at in range(0, len(data), 2))
            case 0x08:
                self._registers |= {data[at : at + 2]: data[at + 2] for at in range(0, len(data), 3)}
            case 0x32 if data[0] == 5:
                self._tries = data[3]
            case 0x32 if data[0] == 1 and not data[1] & 1:
                self._selected.clear()
                self._halted.clear()
            case 0x44 | 0x52:
                if self._halts:
                    self._halted |= self._selected
                self._selected.clear()
                return b"\0"
            case 0x16:
                self._awake = False
                return b"\0"
            case 0x42:
                return b"\x01"
            case 0x4A if data[1] == 0:
                return self._listed(data[0])
            case 0x4A:
                return None if self._tries == 0xFF else b"\0"
        return b""

    def _listed(self, most: int) -> bytes | None:
        """The cards of type A that answer."""
        with self._lock:
            ready = [tag for tag in self._tags if tag not in self._halted]
        there = [tag for tag in ready if tag not in self._selected]
        if not there and self._tries:
            there = ready
        self._selected = set(there[:most])
        if not there and self._tries == 0xFF:
            return None
        targets = (bytes((n,)) + _target(bytes.fromhex(tag)) for n, tag in enumerate(there[:most], 1))
        return bytes((len(there[:most]),)) + b"".join(targets)
