"""One receiver and the thread that sends it what waits, so that a receiver that hangs holds up nobody else.

A thread sleeps until something comes or the next attempt is due. Nothing that a receiver does reaches whoever
gave it something to send.
"""

import logging
import random
import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tablebridge.deliveries.http import Unsafe
from tablebridge.deliveries.queue import Deliveries, Item, Waiting

_log: Final = logging.getLogger(__name__)

T = TypeVar("T", bound=Item)
Send = Callable[[T, int], int]
"""Sends one item, with how many were lost before it, and returns the status of the answer as HTTP counts it.
Raises OSError if there is none.
"""


class Receiver(Generic[T]):
    """One receiver, from `start` to `stop`. `finished` is called when anything waits no more. `called`: what
    the log calls it, without secrets.
    """

    def __init__(
        self,
        name: str,
        called: str,
        send: Send[T],
        deliveries: Deliveries[T] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.deliveries = deliveries or Deliveries(random.random)
        self.finished: Callable[[], None] = lambda: None
        self._called = called
        self._send = send
        self._monotonic = monotonic
        self._changed = threading.Condition()
        self._stopping = False
        self._trouble = ""
        self._lost = 0
        self._thread = threading.Thread(target=self._run, name=f"to {name}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a request under way ends with the process."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def put(self, waiting: Waiting[T]) -> None:
        """This is to be sent."""
        with self._changed:
            self.deliveries.put(waiting)
            self._changed.notify()

    def take_finished(self) -> list[int]:
        """The rows on disk of what waits no more, each once."""
        with self._changed:
            finished, self.deliveries.finished = self.deliveries.finished, []
        return finished

    def _run(self) -> None:
        while (item := self._next()) is not None:
            reported = self.deliveries.lost_before
            status, trouble = 0, ""
            try:
                status = self._send(item, reported)
            except Unsafe as error:
                trouble = str(error)
            except Exception as error:  # one answer must not leave a receiver without anything for good
                trouble = f"no answer ({type(error).__name__})"
            with self._changed:
                if status:
                    accepted = self.deliveries.answered(item, status, self._monotonic(), reported)
                    trouble = "" if accepted else f"it answers {status}"
                else:
                    self.deliveries.failed(self._monotonic())
            self.finished()
            self._report(trouble)

    def _next(self) -> T | None:
        """Wait for the next item that is due; None at the end."""
        with self._changed:
            while not self._stopping:
                now = self._monotonic()
                item = self.deliveries.next(now)
                self._report_losses()
                if item is not None:
                    return item
                self._changed.wait(self.deliveries.wait_s(now))
        return None

    def _report(self, trouble: str) -> None:
        """Log a trouble once, and its end."""
        if trouble != self._trouble:
            self._warn(trouble or "it accepts what is sent again")
        self._trouble = trouble

    def _report_losses(self) -> None:
        """Log how many were given up, when that is 1, 2, 4, 8 ... or more for the first time."""
        lost, bounds = self.deliveries.lost, self.deliveries
        if lost > self._lost:
            self.finished()
        if lost.bit_length() > self._lost.bit_length():
            self._warn(
                f"{lost} were given up: refused, not accepted for {bounds.oldest_s / 60:.0f} min, or the "
                f"oldest of more than {bounds.most}"
            )
        self._lost = lost

    def _warn(self, trouble: str) -> None:
        _log.warning("%s: %s", self._called, trouble)
