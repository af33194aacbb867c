"""From an alert on the bus to the screen of the floor: 40 tables on one page, each with a life of its own.

The web process and the embedded broker are real, and so is the browser (headless Chromium, which draws
without a graphics processor). This process speaks as 40 engines: each table shows another state per second,
has an alert open and 50 that were closed, so the page is as full as late in a night. An alert is raised
about once per second, somewhere, and closed three alerts later. Its way begins before it is encoded, and ends
in the frame after the one in which it stands on the page. The second half is a flood: each table is one line.
"""

import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Figure, Options, Say, percentile
from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import (
    ActiveAlerts,
    AlertMessage,
    Availability,
    EngineBeat,
    HistoryRequest,
    decode,
    encode,
    history_page,
)
from tablebridge.bus.topics import Topic
from tablebridge.floor.alerts import Alerts
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import LinkError
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.views import LineView, SeatView, TableView
from tablebridge.settings.site import Broker
from tablebridge.web.auth import Tokens

SITE: Final = "bench"
TABLES: Final = tuple(f"table-{number}" for number in range(1, 41))
SAMPLES, QUICK = 80, 12
CLOSED: Final = 50
HAND: Final = 7
P99_MS: Final = 500.0
CHROMIUM: Final = "/usr/bin/chromium"
ARGUMENTS: Final = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
WATCH: Final = """
window.seen = {};
const note = () => {
  const all = [...document.querySelectorAll("#queue .member")];
  const fresh = all.filter((member) => !(member.id in window.seen));
  if (!fresh.length) return;
  for (const member of fresh) window.seen[member.id] = null;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    for (const member of fresh) window.seen[member.id] = performance.timeOrigin + performance.now();
  }));
};
note();
new MutationObserver(note).observe(document.querySelector("#queue"), { childList: true, subtree: true });
"""
SEATS: Final = tuple(SeatView(seat, "", "in", 10_000, 0, 2) for seat in range(1, 10))
OLD_S: Final = 1_200.0
"""Alerts from before the window in which they would count as a flood."""


class Engines:
    """All engines of the site. `step` serves them for a while."""

    def __init__(self, broker: EmbeddedBroker) -> None:
        self._alerts = {name: Alerts() for name in TABLES}
        self._revs = itertools.count(1)
        self._ids = itertools.count(1)
        self._states = itertools.cycle(TABLES)
        self._beat_at = self._state_at = 0.0
        self._out: deque[tuple[str, bytes, bool]] = deque()
        self._client = BusClient(Broker(port=broker.port), "bench-engines", *broker.accounts["engine"])
        self._client.on_message = self._asked
        self._client.subscribe(topics.HISTORY.filter(SITE))
        for name in TABLES:
            self._publish(topics.ENGINE_AVAILABILITY, Availability("online", "1"), name)
            self._show(name)
            for _ in range(CLOSED):
                self.close(name, self._raise(name, OLD_S))
            self._list(name, self._raise(name, OLD_S))

    def raise_alert(self, name: str, ago_s: float) -> tuple[str, float]:
        """Raise an alert: its id, and the time before, in milliseconds since 1970."""
        began = time.time_ns() / 1e6
        alert = self._raise(name, ago_s)
        self._list(name, alert)
        self._send()
        return alert, began

    def close(self, name: str, alert: str) -> None:
        """A person rules on it and closes it."""
        now = Instant(time.time_ns(), time.monotonic_ns())
        for to in ("ruled", "closed"):
            done = self._alerts[name].change(AlertChange(alert, to, "Anna", "play on"), now)
        self._publish(topics.ALERT, AlertMessage(done, next(self._revs)), name)
        self._publish(topics.ALERTS, self._open(name), name)

    def step(self, seconds: float) -> None:
        """Serve for so long: one beat of each table, and one change of its state, per second."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            if now - self._beat_at >= 1:
                self._beat_at = now
                for name in TABLES:
                    self._publish(topics.ENGINE_BEAT, EngineBeat("1"), name)
            if now - self._state_at >= 1 / len(TABLES):
                self._state_at = now
                self._show(next(self._states))
            self._send()
            self._client.step(0.005)

    def away(self) -> None:
        """Leave the broker."""
        self._client.close()

    def _raise(self, name: str, ago_s: float) -> str:
        number = next(self._ids)
        finding = Finding(
            id=f"{number}.0",
            finding="burn-missing",
            severity="warning",
            rulebook="tda-2022",
            table=name,
            hand=HAND,
            street="flop",
            sentence="No card was burned before the flop.",
            rule="RP-5",
            cause=f"bench-{number}",
            remedy=("call-floor", "floor-rules"),
        )
        at = Instant(time.time_ns() - round(ago_s * 1e9) + number, time.monotonic_ns())
        alert = self._alerts[name].raise_(finding, at)
        assert alert is not None
        return alert.id

    def _list(self, name: str, alert: str) -> None:
        self._publish(topics.ALERT, AlertMessage(self._alerts[name].open(alert), next(self._revs)), name)
        self._publish(topics.ALERTS, self._open(name), name)

    def _open(self, name: str) -> ActiveAlerts:
        return ActiveAlerts(self._alerts[name].active(), next(self._revs))

    def _show(self, name: str) -> None:
        rev = next(self._revs)
        view = TableView(
            table=name, rev=rev, at_wall_ns=time.time_ns(), hand=HAND, game="nlhe", rulebook="tda-2022",
            stakes=(50, 100), street="flop", pot=rev, button=9, to_act=rev % 9 + 1,
            expects="Seat 4 to act, 2350 to call.", seats=SEATS,
            lines=tuple(LineView(entry, "call 3", "rfid", "") for entry in range(rev, rev + 20)),
        )  # fmt: skip
        self._publish(topics.STATE, view, name)

    def _asked(self, topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        ack()
        parsed = topics.parse(topic)
        assert parsed is not None
        request = decode(payload, HistoryRequest)
        closed = self._alerts[parsed.table].closed_last() if request.about == "closed-alerts" else ()
        page = history_page(request.id, next(self._revs), closed)
        self._out.append((topics.HISTORY_PAGE.of(SITE, parsed.table, *parsed.names), encode(page), False))

    def _publish(self, topic: Topic, message: msgspec.Struct, name: str) -> None:
        self._out.append((topic.of(SITE, name), encode(message), topic.retained))

    def _send(self) -> None:
        while self._out:
            topic, payload, retain = self._out[0]
            if self._client.publish(topic, payload, retain=retain) is None:
                return
            self._out.popleft()


def run(options: Options, say: Say) -> list[Figure]:
    """Milliseconds from the bus to the screen, on a calm evening and in a flood."""
    samples = QUICK if options.quick else SAMPLES
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as name:
        folder = Path(name)
        with EmbeddedBroker(folder, site=SITE, groups=()) as broker, sync_playwright() as playwright:
            engines = Engines(broker)
            engines.step(2)
            process, url = _pages(folder, broker.port)
            try:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
                page = _opened(
                    browser.new_page(viewport={"width": 1920, "height": 1080}), folder, url, engines
                )
                calm = _delays(page, engines, samples, OLD_S, say)
                flood = _delays(page, engines, samples, 0.0, say)
                browser.close()
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()
                engines.away()
    return [
        Figure("calm, 40 tables: bus to screen, p50", percentile(calm, 50), "ms"),
        Figure("calm, 40 tables: bus to screen, p99", percentile(calm, 99), "ms", limit=P99_MS),
        Figure("flood, 40 tables: bus to screen, p50", percentile(flood, 50), "ms"),
        Figure("flood, 40 tables: bus to screen, p99", percentile(flood, 99), "ms", limit=P99_MS),
    ]


def _pages(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """The web process, and its address."""
    tables = "".join(f'[[table]]\nname = "{name}"\n' for name in TABLES)
    site = folder / "site.toml"
    site.write_text(
        f'name = "{SITE}"\nstate_dir = "{folder}"\n[broker]\nport = {port}\n[web]\nport = 0\n{tables}'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "web", "--site", str(site)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    return process, process.stdout.readline().split()[1]


def _opened(page: Page, folder: Path, url: str, engines: Engines) -> Page:
    """The floor page, once it shows all tables and what is open at each."""
    secret = Tokens(folder).add("floor", "Anna")[1]
    engines.step(3)
    page.goto(f"{url}/login?token={secret}&next=/floor")
    page.wait_for_url(f"{url}/floor")
    engines.step(3)
    shown: Any = page.evaluate("() => document.querySelectorAll('#queue .member').length")
    if shown != len(TABLES):
        raise LinkError(f"The page shows {shown} alerts instead of {len(TABLES)}.")
    page.evaluate(WATCH)
    return page


def _delays(page: Page, engines: Engines, samples: int, ago_s: float, say: Say) -> list[float]:
    """Milliseconds until each of these alerts stood on the page."""
    rng = Random(3)
    began: dict[str, float] = {}
    standing: deque[tuple[str, str]] = deque()
    for number in range(samples):
        say(f"screen: alert {number} of {samples}")
        name = rng.choice(TABLES)
        alert, began_ms = engines.raise_alert(name, ago_s)
        began[f"alert-{name}-{alert}"] = began_ms
        standing.append((name, alert))
        engines.step(rng.uniform(0.7, 1.1))
        if len(standing) > 3:
            engines.close(*standing.popleft())
    engines.step(10)
    seen: dict[str, float | None] = page.evaluate("() => window.seen")
    for name, alert in standing:
        engines.close(name, alert)
    engines.step(1)
    if late := [alert for alert in began if seen.get(alert) is None]:
        raise LinkError(f"{len(late)} alerts did not come to the page.")
    return [float(seen[alert] or 0) - at for alert, at in began.items()]
