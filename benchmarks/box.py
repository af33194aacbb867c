"""What dealing tables cost the box, and whether an alert waits longer if there are more of them.

The tables of one site are emulated at the speed of life, each nine-handed, level typical: fourteen readers
are polled and a board tells its state, while hands are dealt and bet. Everything above the ports is the real
service: a driver process per table, one engine, one web process, the embedded broker.

Two cores: all that is measured runs on the first two that there are. Each table's devices and its dealer are
a process of their own with a lower priority, on the other cores if there are any; what they take is
counted apart, for a box has real readers. If two cores are all, the emulation takes what the service leaves:
visits of the readers show whether that was enough for them. Caches, the kernel's locks and the disk are
shared all the same, so that a box without emulation is rather better than these figures.

- Cost and messages: `costs.py`.
- Latency: a dealer calls the floor, at one table after the other, while all of them deal: from the board's
  line on the wire to the alert on MQTT. In turns with it the same line through two processes that only hand
  the bytes on (plain.py), at the same broker.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from benchmarks.costs import KINDS, Cost, Counting, cost_of, costs
from benchmarks.figures import Figure, Options, Say, percentile
from benchmarks.floor import Floor
from benchmarks.plain import SITE, forwarders
from benchmarks.plain import TABLE as PLAIN
from benchmarks.tap import Mute, Tap
from tablebridge.app.runner import Runner
from tablebridge.sim.bench import Bench
from tablebridge.sim.rig import READERS, write_site
from tablebridge.sim.session import free_port

TABLES: Final = (1, 2, 4, 8)
CORES: Final = 2
SETTLE_S: Final = 5.0
READY_S: Final = 120.0
WARM_UP: Final = 10
LINE: Final = b"v1,1,1000,k,4,1,1*0000\n"
"""Of the length of a contact's line: nobody decodes it."""
GOALS: Final = {"cpu": 8.0, "pss": 150.0, "written": 60.0, "messages": 25.0}
GOAL_TABLES, GOAL_RATIO = 8, 2.0
_KB: Final = 1e3
_MB: Final = 1e6


class Length(msgspec.Struct, frozen=True):
    """How long is measured: seconds of dealing, seconds of counting, alerts."""

    dealing_s: float = 40.0
    counting_s: float = 15.0
    alerts: int = 200


QUICK: Final = Length(10.0, 5.0, 40)


class Emulation:
    """A table's devices and its dealer, in a process of their own. `section`: of the site file."""

    def __init__(self, folder: Path, number: int) -> None:
        self.table = f"table-{number}"
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "benchmarks.emulation",
                str(folder),
                self.table,
                f"t{number}-",
                str(number),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.section: str = self._answer("section")

    def deal(self, url: str, token: str) -> None:
        """Deal from now on; `wait_dealing` waits until it does."""
        self._say(json.dumps({"url": url, "token": token}))

    def wait_dealing(self) -> None:
        """Until all devices of the table are live and hands are dealt."""
        self._answer("dealing")

    def call_floor(self) -> None:
        """The dealer calls the floor; `called_ns` says when."""
        self._say("call")

    def called_ns(self) -> int:
        """When the board's line was sent (monotonic)."""
        sent_ns: int = self._answer("sent_ns")
        return sent_ns

    def visits(self) -> int:
        """How often the readers have visited their antennas."""
        self._say("visits")
        visits: int = self._answer("visits")
        return visits

    def cpu_s(self) -> float:
        """Seconds of processor time that it has taken so far."""
        return cost_of(self._process.pid).cpu_s

    def close(self) -> None:
        """Deal no more, and end."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _answer(self, name: str) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The emulation of {self.table} ended; what it said is above.")
        return json.loads(line)[name]


class Box:
    """A site with tables that are being dealt. Enter it."""

    def __init__(self, folder: Path, tables: int) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._count = tables

    def __enter__(self) -> "Box":
        with ExitStack() as opening:
            self._start(opening)
            self._open = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _start(self, opening: ExitStack) -> None:
        measured, others = _cores()
        os.sched_setaffinity(0, others)
        opening.callback(os.sched_setaffinity, 0, measured | others)
        self.tables = []
        for number in range(1, self._count + 1):
            self.tables.append(Emulation(self._folder, number))
            opening.callback(self.tables[-1].close)
        bench = opening.enter_context(Bench())
        self.plain = Mute()
        bench.add("plain", self._folder / "dev" / "plain", self.plain)
        self.tap = Tap(bench, "plain")
        site = write_site(
            self._folder,
            [table.section for table in self.tables],
            web_port=free_port(),
            broker_port=free_port(),
            overlay_delay_s=15.0,
            name=SITE,
        )
        os.sched_setaffinity(0, measured)
        self.runner = opening.enter_context(Runner(site, self._folder / "log"))
        for table in self.tables:
            # They stop dealing before there are no pages any more.
            opening.callback(table.close)
        self.runner.start()
        assert self.runner.broker is not None
        self.runner.wait_ready(READY_S)
        for table in self.tables:
            table.deal(self.runner.web_url, self.runner.tokens["operator"])
        for table in self.tables:
            table.wait_dealing()
        users = dict(self.runner.broker.accounts)
        opening.enter_context(forwarders(self.runner.broker.port, users, self._folder / "dev" / "plain"))
        self.floor = Floor(self.runner.broker.port, users["web"], [table.table for table in self.tables])
        opening.callback(self.floor.away)


def _cores() -> tuple[set[int], set[int]]:
    """The cores for what is measured, and those for the emulation."""
    cores = sorted(os.sched_getaffinity(0))
    return set(cores[:CORES]), set(cores[CORES:]) or set(cores)


class Measured(msgspec.Struct):
    """What was measured of some tables: cost by kind and of the emulation in `took_s`, messages in
    `counting_s`, milliseconds to each alert, ours and plain.
    """

    tables: int
    took_s: float
    before: dict[str, Cost]
    after: dict[str, Cost]
    emulation_s: float
    visits: int
    counting: Counting
    counting_s: float
    ours: list[float]
    plain: list[float]


def measure(tables: int, length: Length, say: Say) -> Measured:
    """One site with this number of tables."""
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as folder, Box(Path(folder), tables) as box:
        say(f"box: {tables} tables are dealt")
        box.floor.step(SETTLE_S)
        began, before, emulation_s, visits = (
            time.monotonic(),
            costs(box.runner),
            _emulation_s(box),
            _visits(box),
        )
        box.floor.step(length.dealing_s)
        took_s, after = time.monotonic() - began, costs(box.runner)
        emulation_s, visits = _emulation_s(box) - emulation_s, _visits(box) - visits
        ours, plain = _alerts(box, length.alerts, say)
        say(f"box: messages of {tables} tables are counted")
        counting = Counting(box.runner)
        counting.run(SETTLE_S)
        counting.messages.clear()
        counting.bytes = 0
        counting.run(length.counting_s)
        counting.close()
    return Measured(
        tables, took_s, before, after, emulation_s, visits, counting, length.counting_s, ours, plain
    )


def _emulation_s(box: Box) -> float:
    """Seconds of processor time that the emulation has taken so far."""
    return sum(table.cpu_s() for table in box.tables)


def _visits(box: Box) -> int:
    """How often all readers have visited their antennas so far."""
    return sum(table.visits() for table in box.tables)


def _alerts(box: Box, alerts: int, say: Say) -> tuple[list[float], list[float]]:
    """Milliseconds from a line on the wire to its alert, of our chain and of the plain one, in turns."""
    rng = Random(2)
    ours: list[float] = []
    plain: list[float] = []
    for number in range(WARM_UP + alerts):
        if number % 20 == 0:
            say(f"box: {len(box.tables)} tables, {max(0, number - WARM_UP)} of {alerts} alerts")
        table = box.tables[number % len(box.tables)]
        box.floor.step(rng.uniform(0.02, 0.06))
        box.floor.close_alerts()
        box.floor.step(rng.uniform(0.02, 0.06))
        table.call_floor()
        at = box.floor.alert(table.table, "floor-called")
        ours.append((at - table.called_ns()) / 1e6)
        box.floor.step(rng.uniform(0.02, 0.06))
        before = len(box.tap.sent)
        box.plain.say(LINE)
        at = box.floor.alert(PLAIN)
        plain.append((at - box.tap.sent[before][0]) / 1e6)
    return ours[WARM_UP:], plain[WARM_UP:]


def run(options: Options, say: Say) -> list[Figure]:
    length = QUICK if options.quick else Length()
    figures: list[Figure] = []
    p99: dict[int, float] = {}
    for tables in options.tables or TABLES:
        measured = measure(tables, length, say)
        p99[tables] = percentile(measured.ours, 99)
        figures += _figures(measured, p99.get(1) if tables > 1 else None)
    return figures + _most(p99)


def _figures(measured: Measured, p99_of_one: float | None) -> list[Figure]:
    """The figures of this number of tables. `p99_of_one`: one table's latency (ms), if it was measured."""
    named = _named(measured.tables)
    shares: tuple[tuple[str, str, float, Callable[[str], float]], ...] = (
        ("processor", "% of a core", GOALS["cpu"], lambda kind: _percent(measured, kind)),
        ("memory (PSS)", "MB", GOALS["pss"], lambda kind: measured.after[kind].pss / _MB),
        ("written", "kB/s", GOALS["written"], lambda kind: _written(measured, kind)),
    )
    figures = []
    for name, unit, goal, value in shares:
        total = sum(map(value, KINDS))
        figures.append(_goal(Figure(f"{named}: {name}, all", total, unit), measured, goal))
        figures.append(Figure(f"{named}: {name}, per table", total / measured.tables, unit))
        figures += [Figure(f"{named}: {name}, {kind}", value(kind), unit) for kind in KINDS]
    figures += _message_figures(measured, named)
    figures += [
        Figure(f"{named}: wire to alert, p50", percentile(measured.ours, 50), "ms"),
        Figure(
            f"{named}: wire to alert, p99",
            percentile(measured.ours, 99),
            "ms",
            "one table" if p99_of_one else "",
            p99_of_one,
            GOAL_RATIO if p99_of_one else None,
        ),
        Figure(f"{named}: the same line through plain paho, p50", percentile(measured.plain, 50), "ms"),
        Figure(f"{named}: the same line through plain paho, p99", percentile(measured.plain, 99), "ms"),
        Figure(f"{named}: visits of each reader", _visits_per_s(measured), "per s"),
        Figure(
            f"{named}: beside it, the emulation's processor",
            100 * measured.emulation_s / measured.took_s,
            "% of a core",
        ),
    ]
    return figures


def _message_figures(measured: Measured, named: str) -> list[Figure]:
    messages, seconds = measured.counting.messages, measured.counting_s
    total = messages.total() / seconds
    return [
        _goal(Figure(f"{named}: messages, all", total, "per s"), measured, GOALS["messages"]),
        Figure(f"{named}: messages, per table", total / measured.tables, "per s"),
        *(
            Figure(f"{named}: messages, {name}", count / seconds, "per s")
            for name, count in messages.most_common()
        ),
        Figure(f"{named}: payload of the messages", measured.counting.bytes / seconds / _KB, "kB/s"),
    ]


def _goal(figure: Figure, measured: Measured, goal: float) -> Figure:
    """The figure with its goal, which is one table's."""
    return msgspec.structs.replace(figure, limit=goal) if measured.tables == 1 else figure


def _percent(measured: Measured, kind: str) -> float:
    return 100 * (measured.after[kind].cpu_s - measured.before[kind].cpu_s) / measured.took_s


def _written(measured: Measured, kind: str) -> float:
    return (measured.after[kind].written - measured.before[kind].written) / measured.took_s / _KB


def _visits_per_s(measured: Measured) -> float:
    return measured.visits / len(READERS) / measured.tables / measured.took_s


def _most(p99: dict[int, float]) -> list[Figure]:
    """How many tables have a latency under twice that of one, if one and the number of the goal were
    measured.
    """
    if not {1, GOAL_TABLES} <= set(p99):
        return []
    most = max(tables for tables in p99 if p99[tables] < GOAL_RATIO * p99[1])
    return [
        Figure(
            f"{_named(GOAL_TABLES)}: most tables with a p99 under twice that of one",
            most,
            "table" if most == 1 else "tables",
            limit=GOAL_TABLES,
            better="higher",
        )
    ]


def _named(tables: int) -> str:
    return f"{tables} table{'s' * (tables != 1)}"
