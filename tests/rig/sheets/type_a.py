"""Cards of ISO/IEC 14443-3 type A, as bits on the air; written beside `rig.cards`, which it never saw.

Source: ISO/IEC 14443-3:2011, 6.2 to 6.5: states IDLE, READY, ACTIVE and HALT; an ANTICOLLISION or SELECT that
does not match takes a card out of READY (figure 7: nAC, nSELECT); annex B: CRC_A. What a PCD hears of several
cards is their bits laid over each other: the first that differ collide.
"""

READY_US = 5000
"""ISO/IEC 14443-3, 5: a card answers at the latest 5 ms after the field has come."""
BIT_US = 128 / 13.56
"""ISO/IEC 14443-2: one bit at 106 kbit/s."""
ANSWERS_US = 1236 / 13.56
"""ISO/IEC 14443-3, 6.2.1: frame delay time after a last bit of 1; 1172 after 0."""
_LEVELS = {0x93: 0, 0x95: 1, 0x97: 2}


def crc_a(data: bytes) -> bytes:
    """CRC_A, low byte first."""
    value = 0x6363
    for byte in data:
        byte ^= value & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        value = value >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes((value & 0xFF, value >> 8))


def bits_of(data: bytes, last_bits: int = 0) -> list[int]:
    """Bits as they go over the air; of the last byte only `last_bits`, 0 for all."""
    bits = [byte >> place & 1 for byte in data for place in range(8)]
    return bits[: len(bits) - 8 + last_bits] if last_bits else bits


def bytes_of(bits: list[int]) -> bytes:
    """The other way round; missing bits of the last byte are 0."""
    return bytes(
        sum(bit << place for place, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
    )


class TypeACard:
    """One card with its `uid` of 4, 7 or 10 bytes."""

    def __init__(self, uid: str) -> None:
        self.uid = bytes.fromhex(uid)
        assert len(self.uid) in (4, 7, 10)
        whole = self.uid if len(self.uid) == 4 else b"\x88" + self.uid
        if len(self.uid) == 10:
            whole = whole[:4] + b"\x88" + whole[4:]
        self._parts = [whole[at : at + 4] for at in range(0, len(whole), 4)]
        self._state = "off"
        self._halted = False
        self._level = 0

    def field(self, on: bool) -> None:
        """The field comes or goes."""
        self._state, self._halted = ("idle" if on else "off"), False

    def hears(self, data: bytes, last_bits: int) -> list[int]:
        """Its answer, as bits; none if it keeps silent."""
        if self._state == "off":
            return []
        if last_bits == 7 and len(data) == 1:
            return self._short(data[0])
        if self._state == "ready" and len(data) >= 2 and _LEVELS.get(data[0]) == self._level:
            return self._asked(data, last_bits)
        if self._state == "active" and data == b"\x50\x00" + crc_a(b"\x50\x00"):
            self._state, self._halted = "halt", True
        elif self._state in ("ready", "active"):
            self._back()
        return []

    def _short(self, command: int) -> list[int]:
        if self._state in ("ready", "active"):
            self._back()
        elif command == 0x52 or (command == 0x26 and self._state == "idle"):
            self._state, self._level = "ready", 0
            size = {4: 0x00, 7: 0x40, 10: 0x80}[len(self.uid)]
            return bits_of(bytes((size | 0x04, 0x00)))
        return []

    def _asked(self, data: bytes, last_bits: int) -> list[int]:
        own = self._parts[self._level]
        own += bytes((own[0] ^ own[1] ^ own[2] ^ own[3],))
        if data[1] == 0x70:
            if data[2:] != own + crc_a(data[:2] + own):
                self._back()
                return []
            self._level += 1
            more = self._level < len(self._parts)
            self._state = "ready" if more else "active"
            sak = b"\x04" if more else b"\x00"
            return bits_of(sak + crc_a(sak))
        known = bits_of(data, last_bits)[16:]
        said = ((data[1] >> 4) - 2) * 8 + (data[1] & 7)
        if len(known) != said or bits_of(own)[:said] != known:
            self._back()
            return []
        return bits_of(own)[said:]

    def _back(self) -> None:
        self._state = "halt" if self._halted else "idle"


def heard(cards: list[TypeACard], data: bytes, last_bits: int) -> tuple[list[int], int | None]:
    """What the cards answer, laid over each other, and the place of the first collision, counted from 0. A
    collided bit and those after it are 0, as both chips give them if they are told to.
    """
    answers = [answer for card in cards if (answer := card.hears(data, last_bits))]
    if not answers:
        return [], None
    longest = max(map(len, answers))
    for place in range(longest):
        if len({answer[place] if place < len(answer) else 0 for answer in answers}) > 1:
            return answers[0][:place] + [0] * (longest - place), place
    return answers[0], None
