"""The devices of a site that runs, as they are heard over the bus, and at which of its tables a hand is under
way.
"""

import contextlib
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from tablebridge.bus.account import account
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import ReadingBatch, decode
from tablebridge.bus.topics import PUBLIC_STATE, READING, parse
from tablebridge.doctor.hearing import in_play
from tablebridge.model.readings import Reading
from tablebridge.model.views import TableView
from tablebridge.settings.site import Site


class Ear:
    """Listens in a thread of its own from `start` on. `hear(device, reading)` is called there. Raises
    ConfigError, BrokerError.
    """

    def __init__(self, site: Site, hear: Callable[[str, Reading], None]) -> None:
        self._site = site
        self._hear = hear
        self._streets: dict[str, str] = {}
        self._ending = threading.Event()
        user, password = account(site, "enrol")
        self._client = BusClient(site.broker, f"setup-{secrets.token_hex(8)}", user, password, clean=True)
        self._client.on_message = self._message
        # QoS 0: what is read while nobody listens must not be kept for us.
        self._client.subscribe(
            *(READING.of(site.name, group.table, group.name) for group in site.groups), qos=0
        )
        self._client.subscribe(PUBLIC_STATE.filter(site.name))
        self._thread = threading.Thread(target=self._run, name="ear", daemon=True)

    def start(self) -> None:
        """Listen from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End the connection."""
        self._ending.set()
        self._thread.join(10)

    def in_play(self, deck: Path) -> str:
        """A table with a hand under way at which this deck may be; empty if there is none."""
        return in_play(self._site, deck, self._streets)

    def _run(self) -> None:
        while not self._ending.is_set():
            self._client.step(0.2)
        self._client.close()

    def _message(self, topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        parsed = parse(topic)
        if parsed is None:
            return
        with contextlib.suppress(ValueError):
            if parsed.topic is PUBLIC_STATE:
                self._streets[parsed.table] = decode(payload, TableView).street
            else:
                for stamped in decode(payload, ReadingBatch).stamped():
                    self._hear(stamped.device, stamped.reading)


__all__ = ["Ear"]
