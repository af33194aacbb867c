"""A hall with everything real: broker, web process, and an engine process that can be stopped and woken up
again.
"""

import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.settings.site import Group
from tablebridge.web.auth import Role, Tokens

from .hall import Pages, until

SITE_FILE = """\
name = "hall"
state_dir = "{state}"
[broker]
port = {broker}
[web]
port = 0
{web}
[[table]]
name = "main"
seats = "1-{seats}"
stacks = 10000
button = {seats}
{device}
"""


class Room:
    """One table, button at its last seat. `restart` puts the table at the first act of a fresh hand."""

    def __init__(self, folder: Path, pages: Pages, broker: EmbeddedBroker, seats: int) -> None:
        self.pages = pages
        self.broker = broker
        self.seats = seats
        self.start_engine()
        self.tokens = Tokens(folder)
        self.http = httpx.Client(timeout=60)
        self._ids = itertools.count(1)
        self._secrets: dict[tuple[Role, str], str] = {}

    def start_engine(self) -> None:
        self.engine = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "engine", "--site", str(self.pages.site_file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end_engine(self) -> None:
        self.engine.send_signal(signal.SIGCONT)
        self.engine.terminate()
        self.engine.wait(60)

    def until_followed(self) -> None:
        until(
            lambda: "hand" in self.state() and self.get("tables")["tables"][0]["away_s"] == 0,
            "the engine is there",
        )

    def secret(self, role: Role, name: str) -> str:
        if (role, name) not in self._secrets:
            table = "main" if role == "dealer" else None
            self._secrets[role, name] = self.tokens.add(role, name, table)[1]
        return self._secrets[role, name]

    def post(self, path: str, role: Role = "operator", name: str = "Carla", **body: Any) -> httpx.Response:
        body["id"] = f"test-{os.getpid()}-{next(self._ids):06d}"
        return self.http.post(
            f"{self.pages.url}/api/tables/main/{path}",
            json=body,
            headers={"authorization": f"Bearer {self.secret(role, name)}"},
        )

    def write(self, *lines: str, name: str = "Carla") -> None:
        answer = self.post("lines", name=name, lines=lines)
        assert answer.status_code == 200, answer.text

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("tables/main/state")
        return found

    def get(self, path: str) -> Any:
        headers = {"authorization": f"Bearer {self.secret('floor', 'Watcher')}"}
        return self.http.get(f"{self.pages.url}/api/{path}", headers=headers).json()

    def lines(self) -> list[str]:
        """The lines that are in force, without the beginning of the hand."""
        return [
            line["line"]
            for line in self.state()["lines"]
            if not line["undone"] and line["line"] not in ("hand", "dealt")
        ]

    def until_lines(self, *wanted: str) -> None:
        until(lambda: self.lines() == list(wanted), f"{wanted} are in force, not {self.lines()}")

    def restart(self, *lines: str) -> None:
        offered = {
            question["finding"]: question["choices"][0]["line"] for question in self.state()["questions"]
        }
        for alert in self.get("alerts")["alerts"]:
            self.post(
                f"alerts/{alert['id']}/ruled",
                "floor",
                "Anna",
                over=True,
                line=offered.get(alert["id"], ""),
                note="x",
            )
            assert self.post(f"alerts/{alert['id']}/closed", "floor", "Anna", over=True).status_code == 200
        if self.state()["street"] not in ("over", "void"):
            self.write("end")
        self.write(f"button {self.seats}", "stacks 10000", "hand", *(lines or ("dealt",)))
        until(lambda: len(self.state()["lines"]) == (len(lines) or 1) + 1, "the hand has begun")

    @contextmanager
    def stalled(self) -> Iterator[None]:
        """The engine does nothing meanwhile; what is sent waits. Afterwards the pages hear it again."""
        self.engine.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.engine.send_signal(signal.SIGCONT)
        until(
            lambda: httpx.get(f"{self.pages.url}/health/ready").status_code == 200,
            "the engine is heard again",
        )


@contextmanager
def room_in(
    folder: Path, *, seats: int = 4, web: str = "", device: str = "", groups: tuple[Group, ...] = ()
) -> Iterator[Room]:
    """`web`, `device`: what the site file says of them; `groups`: the devices' groups."""
    with EmbeddedBroker(folder, site="hall", groups=groups) as broker:
        site_file = folder / "site.toml"
        site_file.write_text(
            SITE_FILE.format(state=folder, broker=broker.port, seats=seats, web=web, device=device)
        )
        pages = Pages(site_file)
        room = Room(folder, pages, broker, seats)
        try:
            pages.start()
            room.until_followed()
            yield room
            room.http.close()
        finally:
            room.end_engine()
            pages.end(signal.SIGKILL)


class Person:
    """A browser of one person, signed in, with what the browser complained of."""

    def __init__(self, room: Room, browser: Browser, role: Role, name: str, **options: Any) -> None:
        self.room = room
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        # A write that was refused or not answered is a 409 or 504, which the browser reports whatever the
        # page does with it.
        self.page.on(
            "console",
            lambda said: (
                self.complaints.append(said.text)
                if said.type in ("error", "warning") and not re.search("409|504", said.text)
                else None
            ),
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{room.pages.url}/login?token={room.secret(role, name)}")
        self.page.wait_for_url(f"{room.pages.url}/")

    def open(self, path: str) -> Page:
        self.page.goto(self.room.pages.url + path)
        expect(self.page.locator("body")).to_have_attribute("data-state", "live")
        return self.page
