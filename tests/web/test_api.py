"""REST over a real broker: what is read, what is written, what is refused and how it is said."""

import re
import time
from typing import Any

import httpx
import pytest

from tablebridge.bus import topics
from tablebridge.bus.messages import MOST_ALERTS, ActiveAlerts, AntennaMap, AntennaRate, CrossRate
from tablebridge.floor.alerts import Alerts

from .hall import Hall, instant, misdeal, until, view


def test_state_of_a_table_comes_from_the_bus(hall: Hall) -> None:
    hall.engine.show(view(rev=10))
    until(lambda: hall.get("/api/tables/main/state", "floor").status_code == 200, "the state is known")
    state = hall.get("/api/tables/main/state", "floor").json()
    assert (state["hand"], state["to_act"], state["board"]) == (7, 4, ["Ah", "Td", "7c"])


def test_an_older_state_does_not_replace_a_newer_one(hall: Hall) -> None:
    hall.engine.show(view(rev=30, pot=30))
    hall.engine.show(view(rev=20, pot=20))
    hall.engine.show(view(rev=31, table="side", pot=31))
    until(
        lambda: hall.get("/api/tables/side/state", "floor").json().get("rev") == 31,
        "what was sent last has come",
    )
    assert hall.get("/api/tables/main/state", "floor").json()["pot"] == 30


def test_another_run_of_the_engine_may_count_from_the_beginning(hall: Hall) -> None:
    hall.engine.online(run="2")
    hall.engine.show(view(rev=1, pot=111))
    until(
        lambda: hall.get("/api/tables/main/state", "floor").json().get("pot") == 111,
        "the new record is shown",
    )


def test_devices_are_live_or_lost_and_say_why(hall: Hall) -> None:
    hall.engine.health("reader", "live", rejects={"crc": 3})
    rows = until(
        lambda: [
            row for row in hall.get("/api/devices", "technician").json()["devices"] if row["state"] == "live"
        ],
        "the reader is live",
    )
    assert rows[0]["rejects"] == {"crc": 3} and rows[0]["driver"] == "line"


def test_lines_reach_the_engine_with_the_person_of_the_token(hall: Hall) -> None:
    id = hall.new_id()
    answer = hall.post("/api/tables/main/lines", "operator", {"id": id, "lines": ["bet 4 300"]}, name="Boris")
    assert answer.status_code == 200 and answer.json()["ok"] and answer.json()["id"] == id
    command = hall.engine.commands[-1]
    assert (command.by, command.role, command.lines) == ("Boris", "operator", ("bet 4 300",))


def test_a_repeated_id_is_done_once_and_answered_twice(hall: Hall) -> None:
    body = {"id": hall.new_id(), "entry": 94}
    first = hall.post("/api/tables/main/undo", "operator", body)
    second = hall.post("/api/tables/main/undo", "operator", body)
    assert first.json() == second.json()
    assert [command.id for command in hall.engine.commands].count(body["id"]) == 1


def test_what_the_engine_refuses_is_409_with_its_sentence(hall: Hall) -> None:
    hall.engine.refuse = "No hand is under way; begin one with hand."
    answer = hall.post("/api/tables/main/lines", "operator", {"id": hall.new_id(), "lines": ["bet 4 300"]})
    hall.engine.refuse = ""
    assert (
        answer.status_code == 409
        and answer.json()["sentence"] == "No hand is under way; begin one with hand."
    )


def test_the_second_to_take_an_alert_reads_who_was_first(hall: Hall) -> None:
    alert = hall.engine.raise_alert(misdeal("900.0"))
    until(lambda: any(one["id"] == alert for one in hall.alerts()), "the alert is listed")
    path = f"/api/tables/main/alerts/{alert}/taken"
    first = hall.post(path, "floor", {"id": hall.new_id()}, name="Anna")
    second = hall.post(path, "floor", {"id": hall.new_id()}, name="Olga")
    assert (first.status_code, second.status_code) == (200, 409)
    assert "Anna" in second.json()["sentence"]
    until(
        lambda: next(one for one in hall.alerts() if one["id"] == alert)["state"] == "taken",
        "the list says taken",
    )


def test_a_closed_alert_leaves_the_list(hall: Hall) -> None:
    alert = hall.engine.raise_alert(misdeal("901.0"))
    for to in ("taken", "ruled", "closed"):
        assert (
            hall.post(f"/api/tables/main/alerts/{alert}/{to}", "floor", {"id": hall.new_id()}).status_code
            == 200
        )
    until(lambda: all(one["id"] != alert for one in hall.alerts()), "the alert has left")


def test_a_closed_alert_is_listed_with_who_closed_it(hall: Hall) -> None:
    alert = hall.engine.raise_alert(misdeal("902.0"))
    for to in ("ruled", "closed"):
        hall.post(f"/api/tables/main/alerts/{alert}/{to}", "floor", {"id": hall.new_id()})

    def closed() -> list[dict[str, Any]]:
        listed = hall.get("/api/alerts/closed", "floor").json()["alerts"]
        return [found for found in listed if found["id"] == alert]

    listed = until(closed, "the alert is listed")
    assert [step["by"] for step in listed[0]["life"]] == ["", "Anna", "Anna"]
    assert hall.get("/api/alerts/closed", "operator").status_code == 200


def test_a_page_of_findings_begins_at_the_number_of_a_record(hall: Hall) -> None:
    path = "/api/tables/main/findings"
    assert hall.get(path, "floor").json().keys() == {"findings", "rev", "before"}
    for wrong in ("-1", "x", "1e9", str(2**53 + 1)):
        answer = hall.get(f"{path}?before={wrong}", "floor")
        assert answer.status_code == 400 and answer.json()["sentence"].startswith("This cannot be understood")
    assert hall.get("/api/tables/none/findings", "floor").status_code == 404


def test_alerts_are_most_severe_first_then_oldest(hall: Hall) -> None:
    hall.engine.publish(topics.ALERTS, ActiveAlerts((), next(hall.engine.rev)), table="side")
    for id, severity in (("1.0", "warning"), ("2.0", "critical"), ("3.0", "warning")):
        hall.engine.raise_alert(misdeal(id, "side", severity=severity))
    found = until(
        lambda: (
            [one["id"] for one in hall.alerts() if one["table"] == "side"][2:]
            and [one["id"] for one in hall.alerts() if one["table"] == "side"]
        ),
        "three alerts",
    )
    assert found == ["2.0", "1.0", "3.0"]


def test_alerts_beyond_those_that_are_shown_are_counted_on_the_floors_page(hall: Hall) -> None:
    shown = tuple(Alerts().raise_(misdeal(f"{number}.0", "side"), instant()) for number in range(MOST_ALERTS))
    hall.engine.publish(topics.ALERTS, ActiveAlerts(shown, next(hall.engine.rev), 9_880), table="side")  # type: ignore[arg-type]
    until(lambda: hall.get("/api/alerts", "floor").json()["more"] == 9_880, "the number is there")
    assert re.search("and 9.880 more,", hall.get("/floor", "floor").text)
    hall.engine.publish(topics.ALERTS, ActiveAlerts((), next(hall.engine.rev)), table="side")
    until(lambda: hall.get("/api/alerts", "floor").json()["more"] == 0, "the number is gone")
    assert " more," not in hall.get("/floor", "floor").text


def test_a_device_that_the_site_does_not_name_is_refused(hall: Hall) -> None:
    for _ in range(50):
        hall.engine.health("invented", "lost")
    hall.engine.health("reader", "stale")

    def devices() -> list[tuple[str, str]]:
        return [(one["device"], one["state"]) for one in hall.get("/api/devices", "floor").json()["devices"]]

    until(lambda: ("reader", "stale") in devices(), "the health came")
    assert devices() == [("reader", "stale")]
    assert "invented" not in hall.get("/floor", "floor").text + hall.get("/devices", "floor").text
    assert list((hall.folder / "aside").glob("*.message"))


def test_an_engine_that_is_away_is_504_and_gets_nothing_later(hall: Hall) -> None:
    hall.engine.online("offline", table="side")
    until(
        lambda: hall.get("/api/tables", "floor").json()["tables"][1]["engine"] == "offline",
        "the table is away",
    )
    id = hall.new_id()
    answer = hall.post("/api/tables/side/lines", "operator", {"id": id, "lines": ["hand"]})
    assert answer.status_code == 504 and "Nothing was written" in answer.json()["sentence"]
    hall.lively()
    assert (
        hall.post("/api/tables/side/lines", "operator", {"id": hall.new_id(), "lines": ["hand"]}).status_code
        == 200
    )
    assert id not in [command.id for command in hall.engine.commands]


def test_an_engine_that_does_not_answer_is_504(hall: Hall) -> None:
    hall.engine.silent = True
    answer = hall.post("/api/tables/main/lines", "operator", {"id": hall.new_id(), "lines": ["hand"]})
    hall.engine.silent = False
    assert answer.status_code == 504 and "did not answer" in answer.json()["sentence"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/tables/main/lines", {"lines": ["hand"]}, 400),
        ("/api/tables/main/lines", {"id": "short", "lines": ["hand"]}, 400),
        ("/api/tables/main/lines", {"id": "long-enough", "lines": []}, 400),
        ("/api/tables/main/lines", {"id": "long-enough", "lines": ["x" * 501]}, 400),
        ("/api/tables/main/lines", {"id": "long-enough", "lines": "hand"}, 400),
        ("/api/tables/main/lines", {"id": "long-enough", "lines": ["hand"], "by": "Somebody else"}, 400),
        ("/api/tables/main/lines", {"id": "long-enough", "lines": ["x" * 400] * 50}, 413),
        ("/api/tables/main/undo", {"id": "long-enough", "entry": "94"}, 400),
        ("/api/tables/none/undo", {"id": "long-enough", "entry": 94}, 404),
    ],
)
def test_a_bad_body_is_refused_with_a_sentence(
    hall: Hall, path: str, body: dict[str, object], status: int
) -> None:
    answer = hall.post(path, "operator", body)
    assert answer.status_code == status and answer.json()["sentence"].endswith(".")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1]"])
def test_what_is_not_json_is_refused(hall: Hall, content: bytes) -> None:
    answer = hall.http.post(
        hall.url + "/api/tables/main/undo",
        content=content,
        headers={"authorization": f"Bearer {hall.secret('operator')}"},
    )
    assert answer.status_code == 400 and answer.json()["sentence"]


def test_payloads_that_are_none_change_nothing(hall: Hall) -> None:
    hall.engine.show(view(rev=35))
    until(
        lambda: hall.get("/api/tables/main/state", "floor").json().get("rev", 0) >= 35, "the state is known"
    )
    before = hall.get("/api/tables/main/state", "floor").json()
    for payload in (b"{", b"null", b'{"table": 5}', b"\xff" * 70_000):
        hall.engine._out.append((topics.STATE.of("hall", "main"), payload, False))
    hall.engine.show(view(rev=40, table="side", pot=4040))
    until(
        lambda: hall.get("/api/tables/side/state", "floor").json().get("pot") == 4040,
        "what was sent last has come",
    )
    assert hall.get("/api/tables/main/state", "floor").json() == before


def test_unknown_addresses_are_404_in_the_form_of_the_asker(hall: Hall) -> None:
    assert hall.get("/api/nothing", "floor").json()["sentence"]
    page: httpx.Response = hall.get("/nothing", "floor")
    assert page.status_code == 404 and "<h1>Not found</h1>" in page.text
    assert '<a class="button" href="/">To the first page</a>' in page.text
    assert hall.http.put(hall.url + "/api/alerts", headers={"authorization": "Bearer x"}).status_code == 405


def test_what_a_table_has_learnt_of_its_antennas_is_drawn(hall: Hall) -> None:
    path = "/devices/main/antennas.svg"
    refused = hall.get(path, "technician")
    assert refused.status_code == 404 and "Nothing has been learnt" in refused.text
    assert path not in hall.get("/devices", "technician").text

    def learnt(stays: int) -> None:
        """The engine has learnt; nothing is ever read from its folder."""
        hall.engine.publish(
            topics.ANTENNAS,
            AntennaMap(
                time.time_ns(),
                (AntennaRate("reader/0", "seat 4", 0.9, stays), AntennaRate("reader/1", "board", 0.97, 40)),
                (CrossRate("reader/0", "reader/1", 0.02),),
            ),
        )

    learnt(1)
    until(lambda: path in hall.get("/devices", "technician").text, "the map is on the page")
    drawn = hall.get(path, "technician")
    assert (
        drawn.headers["content-type"] == "image/svg+xml"
        and "seat 4: 1 stay<" in drawn.text
        and "2 %" in drawn.text
    )
    learnt(2)
    until(lambda: "seat 4: 2 stays" in hall.get(path, "technician").text, "the newer map is shown")
