"""The room of tables beside real engines: what tables report, what people and tournament software want."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.access import TOURNAMENT
from tablebridge.bus.broker import Kind
from tablebridge.bus.messages import decode, encode
from tablebridge.model.rooms import RoomCommand, RoomReply, RoomView
from tablebridge.web.auth import Tokens

from .room import Room

PLAYERS = "table,seat,player\none,1,Anna\none,2,Boris\none,3,Carla\ntwo,1,Dora\ntwo,2,Emil\ntwo,3,Fay\n"
BROKE = (
    "hand",
    "dealt",
    "allin 1",
    "allin 2",
    "fold 3",
    "burn",
    "flop 2c 3d 9h",
    "burn",
    "turn Ts",
    "burn",
    "river 4c",
    "table 1 Kc Kd",
    "table 2 As Ad",
    "end",
)


def shown(room: Room) -> dict[str, Any]:
    answer = room.page("/api/room")
    return answer.json() if answer.status_code == 200 else {}


def write(room: Room, id: str, secret: str = "", **body: Any) -> httpx.Response:
    return httpx.post(
        f"{room.url}/api/room",
        headers={"Authorization": f"Bearer {secret or room.token}"},
        json={"id": id, **body},
        timeout=60,
    )


@pytest.mark.parametrize("kind", ["nats", "mosquitto"])
def test_a_room_follows_its_tables_takes_imports_and_outlives_a_kill(tmp_path: Path, kind: Kind) -> None:
    with Room(tmp_path, kind, ("engine", "web", "room")) as room:
        for table in ("one", "two"):
            room.ask(table, "button 3", "stacks 10000")
        wait_for(lambda: shown(room).get("rev") == 0, "the room is there")
        assert write(room, "open-the-room", lines=["room nlhe 9", "prizes 500 300"]).json()["ok"]
        room.ask("one", "hand", "dealt", "fold 3", "fold 1", "end")
        room.ask("two", "hand", "dealt", "fold 3", "fold 1", "end")
        wait_for(lambda: shown(room)["players"] == 6, "both tables report their players")
        assert write(room, "who-they-are", form="csv", file=PLAYERS).json()["ok"]
        outsider = Tokens(tmp_path).add("operator", "Olga")[1]
        assert write(room, "by-an-operator", outsider, lines=["level 2"]).status_code == 403
        room.ask("one", *BROKE)
        wait_for(lambda: shown(room)["out"], "somebody is out")
        (out,) = shown(room)["out"]
        assert (out["name"], out["table"], out["first"]) == ("Anna", "one", 6)
        assert shown(room)["move"] is None and shown(room)["chips"] == 60_000
        before = shown(room)
        room.processes["room"].kill()
        room.processes["room"].wait(60)
        room.start("room")
        assert write_when_back(room)["ok"], "another process goes on"
        wait_for(lambda: shown(room)["level"] == 2, "the level is known")
        assert shown(room)["out"] == before["out"] and shown(room)["players"] == 5
        csv = room.page("/room/players.csv").text
        assert csv.splitlines()[0] == "player,table,seat,stack,place,prize" and "Anna,one,1,0,6,0" in csv
        software(room)


def write_when_back(room: Room) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        answer = write(room, "level-two-now", lines=["level 2"])
        if answer.status_code != 504:
            found: dict[str, Any] = answer.json()
            return found
    pytest.fail("the room's process does not come back")


def software(room: Room) -> None:
    """Tournament software over MQTT: its answer, the room, and nothing else of the tables."""
    replies: dict[str, RoomReply] = {}
    views: list[RoomView] = []
    heard: list[str] = []
    client = room.client(TOURNAMENT)

    def on_message(topic: str, payload: bytes, _retained: bool, ack: Any) -> None:
        heard.append(topic)
        known = topics.parse(topic)
        if known is not None and known.topic is topics.ROOM_STATE:
            views.append(decode(payload, RoomView))
        elif known is not None and known.topic is topics.ROOM_IMPORTED:
            reply = decode(payload, RoomReply)
            replies[reply.id] = reply
        ack()

    client.on_message = on_message
    of = "hall", "one"
    client.subscribe(topics.ROOM_STATE.of(*of), topics.ROOM_IMPORTED.of(*of), topics.STATE.of(*of))
    wait_for(lambda: (client.step(0.05), client.connected)[1], "the software is on the bus")
    wanted = RoomCommand(
        "from-software",
        "Blind Valet",
        "floor",
        time.time_ns() + 60 * 10**9,
        form="json",
        file='{"players": [{"table": "two", "seat": 9, "player": "Carla"}], "level": 3}',
    )
    client.publish(topics.ROOM_IMPORT.of(*of), encode(wanted))
    wait_for(lambda: (client.step(0.05), "from-software" in replies)[1], "it is answered")
    assert replies["from-software"].ok
    wait_for(lambda: (client.step(0.05), views and views[-1].level == 3)[1], "it sees the room")
    assert not any(topic.endswith("/floor/state") for topic in heard), "and no table"
    client.close(1.0)
