"""The timeline in a real browser, over a real engine and the journal of a recorded night."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablebridge.journal.read import entries, findings
from tablebridge.model.cards import DECK_52
from tablebridge.model.events import Access
from tablebridge.timeline.bundle import UnsoundBundle, checked
from tablebridge.web.auth import Role

from .archive import LONG_CYCLES, LONG_HAND, OUTAGE_HAND, OUTAGE_S, Archive, archive_in

pytestmark = pytest.mark.browser
HANDS = range(1, 8)
FACES = re.compile(r"\b(?:[2-9TJQKA][cdhs])\b")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with archive_in(tmp_path_factory.mktemp("archive")) as archive:
        yield archive


class Watcher:
    """A browser of one person at the timeline. `complaints`: what the console said."""

    def __init__(
        self, archive: Archive, browser: Browser, role: Role = "surveillance", **options: Any
    ) -> None:
        self.archive = archive
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{archive.pages.url}/login?token={archive.secret(role)}")
        self.page.wait_for_url(f"{archive.pages.url}/")

    def hand(self, number: int, address: str = "") -> Page:
        """The page of a hand, read and live."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.archive.pages.url}/timeline/one/hands/{number}{address}")
        expect(self.page.locator("body")).to_have_attribute("data-read", re.compile("[1-9]"))
        expect(self.page.locator("body")).to_have_attribute("data-state", "live")
        return self.page


@pytest.fixture
def watchers(archive: Archive, browser: Browser) -> Iterator[Any]:
    made: list[Watcher] = []

    def watcher(role: Role = "surveillance", **options: Any) -> Watcher:
        made.append(Watcher(archive, browser, role, **options))
        return made[-1]

    yield watcher
    for one in made:
        one.context.close()


def recorded(archive: Archive) -> tuple[dict[int, tuple[str, ...]], dict[str, tuple[int, ...]]]:
    """By entry the readings that it rests on, and by finding its entries, as the journal has them."""
    journal = archive.journal()
    rests = {entry.id: entry.evidence for entry in entries(journal)}
    found = {
        finding.id: (*finding.evidence, int(finding.id.partition(".")[0])) for finding in findings(journal)
    }
    journal.close()
    return rests, found


def test_t1_each_finding_reaches_its_readings_in_one_click(archive: Archive, watchers: Any) -> None:
    rests, found = recorded(archive)
    watcher, seen, with_readings = watchers(), set(), 0
    for number in HANDS:
        page = watcher.hand(number)
        for button in page.locator("[data-finding]").all():
            id = button.get_attribute("data-finding")
            assert id is not None
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            events = {
                int(item.get_attribute("data-event") or 0)
                for item in page.locator("#evidence [data-event]").all()
            }
            readings = {
                item.get_attribute("data-reading") for item in page.locator("#evidence [data-reading]").all()
            }
            assert events == {entry for entry in found[id] if entry in rests}
            assert readings == {one for entry in events for one in rests[entry]}
            seen.add(id)
            with_readings += bool(readings)
    of_hands = {row["number"] for row in archive.get("/api/tables/one/hands").json()["hands"]}
    assert seen == {id for id in found if int(id.partition(".")[0]) >= min(of_hands)}
    assert with_readings >= 5 and watcher.complaints == []


def test_t1_a_reading_leads_back_to_its_event_and_finding(watchers: Any) -> None:
    page = watchers().hand(2)
    page.locator("[data-finding]").first.click()
    expect(page.locator("[data-finding]").first).to_have_attribute("aria-pressed", "true")
    id = page.locator("[data-finding]").first.get_attribute("data-finding")
    event = page.locator("#evidence [data-event]").first.get_attribute("data-event")
    page.locator("#evidence [data-reading] button").first.click()
    expect(page.locator(f"#evidence [data-event='{event}']")).to_be_visible()
    expect(page.locator(f"#evidence [data-pick='{id}']")).to_be_visible()
    expect(page.locator("#evidence")).to_contain_text("Frames were not recorded")


def test_t2_an_address_opens_at_the_same_moment_elsewhere(archive: Archive, watchers: Any) -> None:
    page = watchers().hand(2)
    for key in ("ArrowRight", "ArrowRight", "Period", "BracketLeft", "ArrowRight", "BracketRight"):
        page.keyboard.press(key)
    moment = [page.locator(one).inner_text() for one in ("#house", "#handtime", "#now")]
    address = page.evaluate("location.hash")
    assert re.fullmatch(r"#t=[\d.-]+&f=[\d.]+&in=[\d.-]+&out=[\d.-]+", address)
    elsewhere = watchers("investigator", timezone_id="Asia/Tokyo").hand(2, address)
    assert [elsewhere.locator(one).inner_text() for one in ("#house", "#handtime", "#now")] == moment
    assert elsewhere.evaluate("location.hash") == address
    assert re.search(r"\d\d:\d\d:\d\d\.\d{3} UTC[+−]\d\d:\d\d$", moment[0])


def test_t3_cards_are_hidden_until_a_reason_is_on_record(archive: Archive, watchers: Any) -> None:
    watcher = watchers("investigator")
    page = watcher.page

    def faces(action: Callable[[], object]) -> set[str]:
        """The faces in what the page is sent of the hand because of this."""
        with page.expect_response(
            lambda answer: "/hands/1/timeline" in answer.url and "/api/" in answer.url
        ) as sent:
            action()
        return set(FACES.findall(sent.value.text()))

    open_ = faces(lambda: watcher.hand(1))
    assert len(open_) == 3, "the flop"
    assert archive.get("/api/tables/one/hands/1/timeline?access=1").status_code == 403
    page.locator("#unmask button").click()
    expect(page.locator("#told")).to_contain_text("Give the reason")
    assert accesses(archive) == []
    page.locator("#reason").fill("complaint of seat 2, camera 7")
    shown = faces(page.locator("#unmask button").click)
    expect(page.locator("#told")).to_contain_text("Cards are shown")
    (access,) = accesses(archive)
    assert (access.hand, access.reason, access.feed) == (1, "complaint of seat 2, camera 7", "timeline")
    assert len(shown & set(DECK_52)) >= 9
    assert faces(page.reload) == open_
    assert all("409" in said for said in watcher.complaints)


def accesses(archive: Archive) -> list[Access]:
    journal = archive.journal()
    found = [entry.event for entry in entries(journal) if isinstance(entry.event, Access)]
    journal.close()
    return found


def test_t4_a_flipped_byte_is_named_by_its_record(archive: Archive, watchers: Any) -> None:
    page = watchers().hand(3)
    expect(page.locator("#record")).to_contain_text("verified to record")
    events = archive.get("/api/tables/one/hands/3/timeline").json()["events"]
    broken = events[5]["n"]
    with archive.flipped(broken):
        page = watchers().hand(3)
        expect(page.locator("#record.broken")).to_contain_text(f"Record {broken} fails")
        shown = archive.get("/api/tables/one/hands/3/timeline").json()["events"]
        assert [event["n"] for event in shown] == [event["n"] for event in events[:5]]
        page = watchers().hand(5)
        expect(page.locator("#record.broken")).to_contain_text(f"Record {broken} fails")
    page = watchers().hand(3)
    expect(page.locator("#record")).to_contain_text("verified to record")
    expect(page.locator("#record.broken")).to_have_count(0)


def test_t5_an_outage_is_a_hatched_gap(archive: Archive, watchers: Any) -> None:
    gaps = archive.get(f"/api/tables/one/hands/{OUTAGE_HAND}/timeline").json()["gaps"]
    lost = [gap for gap in gaps if gap["why"] == "lost"]
    assert {gap["lane"] for gap in lost} == {"devices", "board"}
    assert all(gap["end"] - gap["start"] >= OUTAGE_S * 1000 for gap in lost)
    assert {gap["lane"] for gap in gaps if gap["why"] == "silent"} >= {"seat 1", "seat 2", "seat 3", "board"}
    page = watchers().hand(OUTAGE_HAND)
    # In the middle of the outage the board's lane is hatched, and no reading is drawn.
    drawn = page.evaluate(
        """() => {  // the share of each lane that is drawn on
            const canvas = document.querySelector("#drawn");
            const context = canvas.getContext("2d");
            const ratio = canvas.width / canvas.clientWidth;
            const counts = [];
            for (let y = 24; y < canvas.clientHeight - 22; y += 22) {
              const middle = canvas.width / 2;
              const { data } = context.getImageData(middle, (y + 3) * ratio, 60 * ratio, 16 * ratio);
              counts.push(data.filter((value, at) => at % 4 === 3 && value > 0).length / (data.length / 4));
            }
            return counts;
        }"""
    )
    hatched = [share for share in drawn if 0.1 < share < 0.9]
    assert len(hatched) >= 7, drawn


def test_t6_ten_thousand_readings_open_and_step(archive: Archive, watchers: Any) -> None:
    """What opening and stepping cost: one answer, and one drawing of the lanes for any number of steps. The
    benchmarks measure how long that takes.
    """
    watcher = watchers()
    asked: list[str] = []
    watcher.page.on("request", lambda request: asked.append(request.url))
    page = watcher.hand(LONG_HAND)
    read = archive.get(f"/api/tables/one/hands/{LONG_HAND}/timeline").json()["readings"]
    assert len(read) > 7 * LONG_CYCLES
    assert len([url for url in asked if url.endswith(f"/hands/{LONG_HAND}/timeline")]) == 1
    expect(page.locator("#record")).to_contain_text("verified to record")
    page.keyboard.press("ArrowLeft")
    page.evaluate(
        """() => {
            window.work = 0;
            for (const name of ["fillRect", "strokeRect", "arc", "fillText"]) {
              const all = CanvasRenderingContext2D.prototype, own = all[name];
              all[name] = function (...args) { window.work += 1; return own.apply(this, args); };
            }
        }"""
    )
    for _ in range(20):
        page.keyboard.press("Period")
    assert page.evaluate("window.work") < 20 * 100, "a step draws the cursor and what the finding rests on"


def test_t7_the_trace_parses_its_flows_are_closed_and_no_face_is_in_it(archive: Archive) -> None:
    for number in HANDS:
        answer = archive.get(f"/timeline/one/hands/{number}/trace.json")
        trace = json.loads(answer.text)
        events = trace["traceEvents"]
        starts = [event["id"] for event in events if event["ph"] == "s"]
        ends = [event["id"] for event in events if event["ph"] == "f"]
        assert sorted(starts) == sorted(ends) and len(set(starts)) == len(starts) > 0
        slices = {(event["tid"], event["ts"]) for event in events if event["ph"] == "X"}
        for event in events:
            assert event["ph"] in ("M", "X", "i", "s", "f", "C")
            if event["ph"] in ("s", "f"):
                assert (event["tid"], event["ts"]) in slices
            if event["ph"] != "M":
                assert event["ts"] > 0 and event.get("dur", 1) > 0
        lines = {event["name"] for event in events if event.get("cat") == "event"}
        assert {face for line in lines for face in FACES.findall(line)} <= {
            "9c",
            "Tc",
            "Jc",
            "Qc",
            "8c",
            "7c",
        }
        assert not any(FACES.search(event["name"]) for event in events if event.get("cat") != "event")


def test_a_bundle_proves_its_records_without_the_hidden_cards(archive: Archive) -> None:
    for number in HANDS:
        body = archive.get(f"/timeline/one/hands/{number}/bundle.zip").content
        sound = checked(body)
        assert 0 < sound.whole < sound.records
        with zipfile.ZipFile(BytesIO(body)) as opened:
            names = opened.namelist()
            deals = [line for line in opened.read("chain.jsonl").splitlines() if b'"event":"deal"' in line]
        assert deals == [] and {"manifest.json", "seal.json", "timeline.json"} <= set(names)
    altered = BytesIO(body)
    with zipfile.ZipFile(altered, "a") as opened:
        opened.writestr("note.txt", "by the way")
    with pytest.raises(UnsoundBundle, match="does not name"):
        checked(altered.getvalue())


def test_a_lane_is_a_table(archive: Archive) -> None:
    lines = archive.get("/timeline/one/hands/2/lane.csv?lane=board").text.splitlines()
    assert lines[0] == "row,utc,hand_ms,kind,what,by,detail" and len(lines) > 100
    assert sum(",event,flop" in line for line in lines) == 1
    assert archive.get("/timeline/one/hands/2/lane.csv?lane=cellar").status_code == 400


def test_marks_of_review_are_records_and_are_shown(archive: Archive, watchers: Any) -> None:
    page = watchers().hand(4)
    page.locator("#note").fill("seat 2 looked at the muck")
    page.locator("#review .go").click()
    expect(page.locator("#reviews")).to_contain_text("Ines (surveillance): seat 2 looked at the muck")
    page.locator("#reviewed").click()
    expect(page.locator("#reviews")).to_contain_text("Ines (surveillance) has reviewed it")
    page.locator("#bookmark").click()
    expect(page.locator("#reviews")).to_contain_text("Ines (surveillance) marked the video")
    page.goto(f"{archive.pages.url}/timeline/one")
    expect(page.locator("tr", has_text="Hand 4")).to_contain_text("reviewed")


def test_a_time_without_a_hand_names_the_hands_before_it(archive: Archive, watchers: Any) -> None:
    hands = archive.get("/api/tables/one/hands").json()["hands"]
    third = next(row for row in hands if row["hand"] == 3)
    page = watchers().page
    page.goto(f"{archive.pages.url}/timeline/one?at_wall_ms={third['began_wall_ns'] // 1_000_000 + 50}")
    expect(page.locator("tbody tr")).to_have_count(3)
    page.goto(f"{archive.pages.url}/timeline/one?at_wall_ms=1000")
    expect(page.locator(".calm")).to_contain_text("No hand")
    page.goto(f"{archive.pages.url}/timeline/one/hands/99")
    expect(page.locator("#record.broken")).to_contain_text("There is no hand 99")


def test_every_key_has_a_button_and_plays(archive: Archive, watchers: Any) -> None:
    page = watchers().hand(2)
    keys = {button.get_attribute("data-key") for button in page.locator("[data-key]").all()}
    assert len(keys) == 16
    page.locator("#rate").select_option("8")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Shift+ArrowLeft")
    before = page.locator("#handtime").inner_text()
    page.keyboard.press("KeyJ")
    expect(page.locator("#handtime")).not_to_have_text(before)
    page.keyboard.press("KeyK")
    stood = page.locator("#handtime").inner_text()
    page.keyboard.press("KeyL")
    expect(page.locator("#handtime")).not_to_have_text(stood)
    page.keyboard.press("KeyW")
    expect(page.locator("#why")).to_be_focused()
    page.keyboard.press("Shift+Slash")
    expect(page.locator("#keys")).to_be_visible()


def test_a_hand_is_printed_as_a_receipt_without_a_hidden_face(watchers: Any) -> None:
    page = watchers(viewport={"width": 794, "height": 1123}).hand(2)
    expect(page.locator("#record")).to_contain_text("The whole record is verified")
    expect(page.locator(".receipt")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator("#receipt-seats li").first).to_contain_text("Seat 1")
    lines = page.locator("#receipt-acts code").all_inner_texts()
    assert lines[0] == "hand" and lines[-1] == "end"
    assert not FACES.search(" ".join(line for line in lines if line.startswith(("deal", "burn", "muck"))))
    for shown in ("h1", "#record", "#findings", "#rulings", ".receipt"):
        expect(page.locator(shown)).to_be_visible()
    for unprinted in (".moves", "#lanes", "#table", "#evidence", ".files", "#print", "#review"):
        expect(page.locator(unprinted)).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 794


def test_what_was_found_and_done_is_said_in_the_language_of_the_page(archive: Archive, watchers: Any) -> None:
    watcher = watchers()
    url = archive.pages.url
    watcher.context.add_cookies([{"name": "language", "value": "ru", "url": url}])
    page = watcher.hand(2)
    expect(page.locator("[data-finding] .badge").first).to_have_text(re.compile("[а-я]"))
    latin = re.compile("[A-Za-z]{4}")
    for row in page.locator("[data-finding] > span:not(.badge)").all():
        said = row.evaluate("span => span.firstChild.textContent")
        assert said.strip() and not latin.search(said), said
    assert not latin.search(page.locator(".felt-at svg").text_content() or "")
    # A program is answered in English, as the record has it.
    english = archive.get("/api/tables/one/hands/2/timeline").json()["findings"][0]["sentence"]
    assert latin.search(english)
