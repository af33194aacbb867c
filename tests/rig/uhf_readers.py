"""Small UHF readers for tests: one of the UHFReader18 family, one with A0 frames. Frames are built here by
hand.

Written after what others published: `UhfReader18` after the package uhfreader18 0.6.0 and answers that were
logged from an IQRFID-5102 (`05 00 01 FB F2 3D`, `13 00 01 01 01 0C …`) and an RRU9816
(`15 00 01 01 01 01 0C …`); `R2000` after bytes that were logged from an IND903.
"""

from rig.feig import crc
from rig.uhf import Tags


class UhfReader18(Tags):
    """Call it with what the host sent. `newer`: it names antenna and strength, as an RRU9816 does. `mode`: 0
    answers, 1 names tags by itself. `most`: so many tags fit into one answer. `number`: of newer readers;
    empty: it does not know the command.
    """

    def __init__(
        self,
        *tags: str,
        address: int = 0,
        newer: bool = False,
        most: int = 8,
        number: bytes = b"\x16\x02\x93\x55",
    ) -> None:
        self.number = number
        super().__init__(*tags)
        self._buffer = b""
        self.address, self.newer, self._most = address, newer, most
        self.power, self.mode, self.status = 30, 0, 0
        self.commands: list[int] = []

    def frame(self, command: int, status: int, data: bytes = b"") -> bytes:
        body = bytes((len(data) + 5, self.address, command, status)) + data
        return body + crc(body)

    def __call__(self, data: bytes) -> bytes:
        self._buffer += data
        said = b""
        while self._buffer and len(self._buffer) > self._buffer[0]:
            end = self._buffer[0] + 1
            asked, self._buffer = self._buffer[:end], self._buffer[end:]
            if len(asked) < 5 or crc(asked[:-2]) != asked[-2:]:
                self._buffer = b""
            elif asked[1] in (0xFF, self.address):
                said += self._answer(asked[2], asked[3:-2])
        return said

    def _answer(self, command: int, data: bytes) -> bytes:
        self.commands.append(command)
        match command:
            case 0x21:
                info = bytes((3, 1, 9, 2, 0x4E, 0, self.power, 10))
                return self.frame(command, 0, info)
            case 0x4C if self.number:
                return self.frame(command, 0, self.number)
            case 0x2F:
                self.power = data[0]
                return self.frame(command, 0)
            case 0x35:
                self.mode = data[0]
                return self.frame(command, 0)
            case 0x36:
                return self.frame(command, 0, bytes((0, 30, 10, 15, self.mode, 2, 1, 0, 4, 1, 8, 0)))
            case 0x01 if self.mode:
                return b""
            case 0x01 if self.status:
                return self.frame(command, self.status)
            case 0x01:
                return self._inventory()
        return self.frame(command, 0xFE)

    def _inventory(self) -> bytes:
        tags = self.there
        if not tags:
            return self.frame(0x01, 0xFB)
        parts = [tags[at : at + self._most] for at in range(0, len(tags), self._most)]
        return b"".join(
            self.frame(0x01, 0x01 if number == len(parts) else 0x03, self._records(part))
            for number, part in enumerate(parts, 1)
        )

    def _records(self, tags: tuple[str, ...]) -> bytes:
        rssi = b"\x45" if self.newer else b""
        head = b"\x01" if self.newer else b""
        named = b"".join(bytes((len(epc) // 2,)) + bytes.fromhex(epc) + rssi for epc in tags)
        return head + bytes((len(tags),)) + named

    def speak(self) -> bytes:
        """What it says by itself in scan mode: the data as somebody recorded them."""
        return self.frame(0xEE, 0, bytes.fromhex("2000708C2B380B2D00000000")) if self.mode else b""


class R2000(Tags):
    """Call it with what the host sent. `ports`: those with an antenna; tags lie on the first of them.
    `phase`: it names the phase of each tag, too. `number`: the identifier that it was given; all FF if none.
    """

    def __init__(
        self,
        *tags: str,
        address: int = 1,
        ports: tuple[int, ...] = (1,),
        phase: bool = False,
        number: bytes = bytes.fromhex("0A0B0C0D0E0F101112131415"),
    ) -> None:
        self.number = number
        super().__init__(*tags)
        self._buffer = b""
        self.address, self.ports, self.phase = address, ports, phase
        self.selected, self.power, self.error = 1, 0, 0
        self.commands: list[int] = []

    def frame(self, command: int, data: bytes) -> bytes:
        body = bytes((0xA0, len(data) + 3, self.address, command)) + data
        return body + bytes(((256 - sum(body) % 256) % 256,))

    def __call__(self, data: bytes) -> bytes:
        self._buffer += data
        said = b""
        while len(self._buffer) > 1 and len(self._buffer) >= self._buffer[1] + 2:
            end = self._buffer[1] + 2
            asked, self._buffer = self._buffer[:end], self._buffer[end:]
            if asked[0] != 0xA0 or sum(asked) % 256:
                self._buffer = b""
            elif asked[2] in (0xFF, self.address):
                said += self._answer(asked[3], asked[4:-1])
        return said

    def _answer(self, command: int, data: bytes) -> bytes:
        self.commands.append(command)
        match command:
            case 0x72:
                return self.frame(command, b"\x01\x09")
            case 0x68:
                return self.frame(command, self.number or b"\xff" * 12)
            case 0x74:
                self.selected = data[0] + 1
                return self.frame(command, b"\x10")
            case 0x76:
                self.power = data[0]
                return self.frame(command, b"\x10")
            case 0x89 if self.error:
                return self.frame(command, bytes((self.error,)))
            case 0x89 if self.selected not in self.ports:
                return self.frame(command, b"\x22")
            case 0x89:
                tags = self.there if self.selected == self.ports[0] else ()
                named = b"".join(self._named(epc) for epc in tags)
                ended = bytes((self.selected - 1,)) + b"\x00\x1d" + len(tags).to_bytes(4, "big")
                return named + self.frame(command, ended)
        return self.frame(command, b"\x41")

    def _named(self, epc: str) -> bytes:
        port = self.selected - 1
        control = (len(epc) // 4 << 11).to_bytes(2, "big")
        strength = bytes((0x45 | (port & 4) << 5,))
        phase = b"\x60\xb9" if self.phase else b""
        return self.frame(0x89, bytes((4 | port & 3,)) + control + bytes.fromhex(epc) + strength + phase)
