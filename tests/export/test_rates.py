"""Hands, rake and seats per hour, by table and dealer."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tablebridge.cli.rates import command
from tablebridge.engine.script.statements import parse_line
from tablebridge.export.account import accounts
from tablebridge.export.rates import BREAK_S, Rates, rates, summed
from tablebridge.journal.store import Journal
from tablebridge.model.events import Entry
from tablebridge.model.instant import START, later

SET_UP = ("game nlhe 50/100", "seats 1-3", "stacks 10000", "button 1")
HAND = ("hand", "dealt", "call 1", "call 2", "check 3")
CHECKED = ("burn", "flop 2c 3d 9h", "check 2", "check 3", "check 1")


def entries(*timed: tuple[float, str]) -> list[Entry]:
    return [Entry(number, later(START, at), parse_line(line)) for number, (at, line) in enumerate(timed, 1)]


def hand(at: float, *more: str, ends: float = 60.0) -> list[tuple[float, str]]:
    """A hand that begins at `at` s and is over `ends` s later."""
    return [*((at, line) for line in (*HAND, *more)), (at, "fold 2"), (at, "fold 3"), (at + ends, "end")]


def of(*timed: tuple[float, str]) -> list[Rates]:
    return rates(accounts(entries(*((0.0, line) for line in SET_UP), *timed), "one"))


def test_a_hand_takes_until_the_next_begins_and_the_last_until_its_end() -> None:
    (found,) = of(*hand(0), *hand(120), *hand(240))
    assert (found.hands, found.void, found.table, found.dealer) == (3, 0, "one", "")
    assert found.hours == pytest.approx((120 + 120 + 60) / 3600)
    assert found.seat_hours == pytest.approx(3 * found.hours)
    assert found.hands_an_hour == pytest.approx(3 / found.hours)


@pytest.mark.parametrize(("gap_s", "counted_s"), [(BREAK_S, BREAK_S), (BREAK_S + 1, 60.0)])
def test_a_break_is_no_time_of_play(gap_s: float, counted_s: float) -> None:
    (found,) = of(*hand(0), *hand(gap_s))
    assert found.hours == pytest.approx((counted_s + 60) / 3600)


def test_each_dealer_has_his_own_hands_and_a_void_hand_is_none() -> None:
    carla, boris = of(
        (0.0, 'dealer-change "Carla"'),
        *hand(0),
        *[*((100.0, line) for line in HAND[:2]), (100.0, "ruling misdeal"), (110.0, "end")],
        (200.0, 'dealer-change "Boris"'),
        *hand(200),
    )
    assert [(found.dealer, found.hands, found.void) for found in (carla, boris)] == [
        ("Carla", 1, 1),
        ("Boris", 1, 0),
    ]
    assert carla.hours == pytest.approx(200 / 3600) and boris.hours == pytest.approx(60 / 3600)
    (table,) = summed([carla, boris], by="table")
    assert (table.table, table.dealer, table.hands, table.void) == ("one", "", 2, 1)
    assert [found.dealer for found in summed([carla, boris], by="dealer")] == ["Carla", "Boris"]


def test_rake_is_counted_and_taken_back_with_its_line() -> None:
    raked = hand(0, *CHECKED, "burn", "turn Ts", "bet 2 500", "call 3", "fold 1")
    raked = [line for line in raked if line[1] != "fold 2"]
    (found,) = of(*raked[:-2], (0.0, "rake 25"), *raked[-2:])
    assert found.rake == 25 and found.rake_an_hour == pytest.approx(25 / found.hours)


def test_no_hand_is_no_rate() -> None:
    assert of() == [] and Rates().hands_an_hour == Rates().rake_an_hour == 0.0


def test_the_command_prints_a_line_per_dealer_and_json(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite"
    journal = Journal(path, "one")
    with journal.transaction():
        for entry in entries(
            *((0.0, line) for line in SET_UP), (0.0, 'dealer-change "Carla"'), *hand(0), *hand(90)
        ):
            journal.record("entry", entry)
    journal.close()
    run = CliRunner().invoke(command, [str(path)])
    assert run.exit_code == 0, run.output
    head, line = run.output.splitlines()
    assert head.split()[:3] == ["table", "dealer", "hands"]
    assert line.split() == ["one", "Carla", "2", "0", "0.04", "48.0", "0", "0", "0.12"]
    run = CliRunner().invoke(command, [str(path), "--by", "table", "--json"])
    assert msgspec.json.decode(run.output)["hands"] == 2
