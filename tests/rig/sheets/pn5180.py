"""A PN5180 as its data sheet describes it; written beside `rig.nxp_pn5180`, which it never saw.

Source: NXP, PN5180A0xx/C3,C4 product data sheet, rev. 4.0, 30 August 2022: reset 11.2.2 (p. 16), SPI and BUSY
11.4.1 (p. 18 to 20), instructions 11.4.3.3 (p. 21 to 41, tables 6 to 38), transceive states 11.8.7 (p. 76 and
77), registers 11.9.2 (p. 86 to 105, tables 75 to 103). An end of frame alone is sent after TX_CONFIG has lost
TX_DATA_ENABLE and its start symbol (table 98), as tueddy/PN5180-Library does after AN12650. RX_COLL_POS
counts from 0 with RX_BIT_ALIGN, as NXP's own reader library takes it (NxpNfcRdLib, phhalHw_Pn5180.c: as many
bits before it are good). Inventory: ISO/IEC 15693-3, 8.2 and 10.3.1.

composed: BUSY for 60 us per frame and 2 ms after reset, what a collision leaves in the buffer, times of air.
"""

from rig.sheets.type_a import BIT_US, TypeACard, bytes_of, crc_a, heard

_BUSY_US, _BOOT_US = 60, 2000
_SYSTEM, _STATUS, _CLEAR = 0x00, 0x02, 0x03
_CRC_RX, _RX_STATUS, _TX_CONFIG, _CRC_TX, _RF_STATUS = 0x12, 0x13, 0x18, 0x19, 0x1D
_RX, _TX, _IDLE, _OFF, _ON, _SOF, _GENERAL = 1 << 0, 1 << 1, 1 << 2, 1 << 8, 1 << 9, 1 << 14, 1 << 17
_DATA_ENABLE = 1 << 10
# Table 32 has the protocols; table 98: data, stop and start symbol; CRC of ISO/IEC 15693 on.
_FAR = {_TX_CONFIG: 0x0780 | 0x40, _CRC_RX: 0x0001 | 0b011 << 3, _CRC_TX: 0x0001 | 0b011 << 3}
_NEAR = {_TX_CONFIG: 0x1F40, _CRC_RX: 0x0C00 | 0b001 << 3, _CRC_TX: 0b001 << 3}
_LOADED = {(0x0D, 0x8D): _FAR, (0x0E, 0x8D): _FAR, (0x00, 0x80): _NEAR}


class Icode:
    """A card of ISO/IEC 15693. `uid` as it is written, E0 first."""

    def __init__(self, uid: str) -> None:
        self.uid = bytes.fromhex(uid)[::-1]
        self._slot: int | None = None
        self._now = 0

    def field(self, on: bool) -> None:
        """The field comes or goes."""
        self._slot = None

    def hears(self, data: bytes) -> bytes:
        """An inventory, or an end of frame if there are no bytes."""
        if data:
            # 7.3.3: flags of an inventory with high data rate, 20 for one slot; 8.1: then its mask.
            self._slot, self._now = None, 0
            if len(data) >= 3 and data[0] & 0x06 == 0x06 and data[1] == 0x01:
                size, number = data[2], int.from_bytes(self.uid, "little")
                mask = int.from_bytes(data[3:], "little")
                if len(data) == 3 + (size + 7) // 8 and number & (1 << size) - 1 == mask:
                    self._slot = 0 if data[0] & 0x20 else number >> size & 0x0F
        else:
            self._now += 1
        return b"\0\0" + self.uid if self._slot == self._now else b""


class SheetPn5180:
    """The chip and the cards on its antenna. `busy` and `reset` are its pins."""

    def __init__(self, *uids: str) -> None:
        self._us = 0.0
        self._busy_us = 0.0
        self._held = False
        self.errors = 0
        self._cards: list[TypeACard | Icode] = []
        self._ready = b""
        self._start()
        self.lay(*uids)

    def lay(self, *uids: str) -> None:
        """Now these cards lie on the antenna, and no others."""
        self._cards = [Icode(uid) if len(uid) == 16 else TypeACard(uid) for uid in uids]
        for card in self._cards:
            card.field(self._registers[_RF_STATUS] >> 17 & 1 == 1)

    def busy(self, us: float) -> int:
        """The level of BUSY."""
        return int(self._held or us < self._busy_us)

    def reset(self, level: int) -> None:
        """RESET_N."""
        self._held = not level
        if level:
            self._start()
            self._busy_us = self._us + _BOOT_US

    def deselected(self) -> None:
        """NSS goes high: the frame is whole."""

    def exchange(self, sent: bytes, us: float) -> bytes:
        """One SPI frame: an instruction, or FF while an answer is taken (figures 8 and 9)."""
        self._advance(us)
        assert not self.busy(us), "a frame while BUSY is high"
        self._busy_us = us + _BUSY_US
        if self._ready:
            answer = self._ready + b"\xff" * len(sent)
            self._ready = b""
            return answer[: len(sent)]
        if not self._instruction(sent):
            self.errors += 1
            self._registers[_STATUS] |= _GENERAL
        return b"\xff" * len(sent)

    def _start(self) -> None:
        self._registers = dict.fromkeys(range(0x2A), 0)
        self._registers[_STATUS] = _IDLE
        self._ready = b""
        self._buffer = b""
        self._events: list[tuple[float, str]] = []
        self._protocol: tuple[int, int] | None = None
        self._state = 0
        for card in self._cards:
            card.field(False)

    def _instruction(self, sent: bytes) -> bool:
        code, rest = sent[0], sent[1:]
        if code in (0x00, 0x01, 0x02) and len(rest) == 5 and rest[0] in self._registers:
            value, now = int.from_bytes(rest[1:], "little"), self._registers[rest[0]]
            self._set(rest[0], (value, now | value, now & value)[code])
        elif code == 0x04 and len(rest) == 1 and rest[0] in self._registers:
            value = self._registers[rest[0]]
            if rest[0] == _RF_STATUS:
                value = value & ~(7 << 24) | self._state << 24
            self._ready = value.to_bytes(4, "little")
        elif code == 0x07 and len(rest) == 2 and rest[1] and rest[0] + rest[1] <= 255:
            eeprom = bytes(0x10) + bytes.fromhex("0504 0104 0a00") + bytes(240)
            self._ready = eeprom[rest[0] : rest[0] + rest[1]]
        elif code == 0x09 and 1 <= len(rest) <= 261 and rest[0] <= 7:
            return self._send(rest[1:], rest[0])
        elif code == 0x0A and len(rest) == 1:
            self._ready = self._buffer + b"\xff"
        elif code == 0x11 and len(rest) == 2 and rest[0] <= 0x1C and 0x80 <= rest[1] <= 0x9C:
            self._protocol = (rest[0], rest[1])
            self._registers.update(_LOADED.get(self._protocol, {}))
        elif code in (0x16, 0x17) and len(rest) == 1:
            on = code == 0x16
            self._registers[_RF_STATUS] = on << 17
            self._registers[_STATUS] |= _ON if on else _OFF
            for card in self._cards:
                card.field(on)
        else:
            return False
        return True

    def _set(self, register: int, value: int) -> None:
        if register == _CLEAR:
            self._registers[_STATUS] &= ~value
        elif register == _SYSTEM:
            self._registers[_SYSTEM] = value & 0x7F
            if value & 7 == 0:
                self._state = 0
                self._events.clear()
            elif value & 7 == 3 and self._state == 0:
                self._state = 1
        elif register not in (_STATUS, _RX_STATUS, _RF_STATUS):
            self._registers[register] = value

    def _send(self, data: bytes, last_bits: int) -> bool:
        """Table 15: the transceiver must wait for it, and only symbols go without data."""
        data_enabled = bool(self._registers[_TX_CONFIG] & _DATA_ENABLE)
        if self._state != 1 or (not data and data_enabled):
            return False
        self._state = 2
        self._sent = (data if data_enabled else b"", last_bits)
        near = self._protocol == (0x00, 0x80)
        took_us = len(data) * 9 * BIT_US if near else 75.5 * 3 + len(data) * 302.08
        self._events = [(self._us + took_us, "sent")]
        return True

    def _advance(self, us: float) -> None:
        while self._events and self._events[0][0] <= us:
            self._us, what = self._events.pop(0)
            if what == "sent":
                self._registers[_STATUS] |= _TX
                self._state = 4
                if self._registers[_RF_STATUS] >> 17 & 1:
                    self._hear(*self._sent)
            elif what == "begins":
                self._registers[_STATUS] |= _SOF
                self._state = 5
            else:
                self._registers[_STATUS] |= _RX
                self._registers[_RX_STATUS], self._buffer = self._coming
                self._state = 1
        self._us = us

    def _hear(self, data: bytes, last_bits: int) -> None:
        with_crc = self._registers[_CRC_TX] & 1
        if self._protocol == (0x00, 0x80):
            near = [card for card in self._cards if isinstance(card, TypeACard)]
            whole = data + crc_a(data) if with_crc else data
            bits, collision = heard(near, whole, last_bits)
            if bits:
                align = self._registers[_CRC_RX] >> 6 & 7
                placed = [0] * align + bits
                status = len(bytes_of(placed)) | len(placed) % 8 << 13
                if collision is not None:
                    status |= 1 << 18 | collision + align << 19
                self._comes(91, len(placed) * 9 / 8 * BIT_US, status, bytes_of(placed))
        elif self._protocol in ((0x0D, 0x8D), (0x0E, 0x8D)):
            whole_answers = [
                answer
                for card in self._cards
                if isinstance(card, Icode) and (answer := card.hears(data if with_crc else b"\0"))
            ]
            if len(whole_answers) == 1:
                self._comes(320 + 150, 12 * 302, 10, whole_answers[0])
            elif whole_answers:
                first, second = whole_answers[:2]
                same = next(place for place in range(10) if first[place] != second[place])
                self._comes(320 + 150, same * 302, 1 << 18 | same * 8 << 19 | same, first[:same])

    def _comes(self, after_us: float, lasts_us: float, status: int, data: bytes) -> None:
        self._coming = status, data
        self._events = [(self._us + after_us, "begins"), (self._us + after_us + lasts_us, "ends")]
