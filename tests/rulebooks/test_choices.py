"""Each choice of a rulebook is a field, a question and answers, and the three agree."""

from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from tablebridge import engine, room
from tablebridge.model.findings import KINDS
from tablebridge.rulebooks.book import Burned, Decisions
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS
from tablebridge.rulebooks.fspr import BOOK

FIELDS = {each.name for each in fields(Decisions)}
TYPES = get_type_hints(Decisions)
ENGINE = "".join(
    path.read_text()
    for package in (engine, room)
    for path in Path(package.__file__ or "").parent.rglob("*.py")
)


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_choice_has_its_question(field: str) -> None:
    assert field in CHOICES, f"Decisions.{field} has no question: write its Choice in rulebooks/choices.py"
    assert CHOICES[field].question and all(CHOICES[field].answers.values())


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_choice_is_made_by_the_engine(field: str) -> None:
    assert f"book.{field}" in ENGINE, (
        f"nothing in tablebridge/engine and tablebridge/room asks for book.{field}"
    )


@pytest.mark.parametrize("key", CHOICES)
def test_every_question_is_of_a_choice(key: str) -> None:
    assert key in FIELDS, f"choices.{key} is no field of Decisions in rulebooks/book.py"


@pytest.mark.parametrize("key", sorted(FIELDS & set(CHOICES)))
def test_the_answers_to_a_question_are_those_of_the_type_of_its_field(key: str) -> None:
    choice, kind = CHOICES[key], TYPES[key]
    if get_origin(kind) is Literal:
        assert tuple(choice.answers) == get_args(kind) and not choice.many
    elif kind is bool:
        assert {(answer, type(answer)) for answer in choice.answers} == {(False, bool), (True, bool)}
        assert not choice.many
    else:
        assert kind is int, "a choice is a Literal of words, a bool or an int"
        assert choice.many and all(type(answer) is int for answer in choice.answers)


@pytest.mark.parametrize("key", CHOICES)
def test_the_remedies_that_come_of_a_choice_are_of_findings_and_words_that_there_are(key: str) -> None:
    for finding, word in CHOICES[key].steps:
        assert word in {"", *KINDS[finding].causes, *KINDS[finding].cases}, (finding, word)


def test_the_burn_of_a_premature_street_has_every_answer_of_its_type() -> None:
    assert tuple(BURNS) == get_args(Burned)
    assert tuple(BOOK.premature) == STREETS
