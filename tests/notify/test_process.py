"""The process that notifies, with a real broker and real pages: by ntfy, by Apprise, when a way fails, and
after a kill.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablebridge.bus import topics
from tablebridge.bus.messages import decode
from tablebridge.model.calls import NotifierState
from tablebridge.settings.state import CALLED
from tests.notify.ntfy_server import NtfyServer, ntfy_server
from tests.web.hall import Hall, hall_in, misdeal, until

TOPIC = "nora-QxW3"
PEOPLE = """\
pages = "{pages}"
[ntfy]
url = "{ntfy}"
token = "tk_1"
[[person]]
name = "Nora"
ways = [{ways}]
"""


class Notifier:
    """`tablebridge notify` beside a hall, whose pages are on a port of their own."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        text = hall.pages.site_file.read_text()
        hall.pages.site_file.write_text(f'people = "people.toml"\n{text}')
        self.process: subprocess.Popen[bytes] | None = None
        self.state: NotifierState | None = None

    def people(self, ntfy: str, *ways: str) -> None:
        named = ", ".join(f'"{way}"' for way in ways)
        (self.hall.folder / "people.toml").write_text(
            PEOPLE.format(pages=self.hall.url, ntfy=ntfy, ways=named)
        )

    def start(self) -> None:
        command = [sys.executable, "-m", "tablebridge", "notify", "--site", str(self.hall.pages.site_file)]
        with (self.hall.folder / "notify.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ)

    def end(self, number: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def notifier_in(folder: Path) -> Iterator[Notifier]:
    with hall_in(folder) as hall:
        hall.pages.keep_port()
        notifier = Notifier(hall)
        try:
            yield notifier
        finally:
            if notifier.process is not None and notifier.process.poll() is None:
                notifier.end(signal.SIGKILL)


@pytest.fixture
def ntfy() -> Iterator[NtfyServer]:
    with ntfy_server("tk_1") as server:
        yield server
    assert server.faults == []


def test_an_alert_arrives_its_button_takes_it_once_and_it_is_withdrawn(
    tmp_path: Path, ntfy: NtfyServer
) -> None:
    with notifier_in(tmp_path) as notifier:
        hall = notifier.hall
        notifier.people(ntfy.url, f"ntfy:{TOPIC}")
        notifier.start()
        alert = hall.engine.raise_alert(misdeal(cards=("As",), public_cards=("Td",)))
        until(lambda: ntfy.on(TOPIC), "the notification")
        (shown,) = ntfy.on(TOPIC)
        assert (shown["title"], shown["priority"]) == ("Table main: hand, floor needed", 4)
        go, view = shown["actions"]
        assert (go["action"], go["label"], go["method"], go["clear"]) == ("http", "I go", "POST", True)
        assert view == {"action": "view", "label": "Open", "url": f"{hall.url}/floor"}
        assert shown["click"] == f"{hall.url}/floor"

        def press() -> httpx.Response:
            return hall.http.request(go["method"], go["url"], headers=go["headers"], content=go["body"])

        assert press().status_code == 403, "without a floor token of that name nothing is taken"
        nora, _ = hall.tokens.add("floor", "Nora")
        assert press().json()["ok"]
        until(lambda: hall.alerts()[0]["state"] == "taken", "the alert is taken")
        assert hall.alerts()[0]["life"][-1]["by"] == "Nora"
        taken = [command for command in hall.engine.commands if command.alert]
        assert [(command.alert.alert, command.by) for command in taken] == [(alert, "Nora")]  # type: ignore[union-attr]
        until(
            lambda: [m["priority"] for m in ntfy.on(TOPIC)] == [2], "it is updated in place, without a sound"
        )
        assert ntfy.on(TOPIC)[0]["message"].endswith("Nora goes.")
        until(lambda: press().status_code == 401, "the pass ends with the taking")
        for to in ("ruled", "closed"):
            body = {"id": hall.new_id()}
            assert (
                hall.post(f"/api/tables/main/alerts/{alert}/{to}", "floor", body, "Nora").status_code == 200
            )
        until(lambda: not ntfy.on(TOPIC), "it is withdrawn")
        hall.tokens.revoke(nora.id)
        assert notifier.end() == 0


def test_a_process_that_is_killed_sends_what_waits_and_nothing_a_second_time(
    tmp_path: Path, ntfy: NtfyServer
) -> None:
    with notifier_in(tmp_path) as notifier:
        notifier.people(ntfy.url, f"ntfy:{TOPIC}")
        notifier.start()
        notifier.hall.engine.raise_alert(misdeal("900.0"))
        until(lambda: len(ntfy.rang) == 1, "the first")
        ntfy.status = 500
        notifier.hall.engine.raise_alert(misdeal("901.0", hand=8))
        known = CALLED.path(tmp_path)
        until(lambda: known.exists() and "901.0" in known.read_text(), "the second is on disk")
        notifier.end(signal.SIGKILL)
        ntfy.status = 0
        notifier.start()
        until(lambda: len(ntfy.on(TOPIC)) == 2, "the second")
        assert [message["sequence_id"] for message in ntfy.rang] == [
            *dict.fromkeys(message["sequence_id"] for message in ntfy.rang)
        ], "none came twice"


class Json(ThreadingHTTPServer):
    """What Apprise's json:// posts to."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Json

    def do_POST(self) -> None:
        self.server.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


def test_a_way_that_fails_gives_way_to_the_next_and_the_engine_and_the_page_hear_of_it(
    tmp_path: Path, ntfy: NtfyServer
) -> None:
    ntfy.status = 503
    with Json() as server, notifier_in(tmp_path) as notifier:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        hall = notifier.hall
        notifier.people(ntfy.url, f"ntfy:{TOPIC}", f"json://127.0.0.1:{server.server_port}/")
        states: list[NotifierState] = []
        inner = hall.engine.client.on_message

        def hear(topic: str, payload: bytes, retained: bool, ack: Any) -> None:
            known = topics.parse(topic)
            if known is not None and known.topic is topics.NOTIFIER:
                states.append(decode(payload, NotifierState))
                ack()
            else:
                inner(topic, payload, retained, ack)

        hall.engine.client.on_message = hear
        hall.engine.client.subscribe(topics.NOTIFIER.filter("hall"))
        notifier.start()
        hall.engine.raise_alert(misdeal("950.0", severity="critical"))
        until(lambda: server.got, "the message by the second way")
        (got,) = server.got
        assert got["title"] == "Table main: hand, floor needed" and got["type"] == "failure"
        assert f"{hall.url}/floor" in got["message"]
        until(lambda: states and states[-1].failing == ("ntfy of Nora",), "the failing way is reported")

        def test_of_nora() -> dict[str, Any]:
            answer = hall.post("/api/shift/test", "floor", {"id": hall.new_id()}, "Nora").json()
            assert isinstance(answer, dict)
            return answer

        until(
            lambda: test_of_nora()["sentence"].endswith("It failed last: ntfy of Nora."), "the page says so"
        )
        ntfy.status = 0
        until(lambda: test_of_nora()["sentence"].endswith("the phone of Nora."), "it works again")
        assert ntfy.on(TOPIC)[-1]["title"] == "Test: alerts reach you"
        assert (
            "no phone"
            in hall.post("/api/shift/test", "floor", {"id": hall.new_id()}, "Zoe").json()["sentence"]
        )
        notifier.end()
        until(lambda: "do not run" in test_of_nora()["sentence"], "the page says that nobody is notified")
        with suppress(Exception):
            server.shutdown()


def test_an_engine_that_is_not_heard_is_a_call_of_its_own(tmp_path: Path, ntfy: NtfyServer) -> None:
    with notifier_in(tmp_path) as notifier:
        notifier.people(ntfy.url, f"ntfy:{TOPIC}")
        notifier.start()
        notifier.hall.engine.hangs = True
        until(lambda: ntfy.on(TOPIC), "somebody is notified")
        (shown,) = ntfy.on(TOPIC)
        assert (shown["title"], shown["priority"]) == ("All tables: nothing is followed, floor needed", 5)
        notifier.hall.engine.hangs = False
        until(lambda: not ntfy.on(TOPIC), "it is withdrawn when an engine is heard")


def test_what_is_wrong_with_the_file_of_people_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "people.toml").write_text(
        'pages = "floor.example"\n[[person]]\nname = "Anna"\ntables = ["none"]\nways = ["ntfy:a b"]\n'
        '[[person]]\nname = "Anna"\nways = ["nosuch://x"]\nduties = 1\n'
    )
    site = tmp_path / "site.toml"
    site.write_text('people = "people.toml"\n[[table]]\nname = "main"\n')
    command = [sys.executable, "-m", "tablebridge", "notify", "--site", str(site)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    for wanted in (
        "people.toml:1: pages: this is no address",
        "people.toml:2: person[1]: there is no table 'none'",
        "people.toml:5: person[1].ways[1]: this is no way to reach anybody",
        "people.toml:6: person[2]: two persons are called 'Anna'",
        "people.toml:9: person[2].duties: there is no such key",
    ):
        assert wanted in done.stderr, done.stderr
    site.write_text('[[table]]\nname = "main"\n')
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and 'write people = "people.toml" in it' in done.stderr
