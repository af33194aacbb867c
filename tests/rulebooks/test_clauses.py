"""What is said of a clause is true: a hand shows it.

A clause about which the engine does something is named in a comment or an expectation of a table script under
its rulebook, or under the book that it has the clause from; the script holds. Clauses of stud, draw and
high-low are shown with those games.
"""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Literal

import pytest
from hands.suite import path_of, pending, scripts

from tablebridge.model import events as ev
from tablebridge.rulebooks import BOOKS, Rulebook
from tablebridge.rulebooks.clauses import games, online_room
from tablebridge.rulebooks.clauses.tda_2017 import SAME
from tests.engine.tables import Script

HOWS = {
    "tda-2024": {
        "detects": 14,
        "nothing": 19,
        "prompts": 17,
        "records": 12,
        "rules": 135,
        "rules and prompts": 2,
    },
    "tda-2022": {
        "detects": 13,
        "nothing": 20,
        "prompts": 15,
        "records": 12,
        "rules": 132,
        "rules and prompts": 2,
    },
    "tda-2017": {
        "detects": 13,
        "nothing": 11,
        "prompts": 13,
        "records": 10,
        "rules": 120,
        "rules and prompts": 4,
    },
    "online-room": {
        "detects": 14,
        "nothing": 24,
        "prompts": 15,
        "records": 12,
        "rules": 152,
        "rules and prompts": 2,
    },
    "fspr": {
        "detects": 5,
        "nothing": 3,
        "prompts": 19,
        "records": 1,
        "rules": 98,
    },
    "raise-club": {
        "detects": 16,
        "nothing": 4,
        "prompts": 13,
        "records": 5,
        "rules": 104,
    },
}
"""How many clauses of each book the engine claims to detect, rule and so on: a claim that grows is one to
look at.
"""

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
SHARES = {"half": Fraction(1, 2), "two thirds": Fraction(2, 3), "three quarters": Fraction(3, 4)}

# Not of flop games.
OTHER_GAMES = {
    "tda-2022": {
        "20-B",
        "20-C",
        "66",
        "RP-10-A",
        "RP-10-B",
        "RP-10-C",
        "RP-10-D",
        "RP-10-E",
        "RP-10-F",
        "RP-10-H",
        "RP-17",
    },
    "tda-2017": {"20-C", "20-D", "35-A(5)", "RP-5-D", "RP-9-A"},
    "fspr": {"SUITS", "STUD-PLAY", "STUD-1", "STUD-2", "STUD-3", "STUD-4", "STUD-5", "STUD-6", "STUD-7"},
    "raise-club": {
        "MISDEAL-6",
        "STUD-1",
        "STUD-2",
        "STUD-3",
        "STUD-4",
        "STUD-5",
        "STUD-6",
        "STUD-7",
        "DEAD-5",
        "ODD-2",
        "ODD-3",
    },
}


GAMES = {clause.number for clause in games.CLAUSES}
"""Of a game, and the same under every book: one book's script shows them for all."""


@cache
def named() -> dict[str, set[str]]:
    """The clauses that scripts name, by rulebook."""
    found: dict[str, set[str]] = {name: set() for name in BOOKS}
    for script in set(scripts()) - set(pending()):
        text = path_of(script).read_text()
        rules = re.search(r"^rules (\S+)", text, re.MULTILINE)
        if rules is not None and rules[1] in found:
            comments = " ".join(re.findall(r"^#.*", text, re.MULTILINE))
            found[rules[1]].update(re.findall(r"[\w()-]+", comments), re.findall(r" rule (\S+)", text))
    return found


def shown(book: Rulebook, number: str) -> bool:
    """Whether a script shows this clause of the book, or the rule of which it is a part."""
    if number in GAMES and any(number in clauses for clauses in named().values()):
        return True
    section = re.sub(r"\(\d\)$", "", number)
    if {number, section, re.sub(r"-[A-Z]$", "", section)} & named()[book.name] or number in OTHER_GAMES.get(
        book.name, ()
    ):
        return True
    if book.name == "tda-2017":
        return number in SAME and shown(BOOKS["tda-2022"], SAME[number])
    if not book.parent:
        return False
    changed = {clause.number for clause in set(book.clauses) - set(BOOKS[book.parent].clauses)}
    return number not in changed and shown(BOOKS[book.parent], number)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_a_hand_shows_every_clause_about_which_the_engine_does_something(book: Rulebook) -> None:
    claimed = [clause.number for clause in book.clauses if clause.how != "nothing"]
    assert [number for number in claimed if not shown(book, number)] == []


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_the_engine_claims_no_more_of_the_clauses_than_it_did(book: Rulebook) -> None:
    assert Counter(clause.how for clause in book.clauses) == HOWS[book.name]


def hand(book: str) -> Script:
    return Script(
        ev.Rules(book),
        ev.Game("nlhe", (50, 100)),
        ev.Seats((1, 2, 3, 4, 5, 6)),
        ev.Button(6),
        ev.Stacks(10_000),
        ev.Hand(),
        ev.Dealt(),
    )


def text(book: str, number: str) -> str:
    return next(clause.text for clause in BOOKS[book].clauses if clause.number == number)


@pytest.mark.parametrize("action", ["call", "fold"])
def test_action_is_substantial_from_as_many_actions_as_the_text_says(action: Literal["call", "fold"]) -> None:
    said = re.search(
        r"(\w+) actions in turn of which one puts chips in, or any (\w+)", text("tda-2022", "36")
    )
    assert said is not None
    script, acted = hand("tda-2022"), 0
    while not script.table.substantial_action and acted < 4:
        script.play(ev.Action(action, 3 + acted))
        acted += 1
    assert acted == NUMBERS[said[1 if action == "call" else 2]]


def test_a_raise_is_made_good_from_the_share_that_the_text_says() -> None:
    said = re.search(r"From (\w+(?: \w+)?) of that it is made good", text("tda-2022", "43-A"))
    assert said is not None
    ruled = {
        chips: hand("tda-2022").play(ev.Action("raise", 3, 400), ev.ChipsIn(4, (25,) * (16 + chips))).ruled[0]
        for chips in range(1, 13)
    }
    made_good = [chips for chips, one in ruled.items() if one.action == "raise"]
    assert Fraction(min(made_good) * 25, 300) == SHARES[said[1]]


def test_the_clauses_of_the_online_room_s_own_stand_behind_those_of_the_book_that_it_changes():
    assert BOOKS["online-room"].clauses == (*BOOKS["tda-2022"].clauses, *online_room.CLAUSES)
