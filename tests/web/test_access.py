"""Who may do what: every route against every role, writes from elsewhere, headers, tokens that come and
go.
"""

import fcntl
import json
import os
import stat
import threading
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from tablebridge.cli.token import command
from tablebridge.web.app import create_app
from tablebridge.web.auth import ROLES, Role, Tokens
from tablebridge.web.hub import Hub

from .hall import Hall, misdeal, site, until, view

STATE: set[Role] = {"floor", "operator", "technician", "surveillance", "investigator"}
TIMELINE: set[Role] = {"floor", "surveillance", "investigator"}
ROUTES: dict[str, set[Role]] = {
    "GET /floor": {"floor", "operator", "technician"},
    "GET /console/main": {"operator", "technician"},
    "GET /figures": {"floor", "operator", "technician"},
    "GET /dealer/main": {"dealer"},
    "GET /live/dealer/main": {"dealer"},
    "GET /devices": {"floor", "operator", "technician"},
    "GET /style": STATE,
    "GET /devices/main/antennas.svg": {"floor", "operator", "technician"},
    "GET /overlay/main": {"broadcast"},
    "GET /overlay/gallery": {"broadcast"},
    "GET /preview/main": {"director"},
    "GET /director/main": {"director"},
    "GET /feeds/main/words.json": {"broadcast"},
    "GET /feeds/main/players/none.png": {"broadcast"},
    "GET /feeds/main/seats.json": {"broadcast"},
    "GET /live/floor": {"floor", "operator", "technician"},
    "GET /live/devices": {"floor", "operator", "technician"},
    "GET /live/tables/main": {"operator", "technician"},
    "GET /live/overlay/main": {"broadcast"},
    "GET /live/preview/main": {"director"},
    "GET /live/director/main": {"director"},
    "GET /api/tables": STATE,
    "GET /api/tables/main/state": STATE,
    "GET /api/tables/main/overlay": {"broadcast"},
    "GET /api/tables/main/findings": STATE,
    "GET /api/alerts": STATE,
    "GET /api/alerts/closed": STATE,
    "GET /api/incidents": STATE,
    "GET /api/devices": {"floor", "operator", "technician"},
    "GET /api/director/main": {"director"},
    "GET /api/openapi.json": STATE,
    "GET /api/room": {"floor", "tournament"},
    "POST /api/room": {"floor", "tournament"},
    "GET /api/room/players": {"floor", "tournament"},
    "POST /api/room/seed": {"floor", "tournament"},
    "POST /api/room/names": {"floor"},
    "GET /room": {"floor", "tournament"},
    "GET /live/room": {"floor", "tournament"},
    "GET /room/players.csv": {"floor", "tournament"},
    "GET /setup": {"technician"},
    "GET /setup/devices": {"technician"},
    "GET /live/setup/devices": {"technician"},
    "POST /api/setup": {"technician"},
    "GET /metrics": {"metrics"},
    "GET /timeline/main": TIMELINE,
    "GET /timeline/main/hands/7": TIMELINE,
    "GET /live/timeline/main": TIMELINE,
    "GET /api/tables/main/hands": TIMELINE,
    "GET /api/tables/main/chain": TIMELINE,
    "GET /api/tables/main/hands/7/timeline": TIMELINE,
    "GET /timeline/main/hands/7/trace.json": TIMELINE,
    "GET /timeline/main/hands/7/lane.csv": TIMELINE,
    "GET /timeline/main/hands/7/bundle.zip": TIMELINE,
    "POST /api/tables/main/hands/7/access": {"investigator"},
    "POST /api/tables/main/hands/7/review": TIMELINE,
    "POST /api/tables/main/hands/7/bookmark": TIMELINE,
    "POST /api/tables/main/lines": {"floor", "operator"},
    "POST /api/tables/main/dealer/lines": {"dealer"},
    "POST /api/tables/main/dealer/undo": {"dealer"},
    "POST /api/tables/main/dealer/settled": {"dealer"},
    "POST /api/tables/main/undo": {"operator", "floor"},
    "POST /api/tables/main/redo": {"operator"},
    "POST /api/director/main/hide-chip-counts": {"director"},
    "POST /api/director/main/focus-seat/0": {"director"},
    "POST /api/tables/main/preview": {"operator"},
    "POST /api/tables/main/typing": {"operator"},
    "POST /api/tables/main/alerts/812.0/taken": {"floor"},
    "POST /api/shift/test": {"floor"},
    "POST /api/pass": set(),
    "POST /api/tables/main/shelf": {"floor"},
    "POST /api/tables/main/service": {"floor"},
}


def ask(hall: Hall, route: str, headers: dict[str, str], query: str = "") -> int:
    """The status alone; a stream is closed after its first bytes."""
    method, path = route.split()
    with hall.http.stream(
        method, hall.url + path + query, headers=headers, json={} if method == "POST" else None
    ) as answer:
        return answer.status_code


def test_every_route_is_in_the_matrix(hall: Hall) -> None:
    open_to_all = {
        "/health",
        "/health/ready",
        "/login",
        "/logout",
        "/language",
        "/",
        "/static/{version}/{name}",
        "/cards/{name}.png",
        "/graphics/{name}",
    }
    here = site(hall.folder)
    served: set[str] = set()
    for holder in create_app(here, Hub(here)).routes:
        for route in getattr(getattr(holder, "original_router", None), "routes", [holder]):
            served |= {f"{method} {route.path}" for method in route.methods if route.path not in open_to_all}
    named = {
        route.replace("/main", "/{table}")
        .replace("/hands/7", "/hands/{hand}")
        .replace("812.0", "{alert}")
        .replace("/taken", "/{to}")
        .replace("seats.json", "{name}")
        .replace("none.png", "{file}")
        .replace("focus-seat/0", "{order}/{what}")
        .replace("hide-chip-counts", "{order}")
        .replace("setup/devices", "setup/{leaf}")
        for route in ROUTES
    }
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
        # Whoever may come in is answered by the route itself: 400 for the empty body, 404 for a picture not
        # there yet.
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


def test_a_token_with_an_end_is_good_until_then_everywhere(hall: Hall) -> None:
    end = int(time.time()) + 6
    _, secret = hall.tokens.add("floor", "Zoe", None, end)
    bearer = {"authorization": f"Bearer {secret}"}
    assert ask(hall, "GET /api/alerts", bearer) == 200
    until(lambda: time.time() > end, "it has ended")
    for route in ("GET /api/alerts", "GET /floor", "GET /live/floor", "POST /api/tables/main/lines"):
        assert ask(hall, route, bearer) == 401, route
    with httpx.Client(base_url=hall.url) as browser:
        assert browser.get("/login", params={"token": secret}).status_code == 401
        assert browser.get("/", headers={"cookie": f"tablebridge={secret}"}).status_code == 303


def test_a_token_can_have_an_end_and_the_list_shows_it(tmp_path: Path) -> None:
    site_file = tmp_path / "site.toml"
    site_file.write_text(f'name = "t"\nstate_dir = "{tmp_path}"\n[[table]]\nname = "main"\n')
    run, site = CliRunner(), ["--site", str(site_file)]
    for name, end, seconds in (("Ann", "30m", 1800), ("Bob", "8h", 28_800), ("Cleo", "14d", 1_209_600)):
        answer = run.invoke(command, ["add", "floor", name, "--expires", end, "--json", *site])
        assert abs(json.loads(answer.output)["expires_wall_s"] - time.time() - seconds) < 60, answer.output
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() + 200_000))
    answer = run.invoke(command, ["add", "broadcast", "OBS", "--expires", day, *site])
    assert f", ends {time.strftime('%Y-%m-%d', time.localtime(time.time() + 286_400))} 00:00" in answer.output
    for wrong in ("", "8", "0h", "-1h", "8w", "soon", "2020-01-01", "999999d", "9999-12-31", "9" * 400 + "h"):
        answer = run.invoke(command, ["add", "floor", "Zed", "--expires", wrong, *site])
        assert answer.exit_code == 2 and "is no end that lies ahead" in answer.output, wrong
    kept = Tokens(tmp_path, lambda: time.time() + 40 * 60)
    assert [kept.expired(token) for token in kept.all()] == [True, False, False, False]
    listed = run.invoke(command, ["list", *site]).output.splitlines()
    assert len(listed) == 4 and all(", ends 2" in line for line in listed)
    (ended, *_) = kept.all()
    tokens = tmp_path / "tokens" / "tokens.json"
    tokens.write_text(tokens.read_text().replace(str(ended.expires_wall_s), "1000000000"))
    assert ", ended 2001-09-0" in run.invoke(command, ["list", *site]).output
    assert not Tokens(tmp_path).is_valid(ended)


def test_tokens_of_an_older_version_are_good(tmp_path: Path) -> None:
    token, secret = Tokens(tmp_path).add("floor", "Anna")
    path = tmp_path / "tokens" / "tokens.json"
    path.write_text(path.read_text().replace(',"expires_wall_s":null', ""))
    assert Tokens(tmp_path).find(secret) == token


def test_a_stream_of_a_token_that_cannot_be_looked_up_does_not_go_on(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    token, _ = tokens.add("floor", "Anna")
    assert tokens.is_valid(token)
    (tmp_path / "tokens" / "tokens.json").write_text("{")
    assert not tokens.is_valid(token)


def test_the_link_signs_in_with_a_strict_cookie(hall: Hall) -> None:
    with httpx.Client(base_url=hall.url) as browser:
        answer = browser.get("/login", params={"token": hall.secret("floor"), "next": "/floor"})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and 'url=/floor"' in answer.text
        assert browser.get("/floor").status_code == 200
        assert browser.post("/logout", headers={"origin": hall.url}).status_code == 200
        assert browser.get("/floor").status_code == 401


@pytest.mark.parametrize(
    "following", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:x"]
)
def test_signing_in_leads_nowhere_else(hall: Hall, following: str) -> None:
    answer = hall.http.get(hall.url + "/login", params={"token": hall.secret("floor"), "next": following})
    assert 'content="0; url=/"' in answer.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "OWN"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({}, 403),
        ({"origin": "http://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "OWN"}, 403),
        ({"authorization": "Bearer x", "origin": "http://elsewhere.example"}, 403),
    ],
)
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
            "frame-ancestors 'none'"
        ), path
        assert (headers["x-content-type-options"], headers["referrer-policy"], headers["cache-control"]) == (
            "nosniff",
            "no-referrer",
            "no-store",
        ), path
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
    path = hall.folder / "tokens" / "tokens.json"
    assert secret not in path.read_text() and stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_who_write_tokens_wait_for_each_other(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    tokens.add("floor", "Anna")
    other = threading.Thread(target=Tokens(tmp_path).add, args=("floor", "Boris"))
    held = os.open(tmp_path / "tokens" / "tokens.lock", os.O_RDWR)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        other.start()
        other.join(0.5)
        assert other.is_alive() and [token.name for token in tokens.all()] == ["Anna"], (
            "another one is writing"
        )
    finally:
        os.close(held)
    other.join(60)
    assert [token.name for token in tokens.all()] == ["Anna", "Boris"]


def test_a_cookie_that_came_over_tls_is_never_sent_without(hall: Hall) -> None:
    for scheme, secure in (("https", True), ("http", False)):
        answer = hall.http.get(
            f"{hall.url}/login?token={hall.secret('floor')}", headers={"x-forwarded-proto": scheme}
        )
        cookie = answer.headers["set-cookie"]
        assert ("Secure" in cookie) == secure and "HttpOnly" in cookie and "SameSite=strict" in cookie
    hall.http.cookies.clear()


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
