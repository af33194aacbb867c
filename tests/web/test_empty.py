"""No room looks empty: what is missing is named, with what to do next."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.web.auth import Tokens

from .hall import Pages, until
from .live import Room

SITE = 'name = "hall"\nstate_dir = "{state}"\n[broker]\nport = {port}\n[web]\nport = 0\n'
COMMAND = "<code>sudo tablebridge setup --browser</code>"


@pytest.fixture
def nowhere(tmp_path: Path) -> Iterator[httpx.Client]:
    """The pages of a site without tables, for a technician."""
    with EmbeddedBroker(tmp_path, site="hall") as broker:
        site_file = tmp_path / "site.toml"
        site_file.write_text(SITE.format(state=tmp_path, port=broker.port))
        pages = Pages(site_file)
        pages.start()
        _, secret = Tokens(tmp_path).add("technician", "Tom")
        with httpx.Client(
            base_url=pages.url, headers={"authorization": f"Bearer {secret}"}, timeout=60
        ) as client:
            yield client
        pages.end()


def test_a_site_without_tables_says_how_it_gets_some(nowhere: httpx.Client) -> None:
    for path in ("/", "/floor", "/devices"):
        page = nowhere.get(path)
        assert page.status_code == 200
        assert 'data-empty="tables"' in page.text and COMMAND in page.text, path


def test_the_set_up_page_says_how_its_process_is_started(nowhere: httpx.Client) -> None:
    page = nowhere.get("/setup").text
    assert "The set-up process does not run" in page
    assert 'data-copy="sudo tablebridge setup --browser"' in page
    refused = nowhere.post("/api/setup", json={"id": "12345678", "wish": {"type": "apply"}})
    assert refused.status_code == 503 and "tablebridge setup --browser" in refused.json()["sentence"]


@pytest.mark.parametrize(
    "wish",
    [
        {"type": "add-person", "name": "Eve", "role": "floor"},
        {"type": "revoke-person", "id": "4f0c21aa"},
        {"type": "name-phones", "ntfy": "http://10.0.0.9"},
        {"type": "apply-people"},
        {"type": "test-phone", "name": "Eve"},
    ],
)
def test_a_technician_gives_nobody_a_token(nowhere: httpx.Client, wish: dict[str, str]) -> None:
    refused = nowhere.post("/api/setup", json={"id": "12345678", "wish": wish})
    assert refused.status_code == 403 and "tablebridge token" in refused.json()["sentence"]


@pytest.mark.parametrize("role", ["investigator", "broadcast", "director", "metrics"])
def test_roles_that_see_faces_are_not_given_out_on_the_page(nowhere: httpx.Client, role: str) -> None:
    wish = {"type": "add-person", "name": "Eve", "role": role}
    assert nowhere.post("/api/setup", json={"id": "12345678", "wish": wish}).status_code == 400


def test_a_table_without_devices_and_a_night_without_hands_say_what_is_next(room: Room) -> None:
    until(lambda: "hand" in room.state() and room.state()["hand"] == 0, "the engine is there, without a hand")
    bearer = {"authorization": f"Bearer {room.secret('floor', 'Watcher')}"}
    floor = room.http.get(f"{room.pages.url}/floor", headers=bearer).text
    assert 'data-empty="devices"' in floor and 'data-empty="hand"' in floor and COMMAND in floor
    devices = room.http.get(f"{room.pages.url}/devices", headers=bearer).text
    assert 'data-empty="devices"' in devices
    room.write("hand")
    until(lambda: room.state()["hand"] > 0, "a hand has begun")
    until(
        lambda: 'data-empty="hand"' not in room.http.get(f"{room.pages.url}/floor", headers=bearer).text,
        "the tile shows the hand",
    )
