"""A recorded night under real processes: its journal, broker, engine and pages."""

import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
from app.conftest import stamp
from app.recording import BOARD, DECK, Recording, site_text
from app.test_core import core_of
from rig.groups import alone

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant, later
from tablebridge.model.readings import Reading
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.web.auth import Role, Tokens

from .hall import Pages, until

OUTAGE_S = 20 * 60
LONG_HAND = 6
OUTAGE_HAND = 7
LONG_CYCLES = 1_430
"""Of seven antennas each: ten thousand readings."""


def readings(long_cycles: int) -> tuple[list[Reading], int]:
    """The night: five hands in which things go right and wrong, a hand with so many cycles more, and one in
    which the board is away; and before which reading it is.
    """
    recording = Recording()
    recording.hand()
    recording.hand(flop=4)
    recording.hand(foreign=True)
    recording.hand(wrong_start=True)
    recording.hand()
    recording.hand()
    recording.cycles(long_cycles)
    recording.hand()
    away_at = len(recording.readings)
    recording.cycles(30)
    return recording.readings, away_at


class Archive:
    """The pages of a table whose night is over."""

    def __init__(self, folder: Path, pages: Pages) -> None:
        self.journal_path = folder / "journal" / "one.sqlite"
        self.pages = pages
        self.tokens = Tokens(folder)
        self.http = httpx.Client(timeout=60)
        self._ids = itertools.count(1)
        self._secrets: dict[tuple[Role, str], str] = {}

    def secret(self, role: Role, name: str = "Ines") -> str:
        if (role, name) not in self._secrets:
            self._secrets[role, name] = self.tokens.add(role, name)[1]
        return self._secrets[role, name]

    def get(self, path: str, role: Role = "surveillance") -> httpx.Response:
        return self.http.get(self.pages.url + path, headers={"authorization": f"Bearer {self.secret(role)}"})

    def post(self, path: str, role: Role = "surveillance", **body: Any) -> httpx.Response:
        body["id"] = f"test-{os.getpid()}-{next(self._ids):06d}"
        return self.http.post(
            self.pages.url + path, json=body, headers={"authorization": f"Bearer {self.secret(role)}"}
        )

    def journal(self) -> Journal:
        return Journal(self.journal_path, "one", readonly=True)

    @contextmanager
    def flipped(self, number: int) -> Iterator[None]:
        """One byte of this record is another meanwhile."""
        with closing(sqlite3.connect(self.journal_path)) as db:
            (body,) = db.execute("SELECT body FROM record WHERE number = ?", (number,)).fetchone()
            wrong = bytes([body[0], body[1] ^ 1, *body[2:]])
            with db:
                db.execute("UPDATE record SET body = ? WHERE number = ?", (wrong, number))
            try:
                yield
            finally:
                with db:
                    db.execute("UPDATE record SET body = ? WHERE number = ?", (body, number))


def record_night(folder: Path, broker_port: int, long_cycles: int = LONG_CYCLES) -> Path:
    """The site file of a folder with the journal of the night, which was two hours ago."""
    save_deck(folder / "decks" / "red.toml", DECK)
    site_file = folder / "site.toml"
    site_file.write_text(
        site_text(folder, broker_port).replace("overlay_delay_s = 0.5", "overlay_delay_s = 0.5\nport = 0")
    )
    began = Instant(time.time_ns() - 7200 * 10**9, 10**12, "that-boot")
    night, away_at = readings(long_cycles)
    with core_of(load_site(site_file), began) as core:
        stamped = stamp(night)

        def at(number: int) -> Instant:
            made = later(began, number * 0.01)
            return later(made, OUTAGE_S) if number > away_at else made

        for number, one in enumerate(stamped):
            if number == away_at:
                core.commit()
                core.device("board", "lost", (BOARD,), at(number))
            if number == away_at + 1:
                core.device("board", "live", (BOARD,), at(number))
            moved = type(one)(one.device, one.epoch, one.seq, at(number), one.reading)
            core.readings([moved], moved.at)
    return site_file


@contextmanager
def archive_in(folder: Path) -> Iterator[Archive]:
    with EmbeddedBroker(folder, site="t", groups=alone({"board": "one"})) as broker:
        site_file = record_night(folder, broker.port)
        engine = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "engine", "--site", str(site_file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        pages = Pages(site_file)
        try:
            pages.start()
            archive = Archive(folder, pages)
            until(lambda: archive.get("/api/tables/one/hands").status_code == 200, "the engine answers")
            yield archive
            archive.http.close()
        finally:
            engine.terminate()
            engine.wait(60)
            pages.end(signal.SIGKILL)
