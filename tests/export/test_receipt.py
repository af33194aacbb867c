"""What a record says of its decks."""

from pathlib import Path

import msgspec

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.export.receipt import Receipt, receipts
from tablebridge.journal.store import Journal
from tablebridge.model.decks import spread_order
from tablebridge.model.events import Basis, Entry
from tablebridge.model.instant import START, later

SPREAD = " ".join(spread_order("52"))
HAND = ("hand", "shuffled", "cut", "dealt", "end")


def of(folder: Path, *lines: str) -> list[Receipt]:
    """The receipts of a record of these lines, one per second; those that begin with * are the shuffler's."""
    journal, table = Journal(folder / "one.sqlite", "one"), Table("one")
    with journal.transaction():
        for line in ("game nlhe 50/100", "seats 1-3", "stacks 10000", "button 1", *lines):
            number = journal.next_number
            basis: Basis = "shuffler" if line.startswith("*") else "script"
            entry = Entry(number, later(START, number), parse_line(line.lstrip("*")), basis=basis)
            journal.record("entry", entry)
            for finding in table.apply(entry).findings:
                journal.record("finding", finding)
    found = receipts(journal.records())
    journal.close()
    return found


def hand(deck: str = "", *more: str) -> tuple[str, ...]:
    told = (f"deck-in-play {deck}",) if deck else ()
    return (*HAND[:3], *told, *HAND[3:4], *more, *HAND[4:])


def test_two_decks_that_take_turns(tmp_path: Path) -> None:
    checks = [f"deck-check deck {name} {SPREAD}" for name in ("red", "blue")]
    red, blue = of(tmp_path, *checks, *hand("red"), *hand("blue"), *hand(), *hand("red"), "hand")
    assert (red.deck, red.hands, red.shuffles, red.checks_passed) == ("red", 2, 2, 1)
    assert (blue.deck, blue.hands, blue.shuffles, blue.checks_passed) == ("blue", 2, 2, 1)
    assert red.first_ns < blue.first_ns < red.last_ns


def test_what_was_found_before_the_first_card_is_that_decks_too(tmp_path: Path) -> None:
    lines = (f"deck-check deck red {SPREAD}", *hand("red"), "dealer-change", *hand("blue"))
    red, blue = of(tmp_path, *lines)
    assert [noted.finding for noted in red.findings] == ["deck-check-passed"]
    assert [noted.finding for noted in blue.findings] == ["deck-unchecked", "deck-swapped"]


def test_one_failed_check_is_one_though_it_has_two_causes(tmp_path: Path) -> None:
    spread = SPREAD.replace("5h", "blank").replace("Ks", "??")
    (red,) = of(tmp_path, f"deck-check deck red {spread}", *hand())
    assert (red.checks_failed, red.hands, [noted.cause for noted in red.findings]) == (
        1,
        1,
        ["foreign-card", "missing-card", "unreadable-tag", None],
    )
    assert not any(f'"{card}"' in msgspec.json.encode(red).decode() for card in spread_order("52"))


def test_a_record_without_names_is_of_one_deck(tmp_path: Path) -> None:
    (deck,) = of(tmp_path, *hand(), *hand())
    assert (deck.deck, deck.hands, deck.checks_passed) == ("", 2, 0)


def test_cycles_of_the_shuffler_belong_to_the_deck_that_is_dealt_after_them(tmp_path: Path) -> None:
    red, blue = of(
        tmp_path,
        *("*hand", "*shuffler started", "*shuffler ready", "deck-in-play red", "dealt"),
        *("*shuffler jam", "*shuffler ready", "end"),
        *("*hand", "deck-in-play blue", "dealt", "end"),
        *("*hand", "*shuffler started", "shuffled", "cut", "*shuffler ready"),
        *("deck-in-play red", "dealt", "end"),
    )
    # Of one second and of three.
    assert (red.cycles, red.cycle_s) == (2, 2.0)
    assert (blue.cycles, blue.cycle_s) == (1, None)
