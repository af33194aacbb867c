"""X8 on every route that writes: nothing is written from another site, and nothing twice under one id."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import httpx
import msgspec
import pytest

from tablebridge.web.app import create_app
from tablebridge.web.auth import Role
from tablebridge.web.hub import Hub

from .every import HAND, Everywhere
from .hall import site

pytestmark = pytest.mark.browser
Body = dict[str, Any]


class Write(msgspec.Struct, frozen=True):
    """A write: an address of its route, who may do it, and with which body."""

    address: str
    role: Role | Literal["guest"]
    body: Callable[[Everywhere], Body] = lambda site: {}


def alert(site: Everywhere) -> str:
    found: str = site.get("/api/alerts", "floor").json()["alerts"][0]["id"]
    return found


def fact(site: Everywhere) -> Body:
    """An entry of a dealer that can be taken back."""
    answer = site.post("/api/tables/one/dealer/lines", "dealer", lines=["cut"])
    return {"entry": answer.json()["entries"][0]}


def undone(site: Everywhere) -> Body:
    """Nothing further: a line was written and taken back."""
    site.write("fold 3")
    site.post("/api/tables/one/undo", "operator")
    return {}


def called(site: Everywhere) -> Body:
    """The floor is called, and Anna, who has a PIN, is there."""
    site.post("/api/tables/one/dealer/lines", "dealer", lines=["call-floor"])
    token, _ = site.tokens.add("floor", "Anna")
    site.tokens.set_pin(token.id, "471108")
    return {"person": token.id, "pin": "471108"}


WRITES: Final = {
    "/api/tables/{table}/alerts/{alert}/{to}": Write("/api/tables/one/alerts/ALERT/acknowledged", "floor"),
    "/api/tables/{table}/shelf": Write(
        "/api/tables/one/shelf", "floor", lambda site: {"alert": alert(site), "minutes": 5, "why": "later"}
    ),
    "/api/tables/{table}/service": Write(
        "/api/tables/one/service", "floor", lambda site: {"out": True, "device": "board", "why": "broken"}
    ),
    "/api/tables/{table}/hands/{hand}/access": Write(
        f"/api/tables/one/hands/{HAND}/access", "investigator", lambda site: {"reason": "a dispute"}
    ),
    "/api/tables/{table}/hands/{hand}/review": Write(
        f"/api/tables/one/hands/{HAND}/review", "surveillance", lambda site: {"kind": "note", "note": "seen"}
    ),
    "/api/tables/{table}/hands/{hand}/bookmark": Write(
        f"/api/tables/one/hands/{HAND}/bookmark", "surveillance", lambda site: {"at_wall_ms": 1}
    ),
    "/api/tables/{table}/lines": Write(
        "/api/tables/one/lines", "operator", lambda site: {"lines": ["fold 3"]}
    ),
    "/api/tables/{table}/undo": Write("/api/tables/one/undo", "operator"),
    "/api/tables/{table}/redo": Write("/api/tables/one/redo", "operator", undone),
    "/api/tables/{table}/preview": Write(
        "/api/tables/one/preview", "operator", lambda site: {"lines": ["dealer-change"]}
    ),
    "/api/tables/{table}/typing": Write("/api/tables/one/typing", "operator", lambda site: {"seat": 1}),
    "/api/tables/{table}/dealer/lines": Write(
        "/api/tables/one/dealer/lines", "dealer", lambda site: {"lines": ["cut"]}
    ),
    "/api/tables/{table}/dealer/undo": Write("/api/tables/one/dealer/undo", "dealer", fact),
    "/api/tables/{table}/dealer/settled": Write("/api/tables/one/dealer/settled", "dealer", called),
    "/api/director/{table}/{order}": Write("/api/director/one/hide-hole-cards", "director"),
    "/api/director/{table}/{order}/{what}": Write("/api/director/one/focus-seat/2", "director"),
    "/api/shift/test": Write("/api/shift/test", "floor"),
    "/api/room": Write("/api/room", "floor", lambda site: {"lines": ["level 2"]}),
    "/api/room/seed": Write("/api/room/seed", "floor", lambda site: {"table": "one"}),
    "/api/room/names": Write("/api/room/names", "floor"),
    "/api/setup": Write("/api/setup", "guest", lambda site: {"wish": {"type": "close-adopting"}}),
    "/login": Write("/login", "floor"),
    "/logout": Write("/logout", "floor"),
    "/language": Write("/language", "floor"),
    "/api/pass": Write("/api/pass", "floor"),
}
RECORDED: Final = [
    route
    for route in WRITES
    if route.startswith("/api/tables") and not route.endswith(("/typing", "/preview"))
]
ELSEWHERE: Final = (
    {"sec-fetch-site": "cross-site", "origin": "https://evil.example"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example"},
    {},
)


def url_of(site: Everywhere, write: Write) -> str:
    base = site.box if write.role == "guest" else site.pages.url
    return base + (write.address.replace("ALERT", alert(site)) if "ALERT" in write.address else write.address)


def secret_of(site: Everywhere, write: Write) -> str:
    return site.guest if write.role == "guest" else site.secret(write.role)


def records(site: Everywhere) -> list[Any]:
    """What is on record of what people did and wrote."""
    journal = site.journal()
    try:
        kinds = ("entry", "alert", "mark", "command", "review")
        return [record.number for kind in kinds for record in journal.records(kind=kind)]
    finally:
        journal.close()


def test_every_route_that_writes_is_listed(tmp_path: Path) -> None:
    here = site(tmp_path)
    served = {
        route.path
        for holder in create_app(here, Hub(here)).routes
        for route in getattr(getattr(holder, "original_router", None), "routes", [holder])
        if not route.methods <= {"GET", "HEAD"}
    }
    assert served == set(WRITES)


@pytest.mark.parametrize("route", WRITES)
def test_x8_nothing_is_written_from_another_site(everywhere: Everywhere, route: str) -> None:
    write = WRITES[route]
    before = records(everywhere)
    for headers in ELSEWHERE:
        cookie = f"tablebridge={secret_of(everywhere, write)}"
        form = {"content-type": "application/x-www-form-urlencoded"}
        for content in ({}, form):
            answer = everywhere.http.post(
                url_of(everywhere, write), headers={"cookie": cookie, **headers, **content}, content=b"a=b"
            )
            assert answer.status_code == 403 and "from another site" in answer.text, headers
            assert "set-cookie" not in answer.headers
    assert records(everywhere) == before


@pytest.mark.parametrize("route", RECORDED)
def test_x8_what_is_sent_twice_is_written_once(everywhere: Everywhere, route: str) -> None:
    if everywhere.state()["stage"] == "over":
        everywhere.write("hand", "dealt")
    write = WRITES[route]
    body = {"id": f"twice-{os.getpid()}-{RECORDED.index(route):04d}", **write.body(everywhere)}
    headers = {"authorization": f"Bearer {secret_of(everywhere, write)}"}
    address = url_of(everywhere, write)
    before = records(everywhere)
    first = everywhere.http.post(address, headers=headers, json=body)
    assert first.status_code == 200, first.text
    written = records(everywhere)
    assert len(written) > len(before)
    again = everywhere.http.post(address, headers=headers, json=body)
    assert (again.status_code, again.json()) == (200, first.json())
    assert records(everywhere) == written


@pytest.mark.parametrize("order", ["hide-hole-cards", "focus-seat/2", "focus-seat/0"])
def test_x8_an_order_given_twice_changes_nothing_more(everywhere: Everywhere, order: str) -> None:
    key = f"?key={everywhere.secret('director')}"
    answers = [everywhere.http.post(f"{everywhere.pages.url}/api/director/one/{order}{key}") for _ in "ab"]
    assert [answer.status_code for answer in answers] == [200, 200]

    def held(answer: httpx.Response) -> Body:
        # Who gave the order and when is that of the second.
        return {name: value for name, value in answer.json()["direction"].items() if "wall_ns" not in name}

    assert held(answers[0]) == held(answers[1])


def test_x8_a_wish_of_the_set_up_is_done_once(everywhere: Everywhere) -> None:
    headers = {"authorization": f"Bearer {everywhere.guest}"}
    body = {"id": "wish-twice-0001", "wish": {"type": "name-table", "table": "twice", "seats": "1-3"}}
    address = f"{everywhere.box}/api/setup"
    assert everywhere.http.post(address, headers=headers, json=body).status_code == 200
    everywhere.wish("name-table", table="final", seats="1-2")
    assert everywhere.http.post(address, headers=headers, json=body).status_code == 200
    page = everywhere.http.get(f"{everywhere.box}/setup/devices", headers=headers).text
    assert 'value="final"' in page and 'value="twice"' not in page
