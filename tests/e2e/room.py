"""A room of two tables whose processes are started for a test: a broker, the engine, the pages, and the
driver of one board.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from app.recording import DECK
from rig.groups import alone
from rig.ports import free_port
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.access import Account
from tablebridge.bus.broker import EmbeddedBroker, Kind
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import Command, Reply, decode, encode
from tablebridge.bus.topics import Role
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.web.auth import Tokens

SITE = """\
name = "hall"
state_dir = "{folder}"
log_level = "warning"
[broker]
port = {broker}
[web]
port = {web}
overlay_delay_s = 0.5
[[table]]
name = "one"
group = "alone"
seats = "1-3"
  [[table.device]]
  name = "board"
  driver = "line"
  port = "{port}"
  antennas = {{ 1 = "seat 1", 2 = "seat 2", 3 = "seat 3", 4 = "board", 5 = "muck" }}
  options = {{ settle_s = 0.0 }}
[[table]]
name = "two"
seats = "1-3"
"""

TESTERS = (
    Account("person", "web", client="person"),
    Account("test-web", "web"),
    Account("test-engine", "engine"),
    Account("test-driver", "driver"),
    Account("test-uplink", "uplink"),
)
"""Accounts of the test: mosquitto has one connection for each, and those of the processes are theirs. These
may do what any account of their role may.
"""


class RoomBroker(EmbeddedBroker):
    """The broker of the site, which knows the accounts of the test as well."""

    def __init__(self, folder: Path, kind: Kind) -> None:
        super().__init__(folder, 0, kind, site="hall", groups=alone({"board": "one"}))
        self._members = (*self._members, *TESTERS)


class Room:
    """Enter it and all processes run. `processes`: by name."""

    def __init__(
        self,
        folder: Path,
        kind: Kind,
        names: Sequence[str] = ("engine", "web", "drive"),
        port: str = "/dev/null",
    ) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._kind: Kind = kind
        self._names = names
        self._port = port
        self._replies: dict[str, Reply] = {}
        self._number = 0
        self._open = ExitStack()

    def __enter__(self) -> "Room":
        with ExitStack() as opening:
            self.broker = opening.enter_context(RoomBroker(self.folder, self._kind))
            self.url = f"http://127.0.0.1:{free_port()}"
            self.path = self.folder / "site.toml"
            self.path.write_text(
                SITE.format(
                    folder=self.folder,
                    broker=self.broker.port,
                    web=self.url.rpartition(":")[2],
                    port=self._port,
                )
            )
            save_deck(self.folder / "decks" / "red.toml", DECK)
            self.site = load_site(self.path)
            self.token = Tokens(self.folder).add("floor", "Anna")[1]
            for name in self._names:
                self.start(name)
                opening.callback(self.end, name)
            self._client = self.client("person")
            opening.callback(self._client.close, 0.5)
            self._client.on_message = self._answered
            self._client.subscribe(*(topics.REPLY.of("hall", table, "person") for table in ("one", "two")))
            wait_for(lambda: (self._client.step(0.05), self._client.subscribed)[1], "the test is on the bus")
            for table in ("one", "two"):
                wait_for(lambda table=table: self.ask(table, within_s=1.0) is not None, "the engine answers")  # type: ignore[misc]
            if "web" in self._names:
                wait_for(self._shown, "the pages are there")
            self._open = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def start(self, name: str) -> None:
        words = ["drive", "board"] if name == "drive" else [name]
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", *words, "--site", str(self.path)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=os.environ,
        )
        log.close()

    def end(self, name: str) -> None:
        process = self.processes[name]
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def client(self, account: str) -> BusClient:
        return BusClient(self.site.broker, account, *self.broker.accounts[account])

    def publish(self, role: Role, messages: Sequence[tuple[str, bytes, bool]]) -> None:
        """Publish with the rights of that role, and wait until the broker has all of it."""
        client = self.client(f"test-{role}")
        owed = list(messages)
        deadline = time.monotonic() + 60
        while owed or client.in_flight:
            assert time.monotonic() < deadline, "the broker does not take it"
            while (
                owed
                and client.in_flight < 50
                and client.publish(owed[0][0], owed[0][1], retain=owed[0][2]) is not None
            ):
                owed.pop(0)
            client.step(0.01)
        client.close(1.0)

    def ask(
        self,
        table: str,
        *lines: str,
        within_s: float = 60.0,
        background: Callable[[], Any] = lambda: None,
    ) -> tuple[Reply, float] | None:
        """The answer to a command and the seconds it took; None where there was none in time."""
        self._number += 1
        key = f"test-{self._number:06}"
        began = time.monotonic()
        command = Command(
            key, "Olga", "operator", time.time_ns() + round(within_s * 1e9), lines or ("stacks 10000",)
        )
        self._client.publish(topics.COMMAND.of("hall", table, "person"), encode(command))
        while key not in self._replies:
            background()
            self._client.step(0.005)
            if time.monotonic() - began > within_s:
                return None
        return self._replies.pop(key), time.monotonic() - began

    def page(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, headers={"Authorization": f"Bearer {self.token}"}, timeout=60)

    def _shown(self) -> bool:
        try:
            return self.page("/floor").status_code == 200
        except httpx.TransportError:
            return False

    def _answered(self, _topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        reply = decode(payload, Reply)
        self._replies[reply.id] = reply
        ack()
