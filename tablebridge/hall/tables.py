"""The latest picture of every table of the room, from the bucket to the pages.

A table has a name of its own in the room. If two boxes write the same table, none of them is believed more:
both are shown, as `TABLE@BOX`. The age of a picture is counted from when it came to the room, by this
process's own clock.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from tablebridge.stream.pictures import GONE_S, Place, TablePicture, decode_picture
from tablebridge.web.status import TableStatus
from tablebridge.web.watch import Watch, Watches

MOST_TABLES: Final = 2_000
"""Tables that are shown."""
MOST_OF_BOX: Final = 100
"""Tables of one box that are shown."""
_CHECK_S: Final = 0.5

Link = Literal["live", "engine", "gone"]
"""`live`: the table is followed; `engine`: its box is heard, and reports the engine as away; `gone`: nothing
comes from the box.
"""


@dataclass
class Seen:
    """A table as it was seen last. `heard_s`: when, by the monotonic clock; `sequence`: its place in the
    bucket; `status`: the picture as pages take it; `link`: what it is known to be.
    """

    place: Place
    picture: TablePicture
    heard_s: float
    sequence: int
    status: TableStatus
    link: Link = "gone"


class Tables:
    """The tables of a room. `monotonic`: the clock that ages are measured by, in seconds."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.tables: dict[str, TableStatus] = {}
        self.closing = False
        self.refused: Counter[str] = Counter()
        """How many values were no picture, and pictures of tables too many, by the box that wrote them."""
        self._seen: dict[Place, Seen] = {}
        self._by_name: dict[str, Seen] = {}
        self._monotonic = monotonic
        self._servers_away_since: float | None = monotonic()
        self._watches = Watches()
        self._checked_s = 0.0

    # From the bucket.

    def begin(self) -> None:
        """Another consumer begins: the bucket may have been made again, with places from 1."""
        for seen in self._seen.values():
            seen.sequence = 0

    def servers(self, connected: bool) -> None:
        """The bucket can be followed, or cannot."""
        if connected:
            self._servers_away_since = None
        elif self._servers_away_since is None:
            self._servers_away_since = self._monotonic()

    def take(self, place: Place, value: bytes, sequence: int, age_s: float) -> None:
        """Take a value of the bucket, which came to the room so long ago. What is no picture is counted."""
        seen = self._seen.get(place)
        if seen is not None and sequence < seen.sequence:
            return
        try:
            picture = decode_picture(value, place)
        except ValueError:
            self.refused[place.box] += 1
            return
        heard_s = self._monotonic() - max(0.0, age_s)
        if seen is None:
            if not self._has_room(place.box):
                self.refused[place.box] += 1
                return
            seen = self._seen[place] = Seen(place, picture, heard_s, sequence, TableStatus(place.table))
            self._name()
            self._show(seen)
        before = seen.picture
        seen.picture, seen.heard_s, seen.sequence = picture, heard_s, sequence
        if _shown(before) != _shown(picture) or seen.link != self._link(seen):
            self._show(seen)

    def check(self) -> None:
        """Find out which links are gone. To be called a few times per second."""
        now = self._monotonic()
        if now - self._checked_s < _CHECK_S:
            return
        self._checked_s = now
        for seen in self._seen.values():
            if seen.link != "gone" and self._link(seen) == "gone":
                self._show(seen)

    # To the pages.

    @property
    def names(self) -> tuple[str, ...]:
        """The tables in the order of the room: by number, then by name."""
        return tuple(sorted(self.tables, key=order_of))

    def seen(self, name: str) -> Seen | None:
        """The table of this name."""
        return self._by_name.get(name)

    def heard_wall_ns(self, name: str) -> int:
        """When something came of this table last, by the wall clock of this process."""
        return time.time_ns() - round((self._monotonic() - self._by_name[name].heard_s) * 1e9)

    def alive(self, names: Iterable[str]) -> int:
        """How many of these tables are followed."""
        return sum(self._by_name[name].link == "live" for name in names)

    @property
    def servers_away_s(self) -> float:
        """For how long the bucket cannot be followed, 0 if it can."""
        since = self._servers_away_since
        return 0.0 if since is None else self._monotonic() - since

    def watch(self, keys: Iterable[str]) -> Watch:
        """A new watch of these keys, until `unwatch`: `table:NAME`, and `room:all` for which tables there
        are.
        """
        return self._watches.add(keys)

    def unwatch(self, watch: Watch) -> None:
        """The reader has gone."""
        self._watches.discard(watch)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        self.closing = True
        self._watches.end()

    def _has_room(self, box: str) -> bool:
        return len(self._seen) < MOST_TABLES and sum(one.box == box for one in self._seen) < MOST_OF_BOX

    def _name(self) -> None:
        """Give each table its name in the room."""
        boxes = Counter(place.table for place in self._seen)
        self._by_name = {
            place.table if boxes[place.table] == 1 else f"{place.table}@{place.box}": seen
            for place, seen in self._seen.items()
        }
        for name, seen in self._by_name.items():
            if seen.status.name != name:
                seen.status = TableStatus(name)
                self._show(seen)
        self.tables = {name: seen.status for name, seen in self._by_name.items()}
        self._watches.touch("room", "all")

    def _show(self, seen: Seen) -> None:
        """Bring what pages take up to the picture, and wake those who watch it."""
        status, picture, name = seen.status, seen.picture, seen.status.name
        seen.link = self._link(seen)
        status.view, status.more_alerts, status.out = picture.view, picture.more, picture.out
        status.alerts = {
            alert.id: msgspec.structs.replace(alert, table=name)
            for alert in picture.alerts
            if alert.state != "closed"
        }
        status.runs = seen.link == "live"
        status.changes += 1
        self._watches.touch("table", name)

    def _link(self, seen: Seen) -> Link:
        if self._monotonic() - seen.heard_s > GONE_S:
            return "gone"
        return "live" if seen.picture.runs else "engine"


def _shown(picture: TablePicture) -> TablePicture:
    """What of a picture pages show: not when it was written."""
    return msgspec.structs.replace(picture, heard_wall_ns=0, at_wall_ns=0)


def order_of(name: str) -> tuple[str, int, str]:
    """The key that sorts tables in the order of the room: table-9 before table-10."""
    head = name.rstrip("0123456789")
    return head, int(name[len(head) :][:9] or 0), name
