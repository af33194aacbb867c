"""People and phones of the set-up: real tokens, the real file of people, and a test to a real server."""

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig.wait import wait_for

from tablebridge.doctor.setup_process.people_desk import PeopleDesk
from tablebridge.doctor.setup_process.progress import Progress
from tablebridge.doctor.setup_process.site_desk import SiteDesk
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.settings.people import load_people
from tablebridge.settings.state import TOKENS_FILE, TOKENS_GIVEN
from tablebridge.steps import picture as wishes
from tablebridge.web.auth import Tokens


@pytest.fixture
def ntfy() -> Iterator[tuple[str, list[dict[str, object]]]]:
    """An ntfy server: its address, and what was published."""
    published: list[dict[str, object]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            published.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", published
    server.shutdown()
    server.server_close()


@pytest.fixture
def people(tmp_path: Path) -> PeopleDesk:
    return PeopleDesk(SiteDesk(tmp_path / "site.toml", tmp_path / "state", None), Progress())


def test_a_person_gets_a_link_for_one_browser_and_a_phone_its_test(
    people: PeopleDesk, tmp_path: Path, ntfy: tuple[str, list[dict[str, object]]]
) -> None:
    server, published = ntfy
    people.do(wishes.NamePhones(server), "final", "at the box")
    given = people.do(wishes.AddPerson(" Anna  K ", "floor", "yes", "floor", "ru"), "final", "at the box")
    assert given is not None and given.name == "Anna K" and given.topic.startswith(f"{server}/tb-")
    topic = given.topic.rpartition("/")[2]
    (row,) = people.view().people
    assert row.waits and not people.passes
    assert f'+ways = ["ntfy:{topic}"]' in people.view().diff
    file = tmp_path / "people.toml"
    assert not file.exists()
    people.do(wishes.ApplyPeople(), "final", "at the box")
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_people(file, ()).people[0].ways == (f"ntfy:{topic}",)
    assert people.view().diff == () and people.view().phones[0].written
    people.do(wishes.TestPhone("Anna K"), "final", "at the box")
    wait_for(lambda: people.view().phones[0].test == "accepted", "the server accepted it")
    assert [message["topic"] for message in published] == [topic] and people.passes
    assert [rung.people for rung in people.view().ladder] == [("Anna K",)] * 5


def test_a_phone_that_nothing_reaches_says_what_to_do(people: PeopleDesk) -> None:
    people.do(wishes.NamePhones("http://127.0.0.1:9"), "final", "at the box")
    people.do(wishes.AddPerson("Boris", "floor", "yes"), "final", "at the box")
    people.do(wishes.TestPhone("Boris"), "final", "at the box")
    wait_for(lambda: people.view().phones[0].test == "failed", "it failed")
    assert "start it, or name another one" in people.view().phones[0].why and not people.passes


@pytest.mark.parametrize(
    "wish",
    [
        wishes.AddPerson("Anna", "floor", "yes"),
        wishes.NamePhones("ftp://x"),
        wishes.ApplyPeople(),
        wishes.TestPhone("Nobody"),
        wishes.RevokePerson("none"),
        wishes.AddPerson(" ", "floor"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(people: PeopleDesk, wish: wishes.PeopleWish) -> None:
    people.do(wishes.AddPerson("Anna", "floor", "yes"), "final", "at the box")
    people.phones = people.phones if isinstance(wish, wishes.AddPerson) else []
    with pytest.raises((Refused, ConfigError)):
        people.do(wish, "final", "at the box")


def test_a_link_is_good_once_within_a_day_and_all_of_it_is_recorded(tmp_path: Path) -> None:
    now = [1_000_000.0]
    tokens = Tokens(tmp_path, lambda: now[0])
    token, link = tokens.add("floor", "Anna", link_s=3600, by="Rita")
    late, late_link = tokens.add("floor", "Boris", link_s=3600)
    assert tokens.find(link) is None, "the link is no token"
    opened = tokens.exchange(link)
    assert opened is not None and opened[0].name == "Anna" and opened[1] != link
    assert tokens.exchange(link) is None and tokens.find(link) is None, "a second browser is refused"
    assert (found := tokens.find(opened[1])) is not None and found.id == token.id
    now[0] += 3600
    assert tokens.exchange(late_link) is None, "nobody came in time"
    tokens.revoke(late.id, by="Rita")
    lines = [json.loads(line) for line in TOKENS_GIVEN.path(tmp_path).read_text().splitlines()]
    assert [(line["what"], line["by"], line["name"]) for line in lines] == [
        ("given", "Rita", "Anna"),
        ("given", "command", "Boris"),
        ("opened", "Anna", "Anna"),
        ("revoked", "Rita", "Boris"),
    ]
    kept = TOKENS_FILE.path(tmp_path).read_text() + TOKENS_GIVEN.path(tmp_path).read_text()
    assert link not in kept and opened[1] not in kept
