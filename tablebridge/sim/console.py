"""The dealer's console as a program: the same requests that the operator's page makes, with an operator's
token.
"""

import contextlib
import http.client
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from tablebridge.bus.messages import Reply
from tablebridge.model.alerts import Alert
from tablebridge.model.errors import LinkError
from tablebridge.model.views import TableView
from tablebridge.sim.pace import Pace

_LOOK_S: Final = 0.005
_TIMEOUT_S: Final = 10.0
_AWAY: Final = 504
_ENGINE_AWAY_S: Final = 60.0
PAGES_AWAY_S: Final = 30.0
_FOLLOWS_WITHIN_S: Final = 2.0
"""After this time of the table a card that is not seen is one that cannot be read."""


class _Alerts(msgspec.Struct):
    alerts: list[Alert]


class _Device(msgspec.Struct):
    device: str
    state: str


class _Devices(msgspec.Struct):
    devices: list[_Device]


class _Sentence(msgspec.Struct):
    sentence: str = ""


class Console:
    """One keep-alive connection to the web process. Not for two threads at once. Raises LinkError if it is
    away, and pace.Stopped. `pace`: how time passes at the table.
    """

    def __init__(self, url: str, token: str, table: str, pace: Pace) -> None:
        self._address = urlsplit(url).netloc
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._path = f"/api/tables/{table}"
        self._pace = pace
        self._connection: http.client.HTTPConnection | None = None
        self.refused: list[str] = []
        """What the table refused so far, in its words."""

    def write(self, *lines: str) -> bool:
        """Enters lines of table script; False if they were refused (the sentence is kept in `refused`).

        While the engine is away the same command is sent again and again; its id makes that it is done once.
        What came too late is not done for good, and is sent under a new id.
        """
        deadline = time.monotonic() + _ENGINE_AWAY_S
        status, answer = self._post(lines, deadline)
        reply = msgspec.json.decode(answer, type=Reply) if status in (200, 409) else None
        while reply is not None and reply.late and time.monotonic() < deadline:
            status, answer = self._post(lines, deadline)
            reply = msgspec.json.decode(answer, type=Reply) if status in (200, 409) else None
        if reply is not None:
            ok, sentence = reply.ok, reply.sentence
        else:
            ok, sentence = False, msgspec.json.decode(answer, type=_Sentence).sentence
        if not ok:
            self.refused.append(sentence)
        return ok

    def _post(self, lines: Sequence[str], deadline: float) -> tuple[int, bytes]:
        """One command, until it is answered or the time is over."""
        body = msgspec.json.encode({"id": secrets.token_hex(8), "lines": lines})
        status, answer = self._ask("POST", f"{self._path}/lines", body)
        while status == _AWAY and time.monotonic() < deadline:
            self._pace.pause(0)
            time.sleep(0.1)
            status, answer = self._ask("POST", f"{self._path}/lines", body)
        return status, answer

    def view(self) -> TableView:
        """The table as staff see it now. Raises LinkError if nothing is known of it."""
        status, answer = self._ask("GET", f"{self._path}/state")
        if status != 200:
            raise LinkError(msgspec.json.decode(answer, type=_Sentence).sentence)
        return msgspec.json.decode(answer, type=TableView)

    def alerts(self) -> list[Alert]:
        """All alerts that are not closed."""
        _, answer = self._ask("GET", "/api/alerts")
        return msgspec.json.decode(answer, type=_Alerts).alerts

    def devices(self) -> dict[str, str]:
        """Each device and whether it is live, stale or lost."""
        _, answer = self._ask("GET", "/api/devices")
        return {device.device: device.state for device in msgspec.json.decode(answer, type=_Devices).devices}

    def sync(self) -> None:
        """Return when the engine has taken all that came to it before, and the pages show it.

        The engine answers a line that is none, and what it had taken before it shows before the next answer.
        """
        for _ in range(2):
            self._post(("",), time.monotonic() + _ENGINE_AWAY_S)

    def follow(self, holds: Callable[[TableView], bool]) -> None:
        """Waits until the table has seen something, or could have."""
        self.until(holds, _FOLLOWS_WITHIN_S)

    def until(self, holds: Callable[[TableView], bool], within_s: float) -> TableView | None:
        """Looks until something holds; None if it did not within this time of the table, though the engine
        has taken all, or if the pages did not answer.
        """
        passed_s = self._pace.stopwatch()
        while True:
            over = passed_s() > within_s
            with contextlib.suppress(LinkError):
                if over:
                    self.sync()
                view = self.view()
                if holds(view):
                    return view
            if over:
                return None
            self._pace.pause(0)
            time.sleep(_LOOK_S)

    def close(self) -> None:
        """Lets the connection go."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        deadline = time.monotonic() + PAGES_AWAY_S
        while True:
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self._address, timeout=_TIMEOUT_S)
            try:
                self._connection.request(method, path, body, self._headers)
                response = self._connection.getresponse()
                return response.status, response.read()
            except (OSError, http.client.HTTPException) as error:
                self.close()
                # The pages may be starting again. A command sent twice is done once, by its id.
                if time.monotonic() > deadline:
                    raise LinkError(
                        f"the pages at {self._address} have not answered for {PAGES_AWAY_S:.0f} s ({error})"
                    ) from None
                time.sleep(_LOOK_S)
