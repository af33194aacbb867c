"""The dealer's page in a real browser: over a real engine, and over pictures that a real table takes long to
come to.
"""

import re
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from tablebridge.app.folded import FoldedTable
from tablebridge.app.pictures import pictures
from tablebridge.bus import topics
from tablebridge.engine.table import Table
from tablebridge.journal.read import entries
from tablebridge.journal.records import AlertRecord, body_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.cards import Card, spoken
from tablebridge.model.events import (
    Action,
    Basis,
    Boxed,
    Burn,
    Button,
    Deal,
    Doubt,
    End,
    Entry,
    Game,
    Hand,
    Muck,
    Ruling,
    Seats,
    Seen,
    Stacks,
    Street,
    TableEvent,
    Undo,
)
from tablebridge.model.key_events import StepDone
from tablebridge.model.places import MUCK, seat_place
from tablebridge.model.presence import SeatRead
from tablebridge.model.views import FactView, NoticeView, Question, SeatView, TableView

from .hall import SEAT_VIEWS, Hall, instant, misdeal, until, view
from .live import Person, Room

pytestmark = pytest.mark.browser
LYING = {"width": 1024, "height": 600}
UPRIGHT = {"width": 600, "height": 1024}
PIN = "258036"
DEALT = ("3c", "4c", "5c", "2d", "3d", "4d", "5d")
Dealers = Callable[..., Page]


@pytest.fixture
def dealers(room: Room, browser: Browser) -> Iterator[Dealers]:
    """Opens tablets of dealers at a table at which nothing is open; nothing may be complained of."""
    people: list[Person] = []

    def dealer(name: str = "Dora", path: str = "/dealer/main") -> Page:
        people.append(Person(room, browser, "dealer", name, viewport=LYING))
        return people[-1].open(path)

    yield dealer
    for person in people:
        person.context.close()
        # A PIN that was refused, and a server that is away, are in the console whatever the page does.
        assert [said for said in person.complaints if "40" not in said and "ERR_" not in said] == []


def record_of(room: Room) -> tuple[list[Entry], list[AlertRecord]]:
    path = room.pages.site_file.parent / "journal" / "main.sqlite"
    journal = Journal(path, "main", readonly=True)
    bodies = [body_of(row) for row in journal.rows(1) if isinstance(row, Record)]
    found = list(entries(journal)), [body for body in bodies if isinstance(body, AlertRecord)]
    journal.close()
    return found


def press(page: Page, code: str) -> None:
    """A key of a foot switch: F13 and above, which Playwright has no names for."""
    page.evaluate(
        "code => document.body.dispatchEvent(new KeyboardEvent('keydown', {code, key: code, bubbles: true}))",
        code,
    )


def test_d1_the_sentence_is_what_the_engine_expects_at_every_moment(room: Room, dealers: Dealers) -> None:
    room.restart("deal 1 2c")
    page = dealers()
    sentences = []
    for line in (
        *(f"deal {seat} {card}" for seat, card in zip((2, 3, 4, 1, 2, 3, 4), DEALT, strict=True)),
        *("call 3", "call 4", "call 1", "check 2", "burn", "flop Ah Kd 2s"),
        *("check 1", "bet 2 200", "fold 3", "fold 4", "call 1", "burn", "turn 9h", "check 1", "check 2"),
        *("burn", "river 8h", "check 1", "check 2", "table 1 2c 2d", "table 2 3c 3d", "end"),
    ):
        rev = room.post("lines", lines=[line]).json()["rev"]
        state = until(lambda rev=rev: (found := room.state())["rev"] >= rev and found, f"{line} is shown")
        expect(page.locator(".next")).to_have_text(state["expects"])
        expect(page.locator("body")).to_have_attribute("data-stage", state["stage"])
        sentences.append((state["stage"], state["expects"]))
    assert {stage for stage, _ in sentences} == {"dealing", "betting", "street", "showdown", "paying", "over"}
    assert len({sentence for _, sentence in sentences}) > 15


def test_d1_cards_and_amounts_stand_below_the_sentence(room: Room, dealers: Dealers) -> None:
    room.restart("deal 1 2c", "deal 2 3c", "deal 3 4c")
    page = dealers()
    expect(page.locator("#now .detail")).to_have_text("Card 4 of 8, next seat 4")
    expect(page.locator("#mark-4.acts")).to_have_count(1)
    room.write("dealt")
    expect(page.locator("#now .detail")).to_have_text("To call 100, least raise to 200")
    room.write("fold 3")
    expect(page.locator("#mark-3 .word")).to_have_text("folded")
    expect(page.locator("#mark-1 .word")).to_have_text("2 cards")


def test_d2_a_call_that_did_not_arrive_is_not_lit_and_says_so(room: Room, dealers: Dealers) -> None:
    room.restart()
    page = dealers()
    room.pages.keep_port()
    room.pages.end(signal.SIGKILL)
    try:
        press(page, "F13")
        page.locator("#panel").get_by_role("button", name="Chips").click()
        expect(page.locator("#told")).to_have_text("The floor is not called. Call by hand.")
        expect(page.locator("#call [data-call]")).to_be_visible()
        assert page.locator("#call[data-lit]").count() == 0
        expect(page.locator("#offline")).to_contain_text("Deal on; call the floor by hand.")
    finally:
        room.pages.start()
        room.until_followed()
    expect(page.locator("#offline")).to_be_hidden()
    assert page.locator("#call[data-lit]").count() == 0 and room.get("alerts")["alerts"] == []


def test_d3_called_taken_and_settled_at_the_table(room: Room, dealers: Dealers) -> None:
    room.restart()
    page = dealers()
    page.get_by_role("button", name="Call floor").click()
    page.locator("#panel").get_by_role("button", name="Cards or deck").click()
    expect(page.locator("#call .lit b")).to_have_text("Floor called")
    expect(page.locator("#call .lit span")).to_contain_text("called 0:0")
    (alert,) = room.get("alerts")["alerts"]
    assert (alert["finding"], alert["cause"]) == ("floor-called", "cards")
    assert room.post(f"alerts/{alert['id']}/taken", "floor", "Anna").status_code == 200
    expect(page.locator("#call .lit b")).to_have_text("Anna is coming")
    afar = room.post(f"alerts/{alert['id']}/closed", "floor", "Anna")
    assert afar.status_code == 409 and "Give the reason" in afar.json()["sentence"]
    page.get_by_role("button", name="Settled").click()
    expect(page.locator("#call .settled")).to_contain_text("Settled, Dora")
    expect(page.get_by_role("button", name="Call floor")).to_be_visible()
    happened, changes = record_of(room)
    called = [entry for entry in happened if entry.id == int(alert["id"].partition(".")[0])]
    assert [entry.by for entry in called] == ["Dora (dealer)"]
    ours = [one for one in changes if one.change.alert == alert["id"]]
    assert [(one.change.to, one.change.by) for one in ours] == [("taken", "Anna"), ("closed", "Dora")]
    assert called[0].at.wall_ns < ours[0].at.wall_ns < ours[1].at.wall_ns


def test_d3_without_a_choice_the_floor_is_called_all_the_same(room: Room, dealers: Dealers) -> None:
    room.restart()
    page = dealers()
    press(page, "F13")
    expect(page.locator("#panel p")).to_contain_text("What for?")
    expect(page.locator("#call .lit b")).to_have_text("Floor called")
    assert [alert["cause"] for alert in room.get("alerts")["alerts"]] == [None]


def test_d3_the_floor_person_settles_the_call_with_a_pin(room: Room, dealers: Dealers) -> None:
    room.restart()
    room.write("call-floor")
    page = dealers()
    expect(page.get_by_role("button", name="Floor PIN")).to_be_disabled()
    room.secret("floor", "Anna")
    (anna,) = [token for token in room.tokens.all() if token.name == "Anna"]
    room.tokens.set_pin(anna.id, PIN)
    page.reload()
    for pin, said in (("111222", "Not done. This PIN is wrong. Type it again."), (PIN, "")):
        if page.locator("#panel").is_hidden():
            page.get_by_role("button", name="Floor PIN").click()
        for digit in pin:
            page.locator("#panel").get_by_role("button", name=digit, exact=True).click()
        expect(page.locator("#panel p")).to_have_text("PIN of Anna: ••••••")
        page.locator("#panel").get_by_role("button", name="Enter").click()
        if said:
            expect(page.locator("#told")).to_have_text(said)
    expect(page.locator("#call .settled")).to_contain_text("Settled, Anna")
    _, changes = record_of(room)
    assert (changes[-1].change.by, changes[-1].change.note) == ("Anna", "Settled at the table.")
    assert PIN not in page.content()


def test_d6_two_boxed_cards_stop_the_page_until_the_floor_has_ruled(room: Room, dealers: Dealers) -> None:
    room.restart("deal 1 2c", "deal 2 3c")
    page, second = dealers(), dealers("Second")
    with page.expect_event("requestfinished", lambda request: request.method == "POST"):
        press(page, "F14")
    expect(page.locator("#notice .sentence")).to_contain_text(
        "A card came face up out of the deck; one alone is no misdeal."
    )
    # Sooner, the same again would be a double tap.
    expect(page.locator("[data-left]")).to_have_text("9")
    press(page, "F14")
    for tablet in (page, second):
        expect(tablet.locator("body")).to_have_attribute("data-stage", "stopped")
        expect(tablet.locator(".halt")).to_have_text("Do not deal")
    steps = page.locator("#notice [data-step]")
    expect(steps).to_have_count(3)
    press(page, "F16")
    expect(second.locator("#notice [aria-checked=true]")).to_have_count(1)
    second.locator("#notice [data-step]").nth(2).click()
    expect(page.locator("#notice [aria-checked=true]")).to_have_count(2)
    page.locator("#notice [data-step]").nth(2).click()
    expect(second.locator("#notice [aria-checked=true]")).to_have_count(1)
    until(
        lambda: [one for one in room.get("alerts")["alerts"] if one["finding"] == "misdeal"],
        "the alert is raised",
    )
    (alert,) = room.get("alerts")["alerts"]
    room.post(f"alerts/{alert['id']}/taken", "floor", "Anna")
    expect(page.locator("#now .detail")).to_have_text("Anna is coming")
    assert room.post(f"alerts/{alert['id']}/ruled", "floor", "Anna", line="ruling misdeal").status_code == 200
    for tablet in (page, second):
        expect(tablet.locator("body")).to_have_attribute("data-stage", "over")
        expect(tablet.locator(".halt")).to_have_count(0)
    ticks = [entry.by for entry in record_of(room)[0] if isinstance(entry.event, StepDone)]
    assert ticks == ["Dora (dealer)", "Second (dealer)", "Dora (dealer)"]


def test_d7_a_fact_that_is_taken_back_leaves_two_events_and_no_alert(room: Room, dealers: Dealers) -> None:
    room.restart()
    page = dealers()
    page.get_by_role("button", name="Wrong count").click()
    page.locator("#panel").get_by_role("button", name="Seat 2").click()
    page.locator("#panel").get_by_role("button", name="3 cards").click()
    expect(page.locator("body")).to_have_attribute("data-stage", "stopped")
    expect(page.locator("#back button")).to_contain_text("Take back: wrong count")
    press(page, "F17")
    expect(page.locator("body")).to_have_attribute("data-stage", "betting")
    expect(page.locator("#back button")).to_be_disabled()
    happened, _ = record_of(room)
    fact, undo = happened[-2:]
    assert fact.basis == undo.basis == "dealer" and undo.event == Undo(fact.id)
    assert room.get("alerts")["alerts"] == []
    page.get_by_role("button", name="Boxed card").click()
    until(lambda: isinstance(record_of(room)[0][-1].event, Boxed), "it is on record")


def test_a_player_is_away_and_is_back_by_two_taps_each(room: Room, dealers: Dealers) -> None:
    page = dealers()
    away = page.get_by_role("button", name="Player away or back")
    for seat, line in ((2, "absent 2"), (3, "absent 2 3")):
        away.click()
        page.locator("#panel").get_by_role("button", name=f"Seat {seat} is away").click()
        expect(page.locator("#now .aside")).to_contain_text(f"Seat {seat} is away")
        until(lambda line=line: line in room.lines(), "it is on record")
    away.click()
    expect(page.locator("#panel button")).to_have_count(room.seats + 1)
    page.locator("#panel").get_by_role("button", name="Seat 2 is back").click()
    expect(page.locator("#now .aside")).not_to_contain_text("Seat 2")
    expect(page.locator("#back")).to_contain_text("Take back: who is back")
    page.locator("#back button").click()
    expect(page.locator("#now .aside")).to_contain_text("Seat 2 is away")
    room.write("arrives 2", "arrives 3")


def test_a_press_while_another_is_under_way_is_written_behind_it_and_the_same_twice_once(
    room: Room, dealers: Dealers
) -> None:
    room.restart()
    page = dealers()
    before = len(record_of(room)[0])
    with room.stalled():
        page.get_by_role("button", name="Cut").dblclick()
        expect(page.locator("#told")).to_have_text("Pressed twice: it is written once.")
        press(page, "F15")
        expect(page.locator("#told")).to_have_text("It is written after what was pressed before.")
    until(lambda: len(record_of(room)[0]) == before + 2, "both are on record")
    page.locator("#back button:enabled").wait_for()
    happened = [type(entry.event).__name__ for entry in record_of(room)[0][before:]]
    assert happened == ["Cut", "Exposed"], happened


# What a real table takes long to come to.

NOTICES = (
    NoticeView(
        "812.0",
        "misdeal",
        "warning",
        "Misdeal: two boxed cards. All bets go back and the hand is dealt again.",
        remedy=("return-bets", "reshuffle", "redeal-same-button"),
        done=(1,),
    ),
    NoticeView(
        "813.0",
        "exposed-card",
        "notice",
        "Seat 3 showed a card of its live hand before the betting was over.",
        remedy=("replace-with-burn", "to-muck"),
    ),
)
READ = tuple(msgspec.structs.replace(seat, read=SeatRead(seat.cards)) for seat in SEAT_VIEWS)
TEN = tuple(SeatView(seat, f"P{seat}", "in", 1000, 0, 2) for seat in range(1, 11))


def facts() -> tuple[FactView, ...]:
    return (FactView(9, "boxed ??", time.time_ns() + 8 * 10**9),)


@pytest.fixture
def tablet(hall: Hall, browser: Browser) -> Iterator[Callable[..., Page]]:
    opened = []

    def tablet(path: str = "/dealer/main", **options: Any) -> Page:
        context = browser.new_context(**{"viewport": LYING, **options})
        opened.append(context)
        page = context.new_page()
        page.goto(f"{hall.url}/login?token={hall.secret('dealer', 'Dora')}")
        page.wait_for_url(f"{hall.url}/")
        page.goto(hall.url + path)
        page.locator("body[data-state=live]").wait_for()
        return page

    hall.engine.health("reader", "live")
    yield tablet
    for context in opened:
        context.close()


def show(hall: Hall, page: Page, **changes: Any) -> None:
    rev = next(hall.engine.rev)
    changes = {"stage": "betting", "expects": f"Moment {rev}", **changes}
    hall.engine.show(view(rev=rev, **changes))
    expect(page.locator(".next")).to_have_text(changes["expects"])


def small(page: Page) -> list[str]:
    """Targets that are too small for a thumb, and whatever has to be scrolled."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input')].filter(it => it.checkVisibility())
             .map(it => [it.textContent.trim(), it.getBoundingClientRect()])
             .filter(([, box]) => Math.min(box.width, box.height) < 64
               || box.bottom > innerHeight || box.right > innerWidth)
             .map(([text, box]) => `${text}: ${box.width}x${box.height}`)
           .concat([...document.querySelectorAll('html, body, .say, .below, #ring, #facts, #panel, #call')]
             .filter(it => it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1)
             .map(it => `${it.id || it.className || it.tagName} scrolls`))"""
    )
    return found


@pytest.mark.parametrize("size", [LYING, UPRIGHT], ids=["lying", "upright"])
def test_d5_every_target_is_large_and_nothing_scrolls(
    hall: Hall, tablet: Callable[..., Page], size: Any
) -> None:
    page = tablet(viewport=size)
    moments = (
        {
            "stage": "dealing",
            "seats": TEN,
            "due": (4, 5, 6, 7),
            "notices": NOTICES,
            "facts": facts(),
            "board": (),
        },
        {
            "stage": "stopped",
            "street": "void",
            "board": (),
            "notices": NOTICES[:1],
            "expects": "Stop: deal the hand again from the same button",
        },
        {"expects": "Exchange the exposed card of seat 3 for the first burn card", "notices": NOTICES[1:]},
        {"stage": "street", "expects": "Burn, then 3 cards"},
    )
    for moment in moments:
        show(hall, page, **moment)
        assert small(page) == [], moment
    for name in ("Call floor", "Exposed by a player", "Wrong count"):
        page.get_by_role("button", name=name).click()
        expect(page.locator("#panel")).to_be_visible()
        assert small(page) == [], name
        page.keyboard.press("Escape")
    page.locator("#facts [data-keys]").click()
    expect(page.locator("#keys")).to_be_visible()
    assert small(page) == []


def test_one_notice_stands_and_the_older_are_one_tap_away(hall: Hall, tablet: Callable[..., Page]) -> None:
    page = tablet()
    show(hall, page, notices=NOTICES, seats=READ)
    expect(page.locator("#notice .sentence")).to_have_count(1)
    expect(page.locator("#notice [aria-checked=true]")).to_have_text("1 Return all bets of the hand.")
    expect(page.locator("#past")).to_be_hidden()
    page.get_by_role("button", name="1 more notice").click()
    expect(page.locator("#past")).to_contain_text("Seat 3 showed a card")
    show(hall, page, notices=NOTICES, seats=READ)
    expect(page.locator("#past")).to_be_visible()
    page.get_by_role("button", name="1 more notice").click()
    expect(page.locator("#past")).to_be_hidden()
    show(hall, page, notices=NOTICES, seats=READ, more_notices=12)
    page.get_by_role("button", name="13 more notices").click()
    expect(page.locator("#past")).to_contain_text("and 12 more, which come when these are settled")


def test_a_seat_of_which_a_card_is_not_read_is_named_and_never_the_card(
    hall: Hall, tablet: Callable[..., Page]
) -> None:
    page = tablet()
    seats = tuple(
        msgspec.structs.replace(seat, read=SeatRead(1 if seat.seat == 4 else seat.cards))
        for seat in SEAT_VIEWS
    )
    show(hall, page, seats=seats)
    expect(page.locator("#notice .sentence")).to_contain_text("Seat 4: 1 card not read; lay the cards flat")
    expect(page.locator("#mark-4.unread .word")).to_have_text("1 card")
    # Seat 2 has no antenna: the record says what lies there.
    expect(page.locator("#mark-2 .word")).to_have_text("2 cards")
    show(hall, page, stage="dealing", due=(4,), seats=seats)
    expect(page.locator("#notice .sentence")).to_have_count(0)
    show(
        hall, page, seats=tuple(msgspec.structs.replace(seat, in_doubt=seat.seat == 5) for seat in SEAT_VIEWS)
    )
    expect(page.locator("#mark-5 .word")).to_have_text("doubt")
    expect(page.locator("#mark-1 .word")).to_have_text("folded")


def test_without_sensing_the_dealer_deals_on(hall: Hall, tablet: Callable[..., Page]) -> None:
    page = tablet()
    show(hall, page)
    hall.engine.health("reader", "lost")
    expect(page.locator("#now .detail")).to_have_text(
        "Sensing is lost: deal on. This hand closes as incomplete."
    )
    assert "error" not in page.locator("body").inner_text().lower()
    hall.engine.health("reader", "live")
    expect(page.locator("#now .detail")).not_to_contain_text("Sensing is lost")


def test_the_board_is_shown_once_its_street_is_complete_and_not_at_all_if_it_is_off(
    hall: Hall, tablet: Callable[..., Page]
) -> None:
    page, without = tablet(), tablet("/dealer/main?board=off")
    for street, board, shown in (
        ("flop", ("Ah", "Td"), 0),
        ("flop", ("Ah", "Td", "7c"), 3),
        ("flop", ("Ah", "Td", "7c", "2c"), 0),
        ("turn", ("Ah", "Td", "7c", "2c"), 4),
    ):
        show(hall, page, street=street, board=board)
        expect(page.locator("#ring .paper")).to_have_count(shown)
    expect(without.locator("#ring .mark")).to_have_count(6)
    assert without.locator("#ring .paper").count() == 0 and "ace of hearts" not in without.content()
    without.locator("#facts [data-keys]").click()
    without.get_by_role("link", name="Show the board").click()
    expect(without.locator("#ring .paper")).to_have_count(4)


def test_the_page_is_one_colour_while_it_is_stopped_and_says_who_comes(
    hall: Hall, tablet: Callable[..., Page]
) -> None:
    page = tablet()
    id = hall.engine.raise_alert(misdeal(id="70.0", text="plain", sentence=""))
    stopped = {
        "stage": "stopped",
        "street": "void",
        "expects": "Stop: the floor must rule",
        "questions": (Question(id, ()),),
    }
    show(hall, page, **stopped)
    expect(page.locator("#now .detail")).to_have_text("The floor is awaited")
    expect(page.locator("body")).to_have_css("background-color", "rgb(176, 0, 32)")
    expect(page.locator(".next")).to_have_css("color", "rgb(255, 255, 255)")
    hall.post(f"/api/tables/main/alerts/{id}/taken", "floor", {"id": hall.new_id()})
    expect(page.locator("#now .detail")).to_have_text("Anna is coming")
    for to in ("ruled", "closed"):
        hall.post(f"/api/tables/main/alerts/{id}/{to}", "floor", {"id": hall.new_id()})
    show(hall, page)
    expect(page.locator("body")).to_have_attribute("data-stage", "betting")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != "rgb(176, 0, 32)"


# No face of a card that lies down, whatever is found.

HOLES = {1: ("Kd", "9c"), 2: ("Qh", "7d"), 3: ("Jc", "8h"), 4: ("Ts", "6d")}
FLOP = ("3h", "4s", "5c")
SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def dealt(*further: TableEvent) -> Iterator[tuple[TableEvent, Basis]]:
    """A hand that antennas read, and what happens in it after the deal."""
    yield Hand(), "shuffler"
    for lap in (0, 1):
        for seat in (1, 2, 3, 4):
            yield Deal(seat, Card(HOLES[seat][lap])), "rfid"
    for event in further:
        yield event, "rfid"


def moments() -> Iterator[TableView]:
    """What the real engine shows, event by event: a doubtful card, and a card that is there twice."""
    folded = FoldedTable(Table("main"), instant())
    set_up: list[TableEvent] = [Game("nlhe", (50, 100)), Seats((1, 2, 3, 4)), Stacks(10_000), Button(4)]
    places = {seat_place(2): 0.52, seat_place(3): 0.48}
    happened = (
        *((event, "operator") for event in set_up),
        *dealt(
            Doubt(Card("Qh"), places),
            *(Action("call", seat) for seat in (3, 4, 1)),
            Action("check", 2),
            Doubt(Card("8h"), places),
            Burn(Card("2c")),
            Street("flop", tuple(map(Card, FLOP))),
            *(Muck(seat) for seat in (1, 2, 3)),
            End(),
        ),
        (Button(4), "operator"),
        *dealt(Deal(1, Card("Qh*")), Seen(Card("Kd*"), MUCK)),
        *((event, "operator") for event in (Ruling("misdeal"), Undo(40))),
    )
    for number, (event, basis) in enumerate(happened, 1):
        entry = Entry(number, instant(), event, basis)  # type: ignore[arg-type]
        outcome = folded.table.apply(entry)
        folded.add(entry)
        for finding in outcome.findings:
            folded.raise_(finding)
        folded.settle(entry)
        (view,) = (message for topic, message in pictures(folded, {}, number) if topic is topics.STATE)
        yield view


def told(text: str) -> set[str]:
    """The cards of the deal that a text names: as a code, with a sign, or in words."""
    return {
        card
        for card in (card for hole in HOLES.values() for card in hole)
        if re.search(rf"(?<![A-Za-z0-9]){card}\*?(?![A-Za-z0-9])", text)
        or re.search(rf"{card[0].replace('T', '10')}\s*(<[^>]*>)*{SIGNS[card[1]]}", text)
        or spoken(Card(card)) in text
    }


def test_d4_no_face_of_a_hole_card_is_in_page_or_stream(hall: Hall, tablet: Callable[..., Page]) -> None:
    page = tablet()
    page.evaluate(
        """() => { window.seen = []; new MutationObserver(() => seen.push(document.documentElement.outerHTML))
             .observe(document, {subtree: true, childList: true, attributes: true, characterData: true}) }"""
    )
    lines: list[str] = []
    headers = {"authorization": f"Bearer {hall.secret('dealer', 'Dora')}"}
    found, started, last = set(), next(hall.engine.rev), 0
    with hall.http.stream("GET", hall.url + "/live/dealer/main", headers=headers) as stream:
        read = stream.iter_lines()
        for moment in moments():
            hall.engine.show(msgspec.structs.replace(moment, rev=started + moment.rev))
            last = started + moment.rev
            while f"id: {last}" not in lines[-2:]:
                lines.append(next(read))
            expect(page.locator(".next")).to_have_text(moment.expects)
            found |= {notice.finding for notice in moment.notices}
    seen = page.evaluate("() => seen")
    assert {"sensing-doubt", "fouled-deck"} <= found and len(seen) > 20
    assert any("three of hearts" in text for text in seen), "the flop is shown: faces can be found"
    assert told("\n".join([*seen, *lines, page.content()])) == set()
    assert told("Kd* 10♠ nine of clubs") == {"Kd", "Ts", "9c"}, "the spy knows faces"
