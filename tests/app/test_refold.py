"""The records of a table fold to the state that made them, alerts and all: every snapshot says so."""

from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest
from hands.suite import hands, path_of

from tablebridge.app import snapshots
from tablebridge.app.folded import FoldedTable
from tablebridge.app.outgoing import Outgoing
from tablebridge.app.recorder import Recorder
from tablebridge.app.snapshots import Snapshots, verify_snapshots
from tablebridge.cli.scripts import load
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import Alerts
from tablebridge.journal.records import AlertRecord
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.decks import Inventory
from tablebridge.model.errors import Refused
from tablebridge.model.events import Amend, Undo
from tablebridge.model.instant import START
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.tracker import Tracker
from tests.engine.test_kept import repeated

WITH_ORDER = (
    "tda-2024/showdown/ask-right",
    "tda-2024/betting/pot-limit/dead-blind",
    "tda-2024/betting/pot-limit/pot-count-too-low-corrected",
)
"""Scripts in which one entry raises two alerts, or raises one and clears another."""


@pytest.mark.parametrize("part", range(2))
def test_what_is_folded_again_is_what_was_folded_in_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 4)
    compared = 0
    for number, name in enumerate((*WITH_ORDER, *hands()[part::20])):
        with closing(Journal(tmp_path / str(number) / "one.sqlite", "one")) as journal:
            record(journal, name, Random(number))
            agree, others, _ = verify_snapshots(journal)
        assert others == 0, name
        compared += agree
    assert compared > 200


def record(journal: Journal, name: str, rng: Random) -> None:
    """Play a script three times over, as the engine's process records it; a person changes alerts."""
    sensor = Sensor({}, {}, DeckRegistry(Inventory()))
    folded = FoldedTable(Table("one"), START)
    recorder = Recorder(
        journal, folded, Outgoing(folded.table), Snapshots(journal, folded, sensor), sensor, 20
    )
    tracker = Tracker(sensor, folded.table, lambda: journal.next_number, recorder.entered)
    entered: dict[int, int] = {}
    with journal.transaction():
        for entry in repeated(load(path_of(name))):
            event = entry.event
            if isinstance(event, (Undo, Amend)):
                event = msgspec.structs.replace(event, entry=entered.get(event.entry, 0))
            entered[entry.id] = tracker.enter(event, entry.basis, START).entry.id
            if rng.random() < 0.1:
                change(journal, folded.alerts, rng)


def change(journal: Journal, alerts: Alerts, rng: Random) -> None:
    """Somebody does something with each alert, if it is possible."""
    for alert in alerts.active():
        to = rng.choice(("acknowledged", "taken", "ruled", "closed"))
        wanted = AlertChange(alert.id, to, "Anna")  # type: ignore[arg-type]
        try:
            alerts.change(wanted, START)
        except Refused:
            continue
        journal.record("alert", AlertRecord(wanted, START))
