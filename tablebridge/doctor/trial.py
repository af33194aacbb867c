"""An attempt to work with a device, run: the port is opened with the driver that the attempt names, and what
happens there is reported to it.
"""

import threading
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
    """Runs `attempt` at a port; call `step` again and again, and `stop` at the end. `options`: of the driver,
    if it was named by a person. `hear`: receives the readings meanwhile.

    `most`: the most bytes that the device sent to any driver. `identity`: what the device says that it is.
    """

    def __init__(self, attempt: Attempt, port: str, options: Options, hear: Heard | None = None) -> None:
        self.attempt = attempt
        self.most = b""
        self.identity = ""
        self._port = port
        self.options = options
        self._hear = hear
        self._listener: Listener | None = None
        self._driver = ""
        self._lock = threading.Lock()
        self._calls = self._lives = 0

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
                self.most = max(self.most, self._listener.tally.heard, key=len)
                self.identity = self._listener.tally.identity or self._listener.driver.title
            self._listener = None

    def _open(self, now_s: float) -> None:
        self.stop()
        self._driver = self.attempt.driver
        with self._lock:
            self._calls = self._lives = 0
        device = Device(name=_TRIED, driver=self._driver, port=self._port, options=self.options)
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
