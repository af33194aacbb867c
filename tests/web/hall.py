"""A real broker, the real web process, and at the other end of the broker a client that speaks as the engine
does.
"""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
from rig.groups import alone

from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import (
    ActiveAlerts,
    AlertMessage,
    Availability,
    Command,
    DeviceHealth,
    EngineBeat,
    HistoryRequest,
    Reply,
    TimelinePage,
    TimelineRequest,
    decode,
    encode,
    history_page,
    open_calls,
)
from tablebridge.bus.topics import Parsed, Topic
from tablebridge.floor.alerts import Alerts
from tablebridge.floor.service import Service
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import Refused
from tablebridge.model.findings import Finding
from tablebridge.model.floor_marks import FloorMark, Shelve, Unshelve
from tablebridge.model.instant import Instant
from tablebridge.model.views import LineView, SeatView, TableView
from tablebridge.settings.site import Broker, Site, Web
from tablebridge.settings.site import Table as TableSettings
from tablebridge.web.auth import Role, Tokens

SITE_FILE = """\
name = "hall"
state_dir = "{state}"
[broker]
port = {broker}
[web]
port = {port}
players = "{state}/pictures"
[[table]]
name = "main"
group = "alone"
[[table.device]]
name = "reader"
driver = "line"
port = "/dev/ttyNONE"
antennas = {{ 0 = "seat 4" }}
[[table]]
name = "side"
"""
DEADLINE_S = 60.0


def until(met: Callable[[], Any], what: str, deadline_s: float = DEADLINE_S) -> Any:
    """Ask again until it is so; fail by name when it is not in time."""
    end = time.monotonic() + deadline_s
    while True:
        found = met()
        if found:
            return found
        assert time.monotonic() < end, f"not within {deadline_s:.0f} s: {what}"
        time.sleep(0.02)


def instant(ago_s: float = 0.0) -> Instant:
    return Instant(time.time_ns() - round(ago_s * 1e9), time.monotonic_ns())


class Engine(threading.Thread):
    """Publishes as the engine process does and answers commands. Alerts are changed by the real fold of the
    floor.

    `drivers` publish beside it what drivers say of themselves, each with its account; the site file does not
    name `invented`.
    """

    def __init__(self, port: int, accounts: dict[str, tuple[str, str]]) -> None:
        super().__init__(name="engine", daemon=True)
        self.commands: list[Command] = []
        self.refuse = ""
        self.silent = False
        self.alerts = {name: Alerts() for name in ("main", "side")}
        self.services = {name: Service() for name in ("main", "side")}
        self.rev = itertools.count(1000)
        self.client = BusClient(Broker(port=port), "engine-of-the-tests", *accounts["engine"])
        self.drivers = {
            name: BusClient(Broker(port=port), f"{name}-of-the-tests", *accounts[f"dev-{name}"])
            for name in ("reader", "invented")
        }
        self.client.on_message = self._on_message
        self.client.subscribe(
            topics.COMMAND.filter("hall"), topics.HISTORY.filter("hall"), topics.TIMELINE.filter("hall")
        )
        self.runs: dict[str, str] = {}
        self.hangs = False
        self._beat_at = 0.0
        self._out: deque[tuple[str, bytes, bool]] = deque()
        self._done: dict[str, Reply] = {}
        self._ending = threading.Event()

    def run(self) -> None:
        while not self._ending.is_set():
            self.client.step(0.02)
            for driver in self.drivers.values():
                driver.step(0.0)
            if not self.hangs and time.monotonic() - self._beat_at > 1.0:
                self._beat_at = time.monotonic()
                for table, epoch in list(self.runs.items()):
                    self.client.publish(topics.ENGINE_BEAT.of("hall", table), encode(EngineBeat(epoch)), 0)
            while self._out:
                topic, payload, retain = self._out[0]
                parsed = topics.parse(topic)
                client = (
                    self.drivers[parsed.names[0]] if parsed and parsed.topic.plane == "dev" else self.client
                )
                if client.publish(topic, payload, retain=retain) is None:
                    break
                self._out.popleft()
        self.client.close()
        for driver in self.drivers.values():
            driver.close()

    def end(self) -> None:
        self._ending.set()
        self.join(60)

    def publish(self, topic: Topic, message: Any, *names: str, table: str = "main") -> None:
        self._out.append((topic.of("hall", table, *names), encode(message), topic.retained))

    def online(self, state: str = "online", run: str = "1", table: str = "main") -> None:
        """Each table has an engine process of its own here; `run` is its run."""
        if state == "online":
            self.runs[table] = f"{table}-{run}"
        else:
            self.runs.pop(table, None)
        self.publish(topics.ENGINE_AVAILABILITY, Availability(state, f"{table}-{run}"), table=table)  # type: ignore[arg-type]

    def show(self, view: TableView, topic: Topic = topics.STATE) -> None:
        self.publish(topic, view, table=view.table)

    def health(self, name: str, state: str, table: str = "main", **more: Any) -> None:
        self.publish(
            topics.HEALTH, DeviceHealth(name, state, instant(), time.time_ns(), **more), name, table=table
        )  # type: ignore[arg-type]

    def raise_alert(self, finding: Finding, ago_s: float = 0.0) -> str:
        alert = self.alerts[finding.table].raise_(finding, instant(ago_s))
        assert alert is not None
        self._tell(finding.table, alert)
        return alert.id

    def _tell(self, table: str, alert: Any) -> None:
        rev = next(self.rev)
        self.publish(topics.ALERT, AlertMessage(alert, rev), table=table)
        self._list(table, rev)

    def _list(self, table: str, rev: int) -> None:
        open_ones, out = self.alerts[table].active(), self.services[table].out()
        self.publish(topics.ALERTS, ActiveAlerts(open_ones, rev, out=out), table=table)
        self.publish(topics.CALLS, open_calls(open_ones, len(open_ones), rev), table=table)

    def clear_device(self, device: str, table: str = "main") -> None:
        for alert in self.alerts[table].clear_device(device, (), instant()):
            self._tell(table, alert)

    def _on_message(self, topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        ack()
        parsed = topics.parse(topic)
        assert parsed is not None
        if self.silent:
            return
        if parsed.topic is topics.HISTORY:
            self._recall(parsed, decode(payload, HistoryRequest))
            return
        if parsed.topic is topics.TIMELINE:
            page = TimelinePage(decode(payload, TimelineRequest).id, refused="There is no hand here.")
            self.publish(topics.TIMELINE_PAGE, page, *parsed.names, table=parsed.table)
            return
        command = decode(payload, Command)
        if command.id not in self._done:
            self.commands.append(command)
            self._done[command.id] = self._do(parsed.table, command)
        self.publish(topics.REPLY, self._done[command.id], *parsed.names, table=parsed.table)

    def _recall(self, parsed: Parsed, request: HistoryRequest) -> None:
        closed = self.alerts[parsed.table].closed_last() if request.about == "closed-alerts" else ()
        page = history_page(request.id, next(self.rev), closed)
        self.publish(topics.HISTORY_PAGE, page, *parsed.names, table=parsed.table)

    def _do(self, table: str, command: Command) -> Reply:
        if self.refuse:
            return Reply(command.id, False, self.refuse)
        try:
            if command.alert is not None:
                self._change(table, command, command.alert)
            if command.mark is not None:
                self._mark(table, msgspec.structs.replace(command.mark, by=command.by))
        except Refused as refused:
            return Reply(command.id, False, str(refused))
        return Reply(command.id, True, entries=(next(self.rev),))

    def _change(self, table: str, command: Command, change: AlertChange) -> None:
        alerts = self.alerts[table]
        self._tell(table, alerts.change(change, instant(), back=command.back))
        for other in command.also:
            with suppress(Refused):
                likewise = msgspec.structs.replace(change, alert=other)
                self._tell(table, alerts.change(likewise, instant(), back=command.back))

    def _mark(self, table: str, mark: FloorMark) -> None:
        if isinstance(mark, (Shelve, Unshelve)):
            self.alerts[table].check_mark(mark)
            self._tell(table, self.alerts[table].mark(mark, instant()))
        else:
            self.services[table].apply(mark, instant(), {})
            self._list(table, next(self.rev))


class Pages:
    """The web process: `tablebridge web`, which can be killed and started again on the same port."""

    def __init__(self, site_file: Path) -> None:
        self.site_file = site_file
        self.url = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "web", "--site", str(self.site_file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Pages: http"), f"the web process said {line!r}"
        self.url = line.split()[1]

    def keep_port(self) -> None:
        """Start on the same port from now on."""
        text = self.site_file.read_text()
        self.site_file.write_text(
            text.replace("[web]\nport = 0\n", f"[web]\nport = {httpx.URL(self.url).port}\n")
        )

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit status. It must end, whatever pages are open."""
        assert self.process is not None
        self.process.send_signal(number)
        code = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


class Hall:
    """All of it. `secret(role)` makes a token; `get` and `post` carry it as a program does."""

    def __init__(self, folder: Path, broker: EmbeddedBroker, engine: Engine, pages: Pages) -> None:
        self.folder = folder
        self.broker = broker
        self.engine = engine
        self.pages = pages
        self.tokens = Tokens(folder)
        self.http = httpx.Client(timeout=60)
        self._secrets: dict[tuple[str, str, str | None], str] = {}
        self._ids = itertools.count(1)

    @property
    def url(self) -> str:
        return self.pages.url

    def secret(self, role: Role, name: str = "Anna", table: str | None = None) -> str:
        table = table or ("main" if role == "dealer" else None)
        key = (role, name, table)
        if key not in self._secrets:
            self._secrets[key] = self.tokens.add(role, name, table)[1]
        return self._secrets[key]

    def get(self, path: str, role: Role | None = None, **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.secret(role)}"} if role else {}
        return self.http.get(self.url + path, headers=headers, **more)

    def post(
        self, path: str, role: Role | None = None, body: Any = None, name: str = "Anna"
    ) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.secret(role, name)}"} if role else {}
        return self.http.post(self.url + path, headers=headers, json=body)

    def new_id(self) -> str:
        return f"test-{os.getpid()}-{next(self._ids):06d}"

    def alerts(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get("/api/alerts", "floor").json()["alerts"]
        return found

    def lively(self) -> None:
        """Both engines are there, and the web process knows it."""
        for table in ("main", "side"):
            self.engine.online(table=table)
        until(
            lambda: all(
                row["engine"] == "online" and row["away_s"] == 0
                for row in self.get("/api/tables", "floor").json()["tables"]
            ),
            "both tables are there",
        )


@contextmanager
def hall_in(folder: Path) -> Iterator[Hall]:
    with EmbeddedBroker(folder, site="hall", groups=alone({"reader": "main", "invented": "main"})) as broker:
        site_file = folder / "site.toml"
        site_file.write_text(SITE_FILE.format(state=folder, broker=broker.port, port=0))
        engine = Engine(broker.port, broker.accounts)
        engine.start()
        pages = Pages(site_file)
        pages.start()
        made = Hall(folder, broker, engine, pages)
        try:
            made.lively()
            yield made
        finally:
            made.http.close()
            pages.end(signal.SIGKILL)
            engine.end()


def site(folder: Path) -> Site:
    """A site for tests that need no process."""
    return Site(
        name="hall",
        state_dir=folder,
        web=Web(port=0),
        table=(TableSettings(name="main"), TableSettings(name="side")),
    )  # type: ignore[call-arg]


NAMES = {1: "Vera", 2: "Ivan", 3: "Maria", 4: "Chen", 5: "Lars", 6: "Amina"}


SEAT_VIEWS = tuple(
    SeatView(seat, NAMES[seat], state, stack, bet, cards, (), last)
    for seat, state, stack, bet, cards, last in (
        (1, "folded", 9_800, 0, 0, "fold"),
        (2, "in", 8_400, 400, 2, "bet 400"),
        (3, "folded", 10_000, 0, 0, "fold"),
        (4, "in", 12_150, 0, 2, ""),
        (5, "all-in", 0, 2_350, 2, "all-in"),
        (6, "in", 9_300, 0, 2, "call"),
    )
)
LINE_VIEWS = tuple(
    LineView(entry, line, basis, by, findings=findings)
    for entry, line, basis, by, findings in (
        (90, "hand", "shuffler", "shuffler", ()),
        (91, "dealt", "rfid", "", ()),
        (92, "fold 3", "operator", "Boris (operator)", ()),
        (93, "flop Ah Td 7c", "rfid", "", ()),
        (94, "bet 2 400", "operator", "Boris (operator)", ()),
    )
)


def view(rev: int = 10, table: str = "main", **changes: Any) -> TableView:
    """A flop of hand 7, seat 4 to act, three seats in, hole cards not shown."""
    base: dict[str, Any] = {
        "table": table,
        "rev": rev,
        "at_wall_ns": time.time_ns(),
        "hand": 7,
        "game": "nlhe",
        "rulebook": "tda-2022",
        "stakes": (50, 100),
        "street": "flop",
        "board": ("Ah", "Td", "7c"),
        "pot": 4_350,
        "pots": (3_150, 1_200),
        "button": 6,
        "to_act": 4,
        "to_call": 2_350,
        "min_raise": 4_300,
        "max_raise": 12_150,
        "may": ("fold", "call", "raise"),
        "expects": "Seat 4 to act, 2350 to call.",
        "seats": SEAT_VIEWS,
        "lines": LINE_VIEWS,
    }
    return TableView(**{**base, **changes})


def misdeal(id: str = "812.0", table: str = "main", **changes: Any) -> Finding:
    base: dict[str, Any] = {
        "id": id,
        "finding": "misdeal",
        "severity": "warning",
        "rulebook": "tda-2022",
        "table": table,
        "hand": 7,
        "street": "preflop",
        "sentence": "Two boxed cards came in the initial deal.",
        "cause": "boxed-cards",
        "rule": "35-A(1)",
        "seat": 4,
        "remedy": ("return-bets", "reshuffle", "redeal-same-button"),
    }
    return Finding(**{**base, **changes})
