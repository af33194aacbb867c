"""How many frames per second the overlay shows while it moves, and what the page itself works for each: a
recorded hand of each game is played through in headless Chromium at 1920 x 1080, picture after picture.

Software draws here, without a graphics processor, which a machine that broadcasts has. Frames per second
depend on what else the machine does. The work of a frame does not: it is processor time of the page's main
thread for script, style, layout and paint, from Chromium's own trace.
"""

import json
import statistics
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Browser, Page, Route, sync_playwright

from benchmarks.figures import Figure, Options, Say
from tablebridge import web
from tablebridge.web.assets import Assets
from tablebridge.web.gallery import states

STATIC: Final = Path(web.__file__).parent / "static"
CHROMIUM: Final = "/usr/bin/chromium"
ARGUMENTS: Final = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
GOAL: Final = 60.0
BUDGET_MS: Final = 8.0
"""Half of the time of a frame, as the other half is for drawing it."""
CHANGE_MS: Final = 33.0
"""Two frames, in which a picture is drawn and everything begins to move."""
ROUNDS, QUICK = 8, 2
TRACED: Final = 3
WORK: Final = frozenset(
    {"FireAnimationFrame", "FunctionCall", "EvaluateScript", "ParseHTML"}
    | {"UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "MinorGC", "MajorGC"}
)
"""What the main thread of a page does, by its names in a trace."""
BUSIEST: Final = ("showdown", "over")
"""The pot flows to the winner, five cards are raised, bars and plates move."""
MARKUP: Final = """<!doctype html><html><head>
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
window.stand = async (view) => {
  table.show(view);
  await idle();
  for (let count = 0; count < 10; count++) await frame();
};
window.moves = async (after) => {
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
                page.evaluate("one => window.stand(one)", one[2])
                times = page.evaluate("two => window.moves(two)", two[2])
                rates.setdefault((one[1], two[1]), []).append(_rate(times))
        say("overlay: traces")
        traced = {(one[1], two[1]): _work(browser, page, one[2], two[2]) for one, two in pairs}
        browser.close()
    slowest = min(rates, key=lambda pair: statistics.median(rates[pair]))
    work = {pair: statistics.median(ms / frames for ms, frames in found) for pair, found in traced.items()}
    whole = {pair: statistics.median(ms for ms, _ in found) for pair, found in traced.items()}
    heaviest, longest = max(work, key=lambda pair: work[pair]), max(whole, key=lambda pair: whole[pair])
    every = [rate for of_pair in rates.values() for rate in of_pair]
    return [
        _figure(f"from {BUSIEST[0]} to {BUSIEST[1]}: the pot flows, cards are raised", rates[BUSIEST]),
        _figure(f"the slowest change, from {slowest[0]} to {slowest[1]}", rates[slowest]),
        _figure(f"all {len(rates)} changes between pictures of a hand", every),
        _work_figure(f"work per frame from {BUSIEST[0]} to {BUSIEST[1]}", work[BUSIEST]),
        _work_figure(
            f"work per frame of the heaviest change, from {heaviest[0]} to {heaviest[1]}", work[heaviest]
        ),
        _work_figure(
            f"work of a whole change, the longest, from {longest[0]} to {longest[1]}",
            whole[longest],
            CHANGE_MS,
        ),
        _work_figure(f"work per frame of all {len(work)} changes, median", statistics.median(work.values())),
    ]


def _answer(route: Route, request: Any) -> None:
    name = request.url.rpartition("/")[2]
    if name:
        route.fulfill(path=STATIC / name)
    else:
        texts = json.dumps(json.loads(Assets().block("overlay_texts")))
        route.fulfill(body=MARKUP.replace("TEXTS", texts), content_type="text/html")


def _work(browser: Browser, page: Page, one: Any, two: Any) -> list[tuple[float, int]]:
    """What the page's main thread works while the first picture becomes the second, some times: milliseconds
    and frames.
    """
    found = []
    for _ in range(TRACED):
        page.evaluate("one => window.stand(one)", one)
        browser.start_tracing(page=page, categories=["devtools.timeline", "v8"])
        times = page.evaluate("two => window.moves(two)", two)
        found.append((_worked_ms(json.loads(browser.stop_tracing())["traceEvents"]), len(times)))
    return found


def _worked_ms(events: list[dict[str, Any]]) -> float:
    """Processor time of the outermost pieces of work, as a style that a script forces is part of the
    script.
    """
    pieces = [event for event in events if event.get("ph") == "X" and event["name"] in WORK]
    ends: dict[tuple[int, int], float] = {}
    worked_us = 0.0
    for piece in sorted(pieces, key=lambda event: (event["ts"], -event.get("dur", 0))):
        thread = piece["pid"], piece["tid"]
        if piece["ts"] >= ends.get(thread, 0.0):
            ends[thread] = piece["ts"] + piece.get("dur", 0)
            worked_us += piece.get("tdur", piece.get("dur", 0))
    return worked_us / 1000


def _rate(times: list[float]) -> float:
    """Frames per second between these times, in milliseconds."""
    return 1000 * (len(times) - 1) / (times[-1] - times[0])


def _figure(name: str, rates: list[float]) -> Figure:
    median = statistics.median(rates)
    return Figure(f"{name}, median", median, "frames per s", limit=GOAL - 1, better="higher")


def _work_figure(name: str, milliseconds: float, limit: float = BUDGET_MS) -> Figure:
    return Figure(name, milliseconds, "ms", limit=limit)
