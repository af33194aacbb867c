"""What people in the room do to alerts: through the servers of the room, the uplink, the box's broker and the
engine, each a real process, and back.
"""

import asyncio
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import RawCredentials
from rig.guarded import Guarded
from rig.room import SITE
from rig.wait import wait_for

from tablebridge.archive.pushing import PUSHER, Pusher, rights_of_pusher
from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import ActiveAlerts, Command, FarAct, Reply, decode, encode
from tablebridge.hall.acts import FarWay
from tablebridge.journal.records import AlertRecord, CommandRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import Alert, AlertChange
from tablebridge.settings.load import load_site
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.sim.room.servers import end
from tablebridge.stream import asking, commands
from tablebridge.stream.asking import act
from tablebridge.stream.commands import Acted, command_subject
from tablebridge.stream.configuration import Running
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.joining import PAGES, rights_of_pages
from tablebridge.stream.message import Address
from tablebridge.stream.pictures import Place
from tablebridge.uplink import commands as uplink
from tablebridge.uplink.joined import let_room
from tablebridge.web.auth import Token

pytestmark = pytest.mark.timeout(300)
TABLE = Address(SITE, "final", "t1")


class Box:
    """A box that has joined a room, with its processes, and the account of its pages."""

    def __init__(self, room: Guarded, folder: Path) -> None:
        self.room = room
        self.folder = folder
        self.state = folder / "state"
        self.broker = EmbeddedBroker(self.state, site="box")
        self.broker.start()
        self.file = folder / "site.toml"
        self.file.write_text(
            f'name = "box"\nstate_dir = "{self.state}"\nlog_level = "warning"\n'
            f'[broker]\nport = {self.broker.port}\n[[table]]\nname = "t1"\nseats = "1-3"\n'
        )
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.alerts: tuple[Alert, ...] = ()
        self.replies: dict[str, Reply] = {}
        self._numbers = itertools.count(1)
        self.web = BusClient(load_site(self.file).broker, "web", *self.broker.accounts["web"])
        self.web.on_message = self._heard
        self.web.subscribe(topics.ALERTS.of("box", "t1"), topics.REPLY.of("box", "t1", "web"))

    def start(self, *process: str) -> None:
        with (self.folder / f"{process[0]}.log").open("ab") as log:
            self.processes[process[0]] = subprocess.Popen(
                [sys.executable, "-m", "tablebridge", *process, "--site", str(self.file)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def stop(self) -> None:
        for process in self.processes.values():
            end(process)
        self.web.close(0.1)
        self.broker.stop()

    def until(self, condition: Any, what: str) -> None:
        def met() -> bool:
            self.web.step(0.01)
            return bool(condition())

        wait_for(met, what)

    def press(self, person: str, role: str = "floor", **wanted: Any) -> Reply:
        """What a person does at the pages of the box; the engine's answer."""
        self.until(lambda: self.web.subscribed, "the pages' account is connected")
        id = f"page-{next(self._numbers)}"
        command = Command(id, person, role, time.time_ns() + 60 * 10**9, **wanted)
        self.web.publish(topics.COMMAND.of("box", "t1", "web"), encode(command))
        self.until(lambda: id in self.replies, "the engine answers")
        return self.replies[id]

    def call(self) -> Alert:
        """The dealer calls the floor; the alert."""
        known = {alert.id for alert in self.alerts}
        assert self.press("Dealer", "dealer", lines=("call-floor",)).ok
        self.until(lambda: {alert.id for alert in self.alerts} - known, "an alert")
        (raised,) = (alert for alert in self.alerts if alert.id not in known)
        return raised

    def settle(self) -> None:
        """No call is open."""
        self.press("Floor", lines=("floor-settled",))
        self.until(lambda: not self.alerts, "no alert")

    def recorded(self) -> list[Any]:
        """What the record of the table says of alerts and commands."""
        journal = Journal(JOURNAL_FILE.path(self.state, "t1"), "t1", readonly=True)
        try:
            bodies = [body_of(record) for record in journal.records()]
        finally:
            journal.close()
        return [body for body in bodies if isinstance(body, AlertRecord | CommandRecord)]

    def ask(self, alert: str, person: str = "Ann", to: Any = "taken", **more: Any) -> Acted:
        """What a person in the room does."""
        return self.asked(lambda client: act(client, TABLE, person=person, alert=alert, to=to, **more))

    def asked(self, work: Any) -> Any:
        async def through() -> Any:
            own = RawCredentials(self.room.authority.credentials(PAGES, rights_of_pages(SITE)))
            client = await connect(self.room.cluster.addresses, Credentials(PAGES, own))
            try:
                return await work(client)
            finally:
                await client.close()

        return asyncio.run(through())

    def ready(self) -> None:
        """The engine answers what the room asks."""
        said: list[str] = []

        def answers() -> bool:
            said.append(self.ask("none", within_s=2.0).sentence)
            return said[-1] == "There is no such alert; reload the page."

        wait_for(answers, "the engine answers the room")

    def _heard(self, topic: str, payload: bytes, _retained: bool, ack: Any) -> None:
        if topic.endswith("/alerts"):
            self.alerts = decode(payload, ActiveAlerts).alerts
        else:
            reply = decode(payload, Reply)
            self.replies[reply.id] = reply
        ack()


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    folder = Path(tempfile.mkdtemp(prefix="tb-acts-"))
    room = Guarded(folder)
    made: Box | None = None
    try:

        async def begun() -> None:
            await room.start()
            client = await room.join("final", folder / "state")
            await client.close()

        asyncio.run(begun())
        made = Box(room, folder)
        made.start("engine")
        made.start("uplink")
        made.ready()
        yield made
    finally:
        if made is not None:
            made.stop()
        room.cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def test_an_alert_is_taken_from_the_room_and_the_second_reads_what_the_box_would_say(box: Box) -> None:
    called = box.call()
    acted = box.ask(called.id, "Ann")
    assert acted == Acted(acted.id, True)
    box.until(lambda: box.alerts[0].state == "taken", "the box shows it")
    assert box.alerts[0].life[-1].by == "Ann (room)"
    assert "Ann (room)" in [one.by for one in box.recorded() if isinstance(one, CommandRecord)]
    second = box.ask(called.id, "Bob")
    at_the_box = box.press("Bob", alert=AlertChange(called.id, "taken", "Bob"))
    assert not second.ok and not at_the_box.ok
    assert second.sentence == at_the_box.sentence == "Ann (room) was first: the alert is taken already."
    assert box.ask(called.id, "Ann", "released").ok
    box.until(lambda: box.alerts[0].state == "acknowledged", "nobody goes after all")
    box.settle()


def test_the_pages_of_the_room_take_an_alert_in_the_name_of_who_has_signed_in(box: Box) -> None:
    called = box.call()

    def taken(name: str) -> Reply:
        person, place = Token("t", "", "floor", name), Place("final", "t1")
        reply: Reply = box.asked(
            lambda client: FarWay(SITE, lambda: client).act(
                place, called.id, person, "taken", asking.new_id()
            )
        )
        return reply

    assert taken("Ann").ok
    box.until(lambda: box.alerts[0].state == "taken", "the box shows it")
    second = taken("Bob")
    assert (second.ok, second.sentence) == (False, "Ann (room) was first: the alert is taken already.")
    box.settle()


def test_what_is_asked_twice_is_done_once_and_answered_the_same(box: Box) -> None:
    called, id = box.call(), asking.new_id()
    before = len(box.recorded())
    answers = [box.ask(called.id, id=id) for _ in range(3)]
    assert answers == [Acted(id, True)] * 3
    assert len(box.recorded()) == before + 2  # the change, and the command's answer
    box.settle()


def test_only_acts_on_alerts_are_taken(box: Box) -> None:
    called = box.call()
    before = box.recorded()
    line = Command("a-long-id", "Ann", "operator", time.time_ns() + 10**10, lines=("floor-settled",))
    ruled = {"id": "a-long-id", "person": "Ann", "deadline_wall_ns": time.time_ns() + 10**10}
    for payload in (
        encode(line),
        json.dumps(ruled | {"alert": called.id, "to": "ruled", "line": "floor-settled"}).encode(),
        json.dumps(ruled | {"alert": called.id, "to": "taken", "person": "A\nnn"}).encode(),
        b"\xff\x00",
        b"[" * 9_000,
        b'{"id":' + b"9" * 5_000,
    ):
        reply = box.asked(lambda client, p=payload: client.request(command_subject(TABLE), p, timeout=5))
        assert commands.read_acted(reply.data) == Acted("", False, uplink.UNREADABLE)
    assert box.recorded() == before
    assert box.ask(called.id, "x" * 49).sentence == asking.IS_NONE
    box.settle()


def test_what_comes_late_or_to_no_table_is_refused_in_words(box: Box) -> None:
    late = FarAct("a-long-id", "Ann", time.time_ns() - 1, "1.0", "taken")
    reply = box.asked(lambda client: client.request(command_subject(TABLE), encode(late), timeout=5))
    assert commands.read_acted(reply.data) == Acted(late.id, False, uplink.TOO_LATE)
    for address, sentence in (
        (Address(SITE, "final", "t2"), uplink.NO_TABLE),
        (Address(SITE, "other", "t1"), asking.NO_BOX),
    ):
        acted = box.asked(lambda client, to=address: act(client, to, person="Ann", alert="1.0", to="taken"))
        assert (acted.ok, acted.sentence, acted.unsure) == (False, sentence, False)


def test_the_owner_of_the_box_switches_it_off(box: Box) -> None:
    called = box.call()
    let_room(box.state, commands=False)
    try:
        assert box.ask(called.id).sentence == uplink.SWITCHED_OFF
        assert box.alerts[0].state == "raised"
    finally:
        let_room(box.state, commands=True)
    assert box.ask(called.id).ok
    box.settle()


def test_the_process_says_what_is_wrong_with_a_configuration_and_goes_on(box: Box) -> None:
    text = box.file.read_text()

    async def through() -> Running | None:
        own = RawCredentials(box.room.authority.credentials(PUSHER, rights_of_pusher()))
        client = await connect(box.room.cluster.addresses, Credentials(PUSHER, own))
        try:
            pusher = Pusher(box.room.authority, client.jetstream(timeout=10), "final")
            pushed = await pusher.push("faulty", text.replace("seats", "seat"), {})
            until = time.monotonic() + 60
            while time.monotonic() < until:
                said = await pusher.running()
                if said is not None and said.number == pushed.number:
                    return said
                await asyncio.sleep(0.2)
            return None
        finally:
            await client.close()

    said = asyncio.run(through())
    assert said is not None and said.state == "refused"
    assert said.faults[0].startswith("site.toml:8: ") and "seats" in said.faults[0]
    assert box.file.read_text() == text and box.processes["uplink"].poll() is None
    box.ready()


def test_an_engine_or_broker_that_is_away_is_an_answer_in_time(box: Box) -> None:
    box.processes["engine"].kill()
    box.processes["engine"].wait()
    began = time.monotonic()
    acted = box.ask("1.0", within_s=1.0)
    assert (acted.sentence, acted.unsure) == (uplink.NO_ENGINE, True)
    assert time.monotonic() - began < 20
    box.broker.kill()
    wait_for(lambda: box.ask("1.0", within_s=2.0).sentence == uplink.NO_BROKER, "the broker is missed")
    box.broker.start()
    box.start("engine")
    box.ready()
    end(box.processes["uplink"])
    assert box.ask("1.0").sentence == asking.NO_BOX
    box.start("uplink")
    box.ready()
