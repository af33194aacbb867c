"""An MFRC522 at the level of its registers, after NXP's product data sheet, revision 3.9: sections 8.1.2
(SPI), 8.3.1 (FIFO), 8.5 (timer), 9.2 to 9.3 (registers and their reset values) and 10.3 (commands).

composed: how long an answer takes, and from where CollPos counts in an answer that is shifted by RxAlign
(`counts_from`: `frame`, the answer's first bit; `byte`, the first bit of its first byte; `uid`, the UID's
first bit). The data sheet has neither.
"""

from rig.cards import TypeA, crc14443

_RESET = {0x01: 0x20, 0x02: 0x80, 0x04: 0x14, 0x0B: 0x08, 0x0C: 0x10, 0x11: 0x3F, 0x14: 0x80, 0x26: 0x48}
_ANSWER_US = 90.0


class Mfrc522:
    """The chip, with the cards of `field` before its antenna. `version`: 92 for version 2.0; 00 and FF are
    what boards read when it has no power or its wires are broken.
    """

    def __init__(self, *uids: str, counts_from: str = "frame", version: int = 0x92) -> None:
        self.counts_from = counts_from
        self.version = version
        self.field: list[TypeA] = []
        self.visits = 0
        self.on = False
        self.damage = 0
        """Answers that still come with a bit flipped in the air."""
        self.reset()
        self.lay(*uids)

    def lay(self, *uids: str) -> None:
        """These cards, and no others, lie there from now on."""
        kept = {card.uid.hex().upper(): card for card in self.field}
        self.field = [kept.get(uid) or TypeA(uid) for uid in uids]

    def reset(self) -> None:
        """Power-up, or a moment without power."""
        self._registers = dict(_RESET)
        self._fifo = bytearray()
        self._errors = self._irq = 0
        self._collision = 0x20
        self._last_bits = 0
        self._ends_us: float | None = None
        self._answered = False
        self._ready_us = 0.0
        self._us = 0.0
        self._switch(False)

    def deselected(self) -> None:
        """The select pin has gone up: the next byte is an address again."""

    def exchange(self, data: bytes, us: float) -> bytes:
        """One transfer: the first byte's top bit says read; each byte read answers the address before it."""
        self._us = us
        if self.version in (0x00, 0xFF):
            return bytes((self.version,)) * len(data)
        address = data[0] >> 1 & 0x3F
        if not data[0] & 0x80:
            for value in data[1:]:
                self._write(address, value)
            return bytes(len(data))
        answer = bytearray(1)
        for byte in data[1:]:
            answer.append(self._read(address))
            address = byte >> 1 & 0x3F
        return bytes(answer)

    def _read(self, register: int) -> int:
        match register:
            case 0x01:
                down = 0x10 if self._us < self._ready_us else 0
                return self._registers[0x01] | down
            case 0x04:
                if self._ends_us is not None and self._us >= self._ends_us:
                    self._irq |= 0x20 if self._answered else 0x01
                return self._irq
            case 0x06:
                return self._errors
            case 0x09:
                return self._fifo.pop(0) if self._fifo else 0
            case 0x0A:
                return len(self._fifo)
            case 0x0C:
                return self._registers[0x0C] & 0xF8 | self._last_bits
            case 0x0E:
                return self._registers.get(0x0E, 0) & 0x80 | self._collision
            case 0x37:
                return self.version
        return self._registers.get(register, 0)

    def _write(self, register: int, value: int) -> None:
        if register == 0x04:
            self._irq = self._irq | value & 0x7F if value & 0x80 else self._irq & ~value
        elif register == 0x09:
            assert len(self._fifo) < 64, "the FIFO overflows"
            self._fifo.append(value)
        elif register == 0x0A:
            if value & 0x80:
                self._fifo.clear()
                self._errors &= ~0x10
        else:
            self._registers[register] = value
            if register == 0x14:
                self._switch(bool(value & 0x03))
            elif register == 0x01:
                self._command(value & 0x0F)
            elif register == 0x0D and value & 0x80 and self._registers[0x01] & 0x0F == 0x0C:
                self._transceive()

    def _command(self, command: int) -> None:
        if command == 0x0F:
            us = self._us
            self.reset()
            self._us, self._ready_us = us, us + 1000
        elif command == 0x00:
            self._ends_us = None
        elif command == 0x03:
            # 8.2.5: the coprocessor takes what is in the FIFO; DivIrqReg says that it is done.
            self._registers[0x22], self._registers[0x21] = crc14443(bytes(self._fifo))
            self._registers[0x05] = self._registers.get(0x05, 0) | 0x04
            self._fifo.clear()

    def _switch(self, on: bool) -> None:
        if on and not self.on:
            self._on_us = self._us
            self.visits += 1
        self.on = on
        if not on:
            for card in self.field:
                card.unpowered()

    def _transceive(self) -> None:
        framing = self._registers[0x0D]
        last, align = framing & 0x07, framing >> 4 & 0x07
        sent = [byte >> place & 1 for byte in self._fifo for place in range(8)]
        if last:
            del sent[len(sent) - 8 + last :]
        self._fifo.clear()
        self._errors, self._collision, self._answered = 0, 0x20, False
        timer = self._registers.get(0x2B, 0) | (self._registers.get(0x2A, 0) & 0x0F) << 8
        reload = self._registers.get(0x2C, 0) << 8 | self._registers.get(0x2D, 0)
        sending_us = len(sent) * 9.44
        # Without TAuto the timer never starts.
        automatic = self._registers.get(0x2A, 0) & 0x80
        waits_us = (2 * timer + 1) / 13.56 * (reload + 1) if automatic else float("inf")
        answers = []
        if self.on and self._us - self._on_us >= 5000 and self._registers.get(0x15, 0) & 0x40:
            answers = [answer for card in self.field if (answer := card.hear(sent)) is not None]
        if not answers:
            self._ends_us = self._us + sending_us + waits_us
            return
        merged = self._merge(answers, align, len(sent))
        if self.damage:
            self.damage -= 1
            merged[0] ^= 1
            self._errors |= 0x02
        self._answered = True
        self._ends_us = self._us + sending_us + _ANSWER_US + len(merged) * 9.44
        shifted = [0] * align + merged
        self._last_bits = len(shifted) % 8
        self._fifo = bytearray(
            sum(bit << place for place, bit in enumerate(shifted[at : at + 8]))
            for at in range(0, len(shifted), 8)
        )

    def _merge(self, answers: list[list[int]], align: int, sent: int) -> list[int]:
        """What the antenna hears of several answers: the first bit on which they differ is a collision, and
        with ValuesAfterColl at 0 all bits behind it read 0.
        """
        size = max(len(answer) for answer in answers)
        for place in range(size):
            bits = {answer[place] if place < len(answer) else None for answer in answers}
            if len(bits) > 1:
                self._errors |= 0x08
                base = {"frame": 0, "byte": align, "uid": max(0, sent - 16)}[self.counts_from]
                count = base + place + 1
                self._collision = count & 0x1F if count <= 32 else 0x20
                return answers[0][:place] + [0] * (size - place)
        return list(answers[0])
