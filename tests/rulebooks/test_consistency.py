"""The books that come along: what each says holds together."""

import pytest

from tablebridge.rulebooks import BOOKS, Rulebook
from tablebridge.rulebooks.choices import CHOICES
from tablebridge.rulebooks.house_rulebook import make


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_a_house_that_changes_nothing_is_its_parent(book: Rulebook) -> None:
    house = make({}, "house", book, BOOKS)
    assert (house.rules, house.remedies, house.clauses) == (book.rules, book.remedies, book.clauses)
    assert all(getattr(house, key) == getattr(book, key) for key in CHOICES)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_every_rule_that_a_finding_names_is_a_clause_that_can_be_looked_up(book: Rulebook) -> None:
    numbers = [clause.number for clause in book.clauses]
    assert len(numbers) == len(set(numbers))
    assert {number for number in book.rules.values() if number} - set(numbers) == set()


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_every_choice_of_a_book_is_one_that_there_is(book: Rulebook) -> None:
    assert [key for key, choice in CHOICES.items() if not choice.allows(getattr(book, key))] == []


def test_a_clause_that_a_finding_names_is_one_about_which_the_engine_does_something() -> None:
    idle = {
        (book.name, clause.number)
        for book in BOOKS.values()
        for clause in book.clauses
        if clause.how == "nothing"
    }
    assert idle & {(book.name, number) for book in BOOKS.values() for number in book.rules.values()} == set()


def test_what_a_book_decides_it_also_prescribes() -> None:
    for book in BOOKS.values():
        for cause in book.voiding:
            assert "return-bets" in book.remedy("fouled-deck", cause), (book.name, cause)
        for cause in book.misdeals:
            assert "return-bets" in book.remedy("misdeal", cause), (book.name, cause)
