"""What the processes of a site cost: processor time, memory, what they write, messages on the bus.

- Processor: user and system time, as the kernel counts it. Memory: proportional set size (PSS), in which a
  page that several processes share counts once. Both need the right to look at other processes.
- Written: what the kernel counts as sent towards the disk (`write_bytes` of /proc/PID/io): whole pages.
- Messages: what is published, counted by two more subscribers in a time of its own, so that their deliveries
  do not count as the broker's work.
"""

import threading
import time
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
import psutil

from tablebridge.app.runner import Runner
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.topics import TOPICS, parse
from tablebridge.settings.site import Broker

KINDS: Final = ("drivers", "engine", "broker", "web")


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


def costs(runner: Runner) -> dict[str, Cost]:
    """What the processes of a site have cost so far, by kind."""
    assert runner.broker is not None and runner.broker.pid is not None
    found = {kind: Cost() for kind in KINDS}
    for name, pid in {**runner.processes, "broker": runner.broker.pid}.items():
        kind = name if name in found else "drivers"
        found[kind] += cost_of(pid)
    return found


class Counting:
    """Counts the messages of a site, by what they are, with the accounts of the engine and of the pages."""

    def __init__(self, runner: Runner) -> None:
        broker = runner.broker
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
            client.subscribe(*(topic for topic in _filters(runner.site.name, account)), qos=0)
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


def _filters(site: str, account: str) -> list[str]:
    planes = {"engine": ("obs", "dev", "cmd"), "web": ("floor", "public", "sealed")}
    return [
        topic.filter(site)
        for topic in TOPICS
        if topic.plane in planes[account] and topic.is_read_by("engine" if account == "engine" else "web")
    ]
