"""An MFRC522 as its data sheet describes it; written beside `rig.mfrc522`, which it never saw.

Source: NXP, MFRC522 product data sheet, rev. 3.9, 27 April 2016: SPI 8.1.2 (p. 10 and 11), CRC coprocessor
8.2.5 (p. 29), FIFO 8.3, timer 8.5 (p. 31 and 32), start-up 8.8.2 (p. 34), reset values and bits of the
registers 9.3 (p. 38 to 66), commands 10.3 (p. 70 to 73).

composed: the crystal's start-up of 1 ms (8.8.2 leaves it to the crystal); that SoftReset leaves the crystal
running, as drivers that write registers at once show (pi-rc522 2.3.0); and from where CollPos counts while
RxAlign is not 0, of which table 50 says nothing: `counts` is `byte` (with RxAlign, as NXP's MFRC631 data
sheet says of its own, table 68) or `answer`.
"""

from rig.sheets.type_a import ANSWERS_US, BIT_US, READY_US, TypeACard, bytes_of, crc_a, heard

_RESET = {
    0x01: 0x20, 0x02: 0x80, 0x04: 0x14, 0x07: 0x21, 0x0B: 0x08, 0x0C: 0x10, 0x0E: 0xA0, 0x11: 0x3F,
    0x14: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1F: 0xEB, 0x21: 0xFF,
    0x22: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20, 0x36: 0x40,
}  # fmt: skip
_READ_ONLY = {0x06, 0x07, 0x21, 0x22, 0x2E, 0x2F, 0x37}
_CRYSTAL_US, _DELAY_US = 1000, 1024 / 27.12
_TX, _RX, _ERR, _TIMER = 0x40, 0x20, 0x02, 0x01
_WRITE_ERROR, _OVERFLOW, _COLLIDED, _CRC_WRONG = 0x80, 0x10, 0x08, 0x04


class SheetMfrc522:
    """The chip and the cards on its antenna."""

    def __init__(self, *uids: str, counts: str = "byte", version: int = 0x92) -> None:
        self.cards = [TypeACard(uid) for uid in uids]
        self._counts, self._version = counts, version
        self._us = 0.0
        self._reset(_CRYSTAL_US)

    def lay(self, *uids: str) -> None:
        """Now these cards lie on the antenna, and no others."""
        self.cards = [TypeACard(uid) for uid in uids]
        for card in self.cards:
            card.field(self._field_us is not None)

    def deselected(self) -> None:
        """NSS goes high: nothing in this chip waits for that."""

    def exchange(self, sent: bytes, us: float) -> bytes:
        """Bytes of one transfer, and what MISO gives meanwhile."""
        self._advance(us)
        if sent[0] & 0x80:
            return b"\0" + bytes(self._read(byte >> 1 & 0x3F) for byte in sent[:-1])
        for byte in sent[1:]:
            self._write(sent[0] >> 1 & 0x3F, byte)
        return bytes(len(sent))

    def _reset(self, crystal_us: float = 0) -> None:
        self._registers = dict(_RESET)
        self._fifo = bytearray()
        self._wakes_us: float | None = self._us + crystal_us + _DELAY_US
        self._field_us: float | None = None
        self._timer_us: float | None = None
        self._events: list[tuple[float, str, bytes]] = []
        for card in self.cards:
            card.field(False)

    def _read(self, register: int) -> int:
        if register == 0x09:
            return self._fifo.pop(0) if self._fifo else 0
        if register == 0x0A:
            return len(self._fifo)
        if register == 0x37:
            return self._version
        if register == 0x01 and self._wakes_us is not None:
            return self._registers[0x01] | 0x10
        return self._registers.get(register, 0) & (0x3F if register == 0x0C else 0xFF)

    def _write(self, register: int, value: int) -> None:
        if self._wakes_us is not None or register in _READ_ONLY:
            return
        if register in (0x04, 0x05):
            before = self._registers.get(register, 0)
            self._registers[register] = before | value & 0x7F if value & 0x80 else before & ~value & 0x7F
        elif register == 0x09:
            self._filled(value)
        elif register == 0x0A:
            if value & 0x80:
                self._fifo.clear()
                self._registers[0x06] = self._registers.get(0x06, 0) & ~_OVERFLOW
        elif register == 0x01:
            self._command(value)
        elif register == 0x0D:
            self._registers[register] = value & 0x77
            if value & 0x80 and self._registers[0x01] & 0x0F == 0x0C:
                self._send()
        elif register == 0x0E:
            self._registers[register] = self._registers[register] & 0x3F | value & 0x80
        elif register == 0x14:
            self._registers[register] = value & 0xFB
            self._field(bool(value & 0x03))
        else:
            self._registers[register] = value

    def _filled(self, value: int) -> None:
        if self._events:
            self._fault(_WRITE_ERROR)
        elif len(self._fifo) == 64:
            self._fault(_OVERFLOW)
        else:
            self._fifo.append(value)
            if self._registers[0x01] & 0x0F == 0x03:
                self._calculate()

    def _fault(self, bit: int) -> None:
        self._registers[0x06] = self._registers.get(0x06, 0) | bit
        self._registers[0x04] |= _ERR

    def _command(self, value: int) -> None:
        code = value & 0x0F
        if code == 0x0F:
            self._reset()
            return
        if code == 0x07:
            code = self._registers[0x01] & 0x0F
        elif code != self._registers[0x01] & 0x0F or code == 0:
            self._events.clear()
        self._registers[0x01] = value & 0x30 | code
        if code:
            self._registers[0x06] = 0
        if code == 0x03:
            preset = {0: 0x0000, 1: 0x6363, 2: 0xA671, 3: 0xFFFF}[self._registers[0x11] & 3]
            self._crc = preset
            self._calculate()
        elif code not in (0x00, 0x08, 0x0C):
            self._registers[0x01] &= 0x30
            self._registers[0x04] |= 0x10

    def _calculate(self) -> None:
        for byte in self._fifo:
            self._crc ^= byte
            for _ in range(8):
                self._crc = self._crc >> 1 ^ 0x8408 if self._crc & 1 else self._crc >> 1
        self._fifo.clear()
        self._registers[0x21], self._registers[0x22] = self._crc >> 8, self._crc & 0xFF
        self._registers[0x05] = self._registers.get(0x05, 0) | 0x04
        self._registers[0x07] |= 0x20

    def _field(self, on: bool) -> None:
        if on != (self._field_us is not None):
            self._field_us = self._us if on else None
            for card in self.cards:
                card.field(on)

    def _send(self) -> None:
        """TxWaitRF of ModeReg: without a field nothing is sent."""
        if self._field_us is None and self._registers[0x11] & 0x20:
            return
        data, last_bits = bytes(self._fifo), self._registers[0x0D] & 7
        self._fifo.clear()
        if self._registers.get(0x12, 0) & 0x80:
            data += crc_a(data)
        bits = len(data) * 9 - (9 - last_bits if last_bits else 0)
        self._events = [(self._us + bits * BIT_US, "sent", bytes((last_bits,)) + data)]

    def _advance(self, us: float) -> None:
        while True:
            soon = [(self._wakes_us, "awake", b"")] if self._wakes_us is not None else []
            soon += [(self._timer_us, "timer", b"")] if self._timer_us is not None else []
            due = [each for each in soon + self._events if each[0] <= us]
            if not due:
                break
            when, what, data = min(due)
            self._us = when
            if what == "awake":
                self._wakes_us = None
            elif what == "timer":
                self._timer_us = None
                self._registers[0x04] |= _TIMER
            else:
                self._events.remove((when, what, data))
                if what == "sent":
                    self._is_sent(data[1:], data[0])
                elif what == "begins":
                    # Table 106: TAuto stops the timer after the fifth bit that is received.
                    self._timer_us = None
                else:
                    self._registers[0x04] |= _RX
        self._us = us

    def _is_sent(self, data: bytes, last_bits: int) -> None:
        self._registers[0x04] |= _TX
        mode = self._registers.get(0x2A, 0)
        if mode & 0x80:
            prescaler = (mode & 0x0F) << 8 | self._registers.get(0x2B, 0)
            even = 2 if self._registers[0x19] & 0x10 and self._version == 0x92 else 1
            reload = self._registers.get(0x2C, 0) << 8 | self._registers.get(0x2D, 0)
            self._timer_us = self._us + (prescaler * 2 + even) * (reload + 1) / 13.56
        # Type A is heard with 100 % modulation alone (TxASKReg), by cards that have had time to start, and
        # its answers while the receiver is on.
        awake = self._field_us is not None and self._us - self._field_us >= READY_US
        if not awake or not self._registers.get(0x15, 0) & 0x40 or self._registers[0x01] & 0x20:
            return
        bits, collision = heard(self.cards, data, last_bits)
        if not bits:
            return
        self._receive(bits, collision)
        first_us = self._us + ANSWERS_US
        self._events = [
            (first_us + 5 * BIT_US, "begins", b""),
            (first_us + (len(bits) * 9 / 8 + 1) * BIT_US, "ends", b""),
        ]

    def _receive(self, bits: list[int], collision: int | None) -> None:
        align = self._registers[0x0D] >> 4 & 7
        self._registers[0x0E] = self._registers[0x0E] & 0x80 | 0x20
        if collision is not None:
            place = collision + 1 + (align if self._counts == "byte" else 0)
            self._fault(_COLLIDED)
            if place <= 32:
                self._registers[0x0E] = self._registers[0x0E] & 0x80 | place & 0x1F
        placed = [0] * align + bits
        data = bytes_of(placed)
        if self._registers.get(0x13, 0) & 0x80:
            if crc_a(data[:-2]) != data[-2:]:
                self._fault(_CRC_WRONG)
            data = data[:-2]
        self._fifo += data[:64]
        self._registers[0x0C] = self._registers[0x0C] & 0xF8 | len(placed) % 8
