"""A PN5180 at the level of its registers, after NXP's product data sheet PN5180A0xx: sections 11.4.1 (BUSY),
11.4.3 (commands) and 11.9 (registers).

composed: how long commands take; that a frame that is sent with TX_CONFIG's bits 6, 7 and 10 cleared is an
end of frame alone (AN12650 does it so); RX_COLL_POS counts from 0 and includes RX_BIT_ALIGN, as the register
has it in NXP's PN7462.
"""

from rig.cards import TypeA, Vicinity

_SENT, _RECEIVED, _BEGINS = 1 << 1, 1 << 0, 1 << 14


class Pn5180:
    """The chip, with cards of either kind before its antenna: UIDs of 8 bytes are ISO 15693."""

    def __init__(self, *uids: str, busy_pin: int, reset_pin: int) -> None:
        self.busy_pin, self.reset_pin = busy_pin, reset_pin
        self.field: list[TypeA | Vicinity] = []
        self.version = b"\x05\x03"
        self.hangs = False
        self.commands: list[int] = []
        self.reset(1)
        self.lay(*uids)

    def lay(self, *uids: str) -> None:
        """These cards, and no others, lie there from now on."""
        self.field = [Vicinity(uid) if len(uid) == 16 else TypeA(uid) for uid in uids]

    def reset(self, level: int) -> None:
        """The RESET_N pin."""
        if not level:
            return
        self._registers = {0x18: 0x4C1, 0x12: 1, 0x19: 1}
        self._answer = b""
        self._busy_until = 0.0
        self._on = False
        self._protocol = 0
        self._slot = self._size = self._mask = 0
        self._one_slot = False
        self._received = b""
        self._status = 0
        self._events: list[tuple[float, int]] = []

    def busy(self, us: float) -> int:
        """The BUSY pin."""
        return int(self.hangs or us < self._busy_until)

    def deselected(self) -> None:
        """The select pin has gone up."""

    def exchange(self, data: bytes, us: float) -> bytes:
        """One transfer: a command, or the answer of the last one."""
        assert us >= self._busy_until, "a transfer while BUSY is high"
        self._us = us
        self._busy_until = us + 20
        if self._answer:
            answer, self._answer = self._answer, b""
            return answer[: len(data)].ljust(len(data), b"\xff")
        self.commands.append(data[0])
        value = int.from_bytes(data[2:6], "little") if data[0] < 3 else 0
        match data[0]:
            case 0x00:
                self._written(data[1], value)
            case 0x01:
                self._written(data[1], self._registers.get(data[1], 0) | value)
            case 0x02:
                self._written(data[1], self._registers.get(data[1], 0) & value)
            case 0x04:
                self._answer = self._register(data[1]).to_bytes(4, "little")
            case 0x07:
                assert data[1] == 0x10 and data[2] == 2, "only the product version is here"
                self._answer = self.version
            case 0x09:
                self._send(data[2:], data[1])
            case 0x0A:
                self._answer = self._received or b"\0"
            case 0x11:
                self._protocol = data[1]
                self._registers.update({0x18: 0x4C1, 0x12: 1, 0x19: 1})
            case 0x16:
                self._on, self._on_us = True, us
            case 0x17:
                self._on = False
                for card in self.field:
                    card.unpowered()
            case other:
                raise AssertionError(f"no command {other:02X} of the PN5180")
        return b"\xff" * len(data)

    def _written(self, register: int, value: int) -> None:
        if register == 0x03:
            self._registers[0x02] = 0
            self._events.clear()
        else:
            self._registers[register] = value

    def _register(self, register: int) -> int:
        if register == 0x02:
            for at, bits in self._events:
                if self._us >= at:
                    self._registers[0x02] = self._registers.get(0x02, 0) | bits
        return self._status if register == 0x13 else self._registers.get(register, 0)

    def _send(self, data: bytes, last: int) -> None:
        assert self._registers.get(0x00, 0) & 7 == 3, "SEND_DATA outside of the transceive state"
        self._received, self._status = b"", 0
        powered = self._on and self._us - self._on_us >= 5000
        if self._protocol in (0x0D, 0x0E):
            self._vicinity(data, powered)
        elif self._protocol == 0x00:
            self._type_a(data, last, powered)
        else:
            self._events.append((self._us + 100, _SENT))

    def _came(self, sending_us: float, answer_us: float) -> None:
        begins = self._us + sending_us + 320
        self._events += [(begins, _BEGINS), (begins + answer_us, _RECEIVED)]

    def _vicinity(self, data: bytes, powered: bool) -> None:
        if self._registers[0x18] & 0x4C0:
            assert data[:2] in (b"\x06\x01", b"\x26\x01") and self._registers[0x19] & 1
            self._slot, self._size, self._one_slot = 0, data[2], bool(data[0] & 0x20)
            self._mask = int.from_bytes(data[3:], "little")
            sending_us = (len(data) + 2) * 302.0
        else:
            assert not data
            self._slot += 1
            sending_us = 80.0
        self._events.append((self._us + sending_us, _SENT))
        there = [card for card in self.field if isinstance(card, Vicinity)] if powered else []
        wanted = (*range(16),) if self._one_slot else (self._slot,)
        heard = [card for card in there if card.slot(self._size, self._mask) in wanted]
        if heard:
            self._received = heard[0].answer()
            self._status = len(self._received) | (0x50000 if len(heard) > 1 else 0)
            self._came(sending_us, 12 * 302.0)

    def _type_a(self, data: bytes, last: int, powered: bool) -> None:
        assert not (self._registers[0x12] | self._registers[0x19]) & 1, "the board reckons the CRC here"
        bits = [byte >> place & 1 for byte in data for place in range(8)]
        if last:
            del bits[len(bits) - 8 + last :]
        sending_us = len(bits) * 9.44
        self._events.append((self._us + sending_us, _SENT))
        there = [card for card in self.field if isinstance(card, TypeA)] if powered else []
        answers = [answer for card in there if (answer := card.hear(bits)) is not None]
        if not answers:
            return
        align = self._registers[0x12] >> 6 & 7
        merged = list(answers[0])
        size = max(map(len, answers))
        differs = [
            place for place in range(size) if len({tuple(each[place : place + 1]) for each in answers}) > 1
        ]
        if differs:
            merged = merged[: differs[0]] + [0] * (size - differs[0])
            self._status = 1 << 18 | (differs[0] + align) << 19
        shifted = [0] * align + merged
        self._received = bytes(
            sum(bit << place for place, bit in enumerate(shifted[at : at + 8]))
            for at in range(0, len(shifted), 8)
        )
        self._status |= len(self._received) | len(shifted) % 8 << 13
        self._came(sending_us, len(merged) * 9.44)
