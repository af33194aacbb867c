"""What one dealing table costs the box: processor time and memory of all processes by kind, bytes written,
messages on the bus.

The table is emulated at the speed of life, nine-handed, level typical: fourteen readers are polled and a
board tells its state, while hands are dealt and bet. Everything above the ports is the real service with the
embedded broker. What no room runs is not counted: the emulated readers and the dealer, which are this
program, and the supervisor of the processes in it, whose place systemd has. Their processor time is given
apart.

- Processor: user and system time, as the kernel counts it. Memory: proportional set size (PSS), in which a
  page that several processes share counts once. Both need the right to look at other processes.
- Written: what the kernel counts as sent towards the disk (`write_bytes` of /proc/PID/io): whole pages.
- Messages: what is published, counted by two more subscribers in a time of its own, so that their deliveries
  do not count as the broker's work.
"""

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import psutil

from benchmarks.figures import Figure, Options, Say
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.topics import TOPICS, parse
from tablebridge.settings.site import Broker
from tablebridge.sim.game import Game
from tablebridge.sim.pace import Stopped
from tablebridge.sim.session import Session

DEALING_S, QUICK_S = 60.0, 10.0
COUNTING_S, QUICK_COUNTING_S = 20.0, 5.0
SETTLE_S = 5.0
KINDS: Final = ("drivers", "engine", "broker", "web")
GOALS: Final = {"cpu": 8.0, "pss": 150.0, "written": 60.0, "messages": 25.0}
_KB: Final = 1e3
_MB: Final = 1e6


class Cost(msgspec.Struct, frozen=True):
    """What processes have cost: seconds of processor time and bytes written so far, bytes of memory now."""

    cpu_s: float = 0.0
    written: int = 0
    pss: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu_s + other.cpu_s, self.written + other.written, self.pss + other.pss)


def cost_of(pid: int) -> Cost:
    """What one process has cost so far."""
    process = psutil.Process(pid)
    cpu = process.cpu_times()
    return Cost(cpu.user + cpu.system, _field(f"/proc/{pid}/io", "write_bytes"), _pss(pid))


def _field(path: str, name: str) -> int:
    """A number of a file of /proc, by the name before its colon."""
    for line in Path(path).read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0])
    raise ValueError(f"{path} has no {name}")


def _pss(pid: int) -> int:
    return _field(f"/proc/{pid}/smaps_rollup", "Pss") * 1024


def costs(session: Session) -> dict[str, Cost]:
    """What the processes of a site have cost so far, by kind."""
    runner = session.runner
    assert runner.broker is not None and runner.broker.pid is not None
    found = {kind: Cost() for kind in KINDS}
    for name, pid in {**runner.processes, "broker": runner.broker.pid}.items():
        kind = name if name in found else "drivers"
        found[kind] += cost_of(pid)
    return found


class Counting:
    """Counts the messages of a site, by what they are, with the accounts of the engine and of the pages."""

    def __init__(self, session: Session) -> None:
        broker = session.runner.broker
        assert broker is not None
        self.messages: Counter[str] = Counter()
        self.bytes = 0
        self._clients = []
        for account in ("engine", "web"):
            client = BusClient(
                Broker(port=broker.port), f"bench-{account}", *broker.accounts[account], clean=True
            )
            client.on_message = self._message
            # What both may read is counted with the engine's account.
            client.subscribe(*(topic for topic in _filters(account)), qos=0)
            self._clients.append(client)

    def run(self, seconds: float) -> None:
        """Count for this long, without what the broker retained before. A client takes one message per round,
        so each has a thread.
        """
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=self._listen, args=(client, until)) for client in self._clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _listen(self, client: BusClient, until: float) -> None:
        while time.monotonic() < until:
            client.step(0.05)

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def _message(self, topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        if not retained and (parsed := parse(topic)) is not None:
            self.messages[parsed.topic.name] += 1
            self.bytes += len(payload)


def _filters(account: str) -> list[str]:
    planes = {"engine": ("obs", "dev", "cmd"), "web": ("floor", "public", "sealed")}
    return [
        topic.filter("demo")
        for topic in TOPICS
        if topic.plane in planes[account] and topic.is_read_by("engine" if account == "engine" else "web")
    ]


def run(options: Options, say: Say) -> list[Figure]:
    seconds, counting_s = (QUICK_S, QUICK_COUNTING_S) if options.quick else (DEALING_S, COUNTING_S)
    stopped = threading.Event()
    with ExitStack() as closing:
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="tablebridge-bench-"))
        session = Session(Path(folder), level="typical", speed=1.0, seed=1, stopped=stopped.is_set)
        closing.enter_context(session)
        session.wait_table()
        dealer = threading.Thread(target=_deal, args=(session,))
        dealer.start()
        closing.callback(dealer.join)
        closing.callback(stopped.set)
        time.sleep(SETTLE_S)
        say("box: hands are dealt")
        began, before, ours = time.monotonic(), costs(session), time.process_time()
        time.sleep(seconds)
        took, after, ours = time.monotonic() - began, costs(session), time.process_time() - ours
        say("box: messages are counted")
        counting = Counting(session)
        counting.run(SETTLE_S)
        counting.messages.clear()
        counting.bytes = 0
        counting.run(counting_s)
        counting.close()
    emulation = Figure("processor, emulation and dealer, not counted", 100 * ours / took, "% of a core")
    return [*_figures(before, after, took, counting, counting_s), emulation]


def _figures(
    before: dict[str, Cost], after: dict[str, Cost], took: float, counting: Counting, counting_s: float
) -> list[Figure]:
    figures = []
    rows: tuple[tuple[str, str, float, Callable[[str], float]], ...] = (
        (
            "processor",
            "% of a core",
            GOALS["cpu"],
            lambda kind: 100 * (after[kind].cpu_s - before[kind].cpu_s) / took,
        ),
        ("memory (PSS)", "MB", GOALS["pss"], lambda kind: after[kind].pss / _MB),
        (
            "written",
            "kB/s",
            GOALS["written"],
            lambda kind: (after[kind].written - before[kind].written) / took / _KB,
        ),
    )
    for name, unit, goal, value in rows:
        figures.append(Figure(f"{name}, all", sum(map(value, KINDS)), unit, limit=goal))
        figures += [Figure(f"{name}, {kind}", value(kind), unit) for kind in KINDS]
    total = counting.messages.total() / counting_s
    figures.append(Figure("messages, all", total, "per s", limit=GOALS["messages"]))
    figures += [
        Figure(f"messages, {name}", count / counting_s, "per s")
        for name, count in counting.messages.most_common()
    ]
    figures.append(Figure("payload of the messages", counting.bytes / counting_s / _KB, "kB/s"))
    return figures


def _deal(session: Session) -> None:
    try:
        for _ in Game(session, Random(1), irregular=None, share=0.0).hands(None):
            pass
    except Stopped:
        pass
