"""Real brokers and real clients, one thread, and waiting with a deadline."""

import itertools
import os
import pwd
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rig.groups import alone, readings_of

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.inbox import Inbox
from tablebridge.bus.messages import DeviceMeta, ReplayRequest, decode, encode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.sender import Sender
from tablebridge.bus.topics import META, READING, REPLAY
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.site import Broker

CONFIG = Path(__file__).parents[2] / "tablebridge/install/files/mosquitto.conf"
SITE = ("site", "table1")
DEVICES = {"feig1": "table1", "feig2": "table1", "far": "table2"}


class ProductionBroker(EmbeddedBroker):
    """mosquitto with the committed configuration: only port, user and paths are other ones."""

    def __init__(self, state_dir: Path) -> None:
        super().__init__(state_dir, 0, "mosquitto", groups=alone(DEVICES))

    def _configure(self) -> list[str]:
        super()._configure()
        text = CONFIG.read_text()
        for line, mine in {
            "listener 1883 127.0.0.1": f"listener {self.port} 127.0.0.1",
            "password_file /etc/mosquitto/tablebridge.users": f"password_file {self._dir}/mosquitto.users",
            "acl_file /etc/mosquitto/tablebridge.acl": f"acl_file {self._dir}/mosquitto.acl",
        }.items():
            text, found = re.subn(f"^{re.escape(line)}$", mine, text, flags=re.M)
            assert found == 1, line
        # Debian's own mosquitto.conf has the folder.
        (self._dir / "production.conf").write_text(
            f"user {pwd.getpwuid(os.getuid()).pw_name}\npersistence_location {self._dir}/mosquitto/\n{text}"
        )
        return ["-c", str(self._dir / "production.conf")]


class Bench:
    """One broker, the clients made on it, and `until`, which steps them all."""

    def __init__(self, folder: Path, broker: EmbeddedBroker) -> None:
        self.folder = folder
        self.broker = broker
        self.rounds: list[Callable[[], None]] = []
        self.clients: list[BusClient] = []
        self._names = itertools.count(1)

    def client(
        self, account: str, name: str = "", will: tuple[str, bytes] | None = None, password: str | None = None
    ) -> BusClient:
        user, right = self.broker.accounts[account]
        made = BusClient(
            Broker(port=self.broker.port),
            name or f"{account}-{next(self._names)}",
            user,
            password or right,
            None if will is None else lambda: will,
        )
        self.clients.append(made)
        return made

    def until(self, met: Callable[[], bool], seconds: float = 60.0, what: str = "") -> None:
        deadline = time.monotonic() + seconds
        while not met():
            assert time.monotonic() < deadline, f"not within {seconds} s: {what or met}"
            for one in self.rounds:
                one()
            for client in self.clients:
                client.step(0.002)

    def up(self, *clients: BusClient) -> None:
        self.until(lambda: all(client.subscribed for client in clients), what="connected and subscribed")

    def drop(self, client: BusClient) -> None:
        """The process behind this client is gone, as after a crash: no good-bye."""
        self.clients.remove(client)
        sock = client._mqtt.socket()
        if sock is not None:
            sock.close()


class DriverSide:
    """What a driver process does with the bus: outbox, sender, birth on every connection, replay on
    request.
    """

    def __init__(self, bench: Bench, device: str = "feig1") -> None:
        self.device = device
        self.outbox = Outbox(bench.folder / "outbox" / device, file_bytes=10_000)
        self.client = bench.client(f"dev-{device}", f"driver-{device}")
        self.sender = Sender(self.client, self.outbox, READING.of(*SITE, device))
        self.client.on_up = lambda _present: self.birth()
        self.client.on_message = self._asked
        self.client.subscribe(REPLAY.of(*SITE, device))
        bench.rounds.append(self.sender.pump)

    def birth(self) -> None:
        box, device = self.outbox, self.device
        meta = DeviceMeta(device, "template", box.epoch, box.first_seq(device), box.next_seq(device), "1")
        self.client.publish(META.of(*SITE, self.device), encode(meta), retain=True)

    def _asked(self, _topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        if not self.sender.replay(self.device, decode(payload, ReplayRequest)):
            self.birth()
        ack()

    def read(self, count: int) -> None:
        for _ in range(count):
            number = self.outbox.next_seq(self.device)
            sweep = Sweep(1, (f"E004{number:012X}",))
            self.outbox.append([(self.device, Instant(number, number), sweep)])


class EngineSide:
    """What the engine does with the bus: inbox, commit, acknowledgement. `committed` is its journal."""

    def __init__(self, bench: Bench, name: str = "engine") -> None:
        self.inbox = Inbox()
        self.committed: list[Stamped] = []
        self.lost: list[object] = []
        self.duplicates = 0
        self.client = bench.client("engine", name)
        self.client.on_message = self._message
        self.client.subscribe(READING.filter(SITE[0]), META.filter(SITE[0]))
        bench.rounds.append(self.due)

    def due(self) -> None:
        for taken in self.inbox.due(time.monotonic_ns()):
            self._apply(taken)

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        now = time.monotonic_ns()
        if topic.endswith("/meta"):
            self._apply(self.inbox.meta(decode(payload, DeviceMeta), now))
        else:
            for stamped in readings_of(payload):
                self._apply(self.inbox.take(stamped, now))
        ack()

    def _apply(self, taken) -> None:  # type: ignore[no-untyped-def]
        self.committed += taken.ready
        self.duplicates += taken.duplicates
        if taken.lost is not None:
            self.lost.append(taken.lost)
        if taken.ask is not None:
            self.client.publish(REPLAY.of(*SITE, taken.ask.device), encode(taken.ask.request))

    def knows(self, device: str) -> bool:
        """Whether the device's birth was heard. What was read before is not asked for by anybody, so no test
        may break anything sooner.
        """
        return any(of == device for of, _ in self.inbox.positions())

    def seqs(self) -> list[int]:
        return [stamped.seq for stamped in self.committed]


@pytest.fixture(params=["nats", "mosquitto", "production"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    broker = (
        ProductionBroker(tmp_path)
        if request.param == "production"
        else EmbeddedBroker(tmp_path, 0, request.param, groups=alone(DEVICES))
    )
    # Engines and driver processes make clients of their own: a socket that is left open would be reported in
    # another test, whenever the garbage is collected.
    clients: list[BusClient] = []
    real = BusClient.__init__

    def tracked(self: BusClient, *arguments: Any, **named: Any) -> None:
        clients.append(self)
        real(self, *arguments, **named)

    monkeypatch.setattr(BusClient, "__init__", tracked)
    with broker:
        yield Bench(tmp_path, broker)
        for client in clients:
            left = client._mqtt.socket()
            if left is not None and left.fileno() >= 0:  # dropped clients have closed theirs
                client.close(0.2)
                left.close()
