"""From the last byte of a device on the wire to the alert on MQTT, beside a chain that only hands bytes on.

The site: an emulated board (shuffler) and an emulated FEIG reader on pseudo-terminals, `tablebridge drive`
for each, the embedded broker, `tablebridge engine` with its journal on disk, `tablebridge web`. A subscriber
with the account of the web process takes the time at which each alert arrives.

- The path itself: the board says that the shuffler is jammed, which is one line and one alert; sensing waits
  for nothing. Baseline: the same line on another pseudo-terminal, a process that publishes its bytes, a
  process that republishes them to the subscriber (plain.py). The two take turns. Every tenth time the alerts
  are closed and a hand of nine is dealt.
- Of that, the commit of the journal: the same amount appended to another journal on the same disk.
- What sensing waits: a card of another deck is put before a seat; it is foreign after three visits that saw
  it. The wait lies between the first and the last answer of the reader that the alert needs; what follows is
  the path again.
"""

import tempfile
import time
from pathlib import Path
from random import Random

from benchmarks.figures import Figure, Options, Say, median, percentile
from benchmarks.floor import Floor
from benchmarks.plain import SITE, forwarders
from benchmarks.plain import TABLE as PLAIN
from benchmarks.tap import Mute, Tap
from tablebridge.app.runner import Runner
from tablebridge.journal.readings import Taken
from tablebridge.journal.store import Journal
from tablebridge.model.decks import Deck
from tablebridge.model.instant import Instant
from tablebridge.model.places import seat_place
from tablebridge.model.readings import ShufflerReport, Stamped
from tablebridge.settings.decks import save_deck
from tablebridge.sim.bench import Bench, Device
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.reader import Reader
from tablebridge.sim.rig import new_deck
from tablebridge.sim.session import free_port
from tablebridge.sim.table import Table

TABLE = "table-1"
SAMPLES, QUICK = 400, 60
WARM_UP = 20
CARDS, QUICK_CARDS = 20, 5
HAND_EVERY = 10
P50, P99 = 1.5, 2.0
DEALT = ("hand", *(f"deal {seat} ??" for _ in range(2) for seat in range(1, 10)))


class Stage:
    """Both chains, running. `board`, `reader`, `plain` are the emulated devices; `foreign`: a tag of another
    deck.
    """

    def __init__(self, folder: Path, bench: Bench) -> None:
        rng = Random(1)
        self.table = Table(LEVELS["clean"], 1)
        self.board = LineBoard(self.table, 1)
        self.reader = Reader(self.table, seat_place(1))
        self.plain = Mute()
        decks = {name: new_deck(rng) for name in ("main", "other")}
        self.foreign = next(iter(decks["other"].values()))
        self.table.watch(lambda _place: self.reader.touched())
        devices: dict[str, Device] = {"line": self.board, "seat-1": self.reader, "plain": self.plain}
        for name, device in devices.items():
            bench.add(name, folder / "dev" / name, device)
        self.taps = {name: Tap(bench, name) for name in devices}
        for name, deck in decks.items():
            known = Deck(name, {tag: card for card, tag in deck.items()})
            save_deck(folder / "decks" / f"{name}.toml", known)
        self.site = folder / "site.toml"
        self.site.write_text(f"""\
name = "{SITE}"
state_dir = "{folder}"
log_level = "warning"
[broker]
port = {free_port()}
[web]
port = 0
[[table]]
name = "{TABLE}"
deck = "{folder}/decks/main.toml"
[[table.device]]
name = "line"
driver = "line"
port = "{folder}/dev/line"
options = {{ settle_s = 0.0 }}
[[table.device]]
name = "seat-1"
driver = "feig"
port = "{folder}/dev/seat-1"
antennas = {{ 0 = "{seat_place(1)}" }}
""")


class Commits:
    """A journal to which is appended what an alert appends: a reading, an entry, a finding."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder / "journal.sqlite", TABLE)
        self._row = Taken(Stamped("line", "e" * 16, 1, Instant(0, 0), ShufflerReport("jam")))

    def ms(self) -> float:
        """Milliseconds of one commit."""
        journal = self._journal
        with journal.transaction():
            journal.reading(self._row)
            journal.record("entry", "x" * 250)
            journal.record("finding", "x" * 400)
            began = time.monotonic_ns()
        return (time.monotonic_ns() - began) / 1e6

    def close(self) -> None:
        self._journal.close()


def run(options: Options, say: Say) -> list[Figure]:
    samples, cards = (QUICK, QUICK_CARDS) if options.quick else (SAMPLES, CARDS)
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as name, Bench() as bench:
        folder = Path(name)
        (folder / "dev").mkdir()
        stage = Stage(folder, bench)
        with Runner(stage.site, folder / "log") as runner:
            runner.start()
            runner.wait_ready(30)
            assert runner.broker is not None
            users = dict(runner.broker.accounts)
            with forwarders(runner.broker.port, users, folder / "dev" / "plain"):
                floor = Floor(runner.broker.port, users["web"], [TABLE])
                commits = Commits(folder)
                ours, plain, commit = _paths(stage, floor, commits, samples, say)
                commits.close()
                waits, paths, visits = _foreign(stage, floor, cards, say)
                floor.away()
    return [
        Figure("wire to alert, p50", percentile(ours, 50), "ms", "plain paho", percentile(plain, 50), P50),
        Figure("wire to alert, p99", percentile(ours, 99), "ms", "plain paho", percentile(plain, 99), P99),
        Figure("of it: the journal's commit (fsync), p50", percentile(commit, 50), "ms"),
        Figure(
            "wire to alert less that commit, p50",
            percentile(ours, 50) - percentile(commit, 50),
            "ms",
            "plain paho",
            percentile(plain, 50),
        ),
        Figure("a foreign card: sensing's wait, p50", median(waits), "ms"),
        Figure("a foreign card: visits waited for, p50", median(visits), "visits"),
        Figure(
            "a foreign card: last visit to alert, p50",
            median(paths),
            "ms",
            "plain paho",
            percentile(plain, 50),
        ),
    ]


def _paths(
    stage: Stage, floor: Floor, commits: Commits, samples: int, say: Say
) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds from the write of a line to its alert, of our chain and of the plain one, and of a commit,
    in turns.
    """
    rng = Random(2)
    board, plain = stage.taps["line"], stage.taps["plain"]
    floor.step(2.5)
    ours: list[float] = []
    theirs: list[float] = []
    committed: list[float] = []
    for number in range(WARM_UP + samples):
        if number % HAND_EVERY == 0:
            floor.close_alerts()
            floor.write(*DEALT)
            say(f"latency: {max(0, number - WARM_UP)} of {samples} alerts")
        floor.step(rng.uniform(0.02, 0.06))
        before = len(board.sent)
        stage.board.shuffler("jam")
        at = floor.alert(TABLE, "shuffler-fault")
        began = next(when for when, data in board.sent[before:] if b",s," in data)
        line = next(data for _, data in board.sent[before:] if b",s," in data)
        ours.append((at - began) / 1e6)
        floor.step(rng.uniform(0.02, 0.06))
        before = len(plain.sent)
        stage.plain.say(line)
        at = floor.alert(PLAIN)
        theirs.append((at - plain.sent[before][0]) / 1e6)
        floor.step(rng.uniform(0.02, 0.06))
        committed.append(commits.ms())
    return ours[WARM_UP:], theirs[WARM_UP:], committed[WARM_UP:]


def _foreign(
    stage: Stage, floor: Floor, cards: int, say: Say
) -> tuple[list[float], list[float], list[float]]:
    """Of a foreign card before a seat: milliseconds that sensing waited, milliseconds from there to the
    alert, visits.
    """
    tap = stage.taps["seat-1"]
    tag = bytes.fromhex(stage.foreign)
    waits, paths, visits = [], [], []
    for number in range(cards):
        say(f"latency: {number} of {cards} foreign cards")
        floor.close_alerts()
        floor.write("hand")
        floor.step(1.2)
        before = len(tap.sent)
        stage.table.put((stage.foreign,), seat_place(1))
        at = floor.alert(TABLE, "fouled-deck")
        saw = [when for when, data in tap.sent[before:] if tag in data and when < at]
        stage.table.take((stage.foreign,))
        waits.append((saw[-1] - saw[0]) / 1e6)
        paths.append((at - saw[-1]) / 1e6)
        visits.append(float(len(saw)))
    return waits, paths, visits
