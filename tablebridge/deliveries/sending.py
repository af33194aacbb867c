"""All receivers of one process, and the thread that has what they are sent on disk before anybody hears of
it.

A message of the bus is acknowledged when what follows from it is in the file, so a process that ends in
between gets it again, and one that ends later finds it there: something may be sent twice, under the same id,
but is never lost with a process. What comes together shares a commit. If the disk refuses, the log says so
once and everything waits in memory only.
"""

import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from tablebridge.deliveries.file import DeliveryFile
from tablebridge.deliveries.queue import Item, Waiting
from tablebridge.deliveries.receiver import Receiver
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.model.instant import Instant, seconds_between

_log: Final = logging.getLogger(__name__)

T = TypeVar("T", bound=Item)


class _New(NamedTuple, Generic[T]):
    """What is not on disk yet, and for which receivers. `kept` is called when it is."""

    wanted: Sequence[tuple[Receiver[T], T]]
    at: Instant
    kept: Callable[[], None]


class Sending(Generic[T]):
    """The receivers of one process, from `start` to `stop`; what waits on disk, of this `kind`, is theirs
    from the beginning.
    """

    def __init__(
        self, receivers: Sequence[Receiver[T]], path: Path, kind: type[T], clock: Clock | None = None
    ) -> None:
        self.receivers = receivers
        self._clock = clock or SystemClock()
        self._path = path
        self._kind = kind
        self._file: DeliveryFile[T] | None = None
        self._trouble = False
        self._new: deque[_New[T]] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="deliveries", daemon=True)

    def start(self) -> None:
        """Take what waits on disk, and start all threads."""
        if not self.receivers:
            return
        self._open()
        for receiver in self.receivers:
            receiver.finished = self._wake
            receiver.start()
        self._thread.start()

    def stop(self) -> None:
        """End the threads, with what is to be sent on disk."""
        if not self._thread.is_alive():
            return
        for receiver in self.receivers:
            receiver.stop()
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def put(self, wanted: Sequence[tuple[Receiver[T], T]], kept: Callable[[], None]) -> None:
        """This is to be sent, each item to its receiver. `kept` is called when a restart does not lose it, by
        another thread if need be.
        """
        if not wanted:
            kept()
            return
        with self._changed:
            self._new.append(_New(wanted, self._clock.now(), kept))
            self._changed.notify()

    def _open(self) -> None:
        by_name = {receiver.name: receiver for receiver in self.receivers}
        try:
            self._file = DeliveryFile(self._path, self._kind)
        except (sqlite3.Error, OSError) as error:
            self._refused(error)
            return
        now, strangers = self._clock.now(), []
        for name, receiver in by_name.items():
            receiver.deliveries.lost_before = self._file.lost.get(name, 0)
        for kept in self._file.kept:
            if kept.receiver in by_name:
                since_s = time.monotonic() - seconds_between(kept.at, now)
                by_name[kept.receiver].put(Waiting(kept.number, since_s, kept.item))
            else:
                strangers.append(kept.number)
        if strangers:
            _log.warning(
                "%d deliveries are deleted, for receivers that the settings no longer name", len(strangers)
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
        finished = any(receiver.deliveries.finished for receiver in self.receivers)
        return bool(self._new) or self._stopping or finished

    def _keep(self, new: Sequence[_New[T]]) -> None:
        """Have this on disk and what is finished no longer, then hand it to the receivers."""
        wanted = [(receiver, some.at, item) for some in new for receiver, item in some.wanted]
        finished = [number for receiver in self.receivers for number in receiver.take_finished()]
        rows = [(receiver.name, at, item) for receiver, at, item in wanted]
        for (receiver, _, item), number in zip(wanted, self._written(rows, finished), strict=True):
            if number is not None:
                receiver.put(Waiting(number, time.monotonic(), item))
        for some in new:
            some.kept()

    def _written(
        self, rows: Sequence[tuple[str, Instant, T]], finished: Sequence[int]
    ) -> Sequence[int | None]:
        """The numbers of these rows on disk; None for what waits already, 0 if the disk refuses."""
        lost = {receiver.name: receiver.deliveries.lost_before for receiver in self.receivers}
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
                "deliveries cannot be kept in %s (%s): they are sent all the same, but a restart loses those "
                "that wait. Free space on the disk, and check the rights of the folder",
                self._path,
                error,
            )
        self._trouble = True

    def _wake(self) -> None:
        """A receiver is done with something."""
        with self._changed:
            self._changed.notify()
