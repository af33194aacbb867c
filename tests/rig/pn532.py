"""A small PN532 for tests. It sleeps until woken, selects what it lists, and looks for ever unless told its
tries.
"""

import threading

_ACK = bytes.fromhex("0000FF00FF00")


def frame(body: bytes) -> bytes:
    return b"\0\0\xff" + bytes((len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Pn532:
    """Call it with what the host sent. `put` lays cards of type A before it."""

    def __init__(self, *tags: str) -> None:
        self._lock = threading.Lock()
        self._tags = tags
        self._selected: set[str] = set()
        self._awake = False
        self._tries = 0xFF
        self._buffer = b""
        self.commands: list[int] = []
        self.nack_next = 0

    def put(self, *tags: str) -> None:
        """These cards, and no others, lie there from now on."""
        with self._lock:
            self._tags = tags
            self._selected &= set(tags)

    def __call__(self, data: bytes) -> bytes:
        self._awake |= b"\x55\x55" in data
        self._buffer += data
        said = b""
        while (begin := self._buffer.find(b"\0\xff")) >= 0 and len(self._buffer) > begin + 3:
            length, check = self._buffer[begin + 2 : begin + 4]
            if (length, check) == (0, 0xFF) or length + check != 256:
                self._buffer = self._buffer[begin + 4 :]
                continue
            if len(self._buffer) < begin + length + 5:
                break
            body = self._buffer[begin + 4 : begin + 4 + length]
            good = sum(self._buffer[begin + 4 : begin + 5 + length]) & 0xFF == 0
            self._buffer = self._buffer[begin + 5 + length :]
            if self._awake and length > 1 and body[0] == 0xD4:
                said += self._take(body[1], body[2:], good)
        return said

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
            case 0x02:
                return bytes.fromhex("32010607")
            case 0x32 if data[0] == 5:
                self._tries = data[3]
            case 0x32 if data[:2] == b"\1\0":
                self._selected.clear()
            case 0x52:
                self._selected.clear()
                return b"\0"
            case 0x4A:
                with self._lock:
                    there = [tag for tag in self._tags if tag not in self._selected][: data[0]]
                self._selected.update(there)
                if not there and self._tries == 0xFF:
                    return None
                targets = (
                    bytes((n, 0, 4, 8, len(tag) // 2)) + bytes.fromhex(tag) for n, tag in enumerate(there, 1)
                )
                return bytes((len(there),)) + b"".join(targets)
        return b""
