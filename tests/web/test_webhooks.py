"""Webhooks: what is sent, to whom, signed how, and what is honestly lost."""

import hashlib
import hmac
import json
import signal
import socket
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablebridge.bus import topics
from tablebridge.bus.messages import AlertMessage, FindingMessage, HandEvent, encode
from tablebridge.cli.webhook import command
from tablebridge.deliveries.file import DeliveryFile
from tablebridge.deliveries.http import Unsafe, is_forbidden, request, sign
from tablebridge.deliveries.queue import MOST, OLDEST_S, Deliveries, Waiting
from tablebridge.floor.alerts import Alerts
from tablebridge.host.clock import SystemClock
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.site_event import EVENT_NAMES, SCHEMA, SiteEvent
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Webhook
from tablebridge.settings.state import WEBHOOK_EVENTS, WEBHOOK_SECRET
from tablebridge.web.hub import Hub
from tablebridge.web.metrics import exposition
from tablebridge.web.webhooks.hook import Hook, secret_of
from tablebridge.web.webhooks.webhooks import Webhooks

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
    webhooks = Webhooks((hook,), WEBHOOK_EVENTS.path(folder))
    webhooks.start()
    try:
        yield Hub(site(folder), webhooks=webhooks), hook
    finally:
        webhooks.stop()


def event(number: int = 1, name: str = "hand-started") -> SiteEvent:
    return SiteEvent(SCHEMA, f"main-{number}", name, "hall", "main", "2026-11-22T14:05:09.123Z", number)  # type: ignore[arg-type]


def waiting(number: int, since_s: float) -> Waiting[SiteEvent]:
    return Waiting(number, since_s, event(number))


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
        until(lambda: hook.deliveries.sent >= 7, "seven answers", 40)
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
        until(lambda: not len(hub.webhooks.hooks[0].deliveries), "nothing waits", 40)
    assert [found["event"] for found in receiver.events()] == ["alert-raised"]


def test_a_receiver_that_fails_is_sent_the_same_again_in_order(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answers = [503, 429]
    with hooked(tmp_path, url=receiver.url) as (hub, hook):
        for number in (1, 2):
            hub.webhooks.happened(event(number), lambda: None)
        until(lambda: hook.deliveries.sent == 2, "both are delivered", 40)
    assert [found["id"] for found in receiver.events()] == ["main-1", "main-1", "main-1", "main-2"]
    assert (hook.deliveries.failures, hook.deliveries.lost) == (2, 0)


def test_a_redirect_is_not_followed_and_what_is_not_wanted_is_counted(
    tmp_path: Path, receiver: Receiver
) -> None:
    receiver.answers = [302, 404]
    with hooked(tmp_path, url=receiver.url) as (hub, hook):
        for number in (1, 2, 3):
            hub.webhooks.happened(event(number), lambda: None)
        until(lambda: hook.deliveries.sent == 1, "the third is delivered", 40)
    assert [(found["id"], found.get("lost_before", 0)) for found in receiver.events()] == [
        ("main-1", 0),
        ("main-2", 1),
        ("main-3", 2),
    ]
    assert hook.deliveries.lost == 2


# What a restart of the process leaves.


@contextmanager
def unheard(folder: Path, name: str = "lights") -> Iterator[Webhooks]:
    """Webhooks whose receiver does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/hook?key=in-the-address"
    hook = Hook(Webhook(name=name, url=url, allow_loopback=True), "the secret")  # type: ignore[call-arg]
    webhooks = Webhooks((hook,), WEBHOOK_EVENTS.path(folder))
    webhooks.start()
    try:
        yield webhooks
    finally:
        webhooks.stop()


def rows(folder: Path) -> list[int]:
    """The hands of the events on disk, in their order."""
    with closing(sqlite3.connect(WEBHOOK_EVENTS.path(folder))) as db:
        return [
            json.loads(body)["hand"] for (body,) in db.execute("SELECT body FROM delivery ORDER BY number")
        ]


def test_what_waits_is_sent_by_the_next_process_in_order(tmp_path: Path, receiver: Receiver) -> None:
    with unheard(tmp_path) as webhooks:
        for number in range(1, 6):
            webhooks.happened(event(number), lambda: None)
        until(lambda: len(webhooks.hooks[0].deliveries) == 5, "five wait", 40)
    assert rows(tmp_path) == [1, 2, 3, 4, 5]
    with hooked(tmp_path, url=receiver.url) as (hub, _):
        hub.webhooks.happened(event(6), lambda: None)
        until(lambda: len(receiver.got) >= 6, "six events", 40)
        until(lambda: not rows(tmp_path), "nothing is left on disk", 40)
    assert [found["hand"] for found in receiver.events()] == [1, 2, 3, 4, 5, 6]


def test_a_message_is_acknowledged_when_its_event_is_on_disk(tmp_path: Path) -> None:
    on_disk: list[list[int]] = []
    with unheard(tmp_path) as webhooks:
        for number in (1, 2):
            webhooks.happened(event(number), lambda: on_disk.append(rows(tmp_path)))
        until(lambda: len(on_disk) == 2, "both are acknowledged", 40)
        # The broker delivers again what was not acknowledged before the process ended.
        webhooks.happened(event(1), lambda: on_disk.append(rows(tmp_path)))
        until(lambda: len(on_disk) == 3, "the repetition is acknowledged", 40)
        assert len(webhooks.hooks[0].deliveries) == 2
    assert on_disk[0][0] == 1 and on_disk[1:] == [[1, 2], [1, 2]]


def test_an_event_that_nobody_wants_is_not_kept(tmp_path: Path, receiver: Receiver) -> None:
    acknowledged: list[int] = []
    with hooked(tmp_path, url=receiver.url, events=("alert-raised",)) as (hub, _):
        hub.take(
            topics.HAND_EVENT.of("hall", "main"),
            encode(HandEvent("hand-started", AT, 1, 1)),
            lambda: acknowledged.append(1),
        )
        assert acknowledged == [1] and rows(tmp_path) == []


def test_the_file_is_private_and_holds_no_secret(tmp_path: Path) -> None:
    with unheard(tmp_path) as webhooks:
        webhooks.happened(event(1), lambda: None)
        until(lambda: rows(tmp_path), "it is on disk", 40)
        files = sorted(WEBHOOK_EVENTS.path(tmp_path).parent.iterdir())
        assert files[0].name == "events.sqlite"
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert stat.S_IMODE(files[0].parent.stat().st_mode) == 0o700
        kept = b"".join(file.read_bytes() for file in files)
    assert b"main-1" in kept and b"secret" not in kept and b"in-the-address" not in kept


def test_what_waited_too_long_is_given_up_also_while_nobody_ran(
    tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    now = SystemClock().now()
    ages = {
        1: (OLDEST_S + 60, now.boot_id),
        2: (60, now.boot_id),
        3: (OLDEST_S + 60, "before"),
        4: (9, "before"),
    }
    with closing(DeliveryFile(WEBHOOK_EVENTS.path(tmp_path), SiteEvent)) as file:
        for number, (age_s, boot) in ages.items():
            # Another boot's monotonic time says nothing, and within a boot the wall clock may have jumped.
            at = (
                Instant(now.wall_ns + 10**18, now.monotonic_ns - round(age_s * 1e9), boot)
                if boot == now.boot_id
                else Instant(now.wall_ns - round(age_s * 1e9), now.monotonic_ns, boot)
            )
            file.write([("lights", at, event(number)), ("gone", at, event(number))])
    with hooked(tmp_path, url=receiver.url) as (hub, hook):
        until(lambda: len(receiver.got) == 2, "two events", 40)
        until(lambda: not rows(tmp_path), "nothing is left on disk", 40)
        metrics = exposition(hub, ()).decode()
    assert [(found["hand"], found.get("lost_before", 0)) for found in receiver.events()] == [(2, 1), (4, 1)]
    assert 'tablebridge_webhook_lost_total{webhook="lights"} 2.0' in metrics
    said = [record.getMessage() for record in caplog.records]
    assert any("lights" in line and "1 were given up" in line for line in said), said
    assert any("4 deliveries are deleted" in line for line in said), said
    assert hook.deliveries.lost == 2


def test_the_next_process_still_says_what_was_lost(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answers = [404]
    with hooked(tmp_path, url=receiver.url) as (hub, hook):
        hub.webhooks.happened(event(1), lambda: None)
        until(lambda: hook.deliveries.lost and not rows(tmp_path), "the receiver refused it", 40)
    with hooked(tmp_path, url=receiver.url) as (hub, hook):
        hub.webhooks.happened(event(2), lambda: None)
        until(lambda: hook.deliveries.sent, "the second is delivered", 40)
    assert [(found["hand"], found.get("lost_before", 0)) for found in receiver.events()] == [(1, 0), (2, 1)]


@pytest.mark.parametrize("harm", [b"no database", b"", b"another layout"])
def test_a_file_that_cannot_be_read_is_set_aside(tmp_path: Path, receiver: Receiver, harm: bytes) -> None:
    path = WEBHOOK_EVENTS.path(tmp_path)
    with unheard(tmp_path) as webhooks:
        webhooks.happened(event(1), lambda: None)
        until(lambda: rows(tmp_path), "it is on disk", 40)
    if harm == b"no database":
        path.write_bytes(harm * 1000)
    elif harm:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("ALTER TABLE delivery RENAME TO other")
    else:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE delivery SET body = x'00'")
    with hooked(tmp_path, url=receiver.url) as (hub, _):
        hub.webhooks.happened(event(2), lambda: None)
        until(lambda: receiver.got, "the next is delivered", 40)
        assert path.with_name("events.sqlite.damaged").exists()
    assert [found["hand"] for found in receiver.events()] == [2]


def test_a_disk_that_refuses_is_logged_once_and_stops_no_event(
    tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    WEBHOOK_EVENTS.path(tmp_path).parent.write_bytes(b"in the place of the folder")
    acknowledged: list[int] = []
    with hooked(tmp_path, url=receiver.url) as (hub, _):
        for number in (1, 2):
            hub.webhooks.happened(event(number), lambda: acknowledged.append(1))
        until(lambda: len(receiver.got) == 2, "both are delivered", 40)
    said = [record.getMessage() for record in caplog.records if "cannot be kept" in record.getMessage()]
    assert len(said) == 1 and "a restart loses those that wait" in said[0] and acknowledged == [1, 1]


def test_a_web_process_that_is_killed_loses_no_event(tmp_path: Path) -> None:
    with Receiver() as receiver, hall_in(tmp_path) as hall:
        hall.pages.end()
        with hall.pages.site_file.open("a") as file:
            file.write(f'[[webhook]]\nname = "lights"\nurl = "{receiver.url}"\nallow_loopback = true\n')
        hall.pages.start()
        for hand in range(1, 9):
            hall.engine.publish(topics.HAND_EVENT, HandEvent("hand-started", AT, hand, hand))
        until(
            lambda: (
                'tablebridge_webhook_waiting{webhook="lights"} 8.0' in hall.get("/metrics", "metrics").text
            ),
            "eight wait",
        )
        hall.pages.end(signal.SIGKILL)
        # These wait at the broker, since nobody acknowledges them.
        for hand in range(9, 12):
            hall.engine.publish(topics.HAND_EVENT, HandEvent("hand-started", AT, hand, hand))
        threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        hall.pages.start()

        def hands() -> list[int]:
            return [found["hand"] for found in receiver.events() if found["event"] == "hand-started"]

        until(lambda: set(hands()) == set(range(1, 12)), "all of them are sent")
        receiver.shutdown()
    # What was under way when the process was killed may come twice, and at its place.
    assert list(dict.fromkeys(hands())) == list(range(1, 12))


# The queue, without a network.


def test_too_many_and_too_old_are_lost_and_the_next_says_how_many() -> None:
    queue: Deliveries[SiteEvent] = Deliveries(lambda: 1.0)
    for number in range(MOST + 3):
        queue.put(waiting(number, 0.0))
    assert (len(queue), queue.lost) == (MOST, 3)
    first = queue.next(1.0)
    assert first is not None and (first.hand, queue.lost_before) == (3, 3)
    assert queue.answered(first, 200, 1.0, reported=3) and queue.lost_before == 0
    queue.put(waiting(9_000, OLDEST_S - 1))
    late = queue.next(OLDEST_S)
    assert late is not None and (late.hand, queue.lost_before) == (9_000, MOST - 1)
    assert queue.lost == MOST + 2 and queue.sent == 1


def test_what_was_lost_while_it_was_under_way_takes_no_other_with_it() -> None:
    queue: Deliveries[SiteEvent] = Deliveries(lambda: 1.0)
    queue.put(waiting(0, 0.0))
    sending = queue.next(0.0)
    assert sending is not None
    for number in range(1, MOST + 1):
        queue.put(waiting(number, 0.0))
    queue.answered(sending, 200, 0.0)
    following = queue.next(0.0)
    assert following is not None and following.hand == 1 and len(queue) == MOST


def test_attempts_wait_longer_each_time() -> None:
    queue: Deliveries[SiteEvent] = Deliveries(lambda: 1.0)
    assert queue.wait_s(0.0) is None
    queue.put(waiting(1, 0.0))
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
            request("POST", f"http://{host}:{port}/", b"{}", {}, loopback=False)
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
