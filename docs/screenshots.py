"""Takes the pictures of the documents: `make screenshots`.

A demo session deals a hand with two boxed cards, which is a misdeal, and then a hand whose flop has four
cards. On the turn the dealer stops. What the pages show then is what is taken; the overlay is waited for,
since it is late on purpose.
"""

import tempfile
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tablebridge.sim.game import Game
from tablebridge.sim.pace import Stopped
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import Session
from tablebridge.web.auth import Role, Tokens

IMAGES: Final = Path(__file__).parent / "images"
CHROMIUM: Final = "/usr/bin/chromium"
ARGUMENTS: Final = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SEED: Final = 20
"""Deals a hand with three players on the turn, a bet, a call and a raise."""
SPEED: Final = 6.0
WITHIN_S: Final = 120.0
SHEET: Final = """
    body { margin: 0; padding: 32px; display: flex; gap: 32px; background: #e8edef }
    img { height: 640px; border-radius: 12px; box-shadow: 0 4px 18px #0004;
          background: radial-gradient(circle at 60% 40%, #2f7a55, #14402c) }"""
"""Overlay and phone side by side; the overlay lets the felt through."""
DESK: Final = (1280, 800)
PHONE: Final = (360, 640)
TABLET: Final = (1024, 600)
AIR: Final = (1920, 1080)


class Stage:
    """An emulated table on which the dealer stops where the picture is: after the raise on the turn of the
    second hand. `misdeal`: the number of the first.
    """

    def __init__(self, folder: Path) -> None:
        self._reached, self._over = Event(), Event()
        self.session = Session(folder, level="clean", speed=SPEED, seed=SEED, stopped=self._between_moves)
        self._hand = 0
        self.misdeal = 0
        self._dealer = Thread(target=self._deal, daemon=True)

    @contextmanager
    def at_the_moment(self) -> Iterator["Stage"]:
        """Entered when the dealer has stopped; on leaving, the table is packed up."""
        with self.session:
            self._dealer.start()
            try:
                if not self._reached.wait(WITHIN_S):
                    raise SystemExit(
                        f"The hand did not come to its turn within {WITHIN_S:.0f} s: "
                        "this computer is too busy."
                    )
                yield self
            finally:
                self._over.set()
                self._dealer.join()

    def token(self, role: Role, name: str, table: str | None = None) -> str:
        """The secret of a new token for a person."""
        return Tokens(self.session.runner.site.state_dir).add(role, name, table)[1]

    def _deal(self) -> None:
        try:
            misdeal = next(Game(self.session, Random(SEED), irregular="boxed-cards").hands(1))
            self.misdeal = misdeal.played.view.hand
            self._hand = self.misdeal + 1
            next(Game(self.session, Random(SEED), irregular="flop-four-cards").hands(1))
        except Stopped:
            pass

    def _between_moves(self) -> bool:
        if self._hand:
            view = self.session.console.view()
            raised = any(seat.last.startswith("raise") for seat in view.seats)
            if view.hand >= self._hand and view.street == "turn" and raised:
                self._reached.set()
                self._over.wait()
        return self._over.is_set()


def page(browser: Browser, size: tuple[int, int], address: str) -> Page:
    """A page of its own browser session."""
    width, height = size
    opened = browser.new_context(viewport={"width": width, "height": height}).new_page()
    opened.goto(address)
    return opened


def take(stage: Stage, browser: Browser) -> None:
    """All pictures, into docs/images."""
    url = stage.session.runner.web_url
    floor, operator = stage.token("floor", "Anna"), stage.token("operator", "Boris")

    def staff(size: tuple[int, int], token: str, path: str, ready: str, name: str, press: str = "") -> bytes:
        shown = page(browser, size, f"{url}/login?token={token}&next={path}")
        shown.locator(ready).first.wait_for()
        shown.locator("body[data-state=live]").wait_for()
        shown.wait_for_function(
            "() => [...document.querySelectorAll('.age')].every((age) => age.textContent)"
        )
        if press:
            shown.locator(press).first.click()
        return shown.screenshot(path=IMAGES / f"{name}.png")

    staff(DESK, floor, "/floor", "text=flop", "floor", ".row:has-text('Misdeal')")
    phone = staff(PHONE, floor, "/floor", "text=flop", "phone")
    staff(DESK, operator, f"/console/{TABLE}", "text=raise 4", "console")
    staff(DESK, operator, "/devices", "text=seat-10", "devices")
    dealer = stage.token("dealer", "Dora", TABLE)
    staff(TABLET, dealer, f"/dealer/{TABLE}", ".mark", "dealer")

    watcher = stage.token("surveillance", "Ines")
    staff(DESK, watcher, f"/timeline/{TABLE}/hands/{stage.misdeal}", "[data-finding]", "timeline")

    overlay = page(browser, AIR, f"{url}/overlay/{TABLE}?key={stage.token('broadcast', 'OBS')}")
    overlay.locator("tb-table:has(.board .card:nth-child(4)) .seat", has_text="raise").wait_for(
        timeout=WITHIN_S * 1000
    )
    overlay.wait_for_timeout(500)  # cards fade in
    air = overlay.screenshot(omit_background=True)

    sheet = browser.new_context(viewport={"width": 1600, "height": 704}).new_page()
    sheet.set_content(f"<style>{SHEET}</style>{picture(air)}{picture(phone)}")
    sheet.locator("img").last.wait_for()
    sheet.screenshot(path=IMAGES / "overlay-and-floor.jpg", type="jpeg", quality=88)
    take_broadcast(stage, browser)


def take_broadcast(stage: Stage, browser: Browser) -> None:
    """The pictures for the producer: the director's page, and the themes on the design sheet."""
    url = stage.session.runner.web_url
    director = stage.token("director", "Dora", TABLE)
    desk = page(browser, (1440, 820), f"{url}/login?token={director}&next=/director/{TABLE}")
    desk.locator("#air .board .card:nth-child(4)").wait_for(timeout=WITHIN_S * 1000)
    desk.locator("#now .seat").first.wait_for()
    desk.wait_for_timeout(500)
    desk.screenshot(path=IMAGES / "director.jpg", type="jpeg", quality=85)

    key = stage.token("broadcast", "OBS")
    show = "board,seats,stacks,pot,equity,blinds,hand"
    for name, asked in {
        "themes": "size=0.33&state=over",
        "themes-tall": "size=0.28&state=raise&layout=9x16",
    }.items():
        sheet = page(browser, (1340, 900), f"{url}/overlay/gallery?key={key}&show={show}&{asked}")
        sheet.locator("body[data-ready]").wait_for()
        sheet.locator(".stages").screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=85)


def picture(png: bytes) -> str:
    """An image element that holds the picture itself."""
    return f'<img src="data:image/png;base64,{b64encode(png).decode()}">'


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="tablebridge-pictures-") as folder,
        Stage(Path(folder)).at_the_moment() as stage,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        take(stage, browser)
        browser.close()


if __name__ == "__main__":
    main()
