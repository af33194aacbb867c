"""The shuffle, the cut and the stub of the deck that is dealt, and cards that are not fit for play."""

from collections.abc import Iterable
from typing import Final

from tablebridge.engine import substantial_action
from tablebridge.engine.cards import faces, misdeals, shuffles
from tablebridge.engine.consequences import NONE, VOID, Consequences
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.cards import UNKNOWN, Card, face, is_known
from tablebridge.model.events import Back, Cut, Marked, Shuffled, Stub
from tablebridge.model.places import BURN, MUCK, STUB, Place

_UNFIT: Final[dict[type[Marked | Back], str]] = {Marked: "marked-card", Back: "mixed-backs"}
"""What is wrong with a card."""


def judge_shuffle(setup: Setup, hand: Hand, notes: Notes) -> None:
    """The hand is over: is the order of its cards believable as the outcome of a shuffle? Only antennas can
    say.
    """
    if "rfid" not in hand.deal.by:
        return
    groups = [_named(hand, group) for group in (*hand.felt.cards.values(), *hand.felt.boards)]
    setup.memory, suspicion = shuffles.judge(
        setup.memory, tuple(dict.fromkeys(_named(hand, _came_off(hand)))), groups
    )
    if suspicion is not None:
        notes.find(
            setup.book,
            "shuffle-suspect",
            suspicion.text,
            args=suspicion.args,
            cause=suspicion.cause,
        )


def prepared(hand: Hand, notes: Notes, event: Shuffled | Cut) -> Consequences:
    """The deck was shuffled or cut."""
    if isinstance(event, Shuffled):
        hand.shuffle.report()
        return
    hand.shuffle.report_cut()
    if event.exposed is None:
        return
    cards = () if event.exposed == UNKNOWN else (event.exposed,)
    hand.felt.turn_over(*cards)
    yield from faces.record(hand, notes, event.exposed, STUB)
    if "exposed-in-cut" in hand.book.misdeals:
        yield from misdeals.misdeal(hand, notes, "exposed-in-cut", cards=cards)
    else:
        hand.find(notes, "exposed-card", "cut", cause="dealer", cards=cards)


def stub(hand: Hand, notes: Notes, event: Stub) -> None:
    """The stub was counted or dropped. A count is checked against what left the deck."""
    if event.state == "counted":
        left = len(hand.deck) - hand.felt.off_deck
        if event.count is not None and event.count != left:
            hand.find(notes, "stub-wrong", args={"count": event.count, "left": left}, cause="count")
    else:
        hand.find(notes, "stub-wrong", cause=event.state)
        if event.state == "mixed":
            # Any of them may come again.
            for card in [card for card, place in hand.felt.places.items() if place in (BURN, MUCK)]:
                hand.forget(card)


def unfit_between(setup: Setup, notes: Notes, event: Marked | Back) -> None:
    """A marked card, or one with another back, found while no hand is under way."""
    cards = () if event.card == UNKNOWN else (event.card,)
    notes.find(setup.book, "fouled-deck", cause=_UNFIT[type(event)], cards=cards)


def unfit(hand: Hand, notes: Notes, event: Marked | Back) -> Consequences:
    """A marked card, or one with another back: what it means is the floor's to say unless the rulebook stops
    the hand.
    """
    card, cause = event.card, _UNFIT[type(event)]
    if card != UNKNOWN:
        yield from faces.record(hand, notes, card, hand.felt.places.get(card, _NOWHERE))
    if cause == "marked-card" and hand.book.marked_by_time and hand.felt.off_deck:
        yield from _marked_in_play(hand, notes, card)
        return
    hand.find(notes, "fouled-deck", cause=cause, cards=() if card == UNKNOWN else (card,))
    if cause in hand.book.voiding:
        yield VOID


_NOWHERE: Final = Place("")


def _marked_in_play(hand: Hand, notes: Notes, card: Card) -> Consequences:
    cards = () if card == UNKNOWN else (card,)
    if not substantial_action.too_late(hand):
        return misdeals.misdeal(hand, notes, "marked-card", cards=cards)
    hand.find(
        notes,
        "misdeal-too-late",
        "played-out",
        cause="marked-card",
        cards=cards,
        case="marked-board" if any(card in board for board in hand.felt.boards) else "",
    )
    return NONE


def _came_off(hand: Hand) -> list[Card]:
    """The cards in the order in which they came off the deck: laps of the deal, then of each street its burn
    and its cards.
    """
    rows = [hand.felt.cards[seat] for seat in hand.order]
    cards = [row[lap] for lap in range(max(map(len, rows), default=0)) for row in rows if lap < len(row)]
    burns = [card for card, place in hand.felt.places.items() if place == BURN]
    for at, street in enumerate((slice(3), slice(3, 4), slice(4, None))):
        cards += [*burns[at : at + 1], *(card for board in hand.felt.boards for card in board[street])]
    return cards


def _named(hand: Hand, cards: Iterable[Card]) -> list[str]:
    return [face(card) for card in map(hand.veil.truth, cards) if is_known(card)]
