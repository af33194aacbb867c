"""Who waits for alerts: a subscriber with the account of the pages, who notes when each arrives and closes
them.
"""

import secrets
import time
from collections.abc import Sequence
from typing import Literal

from benchmarks.plain import SITE
from benchmarks.plain import TABLE as PLAIN
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import AlertMessage, Command, Reply, decode, encode
from tablebridge.bus.topics import ALERT, COMMAND, REPLY
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import LinkError
from tablebridge.settings.site import Broker

CLIENT = "web"
WITHIN_S = 30.0
RULINGS = ("", "ruling play-on", "ruling misdeal")


class Floor:
    """The subscriber: alerts of these tables of the site and of the plain chain, and a person who closes
    them. Lines are written at the first table. `arrived`: when (monotonic ns), at which table and which
    finding.
    """

    def __init__(self, port: int, user: tuple[str, str], tables: Sequence[str]) -> None:
        self.arrived: list[tuple[int, str, str]] = []
        self._tables = tuple(tables)
        self._open: list[tuple[str, str]] = []
        self._replies: dict[str, Reply] = {}
        self._client = BusClient(Broker(port=port), "bench-floor", *user)
        self._client.on_message = self._message
        self._client.subscribe(
            *(ALERT.filter(SITE, table) for table in (PLAIN, *tables)),
            *(REPLY.of(SITE, table, CLIENT) for table in tables),
        )
        while not self._client.subscribed:
            self._client.step(0.1)

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        now = time.monotonic_ns()
        ack()
        table = topic.split("/")[3]
        if topic.endswith("/done"):
            reply = decode(payload, Reply)
            self._replies[reply.id] = reply
        elif table == PLAIN:
            self.arrived.append((now, PLAIN, ""))
        elif (alert := decode(payload, AlertMessage).alert).state == "raised" and not alert.cleared:
            self.arrived.append((now, table, alert.finding))
            self._open.append((table, alert.id))

    def step(self, seconds: float) -> None:
        """Serve the connection for so long."""
        until = time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0:
            self._client.step(rest)

    def alert(self, table: str, expected: str = "") -> int:
        """When the alert of that finding arrives from the table (monotonic ns). Raises LinkError if it does
        not.
        """
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until:
            for at, *what in self.arrived:
                if what == [table, expected]:
                    self.arrived.clear()
                    return at
            self._client.step(0.5)
        raise LinkError(f"No {expected} came from {table} within {WITHIN_S:.0f} s.")

    def write(self, *lines: str) -> None:
        """Lines of the operator's console. Raises LinkError if they are not answered well."""
        self._done(
            self._answer(
                self._tables[0], Command(secrets.token_hex(8), "Bench", "operator", _deadline(), lines=lines)
            )
        )

    def close_alerts(self) -> None:
        """Close all alerts, after a ruling if they do not go without: in words or, if the table waits for the
        floor, by a choice. A call of the floor that is ended from afar needs its reason.
        """
        for table, alert in self._open:
            if not self._change(table, alert, "closed").ok:
                if not any(self._change(table, alert, "ruled", line).ok for line in RULINGS):
                    raise LinkError("The engine accepts no ruling on an alert.")
                self._done(self._change(table, alert, "closed"))
        self._open.clear()
        self.arrived.clear()

    def _change(self, table: str, alert: str, to: Literal["ruled", "closed"], line: str = "") -> Reply:
        change = AlertChange(alert, to, "Bench", note="Closed by the measurement.", line=line)
        return self._answer(table, Command(secrets.token_hex(8), "Bench", "floor", _deadline(), alert=change))

    def away(self) -> None:
        """Leave the broker."""
        self._client.close()

    def _answer(self, table: str, command: Command) -> Reply:
        self._client.publish(COMMAND.of(SITE, table, CLIENT), encode(command))
        until = time.monotonic() + WITHIN_S
        while command.id not in self._replies:
            if time.monotonic() > until:
                raise LinkError("The engine does not answer a command.")
            self._client.step(0.5)
        return self._replies.pop(command.id)

    def _done(self, reply: Reply) -> None:
        if not reply.ok:
            raise LinkError(f"The engine refused a command: {reply.sentence}")


def _deadline() -> int:
    return time.time_ns() + 30_000_000_000
