"""Shufflers watched from outside: three languages of lamps below the firmware's pins, reports at the host."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from rig.shufflers import CLAMP, GREEN, RED, TRAY, Machine

from tablebridge.sdk import ButtonPress, ShufflerReport

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
