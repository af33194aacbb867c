"""One webhook and the thread that sends its events, so that a receiver that hangs holds up nobody else.

A thread sleeps until an event comes or the next attempt is due. Nothing that a receiver does reaches the
pages.
"""

import logging
import random
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from tablebridge import private
from tablebridge.model.errors import ConfigError
from tablebridge.model.site_event import SiteEvent
from tablebridge.settings.site import Webhook
from tablebridge.settings.state import WEBHOOK_SECRET
from tablebridge.web.webhooks.deliveries import MOST, OLDEST_S, Deliveries, Waiting
from tablebridge.web.webhooks.post import DELIVERY, SIGNATURE, Unsafe, post, sign

log = logging.getLogger(__name__)


def secret_of(state_dir: Path, name: str) -> str:
    """The secret with which the events for this webhook are signed, made at random if there is none yet.
    Raises ConfigError.
    """
    path = WEBHOOK_SECRET.path(state_dir, name)
    try:
        if not path.exists():
            private.own_folder(path.parent)
            private.write(path, secrets.token_urlsafe(32).encode())
        return path.read_text().strip()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read or made ({error.strerror}): run this as the user of the pages."
        ) from None


def send(settings: Webhook, secret: str, event: SiteEvent) -> int:
    """Send one event and return the status of the answer. Raises OSError if there is none."""
    body = msgspec.json.encode(event)
    headers = {
        SIGNATURE: sign(secret, body, int(time.time())),
        DELIVERY: event.id,
        "User-Agent": "tablebridge",
    }
    return post(settings.url, body, headers, loopback=settings.allow_loopback)


class Hook:
    """One webhook, from `start` to `stop`. `finished` is called when events wait no more."""

    def __init__(
        self, settings: Webhook, secret: str, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = settings.name
        self.deliveries = Deliveries(random.random)
        self.finished: Callable[[], None] = lambda: None
        self._settings = settings
        self._secret = secret
        self._monotonic = monotonic
        self._changed = threading.Condition()
        self._stopping = False
        self._trouble = ""
        self._lost = 0
        self._thread = threading.Thread(target=self._run, name=f"webhook {settings.name}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a request under way ends with the process."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def wants(self, event: SiteEvent) -> bool:
        """Whether this webhook is for such an event."""
        wanted = self._settings
        return event.event in wanted.events and (not wanted.tables or event.table in wanted.tables)

    def put(self, waiting: Waiting) -> None:
        """An event that this webhook wants is to be sent."""
        with self._changed:
            self.deliveries.put(waiting)
            self._changed.notify()

    def take_finished(self) -> list[int]:
        """The rows on disk of events that wait no more, each once."""
        with self._changed:
            finished, self.deliveries.finished = self.deliveries.finished, []
        return finished

    def _run(self) -> None:
        while (event := self._next()) is not None:
            status, trouble = 0, ""
            try:
                status = send(self._settings, self._secret, event)
            except Unsafe as error:
                trouble = str(error)
            except Exception as error:  # one answer must not leave a receiver without events for good
                trouble = f"no answer ({type(error).__name__})"
            with self._changed:
                if status:
                    accepted = self.deliveries.answered(event, status, self._monotonic())
                    trouble = "" if accepted else f"it answers {status}"
                else:
                    self.deliveries.failed(self._monotonic())
            self.finished()
            self._report(trouble)

    def _next(self) -> SiteEvent | None:
        """Wait for the next event that is due; None at the end."""
        with self._changed:
            while not self._stopping:
                now = self._monotonic()
                event = self.deliveries.next(now)
                self._report_losses()
                if event is not None:
                    return event
                self._changed.wait(self.deliveries.wait_s(now))
        return None

    def _report(self, trouble: str) -> None:
        """Log a trouble once, and its end."""
        if trouble != self._trouble:
            self._warn(trouble or "it accepts events again")
        self._trouble = trouble

    def _report_losses(self) -> None:
        """Log how many events were given up, when that is 1, 2, 4, 8 ... or more for the first time."""
        lost = self.deliveries.lost
        if lost > self._lost:
            self.finished()
        if lost.bit_length() > self._lost.bit_length():
            self._warn(
                f"{lost} events were given up: refused, not accepted for {OLDEST_S / 3600:.0f} h, or the "
                f"oldest of more than {MOST}"
            )
        self._lost = lost

    def _warn(self, trouble: str) -> None:
        """Log this. Never the whole address, which may hold a key."""
        log.warning("webhook %s (%s): %s", self.name, urlsplit(self._settings.url).hostname, trouble)
