"""The console over a real engine: what keys write, whatever happens at the table or to the engine
meanwhile.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .hall import until
from .live import Person, Room

pytestmark = pytest.mark.browser


@pytest.fixture
def boris(room: Room, browser: Browser) -> Iterator[Page]:
    """Boris at the console of a fresh hand: blinds 50/100, seat 3 is to act."""
    room.restart()
    person = Person(room, browser, "operator", "Boris", viewport={"width": 1440, "height": 900})
    page = person.open("/console/main")
    expect(page.locator("#turn .expects")).to_have_text("Seat 3 to act: 100 to call")
    yield page
    person.context.close()
    assert person.complaints == []


def press(page: Page, *codes: str) -> None:
    for code in codes:
        page.keyboard.press(code)


def test_a_hand_is_typed_with_keys(room: Room, boris: Page) -> None:
    press(boris, "KeyC")
    press(boris, "KeyR")
    boris.keyboard.type("150")
    expect(boris.locator("#reading")).to_contain_text("The minimum is 200. Enter writes: raise 4 150")
    boris.keyboard.press("Backspace")
    boris.keyboard.press("Backspace")
    boris.keyboard.press("Backspace")
    boris.keyboard.type("0.3k")
    press(boris, "Enter")
    boris.keyboard.type("100+2x100")
    press(boris, "Enter", "KeyV", "Digit1", "Enter", "KeyC")
    room.until_lines("call 3", "raise 4 300", "chips-in 1 3x100", 'say 2 "call"', "call 3")
    expect(boris.locator("#turn .expects")).to_contain_text("Burn")
    press(boris, "KeyD")
    boris.keyboard.type("Ah Kd 2c")
    press(boris, "Enter")
    until(lambda: room.lines()[-1] == "flop Ah Kd 2c", "the flop is written")
    expect(boris.locator("#turn .expects")).to_contain_text("Seat 1 to act")
    press(boris, "Shift+Digit3", "KeyF")
    expect(boris.locator("#reading")).to_have_text(
        "▲ Out of turn: seat 3 acts, seat 1 is to act. Enter writes: fold 3"
    )
    press(boris, "Escape", "KeyF", "KeyF", "KeyF", "KeyN", "Enter")
    until(lambda: room.state()["street"] == "over", "the hand is over")
    expect(boris.locator("#turn .won")).to_have_text("Seat 4 wins 1\u202f200")


def test_ten_undos_and_ten_redos_each_shown_once_with_who_took_it_back(room: Room, boris: Page) -> None:
    acts = ["call 3", "raise 4 300", "call 1", "fold 2", "call 3"]
    further = ["flop Ah Kd 2c", "check 1", "bet 3 300", "call 4", "fold 1"]
    room.write(*acts, "burn", name="Boris")
    room.write(*further, name="Boris")
    written = [*acts, "burn", *further]
    room.until_lines(*written)
    for _ in range(10):
        boris.keyboard.press("KeyZ")
    room.until_lines(written[0])
    expect(boris.locator(".line.undone")).to_have_count(10)
    expect(boris.locator(".line")).to_have_count(len(written) + 2)
    expect(boris.locator(".line.undone .back").first).to_contain_text("taken back by Boris")
    expect(boris.locator("#turn .expects")).to_contain_text("Seat 4 to act")
    for _ in range(10):
        boris.keyboard.press("Shift+KeyZ")
    room.until_lines(*written)
    expect(boris.locator(".line.undone")).to_have_count(0)
    expect(boris.locator("#told")).to_have_text("Back in force: fold 1")


def test_undo_takes_back_ones_own_line_and_not_anothers(room: Room, boris: Page) -> None:
    press(boris, "KeyC")
    room.until_lines("call 3")
    room.write("fold 4")
    expect(boris.locator("#lines")).to_contain_text("fold 4")
    press(boris, "KeyZ")
    room.until_lines("fold 4")
    expect(boris.locator(".line.undone code")).to_have_text("call 3")


def test_the_seat_of_a_typed_entry_does_not_move(room: Room, boris: Page) -> None:
    press(boris, "KeyR")
    boris.keyboard.type("600")
    expect(boris.locator("#seat")).to_have_text("seat 3")
    room.write("fold 3")
    expect(boris.locator("#turn .expects")).to_contain_text("Seat 4 to act")
    expect(boris.locator("#seat")).to_have_text("seat 3")
    expect(boris.locator("#reading")).to_contain_text("The turn has passed: seat 4 is to act.")
    press(boris, "Enter")
    expect(boris.locator("#told")).to_have_text(
        "The turn has passed: seat 4 is to act. Enter writes raise 4 600, Esc clears."
    )
    assert room.lines() == ["fold 3"]
    press(boris, "Enter")
    room.until_lines("fold 3", "raise 4 600")


def test_an_entry_for_a_turn_that_passed_on_its_way_is_refused_and_asked_again(
    room: Room, boris: Page
) -> None:
    """The page does not know yet; the engine does."""
    press(boris, "KeyR")
    boris.keyboard.type("600")
    boris.route("**/api/tables/main/lines", lambda route: (room.write("fold 3"), route.continue_()), times=1)
    expect(boris.locator("body")).to_have_attribute("data-state", "live")
    press(boris, "Enter")
    expect(boris.locator("#told")).to_have_text(
        "Seat 3 has acted meanwhile (fold): seat 4 is to act. Enter writes it for seat 4, Esc clears."
    )
    assert room.lines() == ["fold 3"]
    press(boris, "Enter")
    room.until_lines("fold 3", "raise 4 600")


def test_two_operators_who_press_the_same_key_write_one_call(room: Room, boris: Page) -> None:
    boris.route("**/api/tables/main/lines", lambda route: (room.write("call 3"), route.continue_()), times=1)
    press(boris, "KeyC")
    expect(boris.locator("#told")).to_contain_text("Seat 3 has acted meanwhile (call 100): seat 4 is to act.")
    assert room.lines() == ["call 3"] and room.get("alerts")["alerts"] == []
    press(boris, "Escape")
    expect(boris.locator("#verb")).to_be_hidden()


def test_keys_faster_than_a_stalled_engine_wait_and_each_goes_to_its_seat(room: Room, boris: Page) -> None:
    with room.stalled():
        press(boris, "KeyF", "KeyF", "KeyC")
        expect(boris.locator("#pending li")).to_have_text(
            ["fold 3 · sending", "fold 4 · waits", "check or call 1 · waits"]
        )
        assert room.lines() == []
    room.until_lines("fold 3", "fold 4", "call 1")
    expect(boris.locator("#pending")).to_be_hidden()
    assert room.get("alerts")["alerts"] == []


def test_keys_without_any_pause_never_act_twice_for_one_seat(room: Room, boris: Page) -> None:
    boris.evaluate("""for (const code of ["KeyC", "KeyF", "KeyC", "KeyC"])
        document.body.dispatchEvent(new KeyboardEvent("keydown", { code, key: "x", bubbles: true }))""")
    room.until_lines("call 3", "fold 4", "call 1", "check 2")


def test_a_waiting_key_is_not_written_for_another_seat_than_it_was_pressed_for(
    room: Room, boris: Page
) -> None:
    boris.route(
        "**/api/tables/main/lines", lambda route: (room.write("fold 3", "fold 4"), route.continue_()), times=1
    )
    boris.evaluate("""for (const code of ["KeyF", "KeyF"])
        document.body.dispatchEvent(new KeyboardEvent("keydown", { code, key: "x", bubbles: true }))""")
    expect(boris.locator("#told")).to_contain_text("Not written either: fold 4.")
    assert room.lines() == ["fold 3", "fold 4"], "Carla's, and nothing of Boris"


def test_keys_that_wait_are_dropped_by_escape_and_by_an_engine_that_does_not_answer(
    room: Room, boris: Page
) -> None:
    with room.stalled():
        press(boris, "KeyF", "KeyF", "Escape")
        expect(boris.locator("#told")).to_have_text("Not written: fold 4.")
        press(boris, "KeyF")
        expect(boris.locator("#told")).to_contain_text("Not written either: fold 4.")
    room.write("seen 7d floor")
    assert "fold 4" not in room.lines()


def test_a_held_key_folds_once_and_letters_can_be_off(room: Room, boris: Page) -> None:
    for _ in range(5):
        boris.keyboard.down("KeyF")
    boris.keyboard.up("KeyF")
    room.until_lines("fold 3")
    press(boris, "F8", "KeyC", "F8", "KeyM", "Enter")
    room.until_lines("fold 3", "muck 4")


def test_what_the_engine_ignored_is_shown_as_ignored(room: Room, boris: Page) -> None:
    press(boris, "KeyF", "Shift+Digit3", "KeyF", "Enter")
    room.until_lines("fold 3", "fold 3")
    expect(boris.locator("#told")).to_have_text("Ignored: Seat 3 has no live hand.")
    expect(boris.locator(".line").last.locator(".ignored")).to_have_text("ignored: Seat 3 has no live hand.")


def test_what_the_engine_ignored_is_said_in_the_language_of_the_page(room: Room, boris: Page) -> None:
    boris.context.add_cookies([{"name": "language", "value": "ru", "url": room.pages.url}])
    boris.reload()
    expect(boris.locator("#turn .expects")).to_have_text("Слово за местом 3: колл 100")
    press(boris, "KeyF", "Shift+Digit3", "KeyF", "Enter")
    room.until_lines("fold 3", "fold 3")
    expect(boris.locator("#told")).to_have_text("Не принято: У места 3 нет живой руки.")
    expect(boris.locator(".line").last.locator(".ignored")).to_contain_text("У места 3 нет живой руки.")


@pytest.fixture
def in_the_deal(room: Room, browser: Browser) -> Iterator[Page]:
    room.restart("deal 1 ??", "deal 2 ??")
    person = Person(room, browser, "operator", "Boris")
    page = person.open("/console/main")
    expect(page.locator("#turn .expects")).to_have_text("Deal the next card to seat 3")
    yield page
    person.context.close()
    assert person.complaints == []


def test_no_key_acts_while_cards_of_the_deal_are_due(room: Room, in_the_deal: Page) -> None:
    page = in_the_deal
    expect(page.locator("#drawing .acts")).to_have_count(0)
    for key in ("KeyF", "KeyC"):
        press(page, key)
        expect(page.locator("#told")).to_contain_text(
            "Deal the next card to seat 3. D and Enter say that all cards are dealt"
        )
    assert room.lines() == ["deal 1 ??", "deal 2 ??"]
    press(page, "KeyD", "Enter")
    room_lines: Callable[[], list[str]] = lambda: [line["line"] for line in room.state()["lines"]]  # noqa: E731
    until(lambda: room_lines()[-1] == "dealt", "the deal is said to be complete")
    expect(page.locator("#turn .expects")).to_have_text("Seat 3 to act: 100 to call")
    press(page, "KeyF")
    until(lambda: room_lines()[-1] == "fold 3", "now the key acts")
    assert room.get("alerts")["alerts"] == []


def test_a_typed_act_in_the_deal_wants_a_second_enter(room: Room, in_the_deal: Page) -> None:
    page = in_the_deal
    press(page, "Slash")
    page.keyboard.type("fold 3")
    press(page, "Enter")
    expect(page.locator("#told")).to_have_text(
        "Cards of the deal are due. Enter once more ends the deal and writes fold 3."
    )
    assert room.lines() == ["deal 1 ??", "deal 2 ??"]
    press(page, "Enter")
    until(lambda: room.state()["street"] == "void", "a wrong fact is a fact")


def test_what_is_unclear_or_refused_stays_in_the_line(room: Room, boris: Page) -> None:
    boris.keyboard.type("12q4")
    press(boris, "Enter")
    expect(boris.locator("#told")).to_contain_text("cannot be read")
    expect(boris.locator("#text")).to_have_value("12q4")
    press(boris, "Escape", "Slash")
    boris.keyboard.type("fold 40")
    press(boris, "Enter")
    expect(boris.locator("#told")).to_contain_text("Not done. ")
    expect(boris.locator("#text")).to_have_value("fold 40")
    assert room.lines() == []


def test_a_finding_keeps_its_sentence_and_rule_beside_the_line_after_a_correction(
    room: Room, boris: Page
) -> None:
    room.write("call 3")
    room.write("call 4", name="Boris")
    room.post("undo", entry=next(line["entry"] for line in room.state()["lines"] if line["line"] == "call 3"))
    found = boris.locator(".line .found")
    expect(found).to_contain_text("▲ warning")
    expect(found.locator(".rule")).to_have_text(
        "TDA 2024 rule 53-A" if room.state()["rulebook"] == "tda-2024" else "TDA 2022 rule 53-A"
    )


def test_what_is_typed_and_a_changed_key_outlive_a_reload(room: Room, boris: Page) -> None:
    press(boris, "Shift+Slash")
    boris.locator("#remap button", has_text="Fold: F").click()
    press(boris, "KeyG")
    expect(boris.locator("#remapping")).to_have_text("Fold is G now.")
    press(boris, "Escape", "KeyR")
    boris.keyboard.type("450")
    boris.reload()
    expect(boris.locator("#text")).to_have_value("450")
    expect(boris.locator("#reading")).to_have_text("Enter writes: raise 3 450")
    expect(boris.locator('[data-act="fold"] kbd')).to_have_text("G")
    press(boris, "Enter")
    room.until_lines("raise 3 450")
    expect(boris.locator("#turn .expects")).to_contain_text("Seat 4 to act")
    press(boris, "KeyF", "KeyG")
    room.until_lines("raise 3 450", "fold 4")


def test_usual_amounts_are_one_key_and_more_than_the_stack_is_warned_of(room: Room, boris: Page) -> None:
    for key, line in (("KeyM", "raise 3 200"), ("KeyH", "raise 3 200"), ("KeyP", "raise 3 350")):
        press(boris, "KeyR", key)
        expect(boris.locator("#reading")).to_have_text(f"Enter writes: {line}")
        press(boris, "Escape")
    press(boris, "KeyR")
    boris.keyboard.type("12000")
    expect(boris.locator("#reading")).to_have_text(
        "▲ Seat 3 has 10\u202f000 in all. Enter writes: raise 3 12000"
    )
    press(boris, "Escape")
    boris.keyboard.type("1000+3x100")
    expect(boris.locator("#foreseen")).to_contain_text(
        "raise to 1\u202f300 · pot 150 → 1\u202f450 · seat 4 to act"
    )
    assert room.lines() == []


def test_a_second_console_sees_who_types_for_which_seat(room: Room, browser: Browser, boris: Page) -> None:
    expect(boris.locator("#people .person")).to_have_count(0)
    carla = Person(room, browser, "operator", "Carla", viewport={"width": 640, "height": 800})
    page = carla.open("/console/main")
    expect(boris.locator("#people")).to_contain_text("Carla is here too")
    press(page, "KeyR", "Digit5")
    expect(boris.locator("#people")).to_contain_text("Carla is typing for seat 3")
    assert page.evaluate("document.documentElement.scrollWidth") == 640
    page.locator('.spot[data-spot="2"]').click()
    expect(boris.locator("#people")).to_contain_text("Carla is typing for seat 2")
    carla.context.close()
    expect(boris.locator("#people .person")).to_have_count(0)
    assert carla.complaints == []


def test_the_floor_is_called_with_a_key(room: Room, boris: Page) -> None:
    press(boris, "KeyL", "Enter")
    room.until_lines("call-floor")
    expect(boris.locator("#beside .found")).to_contain_text("Floor called")


def test_the_console_rules_on_an_open_question_at_the_second_press(room: Room, boris: Page) -> None:
    expect(boris.locator("#questions")).to_be_hidden()
    room.write("call 3", "call 4", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")
    questions = boris.locator("#questions")
    expect(questions.locator(".found")).to_contain_text("The flop has 4 cards")
    choice = questions.get_by_role("button", name="The king of diamonds is the burn")
    expect(choice.locator("small")).not_to_be_empty()
    choice.click()
    expect(boris.locator("#told")).to_have_text("Press again: The king of diamonds is the burn.")
    assert room.state()["questions"]
    choice.click()
    expect(questions).to_be_hidden()
    assert room.state()["board"] == ["Ah", "2c", "9s"]


def test_chips_that_go_back_by_the_ruling_stand_on_its_alert_in_rest(room: Room, boris: Page) -> None:
    room.write("call 3", "call 4", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")
    misdeal = boris.locator("#questions").get_by_role("button", name="Misdeal")
    misdeal.click()
    misdeal.click()
    expect(boris.locator("#questions")).to_be_hidden()
    refunds = {str(seat): 100 for seat in (1, 2, 3, 4)}
    until(lambda: room.get("alerts")["alerts"][0]["refunds"] == refunds, "the alert has the amounts")
