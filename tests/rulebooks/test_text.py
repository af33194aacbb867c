"""A house rulebook is kept as text: any that can be is read again as it was."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.model.findings import KINDS, REMEDIES
from tablebridge.rulebooks import BOOKS, Rulebook, parse, text_of
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS
from tablebridge.rulebooks.clause import How
from tablebridge.rulebooks.house_rulebook import HouseError, make
from tablebridge.rulebooks.house_sections import SETS

HOWS = How.__args__  # type: ignore[attr-defined]
CASES = sorted(
    {" ".join(filter(None, key)) for book in BOOKS.values() for key in (*book.rules, *book.remedies)}
    | set(KINDS)
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=20).filter(
    str.strip
)
NUMBERS = st.text(st.characters(codec="ascii", categories=("L", "N", "P")), min_size=1, max_size=8)


def choice(key: str) -> st.SearchStrategy[Any]:
    known = CHOICES[key]
    return st.integers(0, 9) if known.many else st.sampled_from(list(known.answers))


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    """What a house may write, as the data of its file; some of it contradicts itself."""
    clauses = draw(
        st.dictionaries(
            NUMBERS,
            st.fixed_dictionaries({"text": TEXTS}, optional={"how": st.sampled_from(HOWS)}),
            max_size=3,
        )
    )
    numbers = st.sampled_from(["", *clauses])
    sections: dict[str, Any] = {
        "choices": draw(st.fixed_dictionaries({}, optional={key: choice(key) for key in CHOICES})),
        "premature": draw(
            st.dictionaries(st.sampled_from(STREETS), st.sampled_from(list(BURNS)), max_size=2)
        ),
        **{
            name: draw(st.dictionaries(st.sampled_from(KINDS[finding].causes), st.booleans(), max_size=3))
            for name, finding in SETS.items()
        },
        "rules": draw(st.dictionaries(st.sampled_from(CASES), numbers, max_size=4)),
        "remedies": draw(
            st.dictionaries(
                st.sampled_from(CASES), st.lists(st.sampled_from(sorted(REMEDIES)), max_size=3), max_size=4
            )
        ),
        "clauses": clauses,
    }
    if draw(st.booleans()):
        sections["title"] = draw(TEXTS)
    return {name: section for name, section in sections.items() if section}


def child(parent: Rulebook, data: dict[str, Any], name: str) -> Rulebook:
    """The parent with these changes; without those that make it contradict itself."""
    sections = ("choices", "premature", *SETS)
    for without in ((), sections[1:], sections, (*sections, "remedies"), (*sections, "remedies", "rules")):
        try:
            return make(
                {key: value for key, value in data.items() if key not in without}, name, parent, BOOKS
            )
        except HouseError:
            continue
    raise AssertionError("clauses cannot contradict each other")


@settings(max_examples=150)
@given(st.sampled_from(list(BOOKS.values())), changes(), changes())
def test_any_house_and_its_child_are_read_again_as_they_were(
    parent: Rulebook, first: dict[str, Any], second: dict[str, Any]
) -> None:
    house = child(parent, first, "house")
    for book in (house, child(house, second, "tent")):
        again = parse(text_of(book), "other")
        assert again == book
        assert text_of(again) == text_of(book)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_a_book_that_is_no_houses_has_no_text(book: Rulebook) -> None:
    assert text_of(book) == ""


def test_a_text_whose_parent_is_no_book_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no rulebook 'river'"):
        parse('parent = "river"\n', "house")
    with pytest.raises(ValueError, match="at line 1"):
        parse("parent\n", "house")
