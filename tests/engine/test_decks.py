"""Decks by their names: which was checked, which is dealt."""

import pytest

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.model.decks import spread_order
from tablebridge.model.events import Entry
from tablebridge.model.instant import START

SPREAD = " ".join(spread_order("52"))
SHORT = SPREAD.replace("5h", "??")


def found(*lines: str) -> list[tuple[str, str | None]]:
    """Findings of these lines after a table was set up, in order."""
    table = Table("one")
    told = []
    for number, line in enumerate(("game nlhe 50/100", "seats 1-3", "stacks 10000", "button 1", *lines), 1):
        told += table.apply(Entry(number, START, parse_line(line))).findings
    return [(finding.finding, finding.cause) for finding in told]


def test_a_deck_that_was_checked_is_in_play() -> None:
    assert found(f"deck-check deck red {SPREAD}", "hand", "deck-in-play red") == [("deck-check-passed", None)]


def test_another_deck_than_the_one_checked_is_told_at_once() -> None:
    assert found(f"deck-check deck red {SPREAD}", "hand", "deck-in-play blue")[1:] == [("deck-swapped", None)]


def test_two_decks_that_were_both_checked_alternate() -> None:
    alternating = ["hand", "deck-in-play red", "hand", "deck-in-play blue"] * 3
    assert found(f"deck-check deck red {SPREAD}", f"deck-check deck blue {SPREAD}", *alternating)[2:] == []


def test_a_third_deck_takes_the_place_of_the_first() -> None:
    checks = [f"deck-check deck {name} {SPREAD}" for name in ("red", "blue", "green")]
    assert found(*checks, "hand", "deck-in-play green", "hand", "deck-in-play blue")[3:] == []
    assert found(*checks, "hand", "deck-in-play red")[3:] == [("deck-swapped", None)]


def test_a_deck_that_failed_is_not_checked_any_more() -> None:
    lines = [
        f"deck-check deck red {SPREAD}",
        f"deck-check deck blue {SPREAD}",
        f"deck-check deck red {SHORT}",
    ]
    assert found(*lines, "hand", "deck-in-play red")[2:] == [
        ("deck-check-failed", "unreadable-tag"),
        ("deck-unchecked", None),
        ("deck-swapped", None),
    ]


def test_a_check_without_a_name_was_of_the_deck_that_is_dealt_next() -> None:
    lines = [f"deck-check {SPREAD}", "hand", "deck-in-play red", "hand", "deck-in-play blue"]
    assert found(*lines)[1:] == [("deck-swapped", None)]


def test_without_a_check_no_deck_is_another() -> None:
    assert found("hand", "deck-in-play red", "hand", "deck-in-play blue") == []


@pytest.mark.parametrize("end", [[], ["deck-check end"]])
def test_a_check_that_was_begun_and_brought_nothing_is_none(end: list[str]) -> None:
    assert found("deck-check begin", *end, "hand") == [("deck-unchecked", None)]
