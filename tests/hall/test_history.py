"""Timeline and figures from a real archive: what they show, what they ask, and what happens without it."""

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from rig.wait import wait_for
from sqlalchemy import text

from tablebridge.bus import topics
from tablebridge.hall import history as asked
from tablebridge.hall.history import History

from .whole import Whole, a_view

pytestmark = pytest.mark.timeout(300)
OLD = date(2025, 3, 1)
FILL = """
INSERT INTO played_table (site, name, box)
  SELECT 'big', 'table-' || n, 'b' FROM generate_series(1, 40) n;
INSERT INTO hand (segment_id, began, table_id, day, at, ended, hand)
  SELECT 1000 + t.id, n * 50, t.id, date '2025-03-01' + n % 30,
    timestamptz '2025-03-01 18:00Z' + n * interval '2 min',
    timestamptz '2025-03-01 18:01Z' + n * interval '2 min', n
  FROM played_table t, generate_series(1, 300) n WHERE t.site = 'big';
INSERT INTO finding
  (segment_id, number, table_id, day, at, id, finding, severity, hand, seat, cause, rule, device)
  SELECT h.segment_id, h.began + 7, h.table_id, h.day, h.at, 'f' || h.began,
    (ARRAY['misdeal', 'out-of-turn', 'exposed-card'])[1 + h.hand % 3],
    (ARRAY['critical', 'warning', 'notice'])[1 + h.hand % 3], h.hand, 3, '', '35-D', ''
  FROM hand h WHERE h.segment_id > 1000;
INSERT INTO alert (table_id, alert, segment_id, number, state, by, at)
  SELECT table_id, id, segment_id, number, CASE WHEN hand % 50 = 0 THEN 'taken' ELSE 'closed' END, 'Anna', at
  FROM finding WHERE segment_id > 1000;
ANALYZE hand; ANALYZE finding; ANALYZE alert; ANALYZE played_table;
"""


@pytest.fixture(scope="module")
def filled(whole: Whole) -> Whole:
    """12,000 hands of 40 tables of a site of its own."""
    with whole.room.engine.begin() as db:
        for statement in filter(None, map(str.strip, FILL.split(";"))):
            db.execute(text(statement))
    return whole


def number_of(whole: Whole, name: str) -> int:
    return History(whole.room.engine, "big").tables()[name]


def test_a_night_has_its_hands_with_what_was_found_in_each(filled: Whole) -> None:
    history = History(filled.room.engine, "big")
    night = history.night(number_of(filled, "table-3"), OLD)
    assert [hand.number for hand in night.hands] == list(range(30, 301, 30))
    assert [[one.number - hand.began for one in hand.found] for hand in night.hands] == [[7]] * 10
    assert night.hands[0].lasted_s == 60 and night.beside == [] and not night.cut
    assert dict(night.kinds) == {"misdeal": 10}
    assert history.night(number_of(filled, "table-3"), OLD, "no-such-finding").hands == []


def test_the_figures_of_a_day_are_those_of_its_hands(filled: Whole) -> None:
    day = History(filled.room.engine, "big").day(OLD)
    assert len(day.pace) == 40 and {one.hands for one in day.pace} == {10}
    assert all(one.per_hour is not None and 1.0 < one.per_hour < 1.2 for one in day.pace)
    assert [(one.finding, one.critical, one.warning) for one in day.alerts] == [("misdeal", 400, 0)]
    assert day.alerts[0].open == 80


@pytest.mark.parametrize("query", ["HANDS", "FOUND", "KINDS", "PACE", "ALERTS"])
def test_a_question_reads_by_an_index_and_not_the_whole_table(filled: Whole, query: str) -> None:
    values = {
        "table": number_of(filled, "table-3"),
        "day": OLD,
        "kind": "",
        "most": 600,
        "site": "big",
    }
    sql = getattr(asked, query)
    with filled.room.engine.connect() as db:
        plan = "\n".join(row[0] for row in db.execute(text(f"EXPLAIN {sql}"), values))
    assert not re.search(r"Seq Scan on (hand|finding|alert)\b", plan), plan
    assert "Index" in plan, plan


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/timeline?table=nowhere", 404),
        ("/timeline?day=soon", 400),
        ("/timeline?day=9999-12-31", 400),
        ("/figures?day=-1", 400),
        ("/figures?day=2025-03-01", 200),
        ("/timeline?kind=%00", 200),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(whole: Whole, path: str, status: int) -> None:
    answer = whole.get(path)
    assert answer.status_code == status, answer.text
    assert "Traceback" not in answer.text


def test_surveillance_sees_the_timeline_and_not_the_floor(whole: Whole) -> None:
    secret = whole.people.add("surveillance", "Sam", by="test")[1]
    assert whole.get("/timeline", secret=secret).status_code == 200
    for path in ("/floor", "/wall", "/figures", "/live/floor"):
        assert whole.get(path, secret=secret).status_code == 403, path


def test_without_the_database_live_pages_go_on_and_history_is_said_to_be_missing(whole: Whole) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("tile-table-1"), "the tables are there")
    whole.room.postgres.pause()
    try:
        whole.engine.say(topics.STATE, a_view(pot=6100), "table-1")
        wait_for(lambda: whole.shows("6\u202f100"), "the live page goes on")
        answer = whole.get("/figures")
        assert answer.status_code == 503 and "The archive cannot be asked now" in answer.text
        assert whole.get("/floor", secret="tb_nobody").status_code == 401
    finally:
        whole.room.postgres.start()
    wait_for(lambda: whole.get("/figures").status_code == 200, "the archive is back")


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_wider_than_the_window(
    filled: Whole, browser: Browser, width: int, tmp_path: Path
) -> None:
    filled.engine.begin()
    wait_for(lambda: filled.shows("tile-table-1"), "the tables are there")
    page = browser.new_page(viewport={"width": width, "height": 900})
    for path in ("/floor", "/wall", "/timeline", "/figures"):
        page.goto(f"{filled.pages[0].url}/login?token={filled.secret}&next={path}")
        expect(page).to_have_url(re.compile(path))
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path
    page.close()
