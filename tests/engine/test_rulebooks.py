"""Rulebooks speak only words that there are."""

import pytest

from tablebridge.model.findings import KINDS, REMEDIES
from tablebridge.rulebooks import BOOKS, Rulebook, load

# Clauses where the cause of a finding does not decide which rule it is.
CLAUSES = {
    "burn-missing": {"flop", "turn", "river"},
    "not-all-tabled": {"hand", "board"},
    "not-reopened": {"limit"},
    "bet-ruled": {"declared-raise", "prior-chips-sum"},
    "underbet": {"pot-count"},
    "odd-chip": {"moved-on", "stud", "high-low"},
    "dead-hand": {"count-not-acted", "count-last", "bettor"},
    "card-out-of-place": {"floor", "floor-stud", "dead-hand"},
    "deal-order": {"seat-skipped", "unentitled-seat", "out-of-order"},
    "exposed-card": {
        "stud",
        "stud-second",
        "last-replaced",
        "last-plays",
        "last-up",
        "last-as-all-in",
        "which",
    },
    "misdeal": {"stud"},
    "overbet": {"open-pair"},
    "stub-short": {"burns", "community", "few", "draw"},
    "misdeal-too-late": {"marked-board"},
    "extra-board-card": {"river", "several"},
    "skipped-player": {"answers"},
    "raise-cap": {"closed"},
}


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_every_rule_and_remedy_is_of_a_finding_that_there_is(book: Rulebook) -> None:
    for finding, cause in (*book.rules, *book.remedies):
        assert cause in {"", *KINDS[finding].causes, *CLAUSES.get(finding, ())}
    assert {step for steps in book.remedies.values() for step in steps} <= set(REMEDIES)
    assert book.misdeals <= set(KINDS["misdeal"].causes)
    assert book.voiding <= set(KINDS["fouled-deck"].causes)


def test_an_unknown_rulebook_is_a_sentence_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=r"no rulebook is called 'house'; rulebooks are .*tda-2022"):
        load("house")


def test_the_cause_decides_between_rules_of_one_finding() -> None:
    book = load("tda-2022")
    assert book.rule("misdeal", "boxed-cards") == "35-A(1)"
    assert book.rule("misdeal-too-late", "boxed-cards") == "35-D"
    assert book.rule("boxed-card") is None
    assert book.remedy("boxed-card") == ()


def test_a_book_that_mends_deals_knows_what_a_deal_out_of_order_is() -> None:
    for book in BOOKS.values():
        assert book.mendable <= book.misdeals
