"""Which readings may wait a moment, so that many go out as one message. Pure.

Theory. Most of what comes in repeats what is known: an antenna reads the tags that lie there, or misses one
of them once, which at a table of ordinary noise happens thirty times per second. Nothing is decided by one
such reading, and that a tag was taken away only by several visits that miss it. What somebody may be waiting
for is sent at once, with all that waits:

    anything but a sweep      a press, a shuffler's report, what a device says of itself
    a sweep with a new tag    sensing decides on the first `EVIDENCE` visits that see it
    a sweep without a tag     if it lay there, and this is the visit number `EVIDENCE` in a row that misses it

A tag that its antenna has missed in `FORGOTTEN` visits in a row is new when it comes back.
"""

from typing import Final

from tablebridge.model.readings import Reading, Sweep

EVIDENCE: Final = 4
FORGOTTEN: Final = 16


class _Seen:
    """A tag at one antenna: how many sweeps saw it, and how many visits in a row have missed it."""

    __slots__ = ("missed", "seen")

    def __init__(self) -> None:
        self.seen = 0
        self.missed = 0


class News:
    """What is known of one device's antennas."""

    def __init__(self) -> None:
        self._antennas: dict[int, dict[str, _Seen]] = {}

    def take(self, reading: Reading) -> bool:
        """A reading came: whether it is to be sent at once."""
        if not isinstance(reading, Sweep):
            return True
        known = self._antennas.setdefault(reading.antenna, {})
        news = False
        for tag in reading.tags:
            seen = known.setdefault(tag, _Seen())
            seen.seen += 1
            seen.missed = 0
            news = news or seen.seen <= EVIDENCE
        if reading.complete and len(known) > len(reading.tags):
            for tag in known.keys() - set(reading.tags):
                seen, before = known[tag], known[tag].missed
                seen.missed += reading.visits
                news = news or (seen.seen >= EVIDENCE and before < EVIDENCE <= seen.missed)
                if seen.missed >= FORGOTTEN:
                    del known[tag]
        return news
