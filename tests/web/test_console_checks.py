"""The checks of the console, C1 to C8, over a real engine at a nine-handed table with two antennas."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect
from rig.groups import alone, message

from tablebridge.bus import topics
from tablebridge.bus.client import BusClient
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.engine.views import staff_view
from tablebridge.model.cards import DECK_52
from tablebridge.model.decks import Deck
from tablebridge.model.events import Entry
from tablebridge.model.instant import START, Instant
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.decks import save_deck
from tablebridge.settings.site import Broker

from .hall import until
from .live import Person, Room, room_in

pytestmark = pytest.mark.browser

TAGS = {f"E0040100000000{number:02X}": card for number, card in enumerate(DECK_52, 1)}
WEB = 'overlay_delay_s = 0\noverlay_reveal = "delay"\noverlay_hole_cards = false'
DEVICE = """\
group = "alone"
[[table.device]]
name = "reader"
driver = "line"
port = "/dev/ttyNONE"
antennas = { 0 = "seat 4", 1 = "muck" }
"""
SETUP = ("rules tda-2024", "game nlhe 50/100", "seats 1-9", "button 9", "stacks 10000")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder: Path = tmp_path_factory.mktemp("room")
    save_deck(folder / "decks" / "red.toml", Deck("red", TAGS))
    groups = alone({"reader": "main"})
    with room_in(folder, seats=9, web=WEB, device=DEVICE, groups=groups) as room:
        yield room


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


def folded(*lines: str) -> dict[str, Any]:
    """What a table script leads to: all of the staff's picture but when and under which numbers."""
    table = Table("main")
    for number, line in enumerate((*SETUP, *lines), 1):
        table.apply(Entry(number, START, parse_line(line), "operator"))
    view = staff_view(table, START)
    return {
        "pot": view.pot,
        "street": view.street,
        "to_act": view.to_act,
        "to_call": view.to_call,
        "board": list(view.board),
        "incomplete": list(view.incomplete),
        "seats": [
            (seat.seat, seat.state, seat.stack, seat.bet, seat.cards, seat.last, seat.won)
            for seat in view.seats
        ],
    }


def shown(picture: dict[str, Any]) -> dict[str, Any]:
    """The same of a picture that a page is sent."""
    seats = ("seat", "state", "stack", "bet", "cards", "last", "won")
    return {
        **{name: picture.get(name) for name in ("pot", "street", "to_act", "to_call", "board", "incomplete")},
        "seats": [tuple(seat[name] for name in seats) for seat in picture["seats"]],
    }


class RussianKeyboard:
    """Keys by their places, with the letters of a Russian layout on them. `pressed`: how many were."""

    LETTERS = dict(zip("qwertyuiop[]asdfghjkl;'zxcvbnm,.", "йцукенгшщзхъфывапролджэячсмитьбю", strict=True))

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self.pressed = 0

    def press(self, code: str, *, shift: bool = False) -> None:
        plain = code.removeprefix("Key").removeprefix("Digit").lower()
        letter = self.LETTERS.get(plain, plain) if code.startswith(("Key", "Digit")) else ""
        if shift and code.startswith("Digit"):
            letter = '!"№;%:?*()'[int(plain) - 1]
        letter = letter.upper() if shift else letter
        key = {"Enter": "Enter", "Space": " "}.get(code, letter)
        text = {"Enter": "\r", "Space": " "}.get(code, letter)
        place = {"Enter": 13, "Space": 32}.get(code, ord(plain[0].upper()))
        for kind in ("keyDown", "keyUp"):
            self._session.send(
                "Input.dispatchKeyEvent",
                {
                    "type": kind,
                    "code": code,
                    "key": key,
                    "windowsVirtualKeyCode": place,
                    "modifiers": 8 if shift else 0,
                    **({"text": text} if kind == "keyDown" else {}),
                },
            )
        self.pressed += 1 + shift

    def type(self, keys: str) -> None:
        """The keys on which an English layout has these signs."""
        for sign in keys:
            if sign == " ":
                self.press("Space")
            else:
                self.press(f"Digit{sign}" if sign.isdigit() else f"Key{sign.upper()}", shift=sign.isupper())


C1: list[tuple[str, str, str]] = [
    ("dealt", "D", "\n"),
    ("fold 3", "F", ""),
    ("call 4", "C", ""),
    ("raise 5 300", "R", "300\n"),
    ("fold 6", "F", ""),
    ("fold 7", "F", ""),
    ("call 8", "C", ""),
    ("fold 9", "F", ""),
    ("fold 1", "F", ""),
    ("call 2", "C", ""),
    ("fold 4", "F", ""),
    ("burn", "/", "burn\n"),
    ("flop Ah Kd 2c", "D", "Ah Kd 2c\n"),
    ("check 2", "C", ""),
    ("bet 5 500", "B", "500\n"),
    ("raise 8 2000", "R", "2k\n"),
    ("fold 2", "F", ""),
    ("call 5", "C", ""),
    ("burn", "/", "burn\n"),
    ("turn 7s", "D", "7s\n"),
    ("check 5", "C", ""),
    ("check 8", "C", ""),
    ("burn", "/", "burn\n"),
    ("river 9h", "D", "9h\n"),
    ("bet 5 1200", "B", "1200\n"),
    ("call 8", "C", ""),
    ("table 5 As Ks", "⇧5 T", "As Ks\n"),
    ("muck 8", "⇧8 M", "\n"),
    ("end", "N", "\n"),
]
"""A nine-handed hand: the lines of its table script, the command keys, what is typed after them."""
ACTS = ("fold", "call", "check", "raise", "bet", "allin")
KEYS_OF_ACTS, KEYS_IN_ALL = 35, 92
"""How many keys the 19 acts of that hand take, and all of it; Shift is a key."""


def test_c1_a_nine_handed_hand_by_keys_of_a_russian_layout_is_its_table_script(
    room: Room, browser: Browser
) -> None:
    room.restart("deal 1 ??")
    person = Person(room, browser, "operator", "Boris", viewport={"width": 1440, "height": 900})
    page = person.open("/console/main")
    expect(page.locator("#turn .expects")).to_contain_text("Deal the next card")
    keyboard = RussianKeyboard(page)
    acts = 0
    for line, command, typed in C1:
        before = keyboard.pressed
        for key in command.split():
            seat = key.removeprefix("⇧")
            code = "Slash" if key == "/" else f"Digit{seat}" if seat.isdigit() else f"Key{seat}"
            keyboard.press(code, shift=seat != key)
        for part in typed.splitlines(keepends=True):
            keyboard.type(part.strip("\n"))
            keyboard.press("Enter")
        expect(page.locator("#lines .line code").last).to_have_text(line)
        acts += (keyboard.pressed - before) * line.startswith(ACTS)
    assert shown(room.state()) == folded("hand", "deal 1 ??", *(line for line, _, _ in C1))
    expect(page.locator("#turn .won")).to_contain_text("Seat 5 wins 7\u202f450")
    assert (acts, keyboard.pressed) == (KEYS_OF_ACTS, KEYS_IN_ALL), "docs/pages.md has these figures"
    person.context.close()
    assert person.complaints == []


def test_c2_ten_undos_and_ten_redos_give_the_same_state(room: Room, boris: Page) -> None:
    acts = ["call 3", "raise 4 300", "fold 5", "fold 6", "fold 7", "fold 8", "fold 9", "fold 1"]
    further = ["call 2", "call 3", "flop Ah Kd 2c", "check 2"]
    room.write(*acts, name="Boris")
    room.write(*further, name="Boris")
    before = shown(room.state())
    for _ in range(10):
        boris.keyboard.press("KeyZ")
    until(lambda: shown(room.state()) == folded("hand", "dealt", *acts[:2]), "ten are taken back")
    expect(boris.locator(".line.undone")).to_have_count(10)
    for _ in range(10):
        boris.keyboard.press("Shift+KeyZ")
    until(lambda: shown(room.state()) == before, "ten are back in force")
    expect(boris.locator(".line.undone")).to_have_count(0)


PREFLOP = ["raise 3 150", "call 4", *(f"fold {seat}" for seat in (5, 6, 7, 8, 9, 1, 2))]
LATER = ["burn", "flop Ah Kd 2c", "check 3", "check 4", "burn", "turn 7s", "check 3", "check 4"]


def test_c3_a_raise_before_the_flop_is_changed_on_the_river(
    room: Room, browser: Browser, boris: Page, record_property: Any
) -> None:
    room.write(*PREFLOP)
    room.write(*LATER, "burn", "river 9h")
    floor = Person(room, browser, "floor", "Anna")
    tile = floor.open("/floor")
    key = room.tokens.add("broadcast", "OBS")[1]
    press(boris, "KeyJ")
    for _ in range(len(PREFLOP) + len(LATER) + 1):
        press(boris, "ArrowUp")
    expect(boris.locator(".line:focus code")).to_have_text("raise 3 150")
    press(boris, "Enter")
    expect(boris.locator("#text")).to_have_value("raise 3 150")
    boris.locator("#text").fill("raise 3 400")
    expect(boris.locator("#reading")).to_have_text("Enter changes raise 3 150 to: raise 3 400")
    expect(boris.locator("#foreseen")).to_have_text("pot 550 → 950 · finding underraise goes")
    assert "raise 3 150" in room.lines(), "nothing is written before Enter"
    press(boris, "Enter")
    began = time.monotonic()
    corrected = folded("hand", "dealt", "raise 3 400", *PREFLOP[1:], *LATER, "burn", "river 9h")
    until(lambda: shown(room.state()) == corrected, "the state is that of the corrected script")

    def on_air() -> dict[str, Any]:
        found: dict[str, Any] = room.http.get(
            f"{room.pages.url}/api/tables/main/overlay", params={"key": key}
        ).json()
        return found

    until(lambda: on_air()["pot"] == 950, "the broadcast is too")
    expect(boris.locator("#drawing .pot")).to_have_text("Pot 950")
    expect(tile.locator("body")).to_contain_text("950")
    record_property("all pages corrected after, s", round(time.monotonic() - began, 3))
    expect(boris.locator(".line .back").first).to_contain_text("changed by Boris, was: raise 3 150")
    assert [(seat["stack"], seat["bet"]) for seat in on_air()["seats"]] == [
        (stack, bet) for _, _, stack, bet, *_ in corrected["seats"]
    ]
    floor.context.close()


def test_c3_a_line_that_was_left_out_is_inserted_and_a_wrong_one_taken_back(room: Room, boris: Page) -> None:
    room.write("raise 3 300", "fold 5", name="Boris")
    expect(boris.locator(".line .found")).to_contain_text("out of turn")
    press(boris, "KeyJ", "Insert")
    boris.keyboard.type("call 4")
    expect(boris.locator("#reading")).to_have_text("Enter inserts before fold 5: call 4")
    expect(boris.locator("#foreseen")).to_contain_text("finding out-of-turn goes")
    press(boris, "Enter")
    until(lambda: shown(room.state()) == folded("hand", "dealt", "raise 3 300", "call 4", "fold 5"), "it is")
    expect(boris.locator(".line code")).to_have_text(["hand", "dealt", "raise 3 300", "call 4", "fold 5"])
    press(boris, "KeyJ", "Delete")
    expect(boris.locator("#reading")).to_have_text("Enter takes back: fold 5")
    expect(boris.locator("#foreseen")).to_have_text("seat 5 to act again · seat 5 is in again")
    press(boris, "Enter")
    until(lambda: shown(room.state()) == folded("hand", "dealt", "raise 3 300", "call 4"), "it is taken back")


def test_c3_a_hand_that_is_over_is_corrected_with_a_reason(room: Room, boris: Page) -> None:
    room.write("raise 3 300", *(f"fold {seat}" for seat in (4, 5, 6, 7, 8, 9, 1, 2)), "end", name="Boris")
    expect(boris.locator("#turn .won")).to_have_text("Seat 3 wins 250")
    boris.locator(".line", has_text="raise 3 300").focus()
    press(boris, "Enter")
    boris.locator("#text").fill("raise 3 350")
    press(boris, "Enter")
    expect(boris.locator("#told")).to_contain_text("say why it is corrected")
    boris.keyboard.type("misread the chips")
    press(boris, "Enter")
    expect(boris.locator(".line .back")).to_contain_text("misread the chips")
    assert "raise 3 350" in room.lines()


def test_c4_out_of_turn_is_named_before_enter_and_ruled_later(room: Room, boris: Page) -> None:
    press(boris, "Shift+Digit5", "KeyC")
    expect(boris.locator("#reading")).to_have_text(
        "▲ Out of turn: seat 5 acts, seat 3 is to act. Enter writes: call 5"
    )
    press(boris, "Enter")
    expect(boris.locator(".line .found")).to_contain_text("acted out of turn; the action is on seat 3")
    press(boris, "KeyF", "KeyF")
    until(lambda: room.state()["to_act"] == 6, "the call is binding: nothing has changed for seat 5")
    assert next(seat for seat in room.state()["seats"] if seat["seat"] == 5)["bet"] == 100


BLINKS = """(seat) => {
  const style = getComputedStyle(seat.querySelector(".last"));
  return [style.animationName, style.animationDelay, style.animationDuration];
}"""


class Antennas(threading.Thread):
    """Two cards lie before seat 4 until `muck` is set, ten readings per second, as a driver sends them."""

    def __init__(self, room: Room) -> None:
        super().__init__(daemon=True)
        account = room.broker.accounts["dev-reader"]
        self._client = BusClient(Broker(port=room.broker.port), "reader-of-the-tests", *account)
        self.muck, self.ended = threading.Event(), threading.Event()

    def run(self) -> None:
        seq = 0
        cards = tuple(TAGS)[:2]
        while not self.ended.wait(0.05):
            self._client.step(0.01)
            for antenna in (0, 1):
                seq += 1
                tags = cards if (antenna == 1) == self.muck.is_set() else ()
                at = Instant(time.time_ns(), time.monotonic_ns())
                sent = message(Stamped("reader", "tests", seq, at, Sweep(antenna, tags)))
                self._client.publish(topics.READING.of("hall", "main", "reader"), sent)
        self._client.close()


def test_c5_a_fold_against_two_cards_that_are_read_is_in_doubt_in_every_feed(room: Room, boris: Page) -> None:
    key = room.tokens.add("broadcast", "OBS")[1]
    antennas = Antennas(room)
    antennas.start()
    try:
        expect(boris.locator("#seat-4 .read circle.lying")).to_have_count(2)
        press(boris, "KeyF", "KeyF")
        expect(boris.locator("#seat-4")).to_have_class("seat folded disagrees")
        assert boris.locator("#seat-4").evaluate(BLINKS) == ["disagrees", "2s", "1.4s"]
        boris.emulate_media(reduced_motion="reduce")
        assert boris.locator("#seat-4").evaluate(BLINKS)[0] == "none"
        expect(boris.locator("#turn .doubt")).to_have_text("▲ in doubt")
        expect(boris.locator("#seat-4")).to_have_class("seat folded disagrees doubted")
        on_air = f"{room.pages.url}/api/tables/main/overlay"
        until(lambda: room.http.get(on_air, params={"key": key}).json()["in_doubt"], "the broadcast knows")
        expect(boris.locator("#flags .flag")).to_contain_text(
            "Seat 4 is recorded as folded, and 2 of its cards"
        )
        antennas.muck.set()
        expect(boris.locator("#turn .doubt")).to_have_count(0)
        until(
            lambda: not room.http.get(on_air, params={"key": key}).json()["in_doubt"],
            "the broadcast knows that the doubt has ended",
        )
    finally:
        antennas.ended.set()
        antennas.join(60)


def test_c6_letter_keys_that_are_off_change_nothing_and_stay_off_after_a_reload(
    room: Room, boris: Page
) -> None:
    press(boris, "F8")
    boris.reload()
    expect(boris.locator("#letters")).to_have_text("Letter keys off")
    expect(boris.locator("body")).to_have_attribute("data-state", "live")
    boris.keyboard.type("fcbraiuvdxtmqlnzj0123")
    press(boris, "Enter")
    assert room.lines() == []
    expect(boris.locator("#text")).to_have_value("")
    press(boris, "F8", "KeyF")
    room.until_lines("fold 3")


def test_c7_a_key_that_is_held_down_folds_one_seat(room: Room, boris: Page) -> None:
    for _ in range(8):
        boris.keyboard.down("KeyF")
    boris.keyboard.up("KeyF")
    press(boris, "KeyC")
    room.until_lines("fold 3", "call 4")


def test_c8_a_hand_with_open_flags_is_closed_as_incomplete_and_the_next_begins(
    room: Room, boris: Page
) -> None:
    press(boris, "Shift+Digit4", "KeyQ", "Enter")
    expect(boris.locator("#flags .flag .reason")).to_have_text("▲ What is recorded of seat 4 is in doubt.")
    boris.locator("#flags [data-later]").click()
    expect(boris.locator("#flags .flag")).to_have_class("flag of-doubt later")
    boris.locator('#flags [data-filter="ignored"]').click()
    expect(boris.locator("#flags .flag")).to_be_hidden()
    boris.locator('#flags [data-filter="all"]').click()
    press(boris, "Escape", *["KeyF"] * 8)
    until(lambda: len(room.lines()) == 9, "all but one have folded")
    press(boris, "KeyN")
    expect(boris.locator("#reading")).to_have_text(
        "▲ Open flags: What is recorded of seat 4 is in doubt. Enter writes: end"
    )
    press(boris, "Enter")
    expect(boris.locator("#turn p.doubt")).to_have_text(
        "Incomplete: What is recorded of seats 4 was in doubt and not settled."
    )
    expect(boris.locator("#turn .won")).to_have_text("Seat 2 wins 150")
    press(boris, "KeyN", "Enter")
    until(lambda: room.state()["street"] == "preflop", "the next hand begins")
    assert room.state()["incomplete"] == []
