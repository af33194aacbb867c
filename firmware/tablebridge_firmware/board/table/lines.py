"""Lines of the board: number, clock and checksum. docs/line-protocol.md is the specification."""

LONGEST = 1023
"""Bytes of a line without its LF."""
MOST_SEQ = 4294967295


def _table():
    found = []
    for value in range(16):
        for _ in range(4):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
        found.append(value)
    return tuple(found)


_NIBBLES = _table()


def crc(data):
    """CRC-16/MCRF4XX of bytes: 0x6F91 of `123456789`. By half bytes, since a table of 256 costs memory."""
    value = 0xFFFF
    for byte in data:
        value = (value >> 4) ^ _NIBBLES[(value ^ byte) & 15]
        value = (value >> 4) ^ _NIBBLES[(value ^ (byte >> 4)) & 15]
    return value


def plain(text):
    """A text as a field may hold it: printable ASCII without comma and star."""
    return "".join(char if " " <= char <= "~" and char not in ",*" else " " for char in str(text))[:200]


class Lines:
    """Numbers lines and writes them whole. `write` takes bytes; `now_ms` gives ms since power-up."""

    def __init__(self, write, now_ms):
        self._write = write
        self._now_ms = now_ms
        self._seq = 0

    def say(self, *fields):
        """Send a message. Its fields are texts and whole numbers."""
        text = ",".join(["v1", str(self._seq), str(self._now_ms())] + [str(field) for field in fields])
        data = text.encode()
        self._seq = 1 if self._seq == MOST_SEQ else self._seq + 1
        self._write(b"%s*%04X\n" % (data, crc(data)))

    def remark(self, text):
        """Send a comment, which only people read."""
        self._write(b"# " + plain(text).encode() + b"\n")


class Commands:
    """Collects what the host sends into whole commands. Anything else is ignored, however long it is."""

    LONGEST = 16

    def __init__(self):
        self._begun = b""
        self._too_long = False

    def received(self, data):
        """The commands that these bytes complete, as texts."""
        found = []
        for byte in data:
            if byte == 10:
                if not self._too_long:
                    found.append(self._begun)
                self._begun, self._too_long = b"", False
            elif len(self._begun) < self.LONGEST:
                self._begun += bytes((byte,))
            else:
                self._too_long = True
        return [
            line.rstrip(b"\r").decode()
            for line in found
            if all(31 < byte < 127 or byte == 13 for byte in line)
        ]
