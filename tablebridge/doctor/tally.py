"""What one device reports while the doctor listens: how often each antenna is visited, what is read there,
what is wrong. Pure.

An antenna's cycle is the time between two visits of it, from the first report to the last; a report of
several visits counts as several. How well a tag is read is its share of the visits from the first to the last
that read it: a tag that was taken away is not one that is read badly.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.host.sanitize import printable
from tablebridge.model.instant import Instant
from tablebridge.model.readings import ButtonPress, DeviceStatus, Reading, Sweep
from tablebridge.sdk.driver import Turn

_HEARD: Final = 4096


class TagCount(msgspec.Struct):
    """One tag at one antenna, in visits of that antenna: the first and the last that read it, and how many
    did.
    """

    first: int
    last: int
    reads: int = 0

    @property
    def share(self) -> float:
        """The share of these visits that read the tag, 0 to 1."""
        return self.reads / (self.last - self.first + 1)


class AntennaTally(msgspec.Struct):
    """What was counted of one antenna. `cut_short`: visits whose inventory was not finished."""

    visits: int = 0
    reports: int = 0
    cut_short: int = 0
    first_visits: int = 0
    first_ns: int = 0
    last_ns: int = 0
    tags: dict[str, TagCount] = {}
    now: tuple[str, ...] = ()

    def take(self, sweep: Sweep, now_ns: int) -> None:
        """Count one report."""
        if self.reports == 0:
            self.first_ns, self.first_visits = now_ns, sweep.visits
        before, self.visits = self.visits, self.visits + sweep.visits
        self.reports += 1
        self.last_ns = now_ns
        self.now = sweep.tags
        if not sweep.complete:
            self.cut_short += sweep.visits
        for tag in sweep.tags:
            seen = self.tags.setdefault(tag, TagCount(before, self.visits - 1))
            seen.last = self.visits - 1
            seen.reads += sweep.visits

    @property
    def cycle_s(self) -> float | None:
        """Seconds from visit to visit; None while there is only one report."""
        later = self.visits - self.first_visits
        return (self.last_ns - self.first_ns) / 1e9 / later if later > 0 else None


class Tally:
    """What was counted of one device. `contacts`: how often each was pressed. `heard`: the first bytes, to
    guess which driver they belong to.
    """

    def __init__(self) -> None:
        self.antennas: dict[int, AntennaTally] = {}
        self.contacts: Counter[int] = Counter()
        self.rejects: Counter[str] = Counter()
        self.statuses: dict[tuple[str, int | None], str] = {}
        self.identity = ""
        self.readings = 0
        self.alive = False
        self.heard = b""

    def take(self, received: bytes, turn: Turn, now: Instant) -> None:
        """One call of the session and its answer."""
        self.heard += received[: _HEARD - len(self.heard)]
        self.alive |= turn.alive
        for item in turn.rejected:
            self.rejects[item.reason.value] += 1
        for reading in turn.readings:
            self.readings += 1
            self._reading(reading, now.monotonic_ns)

    def _reading(self, reading: Reading, now_ns: int) -> None:
        match reading:
            case Sweep():
                self.antennas.setdefault(reading.antenna, AntennaTally()).take(reading, now_ns)
            case ButtonPress(pressed=True):
                self.contacts[reading.contact] += 1
            case DeviceStatus(state="identified"):
                self.identity = printable(reading.detail)
            case DeviceStatus():
                self.statuses[reading.state, reading.antenna] = printable(reading.detail)


def shortened(tag: str) -> str:
    """Enough of a UID to distinguish two cards on the table, and not enough to recognise a card."""
    return f"…{tag[-4:]}"


def shared(tallies: Mapping[str, Tally]) -> set[frozenset[tuple[str, int]]]:
    """Antennas (device, number) that read one and the same tag, as sets of two and more."""
    readers: dict[str, set[tuple[str, int]]] = {}
    for name, tally in tallies.items():
        for number, antenna in tally.antennas.items():
            for tag in antenna.tags:
                readers.setdefault(tag, set()).add((name, number))
    return {frozenset(antennas) for antennas in readers.values() if len(antennas) > 1}


__all__ = ["AntennaTally", "TagCount", "Tally", "shared", "shortened"]
