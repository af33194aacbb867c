"""The embedded broker as a process: accounts, restarts, its parent's death, what is said when it cannot
be.
"""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest
from rig.groups import alone
from rig.wait import wait_for

from tablebridge.bus import broker as module
from tablebridge.bus.account import embedded_password
from tablebridge.bus.broker import EmbeddedBroker, Kind
from tablebridge.bus.client import BusClient
from tablebridge.bus.topics import TOPICS, Role
from tablebridge.model.errors import BrokerError, ConfigError
from tablebridge.settings.site import Broker

KINDS = pytest.mark.parametrize("kind", ["nats", "mosquitto"])


@KINDS
def test_accounts_are_made_once_and_are_nobody_elses(tmp_path: Path, kind: Kind) -> None:
    with EmbeddedBroker(tmp_path, 0, kind, groups=alone({"feig1": "t1"})) as broker:
        assert broker.kind == kind
        made, port = broker.accounts, broker.port
        broker.stop()
        assert broker.pid is None
        broker.start()
        assert (broker.accounts, broker.port) == (made, port)
        assert broker.pid is not None
        listens = {
            c.laddr.ip
            for c in psutil.Process(broker.pid).net_connections("tcp")
            if c.status == psutil.CONN_LISTEN
        }
    assert listens == {"127.0.0.1"}
    assert {name: (name, embedded_password(tmp_path, name)) for name in made} == made
    assert set(made) == {
        "engine",
        "web",
        "notify",
        "room",
        "tournament",
        "uplink",
        "enrol",
        "listen-floor",
        "listen-public",
        "dev-feig1",
    }
    assert len({password for _, password in made.values()}) == len(made)
    with EmbeddedBroker(tmp_path, 0, kind, groups=alone({"feig1": "t1", "feig2": "t1"})) as broker:
        assert broker.accounts.items() > made.items(), (
            "a device that is added gets an account; the others keep theirs"
        )
    for path in (tmp_path / "broker").rglob("*"):
        if path.is_file() and any(password.encode() in path.read_bytes() for _, password in made.values()):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert stat.S_IMODE((tmp_path / "broker").stat().st_mode) == 0o700


@KINDS
def test_the_pages_and_the_engine_may_subscribe_to_many_tables(
    tmp_path: Path, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    tables = [f"table-{number}" for number in range(1, 33)]
    roles: tuple[Role, ...] = ("web", "engine")
    with EmbeddedBroker(tmp_path, 0, kind) as broker:
        for role in roles:
            read = [topic for topic in TOPICS if topic.is_read_by(role) and topic.named != "client"]
            client = BusClient(Broker(port=broker.port), role, *broker.accounts[role])
            client.subscribe(*(topic.filter("site", table) for table in tables for topic in read))
            wait_for(partial(_subscribed, client), f"{role} has subscribed")
            client.close()
    assert "refuses a subscription" not in caplog.text


@KINDS
def test_it_ends_with_its_parent_however_that_ended(tmp_path: Path, kind: Kind) -> None:
    code = f"""
import pathlib, time
from tablebridge.bus.broker import EmbeddedBroker
broker = EmbeddedBroker(pathlib.Path({str(tmp_path)!r}), 0, {kind!r})
broker.start()
print(broker.pid, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.stdout.close()
    assert psutil.pid_exists(pid)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 60
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the broker outlives its parent"
        time.sleep(0.02)


@KINDS
def test_a_port_in_use_is_a_clear_error(tmp_path: Path, kind: Kind) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        broker = EmbeddedBroker(tmp_path, taken.getsockname()[1], kind)
        with pytest.raises(BrokerError, match="Is another program using the port"):
            broker.start()
        assert broker.pid is None


def test_the_other_broker_is_taken_where_the_preferred_one_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert EmbeddedBroker(tmp_path).kind == "mosquitto"
    monkeypatch.setattr(module.shutil, "which", lambda name, path: None)
    assert EmbeddedBroker(tmp_path).kind == "nats"
    monkeypatch.setattr(module.metadata, "files", lambda name: [])
    with pytest.raises(ConfigError, match="apt install mosquitto"):
        EmbeddedBroker(tmp_path)


def test_accounts_that_are_not_there_are_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="start the embedded broker first"):
        embedded_password(tmp_path, "engine")
    (tmp_path / "broker" / "accounts").mkdir(parents=True)
    (tmp_path / "broker" / "accounts" / "engine.password").write_text("")
    with pytest.raises(ConfigError, match="it is empty"):
        embedded_password(tmp_path, "engine")


def _subscribed(client: BusClient) -> bool:
    client.step(0.05)
    return client.subscribed
