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

import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

from benchmarks.figures import Figure, Options, Say, median, percentile
from benchmarks.plain import TABLE as PLAIN
from tablebridge.app.runner import Runner
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import AlertMessage, Command, Reply, decode, encode
from tablebridge.bus.topics import ALERT, COMMAND, REPLY
from tablebridge.journal.readings import Taken
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.decks import Deck
from tablebridge.model.errors import LinkError
from tablebridge.model.instant import Instant
from tablebridge.model.places import seat_place
from tablebridge.model.readings import ShufflerReport, Stamped
from tablebridge.settings.decks import save_deck
from tablebridge.settings.site import Broker
from tablebridge.sim.bench import Bench, Device, Line
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.reader import Reader
from tablebridge.sim.rig import new_deck
from tablebridge.sim.table import Table

SITE, TABLE, CLIENT = "bench", "table-1", "web"
SAMPLES, QUICK = 400, 60
WARM_UP = 20
CARDS, QUICK_CARDS = 20, 5
HAND_EVERY = 10
WITHIN_S = 10.0
P50, P99 = 1.5, 2.0
RULINGS = ("", "ruling play-on", "ruling misdeal")
DEALT = ("hand", *(f"deal {seat} ??" for _ in range(2) for seat in range(1, 10)))


class Tap:
    """An emulated line that notes when something was sent. `tap.sent`: monotonic ns and bytes, in order."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.bench = line.bench
        self.sent: list[tuple[int, bytes]] = []

    @property
    def master(self) -> int:
        return self._line.master

    def send(self, data: bytes) -> None:
        self.sent.append((time.monotonic_ns(), data))
        self._line.send(data)


class Tapped:
    """A device whose line is tapped."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.tap: Tap

    def plugged(self, line: Line) -> None:
        self.tap = Tap(line)
        self._device.plugged(self.tap)  # type: ignore[arg-type]

    def received(self, data: bytes, baud: int) -> None:
        self._device.received(data, baud)


class Mute:
    """A device that says only what it is made to."""

    def plugged(self, line: Line) -> None:
        pass

    def received(self, data: bytes, baud: int) -> None:
        pass


class Floor:
    """The subscriber: alerts of both chains, and a person who closes them. `arrived`: when (monotonic ns) and
    which finding.
    """

    def __init__(self, port: int, user: tuple[str, str]) -> None:
        self.arrived: list[tuple[int, str]] = []
        self._open: list[str] = []
        self._replies: dict[str, Reply] = {}
        self._client = BusClient(Broker(port=port), "bench-floor", *user)
        self._client.on_message = self._message
        self._client.subscribe(
            ALERT.filter(SITE, PLAIN), ALERT.filter(SITE, TABLE), REPLY.of(SITE, TABLE, CLIENT)
        )
        while not self._client.subscribed:
            self._client.step(0.1)

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        now = time.monotonic_ns()
        ack()
        table = topic.split("/")[3]
        if topic.endswith("/done"):
            reply = decode(payload, Reply)
            self._replies[reply.id] = reply
        elif table == PLAIN:
            self.arrived.append((now, PLAIN))
        elif (alert := decode(payload, AlertMessage).alert).state == "raised" and not alert.cleared:
            self.arrived.append((now, alert.finding))
            self._open.append(alert.id)

    def step(self, seconds: float) -> None:
        """Serve the connection for so long."""
        until = time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0:
            self._client.step(rest)

    def alert(self, expected: str) -> int:
        """When the alert of that finding arrives (monotonic ns). Raises LinkError where it does not."""
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until:
            for at, finding in self.arrived:
                if finding == expected:
                    self.arrived.clear()
                    return at
            self._client.step(0.5)
        raise LinkError(f"No {expected} came within {WITHIN_S:.0f} s.")

    def write(self, *lines: str) -> None:
        """Lines of the operator's console. Raises LinkError where they are not answered well."""
        self._do(Command(secrets.token_hex(8), "Bench", "operator", _deadline(), lines=lines))

    def close_alerts(self) -> None:
        """Rule on all alerts and close them, in words or, if the table waits for the floor, by a ruling."""
        for alert in self._open:
            if not any(self._change(alert, "ruled", line).ok for line in RULINGS):
                raise LinkError("The engine accepts no ruling on an alert.")
            self._done(self._change(alert, "closed"))
        self._open.clear()
        self.arrived.clear()

    def _change(self, alert: str, to: Literal["ruled", "closed"], line: str = "") -> Reply:
        change = AlertChange(alert, to, "Bench", line=line)
        return self._answer(Command(secrets.token_hex(8), "Bench", "floor", _deadline(), alert=change))

    def away(self) -> None:
        """Leave the broker."""
        self._client.close()

    def _do(self, command: Command) -> None:
        self._done(self._answer(command))

    def _answer(self, command: Command) -> Reply:
        self._client.publish(COMMAND.of(SITE, TABLE, CLIENT), encode(command))
        until = time.monotonic() + WITHIN_S
        while command.id not in self._replies:
            if time.monotonic() > until:
                raise LinkError("The engine does not answer a command.")
            self._client.step(0.5)
        return self._replies.pop(command.id)

    def _done(self, reply: Reply) -> None:
        if not reply.ok:
            raise LinkError(f"The engine refused a command: {reply.sentence}")


def _deadline() -> int:
    return time.time_ns() + 30_000_000_000


class Stage:
    """Both chains, running. `board`, `reader`, `plain` are the emulated devices; `foreign`: a tag of another
    deck.
    """

    def __init__(self, folder: Path, bench: Bench) -> None:
        rng = Random(1)
        self.table = Table(LEVELS["clean"], 1)
        self.board = LineBoard(self.table, 1)
        self.reader = Reader(self.table, seat_place(1))
        self.taps = {"line": Tapped(self.board), "seat-1": Tapped(self.reader), "plain": Tapped(Mute())}
        decks = {name: new_deck(rng) for name in ("main", "other")}
        self.foreign = next(iter(decks["other"].values()))
        self.table.watch(lambda _place: self.reader.touched())
        (folder / "dev").mkdir()
        for name, device in self.taps.items():
            bench.add(name, folder / "dev" / name, device)
        for name, deck in decks.items():
            save_deck(
                folder / "decks" / f"{name}.toml", Deck(name, {tag: card for card, tag in deck.items()})
            )
        self.site = folder / "site.toml"
        self.site.write_text(f"""\
name = "{SITE}"
state_dir = "{folder}"
log_level = "warning"
[broker]
port = {_free_port()}
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _forwarders(port: int, users: dict[str, tuple[str, str]], serial: Path) -> Iterator[None]:
    """The processes of the baseline."""
    started = []
    try:
        for user, *arguments in (("web", "read", str(port), str(serial)), ("engine", "republish", str(port))):
            process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.plain", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(process)
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write("\n".join(users[user]) + "\n")
            process.stdin.flush()
            if process.stdout.readline() != "ready\n":
                raise LinkError("The baseline's process does not start.")
        yield
    finally:
        for process in started:
            process.kill()
            process.communicate()


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
        stage = Stage(folder, bench)
        with Runner(stage.site, folder / "log") as runner:
            runner.start()
            runner.wait_ready(30)
            assert runner.broker is not None
            users = dict(runner.broker.accounts)
            with _forwarders(runner.broker.port, users, folder / "dev" / "plain"):
                floor = Floor(runner.broker.port, users["web"])
                commits = Commits(folder)
                ours, plain, commit = _paths(stage, bench, floor, commits, samples, say)
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
    stage: Stage, bench: Bench, floor: Floor, commits: Commits, samples: int, say: Say
) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds from the write of a line to its alert, of our chain and of the plain one, and of a commit,
    in turns.
    """
    rng = Random(2)
    board, plain = stage.taps["line"].tap, stage.taps["plain"].tap
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
        at = floor.alert("shuffler-fault")
        began = next(when for when, data in board.sent[before:] if b",s," in data)
        line = next(data for _, data in board.sent[before:] if b",s," in data)
        ours.append((at - began) / 1e6)
        floor.step(rng.uniform(0.02, 0.06))
        before = len(plain.sent)
        bench.call(partial(plain.send, line))
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
    tap = stage.taps["seat-1"].tap
    tag = bytes.fromhex(stage.foreign)
    waits, paths, visits = [], [], []
    for number in range(cards):
        say(f"latency: {number} of {cards} foreign cards")
        floor.close_alerts()
        floor.write("hand")
        floor.step(1.2)
        before = len(tap.sent)
        stage.table.put((stage.foreign,), seat_place(1))
        at = floor.alert("fouled-deck")
        saw = [when for when, data in tap.sent[before:] if tag in data and when < at]
        stage.table.take((stage.foreign,))
        waits.append((saw[-1] - saw[0]) / 1e6)
        paths.append((at - saw[-1]) / 1e6)
        visits.append(float(len(saw)))
    return waits, paths, visits
