"""What watches a process that serves no pages: metrics, and whether it is alive and ready, by HTTP on this
machine.

    /metrics        what it counts, for Prometheus
    /health         200 while its loop does passes, else 503: restart it only then
    /health/ready   200 if it can do its work, else 503 and the reason in a sentence

Everybody on the machine may ask. No answer holds a secret, a card or a person: reasons are sentences of ours,
never the text of an error.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, disable_created_metrics, make_wsgi_app

from tablebridge.model.errors import ConfigError

ALIVE_S: Final = 30.0
"""How long ago the last pass of a loop that is alive may be, in seconds: the watchdog's limit, too."""
_HOST: Final = "127.0.0.1"
_CLIENT_S: Final = 5.0
# Else each counter has a second name, for the time at which its process began to count.
disable_created_metrics()  # type: ignore[no-untyped-call]
_JSON: Final = (("Content-Type", "application/json"), ("Cache-Control", "no-store"))


class Condition:
    """Whether a process works, as its loop last said. `why_not`: why it cannot do its work, empty if it
    can.
    """

    def __init__(self, why_not: str, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.why_not = why_not
        self._monotonic = monotonic
        self._passed_s = monotonic()

    @property
    def alive(self) -> bool:
        """Whether the loop did a pass in the last `ALIVE_S`."""
        return self._monotonic() - self._passed_s < ALIVE_S

    def passed(self, why_not: str = "") -> None:
        """The loop did a pass, and the process can do its work or cannot."""
        self._passed_s = self._monotonic()
        self.why_not = why_not


class _Client(WSGIRequestHandler):
    """A connection: it has `_CLIENT_S` for its request, and is not logged."""

    timeout = _CLIENT_S

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what is asked every few seconds is no event."""


class Monitor:
    """Serves these metrics and this condition until the process ends. One client at a time, so that nobody
    can make it start threads.
    """

    def __init__(self, registry: CollectorRegistry, condition: Condition) -> None:
        self._metrics = make_wsgi_app(registry)
        self._condition = condition
        self._server: WSGIServer | None = None

    def serve(self, port: int) -> int:
        """Serve on this port of 127.0.0.1, a free one if it is 0; the port. Raises ConfigError."""
        try:
            self._server = make_server(_HOST, port, self._answer, handler_class=_Client)
        except OSError as error:
            raise ConfigError(
                f"port {port} of {_HOST} cannot be had for metrics ({error.strerror}): "
                "name another with --metrics"
            ) from None
        threading.Thread(target=self._server.serve_forever, name="monitor", daemon=True).start()
        return int(self._server.server_port)

    def close(self) -> None:
        """Serve no longer."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            start("405 Method Not Allowed", [("Allow", "GET, HEAD")])
            return []
        path = environ["PATH_INFO"]
        if path == "/metrics":
            shown: Iterable[bytes] = self._metrics(environ, start)
            return shown
        alive, why_not = self._condition.alive, self._condition.why_not
        if path == "/health":
            return _json(start, alive, {"ok": alive})
        if path == "/health/ready":
            sentence = why_not if alive else "The loop of the process stands still."
            return _json(start, not sentence, {"ready": not sentence, "sentence": sentence})
        start("404 Not Found", [])
        return []


def _json(start: Callable[..., Any], is_good: bool, body: dict[str, object]) -> Iterable[bytes]:
    start("200 OK" if is_good else "503 Service Unavailable", list(_JSON))
    return [json.dumps(body).encode()]
