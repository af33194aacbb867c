"""A server at which ntfy's clients would listen: it takes what docs.ntfy.sh/publish documents and refuses all
else, and keeps for each topic the notifications that a phone would show.

Fields of "Publish as JSON" (POST to the root): topic, message, title, tags, priority 1 to 5, actions, click,
sequence_id. Fields of an action, after "Action buttons": view (label, url, clear), http (label, url, method,
headers, body, clear); at most three. DELETE of TOPIC/SEQUENCE_ID, after "Deleting notifications". A topic and
a sequence id are 1 to 64 of `[-_A-Za-z0-9]`, a message has at most 4,096 bytes, a bearer token signs in.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_NAME = re.compile(r"[-_A-Za-z0-9]{1,64}")
_FIELDS = {
    "topic": str,
    "message": str,
    "title": str,
    "tags": list,
    "priority": int,
    "actions": list,
    "click": str,
    "sequence_id": str,
}
_OF_ACTION = {
    "view": {"label": str, "url": str, "clear": bool},
    "http": {"label": str, "url": str, "method": str, "headers": dict, "body": str, "clear": bool},
}


def fault(message: Any) -> str:
    """Why ntfy would not take this; empty if it would."""
    if not isinstance(message, dict) or "topic" not in message:
        return "no topic"
    for name, value in message.items():
        if name not in _FIELDS or not isinstance(value, _FIELDS[name]):
            return f"field {name}"
    names = [message["topic"], *([message["sequence_id"]] if "sequence_id" in message else [])]
    if not all(_NAME.fullmatch(name) for name in names):
        return "name"
    if not 1 <= message.get("priority", 3) <= 5 or len(message.get("message", "").encode()) > 4_096:
        return "priority or length"
    actions = message.get("actions", [])
    if len(actions) > 3:
        return "more than three actions"
    for action in actions:
        fields = _OF_ACTION.get(action.get("action"))
        if fields is None or not action.get("label") or not action.get("url"):
            return "action"
        for name, value in action.items():
            if name != "action" and (name not in fields or not isinstance(value, fields[name])):
                return f"action field {name}"
    return ""


class NtfyServer(ThreadingHTTPServer):
    """`shown`: by topic and sequence id what a phone shows now; `rang`: every message, in order. `status`:
    what it answers instead of accepting anything.
    """

    daemon_threads = True

    def __init__(self, token: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.token = token
        self.status = 0
        self.shown: dict[tuple[str, str], dict[str, Any]] = {}
        self.rang: list[dict[str, Any]] = []
        self.faults: list[str] = []

    def on(self, topic: str) -> list[dict[str, Any]]:
        """What the phones of a topic show."""
        return [message for (of, _), message in self.shown.items() if of == topic]


class _Handler(BaseHTTPRequestHandler):
    server: NtfyServer

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _is_refused(self) -> bool:
        wanted = f"Bearer {self.server.token}" if self.server.token else None
        status = self.server.status or (403 if self.headers.get("Authorization") != wanted else 0)
        if status:
            self._answer(status)
        return bool(status)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self._is_refused():
            return
        message = json.loads(body)
        wrong = fault(message) if self.path == "/" else "path"
        if wrong:
            self.server.faults.append(wrong)
            self._answer(400)
            return
        self.server.rang.append(message)
        self.server.shown[message["topic"], message["sequence_id"]] = message
        self._answer(200)

    def do_DELETE(self) -> None:
        if self._is_refused():
            return
        topic, _, sequence = self.path[1:].partition("/")
        if not (_NAME.fullmatch(topic) and _NAME.fullmatch(sequence)):
            self.server.faults.append(self.path)
            self._answer(404)
            return
        self.server.shown.pop((topic, sequence), None)
        self._answer(200)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def ntfy_server(token: str = "") -> Iterator[NtfyServer]:
    with NtfyServer(token) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)
