"""Enrolling a deck, card by card."""

import random

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.readings import Sweep
from tablebridge.sensing.enrolment.deck_enrolment import DeckEnrolment, EnrolmentStep

UID = "E0040100000000{:02X}".format
LIFTED = Sweep(0, (), 2)


def lay(enrolment: DeckEnrolment, tag: str) -> EnrolmentStep | None:
    step = enrolment.enrol_card(Sweep(0, (tag,), 3))
    assert enrolment.enrol_card(LIFTED) in (None, EnrolmentStep("complete"))
    return step


def test_the_spread_is_hearts_clubs_diamonds_spades_from_the_ace() -> None:
    order = spread_order("52+joker")
    assert len(order) == 53
    assert order[:3] == ("Ah", "2h", "3h")
    assert (order[12], order[13], order[26], order[39], order[51], order[52]) == (
        "Kh",
        "Ac",
        "Ad",
        "As",
        "Ks",
        "joker",
    )
    assert spread_order("32")[:3] == ("Ah", "7h", "8h")


def test_a_whole_deck_in_order() -> None:
    enrolment = DeckEnrolment(Deck("red", {}))
    for number, card in enumerate(spread_order("52")):
        assert enrolment.wanted == card
        assert lay(enrolment, UID(number)) == EnrolmentStep("enrolled", number + 1)
    assert enrolment.wanted is None
    assert enrolment.enrol_card(Sweep(0, ("E004",))) == EnrolmentStep("complete")
    assert enrolment.deck.cards == {UID(number): card for number, card in enumerate(spread_order("52"))}


def test_a_card_counts_after_three_reads_and_once_until_it_is_lifted() -> None:
    enrolment = DeckEnrolment(Deck("red", {}))
    sweep = Sweep(0, (UID(1),))
    assert [enrolment.enrol_card(sweep) for _ in range(8)] == [
        None,
        None,
        EnrolmentStep("enrolled", 1),
        None,
        None,
        None,
        None,
        None,
    ]
    assert enrolment.enrol_card(Sweep(0, ())) is None
    assert [enrolment.enrol_card(sweep) for _ in range(4)] == [None] * 4, "one empty visit is a missed read"
    assert enrolment.enrol_card(Sweep(0, (), 2)) is None
    assert [enrolment.enrol_card(sweep) for _ in range(3)] == [None, None, EnrolmentStep("known", 1)]


def test_cards_may_stay_where_the_antenna_reads_several() -> None:
    rng, lying, reported = random.Random(3), [], []
    enrolment = DeckEnrolment(Deck("red", {}))
    for number in range(52):
        lying.append(UID(number))
        for _ in range(12):
            read = [tag for tag in lying if rng.random() > 0.1]
            rng.shuffle(read)
            reported.append(enrolment.enrol_card(Sweep(0, tuple(read))))
    assert [step for step in reported if step and step.what == "enrolled"] == [
        EnrolmentStep("enrolled", at) for at in range(1, 53)
    ]
    assert EnrolmentStep("several") not in reported
    assert enrolment.deck.cards == {UID(number): card for number, card in enumerate(spread_order("52"))}


def test_an_enrolled_tag_says_where_it_is() -> None:
    enrolment = DeckEnrolment(Deck("red", {}))
    lay(enrolment, UID(1))
    lay(enrolment, UID(2))
    assert lay(enrolment, UID(1)) == EnrolmentStep("known", 1)
    assert enrolment.wanted == "3h"


def test_two_tags_are_refused_once() -> None:
    enrolment = DeckEnrolment(Deck("red", {}))
    both = Sweep(0, (UID(1), UID(2)))
    assert [enrolment.enrol_card(both) for _ in range(3)] == [EnrolmentStep("several"), None, None]
    assert enrolment.enrol_card(Sweep(0, (UID(1),), 9)) is None, "the other may only have been missed"
    assert enrolment.deck.cards == {}
    assert enrolment.enrol_card(LIFTED) is None
    assert enrolment.enrol_card(Sweep(0, (UID(1),), 3)) == EnrolmentStep("enrolled", 1)


def test_undo_asks_for_the_card_again() -> None:
    enrolment = DeckEnrolment(Deck("red", {}))
    assert enrolment.undo() is None
    lay(enrolment, UID(1))
    lay(enrolment, UID(2))
    assert enrolment.undo() == 2
    assert enrolment.wanted == "2h"
    assert lay(enrolment, UID(2)) == EnrolmentStep("enrolled", 2)


def test_a_partly_enrolled_deck_goes_on_at_its_first_gap() -> None:
    enrolment = DeckEnrolment(Deck("red", {UID(1): Card("Ah"), UID(3): Card("3h")}))
    assert lay(enrolment, UID(2)) == EnrolmentStep("enrolled", 2)
    assert enrolment.wanted == "4h"


def test_any_sweeps_keep_one_tag_a_card() -> None:
    rng = random.Random(1)
    enrolment = DeckEnrolment(Deck("red", {}, "32"))
    for _ in range(4000):
        tags = tuple(UID(rng.randrange(40)) for _ in range(rng.choice((0, 0, 1, 1, 2))))
        enrolment.enrol_card(Sweep(0, tags, rng.randrange(1, 4)))
        if rng.random() < 0.02:
            enrolment.undo()
        cards = enrolment.deck.cards
        assert len(set(cards.values())) == len(cards)
