"""A room with real servers, a box with a real broker and a real uplink, and two processes of the room's
pages. A client speaks at the box's broker as the engine does.
"""

import asyncio
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
from nats.js import JetStreamContext
from rig.room import SITE, Room
from rig.wait import wait_for

from tablebridge.archive.authority import Authority
from tablebridge.archive.pushing import Pusher
from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import ActiveAlerts, Availability, EngineBeat, encode
from tablebridge.hall.people import People
from tablebridge.model.alerts import Alert, AlertState, Step
from tablebridge.model.findings import Severity
from tablebridge.model.instant import Instant
from tablebridge.model.views import SeatView, TableView
from tablebridge.settings.site import Broker
from tablebridge.stream.claims import USER, new_key
from tablebridge.stream.connection import Credentials, connect
from tablebridge.uplink.joined import Joined, save_joined

TABLES = ("table-1", "table-2")
BOX = "box-1"


def an_alert(
    id: str,
    table: str = "table-1",
    severity: Severity = "critical",
    state: AlertState = "raised",
    by: str = "",
    raised_s: float = 0.0,
    **more: Any,
) -> Alert:
    """An alert that was raised so many seconds ago."""
    at = Instant(time.time_ns() - round(raised_s * 1e9), 0)
    finding = "misdeal" if severity == "critical" else "exposed-card"
    life = (Step("raised", at), Step(state, at, by))
    return Alert(id, table, 12, finding, severity, state, "Said in words.", at, life=life, **more)


def a_view(table: str = "table-1", hand: int = 12, pot: int = 4500) -> TableView:
    return TableView(
        table,
        rev=hand,
        hand=hand,
        game="nlhe",
        stakes=(100, 200),
        street="flop",
        pot=pot,
        seats=(SeatView(3, "Ann", "in", stack=9000),),
    )


class Engine:
    """Speaks at the broker of a box as its engine does, in a thread; a beat for each table every second."""

    def __init__(self, broker: EmbeddedBroker, site: str) -> None:
        user, password = broker.accounts["engine"]
        self._client = BusClient(Broker(host="127.0.0.1", port=broker.port), "engine", user, password)
        self._site = site
        self._out: queue.Queue[tuple[topics.Topic, str, Any]] = queue.Queue()
        self._ending = threading.Event()
        self.beats = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def say(self, topic: topics.Topic, message: Any, table: str = "table-1") -> None:
        self._out.put((topic, table, message))

    def alerts(self, *alerts: Alert, table: str = "table-1") -> None:
        self.say(topics.ALERTS, ActiveAlerts(alerts, time.time_ns() // 10**6), table)

    def begin(self) -> None:
        """All tables as they are at the beginning of a test."""
        self.beats = True
        for table in TABLES:
            self.say(
                topics.ENGINE_AVAILABILITY, Availability("online", "e1", since_wall_ns=time.time_ns()), table
            )
            self.say(topics.STATE, a_view(table), table)
            self.alerts(table=table)

    def end(self) -> None:
        self._ending.set()
        self._thread.join(5)
        self._client.close()

    def _run(self) -> None:
        beaten = 0.0
        while not self._ending.is_set():
            self._client.step(0.05)
            if self.beats and time.monotonic() - beaten > 1:
                beaten = time.monotonic()
                for table in TABLES:
                    self.say(topics.ENGINE_BEAT, EngineBeat("e1"), table)
            while self._client.connected and not self._out.empty():
                topic, table, message = self._out.get()
                retain = topic.retained
                self._client.publish(topic.of(self._site, table), encode(message), topic.qos, retain)


class Process:
    """A process of ours that can be killed and started again."""

    def __init__(self, folder: Path, name: str, command: list[str], **more: str) -> None:
        self.log = folder / f"{name}.log"
        self._command = [sys.executable, "-m", "tablebridge", *command]
        self._more = more
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | self._more
            )

    def end(self, number: int = signal.SIGKILL) -> None:
        if self._process.poll() is None:
            self._process.send_signal(number)
        self._process.wait(30)


class Pages(Process):
    """A process of the room's pages."""

    def __init__(self, folder: Path, name: str, room: Room) -> None:
        servers = [word for address in room.cluster.addresses for word in ("--server", address)]
        super().__init__(
            folder,
            name,
            ["site", "web", "--site-name", SITE, "--port", "0", *servers],
            TABLEBRIDGE_DATABASE=room.postgres.address,
        )
        self._name = name

    @cached_property
    def url(self) -> str:
        wait_for(self._address, f"the pages of {self._name} have an address", 240)
        return self._address()

    def _address(self) -> str:
        lines = [line for line in self.log.read_text().splitlines() if line.startswith("http://")]
        return lines[-1] if lines else ""


class Whole:
    """All of it. `after` takes what ends it again, in reverse."""

    def __init__(self, folder: Path, after: ExitStack) -> None:
        self.folder = folder
        self.room = Room(folder)
        after.callback(self.room.stop)
        asyncio.run(self.room.start())
        self.box = folder / BOX
        self.box.mkdir()
        self.broker = EmbeddedBroker(self.box, site=BOX)
        after.callback(self.broker.stop)
        self.broker.start()
        self.engine = Engine(self.broker, BOX)
        after.callback(self.engine.end)
        named = "".join(f'[[table]]\nname = "{table}"\n' for table in TABLES)
        (self.box / "site.toml").write_text(
            f'name = "{BOX}"\nstate_dir = "{self.box}"\n'
            f"[broker]\nembedded = true\nport = {self.broker.port}\n{named}"
        )
        self.authority = Authority(folder / "authority", SITE)
        self.authority.admit(BOX, new_key(USER).public)
        joined = Joined(
            self.room.cluster.addresses, SITE, BOX, self.room.key.public, authority=self.authority.public
        )
        save_joined(self.box, joined)
        self.uplink = Process(folder, "uplink", ["uplink", "--site", str(self.box / "site.toml")])
        after.callback(self.uplink.end)
        self.pages = [Pages(folder, f"pages-{number}", self.room) for number in (1, 2)]
        for page in self.pages:
            after.callback(page.end)
        self.people = People(self.room.engine)
        self.secret = self.people.add("floor", "Anna", by="test")[1]
        self.http = after.enter_context(httpx.Client(timeout=60))

    def get(self, path: str, process: int = 0, secret: str | None = None) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.secret if secret is None else secret}"}
        return self.http.get(self.pages[process].url + path, headers=headers)

    def post(self, path: str, body: Any, process: int = 0) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.secret}"}
        return self.http.post(self.pages[process].url + path, headers=headers, json=body)

    def shows(self, text: str, process: int = 0, path: str = "/floor") -> bool:
        return text in self.get(path, process).text

    def put(self, subject: str, value: bytes) -> None:
        """Write a value into the bucket, as somebody who may."""
        self._done(lambda js: js.publish(subject, value))

    def make_buckets(self) -> None:
        """Make the buckets of configurations, as whoever pushes the first one does."""
        self._done(lambda js: Pusher(self.authority, js, BOX).versions())

    def delete_stream(self, name: str) -> None:
        """Delete a stream or bucket, as somebody who may."""
        self._done(lambda js: js.delete_stream(name))

    def _done(self, work: Callable[[JetStreamContext], Awaitable[Any]]) -> None:
        async def through() -> None:
            client = await connect(self.room.cluster.addresses, Credentials("test"))
            await work(client.jetstream(timeout=10))
            await client.close()

        # The thread of a test has the loop of its browser.
        with ThreadPoolExecutor(1) as other:
            other.submit(lambda: asyncio.run(through())).result()


@contextmanager
def whole_in(folder: Path) -> Iterator[Whole]:
    with ExitStack() as after:
        whole = Whole(folder, after)
        for page in whole.pages:
            assert page.url
        yield whole
