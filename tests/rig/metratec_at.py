"""A small metraTec reader of the AT dialect for tests, after what the vendor's Python package sends to a
DeskID NFC and waits for: it echoes until it is asked not to, counts antennas from 1, and says why it refuses
in angle brackets before ERROR.
"""

import threading


class MetratecAt:
    """Call it with what the host sent. `fields`: the tags at each antenna. `refuses`: commands that it
    refuses. `heartbeat`: it says +HBT in the middle of every answer.
    """

    def __init__(self, fields: dict[int, tuple[str, ...]], number: str = "2019042912340000") -> None:
        self.number = number
        self._lock = threading.Lock()
        self._fields = dict(fields)
        self._antenna = min(fields)
        self._echo = True
        self._settings = {"MOD": "ISO15", "INVS": "0,0,0"}
        self._buffer = b""
        self.refuses: set[str] = set()
        self.heartbeat = False

    def put(self, *tags: str, port: int = 1) -> None:
        """These tags, and no others, lie on the antenna from now on."""
        with self._lock:
            self._fields[port] = tags

    def __call__(self, data: bytes) -> bytes:
        *lines, self._buffer = (self._buffer + data.replace(b"\n", b"")).split(b"\r")
        return b"".join(self._line(line.decode("ascii", "replace")) for line in lines if line)

    def _line(self, command: str) -> bytes:
        echo = self._echo
        said = None if command in self.refuses else self._do(command)
        if said is None:
            # What is refused is not sent back.
            said = [f"{command.partition('=')[0].replace('AT', '', 1)}: <{self._why(command)}>", "ERROR"]
        else:
            said = [*([command] if echo else []), *said, "OK"]
        if self.heartbeat:
            said.insert(len(said) // 2, "+HBT")
        return "".join(f"{line}\r\n" for line in said).encode()

    @staticmethod
    def _why(command: str) -> str:
        return "Continuous Inventory is not running" if command == "AT+BINV" else "Error (01 00 00 00)"

    def _do(self, command: str) -> list[str] | None:
        """The lines of the answer; None: refused."""
        name, _, value = command.removeprefix("AT+").partition("=")
        match command:
            case "AT" | "ATE0" | "ATE1" | "AT+CW=1" | "AT+CW=0" | "AT+IEV=1":
                self._echo = command == "ATE1" or (self._echo and command != "ATE0")
                return []
            case "ATI":
                return ["+SW: DeskID_NFC 0204", "+HW: DeskID_NFC 0101", f"+SERIAL: {self.number}"]
            case "AT+ANT?":
                return [f"+ANT: {self._antenna}"]
            case "AT+INV":
                with self._lock:
                    tags = self._fields[self._antenna]
                # With details a tag of ISO 15693 has its DSFID behind it.
                details = ",00" if self._settings["INVS"].startswith("1") else ""
                return [f"+INV: {tag}{details}" for tag in tags] or ["+INV: <NO TAGS FOUND>"]
        if name == "ANT" and value.isdigit() and int(value) in self._fields:
            self._antenna = int(value)
            return []
        if name.endswith("?") and name[:-1] in self._settings:
            return [f"+{name[:-1]}: {self._settings[name[:-1]]}"]
        if name in self._settings and value:
            self._settings[name] = value
            return []
        return None
