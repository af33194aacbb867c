"""An emulated FEIG reader of the short-range class: one antenna, host mode, no configuration memory.

What it answers: baud rate detection, software version, reader info, RF reset, RF on and off, inventory. As a
reader comes out of its box it reports a tag once and then keeps it quiet until an RF reset, until the field
goes off, or until the tag has left the field. A frame it cannot check, or one at the wrong speed, gets no
answer at all.
"""

import termios
import time
from collections.abc import Callable
from typing import Final

from tablebridge.model.places import Place
from tablebridge.sim import obid
from tablebridge.sim.bench import Line
from tablebridge.sim.table import Table

RESET_S: Final = 0.015
EMPTY_S: Final = 0.0098
TAG_S: Final = 0.0070
"""Air time of an inventory: 16 empty slots, and what each tag adds (ISO 15693 at the high rate, computed)."""
RECORDS: Final = 24
"""The number of tags that fit into one standard answer; the rest is fetched with MORE."""
HOT_VISITS: Final = 8
HOLD_S: Final = 0.04
_VERSION: Final = bytes.fromhex("0302 00 00 4C 0008")
_BUFFERS: Final = bytes.fromhex("0140 0140")
_ISO15693: Final = 0x03


class Reader:
    """`speed`: how many times faster than life; None: as fast as the computer can.

    At full speed an antenna whose field was touched answers at once for some visits, so that sensing gets its
    evidence, and otherwise holds each answer for a moment, so that the computer's time goes to where
    something happens.
    """

    def __init__(self, table: Table, place: Place, speed: float | None = 1.0, address: int = 0) -> None:
        self.place = place
        self.visits = 0
        self.status: int | None = None
        """Answered to every inventory instead of tags while it is set: an error on demand."""
        self._table = table
        self._speed = speed
        self._address = address
        self._line: Line | None = None
        self._requests = obid.Requests()
        self._field_on = True
        self._quiet: set[str] = set()
        self._more: list[str] = []
        self._hot = HOT_VISITS
        self._held: obid.Request | None = None

    def plugged(self, line: Line) -> None:
        """Power is on: nothing is quiet, the field is up."""
        self._line = line
        self._requests = obid.Requests()
        self._field_on, self._held = True, None
        self._quiet.clear()
        self._more.clear()

    def received(self, data: bytes, baud: int) -> None:
        """Answers the host's requests, each after the time that it takes."""
        if baud != termios.B38400:
            return
        for request in self._requests.feed(data, time.monotonic()):
            self._do(request)

    def touched(self) -> None:
        """Something was put into the field or taken out of it. From any thread."""
        self._hot = HOT_VISITS
        if self._speed is None and self._held is not None and self._line is not None:
            self._line.bench.call(self._release)

    def _do(self, request: obid.Request) -> None:
        data = request.data
        match request.control:
            case 0x52:
                self._answer(request, obid.OK)
            case 0x65:
                self._answer(request, obid.OK, _VERSION)
            case 0x66 if data[:1] == b"\0":
                self._answer(request, obid.OK, _VERSION + _BUFFERS)
            case 0x69:
                self._quiet.clear()
                self._after(RESET_S, lambda: self._answer(request, obid.OK))
            case 0x6A if len(data) == 1 and data[0] <= 1:
                self._field_on = data[0] == 1
                self._quiet.clear()
                self._answer(request, obid.OK)
            case 0xB0 if data[:1] == b"\1" and len(data) == 2 and data[1] & 0x7F == 0:
                if data[1]:
                    self._report(request)
                else:
                    self._inventory(request)
            case 0x66 | 0x6A | 0xB0:
                self._answer(request, obid.BAD_CONTENT)
            case _:
                self._answer(request, obid.UNKNOWN_COMMAND)

    def _inventory(self, request: obid.Request) -> None:
        if self._speed is not None:
            self._visit()
            self._after(EMPTY_S + TAG_S * len(self._more), lambda: self._report(request))
        elif self._hot > 0:
            self._hot -= 1
            self._visit()
            self._report(request)
        else:
            self._held = request
            assert self._line is not None
            self._line.bench.later(HOLD_S, lambda: self._release(request))

    def _release(self, request: obid.Request | None = None) -> None:
        """Answers the held request, unless that is done already. None: whichever is held."""
        held = self._held
        if held is not None and (request is None or request is held):
            self._held = None
            self._visit()
            self._report(held)

    def _visit(self) -> None:
        self.visits += 1
        if not self._field_on:
            self._more = []
            return
        self._quiet &= self._table.powered(self.place)
        self._more = [tag for tag in self._table.visit(self.place) if tag not in self._quiet]
        self._quiet.update(self._more)

    def _report(self, request: obid.Request) -> None:
        if self.status is not None:
            self._answer(request, self.status)
            return
        now, self._more = self._more[:RECORDS], self._more[RECORDS:]
        if not now:
            self._answer(request, obid.NO_TAG)
            return
        records = b"".join(bytes((_ISO15693, 0)) + bytes.fromhex(tag) for tag in now)
        self._answer(request, obid.MORE_DATA if self._more else obid.OK, bytes((len(now),)) + records)

    def _answer(self, request: obid.Request, status: int, data: bytes = b"") -> None:
        if self._line is not None:
            self._line.send(obid.answer(request, status, data, self._address))

    def _after(self, seconds: float, function: Callable[[], None]) -> None:
        if self._speed is None or self._line is None:
            function()
        else:
            self._line.bench.later(seconds / self._speed, function)
