"""A small metraTec reader of the ASCII dialect for tests. Its lines are built here by hand, from the notes of
the protocol and from what the vendor's open SDKs (Python, Java, .NET) send and wait for.

It starts with its field off, without CRC and without end-of-frame mode, and may sleep or have been left in
CRC mode. `quiet`: in CRC mode it says nothing to what has no CRC. `stuck`: its multiplexer agrees to another
port and stays.
"""

import threading
from typing import Literal


def crc(text: str) -> str:
    """CRC-16/MCRF4XX as four digits."""
    value = 0xFFFF
    for byte in text.encode():
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return f"{value:04X}"


Pins = Literal["EGC", "SEC", ""]


class Metratec:
    """Call it with what the host sent. `put` lays tags on an antenna port, from 0, which a reader without a
    multiplexer has alone. The vendor's Python package cuts one character more off the answers to HWR and RFW
    than off that to REV, so there is one: that it is a blank is composed.

    `ports`: those of its multiplexer (Java SDK: "antenna port [0..15]"). `forms`: how it takes a port: Java
    and .NET send `SAP n`, Python `SAP MAN n`. `pins`: the command that sets its input pins up, as .NET sends
    it to an HF reader (EGC), as Java sends it to others (SEC); it has none if that is empty. `number`:
    what RSN gives, of as many digits as the Python SDK has for an AT reader (composed); empty: refused.
    """

    def __init__(
        self,
        ports: int = 0,
        crc_on: bool = False,
        asleep: bool = False,
        old: bool = False,
        pins: Pins = "EGC",
        forms: tuple[str, ...] = ("SAP MAN", "SAP"),
        number: str = "2020090817420000",
    ) -> None:
        self.number = number
        self._lock = threading.Lock()
        self._tags: dict[int, tuple[str, ...]] = {}
        self._ports, self._pins, self._forms = ports, pins, forms
        self.crc_on, self.eof, self.asleep, self.field = crc_on, False, asleep, False
        self.old = old
        self.report = False
        self.automatic = 0
        self.port = 0
        self.inventories = 0
        self.commands: list[str] = []
        self.slot_error = ""
        self.quiet = self.stuck = False
        self._buffer = b""
        self._stored: dict[str, str] = {}
        self._edges: set[str] = set()

    def put(self, *tags: str, port: int = 0) -> None:
        """These tags, and no others, lie on the port from now on."""
        with self._lock:
            self._tags[port] = tags

    def restart(self) -> bytes:
        """Power failed for a moment: what it says then by itself."""
        self.crc_on = self.eof = self.field = self.report = False
        self.automatic = 0
        self._stored, self._edges = {}, set()
        return b"SRT\r"

    def pin(self, number: int, high: bool) -> bytes:
        """An input pin changes: what it says if it was told to."""
        if str(number) not in self._edges or str(number) not in self._stored:
            return b""
        return self._say([f"IN{number} {'HI!' if high else 'LOW'}"], self.crc_on)

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
            case ["HWR"]:
                return ["UCO"] if self.old else ["QuasarLR       0200 "]
            case ["RFW"]:
                return ["UCO"] if self.old else ["QuasarLR       0312 "]
            case ["REV"]:
                return ["DESKID_ISO     01000218"] if self.old else ["QuasarLR       02000312"]
            case ["RSN"]:
                return [self.number or "UCO"]
            case ["MOD", "156"]:
                pass
            case ["SRI", *_]:
                self.field = True
            case ["SAP", *words]:
                return [self._select(words)]
            case ["EGC" | "SEC" as kind, *words]:
                return [self._store(words) if kind == self._pins else "UCO"]
            case ["HBT", _]:
                pass
            case ["INV", *_]:
                return self._inventory()
            case _:
                return ["UCO"]
        return ["OK!"]

    def _select(self, words: list[str]) -> str:
        """A command of antenna ports."""
        match words:
            case _ if not self._ports:
                return "NOS"
            case ["ARP", "ON" | "OFF" as state]:
                self.report = state == "ON"
            case ["AUT", "OFF"]:
                self.automatic = 0
            case ["AUT", number, *_]:
                # Switching begins with the lowest port, at the next inventory.
                self.automatic, self.port = int(number), -1
            case ["MAN", number] if "SAP MAN" in self._forms:
                return self._go_to(int(number))
            case [number] if "SAP" in self._forms and number.isdigit():
                return self._go_to(int(number))
            case _:
                return "UPA"
        return "OK!"

    def _go_to(self, port: int) -> str:
        if port >= self._ports:
            return "NOR"
        self.automatic, self.port = 0, self.port if self.stuck else port
        return "OK!"

    def _store(self, words: list[str]) -> str:
        """What an edge of a pin does: `EGC 0 #SPIN0#RIP 0` and `EGC 0 BOTH`, `SEC COMM 0 …` and `SEC EDGE 0
        BOTH`. In CRC mode the stored command has its own CRC.
        """
        if self._pins == "SEC":
            words = words[1:]
        pin, *command = words
        if command == ["BOTH"]:
            self._edges.add(pin)
            return "OK!"
        text = " ".join(command)
        if self.crc_on:
            if crc(text[:-4]) != text[-4:]:
                return "CCE"
            text = text[:-5]
        self._stored[pin] = text
        return "OK!" if text == f"#SPIN{pin}#RIP {pin}" else "UPA"

    def _inventory(self) -> list[str]:
        if not self.field:
            return ["NRF"]
        if self.automatic:
            self.port = (self.port + 1) % self.automatic
        with self._lock:
            tags = self._tags.get(self.port, ())
        self.inventories += 1
        slots = [self.slot_error] if self.slot_error else []
        report = [f"ARP {self.port:02d}"] if self.report else []
        return [*tags, *slots, *report, f"IVF {len(tags):02d}"]
