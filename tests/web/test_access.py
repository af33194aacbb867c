"""Who may do what: every route against every role, writes from elsewhere, headers, tokens that come and go."""

import stat
from pathlib import Path

import httpx
import pytest

from tablebridge.web.app import create_app
from tablebridge.web.auth import ROLES, Role, Tokens
from tablebridge.web.hub import Hub

from .conftest import Hall, misdeal, site, until, view

ROUTES: dict[str, set[Role]] = {
    "GET /floor": {"floor", "operator", "technician"},
    "GET /console/main": {"operator", "technician"},
    "GET /devices": {"floor", "operator", "technician"},
    "GET /devices/main/antennas.svg": {"floor", "operator", "technician"},
    "GET /overlay/main": {"broadcast"},
    "GET /live/floor": {"floor", "operator", "technician"},
    "GET /live/devices": {"floor", "operator", "technician"},
    "GET /live/tables/main": {"operator", "technician"},
    "GET /live/overlay/main": {"broadcast"},
    "GET /api/tables": {"floor", "operator", "technician"},
    "GET /api/tables/main/state": {"floor", "operator", "technician"},
    "GET /api/tables/main/overlay": {"broadcast"},
    "GET /api/alerts": {"floor", "operator", "technician"},
    "GET /api/devices": {"floor", "operator", "technician"},
    "POST /api/tables/main/lines": {"floor", "operator"},
    "POST /api/tables/main/undo": {"operator", "floor"},
    "POST /api/tables/main/alerts/812.0/taken": {"floor"},
}


def ask(hall: Hall, route: str, headers: dict[str, str], query: str = "") -> int:
    """The status alone; a stream is closed after its first bytes."""
    method, path = route.split()
    with hall.http.stream(method, hall.url + path + query, headers=headers, json={} if method == "POST" else None) as answer:
        return answer.status_code


def test_every_route_is_in_the_matrix(hall: Hall) -> None:
    open_to_all = {"/health", "/login", "/logout", "/", "/static/{version}/{name}"}
    here = site(hall.folder)
    served: set[str] = set()
    for holder in create_app(here, Hub(here)).routes:
        for route in getattr(getattr(holder, "original_router", None), "routes", [holder]):
            served |= {f"{method} {route.path}" for method in route.methods if route.path not in open_to_all}
    named = {route.replace("/main", "/{table}").replace("812.0", "{alert}").replace("/taken", "/{to}") for route in ROUTES}
    assert served == named


@pytest.mark.parametrize("route", ROUTES)
def test_nobody_is_told_anything(hall: Hall, route: str) -> None:
    assert ask(hall, route, {}) == (401 if route.startswith("GET") else 403)
    assert ask(hall, route, {"authorization": "Bearer tb_guess"}) == 401


@pytest.mark.parametrize("route", ROUTES)
def test_each_role_opens_its_own(hall: Hall, route: str) -> None:
    hall.engine.show(view(rev=10))
    until(lambda: hall.get("/api/tables/main/state", "floor").status_code == 200, "the state is known")
    for role in ROLES:
        status = ask(hall, route, {"authorization": f"Bearer {hall.secret(role)}"})
        # Whoever may come in is answered by the route itself: 400 for the empty body, 404 for a picture not there yet.
        assert status in ({200, 400, 404} if role in ROUTES[route] else {403}), (route, role)


def test_a_key_in_the_address_opens_the_overlay_alone(hall: Hall) -> None:
    key = f"?key={hall.secret('broadcast')}"
    assert ask(hall, "GET /overlay/main", {}, key) == 200
    assert ask(hall, "GET /overlay/main", {}, f"?key={hall.secret('floor')}") == 403
    assert ask(hall, "GET /floor", {}, f"?key={hall.secret('floor')}") == 401


def test_a_token_for_one_table_is_good_there_only(hall: Hall) -> None:
    bearer = {"authorization": f"Bearer {hall.secret('operator', 'Boris', 'side')}"}
    assert ask(hall, "GET /console/side", bearer) == 200
    assert ask(hall, "GET /console/main", bearer) == 403
    tables = hall.http.get(hall.url + "/api/tables", headers=bearer).json()["tables"]
    assert [row["table"] for row in tables] == ["side"]


def test_a_revoked_token_is_refused_at_once(hall: Hall) -> None:
    token, secret = hall.tokens.add("floor", "Zoe")
    bearer = {"authorization": f"Bearer {secret}"}
    assert ask(hall, "GET /api/alerts", bearer) == 200
    hall.tokens.revoke(token.id)
    assert ask(hall, "GET /api/alerts", bearer) == 401


def test_the_link_signs_in_with_a_strict_cookie(hall: Hall) -> None:
    with httpx.Client(base_url=hall.url) as browser:
        answer = browser.get("/login", params={"token": hall.secret("floor"), "next": "/floor"})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and 'url=/floor"' in answer.text
        assert browser.get("/floor").status_code == 200
        assert browser.post("/logout", headers={"origin": hall.url}).status_code == 200
        assert browser.get("/floor").status_code == 401


@pytest.mark.parametrize("following", [
    "https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:x"])
def test_signing_in_leads_nowhere_else(hall: Hall, following: str) -> None:
    answer = hall.http.get(hall.url + "/login", params={"token": hall.secret("floor"), "next": following})
    assert 'content="0; url=/"' in answer.text


@pytest.mark.parametrize(("headers", "status"), [
    ({"sec-fetch-site": "same-origin"}, 200), ({"sec-fetch-site": "none"}, 200), ({"origin": "OWN"}, 200),
    ({"sec-fetch-site": "cross-site"}, 403), ({"sec-fetch-site": "same-site"}, 403), ({}, 403),
    ({"origin": "http://elsewhere.example"}, 403), ({"origin": "null"}, 403),
    ({"sec-fetch-site": "cross-site", "origin": "OWN"}, 403),
    ({"authorization": "Bearer x", "origin": "http://elsewhere.example"}, 403),
])
def test_a_write_from_another_site_is_refused(hall: Hall, headers: dict[str, str], status: int) -> None:
    headers = {name: value.replace("OWN", hall.url) for name, value in headers.items()}
    with httpx.Client(base_url=hall.url, cookies={"tablebridge": hall.secret("operator")}) as browser:
        body = {"id": hall.new_id(), "lines": ["hand"]}
        answer = browser.post("/api/tables/main/lines", json=body, headers={**headers})
    assert answer.status_code == status
    assert (body["id"] in [command.id for command in hall.engine.commands]) == (status == 200)


def test_every_answer_carries_the_headers(hall: Hall) -> None:
    hall.engine.raise_alert(misdeal())
    for path in ("/login", "/floor", "/health", "/api/alerts", "/nothing"):
        headers = hall.get(path, "floor").headers
        assert headers["content-security-policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
            "connect-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; "
            "frame-ancestors 'none'"), path
        assert (headers["x-content-type-options"], headers["referrer-policy"], headers["cache-control"]) == (
            "nosniff", "no-referrer", "no-store"), path
    overlay = hall.get("/overlay/main", "broadcast").headers["content-security-policy"]
    assert "style-src 'self' 'unsafe-inline'" in overlay and "script-src 'self';" in overlay


def test_scripts_are_open_and_kept_by_version(hall: Hall) -> None:
    page = hall.get("/floor", "floor").text
    path = page.split('src="', 1)[1].split('"', 1)[0]
    answer = hall.http.get(hall.url + path)
    assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
    assert hall.http.get(hall.url + "/static/x/..%2f..%2fauth.py").status_code == 404
    assert hall.http.get(hall.url + "/static/x/auth.py").status_code == 404


def test_only_the_hash_is_kept_and_only_the_owner_reads_it(hall: Hall) -> None:
    secret = hall.secret("operator")
    path = hall.folder / "tokens.json"
    assert secret not in path.read_text() and stat.S_IMODE(path.stat().st_mode) == 0o600


def test_last_use_is_kept(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path, lambda: 1000.0)
    token, secret = tokens.add("floor", "Anna")
    assert tokens.find(secret) == token and Tokens(tmp_path).used() == {token.id: 1000}
    assert tokens.find(secret + "x") is None and tokens.find("") is None


def test_no_page_for_staff_holds_a_hidden_face(hall: Hall) -> None:
    hall.engine.show(view(rev=60))
    until(lambda: hall.get("/api/tables/main/state", "floor").json().get("rev") == 60, "the state is known")
    text = hall.get("/console/main", "operator").text + hall.get("/floor", "floor").text
    for hidden in ("Qh", "queen of hearts", "Q♥"):
        assert hidden not in text
