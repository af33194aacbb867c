"""Ears on everything that leaves the processes: the bus with each account's rights, the pages with each
role's token.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import msgspec

from tablebridge.bus.access import accounts_of
from tablebridge.bus.account import embedded_password
from tablebridge.bus.client import Ack, BusClient
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import Session

STREAMS = {
    "floor": ("/live/floor", "/live/devices"),
    f"dealer {TABLE}": (f"/live/dealer/{TABLE}",),
    "operator": (f"/live/tables/{TABLE}",),
    "technician": (f"/live/tables/{TABLE}", "/live/devices"),
    "broadcast": (f"/live/overlay/{TABLE}",),
}
PICTURES = {
    "floor": (
        f"/api/tables/{TABLE}/state",
        "/api/alerts",
        "/api/devices",
        "/floor",
        "/devices",
        "/api/tables",
    ),
    f"dealer {TABLE}": (f"/dealer/{TABLE}",),
    "operator": (f"/console/{TABLE}", f"/api/tables/{TABLE}/state"),
    "technician": (f"/console/{TABLE}", "/devices"),
    "broadcast": (f"/api/tables/{TABLE}/overlay", f"/overlay/{TABLE}"),
}


class Heard(msgspec.Struct):
    """One message: when, by whom (an account or a role), where (a topic or an address), what."""

    at: float
    who: str
    where: str
    what: str


class Spy:
    """`bus` and `pages`: what was heard so far."""

    def __init__(self) -> None:
        self.bus: list[Heard] = []
        self.pages: list[Heard] = []
        self.stopping = threading.Event()

    def on_bus(self, client: BusClient) -> None:
        while not self.stopping.is_set():
            client.step(0.2)
        client.close()

    def on_stream(self, url: str, role: str, path: str, token: str) -> None:
        with (
            httpx.Client(timeout=None) as http,
            http.stream("GET", url + path, headers={"Authorization": f"Bearer {token}"}) as response,
        ):
            response.raise_for_status()
            for line in response.iter_lines():
                self.pages.append(Heard(time.monotonic(), role, path, line))
                if self.stopping.is_set():
                    return
        raise AssertionError(f"the stream {path} of {role} ended before the spy did")

    def on_pictures(self, url: str, tokens: dict[str, str]) -> None:
        with httpx.Client(timeout=60) as http:
            while not self.stopping.wait(0.3):
                for role, paths in PICTURES.items():
                    for path in paths:
                        answer = http.get(url + path, headers={"Authorization": f"Bearer {tokens[role]}"})
                        answer.raise_for_status()
                        self.pages.append(Heard(time.monotonic(), role, path, answer.text))


@contextmanager
def spying(session: Session) -> Iterator[Spy]:
    """Listen to a session until it is left."""
    spy = Spy()
    site = session.runner.site
    clients = []
    for account in accounts_of(site.groups):
        client = BusClient(
            site.broker, f"spy-{account.name}", account.name, embedded_password(site.state_dir, account.name)
        )

        def take(topic: str, payload: bytes, retained: bool, ack: Ack, role: str = account.role) -> None:
            spy.bus.append(Heard(time.monotonic(), role, topic, payload.decode()))
            ack()

        client.on_message = take
        # QoS 0: nothing is sent a second time, so the time of arrival is the time of sending.
        client.subscribe(*account.receives(site.name), qos=0)
        clients.append(client)
    deadline = time.monotonic() + 60
    while not all(client.subscribed for client in clients):
        for client in clients:
            client.step(0.01)
        assert time.monotonic() < deadline, "the spy does not get in"
    url, tokens = session.runner.web_url, session.runner.tokens
    threads = [threading.Thread(target=spy.on_bus, args=(client,)) for client in clients]
    threads.append(threading.Thread(target=spy.on_pictures, args=(url, tokens)))
    threads += [
        threading.Thread(target=spy.on_stream, args=(url, role, path, tokens[role]))
        for role, paths in STREAMS.items()
        for path in paths
    ]
    with ExitStack() as ending:
        for thread in threads:
            thread.start()
            ending.callback(thread.join, 60)
        ending.callback(spy.stopping.set)
        yield spy
