"""What the boxes of a room that is shown have beside their journals: a broker each, at which somebody speaks
as the engine would, and now and then something for the floor to do.
"""

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from tablebridge.app.far_acts import command_of
from tablebridge.app.folded import FoldedTable
from tablebridge.app.pictures import Messages, open_alerts, pictures
from tablebridge.app.publisher import Publisher
from tablebridge.bus import topics
from tablebridge.bus.access import UPLINK
from tablebridge.bus.account import client_id
from tablebridge.bus.availability import Life
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import BEAT_S, EngineBeat, FarAct, Reply, Unreadable, decode, encode
from tablebridge.journal.records import AlertRecord
from tablebridge.model import events as ev
from tablebridge.model.alerts import AlertChange, AlertState
from tablebridge.model.errors import Refused
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.request_events import Dispute
from tablebridge.settings.site import Broker
from tablebridge.sim.room.dealt import DealtTable

_STEP_S: Final = 0.1
_TROUBLE: Final = 12
"""One hand in this number has something for the floor."""
_LIFE: Final[tuple[AlertState, ...]] = ("acknowledged", "taken", "ruled", "closed")
_FLOOR: Final = "Demo"
_MOST_ASKED: Final = 64


class ShownTable:
    """A table that is dealt at, folded as the engine folds it."""

    def __init__(self, table: DealtTable, seed: int) -> None:
        self.table = table
        self._rng = Random(seed)
        self._folded = FoldedTable(table.engine, Instant(time.time_ns(), time.monotonic_ns()))
        table.applied = self._applied

    def messages(self) -> Messages:
        """What is to be published of it now, retained."""
        rev = self.table.journal.next_number - 1
        shown = [*pictures(self._folded, {}, rev), *open_alerts(self._folded, rev)]
        return [(topic, message) for topic, message in shown if topic in (topics.STATE, topics.ALERTS)]

    def between_hands(self) -> None:
        """Something for the floor to do begins, or goes on."""
        for alert in self._folded.alerts.active():
            if self._rng.random() < 0.5:
                self._change(alert.id, alert.state)
        if self._rng.randrange(_TROUBLE) == 0:
            self.table.enter(self._rng.choice((Dispute(3, "payment"), ev.DeviceState("antennas", "stale"))))
        else:
            self.table.enter(ev.DeviceState("antennas", "live"))

    def act(self, act: FarAct) -> Reply:
        """What a person of the room does to an alert, by the rules of the engine."""
        command = command_of(act)
        assert command.alert is not None
        try:
            self._folded.alerts.check(command.alert, back=command.back)
        except Refused as error:
            return Reply(act.id, False, str(error))
        self._record(command.alert)
        return Reply(act.id, True)

    def _change(self, alert: str, state: AlertState) -> None:
        to = _LIFE[0] if state == "raised" else _LIFE[_LIFE.index(state) + 1]
        self._record(AlertChange(alert, to, _FLOOR))

    def _record(self, change: AlertChange) -> None:
        now = Instant(time.time_ns(), time.monotonic_ns())
        with self.table.journal.transaction():
            self.table.journal.record("alert", AlertRecord(change, now))
        self._folded.alerts.apply(change, now)

    def _applied(self, entry: ev.Entry, findings: Sequence[Finding]) -> None:
        self._folded.add(entry)
        for finding in findings:
            self._folded.raise_(finding)
        self._folded.settle(entry)


class ShownBox:
    """The broker of a box with these tables, its files in `folder`, and who speaks there, in a thread."""

    def __init__(self, folder: Path, box: str, tables: Sequence[str]) -> None:
        self._box = box
        self._tables = tables
        self._broker = EmbeddedBroker(folder, site=box)
        self._shown: deque[tuple[str, Messages]] = deque()
        self._asked: deque[tuple[str, FarAct]] = deque(maxlen=_MOST_ASKED)
        self._replies: deque[tuple[str, Reply]] = deque(maxlen=_MOST_ASKED)
        self._last: dict[str, Messages] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=box, daemon=True)

    @property
    def settings(self) -> str:
        """What the site file says of the broker."""
        return f"[broker]\nembedded = true\nport = {self._broker.port}\n"

    def start(self) -> None:
        """Start the broker and who speaks there. Raises BrokerError."""
        self._broker.start()
        self._thread.start()

    def show(self, table: ShownTable) -> None:
        """Publish what the table shows now."""
        self._shown.append((table.table.name, table.messages()))

    def answer(self, tables: Mapping[str, ShownTable]) -> None:
        """Have done what the room has asked of these tables meanwhile."""
        while self._asked:
            table, act = self._asked.popleft()
            self._replies.append((table, tables[table].act(act)))
            self.show(tables[table])

    def stop(self) -> None:
        """End both."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(5)
        self._broker.stop()

    def _run(self) -> None:
        user, password = self._broker.accounts["engine"]
        life = Life(f"demo-{time.time_ns()}", "the demo ended", time.time_ns)
        settings = Broker(host="127.0.0.1", port=self._broker.port)
        client = BusClient(
            settings,
            client_id("engine", password),
            user,
            password,
            lambda: (topics.ENGINE_AVAILABILITY.of(self._box, self._tables[0]), encode(life.will())),
        )
        publisher = Publisher(client, self._box, lambda _table: None)
        client.on_up = lambda _present: self._begin(publisher, life)
        client.on_message = self._heard
        client.subscribe(*(topics.FAR_ACT.filter(self._box, table, UPLINK) for table in self._tables))
        beaten_s = 0.0
        while not self._stopping.is_set():
            client.step(_STEP_S)
            while self._shown:
                table, messages = self._shown.popleft()
                self._last[table] = messages
                self._publish(publisher, table, messages)
            while self._replies:
                table, reply = self._replies.popleft()
                client.publish(topics.FAR_REPLY.of(self._box, table, UPLINK), encode(reply))
            if time.monotonic() - beaten_s >= BEAT_S and client.connected:
                beaten_s = time.monotonic()
                for table in self._tables:
                    publisher.now(topics.ENGINE_BEAT, table, EngineBeat(life.epoch))
            publisher.send()
        client.close()

    def _heard(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        ack()
        known = topics.parse(topic)
        try:
            act = decode(payload, FarAct)
        except Unreadable:
            return
        if known is not None and known.table in self._tables:
            self._asked.append((known.table, act))

    def _begin(self, publisher: Publisher, life: Life) -> None:
        for table in self._tables:
            publisher.picture(topics.ENGINE_AVAILABILITY, table, life.says("online"))
            self._publish(publisher, table, self._last.get(table, []))

    def _publish(
        self, publisher: Publisher, table: str, messages: Sequence[tuple[topics.Topic, Any]]
    ) -> None:
        for topic, message in messages:
            publisher.picture(topic, table, message)
