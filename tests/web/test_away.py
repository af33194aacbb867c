"""What the pages say when engine or broker is away, and who is told that they are not ready."""

import json
from itertools import takewhile
from typing import Any

from .hall import Hall, until
from .test_live import listening


def deadman(floor: Any) -> str:
    """The newest block that says whether the tables are followed."""
    blocks: list[str] = [event["data"] for event in floor.of("block") if 'id="deadman"' in event["data"]]
    return blocks[-1]


def says(event: dict[str, str]) -> bool:
    """Whether an event tells the floor that no table is followed."""
    return "No table is followed" in event.get("data", "")


def newest_beat(floor: Any) -> dict[str, Any]:
    beat: dict[str, Any] = json.loads(floor.of("beat")[-1]["data"])
    return beat


def test_an_engine_that_stands_still_is_an_alert_of_the_pages_own(hall: Hall) -> None:
    """Its connection is there and nothing says that it ended: only its beats stop."""
    hall.lively()
    with listening(hall, "/live/floor", "floor") as floor:
        until(lambda: floor.of("beat"), "the snapshot")
        before = len(floor.events)
        hall.engine.hangs = True
        try:
            until(
                lambda: any(map(says, floor.of("block"))),
                "the floor is told",
            )
            kinds = [
                event.get("event")
                for event in takewhile(lambda event: not says(event), floor.events[before:])
            ]
            assert kinds.count("beat") <= 6, "one every two seconds, and the engine may be silent for six"
            alert = deadman(floor)
            assert "The engine of tables main, side" in alert and "tablebridge-engine" in alert
            until(lambda: newest_beat(floor)["away"] == "0 of 2 tables: the engine is away", "the pill")
            assert newest_beat(floor)["alive"] == 0
            ready = hall.get("/health/ready")
            assert (ready.status_code, ready.json()) == (
                503,
                {"ready": False, "sentence": "0 of 2 tables: the engine is away."},
            )
            assert hall.get("/health").status_code == 200, "the pages themselves are alive"
            refused = hall.post(
                "/api/tables/main/lines", "operator", {"id": hall.new_id(), "lines": ["hand"]}
            )
            assert refused.status_code == 504 and "Nothing was written" in refused.json()["sentence"]
        finally:
            hall.engine.hangs = False
        until(lambda: "hidden" in deadman(floor), "the alert goes when the engine is heard again")
        until(lambda: hall.get("/health/ready").json() == {"ready": True, "sentence": ""}, "ready again")
        assert hall.get("/health/ready").status_code == 200


def test_one_engine_of_two_is_named(hall: Hall) -> None:
    hall.lively()
    hall.engine.online("offline", table="side")
    until(
        lambda: hall.get("/health/ready").json()["sentence"] == "1 of 2 tables: the engine is away.",
        "it is known at once",
    )
    page = hall.get("/floor", "floor").text
    assert "1 of 2 tables are not followed" in page and "The engine of table side has ended" in page
    hall.lively()


def test_a_broker_that_is_away_is_named_and_the_pages_are_alive_and_not_ready(hall: Hall) -> None:
    hall.lively()
    hall.broker.kill()
    try:
        until(
            lambda: (
                hall.get("/health/ready").json()["sentence"] == "0 of 2 tables: the broker cannot be reached."
            ),
            "it is known",
        )
        assert hall.get("/health/ready").status_code == 503 and hall.get("/health").json() == {"ok": True}
        page = hall.get("/floor", "floor").text
        assert "No table is followed" in page and "mosquitto" in page
    finally:
        hall.broker.start()
    hall.lively()
