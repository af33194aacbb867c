"""Live pictures of tables: what the box's broker says, when it is written, and what is never in it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.access import UPLINK
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import ActiveAlerts, Availability, EngineBeat, encode
from tablebridge.model.alerts import Alert
from tablebridge.model.instant import START
from tablebridge.model.views import LineView, SeatView, TableView
from tablebridge.settings.site import Broker
from tablebridge.stream.pictures import (
    BEAT_S,
    LARGEST,
    Place,
    TablePicture,
    decode_picture,
    encode_picture,
    picture_subject,
    place_of,
)
from tablebridge.uplink.live import REST_S, LivePictures

PLACE = Place("box", "t1")


def an_alert(id: str = "a1", **more: Any) -> Alert:
    return msgspec.structs.replace(
        Alert(id, "t1", 7, "misdeal", "critical", "raised", "Misdeal.", START), **more
    )


class Box:
    """Live pictures with clocks of their own; `told` is what the room got."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.live = LivePictures("site", "box", ("t1",), lambda: self.now, lambda: int(self.now * 1e9))
        self.told: list[TablePicture] = []
        self.live.bus(True)

    def hear(self, topic: topics.Topic, message: Any, table: str = "t1") -> None:
        self.live.take(topic.of("site", table), encode(message), lambda: None)

    def start(self) -> None:
        self.hear(topics.ENGINE_AVAILABILITY, Availability("online", "e1", since_wall_ns=1))
        self.hear(topics.STATE, TableView("t1", rev=4, hand=7))
        self.hear(topics.ALERTS, ActiveAlerts((), 4))

    def step(self) -> int:
        before = len(self.told)

        async def write(subject: str, value: bytes) -> None:
            place = place_of(subject)
            assert place is not None
            self.told.append(decode_picture(value, place))

        asyncio.run(self.live.step(write))
        return len(self.told) - before


def test_a_picture_is_written_twice_a_second_at_most_and_at_once_when_an_alert_changes() -> None:
    box = Box()
    box.start()
    assert box.step() == 1
    for rev in range(5, 25):
        box.now += 0.1
        box.hear(topics.STATE, TableView("t1", rev=rev, hand=7))
        box.hear(topics.ENGINE_BEAT, EngineBeat("e1"))
        box.step()
    assert len(box.told) == 1 + 2 / REST_S
    box.now += 0.01
    box.hear(topics.ALERTS, ActiveAlerts((an_alert(),), 25))
    assert box.step() == 1
    assert box.told[-1].alerts == (an_alert(),)
    box.hear(topics.ALERTS, ActiveAlerts((an_alert(),), 26))
    assert box.step() == 0, "the same alerts are no news"


def test_a_table_at_rest_is_written_with_each_beat_and_says_whether_its_engine_runs() -> None:
    box = Box()
    box.start()
    box.step()
    assert box.told[-1].runs
    box.now += BEAT_S - 0.1
    box.hear(topics.ENGINE_BEAT, EngineBeat("e1"))
    assert box.step() == 0
    box.now += 0.2
    assert box.step() == 1
    heard = box.told[-1].heard_wall_ns
    box.now += 6.1
    box.step()
    assert not box.told[-1].runs and box.told[-1].heard_wall_ns == heard
    box.hear(topics.ENGINE_BEAT, EngineBeat("e1"))
    box.now += 1
    box.step()
    assert box.told[-1].runs
    box.hear(topics.ENGINE_AVAILABILITY, Availability("offline", "e1", since_wall_ns=1))
    box.now += 1
    box.step()
    assert not box.told[-1].runs


def test_without_the_broker_no_engine_is_said_to_run() -> None:
    box = Box()
    box.start()
    box.step()
    box.live.bus(False)
    box.now += REST_S
    box.step()
    assert not box.told[-1].runs


def test_what_could_not_be_written_stays_due() -> None:
    box = Box()
    box.start()

    async def refused(_subject: str, _value: bytes) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        asyncio.run(box.live.step(refused))
    box.now += REST_S
    assert box.step() == 1


def test_lines_notices_and_facts_stay_at_the_box() -> None:
    box = Box()
    box.start()
    line = LineView(3, "deal 3 ?? ??", "rfid", "table")
    box.hear(topics.STATE, TableView("t1", lines=(line,), seats=(SeatView(3, "Ann"),)))
    box.step()
    view = box.told[-1].view
    assert view is not None and view.lines == () and view.seats == (SeatView(3, "Ann"),)


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b'{"table": 7}', b"\xff" * 300])
def test_what_cannot_be_read_changes_nothing(payload: bytes) -> None:
    box = Box()
    box.start()
    box.live.take(topics.STATE.of("site", "t1"), payload, lambda: None)
    box.live.take(topics.STATE.of("site", "other"), encode(TableView("other")), lambda: None)
    box.live.take("tb/v1/site/t1/floor/nothing", payload, lambda: None)
    box.step()
    assert [told.view for told in box.told] == [TableView("t1", rev=4, hand=7)]
    assert box.live.unreadable == (1 if payload else 0)


def test_a_picture_that_is_too_large_loses_its_least_urgent_alerts_and_counts_them() -> None:
    alerts = tuple(an_alert(f"a{n}", sentence="x" * 1000, cause="y" * 64) for n in range(90))
    alerts = tuple(msgspec.structs.replace(one, args={"why": "z" * 500, "how": "z" * 500}) for one in alerts)
    payload = encode_picture(TablePicture("t1", alerts=alerts, more=2))
    found = decode_picture(payload, PLACE)
    assert len(payload) <= LARGEST and 0 < len(found.alerts) < 90
    assert found.alerts == alerts[: len(found.alerts)] and found.more == 92 - len(found.alerts)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"no json",
        b'{"table": "t2"}',
        b'{"table": "t1", "view": {"table": "t2"}}',
        encode_picture(TablePicture("t1", alerts=(an_alert(table="t2"),))),
        b'{"table": "t1", "more": -1}',
        b'{"table": "t1", "x": ' + b"[" * 2000 + b"]" * 2000 + b"}",
        b'{"table": "t1"}' + b" " * LARGEST,
    ],
)
def test_what_is_no_picture_of_its_key_is_refused(payload: bytes) -> None:
    with pytest.raises(ValueError):
        decode_picture(payload, PLACE)


@pytest.mark.parametrize(
    "subject", ["$KV.TABLES.box", "$KV.TABLES.box.t1.x", "$KV.RUNS.box.t1", "$KV.TABLES.box.*"]
)
def test_a_subject_that_is_no_key_names_no_table(subject: str) -> None:
    assert place_of(picture_subject(PLACE)) == PLACE
    assert place_of(subject) is None


def test_the_account_hears_four_topics_of_a_real_broker_and_no_other(tmp_path: Path) -> None:
    heard: list[str] = []
    with EmbeddedBroker(tmp_path, 0, "mosquitto") as broker:
        clients = []
        for name in ("engine", UPLINK):
            user, password = broker.accounts[name]
            client = BusClient(Broker(host="127.0.0.1", port=broker.port), name, user, password)
            clients.append(client)
        engine, uplink = clients

        def note(topic: str, _payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
            heard.append(topic)
            ack()

        def both() -> bool:
            engine.step(0.01)
            uplink.step(0.01)
            return True

        uplink.on_message = note
        uplink.subscribe(
            *LivePictures("site", "box", ("t1",)).filters(), *(one.filter() for one in topics.TOPICS)
        )
        wait_for(lambda: both() and uplink.subscribed and engine.connected, "both are connected")
        written = [one for one in topics.TOPICS if one.writer == "engine" and one is not topics.STATE]
        for topic in (*written, topics.STATE):
            names = ["web"] if topic.named else []
            engine.publish(topic.of("site", "t1", *names), b"{}")
        last = topics.STATE.of("site", "t1")
        wait_for(lambda: both() and last in heard, "the last message arrives")
        engine.close()
        uplink.close()
    assert set(heard) == {
        topic.of("site", "t1")
        for topic in (topics.ENGINE_AVAILABILITY, topics.ENGINE_BEAT, topics.STATE, topics.ALERTS)
    }
