"""What a table costs its neighbours on the bus: nothing. A process gets what its own tables say, and a table
says the same however many there are.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from rig.groups import alone
from rig.relay import Relay

from tablebridge.app.engine import EngineProcess
from tablebridge.app.group_link import GroupLink
from tablebridge.bus.access import Account, group_account
from tablebridge.bus.broker import EmbeddedBroker, Kind
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import Command, Reply, decode, encode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.topics import COMMAND, COUNTERS, ENGINE_BEAT, REPLY, TOPICS, parse
from tablebridge.settings.site import Broker, Site, Table
from tablebridge.settings.state import OUTBOX

KINDS = pytest.mark.parametrize("kind", ["nats", "mosquitto"])
PLAYED = ("stacks 10000", "hand", *(f"deal {seat} ??" for _ in range(2) for seat in (1, 2, 3)), "fold 1")
CLIENT = "person"
TESTERS = (
    Account("test-driver", "driver"),
    Account("test-engine", "engine"),
    Account("test-web", "web", client=CLIENT),
    Account("test-notify", "notify"),
    Account("test-room", "room"),
    Account("test-tournament", "tournament"),
    Account("test-uplink", "uplink", client=CLIENT),
)
"""Accounts that may do at any table what their role may."""


class TestBroker(EmbeddedBroker):
    """The broker of a site with a group per table, which knows the accounts of the test as well."""

    __test__ = False

    def __init__(self, folder: Path, kind: Kind, tables: list[str]) -> None:
        super().__init__(folder, 0, kind, site="hall", groups=alone({f"d-{name}": name for name in tables}))
        self._members = (*self._members, *TESTERS)

    def client(self, account: str) -> BusClient:
        return BusClient(Broker(port=self.port), account, *self.accounts[account])


def site_of(folder: Path, port: int, *tables: str) -> Site:
    device = {"driver": "line", "port": "/dev/null"}
    return Site(
        name="hall",
        state_dir=folder,
        broker=Broker(port=port),
        table=tuple(
            Table(name=name, group="alone", seats="1-3", device=({"name": f"d-{name}", **device},))  # type: ignore[call-arg]
            for name in tables
        ),
    )


def until(holds: Callable[[], object], *steps: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "not within 60 s"
        for step in steps:
            step()


def say_everything(broker: TestBroker, table: str) -> int:
    """Publish on every topic of a table, by who may; how many messages."""
    count = 0
    for account in TESTERS:
        client = broker.client(account.name)
        until(lambda: client.connected, lambda: client.step(0.05))  # noqa: B023
        for topic in TOPICS:
            if topic.writer == account.role:
                name = {"group": f"d-{table}", "device": f"d-{table}", "client": CLIENT}.get(topic.named, "")
                client.publish(topic.of("hall", table, *filter(None, [name])), b"{}", retain=topic.retained)
                count += 1
        until(lambda: not client.in_flight, lambda: client.step(0.05))  # noqa: B023
        client.close()
    return count


@KINDS
@pytest.mark.parametrize("lights", [False, True], ids=["readers", "lights"])
def test_a_driver_gets_nothing_of_other_tables_but_whether_the_engine_runs_if_it_has_lights(
    tmp_path: Path, kind: Kind, lights: bool
) -> None:
    shown: list[object] = []
    with TestBroker(tmp_path, kind, ["t1", "t2"]) as broker, Relay(broker.port) as relay:
        site = site_of(tmp_path, relay.port, "t1")
        (group,) = site.groups
        outbox = Outbox(OUTBOX.folder(tmp_path) / group.name)
        link = GroupLink(site, group, outbox, *broker.accounts[group_account(group.name)])
        if lights:
            link.show_alerts(shown.append)
        until(lambda: link._client.subscribed, lambda: link.step(0.05, ()))
        assert say_everything(broker, "t2") == len(TOPICS)
        say_everything(broker, "t1")
        until(lambda: b"/t1/ask/d-t1/replay" in relay.received, lambda: link.step(0.05, ()))
        link.close()
        outbox.close()
    of_others = set(re.findall(rb"tb/v1/hall/t2/([a-z0-9/_-]+)", relay.received))
    assert of_others == ({b"floor/avail"} if lights else set())


@KINDS
def test_an_engine_gets_nothing_of_tables_that_it_does_not_serve(tmp_path: Path, kind: Kind) -> None:
    with TestBroker(tmp_path, kind, ["t1", "t2"]) as broker, Relay(broker.port) as relay:
        engine = EngineProcess(site_of(tmp_path, relay.port, "t1"))
        until(lambda: engine._client.subscribed, engine.step)
        say_everything(broker, "t2")
        play(broker, engine, ["t1"])
    assert b"/t1/cmd/" in relay.received
    assert b"/t2/" not in relay.received


class Listener:
    """Who reads what the engine says of some tables, as the pages do. `messages` and `size` (bytes): of each
    table, without what is said because time passes; `done`: the ids of commands that were answered.
    """

    def __init__(self, broker: TestBroker, tables: list[str]) -> None:
        self.messages: Counter[str] = Counter()
        self.size: Counter[str] = Counter()
        self.done: list[str] = []
        self.client = broker.client("test-web")
        self.client.on_message = self._heard
        for topic in TOPICS:
            if topic.writer == "engine" and topic.is_read_by("web"):
                name = CLIENT if topic is REPLY else "+"
                self.client.subscribe(*(topic.filter("hall", table, name) for table in tables))

    def listen(self) -> None:
        """Take what has come. A client takes a packet per step."""
        for _ in range(50):
            self.client.step(0.005)

    def _heard(self, topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        known = parse(topic)
        assert known is not None
        if known.topic not in (ENGINE_BEAT, COUNTERS) and not retained:
            self.messages[known.table] += 1
            self.size[known.table] += len(topic) + len(payload)
        if known.topic is REPLY:
            reply = decode(payload, Reply)
            assert reply.ok, reply.sentence
            self.done.append(reply.id)


def play(broker: TestBroker, engine: EngineProcess, tables: list[str]) -> tuple[Counter[str], Counter[str]]:
    """The same lines at each table; how many messages and how many bytes each table got out of it."""
    listener = Listener(broker, tables)
    until(lambda: listener.client.subscribed, listener.listen, engine.step)
    listener.messages.clear()
    listener.size.clear()
    for table in tables:
        key, deadline_ns = f"{table}-played", time.time_ns() + 60_000_000_000
        command = Command(key, "Olga", "operator", deadline_ns, lines=PLAYED)
        listener.client.publish(COMMAND.of("hall", table, CLIENT), encode(command))
        until(lambda: key in listener.done, listener.listen, engine.step)  # noqa: B023
    for _ in range(3):
        engine.step()
        listener.listen()
    listener.client.close()
    return listener.messages, listener.size


def test_a_table_says_as_much_beside_five_others_as_alone(tmp_path: Path) -> None:
    said = {}
    for count in (1, 6):
        folder = tmp_path / str(count)
        folder.mkdir()
        tables = [f"t{number}" for number in range(1, count + 1)]
        with TestBroker(folder, "mosquitto", tables) as broker:
            engine = EngineProcess(site_of(folder, broker.port, *tables))
            until(lambda: engine._client.subscribed, engine.step)  # noqa: B023
            said[count] = play(broker, engine, tables)
    (alone_messages, alone_size), (messages, size) = said[1], said[6]
    assert set(messages.values()) == set(alone_messages.values()) and len(messages) == 6
    assert max(size.values()) < 1.02 * alone_size["t1"]
