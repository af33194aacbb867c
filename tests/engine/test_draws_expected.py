"""What sensing is told of games that give cards to the seats after the deal: who has still to draw, which
cards lie open, and which seats are due while a burn is.
"""

from tablebridge.engine.games import FORMS
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.model.events import Entry
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import START


def after(*lines: str) -> Expectation:
    table = Table("table")
    for number, line in enumerate(lines, 1):
        table.apply(Entry(number, START, parse_line(line)))
    return table.expectation()


DRAW = ("rules tda-2022", "game draw5 50/100", "seats 1 2 3", "button 3", "stacks 10000", "hand", "dealt")
STUD = ("rules tda-2022", "game stud 100/200", "ante 10", "bring-in 25", "seats 1 2", "stacks 10000", "hand")
THIRD = (
    "deal 1 2c",
    "deal 2 9s",
    "deal 1 3d",
    "deal 2 9h",
    "deal 1 4c up",
    "deal 2 Kd up",
    "bet 1 25",
    "call 2",
)


def test_the_seats_that_have_still_to_draw_are_known_in_order() -> None:
    betting = (*DRAW, "call 3", "call 1")
    assert after(*betting).drawing == ()
    assert after(*betting, "check 2").drawing == (1, 2, 3)
    drawn = after(*betting, "check 2", "draw 1 2")
    assert drawn.drawing == (2, 3) and drawn.next_seats == (1, 1)
    assert after(*betting, "check 2", "draw 1 0", "draw 2 0", "draw 3 0").drawing == ()


def test_open_cards_are_known_by_their_number() -> None:
    assert after(*STUD).open_cards == (2, 3, 4, 5) == FORMS["razz"].open_cards
    assert after(*DRAW).open_cards == ()
    assert FORMS["americana"].open_cards == (1, 2, 3, 4)


def test_the_seats_of_a_street_are_due_already_when_its_burn_is() -> None:
    burning = after(*STUD, *THIRD)
    assert (burning.phase, burning.next_seats, burning.burn_due) == ("burn", (1, 2), True)
    dealing = after(*STUD, *THIRD, "burn")
    assert (dealing.phase, dealing.next_seats, dealing.burn_due) == ("deal", (1, 2), False)
