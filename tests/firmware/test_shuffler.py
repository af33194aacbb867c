"""Shufflers watched from outside: three languages of lamps below the firmware's pins, reports at the host."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from rig.shufflers import CLAMP, GREEN, RED, TRAY, Machine

from tablebridge.engine import table as engine
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.script.writer import line_of
from tablebridge.export.receipt import Receipt, receipts
from tablebridge.journal.store import Journal
from tablebridge.model.contacts import SHUFFLER_LID
from tablebridge.model.decks import Inventory
from tablebridge.model.events import Basis, Entry, Hand, TableEvent
from tablebridge.model.expectation import NOTHING
from tablebridge.model.instant import START, later
from tablebridge.model.readings import Stamped
from tablebridge.sdk import ButtonPress, Reading, ShufflerReport
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

from .conftest import Table

LAMP = {"on": 20000, "off": 12000, "hold_ms": 900}
MOTOR = {"pin": CLAMP, "on": 4000, "off": 2000, "hold_ms": 400}
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "steady": {
        "lamps": {"green": {"pin": GREEN, **LAMP}, "red": {"pin": RED, **LAMP}},
        "motor": MOTOR,
        "says": {"started": "motor runs", "ready": ["green lit", "motor stopped"], "jam": "red lit"},
    },
    "blinking": {
        "lamps": {"green": {"pin": GREEN, **LAMP}, "red": {"pin": RED, **LAMP}},
        "says": {"started": "green blinking", "ready": "green lit", "jam": "red blinking"},
    },
    "one-lamp": {
        "lamps": {"amber": {"pin": GREEN, **LAMP}},
        "tray": {"pin": TRAY},
        "says": {"started": "amber lit", "ready": ["amber dark", "tray closed"], "jam": "amber blinking"},
    },
}
LID = 3
Kind = Literal["steady", "blinking", "one-lamp"]


def watched(table: Callable[..., Table], kind: Kind) -> tuple[Table, Machine]:
    machine = Machine(kind)
    made = table(
        {
            "name": "shuffler",
            "shuffler": CONFIGURATIONS[kind],
            "contacts": [{"number": 1, "pin": LID, "closed": "high", "debounce_ms": 40}],
        }
    )
    for pin in (GREEN, RED):
        made.board.analog[pin] = lambda us, pin=pin: machine.diode(pin, us)
    made.board.analog[CLAMP] = machine.clamp
    made.board.inputs[TRAY] = machine.tray
    made.board.inputs[LID] = lambda us: 0
    made.board.power()
    made.connect()
    made.run(1500, 50)
    assert made.board.complaint() == ""
    assert not any(",e," in each for each in made.lines), made.lines
    return made, machine


def reports(made: Table) -> list[str]:
    return [each.report for each in made.readings if isinstance(each, ShufflerReport)]


@pytest.mark.parametrize("kind", ["steady", "blinking", "one-lamp"])
def test_started_ready_and_jam_of_each_machine(table: Callable[..., Table], kind: Kind) -> None:
    made, machine = watched(table, kind)
    assert reports(made) == []
    for doing in ("shuffling", "ready", "shuffling", "jam", "shuffling", "ready"):
        machine.doing = doing  # type: ignore[assignment]
        made.run(1500, 50)
    assert reports(made) == ["started", "ready", "started", "jam", "started", "ready"]
    assert not made.rejected


def test_the_lid_is_a_contact_of_the_board(table: Callable[..., Table]) -> None:
    made, machine = watched(table, "steady")
    machine.doing = "ready"
    made.run(1500, 50)
    # The reed's magnet leaves with the lid.
    made.board.inputs[LID] = lambda us: 1
    made.run(200)
    made.board.inputs[LID] = lambda us: 0
    made.run(200)
    presses = [each.pressed for each in made.readings if isinstance(each, ButtonPress)]
    assert presses[-2:] == [True, False]
    assert reports(made) == ["ready"]


def test_light_of_the_room_between_the_thresholds_is_no_report(table: Callable[..., Table]) -> None:
    made, _ = watched(table, "steady")
    made.board.analog[GREEN] = lambda us: 16000 + (3000 if us // 90_000 % 2 else -3000)
    made.run(2500, 50)
    assert reports(made) == []


@pytest.mark.parametrize("kind", ["steady", "blinking", "one-lamp"])
def test_what_each_machine_does_is_in_the_record_with_what_is_found(
    table: Callable[..., Table], tmp_path: Path, kind: Kind
) -> None:
    """From light, current and reed to events, findings and the deck's receipt."""
    made, machine = watched(table, kind)
    seen, timed = len(made.readings), []
    reed = [0]
    made.board.inputs[LID] = lambda us: reed[0]
    for doing, opened in (("shuffling", 0), ("ready", 1), ("jam", 0), ("shuffling", 1), ("ready", 0)):
        machine.doing = doing  # type: ignore[assignment]
        # The reed's magnet leaves with the lid.
        for ms, level in ((1400, 0), (150, opened), (150, 0)):
            reed[0] = level
            made.run(ms, 50)
            timed += [(made.board.ms / 1000, reading) for reading in made.readings[seen:]]
            seen = len(made.readings)
    said, found, receipt = recorded(tmp_path, timed)
    assert said == [
        "shuffler started",
        "hand",
        "shuffler ready",
        "shuffler-lid open",
        "shuffler-lid closed",
        "shuffler jam",
        "shuffler started",
        "shuffler-lid open",
        "shuffler-lid closed",
        "shuffler ready",
    ]
    assert found == [("shuffler-opened", None), ("shuffler-fault", "jam")]
    assert (receipt.cycles, receipt.cycle_s) == (2, 1.7)


def recorded(
    folder: Path, timed: list[tuple[float, Reading]]
) -> tuple[list[str], list[tuple[str, str | None]], Receipt]:
    """What these readings at their seconds become at a table: lines of a table script, findings with their
    causes, and the receipt of the deck that is dealt then.
    """
    sensor = Sensor({}, {("shuffler", 1): SHUFFLER_LID}, DeckRegistry(Inventory((), {})))
    journal, played = Journal(folder / "one.sqlite", "one"), engine.Table("one")
    said: list[str] = []
    found: list[tuple[str, str | None]] = []

    def enter(event: TableEvent, basis: Basis, seconds: float) -> None:
        entry = Entry(journal.next_number, later(START, seconds), event, basis)
        journal.record("entry", entry)
        if isinstance(event, Hand):
            sensor.begin_hand()
        sensor.observe(entry)
        for finding in played.apply(entry).findings:
            journal.record("finding", finding)
            found.append((finding.finding, finding.cause))

    with journal.transaction():
        for line in ("game nlhe 50/100", "seats 1-3", "stacks 10000", "button 1"):
            enter(parse_line(line), "script", 0)
        for number, (seconds, reading) in enumerate(timed, 1):
            stamped = Stamped("shuffler", "e", number, later(START, seconds), reading)
            for sensed in sensor.update(stamped, NOTHING):
                if isinstance(reading, ButtonPress | ShufflerReport):
                    said.append(line_of(sensed.event))
                    enter(sensed.event, sensed.basis, seconds)
        enter(parse_line("dealt"), "script", timed[-1][0])
    (receipt,) = receipts(journal.records())
    journal.close()
    return said, found, receipt
