"""What the shuffler passed, and hands that antennas see go away: what no table script can say."""

import pytest

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.model.events import Basis, Entry
from tablebridge.model.instant import START

SETUP = ("rules tda-2022", "game nlhe 50/100", "seats 1-2", "button 2", "stacks 2000")
ALL_IN = (*SETUP, "hand", "deal 1 Ah", "deal 2 2c", "deal 1 Kd", "deal 2 2d", "allin 2", "call 1")
BOARD = ("burn", "flop 3h 7d Jh", "burn", "turn 9s", "burn", "river 8s")


def found(lines: tuple[str, ...], last: str, basis: Basis = "script") -> list[tuple[str, str | None]]:
    """Finding and cause of what the last line raised."""
    table = Table("table")
    for number, line in enumerate(lines):
        table.apply(Entry(number, START, parse_line(line)))
    outcome = table.apply(Entry(99, START, parse_line(last), basis))
    return [(finding.finding, finding.cause) for finding in outcome.findings]


@pytest.mark.parametrize(
    ("lines", "basis", "told"),
    [
        (ALL_IN, "operator", True),
        (ALL_IN, "rfid", True),
        ((*ALL_IN, *BOARD), "operator", True),
        ((*ALL_IN, *BOARD), "rfid", False),
    ],
)
def test_antennas_cannot_say_at_the_showdown_that_a_hand_was_not_tabled(
    lines: tuple[str, ...], basis: Basis, told: bool
) -> None:
    assert (("must-be-face-up", "mucked") in found(lines, "muck 2", basis)) == told


@pytest.mark.parametrize(("report", "contradicted"), [("ok", True), ("ready", False), ("jam", False)])
def test_only_a_shuffler_that_passed_the_deck_is_contradicted_by_a_card_that_is_there_twice(
    report: str, contradicted: bool
) -> None:
    lines = (*SETUP, f"shuffler {report}", "hand", "deal 1 Ah", "deal 2 2c", "deal 1 Kd")
    told = found(lines, "deal 2 Ah*")
    assert ("fouled-deck", "duplicate-card") in told
    assert (("shuffler-contradicted", "duplicate-card") in told) == contradicted
