"""The short links of the demo and the phones of its people, over HTTP."""

import json
from collections.abc import Iterator

import httpx
import pytest

from tablebridge.model.toml_text import parse_toml
from tablebridge.settings.people import People
from tablebridge.sim.lobby import PEOPLE, Lobby


@pytest.fixture
def lobby() -> Iterator[Lobby]:
    with Lobby() as lobby:
        yield lobby


def test_a_short_link_leads_to_its_page_and_a_guess_nowhere(lobby: Lobby) -> None:
    lobby.links["dealer"] = "http://127.0.0.1:1/login?token=secret"
    answer = httpx.get(lobby.short("dealer"))
    assert (answer.status_code, answer.headers["location"]) == (302, lobby.links["dealer"])
    assert len(lobby.short("surveillance")) < 50, "it is short enough to be read"
    for wrong in (lobby.short("nobody"), f"{lobby.url}/dealer", f"{lobby.url}/000000/dealer"):
        assert httpx.get(wrong).status_code == 404


def test_what_a_phone_is_sent_is_a_line_and_what_is_no_notice_is_none(lobby: Lobby) -> None:
    for body in (b"", b"[1]", b'{"topic": 1}', b"\xff"):
        assert httpx.post(lobby.url, content=body).status_code == 200
    notice = {"topic": "Anna", "title": "Table 1: deck", "message": "Since 20:01."}
    httpx.post(lobby.url, content=json.dumps(notice).encode())
    assert lobby.news() == ["Anna's phone: Table 1: deck. Since 20:01."] and lobby.news() == []


def test_the_file_of_people_is_right(lobby: Lobby) -> None:
    people = People.model_validate(parse_toml(lobby.people()))
    assert tuple((person.name, person.duty, person.language) for person in people.people) == PEOPLE
    assert people.ntfy.url == lobby.url
