"""From the command to the first hand on the page: `tablebridge demo`, and with --fresh `make demo` in a fresh
clone.

The first is the time until the state that the pages show holds a hand. The second clones this repository into
a temporary folder, makes its virtual environment, installs the packages (from the network, or pip's cache)
and plays one hand.
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from benchmarks.figures import Figure, Options, Say, median
from tablebridge.sim.rig import TABLE

RUNS, QUICK = 5, 1
WITHIN_S = 60.0
LINK = re.compile(r"Console\s+(http://[^/]+)/login\?token=([^&\s]+)")
HERE = Path(__file__).parents[1]


def first_hand_s() -> tuple[float, float]:
    """Seconds from the start of the demo to its links, and to its first hand."""
    began = time.monotonic()
    demo = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "demo", "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert demo.stdout is not None
        found = next((found for line in demo.stdout if (found := LINK.search(line))), None)
        if found is None:
            raise RuntimeError("The demo ended before it printed its links.")
        links_s = time.monotonic() - began
        state = Request(
            f"{found[1]}/api/tables/{TABLE}/state", headers={"Authorization": f"Bearer {found[2]}"}
        )
        while time.monotonic() - began < WITHIN_S:
            with suppress(URLError), urlopen(state, timeout=2) as answer:
                if json.load(answer)["hand"] >= 1:
                    return links_s, time.monotonic() - began
            time.sleep(0.01)
        raise RuntimeError(f"The demo dealt no hand within {WITHIN_S:.0f} s.")
    finally:
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=30)


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
    times = []
    for number in range(QUICK if options.quick else RUNS):
        say(f"start: demo, {number + 1}")
        times.append(first_hand_s())
    figures = [
        Figure("demo: to the links on the screen, p50", median([links for links, _ in times]), "s"),
        Figure("demo: to the first hand on the page, p50", median([hand for _, hand in times]), "s"),
    ]
    if options.fresh:
        say("start: make demo in a fresh clone")
        figures.append(Figure("make demo in a fresh clone, one hand", fresh_s(), "s"))
    return figures
