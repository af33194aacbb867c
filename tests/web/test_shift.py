"""A shift on the floor page: what it switches on, what rings, how it is muted; with the real engine."""

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tablebridge.languages.texts import texts
from tablebridge.model.calls import NotifierState, Reachable
from tablebridge.web.ringing import ringers

from .hall import until
from .live import Person, Room, room_in

pytestmark = pytest.mark.browser

RINGING = "[ringing]\nnot_taken_s = 3\nwarning_all_s = 3000\nwarning_manager_s = 3500\n"
SPY = """
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.tones += 1;
      return start.apply(this, when);
    };
"""
SEEN = """
    window.noted = [];
    window.Notification = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, options) { this.tag = options.tag; window.noted.push([title, options.body]); }
      close() { window.noted.push(["closed", this.tag]); }
    };
"""
CLOSED = """
    window.ended = 0;
    const close = EventSource.prototype.close;
    EventSource.prototype.close = function () { window.ended += 1; return close.call(this); };
"""
HIDDEN = """
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
"""
PLAIN = "Object.defineProperty(window, 'isSecureContext', { value: false })"

Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def ringing_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with room_in(tmp_path_factory.mktemp("ringing")) as room:
        room.end_engine()
        file = room.pages.site_file
        file.write_text(file.read_text().replace("[[table]]", f"{RINGING}[[table]]"))
        room.start_engine()
        room.until_followed()
        yield room


@pytest.fixture
def floor(ringing_room: Room, browser: Browser) -> Iterator[Opened]:
    ringing_room.restart()
    made: list[Person] = []

    def opened(*scripts: str) -> Page:
        made.append(Person(ringing_room, browser, "floor", "Anna", viewport={"width": 360, "height": 640}))
        for script in scripts:
            made[-1].page.add_init_script(script)
        return made[-1].open("/floor")

    yield opened
    for person in made:
        person.context.close()
        assert person.complaints == []


def stop(room: Room) -> None:
    """A flop of four cards, which raises an alert."""
    room.write("call 3", "call 4", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")


def tones(page: Page) -> int:
    count: int = page.evaluate("window.tones")
    return count


def on_shift(page: Page) -> None:
    page.get_by_role("button", name="Start of shift: Anna").click()
    expect(page.locator("#duty-sound")).to_have_text("Sound is on.")


def test_the_start_of_a_shift_says_what_it_switched_on_and_what_not(floor: Opened) -> None:
    page = floor(SPY, SEEN)
    expect(page.locator("#duty")).to_be_hidden()
    on_shift(page)
    expect(page.get_by_role("button", name="On shift: Anna")).to_have_attribute("aria-pressed", "true")
    assert tones(page) == 2, "the tone is heard once, as a test"
    expect(page.locator("#duty-screen")).to_contain_text("screen")
    expect(page.locator("#duty-notices")).to_have_text("Notifications of this browser are on.")
    expect(page.locator("#duty-phone")).to_have_text(
        "Notifications do not run here: keep this page open, with sound."
    )
    for button in (page.locator("#shift button"), page.locator("#mute")):
        box = button.bounding_box()
        assert box is not None and box["height"] >= 48
    page.get_by_role("button", name="On shift: Anna").click()
    expect(page.locator("#duty")).to_be_hidden()


def test_on_plain_http_the_page_says_what_the_browser_refuses(floor: Opened) -> None:
    page = floor(SPY, PLAIN)
    on_shift(page)
    expect(page.locator("#duty-screen")).to_contain_text("This address is plain HTTP")
    expect(page.locator("#duty-notices")).to_have_count(0)


def test_f4_an_alert_that_is_seen_and_not_taken_rings_again(floor: Opened, ringing_room: Room) -> None:
    page = floor(SPY)
    on_shift(page)
    stop(ringing_room)
    until(lambda: tones(page) >= 4, "the alert sounds")
    expect(page).to_have_title("(1) ▲ Table main")
    assert str(page.locator("link[rel=icon]").get_attribute("href")).startswith("data:image/svg")
    seen = tones(page)
    until(lambda: tones(page) > seen, "it goes on as long as nobody has seen it")
    alert = ringing_room.get("alerts")["alerts"][0]
    assert ringing_room.post(f"alerts/{alert['id']}/acknowledged", "floor", "Anna").status_code == 200
    expect(page).to_have_title("Floor · tablebridge")
    assert "icon.svg" in str(page.locator("link[rel=icon]").get_attribute("href"))
    silent = tones(page)
    until(lambda: tones(page) > silent, "it rings again")
    expect(page).to_have_title("(1) ▲ Table main")
    ring = ringing_room.get("alerts")["alerts"][0]["ring"]
    assert (ring["number"], ring["to"], ring["why"]) == (1, "all", "not-taken")
    assert ringing_room.post(f"alerts/{alert['id']}/taken", "floor", "Anna").status_code == 200
    expect(page).to_have_title("Floor · tablebridge")


def test_a_hidden_page_on_shift_goes_on_hearing_and_notifies_without_a_card(
    floor: Opened, ringing_room: Room
) -> None:
    page = floor(SPY, SEEN)
    on_shift(page)
    page.evaluate(HIDDEN)
    stop(ringing_room)
    expect(page).to_have_title("(1) ▲ Table main")
    assert page.evaluate("window.noted") == [["▲ Table main", "Flop count"]]
    alert = ringing_room.get("alerts")["alerts"][0]
    assert ringing_room.post(f"alerts/{alert['id']}/taken", "floor", "Anna").status_code == 200
    expect(page).to_have_title("Floor · tablebridge")
    assert page.evaluate("window.noted.length") == 2, "it is withdrawn"


def test_a_hidden_page_off_shift_closes_its_stream_and_rings_nobody(
    floor: Opened, ringing_room: Room
) -> None:
    page = floor(SPY, CLOSED)
    page.evaluate(HIDDEN)
    assert page.evaluate("window.ended") == 1
    stop(ringing_room)
    until(lambda: ringing_room.get("alerts")["alerts"], "the alert is there")
    assert page.title() == "Floor · tablebridge" and tones(page) == 0


def test_m_mutes_this_device_which_is_shown_and_ends_by_itself(floor: Opened, ringing_room: Room) -> None:
    page = floor(SPY)
    page.clock.install(time=time.time())
    page.reload()
    on_shift(page)
    page.keyboard.press("KeyM")
    expect(page.locator("#mute")).to_contain_text("Muted for 60 s")
    stop(ringing_room)
    expect(page).to_have_title("(1) ▲ Table main")
    before = tones(page)
    page.clock.fast_forward(50_000)
    expect(page.locator("#mute")).to_contain_text("Muted for 10 s")
    assert tones(page) == before
    page.clock.fast_forward(11_000)
    expect(page.locator("#mute")).to_have_text("Mute this device 60 s M")
    until(lambda: tones(page) > before, "it sounds again by itself")


def test_a_shift_goes_on_after_a_reload(floor: Opened) -> None:
    page = floor(SPY)
    on_shift(page)
    page.reload()
    expect(page.get_by_role("button", name="On shift: Anna")).to_be_visible()
    expect(page.locator("#duty-sound")).to_have_count(1)
    expect(page.locator("#duty-phone")).to_have_count(0)


def test_a_page_rings_for_the_sections_person_and_for_who_is_in_no_file() -> None:
    from tablebridge.floor.alerts import Alerts
    from tablebridge.model.alerts import Ring
    from tablebridge.model.instant import START

    from .hall import misdeal

    alerts = Alerts()
    alert = alerts.raise_(misdeal(), START)
    assert alert is not None
    people = (Reachable("Anna", tables=("main",)), Reachable("Bob", tables=("side",)), Reachable("Mia", True))
    state = NotifierState("online", "1", 0, people)

    def heard() -> list[str]:
        return [
            name
            for name in ("Anna", "Bob", "Mia", "Zoe")
            if ringers(alerts.active(), state, name, texts("en"))
        ]

    assert heard() == ["Anna", "Zoe"]
    alerts.ring(alert.id, Ring(1, "all", "not-seen", START))
    assert heard() == ["Anna", "Bob", "Zoe"]
    alerts.ring(alert.id, Ring(2, "manager", "not-seen", START))
    assert heard() == ["Anna", "Bob", "Mia", "Zoe"]
    (ringer,) = ringers(alerts.active(), None, "Anna", texts("en"))
    assert (ringer.title, ringer.kind) == ("Table main", "Misdeal")
