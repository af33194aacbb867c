"""What was found about records, on the floor page: shown after the page, settled in a person's name, and no
page waits for the database.
"""

import re

import pytest
from playwright.sync_api import Browser, expect
from rig.room import SITE
from rig.wait import wait_for

from tablebridge.archive.settling import SiteFindings
from tablebridge.archive.store import Store
from tablebridge.stream.message import Address

from .whole import BOX, Whole

pytestmark = pytest.mark.timeout(300)


def notice(whole: Whole, number: int, site: str = SITE, table: str = "table-1") -> int:
    """Have another continuation found from this number on; the finding's own number."""
    Store(whole.room.engine).notice(Address(site, BOX, table), "forked-chain", number)
    return SiteFindings(whole.room.engine, site).listed()[-1].id


def settled(whole: Whole, id: int) -> list[tuple[str, str]]:
    query = "SELECT by, why FROM settlement WHERE finding_id = :id"
    return [(by, why) for by, why in whole.room.rows(query, id=id)]


def test_a_floor_person_settles_and_both_processes_know_it(whole: Whole) -> None:
    id = notice(whole, 41)
    block = whole.get("/floor/found", process=1).text
    assert f'data-settle="{id}"' in block and "another continuation from number 41" in block
    body = {"id": "test-found-1", "why": "restored on Monday"}
    answer = whole.post(f"/api/found/{id}/settled", body)
    assert (answer.status_code, answer.json()["ok"]) == (200, True)
    assert settled(whole, id) == [("Anna (room)", "restored on Monday")]
    again = whole.post(f"/api/found/{id}/settled", body, process=1)
    assert again.status_code == 409 and "settled already, by Anna (room)" in again.json()["sentence"]
    assert f'data-settle="{id}"' not in whole.get("/floor/found").text
    assert len(settled(whole, id)) == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/found/{id}/settled", {"id": "test-found-2"}, 400),
        ("/api/found/{id}/settled", {"id": "test-found-2", "why": ""}, 400),
        ("/api/found/{id}/settled", {"id": "test-found-2", "why": "x" * 501}, 400),
        ("/api/found/{id}/settled", {"id": "test-found-2", "why": "x", "is_right": True}, 400),
        ("/api/found/{id}/settled", {"id": "short", "why": "x"}, 400),
        ("/api/found/{id}/settled", {"id": "test-found-2", "why": "a\u0000b"}, 409),
        ("/api/found/0/settled", {"id": "test-found-2", "why": "x"}, 409),
        ("/api/found/99999999999999999999999/settled", {"id": "test-found-2", "why": "x"}, 409),
        ("/api/found/x/settled", {"id": "test-found-2", "why": "x"}, 400),
        ("/api/found/{other}/settled", {"id": "test-found-2", "why": "x"}, 409),
    ],
)
def test_what_is_no_reason_or_no_finding_of_this_site_is_refused(
    whole: Whole, path: str, body: dict[str, object], status: int
) -> None:
    id, other = notice(whole, 42), notice(whole, 42, site="elsewhere")
    answer = whole.post(path.format(id=id, other=other), body)
    assert answer.status_code == status and "Traceback" not in answer.text
    assert settled(whole, id) == settled(whole, other) == []
    assert "elsewhere" not in whole.get("/floor/found").text


def test_without_the_right_nothing_is_read_or_written(whole: Whole) -> None:
    id = notice(whole, 43)
    sam = whole.people.add("surveillance", "Sam", by="test")[1]
    for secret, status in ((sam, 403), ("tb_guess", 401)):
        assert whole.get("/floor/found", secret=secret).status_code == status
        answer = whole.http.post(
            f"{whole.pages[0].url}/api/found/{id}/settled",
            headers={"authorization": f"Bearer {secret}"},
            json={"id": "test-found-3", "why": "looked"},
        )
        assert answer.status_code in (401, 403)
    assert settled(whole, id) == []


@pytest.mark.browser
def test_on_the_page_it_is_opened_and_settled_while_the_queue_goes_on(whole: Whole, browser: Browser) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("tile-table-1"), "the tables are there")
    id = notice(whole, 44)
    page = browser.new_page()
    page.goto(f"{whole.pages[1].url}/login?token={whole.secret}&next=/floor")
    item = page.locator(f"#found-{id}")
    item.locator("summary").click()
    expect(item).to_contain_text(re.compile("another continuation from number 44"))
    item.get_by_label("Why").fill("looked into <b>it</b>")
    item.get_by_role("button").click()
    expect(item).to_have_count(0)
    assert settled(whole, id) == [("Anna (room)", "looked into <b>it</b>")]
    page.close()


def test_the_floor_is_shown_while_the_database_is_away(whole: Whole) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("tile-table-1"), "the tables are there")
    whole.room.postgres.pause()
    try:
        assert whole.get("/floor").status_code == 200
        answer = whole.get("/floor/found")
        assert answer.status_code == 503 and "The archive cannot be asked now" in answer.text
    finally:
        whole.room.postgres.start()
    wait_for(lambda: whole.get("/floor/found").status_code == 200, "the archive is back")
