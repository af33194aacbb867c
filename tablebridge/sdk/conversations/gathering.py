"""Request and response with a reader that names tags one at a time and again and again, as UHF readers do:
what it names is gathered to what lies there.

Theory. Each read names one tag. What was read within `keep` counts as there, for tags in a stack are missed
now and then. A report is due every second, and is emitted if it differs from the one before, so that a tray
that lies still costs nothing; as sweeps of antennas each report is emitted, since there every visit is
evidence.
"""

from enum import Enum
from typing import Final, TypeVar

from tablebridge.model.readings import Reading, Sweep, TrayReading
from tablebridge.sdk.conversations.conversation import MS
from tablebridge.sdk.conversations.request_response import RequestResponse
from tablebridge.sdk.driver import Option, Options
from tablebridge.sdk.framing import Receiver

EVERY_NS: Final = 1_000 * MS
MOST_TAGS: Final = 800
"""More than any tray's field reads; tags beyond that are left out, and the sweep is incomplete."""

OPTIONS: Final = {
    "report": Option(
        "tray",
        "what the tags are reported as: the content of a chip tray, or sweeps of antennas",
        choices=("tray", "antenna"),
    ),
    "keep_ms": Option(
        3000, "how long a tag counts as there after it was read last", lowest=100, highest=60000
    ),
}
"""Options of each driver whose tags are gathered."""

Step = TypeVar("Step", bound=Enum)


class Gathered:
    """The tags that lie there. `options`: those of the driver, with `OPTIONS` among them. `antennas`: those
    whose empty sweeps are reported, too.
    """

    def __init__(self, options: Options, antennas: tuple[int, ...] = (0,)) -> None:
        self._keep_ns = int(options["keep_ms"]) * MS
        self._tray = options["report"] == "tray"
        self._antennas = antennas
        self._read_ns: dict[tuple[int, str], int] = {}
        self._reported: tuple[str, ...] | None = None
        self._due_ns: int | None = None
        self._overflow = False
        """More than `MOST_TAGS` were there at once since the last report."""

    def add(self, antenna: int, tag: str, now_ns: int) -> None:
        """A tag was read."""
        if (antenna, tag) in self._read_ns or len(self._read_ns) < MOST_TAGS:
            self._read_ns[antenna, tag] = now_ns
        else:
            self._overflow = True

    def report(self, now_ns: int) -> list[Reading]:
        """What lies there, once per second; call it whenever the reader has shown that it works."""
        if self._due_ns is None:
            self._due_ns = now_ns + EVERY_NS
        if now_ns < self._due_ns:
            return []
        self._due_ns = now_ns + EVERY_NS
        self._read_ns = {
            key: read_ns for key, read_ns in self._read_ns.items() if now_ns - read_ns < self._keep_ns
        }
        complete, self._overflow = not self._overflow, False
        return self._content() if self._tray else self._sweeps(complete)

    def _content(self) -> list[Reading]:
        tags = tuple(sorted({tag for _, tag in self._read_ns}))
        if tags == self._reported:
            return []
        self._reported = tags
        return [TrayReading(tags)]

    def _sweeps(self, complete: bool) -> list[Reading]:
        antennas = sorted({antenna for antenna, _ in self._read_ns} | set(self._antennas))
        return [
            Sweep(
                antenna, tuple(sorted(tag for at, tag in self._read_ns if at == antenna)), complete=complete
            )
            for antenna in antennas
        ]


class GatheringSession(RequestResponse[Step]):
    """A session with a reader whose tags are gathered. `half_duplex`: as of `RequestResponse`."""

    def __init__(
        self, first: Step, receiver: Receiver[bytes], options: Options, half_duplex: bool = False
    ) -> None:
        super().__init__(first, receiver, half_duplex)
        self.gathered = Gathered(options)

    def works(self, now_ns: int) -> None:
        """The reader has shown that it works, and a report of what it has read may be due."""
        self.report_success()
        self.prove_alive()
        for reading in self.gathered.report(now_ns):
            self.report(reading)


__all__ = ["MS", "OPTIONS", "Gathered", "GatheringSession"]
