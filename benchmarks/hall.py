"""The pages of a room: how late they show what happens at the tables, and how long they take to come.

All parts are real and on this machine: an engine per table that is dealt at as fast as people deal, a broker
and an uplink per box, three nats-servers, PostgreSQL, and two processes of the pages, each of which has an
open floor page. A page's delay is counted from before the engine is given what happens, so the journal's
commit is in it; what a picture leaves out, since it is written at most twice a second, counts until a newer
one.
"""

import re
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import httpx
import msgspec

from benchmarks.figures import Figure, Options, Say, percentile
from benchmarks.many import watching
from benchmarks.many.journals import HAND_S
from tablebridge.bus import topics
from tablebridge.model.views import TableView
from tablebridge.sim.room.shown import ShownTable
from tablebridge.sim.room.whole import WholeRoom

SIZES: Final = (100, 1000)
QUICK_SIZES: Final = (10,)
LIFE_S, QUICK_S = 90.0, 20.0
PAGES: Final = ("/floor", "/wall", "/figures", "/timeline")
_TIMES, _QUICK_TIMES = 50, 10
_OF_BOX: Final = 50
_STEPS: Final = 28
"""Steps of a hand, about."""
_READY_S: Final = 120.0
_SAID_S: Final = 1.0
_LOOK_S: Final = 2.0
_GRACE_S: Final = 5.0
_TILE: Final = re.compile(r'id="tile-([a-z0-9-]+)"')
_SHOWN: Final = re.compile(r"hand (\d+) · Pot ([\d\u202f]+)")

Look = tuple[int, int]
"""Number of the hand and chips of the pot, which a tile shows."""


def run(options: Options, say: Say) -> list[Figure]:
    sizes = options.tables or (QUICK_SIZES if options.quick else SIZES)
    return [figure for tables in sizes for figure in _measured(tables, options.quick, say)]


def _measured(tables: int, quick: bool, say: Say) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="tb-bench-") as folder:
        say(f"hall: a room of {tables} tables is started")
        with WholeRoom(Path(folder), tables=tables, boxes=-(-tables // _OF_BOX), workers=2, pages=2) as room:
            browsers = [_signed_in(link) for link in room.page_links()]
            try:
                figures = _life(room, browsers, QUICK_S if quick else LIFE_S, say)
                for path in PAGES:
                    figures += _read(browsers, path, _QUICK_TIMES if quick else _TIMES, say)
                names = room.page_processes()
                memory = watching.cost(room.pid(name) for name in names).mb / len(names)
            finally:
                for browser in browsers:
                    browser.close()
    figures.append(Figure("memory of a process of the pages", memory, "MB"))
    return [msgspec.structs.replace(figure, name=f"{tables} tables: {figure.name}") for figure in figures]


def _signed_in(link: str) -> httpx.Client:
    """A browser as far as it reads."""
    browser = httpx.Client(base_url=link.partition("/login")[0], timeout=60, follow_redirects=True)
    browser.get(link).raise_for_status()
    return browser


class _OpenPage:
    """An open floor page, read in a thread. `delays_s`: how long each look of a table took to be on it."""

    def __init__(self, browser: httpx.Client) -> None:
        self.delays_s: list[float] = []
        self.opened = False
        self._due: dict[str, list[tuple[Look, float]]] = defaultdict(list)
        self._lock = threading.Lock()
        self._browser = browser
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def expect(self, table: str, look: Look, since_s: float) -> None:
        """The table looks so since this moment (monotonic)."""
        with self._lock:
            self._due[table].append((look, since_s))

    def waiting(self) -> int:
        """How many looks are not on the page yet."""
        with self._lock:
            return sum(map(len, self._due.values()))

    def end(self) -> None:
        """Stop reading."""
        self._ending.set()
        self._thread.join(10)

    def _read(self) -> None:
        while not self._ending.is_set():
            try:
                with self._browser.stream("GET", "/live/floor") as answer:
                    answer.raise_for_status()
                    self.opened = True
                    lines: list[str] = []
                    for line in answer.iter_lines():
                        if line:
                            lines.append(line)
                            continue
                        self._take("\n".join(lines), time.monotonic())
                        lines = []
                        if self._ending.is_set():
                            return
            except httpx.HTTPError:
                time.sleep(0.2)

    def _take(self, block: str, now_s: float) -> None:
        tile, shown = _TILE.search(block), _SHOWN.search(block)
        if tile is None or shown is None:
            return
        look = int(shown[1]), int(shown[2].replace("\u202f", ""))
        with self._lock:
            due = self._due[tile[1]]
            at = next((at for at, (known, _) in enumerate(due) if known == look), None)
            if at is not None:
                self.delays_s += [now_s - since_s for _, since_s in due[: at + 1]]
                del due[: at + 1]


class _Dealing:
    """The tables of a room, dealt at as fast as people deal. `late_s`: how far it fell behind, at most."""

    def __init__(self, room: WholeRoom) -> None:
        self._steps = room.deal()
        self._pause_s = HAND_S / _STEPS / len(room.tables)
        self._due = time.monotonic()
        self._looks: dict[str, Look] = {}
        self.late_s = 0.0

    def step(self) -> tuple[str, Look, float] | None:
        """The next step of a table, when it is due: its name, what its tile says now if that is another thing
        than before, and when the step began.
        """
        time.sleep(max(0.0, self._due - time.monotonic()))
        since_s = time.monotonic()
        self.late_s = max(self.late_s, since_s - self._due)
        self._due += self._pause_s
        shown = next(self._steps)
        assert shown is not None
        name, look = shown.table.name, _look(shown)
        if not look[0] or self._looks.get(name) == look:
            return None
        self._looks[name] = look
        return name, look, since_s


def _life(room: WholeRoom, browsers: list[httpx.Client], seconds: float, say: Say) -> list[Figure]:
    """Deal at the speed of life, and see when the pages show it."""
    dealing = _Dealing(room)
    _await_tables(room, browsers, dealing, say)
    pages = [_OpenPage(browser) for browser in browsers]
    dealing.late_s, said = 0.0, 0.0
    began = time.monotonic()
    try:
        while (played_s := time.monotonic() - began) < seconds:
            changed = dealing.step()
            if changed is not None and all(page.opened for page in pages):
                for page in pages:
                    page.expect(*changed)
            if played_s - said > _SAID_S:
                said = played_s
                say(f"hall: {played_s:.0f} of {seconds:.0f} s at the speed of life")
        time.sleep(_GRACE_S)
    finally:
        for page in pages:
            page.end()
    delays = [delay for page in pages for delay in page.delays_s]
    return [
        Figure("a step to the open floor page, p50", percentile(delays, 50) * 1000, "ms"),
        Figure("a step to the open floor page, p99", percentile(delays, 99) * 1000, "ms"),
        Figure("steps that two pages showed", len(delays), ""),
        Figure("steps not shown 5 s after the end", sum(page.waiting() for page in pages), "", limit=0),
        Figure("the dealing itself was late by at most", dealing.late_s * 1000, "ms"),
    ]


def _await_tables(room: WholeRoom, browsers: Iterable[httpx.Client], dealing: _Dealing, say: Say) -> None:
    """Deal until each process shows all tables. Raises TimeoutError."""
    began = looked = time.monotonic()
    waiting = list(browsers)
    while waiting:
        dealing.step()
        if time.monotonic() - looked > _LOOK_S:
            looked = time.monotonic()
            text = waiting[0].get("/floor").text
            there = sum(f'id="tile-{table}"' in text for table in room.tables)
            say(f"hall: {there} of {len(room.tables)} tables are on the page")
            if there == len(room.tables):
                waiting.pop(0)
        if time.monotonic() - began > _READY_S:
            raise TimeoutError("not all tables are on the pages")


def _look(shown: ShownTable) -> Look:
    """What the tile of a table says of its hand."""
    (view,) = (message for topic, message in shown.messages() if topic is topics.STATE)
    assert isinstance(view, TableView)
    return view.hand, view.pot


def _read(browsers: list[httpx.Client], path: str, times: int, say: Say) -> list[Figure]:
    """A page again and again, from each process in turn; the first of each does not count."""
    say(f"hall: {path} is read")
    took: list[float] = []
    size = 0
    for number in range(-len(browsers), times):
        began = time.perf_counter()
        answer = browsers[number % len(browsers)].get(path)
        answer.raise_for_status()
        if number >= 0:
            took.append(time.perf_counter() - began)
        size = len(answer.content)
    return [
        Figure(f"{path}, p50", percentile(took, 50) * 1000, "ms"),
        Figure(f"{path}, p99", percentile(took, 99) * 1000, "ms"),
        Figure(f"{path}, bytes", size, ""),
    ]
