"""A few words with a board on its serial line: who it is, and what is wrong with its configuration."""

import re
import time
from typing import Final

import msgspec
import serial

from tablebridge.model.errors import LinkError
from tablebridge.sdk.framing import crc_mcrf4xx

BAUD: Final = 115200
_LONGEST: Final = 1024
_MOST_REMARKS: Final = 64
_SCALE: Final = re.compile(r"# scale of ([1-9][0-9]{0,9}) reads (-?[0-9]{1,7})")


class Introduction(msgspec.Struct, frozen=True):
    """What a board says of itself. `faults`: of its configuration and its scales; `read`: UIDs by antenna
    that it reported meanwhile; `scales`: by denomination what the scale reads, in its own unit.
    """

    identity: str
    antennas: int
    contacts: int
    cause: str
    faults: tuple[str, ...]
    read: dict[int, tuple[str, ...]]
    scales: dict[int, int] = {}


def open_port(port: str) -> serial.Serial:
    """The port, ours alone. DTR and RTS rise together, as the kernel has it: an ESP32 is reset if they
    differ, and a Pico wants DTR. Raises LinkError if it cannot be opened.
    """
    try:
        opened = serial.Serial(None, BAUD, timeout=0.1, write_timeout=2, exclusive=True)
        opened.port = port
        opened.open()
    except (OSError, ValueError) as error:
        raise LinkError(_why(port, error)) from None
    return opened


def _why(port: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == 2:
        return f"{port} is not there: plug the board in; tablebridge ports lists what is."
    if number == 13:
        return f"{port} may not be opened by you: join the group dialout, or use sudo."
    if number in (11, 16):
        return f"{port} is taken by another program: stop the driver of its group, or whatever has it open."
    return f"{port} cannot be opened: {error}"


def introduce(port: str, seconds: float, *, starting: bool = False) -> Introduction:
    """Ask the board on this port who it is, again each second. `starting`: its port may not be there yet.

    A port that goes away and comes back, as that of a board that resets, is opened again. Raises LinkError.
    """
    end = time.monotonic() + seconds
    heard = _Heard()
    refusal = LinkError(
        f"{port}: the board does not answer: is the firmware on it? tablebridge firmware config writes it."
    )
    while time.monotonic() < end:
        try:
            with open_port(port) as opened:
                _ask(opened, heard, end)
        except (OSError, serial.SerialException):
            pass
        except LinkError as error:
            if not starting:
                raise
            refusal = error
        if heard.hello is not None:
            return heard.introduction()
        time.sleep(0.1)
    raise refusal


def _ask(opened: serial.Serial, heard: "_Heard", end: float) -> None:
    asked = 0.0
    quiet_until = 0.0
    while time.monotonic() < end:
        now = time.monotonic()
        if heard.hello is None and now >= asked + 1:
            opened.write(b"\n?\n")
            asked = now
        data = opened.read(opened.in_waiting or 1)
        heard.take(data)
        if heard.hello is not None:
            # What follows a hello: remarks, and a snapshot within half a second.
            quiet_until = quiet_until or now + 1.0
            if now >= quiet_until:
                return


class _Heard:
    """Lines of a board, as far as they have come."""

    def __init__(self) -> None:
        self.hello: list[str] | None = None
        self._faults: list[str] = []
        self._read: dict[int, tuple[str, ...]] = {}
        self._scales: dict[int, int] = {}
        self._begun = b""

    def take(self, data: bytes) -> None:
        *whole, self._begun = (self._begun + data).split(b"\n")
        self._begun = self._begun[-_LONGEST:]
        for line in whole:
            text = line.decode("ascii", "replace").strip()
            if found := _SCALE.fullmatch(text):
                self._scales[int(found[1])] = int(found[2])
            elif text.startswith("# ") and len(self._faults) < _MOST_REMARKS and text[2:] not in self._faults:
                self._faults.append(text[2:])
            body, _, check = text.rpartition("*")
            if body.startswith("v1,") and check == f"{crc_mcrf4xx(body.encode()):04X}":
                self._message(body.split(",")[3:])

    def _message(self, fields: list[str]) -> None:
        if fields[0] == "h" and len(fields) == 5:
            self.hello = fields[1:]
        elif fields[0].isdigit() and fields[1:2] in (["="], ["+"]):
            self._read[int(fields[0])] = tuple(fields[3:])

    def introduction(self) -> Introduction:
        assert self.hello is not None
        identity, antennas, contacts, cause = self.hello
        return Introduction(
            identity,
            int(antennas),
            int(contacts),
            cause,
            tuple(self._faults),
            self._read,
            self._scales,
        )
