"""The engine's process is killed at random moments while readings come: nothing is lost or doubled."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from rig.groups import alone
from rig.wait import wait_for

from tablebridge.app.opening import open_core
from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import DeviceMeta, ReplayRequest, decode, encode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.sender import Sender
from tablebridge.host.clock import SystemClock
from tablebridge.journal.aside import positions_of
from tablebridge.journal.read import entries
from tablebridge.journal.store import Journal
from tablebridge.model.events import End
from tablebridge.model.instant import later
from tablebridge.model.readings import Stamped
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .conftest import stamp
from .recording import DECK, night, site_text
from .test_core import Fixed, told

KILLS = 50
HANDS = 10
BEHIND = 2_500
LATE_S = 30.0
"""How late the first readings are: the clock must not end waits of sensing before what was read has come."""


class Driver:
    """The driver's half: an outbox that is already full of a night, sent as the broker takes it, a piece at a
    time.
    """

    def __init__(self, site: Site, user: str, password: str) -> None:
        self.box = Outbox(site.state_dir / "outbox" / "board")
        self._client = BusClient(site.broker, "driver-board", user, password)
        self._client.on_message = self._asked
        self._client.on_up = lambda _: self._birth()
        self._where = ("t", "one", "board")
        self._client.subscribe(topics.REPLAY.of(*self._where))
        self._sender = Sender(self._client, self.box, topics.READING.of(*self._where))

    def step(self) -> None:
        self._sender.pump()
        self._client.step(0.002)

    def wait_for_engine(self, journal: Path) -> None:
        """Until the engine has taken all but `BEHIND`. An outbox keeps only so much for one that dies again
        and again.
        """
        deadline = time.monotonic() + 120
        while self.box.next_seq("board") - positions_of(journal).get(("board", self.box.epoch), 1) > BEHIND:
            assert time.monotonic() < deadline, "the engine takes nothing"
            for _ in range(20):
                self.step()

    def close(self) -> None:
        self._client.close()
        self.box.close()

    def _birth(self) -> None:
        box = self.box
        meta = DeviceMeta("board", "line", box.epoch, box.first_seq("board"), box.next_seq("board"), "1")
        self._client.publish(topics.META.of(*self._where), encode(meta), retain=True)

    def _asked(self, _topic: str, payload: bytes, _retained: bool, ack: object) -> None:
        if not self._sender.replay("board", decode(payload, ReplayRequest)):
            self._birth()
        ack()  # type: ignore[operator]


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker(tmp_path, site="t", groups=alone({"board": "one"})) as broker:
        yield broker


def start_engine(site_path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "engine", "--site", str(site_path)],
        stdin=subprocess.DEVNULL,
        env=os.environ,
    )


def ended_hands(path: Path) -> int:
    if not path.exists():
        return 0
    journal = Journal(path, "one", readonly=True)
    try:
        return sum(isinstance(entry.event, End) for entry in entries(journal))
    finally:
        journal.close()


@pytest.mark.slow
def test_fifty_kills_lose_and_double_nothing(tmp_path: Path, embedded: EmbeddedBroker) -> None:
    save_deck(tmp_path / "decks" / "red.toml", DECK)
    site_path = tmp_path / "site.toml"
    site_path.write_text(site_text(tmp_path, embedded.port))
    site = load_site(site_path)
    journal = tmp_path / "journal" / "one.sqlite"
    stamped = stamp(night(2), later(SystemClock().now(), -LATE_S))

    rng, driver = Random(20), Driver(site, *embedded.accounts["dev-board"])
    piece = len(stamped) // KILLS
    engine = start_engine(site_path)
    try:
        for kill in range(KILLS):
            driver.wait_for_engine(journal)
            # Each piece of the night is under way when the engine dies.
            for one in stamped[kill * piece : (kill + 1) * piece if kill < KILLS - 1 else None]:
                driver.box.append([("board", one.at, one.reading)])
            until = time.monotonic() + rng.uniform(0.0, 0.9)
            while time.monotonic() < until:
                driver.step()
            engine.send_signal(signal.SIGKILL)
            engine.wait()
            engine = start_engine(site_path)
        deadline = time.monotonic() + 120
        while ended_hands(journal) < HANDS and time.monotonic() < deadline:
            for _ in range(50):
                driver.step()
        engine.terminate()
        # The last one may have had nothing left to do and still be starting.
        assert engine.wait(60) in (0, -signal.SIGTERM)
    finally:
        if engine.poll() is None:
            engine.kill()
            engine.wait()
        driver.close()

    happened = told(site)
    journal.unlink()
    assert happened == in_one_go(site, stamped)


def in_one_go(site: Site, stamped: list[Stamped]) -> object:
    """What happens and is found if nothing is killed."""
    core = open_core(site, site.tables[0], Fixed(stamped[0].at))
    for reading in stamped:
        core.readings([reading], reading.at)
    core.close()
    return told(site)


def test_a_stopped_engine_says_that_it_is_offline(tmp_path: Path, embedded: EmbeddedBroker) -> None:
    site_path = tmp_path / "site.toml"
    site_path.write_text(site_text(tmp_path, embedded.port))
    site = load_site(site_path)
    heard: list[bytes] = []
    web = BusClient(site.broker, "web-test", *embedded.accounts["web"])
    web.on_message = lambda topic, payload, retained, ack: (heard.append(payload), ack())[1]
    web.subscribe(topics.ENGINE_AVAILABILITY.of("t", "one"))
    engine = start_engine(site_path)
    try:
        wait_for(
            lambda: (web.step(0.05), any(b"online" in one for one in heard))[1],
            "the engine says that it is online",
        )
        engine.kill()
        engine.wait()
        wait_for(
            lambda: (web.step(0.05), b"offline" in heard[-1])[1], "the last will says that it is offline"
        )
    finally:
        engine.kill()
        engine.wait()
        web.close()
