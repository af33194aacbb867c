"""An attempt to work with a device, run: the port is opened with the driver that the attempt names, and what
happens there is reported to it.
"""

import threading
from collections.abc import Mapping
from typing import Final

from tablebridge.doctor.listen import Heard, Listener
from tablebridge.host.tap import Call
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.sdk.driver import Options, Signal, Turn
from tablebridge.settings.site import Device
from tablebridge.steps.attempt import PROOFS, Attempt

_TRIED: Final = "tried"


class RunningTrial:
    """Runs `attempt` at a port; call `step` again and again, and `stop` at the end. `tried`: the driver and
    its options by the names of the attempt. `hear`: receives the readings meanwhile.

    `heard`: the first bytes that the device sent, by these names. `identity`: what the device says that it
    is.
    """

    def __init__(
        self, attempt: Attempt, port: str, tried: Mapping[str, tuple[str, Options]], hear: Heard | None = None
    ) -> None:
        self.attempt = attempt
        self.heard: dict[str, bytes] = {}
        self.identity = ""
        self._port = port
        self._tried = tried
        self._hear = hear
        self._listener: Listener | None = None
        self._driver = ""
        self._lock = threading.Lock()
        self._calls = self._lives = 0

    @property
    def driver(self) -> str:
        """The driver that is tried now, or that was found."""
        return self._tried[self.attempt.driver][0]

    @property
    def options(self) -> Options:
        """Its options."""
        return self._tried[self.attempt.driver][1]

    def step(self, now_s: float) -> bool:
        """Report what has happened until `now_s`. Returns whether the state of the attempt changed."""
        attempt = self.attempt
        if attempt.over:
            return False
        before = attempt.state, attempt.driver
        if self._listener is None or self._driver != attempt.driver:
            self._open(now_s)
        elif not self._observe(self._listener, now_s):
            attempt.due(now_s)
        if attempt.over:
            self.stop()
        return before != (attempt.state, attempt.driver)

    def stop(self) -> None:
        """Release the port."""
        if self._listener is not None:
            self._listener.stop()
            with self._listener.lock:
                self.heard[self._driver] = self._listener.tally.heard
                self.identity = self._listener.tally.identity or self._listener.driver.title
            self._listener = None

    def _open(self, now_s: float) -> None:
        self.stop()
        self._driver = self.attempt.driver
        with self._lock:
            self._calls = self._lives = 0
        device = Device(name=_TRIED, driver=self.driver, port=self._port, options=self.options)
        try:
            self._listener = Listener(device, self._hear, self._note)
        except ConfigError as error:
            self.attempt.take("refused", now_s, str(error))
            return
        self._listener.start()

    def _observe(self, listener: Listener, now_s: float) -> bool:
        """Report the first thing that happened; whether there was any."""
        with self._lock:
            calls, lives = self._calls, self._lives
        match self.attempt.state:
            case "opening" if calls:
                return self.attempt.take("opened", now_s)
            case "asking" if lives:
                return self.attempt.take("answered", now_s)
            case "identified" if lives >= PROOFS:
                return self.attempt.take("proved", now_s)
        if listener.detail and not lives:
            return self.attempt.take("refused", now_s, listener.detail)
        return False

    def _note(self, call: Call, received: bytes | Signal, turn: Turn, now: Instant) -> None:
        """A session was called; this is the thread of the device."""
        with self._lock:
            self._calls += 1
            self._lives += turn.alive


__all__ = ["RunningTrial"]
