"""What a demo needs beside the table: short links to its pages, and phones that show what they are sent.

One server on loopback plays both. `GET /CODE/NAME` leads to a page with the token of its role; the code is
random, so that nobody else on this machine is let in by guessing. `POST /` is an ntfy server for the people
of the demo: what is published is kept until it is asked for, and goes nowhere.
"""

import http.server
import json
import secrets
import threading
from collections import deque
from types import TracebackType
from typing import Final, Self

PEOPLE: Final = (("Anna", "floor", "en"), ("Boris", "floor", "ru"), ("Carmen", "manager", "es"))
"""Who is notified in the demo: name, duty and language."""
_MOST: Final = 100
"""Notices that wait to be shown, and bytes of one in hundreds."""


class Lobby:
    """The server. A context manager; `links`: where each short link leads, by its name."""

    def __init__(self) -> None:
        self.links: dict[str, str] = {}
        self._notices: deque[str] = deque(maxlen=_MOST)
        self._code = secrets.token_hex(3)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="lobby", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The address of the ntfy server."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def short(self, name: str) -> str:
        """The short link of this name."""
        return f"{self.url}/{self._code}/{name}"

    def people(self) -> str:
        """The file of people of the demo."""
        lines = [f'[ntfy]\nurl = "{self.url}"\n']
        lines += [
            f'[[person]]\nname = "{name}"\nduty = "{duty}"\nlanguage = "{language}"\nways = ["ntfy:{name}"]\n'
            for name, duty, language in PEOPLE
        ]
        return "\n".join(lines)

    def news(self) -> list[str]:
        """What phones were sent since the last call, a line each."""
        return [self._notices.popleft() for _ in range(len(self._notices))]

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        lobby = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                code, _, name = self.path.strip("/").partition("/")
                known = secrets.compare_digest(code.encode(), lobby._code.encode())
                to = lobby.links.get(name) if known else None
                self.send_response(404 if to is None else 302)
                if to is not None:
                    self.send_header("location", to)
                self.send_header("content-length", "0")
                self.end_headers()

            def do_POST(self) -> None:
                size = min(int(self.headers.get("content-length") or 0), _MOST * 100)
                lobby._take(self.rfile.read(size))
                self._done()

            def do_DELETE(self) -> None:
                self._done()

            def _done(self) -> None:
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing is printed."""

        return Handler

    def _take(self, body: bytes) -> None:
        try:
            notice = json.loads(body)
            self._notices.append(f"{notice['topic']}'s phone: {notice['title']}. {notice['message']}")
        except (ValueError, TypeError, KeyError):
            return  # somebody else on this machine


__all__ = ["PEOPLE", "Lobby"]
