"""The floor page over a real engine: an alert offers the table's own rulings, and nothing closes while the
table waits.
"""

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .hall import until
from .live import Person, Room

pytestmark = pytest.mark.browser
STOPPED = "Stop: the floor must rule"
PHONE = {"width": 360, "height": 640}


Opened = Callable[..., Page]


@pytest.fixture
def floor(room: Room, browser: Browser) -> Iterator[Opened]:
    """The floor page of a person, beside a table that is stopped by a flop of four cards."""
    room.restart()
    room.write("call 3", "call 4", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")
    made: list[Person] = []

    def opened(name: str = "Anna", **size: int) -> Page:
        made.append(Person(room, browser, "floor", name, viewport=size or {"width": 1440, "height": 900}))
        page = made[-1].open("/floor")
        expect(page.locator(".tile .expects")).to_have_text(STOPPED)
        return page

    yield opened
    for person in made:
        person.context.close()
        assert person.complaints == []


def card_of(page: Page) -> Locator:
    """The one incident of the page, unfolded."""
    incident = page.locator(".incident")
    expect(incident).to_have_count(1)
    if not incident.locator("details").first.evaluate("fold => fold.open"):
        incident.locator(".row").click()
    return incident


def assert_one_thumb(page: Page, card: Locator) -> None:
    """All five acts are in the lower third of the screen, and large enough."""
    buttons = card.locator(".five button").all()
    assert len(buttons) == 5
    for button in buttons:
        box = button.bounding_box()
        assert box is not None and box["height"] >= 48 and box["width"] >= 48
        assert box["y"] >= 640 * 2 / 3 and box["y"] + box["height"] <= 640, box
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        hit = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('button')?.dataset.to", list(middle)
        )
        assert hit == button.get_attribute("data-to"), "nothing covers it"


def test_f7_five_acts_at_the_thumb_and_the_tables_own_rulings_of_which_a_second_press_writes_one(
    room: Room, floor: Opened
) -> None:
    page = floor(**PHONE)
    assert_one_thumb(page, card_of(page))
    card = card_of(page)
    expect(card.locator("[data-choice]")).to_have_text(
        [
            "The ace of hearts is the burn seat 1 to act: nothing to call",
            "The king of diamonds is the burn seat 1 to act: nothing to call",
            "The two of clubs is the burn seat 1 to act: nothing to call",
            "The nine of spades is the burn seat 1 to act: nothing to call",
            "Play on as it is seat 1 to act: nothing to call",
            "Misdeal pot 400 → 0; all bets are back; deal the hand again from the same button",
        ]
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for button in card.locator("button:visible").all():
        box = button.bounding_box()
        assert box is not None and box["height"] >= 48
    card.locator("input[name=note]").fill("scrambled")
    choice = card.get_by_role("button", name="The king of diamonds")
    choice.click()
    expect(page.locator("#told")).to_have_text("Press again: The king of diamonds is the burn.")
    assert room.state()["expects"] == STOPPED
    choice.click()
    expect(card.locator(".row .state")).to_have_text("ruled")
    expect(card.locator(".note")).to_have_text("Anna: The king of diamonds is the burn. scrambled")
    expect(page.locator(".tile .expects")).to_have_text("Seat 1 to act: nothing to call")
    state = room.state()
    assert state["board"] == ["Ah", "2c", "9s"] and state["questions"] == []
    assert state["lines"][-1]["by"] == "Anna (floor)" and state["lines"][-1]["line"].startswith("ruling burn")
    card.get_by_role("button", name="Close").click()
    expect(page.locator(".calm")).to_be_visible()
    expect(page.locator("#closed")).to_contain_text("The king of diamonds is the burn", use_inner_text=False)


def test_no_button_and_no_request_closes_an_alert_while_the_table_waits(room: Room, floor: Opened) -> None:
    page = floor()
    card = card_of(page)
    card.get_by_role("button", name="I go").click()
    expect(card.locator(".row .state")).to_have_text("on the way")
    expect(card.get_by_role("button", name="Close")).to_have_attribute("aria-disabled", "true")
    card.get_by_role("button", name="Rule", exact=False).first.click()
    expect(card.locator("[data-choice]").first).to_be_focused()
    alert = room.get("alerts")["alerts"][0]["id"]
    for to in ("ruled", "closed"):
        refused = room.post(f"alerts/{alert}/{to}", "floor", "Anna")
        assert refused.status_code == 409
        assert (
            refused.json()["sentence"]
            == "The table waits for the floor: choose one of the rulings of this alert."
        )
    assert room.state()["expects"] == STOPPED and len(room.get("alerts")["alerts"]) == 1


def test_a_ruling_with_keys_alone(room: Room, floor: Opened) -> None:
    page = floor()
    for key in ("KeyA", "KeyT", "KeyG", "KeyR"):
        page.keyboard.press(key)
        expect(page.locator("#told")).to_have_text("Choose an alert first, with the arrow keys.")
        page.keyboard.press("Escape")
    assert room.get("alerts")["alerts"][0]["state"] == "raised", "a key with nothing chosen acts on no alert"
    page.keyboard.press("ArrowDown")
    expect(page.locator(".row")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".incident > details")).to_have_attribute("open", "")
    for key, state in (("KeyT", "on the way"), ("KeyG", "seen"), ("KeyG", "on the way")):
        # The stream may bring the new state before the answer to the press is there.
        with page.expect_response("**/api/**"):
            page.keyboard.press(key)
        expect(page.locator(".row .state")).to_have_text(state)
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.keyboard.press("KeyR")
    choice = card_of(page).locator("[data-choice]").first
    expect(choice).to_be_focused()
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    choice.press("Enter")
    expect(page.locator("#told")).to_contain_text("Press again")
    choice.press("Enter")
    until(lambda: room.state()["board"] == ["Kd", "2c", "9s"], "the first card is the burn")


def test_a_key_that_is_held_down_rules_nothing(room: Room, floor: Opened) -> None:
    page = floor()
    card_of(page).locator("[data-choice]").last.focus()
    for _ in range(6):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("#told")).to_contain_text("Press again")
    assert room.state()["expects"] == STOPPED


def test_nobody_rules_what_another_took_without_being_asked(room: Room, floor: Opened) -> None:
    bob, anna = floor("Bob"), floor("Anna")
    card_of(bob).get_by_role("button", name="I go").click()
    expect(card_of(anna).locator(".row")).to_contain_text("Bob")
    choice = card_of(anna).get_by_role("button", name="Misdeal")
    choice.click()
    expect(anna.locator("#told")).to_have_text(
        "Bob has taken this alert. Press again: Misdeal, in the place of Bob."
    )
    choice.click()
    expect(card_of(bob).locator(".member .life")).to_contain_text("Anna")
    until(lambda: room.state()["street"] == "void", "the misdeal is ruled")


def test_enter_in_the_note_rules_where_words_are_enough(room: Room, floor: Opened) -> None:
    page = floor()
    card = card_of(page)
    card.get_by_role("button", name="I go").click()
    expect(card.locator(".row .state")).to_have_text("on the way")
    card.locator("input[name=note]").fill("as before")
    card.locator("input[name=note]").press("Enter")
    expect(page.locator("#told")).to_have_text("Choose one of the rulings; the note goes with it.")
    room.write("ruling burn 2c")
    expect(card.locator("[data-rulings]")).to_have_count(0)
    card.locator("input[name=note]").press("Enter")
    expect(card.locator(".note")).to_have_text("Anna: as before")


def test_a_ruling_that_is_taken_back_rings_again(room: Room, floor: Opened) -> None:
    page = floor()
    card = card_of(page)
    for _ in range(2):
        card.get_by_role("button", name="Play on").click()
    expect(card.locator(".row .state")).to_have_text("ruled")
    entry = next(line["entry"] for line in room.state()["lines"] if line["line"] == "ruling play-on")
    assert room.post("undo", entry=entry).status_code == 200
    expect(card.locator(".row .state")).to_have_text("raised")
    expect(card.locator("[data-choice]")).to_have_count(6)


def test_a_phone_shows_who_is_signed_in(floor: Opened) -> None:
    expect(floor(**PHONE).locator(".bar .who")).to_contain_text("Anna")
    expect(floor(**PHONE).locator(".bar .who")).to_be_visible()


def test_f1_a_misdeal_comes_within_a_second_to_two_browsers_and_is_announced_once(
    room: Room, browser: Browser
) -> None:
    room.restart("deal 1 Ah boxed")
    people = [
        Person(room, browser, "floor", name, viewport={"width": 1440, "height": 900})
        for name in ("Anna", "Bob")
    ]
    pages = [person.open("/floor") for person in people]
    for page in pages:
        page.evaluate("""() => {
            window.said = [];
            new MutationObserver(() => said.push(announce.textContent)).observe(announce, {childList: true});
            window.arrived = new Promise((met) => new MutationObserver(() => {
                if (document.querySelector(".incident")) met(Date.now());
            }).observe(document.getElementById("queue"), {childList: true, subtree: true}));
        }""")
    room.write("deal 2 7c boxed")
    written = time.time() * 1000
    for page in pages:
        assert page.evaluate("window.arrived") - written <= 1000
        card = card_of(page)
        expect(card.locator(".row .what")).to_contain_text("Misdeal")
        expect(card.locator(".rule")).to_have_text("TDA 2022 rule 35-A(1)")
        expect(card.locator(".steps li")).to_have_count(3)
        assert page.evaluate("said.length") == 1 and "Misdeal" in page.evaluate("said[0]")
    for person in people:
        person.context.close()
        assert person.complaints == []


def test_steps_that_were_ticked_are_on_record_with_the_ruling(room: Room, browser: Browser) -> None:
    room.restart("deal 1 Ah boxed")
    room.write("deal 2 7c boxed")
    person = Person(room, browser, "floor", "Anna")
    page = person.open("/floor")
    card = card_of(page)
    card.get_by_role("button", name="I go").click()
    expect(card.locator(".row .state")).to_have_text("on the way")
    card.get_by_label("Return all bets of the hand.").check()
    card.get_by_label("Reshuffle the whole deck.").check()
    page.reload()
    card = card_of(page)
    expect(card.get_by_label("Return all bets of the hand.")).to_be_checked()
    for _ in range(2):
        card.get_by_role("button", name="The misdeal stands").click()
    expect(card.locator(".note")).to_contain_text("steps done: 1, 2")
    person.context.close()
    assert person.complaints == []


def test_a_double_tap_is_one_press_which_rules_nothing(room: Room, floor: Opened) -> None:
    page = floor()
    card = card_of(page)
    card.get_by_role("button", name="Play on").dblclick()
    expect(page.locator("#told")).to_have_text("Press again: Play on as it is.")
    card.get_by_role("button", name="I go").dblclick()
    expect(card.locator(".row .state")).to_have_text("on the way")
    assert room.state()["expects"] == STOPPED
    assert [step["state"] for step in room.get("alerts")["alerts"][0]["life"]] == ["raised", "taken"]


def test_the_same_press_while_it_is_under_way_says_so(room: Room, floor: Opened) -> None:
    page = floor()
    card = card_of(page)
    with room.stalled():
        page.keyboard.press("ArrowDown")
        for _ in range(2):
            page.keyboard.press("KeyT")
        expect(page.locator("#told")).to_have_text("This is still being sent.")
    expect(card.locator(".row .state")).to_have_text("on the way")


def test_the_floor_records_an_offence_and_gives_what_the_book_has_for_it(room: Room, floor: Opened) -> None:
    page = floor()
    page.locator("#conduct summary").click()
    page.locator("#conduct [name=seat]").select_option("2")
    page.locator("#conduct [name=offence]").select_option("collusion")
    record = page.get_by_role("button", name="Record")
    record.click()
    expect(page.locator("#told")).to_have_text(
        "Press again: Table main · Seat 2 · Offence: the book says what for · collusion."
    )
    record.click()
    expect(page.locator("#conduct")).not_to_have_attribute("open", "")
    incident = page.locator(".incident")
    incident.locator(".row").click()
    expect(incident.locator(".given button")).to_have_text(["Disqualify seat 2"])
    button = page.get_by_role("button", name="Disqualify seat 2")
    button.click()
    expect(page.locator("#told")).to_have_text("Press again: Disqualify seat 2.")
    button.click()
    until(lambda: "disqualified 2" in room.lines(), "it is on record")
    assert room.lines().count("infraction 2 collusion") == 1


def test_a_first_offence_has_the_buttons_of_what_its_book_gives(room: Room, browser: Browser) -> None:
    """The federation gives a warning, or a round, to who shows a hand; no other page is needed for it."""
    room.restart()
    room.write("end")
    room.write("rules fspr", "button 4", "stacks 10000", "hand", "dealt")
    person = Person(room, browser, "floor", "Anna", viewport={"width": 1440, "height": 900})
    page = person.open("/floor")
    page.locator("#conduct summary").click()
    page.locator("#conduct [name=seat]").select_option("2")
    page.locator("#conduct [name=offence]").select_option("exposed")
    record = page.get_by_role("button", name="Record")
    record.click()
    record.click()
    expect(page.locator(".incident")).to_have_count(1)
    incident = card_of(page)
    expect(incident.locator(".given button")).to_have_text(["Seat 2 is warned", "Seat 2 misses 1 round"])
    incident.get_by_role("button", name="Seat 2 is warned").click()
    expect(incident.locator(".row .state")).to_have_text("ruled")
    (alert,) = room.get("alerts")["alerts"]
    assert alert["finding"] == "infraction" and alert["life"][-1]["done"] == [1], "the warning is on record"
    incident.get_by_role("button", name="Close").click()
    expect(page.locator(".calm")).to_be_visible()
    room.write("end")
    room.write("rules tda-2022")
    person.context.close()
    assert person.complaints == []
