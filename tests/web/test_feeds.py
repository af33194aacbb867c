"""Rows of the delayed picture for graphics programs: always as many, never a face before its time, never an
error that would leave old rows on the air.
"""

import csv
import io
import itertools
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from tablebridge.bus import topics
from tablebridge.languages.texts import texts
from tablebridge.model.overlay import OverlayView
from tablebridge.web.feeds.rows import seat_rows, table_row
from tablebridge.web.gallery import states

from .hall import Hall, until

PICTURES = {state.name: state.picture for state in states()}
REVS = itertools.count(3000)
SEAT = ("Seat", "Name", "Stack", "Bet", "Action", "Card1", "Card2", "Equity", "Button", "AllIn", "State")
TABLE = ("Board1", "Board2", "Board3", "Board4", "Board5", "Pot", "Blinds", "Hand", "ToAct", "InDoubt")


def show(hall: Hall, picture: OverlayView) -> None:
    rev = next(REVS)
    fields = {name: getattr(picture, name) for name in OverlayView.__struct_fields__}
    hall.engine.show(OverlayView(**{**fields, "table": "main", "rev": rev}), topics.OVERLAY)
    until(
        lambda: hall.get("/api/tables/main/overlay", "broadcast").json().get("rev") == rev,
        "the picture is there",
    )


def rows(hall: Hall, name: str, **more: str) -> list[dict[str, str]]:
    answer = hall.http.get(f"{hall.url}/feeds/main/{name}", params={"key": hall.secret("broadcast"), **more})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    if name.endswith(".csv"):
        return list(csv.DictReader(io.StringIO(answer.text)))
    if name.endswith(".xml"):
        return [
            {cell.tag: cell.text or "" for cell in row} for row in ET.fromstring(answer.content).iter("row")
        ]
    found: list[dict[str, str]] = answer.json()
    return found


@pytest.mark.parametrize("state", PICTURES)
def test_every_state_has_ten_seats_and_one_table_of_the_same_columns(state: str) -> None:
    def shown(face: str) -> str:
        return face

    seats, empty = seat_rows(PICTURES[state], shown, texts("en")), seat_rows(None, shown, texts("en"))
    assert [row["Seat"] for row in seats] == [str(seat) for seat in range(1, 11)]
    assert {tuple(row) for row in (*seats, *empty)} == {tuple(seats[0])} and tuple(seats[0])[:11] == SEAT
    table, nothing = table_row(PICTURES[state], shown), table_row(None, shown)
    assert tuple(table) == tuple(nothing) and tuple(table)[:10] == TABLE
    assert not any(nothing.values()) and not any(row[name] for row in empty for name in row if name != "Seat")
    assert all(isinstance(text, str) for row in (*seats, table) for text in row.values())


def test_rows_speak_the_language_of_the_address(hall: Hall) -> None:
    show(hall, PICTURES["raise"])
    said = {lang: rows(hall, "seats.json", lang=lang)[3]["Action"] for lang in ("en", "ru", "es", "zh")}
    assert said["en"] == rows(hall, "seats.json")[3]["Action"] == "Bet"
    assert len(set(said.values())) == 4
    assert rows(hall, "seats.json")[3]["Hands"] == "1"


def test_the_three_formats_say_the_same(hall: Hall) -> None:
    show(hall, PICTURES["raise"])
    for name in ("seats", "table"):
        assert rows(hall, f"{name}.json") == rows(hall, f"{name}.csv") == rows(hall, f"{name}.xml")
    (table,) = rows(hall, "table.json")
    assert (table["Board1"], table["Board4"], table["Blinds"], table["Hand"]) == (
        "Qs",
        "",
        "500 / 1\u202f000",
        "1",
    )
    seats = rows(hall, "seats.json")
    assert seats[3]["Name"] == "Chen Wei" and seats[3]["Action"] == "Bet" and seats[3]["Equity"] == "28 %"
    assert (seats[3]["Card1"], seats[3]["Card2"]) == ("As", "Ks")
    assert seats[9] == {**dict.fromkeys(seats[9], ""), "Seat": "10"}


def test_columns_may_be_named_for_fields_and_cards_be_pictures(hall: Hall) -> None:
    show(hall, PICTURES["raise"])
    seats = rows(hall, "seats.json", suffix=".Text", cards="url")
    assert seats[3]["Name.Text"] == "Chen Wei"
    assert seats[3]["Card1.Source"] == f"{hall.url}/cards/As.png"
    picture = hall.http.get(seats[3]["Card1.Source"])
    assert picture.headers["content-type"] == "image/png" and picture.content[:4] == b"\x89PNG"
    assert hall.http.get(f"{hall.url}/cards/back.png").status_code == 200
    assert hall.http.get(f"{hall.url}/cards/Zz.png").status_code == 404
    for wrong in ("Text", ".Te xt", '."'):
        answer = hall.http.get(
            f"{hall.url}/feeds/main/seats.json", params={"key": hall.secret("broadcast"), "suffix": wrong}
        )
        assert answer.status_code == 400 and answer.json()["sentence"]


def test_a_card_that_is_not_shown_is_none_as_text_and_a_back_as_a_picture(hall: Hall) -> None:
    seats = tuple(replace(seat, faces=()) for seat in PICTURES["raise"].seats)
    show(hall, replace(PICTURES["raise"], seats=seats))
    assert {row["Card1"] for row in rows(hall, "seats.json")} == {""}
    pictures = {row["Card1"].rpartition("/")[2] for row in rows(hall, "seats.json", cards="url")}
    assert pictures == {"", "back.png"}


def test_what_the_director_hides_is_in_no_row(hall: Hall) -> None:
    show(hall, PICTURES["raise"])
    director = {"authorization": f"Bearer {hall.secret('director')}"}
    hall.http.post(f"{hall.url}/api/director/main/hide-hole-cards", headers=director)
    assert not any(row["Card1"] or row["Equity"] for row in rows(hall, "seats.json"))
    assert rows(hall, "table.json")[0]["Board1"] == "Qs"
    hall.http.post(f"{hall.url}/api/director/main/hide-all", headers=director)
    assert not any(row["Name"] for row in rows(hall, "seats.json"))
    assert not any(rows(hall, "table.json")[0].values())
    for order in ("show-all", "show-hole-cards"):
        hall.http.post(f"{hall.url}/api/director/main/{order}", headers=director)
    assert rows(hall, "seats.json")[3]["Card1"] == "As"


def test_only_feeds_are_open_to_graphics_of_other_hosts_and_none_with_a_cookie(hall: Hall) -> None:
    show(hall, PICTURES["raise"])
    key = {"key": hall.secret("broadcast")}
    elsewhere = {"origin": "http://graphics.example"}
    opened: dict[str, Any] = {}
    for path in (
        "/feeds/main/seats.json",
        "/feeds/main/words.json",
        "/api/tables/main/overlay",
        "/cards/As.png",
    ):
        opened[path] = hall.http.get(hall.url + path, params=key, headers=elsewhere).headers
        assert opened[path]["access-control-allow-origin"] == "*", path
        assert "access-control-allow-credentials" not in opened[path]
    for path in ("/overlay/main", "/api/tables", "/floor", "/login", "/api/director/main", "/metrics"):
        answer = hall.http.get(hall.url + path, params=key, headers=elsewhere)
        assert "access-control-allow-origin" not in answer.headers, path


def test_without_an_engine_rows_are_empty_and_no_error_is_on_the_air(hall: Hall) -> None:
    """Last of this module: the engine goes away and comes back."""
    show(hall, PICTURES["raise"])
    assert rows(hall, "seats.json")[3]["Name"] == "Chen Wei"
    hall.engine.online("offline")
    until(lambda: not any(row["Name"] for row in rows(hall, "seats.json")), "the rows are empty")
    assert len(rows(hall, "seats.json")) == 10 and not any(rows(hall, "table.json")[0].values())
    hall.lively()
    assert hall.http.get(f"{hall.url}/feeds/main/seats.json").status_code == 401
