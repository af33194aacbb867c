"""How many frames per second the overlay shows while it moves: a recorded hand of each game is played through
in headless Chromium at 1920 x 1080, picture after picture, and frames are counted while things move.

Software draws here, without a graphics processor, which a machine that broadcasts has.
"""

import json
import statistics
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Route, sync_playwright

from benchmarks.figures import Figure, Options, Say
from tablebridge import web
from tablebridge.web.assets import Assets
from tablebridge.web.gallery import states

STATIC: Final = Path(web.__file__).parent / "static"
CHROMIUM: Final = "/usr/bin/chromium"
ARGUMENTS: Final = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
GOAL: Final = 60.0
ROUNDS, QUICK = 8, 2
BUSIEST: Final = ("showdown", "over")
"""The pot flows to the winner, five cards are raised, bars and plates move."""
PAGE: Final = """<!doctype html><html><head>
<link rel=stylesheet href=/tokens.css><link rel=stylesheet href=/overlay.css>
<link rel=stylesheet href=/theme-arena.css>
<script type="application/json" id="words">TEXTS</script>
<script type="module">
import { options } from "/overlay_options.js";
import "/table.js";
const table = document.querySelector("tb-table");
table.options = options(new URLSearchParams("show=board,seats,stacks,pot,equity,blinds,hand,history"));
table.dataset.layout = "16x9";
const frame = () => new Promise(requestAnimationFrame);
const idle = async () => { while (document.getAnimations().length) await frame(); };
window.moves = async (before, after) => {
  table.show(before);
  await idle();
  for (let count = 0; count < 10; count++) await frame();
  const times = [await frame()];
  table.show(after);
  do times.push(await frame()); while (document.getAnimations().length && times.length < 600);
  return times;
};
window.ready = document.fonts.ready.then(() => true);
</script></head><body><tb-table></tb-table></body></html>"""


def run(options: Options, say: Say) -> list[Figure]:
    """Frames per second of the busiest moment and of all changes between pictures of the same hand."""
    shown = [(state.hand, state.name, msgspec.to_builtins(state.picture)) for state in states()]
    pairs = [(one, two) for one, two in pairwise(shown) if one[0] == two[0]]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.route("http://overlay.invalid/**", _answer)
        page.goto("http://overlay.invalid/")
        page.evaluate("() => window.ready")
        rates: dict[tuple[str, str], list[float]] = {}
        for at in range(QUICK if options.quick else ROUNDS):
            say(f"overlay: round {at + 1}")
            for one, two in pairs:
                times = page.evaluate("([one, two]) => window.moves(one, two)", [one[2], two[2]])
                rates.setdefault((one[1], two[1]), []).append(_rate(times))
        browser.close()
    slowest = min(rates, key=lambda pair: statistics.median(rates[pair]))
    every = [rate for of_pair in rates.values() for rate in of_pair]
    return [
        _figure(f"from {BUSIEST[0]} to {BUSIEST[1]}: the pot flows, cards are raised", rates[BUSIEST]),
        _figure(f"the slowest change, from {slowest[0]} to {slowest[1]}", rates[slowest]),
        _figure(f"all {len(rates)} changes between pictures of a hand", every),
    ]


def _answer(route: Route, request: Any) -> None:
    name = request.url.rpartition("/")[2]
    if name:
        route.fulfill(path=STATIC / name)
    else:
        texts = json.dumps(json.loads(Assets().block("overlay_texts")))
        route.fulfill(body=PAGE.replace("TEXTS", texts), content_type="text/html")


def _rate(times: list[float]) -> float:
    """Frames per second between these times, in milliseconds."""
    return 1000 * (len(times) - 1) / (times[-1] - times[0])


def _figure(name: str, rates: list[float]) -> Figure:
    median = statistics.median(rates)
    return Figure(f"{name}, median", median, "frames per s", limit=GOAL - 1, better="higher")
