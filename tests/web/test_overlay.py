"""The overlay in a real browser: the checks of the broadcast's page, each named by its letter and number."""

import itertools
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tablebridge import web
from tablebridge.bus import topics
from tablebridge.model.cards import DECK_52
from tablebridge.model.direction import THEMES
from tablebridge.model.overlay import OverlayView
from tablebridge.web.gallery import states

from .hall import Hall, until

pytestmark = pytest.mark.browser

BOOTSTRAP = Path(web.__file__).parent / "static" / "tablebridge-overlay.html"
PICTURES = {state.name: state.picture for state in states()}
SIZES = {"16x9": (1920, 1080), "9x16": (1080, 1920), "row": (1920, 1080)}
REVS = itertools.count(10_000)

ALPHA = """async ([bytes, plates]) => {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const data = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  const near = new Uint8Array(bitmap.width * bitmap.height), deep = near.slice();
  const fill = (mask, [l, t, r, b], margin) => {
    for (let y = Math.max(0, Math.ceil(t + margin)); y < Math.min(bitmap.height, b - margin); y++)
      mask.fill(1, y * bitmap.width + Math.max(0, Math.ceil(l + margin)),
        y * bitmap.width + Math.max(0, Math.floor(r - margin)));
  };
  for (const plate of plates) fill(near, plate, -3), fill(deep, plate, 20);
  let outside = [], weakest = 255;
  for (let at = 0; at < near.length; at++) {
    const alpha = data[4 * at + 3];
    if (!near[at] && alpha) outside.push([at % bitmap.width, Math.floor(at / bitmap.width), alpha]);
    if (deep[at]) weakest = Math.min(weakest, alpha);
  }
  return [bitmap.width, outside.slice(0, 9), weakest];
}"""
"""The width of a picture, pixels outside these boxes that are not transparent, and the weakest inside."""
WATCHED = """() => {
  window.moved = [];
  window.counts = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.moved.push([this.className, options.duration ?? options]);
    return animate.call(this, frames, options);
  };
  addEventListener(
    'transitionrun', event => window.moved.push([event.target.className, event.propertyName]), true);
  const each = () => {
    const now = document.querySelectorAll('.board .card').length;
    if (window.counts.at(-1) !== now) window.counts.push(now);
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);
}"""
"""Keeps what moves, and how many cards the board had in each frame."""


PLATES = """[...document.querySelectorAll('.plate, .card')]
  .filter(plate => getComputedStyle(plate).backgroundColor !== 'rgba(0, 0, 0, 0)')
  .map(plate => plate.getBoundingClientRect())
  .map(box => [box.left, box.top, box.right, box.bottom])"""
"""The places of all that has a ground of its own."""


class Air:
    """An overlay in a browser, and the engine that shows it pictures."""

    def __init__(
        self, hall: Hall, browser: Browser, layout: str = "16x9", more: str = "", **options: Any
    ) -> None:
        width, height = SIZES[layout]
        self.hall = hall
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.page: Page = self.context.new_page()
        self.page.add_init_script(f"({WATCHED})()")
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console",
            lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None,
        )
        self.address = f"{hall.url}/overlay/main?key={hall.secret('broadcast')}&layout={layout}{more}"

    def open(self) -> None:
        self.page.goto(self.address)

    def show(self, picture: OverlayView, *, wait: bool = True) -> int:
        """The engine lets this picture out; wait until the page shows it. Returns its number."""
        rev = next(REVS)
        fields = {name: getattr(picture, name) for name in OverlayView.__struct_fields__}
        self.hall.engine.show(OverlayView(**{**fields, "table": "main", "rev": rev}), topics.OVERLAY)
        if wait:
            self.until(rev)
        return rev

    def until(self, rev: int) -> None:
        expect(self.page.locator("tb-table")).to_have_attribute("data-rev", str(rev))

    def close(self) -> None:
        self.context.close()
        assert self.errors == []


@pytest.fixture
def air(hall: Hall, browser: Browser) -> Iterator[Any]:
    made: list[Air] = []

    def opened(*layout: str, **options: Any) -> Air:
        made.append(Air(hall, browser, *layout, **options))
        return made[-1]

    yield opened
    for each in made:
        each.close()


@pytest.mark.parametrize("layout", SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_o1_nothing_is_drawn_outside_opaque_plates(air: Any, layout: str, theme: str) -> None:
    viewer = air(layout, f"&motion=off&theme={theme}&show=board,seats,stacks,pot,equity,blinds,hand,history")
    viewer.open()
    viewer.show(PICTURES["raise"])
    reader = viewer.context.new_page()  # the browser itself reads the pixels, in a page without our policy
    viewer.page.bring_to_front()
    read: list[Any] = []

    def drawn() -> bool:
        plates = viewer.page.evaluate(PLATES)
        image = list(viewer.page.screenshot(omit_background=True))
        read[:] = reader.evaluate(ALPHA, [image, plates])
        return bool(read[2] >= 0.85 * 255)

    # The document has the picture before the browser has drawn it, and a browser that is starved loses the
    # stream for a moment: plates of which nothing is drawn yet are read again.
    until(drawn, "the plates are drawn, opaque")
    assert read[:2] == [SIZES[layout][0], []]


def test_o2_no_face_reaches_the_page_before_the_picture_that_shows_it(air: Any, hall: Hall) -> None:
    """Fifty hands, the page loaded again in every fifth; what is sent is read beside what is shown."""
    viewer = air()
    viewer.open()
    sent: list[str] = []
    key = {"key": hall.secret("broadcast")}
    picture = PICTURES["flop"]
    for number in range(50):
        deck = iter(DECK_52[number % 13 :])
        faces = {seat.seat: (next(deck), next(deck)) for seat in picture.seats if seat.state == "in"}
        hidden = tuple(replace(seat, faces=()) for seat in picture.seats)
        viewer.show(replace(picture, hand=number, seats=hidden, board=(), hands=()))
        if number % 5 == 0:
            viewer.page.reload()
            expect(viewer.page.locator(".seat").first).to_be_visible()
        now = hall.http.get(f"{hall.url}/api/tables/main/overlay", params=key).text
        known = viewer.page.content() + now
        sent.append(now)
        assert "data-suit" not in known and '"faces":["' not in known and '"equity":0' not in known
        dealt = tuple(replace(seat, faces=faces.get(seat.seat, ())) for seat in picture.seats)
        viewer.show(replace(picture, hand=number, seats=dealt))
        assert viewer.page.locator(".seat [data-suit]").count() == 2 * len(faces)
    assert len(sent) == 50


def test_o3_the_three_cards_of_a_flop_come_in_one_frame(air: Any) -> None:
    viewer = air()
    viewer.open()
    viewer.show(PICTURES["preflop"])
    viewer.page.evaluate("window.counts = []")
    viewer.show(PICTURES["flop"])
    viewer.show(PICTURES["turn"])
    until(lambda: viewer.page.evaluate("window.counts.at(-1)") == 4, "the turn is there")
    assert [count for count in viewer.page.evaluate("window.counts") if count] == [3, 4]


@pytest.mark.parametrize("state", ["raise", "allin", "over"])
def test_o4_after_a_reload_nothing_moves_and_the_picture_is_the_same(air: Any, state: str) -> None:
    viewer = air()
    viewer.open()
    viewer.show(PICTURES["preflop"])
    rev = viewer.show(PICTURES[state])
    until(lambda: viewer.page.evaluate("document.getAnimations().length") == 0, "all that moved stands")
    assert viewer.page.evaluate("window.moved.length") > 0
    before = viewer.page.screenshot(omit_background=True)
    viewer.page.reload()
    viewer.until(rev)
    viewer.page.evaluate("document.fonts.ready.then(() => 0)")
    assert viewer.page.evaluate("window.moved") == []
    assert viewer.page.screenshot(omit_background=True) == before


def test_o7_a_style_sheet_as_obs_puts_it_in_changes_a_colour(air: Any) -> None:
    viewer = air()
    viewer.open()
    viewer.show(PICTURES["flop"])
    viewer.page.add_style_tag(content=":root { --tb-plate: rgb(1, 2, 3) }")
    expect(viewer.page.locator(".pot")).to_have_css("background-color", "rgb(1, 2, 3)")


@pytest.mark.parametrize("how", ["media", "address"])
def test_o8_with_reduced_motion_nothing_moves(air: Any, how: str) -> None:
    viewer = air("16x9", "&motion=off") if how == "address" else air("16x9", reduced_motion="reduce")
    viewer.open()
    for state in ("preflop", "flop", "turn", "river", "over"):
        viewer.show(PICTURES[state])
        assert viewer.page.evaluate("document.getAnimations().length") == 0
    assert viewer.page.evaluate("window.moved") == []


def test_nothing_moves_for_longer_than_300_ms_and_the_pot_flows_to_the_winner(air: Any) -> None:
    viewer = air()
    viewer.open()
    viewer.show(PICTURES["preflop"])
    for state in ("flop", "raise", "turn", "river"):
        viewer.show(PICTURES[state])
    viewer.show(PICTURES["over"])
    moved = viewer.page.evaluate("window.moved")
    assert any(what == "plate flow" for what, _ in moved), "the pot flows"
    assert {how for _, how in moved if isinstance(how, str)} >= {"scale"}, "a bar moves"
    assert max(how for _, how in moved if not isinstance(how, str)) <= 300
    expect(viewer.page.locator(".flow")).to_have_count(0)
    times = viewer.page.evaluate(
        "[...document.querySelectorAll('tb-table, tb-table *')].flatMap("
        "part => getComputedStyle(part).transitionDuration.split(',').map(parseFloat))"
    )
    assert max(times) <= 0.3


def test_the_five_cards_that_win_are_raised_and_the_loser_is_dimmed(air: Any) -> None:
    viewer = air("16x9", "&motion=off")
    viewer.open()
    viewer.show(PICTURES["over"])
    page = viewer.page
    labels = page.locator("[data-plays]").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    assert sorted(labels) == sorted(f"{rank} of spades" for rank in ("ace", "king", "queen", "ten", "seven"))
    expect(page.locator("[data-loses]")).to_have_count(1)
    expect(page.locator(".result")).to_contain_text("Chen Wei")
    expect(page.locator(".result")).to_contain_text("wins 313\u202f000")
    expect(page.locator(".result")).to_contain_text("Flush, ace high")
    assert page.locator(".board .card").count() == 5, "winner and board are seen together"


def test_what_is_said_follows_from_the_picture(air: Any) -> None:
    viewer = air("16x9", "&motion=off&show=seats,stacks,equity,board,pot,history")
    viewer.open()
    viewer.show(PICTURES["raise"])
    seat = viewer.page.locator("[data-seat='4']")
    for part, text in {
        ".position": "HJ",
        ".name": "Chen Wei",
        ".stack": "132\u202f000",
        ".does": "Bet12\u202f000",
        ".equity": "28%",
        ".outs": "7 outs",
        ".made": "Ace high",
    }.items():
        expect(seat.locator(part)).to_contain_text(text)
    expect(viewer.page.locator("[data-acts] .does")).to_have_text("To call36\u202f000")
    expect(viewer.page.locator(".history")).to_contain_text("BTN raise to 36\u202f000")
    order = viewer.page.locator(".seat").evaluate_all("seats => seats.map(seat => seat.dataset.seat)")
    assert order == ["3", "4", "6"], "in the order of action, those that folded before the flop are gone"


def test_a_board_of_chip_counts_and_a_player_are_shown_when_asked_for(air: Any) -> None:
    viewer = air("16x9", "&show=counts,player&seat=6&flag=sen&line=Leads%20the%20field")
    viewer.open()
    viewer.show(PICTURES["flop"])
    rows = viewer.page.locator(".counts tr")
    expect(rows).to_have_count(6)
    expect(rows.first).to_have_text("1Amina Diallo195\u202f500196 bb")
    expect(viewer.page.locator(".third")).to_have_text(
        "SENAmina DialloLeads the field1 hand195\u202f500196 big blinds"
    )
    assert viewer.page.locator(".seat").count() == 0


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("Bet", "Ace high", "7 outs", "Pot", "Blinds", "No-limit hold'em", "HJ bet 12")),
        ("ru", ("Бет", "Туз", "аут", "Банк", "Блайнды", "лимитный", "HJ")),
        ("es", ("Apuesta", "As", "outs", "Bote", "Ciegas", "hold'em no-limit", "HJ")),
        ("zh", ("下注", "A", "7", "底池", "盲注", "无限注", "HJ")),
    ],
)
def test_the_overlay_speaks_the_language_of_its_address(air: Any, lang: str, said: tuple[str, ...]) -> None:
    viewer = air("16x9", f"&motion=off&lang={lang}&show=seats,stacks,equity,board,pot,blinds,game,history")
    viewer.open()
    viewer.show(PICTURES["raise"])
    seat = viewer.page.locator("[data-seat='4']")
    for part, text in zip((".does", ".made", ".made"), said[:3], strict=True):
        expect(seat.locator(part)).to_contain_text(text)
    expect(viewer.page.locator(".pot")).to_contain_text(said[3])
    expect(viewer.page.locator(".meta")).to_contain_text(said[4])
    expect(viewer.page.locator(".meta")).to_contain_text(said[5], ignore_case=True)
    expect(viewer.page.locator(".history")).to_contain_text(said[6])
    expect(viewer.page.locator("html")).to_have_attribute("lang", re.compile(f"^{lang}"))


def test_stacks_are_rounded_down_if_the_address_says_so(air: Any) -> None:
    viewer = air("16x9", "&show=seats,stacks,pot,counts&round=50000")
    viewer.open()
    viewer.show(PICTURES["flop"])
    expect(viewer.page.locator("[data-seat='6'] .stack")).to_have_text("150\u202f000")
    expect(viewer.page.locator(".counts tr").first).to_contain_text("150\u202f000150 bb")
    assert "195\u202f500" not in viewer.page.locator("tb-table").inner_text()


def test_what_obs_says_to_a_browser_source_changes_nothing(air: Any) -> None:
    """Its events, and the functions that a page could call: none is called."""
    viewer = air()
    viewer.page.add_init_script("""window.called = [];
      window.obsstudio = new Proxy({pluginVersion: "2.24"}, {get: (known, name) =>
        known[name] ?? ((...given) => window.called.push([name, given]))});""")
    viewer.open()
    viewer.show(PICTURES["raise"])
    until(lambda: viewer.page.evaluate("document.getAnimations().length") == 0, "all that moved stands")
    before = viewer.page.screenshot(omit_background=True)
    viewer.page.evaluate("""() => {
      window.moved = [];
      const said = [
        ["obsSourceVisibleChanged", {visible: false}], ["obsSourceActiveChanged", {active: false}],
        ["obsSceneChanged", {name: "Break", width: 1920, height: 1080}], ["obsStreamingStarted", {}],
        ["obsSourceVisibleChanged", {visible: true}], ["obsSourceActiveChanged", {active: true}],
        ["obsExit", {}],
      ];
      for (const [name, detail] of said)
        window.dispatchEvent(new CustomEvent(name, {detail}));
    }""")
    assert viewer.page.screenshot(omit_background=True) == before
    assert viewer.page.evaluate("window.moved") == [] and viewer.page.evaluate("window.called") == []


def test_the_result_is_taken_down_before_the_next_hand_and_that_comes_up_at_once(air: Any) -> None:
    viewer = air()
    viewer.open()
    viewer.show(PICTURES["over"])
    expect(viewer.page.locator(".result")).to_have_css("opacity", "1")
    expect(viewer.page.locator(".seats")).to_have_css("opacity", "0")
    expect(viewer.page.locator(".middle")).to_have_css("opacity", "0")
    viewer.show(replace(PICTURES["deal"], hand=2))
    expect(viewer.page.locator(".seats")).to_have_css("opacity", "1")


def test_the_clock_of_the_level_counts_down_by_the_servers_time(air: Any) -> None:
    viewer = air("16x9", "&level=12&until=2040-01-01T00:00:00Z")
    viewer.open()
    viewer.show(PICTURES["flop"])
    clock = viewer.page.locator("#meta-level")
    expect(clock).to_have_text(re.compile(r"^Level 12\d+:\d\d$"))
    viewer.page.evaluate("window.moved = []")
    begun = clock.inner_text()
    expect(clock).not_to_have_text(begun)
    assert viewer.page.evaluate("window.moved") == []


@pytest.mark.parametrize(
    "amount", [(999, "999"), (999_999, "999\u202f999"), (12_475_000, "12.48M"), (1_250_000_000, "1.25B")]
)
def test_large_amounts_are_short_and_rounded(air: Any, amount: tuple[int, str]) -> None:
    viewer = air()
    viewer.open()
    viewer.show(replace(PICTURES["flop"], pot=amount[0], shares=()))
    expect(viewer.page.locator(".pot b")).to_have_text(amount[1])


def test_o5_o6_an_overlay_empties_itself_without_a_server_and_comes_back(air: Any, hall: Hall) -> None:
    """Last of this module: the server is killed and comes back; meanwhile a page that waits is opened."""
    viewer, early = air(), air()
    viewer.open()
    viewer.show(PICTURES["flop"])
    hall.pages.keep_port()
    hall.pages.end(signal.SIGKILL)
    expect(viewer.page.locator("tb-table *")).to_have_count(0)
    assert viewer.page.locator("body").inner_text().strip() == ""
    early.page.goto(f"{BOOTSTRAP.as_uri()}?url={quote(early.address, safe='')}")
    hall.pages.start()
    viewer.show(PICTURES["turn"])
    expect(viewer.page.locator(".board .card")).to_have_count(4)
    expect(early.page.locator(".board .card")).to_have_count(4)
    viewer.errors.clear()  # that the server was away stands on the console, and nowhere else
    early.errors.clear()
