"""Small UHF modules for tests: one of the M100 family, one that speaks as a Mercury. Frames are built here by
hand.
"""

import threading


def genibus(data: bytes) -> bytes:
    """CRC-16/GENIBUS, high byte first: what a Gen2 tag sends behind PC and EPC."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return (value ^ 0xFFFF).to_bytes(2, "big")


def tag_data(epc: str) -> bytes:
    """PC, EPC and CRC as a tag sends them."""
    data = (len(epc) // 4 << 11).to_bytes(2, "big") + bytes.fromhex(epc)
    return data + genibus(data)


class Tags:
    """What lies before a module."""

    def __init__(self, *tags: str) -> None:
        self._lock = threading.Lock()
        self._tags = tags

    def put(self, *tags: str) -> None:
        """These tags, and no others, lie there from now on."""
        with self._lock:
            self._tags = tags

    @property
    def there(self) -> tuple[str, ...]:
        with self._lock:
            return self._tags


class M100(Tags):
    """Call it with what the host sent. `begin`: AA for the R200's dialect. `wrong_crc`: it hands on no CRC of
    the tag.
    """

    def __init__(self, *tags: str, begin: int = 0xBB) -> None:
        super().__init__(*tags)
        self._begin = begin
        self._buffer = b""
        self.failure: int | None = None
        self.wrong_crc = False
        self.commands: list[int] = []

    def _frame(self, kind: int, command: int, data: bytes) -> bytes:
        body = bytes((kind, command)) + len(data).to_bytes(2, "big") + data
        return bytes((self._begin,)) + body + bytes((sum(body) % 256, 0x7E if self._begin == 0xBB else 0xDD))

    def __call__(self, data: bytes) -> bytes:
        self._buffer += data
        said = b""
        while (begin := self._buffer.find(bytes((self._begin, 0)))) >= 0 and len(self._buffer) >= begin + 7:
            end = begin + 7 + int.from_bytes(self._buffer[begin + 3 : begin + 5], "big")
            if len(self._buffer) < end:
                self._buffer = self._buffer if end < begin + 64 else self._buffer[begin + 1 :]
                break
            frame, self._buffer = self._buffer[begin:end], self._buffer[end:]
            if frame == self._frame(0, frame[2], frame[5:-2]):
                said += self._answer(frame[2])
        return said

    def _answer(self, command: int) -> bytes:
        self.commands.append(command)
        match command:
            case 0x03:
                return self._frame(1, 0x03, b"\0M100 26dBm V1.0")
            case 0xB6 | 0x28:
                return self._frame(1, command, b"\0")
            case 0x22 if self.failure is not None:
                return self._frame(1, 0xFF, bytes((self.failure,)))
            case 0x22 if self.there:
                told = [tag_data(epc) for epc in self.there]
                return b"".join(
                    self._frame(2, 0x22, b"\xc9" + (data[:-2] + b"\0\0" if self.wrong_crc else data))
                    for data in told
                )
            case 0x22:
                return self._frame(1, 0xFF, b"\x15")
        return self._frame(1, 0xFF, b"\x17")


def mercury_crc(data: bytes) -> bytes:
    """The CRC of Mercury modules, bit by bit as their makers describe it."""
    value = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            value = (value << 1 | byte >> bit & 1) ^ (0x1021 if value & 0x8000 else 0)
            value &= 0xFFFF
    return value.to_bytes(2, "big")


class Mercury(Tags):
    """Call it with what the host sent; `speak()` gives what it says by itself in a round of its stream.

    `booted` False: its boot loader runs. `streaming`: it was left so by somebody. A module that was powered
    has no region, no antennas, and its read filter names each tag once; `used` is one that somebody has set
    up already. `regions`: codes of those that it has (a Nano's, by SparkFun's library). `ports`: its
    antennas. `filters` False: an M5e, which has no filter.

    Written after the dialogue of SparkFun's library with a Nano and the vendor's C sources; what it answers
    if it is to read without antennas (0507) is composed. `number`: in the form that `getSerialNumber` of
    those sources reads; empty: refused.
    """

    def __init__(
        self,
        *tags: str,
        booted: bool = True,
        streaming: bool = False,
        used: bool = False,
        regions: bytes = bytes.fromhex("0D 0E 04 05 06 08 09 0B 0C FF"),
        ports: int = 1,
        filters: bool = True,
        number: bytes = b"2516012345",
    ) -> None:
        self.number = number
        super().__init__(*tags)
        self._buffer = b""
        self.regions, self.ports, self._filters = regions, ports, filters
        self.status = 0
        self.opcodes: list[int] = []
        self.requests: list[tuple[int, bytes]] = []
        self.power_up(booted)
        self.streaming = streaming
        if used:
            self.region, self.antenna, self.searched, self.filtering = regions[0], 1, [1], False

    def power_up(self, booted: bool = True) -> None:
        """It is powered: all that it was set to is forgotten."""
        self.booted, self.streaming = booted, False
        self.region, self.antenna, self.searched, self.filtering = 0, 0, [], self._filters
        self._named: set[str] = set()

    @staticmethod
    def frame(opcode: int, status: int, data: bytes = b"") -> bytes:
        body = bytes((len(data), opcode)) + status.to_bytes(2, "big") + data
        return b"\xff" + body + mercury_crc(body)

    def __call__(self, data: bytes) -> bytes:
        self._buffer += data
        said = b""
        while (begin := self._buffer.find(b"\xff")) >= 0 and len(self._buffer) >= begin + 2:
            end = begin + 5 + self._buffer[begin + 1]
            if len(self._buffer) < end:
                self._buffer = self._buffer if end < begin + 64 else self._buffer[begin + 1 :]
                break
            frame = self._buffer[begin:end]
            good = mercury_crc(frame[1:-2]) == frame[-2:]
            self._buffer = self._buffer[end if good else begin + 1 :]
            if good:
                said += self._answer(frame[2], frame[3:-2])
        return said

    def _answer(self, opcode: int, data: bytes) -> bytes:
        self.opcodes.append(opcode)
        self.requests.append((opcode, data))
        version = bytes.fromhex("0710230001000003201410070107020900000010")
        if opcode == 0x04:
            self.booted = True
            return self.frame(4, 0, version)
        if not self.booted and opcode != 0x2F:
            return self.frame(opcode, 0x0101)
        match opcode:
            case 0x03:
                return self.frame(3, 0, version)
            case 0x10 if data == b"\0\x40" and self.number:
                return self.frame(0x10, 0, b"\0\x40\0" + bytes((len(self.number),)) + self.number)
            case 0x10:
                return self.frame(0x10, 0x0101)
            case 0x61:
                # An M5e names its only port, to which nothing that it could measure is connected.
                return self.frame(0x61, 0, data + b"\x01\x00")
            case 0x67:
                return self.frame(0x67, 0, bytes((self.region,)))
            case 0x71:
                return self.frame(0x71, 0, self.regions)
            case 0x91 | 0x97 | 0x9A:
                return self.frame(opcode, self._set(opcode, data))
            case 0x2F if data[2] == 1:
                self._named = set()
                fault = self._reads(self.searched)
                self.streaming = not fault
                return self.frame(opcode, fault)
            case 0x2F:
                self.streaming = False
            case 0x21:
                return self._single()
        return self.frame(opcode, 0)

    def _set(self, opcode: int, data: bytes) -> int:
        """Sets it to something, and gives the status."""
        if opcode == 0x97:
            known = data[0] in self.regions
            self.region = data[0] if known else self.region
            return 0 if known else 0x010B
        if opcode == 0x9A:
            if not self._filters:
                return 0x0105
            self.filtering = data[2] == 1 if data[:2] == b"\1\x0c" else self.filtering
            return 0
        listed = data[1::2] if len(data) % 2 else data[:1]
        if any(not 1 <= port <= self.ports for port in listed):
            return 0x0507
        if len(data) % 2:
            self.searched = list(listed)
        else:
            self.antenna = listed[0]
        return 0

    def _reads(self, ports: list[int]) -> int:
        """The status of a start of reading on these ports."""
        if not self.region:
            return 0x010B
        return 0 if ports and all(ports) else 0x0507

    def _single(self) -> bytes:
        fault = self.status or self._reads([self.antenna]) or (0 if self.there else 0x0400)
        if fault:
            return self.frame(0x21, fault)
        epc = self.there[self.opcodes.count(0x21) % len(self.there)]
        return self.frame(0x21, 0, tag_data(epc)[2:])

    def speak(self) -> bytes:
        """One record for each tag, then the sign of life. The read filter names a tag once."""
        if not self.streaming:
            return b""
        if self.status:
            return self.frame(0x22, self.status)
        tags = [epc for epc in self.there if not self.filtering or epc not in self._named]
        self._named |= set(tags)
        return b"".join(
            self.frame(0x22, 0, self.record(epc, port)) for port in self.searched for epc in tags
        ) + self.frame(0x22, 0x0400)

    @staticmethod
    def record(epc: str, port: int) -> bytes:
        """The record of a tag in a stream. Antenna 16 has no room: it is sent as 0."""
        head = bytes.fromhex("10001B01FF0101") + bytes((0xC4, (port & 15) << 4 | port & 15))
        rest = bytes.fromhex("0E1640000001270000050000") + b"\x0f"
        return head + rest + (len(tag_data(epc)) * 8).to_bytes(2, "big") + tag_data(epc)
