"""Every word that decides rule or remedy is declared: findings, causes and cases in `model/findings.py`."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tablebridge
from tablebridge.engine.notes import Notes
from tablebridge.model.findings import KINDS, REMEDIES
from tablebridge.rulebooks import BOOKS, Rulebook, load

PACKAGE = Path(tablebridge.__file__).parent
CODE = {path: path.read_text() for path in sorted(PACKAGE.rglob("*.py")) if path.name != "findings.py"}
EVERY_CASE = [(finding, case) for finding, kind in KINDS.items() for case in kind.cases]


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_every_rule_and_remedy_is_of_a_finding_and_of_a_cause_or_case_that_it_declares(
    book: Rulebook,
) -> None:
    for finding, word in (*book.rules, *book.remedies):
        assert word in {"", *KINDS[finding].causes, *KINDS[finding].cases}, (finding, word)
    assert {step for steps in book.remedies.values() for step in steps} <= set(REMEDIES)
    assert book.misdeals <= set(KINDS["misdeal"].causes)
    assert book.voiding <= set(KINDS["fouled-deck"].causes)


def spoken(value: ast.expr) -> Iterator[str]:
    """The words that an argument may be, as far as they are written there."""
    match value:
        case ast.Constant(str(word)):
            yield word
        case ast.IfExp(body=first, orelse=second):
            yield from spoken(first)
            yield from spoken(second)
        case ast.Tuple(elts=steps):
            for step in steps:
                yield from spoken(step)


def raised() -> Iterator[tuple[str, str, str, str]]:
    """Each cause, case and step that is written where a finding is raised: its place, the finding, the
    keyword and the word.
    """
    for path, code in CODE.items():
        for call in ast.walk(ast.parse(code)):
            if isinstance(call, ast.Call):
                findings = [word for one in call.args[:3] for word in spoken(one) if word in KINDS]
                for keyword in call.keywords:
                    if findings and keyword.arg in ("cause", "case", "remedy"):
                        for word in filter(None, spoken(keyword.value)):
                            yield f"{path.relative_to(PACKAGE)}:{call.lineno}", findings[0], keyword.arg, word


def test_every_cause_case_and_step_in_the_code_is_declared() -> None:
    found = list(raised())
    assert len(found) > 50
    undeclared = [
        f"{place}: {finding} has no {kind} {word!r}: declare it in model/findings.py"
        for place, finding, kind, word in found
        if word
        not in {"cause": KINDS[finding].causes, "case": KINDS[finding].cases, "remedy": REMEDIES}[kind]
    ]
    assert undeclared == []


@pytest.mark.parametrize(("finding", "case"), EVERY_CASE, ids=[" ".join(each) for each in EVERY_CASE])
def test_a_case_that_is_declared_is_used(finding: str, case: str) -> None:
    assert any(f'"{case}"' in code for path, code in CODE.items() if {"engine", "room"} & {*path.parts})


def test_a_case_is_no_cause_of_the_same_finding() -> None:
    assert [each for each in EVERY_CASE if each[1] in KINDS[each[0]].causes] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"cause": "boxed"}, "misdeal has no cause 'boxed': add it to its causes in model/findings.py"),
        ({"cause": "stud"}, "misdeal has no cause 'stud'"),
        ({"case": "razz"}, "misdeal has no case 'razz': add it to its cases in model/findings.py"),
        ({"case": "boxed-cards"}, "misdeal has no case 'boxed-cards'"),
        ({"remedy": ("redeel",)}, "there is no step 'redeel': add it to REMEDIES in model/findings.py"),
    ],
)
def test_a_finding_is_not_raised_with_a_word_that_it_does_not_declare(
    words: dict[str, Any], said: str
) -> None:
    notes = Notes(1, "script", "1", 1, "preflop")
    with pytest.raises(ValueError, match=said):
        notes.find(load("fspr"), "misdeal", "The deal went wrong.", **words)
    with pytest.raises(ValueError, match="there is no finding 'misdael'"):
        notes.find(load("fspr"), "misdael", "The deal went wrong.")


def test_a_rulebook_is_not_asked_for_a_word_that_the_finding_does_not_declare() -> None:
    for ask in (load("tda-2022").rule, load("tda-2022").remedy):
        with pytest.raises(ValueError, match="dead-hand has no cause and no case 'betor'"):
            ask("dead-hand", "betor")
        with pytest.raises(ValueError, match="there is no finding 'dead-hnad'"):
            ask("dead-hnad")


def test_an_unknown_rulebook_is_a_sentence_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=r"no rulebook is called 'house'; rulebooks are .*tda-2022"):
        load("house")


def test_the_cause_decides_between_rules_of_one_finding() -> None:
    book = load("tda-2022")
    assert book.rule("misdeal", "boxed-cards") == "35-A(1)"
    assert book.rule("misdeal-too-late", "boxed-cards") == "35-D"
    assert book.rule("uncalled-bet") is None
    assert book.remedy("uncalled-bet") == ()


def test_a_book_in_which_deals_can_be_put_right_knows_what_a_deal_out_of_order_is() -> None:
    for book in BOOKS.values():
        assert book.mendable <= book.misdeals
