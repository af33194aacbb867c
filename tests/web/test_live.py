"""Live streams as a program sees them: snapshot, change, beat, and an end when the server stops."""

import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import msgspec

from tablebridge.bus import topics
from tablebridge.web.auth import Role

from .hall import Hall, misdeal, until, view


class Stream(threading.Thread):
    """Reads one stream into `events` until it ends."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(daemon=True)
        self.response = response
        self.events: list[dict[str, str]] = []
        self.ended = False

    def run(self) -> None:
        event: dict[str, str] = {}
        try:
            for line in self.response.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = event[name] + "\n" + value if name in event else value
                else:
                    self.events.append(event)
                    event = {}
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self.ended = True

    def of(self, kind: str) -> list[dict[str, str]]:
        return [event for event in list(self.events) if event.get("event") == kind]


@contextmanager
def listening(hall: Hall, path: str, role: Role) -> Iterator[Stream]:
    headers = {"authorization": f"Bearer {hall.secret(role)}"}
    with httpx.Client(timeout=60) as http, http.stream("GET", hall.url + path, headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        stream = Stream(response)
        stream.start()
        yield stream
    stream.join(60)


def test_a_stream_begins_with_a_snapshot_and_beats(hall: Hall) -> None:
    hall.engine.show(view(rev=100, pot=7777))
    until(lambda: hall.get("/api/tables/main/state", "floor").json().get("rev") == 100, "the state is known")
    with listening(hall, "/live/floor", "floor") as stream:
        until(lambda: len(stream.of("beat")) >= 2, "two beats")
    assert {"retry": "1000"} in stream.events
    tile = next(event for event in stream.of("block") if 'id="tile-main"' in event["data"])
    assert "7\u202f777" in tile["data"] and tile["id"] == "100"
    beat = json.loads(stream.of("beat")[0]["data"])
    assert (
        beat["away_s"] == 0
        and beat["alive"] == 2
        and abs(beat["wall_ms"] / 1000 - time.time()) < 60
        and beat["assets"]
    )


def test_a_change_is_told_to_who_watches_it(hall: Hall) -> None:
    with (
        listening(hall, "/live/floor", "floor") as floor,
        listening(hall, "/live/tables/side", "operator") as side,
    ):
        until(lambda: floor.of("beat") and side.of("beat"), "both have their snapshot")
        before = len(side.of("block"))
        hall.engine.raise_alert(misdeal("501.0"))
        until(
            lambda: any("alert-main-501.0" in event["data"] for event in floor.of("block")),
            "the floor is told",
        )
        assert len(side.of("block")) == before
        hall.engine.show(view(rev=101, table="side", pot=8080))
        until(lambda: any("8\u202f080" in event["data"] for event in side.of("block")), "the console is told")


def show_queens(hall: Hall) -> None:
    """A picture for the broadcast in which seat 5 holds two queens."""
    picture = view(rev=50)
    seats = tuple(
        msgspec.structs.replace(seat, faces=("Qh", "Qc")) if seat.seat == 5 else seat
        for seat in picture.seats
    )
    hall.engine.show(msgspec.structs.replace(picture, seats=seats), topics.OVERLAY)


def test_the_overlay_gets_its_picture_and_no_lines(hall: Hall) -> None:
    show_queens(hall)
    with listening(hall, "/live/overlay/main", "broadcast") as stream:
        event = until(lambda: stream.of("table"), "the picture")[-1]
    told = json.loads(event["data"])
    assert told["lines"] == [] and told["seats"][4]["faces"] == ["Qh", "Qc"] and event["id"] == "50"


def test_staff_streams_never_hold_what_the_overlay_holds(hall: Hall) -> None:
    show_queens(hall)
    until(
        lambda: hall.get("/api/tables/main/overlay", "broadcast").status_code == 200,
        "the picture is in the hub",
    )
    with (
        listening(hall, "/live/floor", "floor") as floor,
        listening(hall, "/live/tables/main", "operator") as console,
    ):
        until(lambda: floor.of("beat") and console.of("beat"), "both have their snapshot")
    for event in floor.events + console.events:
        assert not any(face in event.get("data", "") for face in ("Qh", "Qc", "queen of hearts", "Q♥", "Q♣"))


def test_beats_say_that_the_engine_is_away(hall: Hall) -> None:
    with listening(hall, "/live/tables/side", "operator") as stream:
        hall.engine.online("offline", table="side")
        until(
            lambda: json.loads(stream.of("beat")[-1]["data"])["away_s"] > 0 if stream.of("beat") else False,
            "away",
        )
        hall.lively()
        until(lambda: json.loads(stream.of("beat")[-1]["data"])["away_s"] == 0, "back")


def test_beats_say_that_the_broker_is_away(hall: Hall) -> None:
    show_queens(hall)
    until(lambda: hall.get("/api/tables/main/overlay", "broadcast").status_code == 200, "a picture")
    with listening(hall, "/live/floor", "floor") as stream:
        until(lambda: stream.of("beat"), "a beat")
        hall.broker.kill()
        until(lambda: json.loads(stream.of("beat")[-1]["data"])["away_s"] > 0, "away")
        assert json.loads(stream.of("beat")[-1]["data"])["alive"] == 0
        assert hall.get("/api/tables/main/overlay", "broadcast").status_code == 404, (
            "no engine that can be heard, no picture"
        )
        hall.broker.start()
        until(lambda: json.loads(stream.of("beat")[-1]["data"])["away_s"] == 0, "back")


def test_sigterm_ends_open_streams_and_the_process(hall: Hall) -> None:
    """Last of this module: the process is gone afterwards."""
    with (
        listening(hall, "/live/floor", "floor") as one,
        listening(hall, "/live/overlay/main", "broadcast") as two,
    ):
        until(lambda: one.of("beat") and two.of("beat"), "both are open")
        assert hall.pages.end(signal.SIGTERM) == 0
        until(lambda: one.ended and two.ended, "both streams ended")
