"""A terminal that is never silent for long: while nothing else is printed, a line every few seconds says what
goes on.
"""

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

import click

QUIET_S: Final = 5.0
"""How long nothing is printed at most."""
_STEP_S: Final = 0.25


class Ticker:
    """Prints what `going_on` answers, on standard error, while nothing else comes. A context manager.

    It has a thread of its own and waits for nothing: whatever else takes long, it speaks.
    """

    def __init__(self, going_on: Callable[[], str]) -> None:
        self.going_on = going_on
        self._printed_s = time.monotonic()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ticker", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def say(self, line: str, *, err: bool = False) -> None:
        """Print a line."""
        with self._lock:
            click.echo(line, err=err)
            self._printed_s = time.monotonic()

    def _run(self) -> None:
        while not self._over.wait(_STEP_S):
            if time.monotonic() - self._printed_s >= QUIET_S:
                self.say(f"  {self.going_on()}", err=True)
