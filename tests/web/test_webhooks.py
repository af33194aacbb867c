"""Webhooks: what is sent, to whom, signed how, and what is honestly lost."""

import hashlib
import hmac
import json
import socket
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablebridge.bus import topics
from tablebridge.bus.messages import AlertMessage, FindingMessage, HandEvent, encode
from tablebridge.cli.webhook import command
from tablebridge.floor.alerts import Alerts
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.site_event import EVENT_NAMES, SCHEMA, SiteEvent
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Webhook
from tablebridge.settings.state import WEBHOOK_SECRET
from tablebridge.web.hub import Hub
from tablebridge.web.webhooks.deliveries import MOST, OLDEST_S, Deliveries
from tablebridge.web.webhooks.hook import Hook, secret_of
from tablebridge.web.webhooks.post import Unsafe, is_forbidden, post, sign

from .hall import hall_in, misdeal, site, until, view

AT = Instant(1_800_000_000_123_000_000, 5)


class Receiver(ThreadingHTTPServer):
    """A program that is sent events. `answers`: the statuses of the next answers, 200 afterwards."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.url = f"http://127.0.0.1:{self.server_port}/hook?key=1"

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers.items()), body))
        status = self.server.answers.pop(0) if self.server.answers else 200
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", self.server.url)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


@contextmanager
def hooked(folder: Path, **settings: Any) -> Iterator[tuple[Hub, Hook]]:
    hook = Hook(Webhook(**{"name": "lights", "allow_loopback": True, **settings}), "the secret")
    hub = Hub(site(folder))
    hub.hooks = (hook,)
    hook.start()
    try:
        yield hub, hook
    finally:
        hook.stop()


def event(number: int = 1, name: str = "hand-started") -> SiteEvent:
    return SiteEvent(SCHEMA, f"main-{number}", name, "hall", "main", "2026-11-22T14:05:09.123Z", number)  # type: ignore[arg-type]


def play(hub: Hub) -> None:
    """A hand with a misdeal whose alert is taken and closed; each message comes twice."""
    alerts = Alerts()
    finding = misdeal("812.0", cards=("As",), public_cards=("Td",), sentence="Vera shows 04A1B2C3D4E5F6.")
    raised = alerts.raise_(finding, AT)
    messages = [
        (topics.HAND_EVENT, HandEvent("hand-started", AT, 810, 7, "preflop")),
        (topics.HAND_EVENT, HandEvent("action", AT, 811, 7, "preflop", 4, "bet", 400)),
        (topics.FINDING, FindingMessage(finding, AT, 812)),
        (topics.ALERT, AlertMessage(raised, 812)),  # type: ignore[arg-type]
    ]
    for rev, to in enumerate(("taken", "ruled", "closed"), 813):
        changed = alerts.change(
            AlertChange("812.0", to, "Anna", "Chen held As"), Instant(AT.wall_ns + rev, 5)
        )  # type: ignore[arg-type]
        messages.append((topics.ALERT, AlertMessage(changed, rev)))
    for topic, message in messages:
        for _ in range(2):
            hub.take(topic.of("hall", "main"), encode(message))


def test_what_happens_at_a_table_is_sent_once_in_order_and_signed(tmp_path: Path, receiver: Receiver) -> None:
    with hooked(tmp_path, url=receiver.url) as (hub, hook):
        play(hub)
        until(lambda: len(receiver.got) >= 7, "seven events", 40)
    assert [found["event"] for found in receiver.events()] == [
        "hand-started",
        "action",
        "finding",
        "alert-raised",
        "alert-taken",
        "alert-ruled",
        "alert-closed",
    ]
    assert receiver.events()[1] == {
        "schema": 1,
        "id": "main-811-action",
        "event": "action",
        "site": "hall",
        "table": "main",
        "at": "2027-01-15T08:00:00.123Z",
        "hand": 7,
        "street": "preflop",
        "seat": 4,
        "action": "bet",
        "amount": 400,
    }
    for headers, body in receiver.got:
        at, _, digest = headers["Tablebridge-Signature"].removeprefix("t=").partition(",v1=")
        wanted = hmac.new(b"the secret", at.encode() + b"." + body, hashlib.sha256).hexdigest()
        assert digest == wanted and abs(int(at) - time.time()) < 100
        assert headers["Tablebridge-Delivery"] == json.loads(body)["id"]
    assert hook.deliveries.sent == 7 and hook.deliveries.lost == 0


def test_no_card_no_tag_and_no_name_is_sent(tmp_path: Path, receiver: Receiver) -> None:
    with hooked(tmp_path, url=receiver.url) as (hub, _):
        hub.take(topics.STATE.of("hall", "main"), encode(view()))
        play(hub)
        until(lambda: len(receiver.got) >= 7, "seven events", 40)
    sent = b"".join(body for _, body in receiver.got).decode()
    for planted in ("As", "Td", "Ah", "Vera", "Anna", "Chen", "04A1B2C3D4E5F6"):
        assert f'"{planted}' not in sent and f" {planted}" not in sent, planted


def test_only_what_is_wanted_is_sent(tmp_path: Path, receiver: Receiver) -> None:
    with hooked(tmp_path, url=receiver.url, events=("alert-raised",), tables=("main",)) as (hub, _):
        hub.take(topics.HAND_EVENT.of("hall", "main"), encode(HandEvent("hand-started", AT, 1, 1)))
        play(hub)
        hub.take(topics.HAND_EVENT.of("hall", "side"), encode(HandEvent("hand-started", AT, 1, 1)))
        until(lambda: receiver.got, "an event", 40)
        until(lambda: not len(hub.hooks[0].deliveries), "nothing waits", 40)
    assert [found["event"] for found in receiver.events()] == ["alert-raised"]


def test_a_receiver_that_fails_is_sent_the_same_again_in_order(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answers = [503, 429]
    with hooked(tmp_path, url=receiver.url) as (_, hook):
        hook.happened(event(1))
        hook.happened(event(2))
        until(lambda: hook.deliveries.sent == 2, "both are delivered", 40)
    assert [found["id"] for found in receiver.events()] == ["main-1", "main-1", "main-1", "main-2"]
    assert (hook.deliveries.failures, hook.deliveries.lost) == (2, 0)


def test_a_redirect_is_not_followed_and_what_is_not_wanted_is_counted(
    tmp_path: Path, receiver: Receiver
) -> None:
    receiver.answers = [302, 404]
    with hooked(tmp_path, url=receiver.url) as (_, hook):
        for number in (1, 2, 3):
            hook.happened(event(number))
        until(lambda: hook.deliveries.sent == 1, "the third is delivered", 40)
    assert [(found["id"], found.get("lost_before", 0)) for found in receiver.events()] == [
        ("main-1", 0),
        ("main-2", 1),
        ("main-3", 2),
    ]
    assert hook.deliveries.lost == 2


# The queue, without a network.


def test_too_many_and_too_old_are_lost_and_the_next_says_how_many() -> None:
    queue = Deliveries(lambda: 1.0)
    for number in range(MOST + 3):
        queue.put(event(number), 0.0)
    assert (len(queue), queue.lost) == (MOST, 3)
    first = queue.next(1.0)
    assert first is not None and (first.hand, first.lost_before) == (3, 3)
    assert queue.answered(first, 200, 1.0)
    queue.put(event(5_000), OLDEST_S - 1)
    late = queue.next(OLDEST_S)
    assert late is not None and (late.hand, late.lost_before) == (5_000, MOST - 1)
    assert queue.lost == MOST + 2 and queue.sent == 1


def test_what_was_lost_while_it_was_under_way_takes_no_other_with_it() -> None:
    queue = Deliveries(lambda: 1.0)
    queue.put(event(0), 0.0)
    sending = queue.next(0.0)
    assert sending is not None
    for number in range(1, MOST + 1):
        queue.put(event(number), 0.0)
    queue.answered(sending, 200, 0.0)
    following = queue.next(0.0)
    assert following is not None and following.hand == 1 and len(queue) == MOST


def test_attempts_wait_longer_each_time() -> None:
    queue = Deliveries(lambda: 1.0)
    assert queue.wait_s(0.0) is None
    queue.put(event(), 0.0)
    waits = []
    for _ in range(6):
        assert queue.next(100.0) is not None
        queue.failed(100.0)
        waits.append(queue.wait_s(100.0))
        queue._backoff.appeared(100.0)
    assert waits == [0.25, 0.5, 1, 2, 4, 5]


# Where it may go.


@pytest.mark.parametrize(
    ("address", "forbidden"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", True),
        ("::", True),
        ("169.254.169.254", True),
        ("fe80::1%eth0", True),
        ("224.0.0.1", True),
        ("240.0.0.1", True),
        ("192.168.7.30", False),
        ("10.1.2.3", False),
        ("93.184.216.34", False),
        ("2001:4860:4860::8888", False),
    ],
)
def test_this_machine_and_what_no_receiver_has_are_forbidden(address: str, forbidden: bool) -> None:
    assert is_forbidden(address, loopback=False) == forbidden
    this_machine = address.startswith(("127.", "::1", "::ffff:127."))
    assert is_forbidden(address, loopback=True) == (forbidden and not this_machine)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]
)
def test_no_spelling_of_this_machine_gets_a_connection(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        port = listener.getsockname()[1]
        with pytest.raises(Unsafe):
            post(f"http://{host}:{port}/", b"{}", {}, loopback=False)
        with pytest.raises(TimeoutError):
            listener.accept()


def test_the_signature_is_what_the_page_says() -> None:
    digest = hmac.new(b"s", b'1800000000.{"a":1}', hashlib.sha256).hexdigest()
    assert sign("s", b'{"a":1}', 1_800_000_000) == f"t=1800000000,v1={digest}"


# The site file and the process.


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a/b",
        "http://",
        "http://user:pass@host/",
        "http://host/#x",
        "http://ho st/",
        "host/path",
        "http://host:99999/",
        "http://[::1",
    ],
)
def test_an_address_that_is_none_is_refused_with_a_sentence(tmp_path: Path, url: str) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f'[[webhook]]\nname = "a"\nurl = "{url}"\n')
    with pytest.raises(ConfigError, match=r":3: webhook\[1\].url: this is no address for events; write http"):
        load_site(path)


def test_names_tables_and_events_of_webhooks_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(
        '[[webhook]]\nname = "a"\nurl = "http://h/"\ntables = ["none"]\nevents = ["hand-begun"]\n'
        '[[webhook]]\nname = "a"\nurl = "http://h/"\n'
    )
    with pytest.raises(ConfigError) as refused:
        load_site(path)
    said = str(refused.value)
    assert (
        "there is no table 'none'" in said
        and "two webhooks are called 'a'" in said
        and "hand-started" in said
    )


def test_the_secret_is_made_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f'state_dir = "{tmp_path}"\n[[webhook]]\nname = "a"\nurl = "http://h/"\n')
    first = CliRunner().invoke(command, ["secret", "a", "--site", str(path)]).output.strip()
    assert len(first) >= 40 and secret_of(tmp_path, "a") == first
    assert stat.S_IMODE(WEBHOOK_SECRET.path(tmp_path, "a").stat().st_mode) == 0o600
    assert "has no webhook 'b'" in str(
        CliRunner().invoke(command, ["secret", "b", "--site", str(path)]).exception
    )


def test_the_web_process_sends_what_the_engine_publishes(tmp_path: Path, receiver: Receiver) -> None:
    with hall_in(tmp_path) as hall:
        hall.pages.end()
        with hall.pages.site_file.open("a") as file:
            file.write(f'[[webhook]]\nname = "lights"\nurl = "{receiver.url}"\nallow_loopback = true\n')
        hall.pages.start()
        hall.engine.publish(topics.HAND_EVENT, HandEvent("hand-started", AT, 1, 1))
        hall.engine.raise_alert(misdeal("900.0"))
        until(lambda: len(receiver.got) >= 2, "two events", 40)
        metrics = hall.get("/metrics", "metrics").text
        done = CliRunner().invoke(command, ["test", "lights", "--site", str(hall.pages.site_file)])
    assert {found["event"] for found in receiver.events()[:2]} == {"hand-started", "alert-raised"}
    assert 'tablebridge_webhook_lost_total{webhook="lights"} 0.0' in metrics
    assert done.output == "The webhook lights answers 200.\n" and receiver.events()[-1]["table"] == "test"


def test_every_event_has_a_name_of_the_list() -> None:
    assert len(EVENT_NAMES) == len(set(EVENT_NAMES)) == 11
