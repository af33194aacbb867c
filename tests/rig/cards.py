"""Cards in a reader's field, at the level of frames: ISO/IEC 14443-3 type A and ISO/IEC 15693-3.

Written from the standards for tests; the firmware's drivers share nothing with it.
"""


def crc14443(data: bytes) -> bytes:
    """CRC_A (ISO/IEC 13239, start 6363), low byte first."""
    value = 0x6363
    for byte in data:
        byte = (byte ^ value) & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        value = value >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return (value & 0xFFFF).to_bytes(2, "little")


class TypeA:
    """A card with a UID of 4, 7 or 10 bytes: idle, ready, active or halted (ISO/IEC 14443-3, 6.3)."""

    def __init__(self, uid: str) -> None:
        self.uid = bytes.fromhex(uid)
        self.unpowered()

    def unpowered(self) -> None:
        """The field is off: what it knew is gone."""
        self.state, self.level = "idle", 0

    def _levels(self) -> list[bytes]:
        parts = {4: 1, 7: 2, 10: 3}[len(self.uid)]
        rest, found = self.uid, []
        for number in range(parts):
            part, rest = (rest, b"") if number == parts - 1 else (b"\x88" + rest[:3], rest[3:])
            found.append(part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)))
        return found

    def hear(self, bits: list[int]) -> list[int] | None:
        """The bits that it answers to these."""
        if len(bits) == 7:
            return self._short(sum(bit << place for place, bit in enumerate(bits)))
        whole = bytes(
            sum(bit << place for place, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
        )
        levels = self._levels()
        if len(whole) < 2 or self.state == "halt":
            return None
        if whole[:2] == b"\x50\x00":
            self.state = "halt" if self.state == "active" and crc14443(whole[:2]) == whole[2:] else "idle"
            return None
        if self.state != "ready" or whole[0] != 0x93 + 2 * self.level:
            self.state = "idle"
            return None
        if whole[1] == 0x70:
            return self._selected(whole, levels)
        known = (whole[1] >> 4) * 8 + (whole[1] & 15) - 16
        own = [byte >> place & 1 for byte in levels[self.level] for place in range(8)]
        if len(bits) - 16 != known or bits[16:] != own[:known]:
            # Figure 7 of ISO/IEC 14443-3: nAC leads out of READY.
            self.state = "idle"
            return None
        return own[known:]

    def _short(self, command: int) -> list[int] | None:
        if (command == 0x26 and self.state == "idle") or (command == 0x52 and self.state in ("idle", "halt")):
            self.state, self.level = "ready", 0
            first = 0x44 if len(self.uid) > 4 else 0x04
            return [byte >> place & 1 for byte in (first, 0) for place in range(8)]
        if self.state != "halt":
            self.state = "idle"
        return None

    def _selected(self, whole: bytes, levels: list[bytes]) -> list[int] | None:
        if whole[2:7] != levels[self.level] or crc14443(whole[:7]) != whole[7:]:
            self.state = "idle"
            return None
        self.level += 1
        more = self.level < len(levels)
        if not more:
            self.state = "active"
        answer = bytes((0x04 if more else 0x08,))
        return [byte >> place & 1 for byte in answer + crc14443(answer) for place in range(8)]


class Vicinity:
    """A card of ISO/IEC 15693-3. `uid` as it is written: E0 first; on the air its lowest byte comes first."""

    def __init__(self, uid: str) -> None:
        self.uid = bytes.fromhex(uid)

    def unpowered(self) -> None:
        """It keeps nothing that tests need."""

    def slot(self, size: int, mask: int) -> int | None:
        """The slot of 16 in which it answers an inventory with this mask (section 8.2)."""
        number = int.from_bytes(self.uid, "big")
        return None if number & ((1 << size) - 1) != mask else number >> size & 15

    def answer(self) -> bytes:
        """Flags, DSFID, UID."""
        return b"\x00\x00" + self.uid[::-1]
