"""A PN532 as its user manual describes it; written beside `rig.nxp_pn532`, which it never saw.

Source: NXP, UM0701-02 rev. 02: frames 6.2.1, I2C 6.2.4 and SPI 6.2.5 with their ready bits, commands
GetFirmwareVersion 7.2.2, SAMConfiguration 7.2.10, RFConfiguration 7.3.1, InListPassiveTarget 7.3.5. The
manual itself could not be had; its facts are those of Adafruit_PN532 (adafruit/Adafruit-PN532), of the
package adafruit_pn532 2.4.9 and of descriptions of the manual.

A PN532/C106 begins in a mode for a low battery, which SAMConfiguration ends (AN10609_3, as libnfc has it).

composed: that it answers nothing else in that mode; times (ACK after 0.5 ms, 6 ms per try), the byte that
follows a frame's end (0xAA), and that the second card listed stays halted until the field goes.
"""

_ACK = bytes.fromhex("0000ff00ff00")
_NACK = bytes.fromhex("0000ffff0000")
_ERROR = bytes.fromhex("0000ff01ff7f8100")
_ACK_US, _COMMAND_US, _TRY_US, _WAKE_US = 500, 1000, 6000, 2000


def turned(data: bytes) -> bytes:
    """Bits of each byte the other way round: this chip's SPI has the lowest first."""
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


class SheetPn532:
    """The chip and the cards on its antenna, for both of its buses."""

    def __init__(self, *uids: str) -> None:
        self.uids = list(uids)
        self._halted: set[str] = set()
        self._awake_us: float | None = None
        self._retries = 0xFF
        self._normal = False
        self._out: list[tuple[float, bytes]] = []

    def lay(self, *uids: str) -> None:
        """Now these cards lie on the antenna, and no others."""
        self.uids = list(uids)

    def deselected(self) -> None:
        """NSS goes high."""

    def exchange(self, sent: bytes, us: float) -> bytes:
        """6.2.5: the first byte says whether data is written (01), or status (02) or data (03) read."""
        if not self._awake(us):
            return b"\xff" * len(sent)
        sent = turned(sent)
        if sent[0] == 0x01:
            self._heard(sent[1:], us)
            return b"\xff" * len(sent)
        if sent[0] == 0x02:
            return turned(bytes((0xFF, *[self._ready(us)] * (len(sent) - 1))))
        if sent[0] == 0x03:
            return turned(b"\xff" + self._taken(len(sent) - 1, us))
        return b"\xff" * len(sent)

    def written(self, data: bytes, us: float) -> None:
        """I2C, address 48h."""
        if self._awake(us):
            self._heard(data, us)

    def read(self, count: int, us: float) -> bytes:
        """I2C, address 49h. 6.2.4: the first byte is the status; a frame follows if it is ready."""
        ready = self._awake(us) and self._ready(us)
        if count == 1 or not ready:
            return bytes((int(ready),)) + b"\xaa" * (count - 1)
        return b"\x01" + self._taken(count - 1, us)

    def _awake(self, us: float) -> bool:
        """The first that it notices wakes it; what comes until its clock runs is lost."""
        if self._awake_us is None:
            self._awake_us = us + _WAKE_US
        return us >= self._awake_us

    def _ready(self, us: float) -> bool:
        return bool(self._out) and us >= self._out[0][0]

    def _taken(self, count: int, us: float) -> bytes:
        frame = self._out.pop(0)[1] if self._ready(us) else b""
        return (frame + b"\xaa" * count)[:count]

    def _heard(self, data: bytes, us: float) -> None:
        at = data.find(b"\x00\xff")
        if at < 0 or len(data) < at + 5:
            return
        if data[at - 1 : at + 5] in (_ACK, _NACK):
            self._out.clear()
            return
        size, check = data[at + 2], data[at + 3]
        body = data[at + 4 : at + 4 + size]
        if (size + check) & 0xFF or len(data) < at + 5 + size or (sum(body) + data[at + 4 + size]) & 0xFF:
            return
        self._normal |= body[:3] == b"\xd4\x14\x01"
        if not self._normal:
            return
        self._out = [(us + _ACK_US, _ACK)]
        took_us, answer = self._answer(body)
        if answer is None:
            self._out.append((us + took_us, _ERROR))
        elif answer:
            head = bytes((0, 0, 0xFF, len(answer), -len(answer) & 0xFF))
            self._out.append((us + took_us, head + answer + bytes((-sum(answer) & 0xFF, 0))))

    def _answer(self, body: bytes) -> tuple[float, bytes | None]:
        """How long it takes and what it answers: None for a syntax error, nothing while it goes on."""
        command, data = body[1:2], body[2:]
        if body[:1] != b"\xd4":
            return _COMMAND_US, None
        if command == b"\x02" and not data:
            return _COMMAND_US, b"\xd5\x03\x32\x01\x06\x07"
        if command == b"\x14" and 2 <= len(data) <= 3 and data[0] in (1, 2, 3, 4):
            return _COMMAND_US, b"\xd5\x15"
        if command == b"\x32" and data[:1] == b"\x05" and len(data) == 4:
            self._retries = data[3]
            return _COMMAND_US, b"\xd5\x33"
        if command == b"\x32" and data[:1] == b"\x01" and len(data) == 2:
            if not data[1] & 1:
                self._halted.clear()
            return _COMMAND_US, b"\xd5\x33"
        if command == b"\x4a" and len(data) == 2 and data[0] in (1, 2) and data[1] == 0:
            return self._listed(data[0])
        return _COMMAND_US, None

    def _listed(self, most: int) -> tuple[float, bytes]:
        there = [uid for uid in self.uids if uid not in self._halted][:most]
        if not there:
            # Table of MxRtyPassiveActivation: FFh tries for ever, 00h once, 01h twice.
            return ((self._retries + 1) * _TRY_US, b"\xd5\x4b\x00") if self._retries != 0xFF else (0, b"")
        self._halted.update(there[:-1])
        found = bytes((0xD5, 0x4B, len(there)))
        for number, uid in enumerate(there, 1):
            raw = bytes.fromhex(uid)
            found += bytes((number, 0x00, {4: 0x04, 7: 0x44, 10: 0x84}[len(raw)], 0x00, len(raw))) + raw
        return _TRY_US * len(there), found
