"""Tags that a UHF reader names one at a time and again and again, gathered to what lies there. No driver by
itself.

Theory. Each read names one tag. What was read within `keep` counts as there, for tags in a stack are missed
now and then. A report is due every second, and is told where it differs from the one before, so that a tray
that lies still costs nothing; as readings of antennas each is told, since there every look is evidence.
"""

from enum import Enum
from typing import Final

from tablebridge.sdk import Option, Options, Reading, Sweep, TrayReading
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.asking import MS, AskingFrames

EVERY_NS: Final = 1_000 * MS
MOST_TAGS: Final = 800
"""More than any tray's field reads; tags beyond that are counted as overflow."""

OPTIONS: Final = {
    "report": Option(
        "tray",
        "what the tags are told as: the content of a chip tray, or sweeps of antennas",
        choices=("tray", "antenna"),
    ),
    "keep_ms": Option(
        3000, "how long a tag counts as there after it was read last", lowest=100, highest=60000
    ),
}


class Gathering:
    """`options`: those of the driver, with `OPTIONS` among them. `antennas`: those of which silence is told,
    too.
    """

    def __init__(self, options: Options, antennas: tuple[int, ...] = (0,)) -> None:
        self._keep_ns = int(options["keep_ms"]) * MS
        self._tray = options["report"] == "tray"
        self._antennas = antennas
        self._seen: dict[tuple[int, str], int] = {}
        self._told: tuple[str, ...] | None = None
        self._due_ns: int | None = None
        self.overflow = False
        """More than `MOST_TAGS` were there at once."""

    def add(self, antenna: int, tag: str, now_ns: int) -> None:
        """A tag was read."""
        if (antenna, tag) in self._seen or len(self._seen) < MOST_TAGS:
            self._seen[antenna, tag] = now_ns
        else:
            self.overflow = True

    def report(self, now_ns: int) -> list[Reading]:
        """What lies there, once a second; call it whenever the reader has shown that it works."""
        if self._due_ns is None:
            self._due_ns = now_ns + EVERY_NS
        if now_ns < self._due_ns:
            return []
        self._due_ns = now_ns + EVERY_NS
        self._seen = {key: seen_ns for key, seen_ns in self._seen.items() if now_ns - seen_ns < self._keep_ns}
        complete, self.overflow = not self.overflow, False
        if not self._tray:
            antennas = sorted({antenna for antenna, _ in self._seen} | set(self._antennas))
            return [
                Sweep(
                    antenna, tuple(sorted(tag for at, tag in self._seen if at == antenna)), complete=complete
                )
                for antenna in antennas
            ]
        tags = tuple(sorted({tag for _, tag in self._seen}))
        if tags == self._told:
            return []
        self._told = tags
        return [TrayReading(tags)]


class GatheringSession(AskingFrames):
    """The conversation with a reader whose tags are gathered."""

    def __init__(self, first: Enum, frames: Frames, options: Options) -> None:
        super().__init__(first, frames)
        self.gathering = Gathering(options)

    def looked(self, now_ns: int) -> None:
        """The reader has shown that it works, and what it read so far may be due."""
        self.well()
        self.alive()
        for reading in self.gathering.report(now_ns):
            self.say(reading)
