"""A small Eccel Pepper C1 for tests, plain or MUX. Its frames are built here by hand, from the notes of the
protocol.
"""

import threading

_TIMEOUT = bytes((0x03, 0x01))
_REFUSED = bytes((0x01, 0x11))


def crc(data: bytes) -> bytes:
    """CRC-16/CCITT-FALSE, low byte first."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value.to_bytes(2, "little")


def frame(payload: bytes) -> bytes:
    length = len(payload) + 2
    return (
        b"\xf5"
        + length.to_bytes(2, "little")
        + (0xFFFF - length).to_bytes(2, "little")
        + payload
        + crc(payload)
    )


class Pepper:
    """Call it with what the host sent. `put` lays tags on an antenna; a plain reader has antenna 0, a MUX has
    1 to 8.

    `events`: it polls by itself, until told not to, and says so between request and answer. `name`: as the
    vendor's package reads it, which is how a reader is called that nobody has named.
    """

    def __init__(
        self,
        antennas: int = 0,
        events: bool = False,
        address: int | None = None,
        name: bytes = b"Pepper_C1-1A6318",
    ) -> None:
        self.name = name
        self._address = address
        self._lock = threading.Lock()
        self._tags: dict[int, tuple[str, ...]] = {}
        self._antennas = antennas
        self._antenna = 1 if antennas else 0
        self._left: list[str] = []
        self._buffer = b""
        self.events = events
        self.refuses: set[int] = set()
        self.commands: list[int] = []

    def put(self, *tags: str, port: int = 0) -> None:
        """These tags, and no others, lie on the antenna from now on."""
        with self._lock:
            self._tags[port] = tags

    def __call__(self, data: bytes) -> bytes:
        self._buffer += data
        said = b""
        while (begin := self._buffer.find(b"\xf5")) >= 0 and len(self._buffer) >= begin + 5:
            length = int.from_bytes(self._buffer[begin + 1 : begin + 3], "little")
            if length + int.from_bytes(self._buffer[begin + 3 : begin + 5], "little") != 0xFFFF:
                self._buffer = self._buffer[begin + 1 :]
                continue
            if len(self._buffer) < begin + 5 + length:
                break
            payload, check = (
                self._buffer[begin + 5 : begin + 3 + length],
                self._buffer[begin + 3 + length : begin + 5 + length],
            )
            self._buffer = self._buffer[begin + 5 + length :]
            if crc(payload) == check and self._address is None:
                said += self._answer(payload[0], payload[1:])
            elif crc(payload) == check and payload[0] == self._address:
                said += self._answer(payload[1], payload[2:])
        return said

    def _answer(self, command: int, data: bytes) -> bytes:
        self.commands.append(command)
        event = self._frame(bytes((0xFE, 0x16)) + b"\x01" * 6) if self.events else b""
        if command == 0x06 and data == b"\0":
            self.events = False
        told = _REFUSED if command in self.refuses else self._do(command, data)
        if isinstance(told, tuple):
            return event + self._frame(bytes((0x00, command)) + told[0])
        return event + self._frame(bytes((0xFF, command)) + told)

    def _frame(self, payload: bytes) -> bytes:
        """An RS485 model puts its address before all that it says, too: the manual of 000537, 4.2."""
        return frame(payload if self._address is None else bytes((self._address,)) + payload)

    def _do(self, command: int, data: bytes) -> bytes | tuple[bytes]:
        """What an answer holds, in a tuple; an error bare."""
        with self._lock:
            tags = self._tags.get(self._antenna, ())
        match command:
            case 0x01 | 0x06:
                return (b"",)
            case 0x02:
                self._left = list(tags[:5])
                return (bytes((len(self._left),)),)
            case 0x03 if data[0] < len(self._left):
                return (b"\x01\x20" + bytes.fromhex(self._left[data[0]]),)
            case 0x0B:
                return (b"1.10",)
            case 0x13 if data == b"\0":
                return (b"\0\1\1" + bytes((len(self.name),)) + self.name,)
            case 0x0F if 1 <= data[0] <= self._antennas:
                self._antenna = data[0]
                return (b"",)
            case 0x90:
                self._left = list(tags)
                return self._icode()
            case 0x91:
                return self._icode()
        return _REFUSED

    def _icode(self) -> bytes | tuple[bytes]:
        if not self._left:
            return _TIMEOUT
        uid = bytes.fromhex(self._left.pop(0))
        return (uid[::-1] + b"\0" + bytes((bool(self._left),)),)
