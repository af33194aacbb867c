"""How long a table is away after a crash, by the length of its journal: the processor time of opening
it, with snapshots and without, and of checking the whole chain.

The journal is made as the engine's process makes it, entry by entry with its findings and snapshots, but
committed in hundreds of hands. Time is the processor's, user and system, so that a busy machine changes
little; what a process takes that only imports the same modules is given by itself.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.engine import SEED
from benchmarks.figures import Figure, Options, Say, median
from benchmarks.night import disturbed
from tablebridge.app.folded import FoldedTable
from tablebridge.app.outgoing import Outgoing
from tablebridge.app.recorder import Recorder
from tablebridge.app.snapshots import Snapshots
from tablebridge.engine.table import Table
from tablebridge.journal.store import Journal
from tablebridge.model.decks import Inventory
from tablebridge.model.instant import START
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.tracker import Tracker

HANDS: Final = (1000, 10_000, 50_000)
QUICK: Final = (100, 1000)
LIMIT_S: Final = 1.0
RUNS: Final = 5
_TOGETHER: Final = 100
_KEPT: Final = 20
_START: Final = """
import sys, time
from pathlib import Path
import tablebridge.app.engine
from tablebridge.app.opening import open_core
from tablebridge.host.clock import SystemClock
from tablebridge.settings.load import load_site
imported = time.process_time()
site = load_site(Path(sys.argv[1]))
open_core(site, site.tables[0], SystemClock()).close()
opened = time.process_time()
print(imported, opened - imported)
"""
_SITE: Final = 'state_dir = "{}"\n[[table]]\nname = "one"\nseats = "1-9"\n'


def journals(folder: Path, marks: tuple[int, ...]) -> Iterator[tuple[int, Path]]:
    """A journal that grows, each time it has one of these numbers of hands."""
    path = folder / "journal" / "one.sqlite"
    rng = Random(SEED)
    rounds = [disturbed(rng) for _ in range(_TOGETHER)]
    journal = Journal(path, "one")
    sensor = Sensor({}, {}, DeckRegistry(Inventory()))
    folded = FoldedTable(Table("one"), START)
    outgoing = Outgoing(folded.table)
    recorder = Recorder(journal, folded, outgoing, Snapshots(journal, folded, sensor), sensor, _KEPT)
    tracker = Tracker(sensor, folded.table, lambda: journal.next_number, recorder.entered)
    for hands in range(_TOGETHER, marks[-1] + 1, _TOGETHER):
        with journal.transaction():
            for hand in rounds:
                for event in hand:
                    tracker.enter(event, "operator", START)
        outgoing.messages.clear()
        if hands in marks:
            yield hands, path
    journal.close()


def started(site: Path) -> tuple[float, float]:
    """Processor seconds of a process that imports what the engine's does, and of opening the table in it."""
    done = subprocess.run(
        [sys.executable, "-c", _START, str(site)], capture_output=True, text=True, check=True
    )
    imports, opened = map(float, done.stdout.split())
    return imports, opened


def checked(path: Path) -> float:
    """Processor seconds of checking the whole chain."""
    before = time.process_time()
    Journal(path, None, readonly=True).close()
    return time.process_time() - before


def drop_snapshots(path: Path) -> None:
    """The next start folds all."""
    journal = Journal(path, "one", whole=False)
    journal.verify(journal.next_number)
    with journal.transaction():
        journal.snapshots.drop()
    journal.close()


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as name:
        made, copy = Path(name) / "made", Path(name) / "copy"
        site = Path(name) / "site.toml"
        site.write_text(_SITE.format(copy))
        say("restart: hands are recorded")
        for hands, path in journals(made, QUICK if options.quick else HANDS):
            say(f"restart: {hands} hands")
            shutil.copytree(path.parent, copy / "journal", dirs_exist_ok=True)
            copied = copy / "journal" / path.name
            starts = [started(site) for _ in range(RUNS)]
            imports, opened = (median([start[part] for start in starts]) for part in (0, 1))
            chain_s = checked(copied)
            drop_snapshots(copied)
            _, folded = started(site)
            row = f"after {hands} hands"
            figures += [
                Figure(f"{row}: journal", copied.stat().st_size / 1e6, "MB"),
                Figure(f"{row}: the whole chain is checked", chain_s, "s"),
                Figure(f"{row}: and all is folded", folded, "s"),
                Figure(f"{row}: from a snapshot", opened, "s", limit=LIMIT_S),
                Figure(f"{row}: and the imports", imports + opened, "s", limit=LIMIT_S),
            ]
            say("restart: hands are recorded")
    return figures
