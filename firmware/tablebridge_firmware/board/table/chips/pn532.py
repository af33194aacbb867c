"""NXP PN532 by SPI or I2C: at most two cards of ISO/IEC 14443 type A.

Source: public descriptions of NXP's user manual UM0701-02, sections 6.2 (frames, SPI, I2C) and 7 (commands);
the manual itself could not be had. Adafruit's driver and libnfc's (libnfc/drivers) were compared with it.
"""

from ..board import Dead

_ACK = b"\x00\x00\xff\x00\xff\x00"
_GET_VERSION, _SAM, _RF, _LIST = b"\x02", b"\x14\x01\x00\x01", b"\x32", b"\x4a\x02\x00"
_ONE_TRY = b"\x32\x05\xff\x01\x01"
_FIELD_OFF = b"\x32\x01\x00"
_LONGEST = 64
_ACK_MS = 30
_ANSWER_MS = 300


class _Garbled(Exception):
    """A frame that cannot be read; never leaves this module."""


def _reversed(data):
    """Each byte's bits the other way round: the chip's SPI sends the lowest first (UM0701-02, 6.2.5)."""
    found = bytearray(len(data))
    for place, byte in enumerate(data):
        byte = byte >> 4 | (byte & 15) << 4
        byte = (byte & 0xCC) >> 2 | (byte & 0x33) << 2
        found[place] = (byte & 0xAA) >> 1 | (byte & 0x55) << 1
    return bytes(found)


class Spi:
    """The chip's SPI: a first byte says whether status is read, data written or data read."""

    def __init__(self, bus):
        self._bus = bus

    def wake(self):
        """Its select pin going low wakes the chip."""
        self._bus.exchange(_reversed(b"\x02\x00"))

    def write(self, frame):
        self._bus.exchange(_reversed(b"\x01" + frame))

    def ready(self):
        return bool(_reversed(self._bus.exchange(_reversed(b"\x02\x00")))[1] & 1)

    def read(self, count):
        return _reversed(self._bus.exchange(_reversed(b"\x03" + bytes(count))))[1:]


class I2c:
    """The chip's I2C: what is read begins with a byte that says whether there is something (6.2.4)."""

    ADDRESS = 0x24

    def __init__(self, bus):
        self._bus = bus

    def wake(self):
        """Its address on the bus wakes the chip, which may answer nothing yet."""
        try:
            self._bus.readfrom(self.ADDRESS, 1)
        except OSError:
            pass

    def write(self, frame):
        self._bus.writeto(self.ADDRESS, frame)

    def ready(self):
        return bool(self._bus.readfrom(self.ADDRESS, 1)[0] & 1)

    def read(self, count):
        return self._bus.readfrom(self.ADDRESS, count + 1)[1:]


class Pn532:
    """One chip. `bus`: a `Spi` or `I2c` of this module; `pause(ms)` waits and lets other things be done."""

    def __init__(self, bus, pause, now_ms):
        self._bus = bus
        self._pause = pause
        self._now_ms = now_ms

    def start(self):
        """Wake the chip and set it up."""
        self._bus.wake()
        self._pause(2)
        try:
            # It comes first: it ends the mode for a low battery in which the chip begins (AN10609_3, C106).
            self._ask(_SAM)
            version = self._ask(_GET_VERSION)
            if len(version) != 4 or version[0] != 0x32:
                raise Dead("this chip is no PN532")
            self._ask(_ONE_TRY)
        except _Garbled:
            raise Dead("the PN532 answers nonsense") from None

    def visit(self):
        """UIDs of the cards on the antenna, and whether the visit came to its end."""
        try:
            found = _cards(self._ask(_LIST))
            self.off()
        except _Garbled:
            return [], False
        return found, len(found) == len(set(found))

    def off(self):
        """Take the field away, so that every card answers the next visit."""
        self._ask(_FIELD_OFF)

    def _ask(self, command):
        """The data of the chip's answer (6.2.1.1 and 6.2.1.3)."""
        body = b"\xd4" + command
        head = bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF))
        self._bus.write(head + body + bytes((-sum(body) & 0xFF, 0)))
        self._await(_ACK_MS, "take its command")
        if self._bus.read(6) != _ACK:
            raise Dead("the PN532 does not acknowledge")
        self._await(_ANSWER_MS, "answer")
        frame = self._bus.read(_LONGEST)
        size = frame[3]
        if frame[:3] != b"\x00\x00\xff" or (size + frame[4]) & 0xFF or not 2 <= size <= _LONGEST - 7:
            raise _Garbled
        body = frame[5 : 5 + size]
        if (sum(body) + frame[5 + size]) & 0xFF or body[0] != 0xD5 or body[1] != command[0] + 1:
            raise _Garbled
        return body[2:]

    def _await(self, ms, what):
        until = self._now_ms() + ms
        while not self._bus.ready():
            if self._now_ms() >= until:
                raise Dead("the PN532 does not " + what)
            self._pause(1)


def _cards(listed):
    """UIDs of InListPassiveTarget's answer (7.3.5): per card number, ATQA, SAK, UID, perhaps an ATS."""
    if not listed or listed[0] > 2:
        raise _Garbled
    found, at = [], 1
    for _ in range(listed[0]):
        if at + 5 > len(listed):
            raise _Garbled
        sak, size = listed[at + 3], listed[at + 4]
        uid = listed[at + 5 : at + 5 + size]
        if size not in (4, 7, 10) or len(uid) != size:
            raise _Garbled
        found.append(uid.hex().upper())
        at += 5 + size
        if sak & 0x20 and at < len(listed):
            at += listed[at]
    return found
