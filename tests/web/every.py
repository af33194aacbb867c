"""Every page that there is, by its route, with who may open it; and a site at which each has something to
show.

The night of the archive is its record: findings, alerts that nobody has closed, a device that is lost. A hand
is under way after it, and a second table has seen none. Another box is being set up for the first time.
"""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect
from rig.groups import alone
from rig.wait import wait_for

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.web.auth import ROLES, Role
from tablebridge.web.pages.setup import LEAVES as STEPS

from .archive import Archive, record_night
from .bench import CARD, DECK, Bench, bench_in
from .hall import Pages, until

REFUSAL: Final = re.compile("the server responded with a status of 40[1345]|^tablebridge shows no overlay:")
HAND: Final = 2
"""A hand of the night with a finding whose readings are there."""
_DATA: Final = (".json", ".csv", ".zip", ".svg", ".png")


class Leaf(msgspec.Struct, frozen=True):
    """A page: its route, an address of it, and the roles that open it; none for nobody in particular.
    `status`: of the answer, 200 if it shows what was asked for.
    `live`: whether it has a stream; `shows`: what its script draws; `on_air`: its texts are measured by the
    checks of the overlay.
    """

    route: str
    address: str
    roles: tuple[Role | Literal["guest"], ...]
    status: int = 200
    live: bool = True
    shows: str = ""
    on_air: bool = False


FLOOR: Final[tuple[Role, ...]] = ("floor", "operator", "technician")
WATCH: Final[tuple[Role, ...]] = ("surveillance", "investigator", "floor")
LEAVES: Final = (
    Leaf("/login", "/login", (), live=False),
    Leaf("/login", "/login?token=tb_guess", (), status=401, live=False),
    Leaf("/", "/", ROLES, live=False),
    Leaf("/floor", "/floor", FLOOR),
    Leaf("/floor", "/floor?wall", ("floor",)),
    Leaf("/figures", "/figures?hours=12", FLOOR, live=False),
    Leaf("/figures", "/figures?hours=1", ("floor",), live=False),
    Leaf("/dealer/{table}", "/dealer/one", ("dealer",)),
    Leaf("/dealer/{table}", "/dealer/one?board=off", ("dealer",)),
    Leaf("/console/{table}", "/console/one", ("operator", "technician")),
    Leaf("/console/{table}", "/console/side", ("operator",)),
    Leaf("/devices", "/devices", FLOOR),
    Leaf("/room", "/room", ("floor", "tournament")),
    Leaf("/style", "/style", (*FLOOR, "surveillance", "investigator"), live=False),
    Leaf("/overlay/{table}", "/overlay/one", ("broadcast",), live=False, shows=".seat", on_air=True),
    Leaf(
        "/overlay/gallery",
        "/overlay/gallery?theme=night&size=0.5",
        ("broadcast",),
        live=False,
        shows="figure",
        on_air=True,
    ),
    Leaf("/director/{table}", "/director/one", ("director",), on_air=True),
    Leaf("/preview/{table}", "/preview/one", ("director",), live=False, shows=".seat", on_air=True),
    Leaf("/timeline/{table}", "/timeline/one", WATCH),
    Leaf("/timeline/{table}", "/timeline/side", ("surveillance",)),
    Leaf("/timeline/{table}/hands/{hand}", f"/timeline/one/hands/{HAND}", WATCH, shows="[data-finding]"),
    Leaf("/timeline/{table}/hands/{hand}", "/timeline/one/hands/999", ("surveillance",)),
    *(Leaf("/setup/{leaf}", f"/setup/{leaf}", ("guest",)) for leaf in STEPS),
    Leaf("/setup", "/setup", ("technician",)),
    Leaf("", "/nowhere", ("floor",), status=404, live=False),
    Leaf("", "/console/one", ("floor",), status=403, live=False),
    Leaf("", "/floor", ("dealer",), status=403, live=False),
    Leaf("", "/overlay/one", ("dealer",), status=403, live=False, on_air=True),
    Leaf("", "/logout", ("floor",), status=405, live=False),
    Leaf("/setup/{leaf}", "/setup/doctor", ("technician",)),
)
"""Every page, and each of the refusals that are pages."""


def is_page(route: str) -> bool:
    """Whether a route that is read shows a page."""
    data = ("/api/", "/live/", "/feeds/", "/cards/", "/graphics/", "/static/", "/health", "/metrics")
    return not route.startswith(data) and not route.endswith(_DATA)


class Everywhere(Archive):
    """The site. `box`: the pages of a first start, on a box that is being set up; `guest`: the secret of the
    browser that was let in there.
    """

    def __init__(self, folder: Path, pages: Pages, bench: Bench) -> None:
        super().__init__(folder, pages)
        self.bench = bench
        link = bench.start()
        self.box = link.partition("/login")[0]
        self.guest = self.http.get(link).cookies["tablebridge"]
        self.http.cookies.clear()

    def secret(self, role: Role, name: str = "Ines") -> str:
        if (role, name) not in self._secrets:
            table = "one" if role == "dealer" else None
            self._secrets[role, name] = self.tokens.add(role, name, table)[1]
        return self._secrets[role, name]

    def write(self, *lines: str) -> None:
        answer = self.post("/api/tables/one/lines", "operator", lines=lines)
        assert answer.status_code == 200, answer.text
        rev = answer.json()["rev"]
        wait_for(lambda: self.state()["rev"] >= rev, f"the pages have what {lines} came to")

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/api/tables/one/state", "floor").json()
        return found

    def hand(self) -> None:
        """A hand is played to its end, after what the table waits for was ruled on; nobody bets."""
        for question in self.state()["questions"]:
            ruling = {"over": True, "line": question["choices"][0]["line"], "note": "x"}
            self.post(f"/api/tables/one/alerts/{question['finding']}/ruled", "floor", **ruling)
        self.write("end")
        self.write("hand", "dealt")
        boards = iter(("flop Ah Kd 2c", "turn 9s", "river 4h"))
        while (state := self.state())["stage"] != "showdown":
            if seat := state["to_act"]:
                self.write(f"call {seat}" if state["to_call"] else f"check {seat}")
            else:
                self.write("burn", next(boards))
        self.write("end")

    def wish(self, type: str, **more: Any) -> None:
        """What the person at the box wants done."""
        body = {"id": f"wish-{next(self._ids):06d}", "wish": {"type": type, **more}}
        answer = self.http.post(
            f"{self.box}/api/setup", json=body, headers={"authorization": f"Bearer {self.guest}"}
        )
        assert answer.status_code == 200, answer.text


class Visitor:
    """A browser of one person. `complaints`: what the console said; `elsewhere`: what was asked of anybody
    else. Without a role nobody is signed in; `guest` is at the box that is being set up.
    """

    def __init__(
        self,
        site: Everywhere,
        browser: Browser,
        role: Role | Literal["guest"] | None,
        language: str = "",
        **options: Any,
    ) -> None:
        self.url = site.box if role == "guest" else site.pages.url
        self.context: BrowserContext = browser.new_context(**options)
        self.speaks(language)
        if role is not None:
            self._cookie("tablebridge", site.guest if role == "guest" else site.secret(role))
        self._key = f"key={site.secret(role)}" if role in ("broadcast", "director") else ""
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(f"{self.page.url}: {error}"))
        self.page.on("request", self._asked)

    def speaks(self, language: str) -> None:
        """The language in which pages come from now on; empty for the site's."""
        if language:
            self._cookie("language", language)

    def open(self, leaf: Leaf) -> Page:
        """The page, once it is live and drawn."""
        mark = "&" if "?" in leaf.address else "?"
        answer = self.page.goto(self.url + leaf.address + (mark + self._key if self._key else ""))
        assert answer is not None and answer.status == leaf.status, (leaf.address, answer and answer.status)
        if leaf.live:
            expect(self.page.locator("body")).to_have_attribute("data-state", "live")
        if leaf.shows:
            expect(self.page.locator(leaf.shows).first).to_be_visible()
        self.page.wait_for_function("document.fonts.ready.then(() => true)")
        return self.page

    def _cookie(self, name: str, value: str) -> None:
        self.context.add_cookies([{"name": name, "value": value, "url": self.url}])

    def _said(self, said: ConsoleMessage) -> None:
        # A browser reports a refusal whatever the page does with it, and so does an overlay that is off.
        if said.type in ("error", "warning") and not REFUSAL.search(said.text):
            self.complaints.append(f"{self.page.url}: {said.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.elsewhere.append(request.url)


def play(site: Everywhere) -> None:
    """A hand comes under way, with a flop of four cards; a dealer has reported a fact, an operator types."""
    until(lambda: "hand" in site.state(), "the state is known")
    site.write("hand", "dealt", "call 1", "call 2", "check 3", "burn", "flop Ah Kd 2c 9s")
    fact = site.post("/api/tables/one/dealer/lines", "dealer", lines=["boxed ??"])
    assert fact.status_code == 200, fact.text


def set_up(site: Everywhere) -> None:
    """A reader is chosen and mapped in part, a deck is half enrolled, another one is being checked, and the
    doctor was called.
    """
    bench = site.bench
    bench.deck("blue", DECK)
    site.wish("name-table", table="final", seats="1-2")
    site.wish("open-adopting")
    site.wish("adopt", port=bench.port("one"), driver="feig")
    bench.seen("one")
    site.wish("ask-place", place="seat 1")
    bench.readers["one"].put(CARD)
    bench.seen("one", 8)
    bench.readers["one"].put()
    bench.seen("one", 8)
    site.wish("begin-deck", deck="red")
    bench.readers["one"].put("E004010000009999")
    wait_for(lambda: bench.cards("red") == 1, "a card is enrolled")
    site.wish("pause-deck")
    site.wish("begin-check", deck="blue")
    bench.readers["one"].put(*DECK[:8])
    bench.seen("one", 8)
    site.wish("call-doctor")


@contextmanager
def everywhere_in(folder: Path) -> Iterator[Everywhere]:
    box = folder / "box"
    box.mkdir()
    with (
        EmbeddedBroker(folder, site="t", groups=alone({"board": "one"})) as broker,
        bench_in(box, "one") as bench,
    ):
        site_file = record_night(folder, broker.port, long_cycles=20)
        site_file.write_text(site_file.read_text() + '[[table]]\nname = "side"\n')
        engine = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "engine", "--site", str(site_file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        pages = Pages(site_file)
        try:
            pages.start()
            site = Everywhere(folder, pages, bench)
            play(site)
            set_up(site)
            yield site
            site.http.close()
        finally:
            engine.terminate()
            engine.wait(60)
            pages.end(signal.SIGKILL)
