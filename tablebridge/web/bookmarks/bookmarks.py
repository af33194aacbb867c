"""The bookmarks of a site: made at once for critical findings and when a person asks, and delivered by
threads of their own, so that no video system holds up a page.

Each is published on the bus too. A system that does not answer is tried `TRIES` times; what it does not take
then is lost to it, and the log says so: the record has the finding, or who asked, in any case.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Final

from tablebridge.bus.messages import BookmarkMessage, FindingMessage
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site, Video
from tablebridge.web.bookmarks.bookmark import Adapter, Deliver
from tablebridge.web.bookmarks.milestone import milestone

GROUP: Final = "tablebridge.bookmarks"
TRIES: Final = 3
MOST_WAITING: Final = 100
_BEFORE_S: Final = 10.0
_AFTER_S: Final = 20.0
_BUILT_IN: Final[Mapping[str, Adapter]] = {"milestone": milestone}
_log: Final = logging.getLogger(__name__)

Publish = Callable[[BookmarkMessage], None]


def adapter(name: str) -> Adapter:
    """The adapter of this name. Raises ConfigError if there is none."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    for point in metadata.entry_points(group=GROUP):
        if point.name == name:
            found: Adapter = point.load()
            return found
    known = sorted({*_BUILT_IN, *(point.name for point in metadata.entry_points(group=GROUP))})
    raise ConfigError(f"there is no video adapter {name!r}; there are {', '.join(known)}")


class Bookmarks:
    """The bookmarks of a site, from `start` to `stop`. `find` gives an adapter by its name; `pause_s`: from
    one try to the next. Raises ConfigError if a `[[video]]` cannot be used.
    """

    def __init__(
        self, videos: Sequence[Video], find: Callable[[str], Adapter] = adapter, pause_s: float = 2.0
    ) -> None:
        self._systems = [_System(video, find(video.adapter)(video), pause_s) for video in videos]
        self._seen: dict[str, None] = {}
        self.publish: Publish = lambda bookmark: None

    @classmethod
    def of(cls, site: Site) -> "Bookmarks":
        """Those of the site file."""
        return cls(site.videos)

    def start(self) -> None:
        for system in self._systems:
            system.thread.start()

    def stop(self) -> None:
        """End the threads; what waits is dropped."""
        for system in self._systems:
            system.ending.set()

    def found(self, table: str, message: FindingMessage) -> None:
        """A finding was made: if it is critical, the video is marked, once."""
        finding = message.finding
        if finding.severity == "critical":
            self.mark(table, f"{table}-{finding.id}", finding.finding, finding.hand, message.at.wall_ns)

    def mark(self, table: str, id: str, kind: str, hand: int, at_wall_ns: int) -> None:
        """Have the video of this table marked at this time, once for each id."""
        if id in self._seen:
            return
        self._seen[id] = None
        while len(self._seen) > 10 * MOST_WAITING:
            del self._seen[next(iter(self._seen))]
        mine = [system for system in self._systems if system.video.covers(table)]
        video = mine[0].video if mine else None
        self.publish(_bookmark(video, table, id, kind, hand, at_wall_ns))
        for system in mine:
            system.put(_bookmark(system.video, table, id, kind, hand, at_wall_ns))


def _bookmark(
    video: Video | None, table: str, id: str, kind: str, hand: int, at_wall_ns: int
) -> BookmarkMessage:
    before_s, after_s = (_BEFORE_S, _AFTER_S) if video is None else (video.before_s, video.after_s)
    return BookmarkMessage(
        id,
        table,
        "" if video is None else video.cameras.get(table, ""),
        kind,
        hand,
        at_wall_ns,
        at_wall_ns - round(before_s * 1e9),
        at_wall_ns + round(after_s * 1e9),
    )


class _System:
    """A video system, with what waits for it."""

    def __init__(self, video: Video, deliver: Deliver, pause_s: float) -> None:
        self.video = video
        self.ending = threading.Event()
        self._deliver = deliver
        self._pause_s = pause_s
        self._waiting: queue.Queue[BookmarkMessage] = queue.Queue(MOST_WAITING)
        self.thread = threading.Thread(target=self._run, name=f"video-{video.adapter}", daemon=True)

    def put(self, bookmark: BookmarkMessage) -> None:
        """It is to be delivered. If too much waits, it is lost."""
        try:
            self._waiting.put_nowait(bookmark)
        except queue.Full:
            _log.error("video %s: too many bookmarks wait; %s is lost", self.video.adapter, bookmark.id)

    def _run(self) -> None:
        while not self.ending.is_set():
            try:
                bookmark = self._waiting.get(timeout=0.5)
            except queue.Empty:
                continue
            self._try(bookmark)

    def _try(self, bookmark: BookmarkMessage) -> None:
        for _ in range(TRIES):
            try:
                self._deliver(bookmark)
            except Exception as error:
                # An adapter is somebody else's code: it may raise whatever it likes.
                trouble = error
            else:
                return
            if self.ending.wait(self._pause_s):
                return
        _log.error("video %s: the bookmark %s was not taken (%s)", self.video.adapter, bookmark.id, trouble)
