"""What happened before is shown after: the web process, the engine or both are started again."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .hall import until
from .live import Room, room_in


def call_floor(room: Room) -> None:
    """A hand in which the floor is called, and another, so that the floor has settled it."""
    room.restart()
    room.write("call-floor")
    until(lambda: room.get("alerts")["alerts"], "the floor is called")
    room.restart()


def remembered(room: Room) -> tuple[Any, Any]:
    """The closed alerts and the findings of the room."""
    return room.get("alerts/closed"), room.get("tables/main/findings")


def calls(room: Room) -> int:
    """How often the floor was called, by the findings."""
    found = room.get("tables/main/findings")["findings"]
    return [message["finding"]["finding"] for message in found].count("floor-called")


def pages(room: Room, number: int) -> None:
    room.pages.end(number)
    room.pages.start()


def engine(room: Room, number: int) -> None:
    room.engine.send_signal(number)
    room.engine.wait(60)
    room.start_engine()


def both(room: Room, number: int) -> None:
    """The web process is there first, and has nobody to ask for a while."""
    room.engine.send_signal(number)
    room.engine.wait(60)
    pages(room, number)
    assert room.get("alerts/closed") == {"alerts": []}
    assert "is away; ask again" in room.get("tables/main/findings")["sentence"]
    room.start_engine()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["ended", "killed"])
@pytest.mark.parametrize("again", [pages, engine, both])
def test_closed_alerts_and_findings_are_there_after_a_restart(
    tmp_path: Path, again: Callable[[Room, int], None], number: int
) -> None:
    with room_in(tmp_path) as room:
        for _ in range(2):
            call_floor(room)
        until(lambda: len(room.get("alerts/closed")["alerts"]) == 2, "both alerts are closed")
        before = remembered(room)
        again(room, number)
        room.until_followed()
        until(lambda: remembered(room) == before, "all of it is known again")
        assert {alert["life"][-1]["by"] for alert in before[0]["alerts"]} == {"Anna"}
        assert calls(room) == 2
        call_floor(room)
        until(lambda: len(room.get("alerts/closed")["alerts"]) == 3, "what is closed now is added")
        assert calls(room) == 3
