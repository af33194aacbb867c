"""Ears on everything that leaves the processes: the bus with each account's rights, the pages with each
role's token.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from zipfile import ZipFile

import httpx
import msgspec

from tablebridge.bus.access import accounts_of
from tablebridge.bus.account import embedded_password
from tablebridge.bus.client import Ack, BusClient
from tablebridge.settings.site import Site
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import Session
from tablebridge.web.app import create_app
from tablebridge.web.hub import Hub

STREAMS = {
    "floor": ("/live/floor", "/live/floor?wall", "/live/devices"),
    f"dealer {TABLE}": (f"/live/dealer/{TABLE}",),
    "operator": (f"/live/tables/{TABLE}",),
    "technician": (f"/live/tables/{TABLE}", "/live/devices"),
    "broadcast": (f"/live/overlay/{TABLE}",),
    "director": (f"/live/preview/{TABLE}",),
    "surveillance": (f"/live/timeline/{TABLE}",),
}
LINES_OF_A_CONNECTION = 150
"""After so many a stream is closed and opened again."""
PICTURES = {
    "floor": (
        f"/api/tables/{TABLE}/state",
        "/api/alerts",
        "/api/incidents",
        "/api/devices",
        "/floor",
        "/floor?wall",
        "/devices",
        "/api/tables",
    ),
    f"dealer {TABLE}": (f"/dealer/{TABLE}",),
    "operator": (f"/console/{TABLE}", f"/api/tables/{TABLE}/state"),
    "technician": (f"/console/{TABLE}", "/devices"),
    "director": (f"/preview/{TABLE}", f"/api/director/{TABLE}"),
    "surveillance": (f"/api/tables/{TABLE}/state", f"/api/tables/{TABLE}/findings"),
    "metrics": ("/metrics",),
    "broadcast": (
        f"/api/tables/{TABLE}/overlay",
        f"/overlay/{TABLE}",
        f"/feeds/{TABLE}/seats.json",
        f"/feeds/{TABLE}/seats.xml?cards=url",
        f"/feeds/{TABLE}/table.csv",
    ),
}
THE_SAME = ("/style", "/overlay/gallery")
"""Their cards are of nobody's hand."""


class Heard(msgspec.Struct):
    """One message: when, by whom (an account or a role), where (a topic or an address), what."""

    at: float
    who: str
    where: str
    what: str


class Spy:
    """`bus` and `pages`: what was heard so far; `connections`: how many streams were opened."""

    def __init__(self) -> None:
        self.connections = 0
        self.bus: list[Heard] = []
        self.pages: list[Heard] = []
        self.stopping = threading.Event()

    def on_bus(self, client: BusClient) -> None:
        while not self.stopping.is_set():
            client.step(0.2)
        client.close()

    def on_stream(self, url: str, role: str, path: str, token: str) -> None:
        with httpx.Client(timeout=None) as http:
            while not self.stopping.is_set():
                with http.stream("GET", url + path, headers={"Authorization": f"Bearer {token}"}) as response:
                    response.raise_for_status()
                    for number, line in enumerate(response.iter_lines()):
                        self.pages.append(Heard(time.monotonic(), role, path, line))
                        if self.stopping.is_set() or number > LINES_OF_A_CONNECTION:
                            break
                    else:
                        raise AssertionError(f"the stream {path} of {role} ended before the spy did")
                self.connections += 1

    def on_pictures(self, url: str, tokens: dict[str, str]) -> None:
        with httpx.Client(timeout=60) as http:
            while not self.stopping.wait(0.3):
                for role, paths in PICTURES.items():
                    for path in paths:
                        answer = http.get(url + path, headers={"Authorization": f"Bearer {tokens[role]}"})
                        answer.raise_for_status()
                        self.pages.append(Heard(time.monotonic(), role, path, answer.text))

    def insider(self, session: Session, hand: int) -> None:
        """Read every address there is with the token of every role, allowed or not; of hands this one and the
        next, which is not dealt.
        """
        tokens = session.runner.tokens
        with httpx.Client(base_url=session.runner.web_url, timeout=60) as http:
            for path in addresses(session.runner.site, hand):
                for role, token in tokens.items():
                    answer = http.get(path, headers={"Authorization": f"Bearer {token}"})
                    assert answer.status_code < 500, (path, role, answer.text)
                    for text in texts_of(answer):
                        self.pages.append(Heard(time.monotonic(), role, path, text))


def addresses(site: Site, hand: int) -> list[str]:
    """An address of every route that is read, as the application has them, but of no stream."""
    found = []
    for holder in create_app(site, Hub(site)).routes:
        for route in getattr(getattr(holder, "original_router", None), "routes", [holder]):
            path = route.path
            if "GET" not in route.methods or path.startswith(("/live/", "/static/", "/cards/", "/graphics/")):
                continue
            for name in ("seats.csv", "table.xml") if path.startswith("/feeds/") else ("x",):
                found += [
                    path.format(table=TABLE, hand=number, name=name, file="x.png", leaf="doctor")
                    for number in ((hand, hand + 1) if "{hand}" in path else (hand,))
                ]
    return [f"{path}?lane=board" if path.endswith("lane.csv") else path for path in found]


def texts_of(answer: httpx.Response) -> list[str]:
    """The texts of an answer: of an archive, those of its files."""
    if answer.headers.get("content-type") == "application/zip":
        with ZipFile(BytesIO(answer.content)) as bundle:
            return [bundle.read(name).decode(errors="replace") for name in bundle.namelist()]
    return [answer.text]


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
