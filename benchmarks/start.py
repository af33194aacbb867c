"""From the command to the first hand on each page: `tablebridge demo`, and with --fresh `make demo` in a
fresh clone.

A stranger opens all links of the demo as soon as they are printed, each in a browser of its own. The overlay
shows everything late, as it is meant to; the list of the timeline is loaded again until it has a hand. With
--fresh this repository is cloned into a temporary folder, which makes its virtual environment, installs the
packages (from the network, or pip's cache) and plays one hand.
"""

import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.figures import Figure, Options, Say, median

RUNS, QUICK = 5, 1
WITHIN_S = 180.0
PAGES: Final = {
    "Anna": "floor",
    "Console": "console",
    "Dealer": "dealer",
    "Surveillance": "timeline",
    "Overlay": "overlay",
    "Director": "director",
}
"""By the name of a link: its page, as the figures call it."""
LINK: Final = re.compile(r"(\w+) (http://\S+)")
HAS_HAND: Final = """() => document.querySelector("tb-table .seat") !== null
  || /hand\\s+[1-9]/i.test(document.body.innerText)"""
CHROMIUM: Final = "/usr/bin/chromium"
ARGUMENTS: Final = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
HERE = Path(__file__).parents[1]


def first_hand_s(browser: Browser) -> dict[str, float]:
    """Seconds from the start of the demo to its links, and to the first hand on each page."""
    began = time.monotonic()
    demo = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "demo", "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert demo.stdout is not None
        links: dict[str, str] = {}
        for line in demo.stdout:
            links |= {name: url for name, url in LINK.findall(line) if name in PAGES}
            if len(links) == len(PAGES):
                break
        else:
            raise RuntimeError("The demo ended before it printed its links.")
        found = {"links": time.monotonic() - began}
        pages = {PAGES[name]: _opened(browser, url) for name, url in links.items()}
        while len(found) <= len(pages):
            if time.monotonic() - began > WITHIN_S:
                missing = ", ".join(pages.keys() - found.keys())
                raise RuntimeError(f"No hand within {WITHIN_S:.0f} s on: {missing}.")
            for name, page in pages.items():
                if name not in found and page.evaluate(HAS_HAND):
                    found[name] = time.monotonic() - began
            if "timeline" not in found:
                pages["timeline"].reload()
            time.sleep(0.05)
        for page in pages.values():
            page.context.close()
        return found
    finally:
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=60)


def _opened(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(url)
    return page


def fresh_s() -> float:
    """Seconds of `make demo` for one hand, from the clone on."""
    with tempfile.TemporaryDirectory(prefix="tablebridge-clone-") as folder:
        clone = Path(folder) / "tablebridge"
        began = time.monotonic()
        subprocess.run(["git", "clone", "-q", str(HERE), str(clone)], check=True)
        subprocess.run(
            ["make", "-s", "demo", "ARGS=--hands 1 --speed max --no-browser"],
            cwd=clone,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return time.monotonic() - began


def run(options: Options, say: Say) -> list[Figure]:
    times: list[dict[str, float]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for number in range(QUICK if options.quick else RUNS):
            say(f"start: demo, {number + 1}")
            times.append(first_hand_s(browser))
        browser.close()
    figures = [
        Figure("demo: to the links on the screen, p50", median([each["links"] for each in times]), "s")
    ]
    figures += [
        Figure(
            f"demo: to the first hand on the page {name}, p50", median([each[name] for each in times]), "s"
        )
        for name in PAGES.values()
    ]
    if options.fresh:
        say("start: make demo in a fresh clone")
        figures.append(Figure("make demo in a fresh clone, one hand", fresh_s(), "s"))
    return figures
