"""Live pictures of a box on the floor page and wall of its room, through real servers and two processes."""

import re
import time

import pytest
from playwright.sync_api import Browser, expect
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.stream.configuration import RUNS, Running, encode_running, key_of
from tablebridge.stream.pictures import PICTURES
from tablebridge.uplink.commands import NO_ENGINE

from .whole import BOX, Whole, a_view, an_alert

pytestmark = pytest.mark.timeout(300)


def test_a_picture_and_its_alert_are_on_the_pages_of_both_processes(whole: Whole) -> None:
    whole.engine.begin()
    whole.engine.say(topics.STATE, a_view(pot=7300), "table-1")
    whole.engine.alerts(an_alert("a1"))
    for process in (0, 1):
        wait_for(lambda process=process: whole.shows("7\u202f300", process), "the pot of table 1")
        wait_for(lambda process=process: whole.shows("incident-table-1-hand-12", process), "its alert")
        wait_for(lambda process=process: whole.shows("Misdeal", process, "/wall"), "the same on the wall")


def test_the_queue_has_the_alerts_of_all_tables_worst_and_oldest_first(whole: Whole) -> None:
    whole.engine.begin()
    whole.engine.alerts(an_alert("b1", severity="warning", raised_s=50), table="table-1")
    whole.engine.alerts(
        an_alert("b2", "table-2", raised_s=5, device="d1"),
        an_alert("b3", "table-2", raised_s=9, device="d2"),
        table="table-2",
    )
    wait_for(lambda: whole.shows("incident-table-2-device-d1"), "the alerts of table 2")
    wait_for(lambda: whole.shows("incident-table-1-hand-12"), "the alert of table 1")
    found = re.findall(r'id="incident-([\w-]+)"', whole.get("/floor").text)
    assert found == ["table-2-device-d2", "table-2-device-d1", "table-1-hand-12"]


def test_without_a_token_there_is_no_page(whole: Whole) -> None:
    for path in ("/floor", "/wall", "/live/floor"):
        assert whole.http.get(whole.pages[0].url + path).status_code == 401, path
        assert whole.get(path, secret="tb_nobody").status_code == 401, path
    answer = whole.http.post(f"{whole.pages[0].url}/api/tables/table-1/alerts/a1/taken", json={"id": "x" * 8})
    assert answer.status_code == 403, "a write that shows nothing"


def test_a_link_is_good_for_one_browser_on_any_process_and_a_revoked_token_for_none(whole: Whole) -> None:
    token, secret = whole.people.add("floor", "Boris", once=True, by="test")
    first = whole.http.get(f"{whole.pages[0].url}/login?token={secret}")
    cookie = first.cookies["tablebridge"]
    whole.http.cookies.clear()
    assert whole.http.get(f"{whole.pages[1].url}/login?token={secret}").status_code == 401
    for process in (1, 0):
        shown = whole.http.get(
            f"{whole.pages[process].url}/floor", headers={"cookie": f"tablebridge={cookie}"}
        )
        assert shown.status_code == 200 and "Boris" in shown.text
    kept = whole.room.rows("SELECT hash, link FROM person WHERE id = :id", id=token.id)
    assert secret not in str(kept) and cookie not in str(kept)
    assert whole.room.rows("SELECT what FROM given WHERE person = :id ORDER BY number", id=token.id) == [
        ("given",),
        ("opened",),
    ]
    whole.people.revoke(token.id, "test")
    for page in whole.pages:
        wait_for(
            lambda page=page: (
                whole.http.get(f"{page.url}/floor", headers={"cookie": f"tablebridge={cookie}"}).status_code
                == 401
            ),
            "the token is refused",
        )


@pytest.mark.browser
def test_a_killed_uplink_shows_the_age_of_what_is_known(whole: Whole, browser: Browser) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows('"tile hall-tile live'), "the tables are live")
    page = browser.new_page()
    page.goto(f"{whole.pages[1].url}/login?token={whole.secret}&next=/floor")
    tile = page.locator("#tile-table-1")
    expect(tile).to_have_class(re.compile(r"\blive\b"))
    whole.uplink.end()
    killed = time.monotonic()
    try:
        expect(tile).to_contain_text("no link")
        expect(tile).to_contain_text(re.compile(r"last heard 0:[1-5]\d ago"))
        expect(tile).to_contain_text("hand 12")
        assert time.monotonic() - killed < 60
        expect(page.locator("#live")).to_contain_text("0 of 2 tables followed")
    finally:
        whole.uplink.start()
    expect(tile).to_have_class(re.compile(r"\blive\b"))
    expect(tile).not_to_contain_text("last heard")
    page.close()


def test_an_engine_that_is_away_is_not_taken_for_a_link_that_is_gone(whole: Whole) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows('"tile hall-tile live'), "the tables are live")
    whole.engine.beats = False
    wait_for(lambda: whole.shows("its engine is away"), "the engine is away")
    assert not whole.shows("no link")
    whole.engine.begin()
    wait_for(lambda: not whole.shows("its engine is away"), "the engine is back")


@pytest.mark.parametrize(
    "value",
    [b"", b"no picture", b'{"table": "elsewhere"}', b'{"table": "table-1", "more": -1}', b"[" * 100_000],
)
def test_a_value_that_is_no_picture_changes_no_page(whole: Whole, value: bytes) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("tile-table-2"), "the tables are there")
    for key in (f"{BOX}.table-1", f"{BOX}.invented", "other.table-1"):
        whole.put(f"$KV.TABLES.{key}", value)
    whole.engine.say(topics.STATE, a_view(pot=1234), "table-1")
    wait_for(lambda: whole.shows("1\u202f234"), "the next picture")
    assert not whole.shows("invented") and not whole.shows("table-1@")


def test_an_act_that_no_engine_answers_is_refused_in_words(whole: Whole) -> None:
    whole.engine.begin()
    whole.engine.alerts(an_alert("c1"))
    wait_for(lambda: whole.shows("incident-table-1-hand-12"), "the alert")
    answer = whole.post("/api/tables/table-1/alerts/c1/taken", {"id": "test-000001"})
    assert (answer.status_code, answer.json()["sentence"]) == (
        503,
        NO_ENGINE,
    )
    for path, status in (
        ("/api/tables/table-1/alerts/none/taken", 404),
        ("/api/tables/table-9/alerts/c1/taken", 404),
        ("/api/tables/table-1/alerts/c1/ruled", 404),
    ):
        assert whole.post(path, {"id": "test-000002"}).status_code == status, path


def test_the_figures_say_which_configuration_a_box_runs(whole: Whole) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("table-1", path="/figures"), "the table on the page")
    assert not whole.shows("opening-night", path="/figures")
    whole.make_buckets()
    for state, words in (("waits", "waits until the box takes it"), ("runs", "it runs")):
        said = Running(7, "opening-night", state, time.time_ns())  # type: ignore[arg-type]
        whole.put(key_of(RUNS, BOX), encode_running(said))
        wait_for(lambda words=words: whole.shows(words, path="/figures"), words)  # type: ignore[misc]
    refused = Running(8, "late-night", "refused", time.time_ns(), ('site.toml:3: pin = "1234"',))
    whole.put(key_of(RUNS, BOX), encode_running(refused))
    wait_for(lambda: whole.shows("late-night", path="/figures"), "the newest version")
    page = whole.get("/figures").text
    assert f"tablebridge site versions {BOX} says why" in page
    assert "1234" not in page, "a fault quotes the site file, which is not the floor's to read"
    whole.put(key_of(RUNS, BOX), b"no report")
    wait_for(lambda: not whole.shows("late-night", path="/figures"), "nothing readable is nothing")


def test_a_bucket_of_pictures_that_was_deleted_is_made_again_and_filled(whole: Whole) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("tile-table-1"), "the tables are there")
    whole.delete_stream(PICTURES)
    whole.engine.say(topics.STATE, a_view(pot=7300), "table-1")
    for process in (0, 1):
        wait_for(lambda process=process: whole.shows("7\u202f300", process), "what came after it")  # type: ignore[misc]
