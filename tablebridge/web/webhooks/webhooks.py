"""All webhooks of a site, and the thread that has their events on disk before anybody hears of them.

A message of the bus is acknowledged when its event is in the file, so a process that ends in between gets it
again, and one that ends later finds it there: an event may be sent twice, under the same id, but is never
lost with a process. Events that come together share a commit. If the disk refuses, the log says so once and
events wait in memory only.
"""

import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tablebridge.host.clock import Clock, SystemClock
from tablebridge.model.instant import Instant
from tablebridge.model.site_event import SiteEvent
from tablebridge.settings.site import Site
from tablebridge.settings.state import WEBHOOK_EVENTS
from tablebridge.web.webhooks.deliveries import Waiting
from tablebridge.web.webhooks.event_file import EventFile
from tablebridge.web.webhooks.hook import Hook, secret_of

_log: Final = logging.getLogger(__name__)


class _Happened(NamedTuple):
    """An event that is not on disk yet. `kept` is called when it is."""

    event: SiteEvent
    at: Instant
    kept: Callable[[], None]


class Webhooks:
    """The webhooks of a site, from `start` to `stop`; what waits on disk is theirs from the beginning."""

    def __init__(self, hooks: Sequence[Hook], path: Path, clock: Clock | None = None) -> None:
        self.hooks = hooks
        self._clock = clock or SystemClock()
        self._path = path
        self._file: EventFile | None = None
        self._trouble = False
        self._new: deque[_Happened] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        """Take what waits on disk, and start all threads."""
        if not self.hooks:
            return
        self._open()
        for hook in self.hooks:
            hook.finished = self._wake
            hook.start()
        self._thread.start()

    def stop(self) -> None:
        """End the threads, with what has happened on disk."""
        if not self._thread.is_alive():
            return
        for hook in self.hooks:
            hook.stop()
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def happened(self, event: SiteEvent, kept: Callable[[], None]) -> None:
        """An event: it is for all webhooks that want it. `kept` is called when a restart does not lose it, by
        another thread if need be.
        """
        if not any(hook.wants(event) for hook in self.hooks):
            kept()
            return
        with self._changed:
            self._new.append(_Happened(event, self._clock.now(), kept))
            self._changed.notify()

    def _open(self) -> None:
        by_name = {hook.name: hook for hook in self.hooks}
        try:
            self._file = EventFile(self._path)
        except (sqlite3.Error, OSError) as error:
            self._refused(error)
            return
        now, strangers = self._clock.now(), []
        for name, hook in by_name.items():
            hook.deliveries.lost_before = self._file.lost.get(name, 0)
        for kept in self._file.events:
            if kept.hook in by_name:
                since_s = time.monotonic() - _age_s(kept.at, now)
                by_name[kept.hook].put(Waiting(kept.number, since_s, kept.event))
            else:
                strangers.append(kept.number)
        if strangers:
            _log.warning(
                "%d events for webhooks that the site file no longer names are deleted", len(strangers)
            )
            self._written([], strangers)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(self._is_due)
                new, self._new = list(self._new), deque()
                stopping = self._stopping
            self._keep(new)
            if stopping and not self._new:
                break
        if self._file is not None:
            self._file.close()

    def _is_due(self) -> bool:
        """Whether there is something to write, or it is the end."""
        return bool(self._new) or self._stopping or any(hook.deliveries.finished for hook in self.hooks)

    def _keep(self, new: Sequence[_Happened]) -> None:
        """Have these events on disk and what is finished no longer, then hand them to the webhooks."""
        wanted = [(hook, happened) for happened in new for hook in self.hooks if hook.wants(happened.event)]
        finished = [number for hook in self.hooks for number in hook.take_finished()]
        rows = [(hook.name, happened.at, happened.event) for hook, happened in wanted]
        for (hook, happened), number in zip(wanted, self._written(rows, finished), strict=True):
            if number is not None:
                hook.put(Waiting(number, time.monotonic(), happened.event))
        for happened in new:
            happened.kept()

    def _written(
        self, rows: Sequence[tuple[str, Instant, SiteEvent]], finished: Sequence[int]
    ) -> Sequence[int | None]:
        """The numbers of these rows on disk; None for an event that waits already, 0 if the disk refuses."""
        lost = {hook.name: hook.deliveries.lost_before for hook in self.hooks}
        if self._file is not None and (rows or finished):
            try:
                numbers = self._file.write(rows, finished, lost)
            except sqlite3.Error as error:
                self._refused(error)
            else:
                self._trouble = False
                return [number or None for number in numbers]
        return [0] * len(rows)

    def _refused(self, error: Exception) -> None:
        """Log once that the disk refuses."""
        if not self._trouble:
            _log.error(
                "events for webhooks cannot be kept in %s (%s): they are sent all the same, but a restart "
                "loses those that wait. Free space on the disk, and check the rights of the folder",
                self._path,
                error,
            )
        self._trouble = True

    def _wake(self) -> None:
        """A webhook is done with an event."""
        with self._changed:
            self._changed.notify()


def webhooks_of(site: Site) -> Webhooks:
    """The webhooks that the site file names. Raises ConfigError if a secret cannot be read or made."""
    hooks = tuple(Hook(webhook, secret_of(site.state_dir, webhook.name)) for webhook in site.webhooks)
    return Webhooks(hooks, WEBHOOK_EVENTS.path(site.state_dir))


def _age_s(at: Instant, now: Instant) -> float:
    """How long ago that was: by the monotonic clock within one boot, else by the wall clock, never below
    0.
    """
    if at.boot_id == now.boot_id:
        return max(0.0, (now.monotonic_ns - at.monotonic_ns) / 1e9)
    return max(0.0, (now.wall_ns - at.wall_ns) / 1e9)
