"""An emulated board that speaks the line protocol (docs/line-protocol.md): contacts, shuffler, tray, perhaps
antennas.

It numbers its lines, counts edges and visits, reports changes at once and everything again each second.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec

from tablebridge.model.places import Place
from tablebridge.sim.bench import Line
from tablebridge.sim.obid import crc
from tablebridge.sim.table import VISIT_S, Table

SNAPSHOT_S: Final = 0.9
_FULL_SPEED_VISIT_S: Final = 0.04
_HOT_REPORTS: Final = 3
_HOT_VISITS: Final = 4


class _Antenna(msgspec.Struct):
    """`reported`: the set of the last line; `unreported`: visits since then that saw just that set."""

    place: Place
    reported: frozenset[str] = frozenset()
    unreported: int = 0


class LineBoard:
    """`contacts`: how many there are. `antennas`: number to place. `speed`: as for a reader. Calls may come
    from any thread.
    """

    def __init__(
        self,
        table: Table,
        contacts: int,
        antennas: Mapping[int, Place] | None = None,
        speed: float | None = 1.0,
    ) -> None:
        self._table = table
        self._speed = speed
        self._antennas = {number: _Antenna(place) for number, place in (antennas or {}).items()}
        self._closed = dict.fromkeys(range(1, contacts + 1), False)
        self._edges = dict.fromkeys(range(1, contacts + 1), 0)
        self._report = ""
        self._reports = 0
        self._tray: tuple[str, ...] | None = None
        self._line: Line | None = None
        self._seq = 0
        self._power_up = 0.0
        self._commands = b""

    # What people do to it.

    def contact(self, number: int, closed: bool) -> None:
        """A contact closes or opens."""
        self._soon(lambda: self._set_contact(number, closed))

    def press(self, number: int) -> None:
        """A button is pressed and release."""
        self.contact(number, True)
        self.contact(number, False)

    def shuffler(self, report: str, count: int | None = None, *faces: str) -> None:
        """The shuffler says something of its deck."""
        self._soon(
            lambda: self._set_report(
                ",".join((report, "" if count is None else str(count), *faces)).rstrip(",")
            )
        )

    def tray(self, tags: tuple[str, ...]) -> None:
        """The chip tray holds these chips."""
        self._soon(lambda: self._set_tray(tags))

    def touched(self, place: Place) -> None:
        """Something was put on or taken from an antenna's place."""
        for number, antenna in self._antennas.items():
            if antenna.place == place and self._speed is None:
                self._soon(partial(self._look_well, number))

    # What the bench does with it.

    def plugged(self, line: Line) -> None:
        """Power on: counters begin again, contacts that are closed make their first edge."""
        self._line, self._seq, self._power_up = line, 0, time.monotonic()
        self._report, self._reports, self._commands = "", 0, b""
        for antenna in self._antennas.values():
            antenna.reported, antenna.unreported = frozenset(), 0
        self._hello("power")
        for number, closed in self._closed.items():
            self._edges[number] = int(closed)
        master = line.master
        line.bench.later(SNAPSHOT_S, lambda: self._every_snapshot(master))
        if self._antennas:
            line.bench.later(self._visit_s, lambda: self._every_visit(master))

    def received(self, data: bytes, baud: int) -> None:
        """Commands of the host; the board cannot distinguish a wrong speed from noise."""
        *commands, self._commands = (self._commands + data).split(b"\n")
        for command in commands:
            if command == b"?" or (command[:1] == b"a" and command[1:].isdigit()):
                self._hello("asked")
                self._snapshot()

    @property
    def _visit_s(self) -> float:
        return _FULL_SPEED_VISIT_S if self._speed is None else VISIT_S / self._speed

    def _soon(self, function: Callable[[], object]) -> None:
        if self._line is not None:
            self._line.bench.call(function)

    def _every_snapshot(self, master: int) -> None:
        if self._line is not None and self._line.master == master:
            self._snapshot()
            self._line.bench.later(SNAPSHOT_S, lambda: self._every_snapshot(master))

    def _every_visit(self, master: int) -> None:
        if self._line is not None and self._line.master == master:
            for number in self._antennas:
                self._visit(number)
            self._line.bench.later(self._visit_s, lambda: self._every_visit(master))

    def _look_well(self, number: int) -> None:
        for _ in range(_HOT_REPORTS):
            for _ in range(_HOT_VISITS):
                self._visit(number)
            self._report_visits(number)

    # What it says.

    def _say(self, *fields: object) -> None:
        if self._line is None:
            return
        milliseconds = round((time.monotonic() - self._power_up) * 1000)
        text = ",".join(str(field) for field in ("v1", self._seq, milliseconds, *fields)).encode()
        self._seq += 1
        low, high = crc(text)
        self._line.send(text + f"*{high:02X}{low:02X}\n".encode())

    def _hello(self, cause: str) -> None:
        self._say("h", "emulated-board/1", len(self._antennas), len(self._closed), cause)

    def _snapshot(self) -> None:
        if not self._antennas and not self._closed:
            self._hello("asked")
        for number in self._antennas:
            self._report_visits(number)
        for number in self._closed:
            self._report_contact(number)
        if self._reports:
            self._say("s", self._reports, self._report)
        if self._tray is not None:
            self._report_tray()

    def _visit(self, number: int) -> None:
        antenna = self._antennas[number]
        saw = frozenset(self._table.visit(antenna.place))
        if saw == antenna.reported:
            antenna.unreported += 1
            return
        if saw > antenna.reported:
            self._say(number, "+", antenna.unreported, *sorted(saw - antenna.reported))
        elif saw < antenna.reported:
            self._say(number, "-", antenna.unreported, *sorted(antenna.reported - saw))
        else:
            self._report_visits(number)
            self._say(number, "=", 1, *sorted(saw))
        antenna.reported, antenna.unreported = saw, 0

    def _report_visits(self, number: int) -> None:
        antenna = self._antennas[number]
        if antenna.unreported:
            self._say(number, "=", antenna.unreported, *sorted(antenna.reported))
            antenna.unreported = 0

    def _set_contact(self, number: int, closed: bool) -> None:
        if self._closed[number] != closed:
            self._closed[number] = closed
            self._edges[number] = (self._edges[number] + 1) % 65536
            self._report_contact(number)

    def _report_contact(self, number: int) -> None:
        self._say("k", number, int(self._closed[number]), self._edges[number])

    def _set_report(self, report: str) -> None:
        self._reports = self._reports % 65535 + 1
        self._report = report
        self._say("s", self._reports, report)

    def _set_tray(self, tags: tuple[str, ...]) -> None:
        self._tray = tags
        self._report_tray()

    def _report_tray(self) -> None:
        tags = self._tray or ()
        parts = [tags[at : at + 40] for at in range(0, len(tags), 40)] or [()]
        for number, part in enumerate(parts, 1):
            self._say("t", number, len(parts), *part)
