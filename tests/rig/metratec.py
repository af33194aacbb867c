"""A small metraTec reader of the ASCII dialect for tests. Its lines are built here by hand, from the notes of
the protocol.

It starts with its field off, without CRC and without end-of-frame mode, and may sleep or have been left in
CRC mode. `quiet`: in CRC mode it says nothing to what has no CRC. `stuck`: its multiplexer agrees to another
port and stays.
"""

import threading


def crc(text: str) -> str:
    """CRC-16/MCRF4XX as four digits."""
    value = 0xFFFF
    for byte in text.encode():
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return f"{value:04X}"


class Metratec:
    """Call it with what the host sent. `put` lays tags on an antenna port; port 0 is a reader without a
    multiplexer.
    """

    def __init__(self, ports: int = 0, crc_on: bool = False, asleep: bool = False, old: bool = False) -> None:
        self._lock = threading.Lock()
        self._tags: dict[int, tuple[str, ...]] = {}
        self._ports = ports
        self.crc_on, self.eof, self.asleep, self.field = crc_on, False, asleep, False
        self.old = old
        self.report = False
        self.automatic = 0
        self.port = 1 if ports else 0
        self.inventories = 0
        self.commands: list[str] = []
        self.slot_error = ""
        self.quiet = self.stuck = False
        self._buffer = b""

    def put(self, *tags: str, port: int = 0) -> None:
        """These tags, and no others, lie on the port from now on."""
        with self._lock:
            self._tags[port] = tags

    def restart(self) -> bytes:
        """Power failed for a moment: what it says then by itself."""
        self.crc_on = self.eof = self.field = self.report = False
        self.automatic = 0
        return b"SRT\r"

    def __call__(self, data: bytes) -> bytes:
        *lines, self._buffer = (self._buffer + data).split(b"\r")
        return b"".join(self._line(line.decode("ascii", "replace")) for line in lines)

    def _line(self, line: str) -> bytes:
        if self.asleep and not line.startswith("WAK"):
            return b""
        with_crc = self.crc_on
        if with_crc:
            if len(line) < 6 or crc(line[:-4]) != line[-4:]:
                return b"" if self.quiet else self._say(["CCE"], True)
            line = line[:-5]
        elif line == "COF 4F5E":
            line = "COF"
        self.commands.append(line)
        said = self._do(line)
        return self._say(said, self.crc_on or line == "CON")

    def _say(self, lines: list[str], with_crc: bool) -> bytes:
        out = "".join(f"{line} {crc(line + ' ')}\r" if with_crc else f"{line}\r" for line in lines)
        return (out + ("\n" if self.eof else "")).encode()

    def _do(self, line: str) -> list[str]:
        match line.split(" "):
            case ["BRK"]:
                return ["NCM"]
            case ["WAK"]:
                was, self.asleep = self.asleep, False
                return ["GMO" if was else "DNS"]
            case ["EOF"]:
                self.eof = True
            case ["CON"] | ["COF"]:
                self.crc_on = line == "CON"
            case ["RFW"]:
                return ["UCO"] if self.old else ["QuasarLR       0312"]
            case ["REV"]:
                return ["DESKID_ISO     01000218"]
            case ["MOD", "156"]:
                pass
            case ["SRI", *_]:
                self.field = True
            case ["SAP", "ARP", "ON"] if self._ports:
                self.report = True
            case ["SAP", "AUT", number] if self._ports:
                self.automatic, self.port = int(number), int(number)
            case ["SAP", "MAN", number] if self._ports:
                self.port = self.port if self.stuck else int(number)
            case ["SAP", *_]:
                return ["NOS"]
            case ["INV"]:
                return self._inventory()
            case _:
                return ["UCO"]
        return ["OK!"]

    def _inventory(self) -> list[str]:
        if not self.field:
            return ["NRF"]
        if self.automatic:
            self.port = self.port % self.automatic + 1
        with self._lock:
            tags = self._tags.get(self.port, ())
        self.inventories += 1
        slots = [self.slot_error] if self.slot_error else []
        report = [f"ARP {self.port:02d}"] if self.report else []
        return [*tags, *slots, *report, f"IVF {len(tags):02d}"]
