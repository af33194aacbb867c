"""Anticollision of ISO/IEC 14443-3 type A, for chips that leave it to the board.

A `transceive(data, last_bits, align)` sends `data`, of whose last byte only `last_bits` bits go out (0: all),
puts the answer's first bit at bit `align`, and returns `(answer, collision)`: None if nothing answered;
`collision`: 0, or the bit of the first collision, counted from 1 as the chip counts.
"""

REQA = b"\x26"
_HALT = b"\x50\x00"
_SELECT = (0x93, 0x95, 0x97)
_CASCADE_TAG = 0x88
MOST_CARDS = 16


class Garbled(Exception):
    """An answer that cannot be read: the visit proves nothing about who is silent."""


def crc_a(data):
    """CRC_A of ISO/IEC 14443-3 annex B, low byte first."""
    value = 0x6363
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return bytes((value & 0xFF, value >> 8))


def inventory(transceive):
    """UIDs of all cards in the field, which is on since 5 ms: each is selected, then halted, so that the next
    REQA leaves it out. Returns the UIDs and whether that came to its end.
    """
    found = []
    while len(found) < MOST_CARDS:
        if not _anybody(transceive):
            return found, True
        try:
            uid = _select(transceive)
        except Garbled:
            return found, False
        transceive(_HALT + crc_a(_HALT), 0, 0)
        if uid in found:
            return found, False
        found.append(uid)
    return found, False


def _anybody(transceive):
    # A second question, since a card may miss one.
    return any(transceive(REQA, 7, 0)[0] is not None for _ in range(2))


def _select(transceive):
    uid, before = b"", []
    for select in _SELECT:
        part = _one_of_many(transceive, select, before)
        frame = bytes((select, 0x70)) + part
        before.append(frame + crc_a(frame))
        answer, collision = transceive(before[-1], 0, 0)
        if answer is None or collision or len(answer) != 3 or crc_a(answer[:1]) != answer[1:]:
            raise Garbled
        if not answer[0] & 0x04:
            return (uid + part[:4]).hex().upper()
        if part[0] != _CASCADE_TAG:
            raise Garbled
        uid += part[1:4]
    raise Garbled


def _one_of_many(transceive, select, before):
    """Four bytes of one card's UID at this level, and their check byte. `before`: the frames that selected
    the levels above.

    Chips differ in where they count a later collision from: the answer's first bit, its first byte, or the
    UID's first bit. The nearest of these is taken. If it is no collision after all, its bit is one that the
    cards agree on, and only one value of it is answered: so 1 is tried, then 0. Cards that did not match have
    left READY for IDLE (ISO/IEC 14443-3, figure 7, nAC), so all are called again in between.
    """
    bits = []
    untried = False
    for _ in range(96):
        answer, collision = _ask(transceive, select, bits)
        if answer is None:
            if not untried:
                raise Garbled
            bits[-1], untried = 0, False
            _anybody(transceive)
            for frame in before:
                transceive(frame, 0, 0)
        elif collision:
            known = len(bits)
            nearest = min(
                place
                for place in (known + collision, known - known % 8 + collision, collision, 40)
                if place > known
            )
            if nearest > 32:
                raise Garbled
            bits = (bits + answer)[: nearest - 1] + [1]
            untried = True
        else:
            return _checked(bits + answer)
    raise Garbled


def _ask(transceive, select, bits):
    whole, rest = len(bits) // 8, len(bits) % 8
    data = bytes((select, (2 + whole) << 4 | rest)) + _bytes(bits)
    answer, collision = transceive(data, rest, rest)
    if answer is None:
        return None, 0
    return _bits(answer)[rest:], collision


def _checked(bits):
    part = _bytes(bits)
    if len(bits) != 40 or part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
        raise Garbled
    return part


def _bits(data):
    return [byte >> bit & 1 for byte in data for bit in range(8)]


def _bytes(bits):
    found = bytearray((len(bits) + 7) // 8)
    for place, bit in enumerate(bits):
        found[place // 8] |= bit << place % 8
    return bytes(found)
