"""Causes for a misdeal, in time or too late, and hands with a wrong number of cards.

Theory. A rulebook lists the causes for which the cards are dealt again, and until when. What is on no list,
or may be corrected, is the floor's to rule. After that time the hand goes on, and who has a wrong number of
cards has no hand (38).
"""

from typing import Final

from tablebridge.engine import substantial_action
from tablebridge.engine.consequences import NONE, VOID, Consequences, Kill
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import Card
from tablebridge.model.events import Uncut, Unshuffled

_NEW: Final = "new-player"
"""The case of a player who waits for another hand and is dealt in."""


def misdeal(
    hand: Hand,
    notes: Notes,
    cause: str,
    seat: int | None = None,
    cards: tuple[Card, ...] = (),
    *,
    case: str = "",
) -> Consequences:
    """A misdeal if it is in time, else reported as too late. What may be put right, or is on no list, is the
    floor's to rule.
    """
    what = {"what": cause}
    if seat in hand.entries.waiting and ("misdeal", _NEW) in hand.book.rules:
        case = _NEW
    if substantial_action.too_late(hand):
        late = case if case == _NEW else ""
        hand.find(notes, "misdeal-too-late", args=what, cause=cause, seat=seat, cards=cards, case=late)
    elif cause in hand.book.mendable and case != _NEW:
        hand.deal.wrong(cause)
        hand.find(notes, "deal-order", args=what, seat=seat, cards=cards, case=cause)
    elif cause in hand.book.misdeals:
        hand.find(notes, "misdeal", args=what, cause=cause, seat=seat, cards=cards, case=case)
        return (VOID,)
    else:
        hand.find(
            notes,
            "misdeal",
            "open",
            args=what,
            cause=cause,
            seat=seat,
            cards=cards,
            remedy=("call-floor",),
        )
    return NONE


def not_shuffled(hand: Hand, notes: Notes, _: Unshuffled) -> Consequences:
    """It is noticed that the deck was not shuffled."""
    return not_prepared(hand, notes, "not-shuffled")


def not_cut(hand: Hand, notes: Notes, _: Uncut) -> Consequences:
    """It is noticed that the deck was not cut."""
    return not_prepared(hand, notes, "not-cut")


def not_prepared(hand: Hand, notes: Notes, cause: str) -> Consequences:
    """It is noticed that the deck was not shuffled, or not cut."""
    if cause in hand.book.misdeals:
        return misdeal(hand, notes, cause)
    hand.find(notes, cause)
    return NONE


def short_button(hand: Hand, notes: Notes) -> Consequences:
    """After an action: the button has acted with too few cards, and is dead (37). What only an antenna missed
    kills nobody.
    """
    seat = hand.positions.button
    if seat not in hand.live or not hand.felt.cards[seat]:
        return NONE
    if hand.deal.by == {"rfid"}:
        return NONE
    return wrong_count(hand, notes, seat)


def wrong_count(hand: Hand, notes: Notes, seat: int) -> Consequences:
    """A hand has not the cards it should (35-A(5), 37, 38)."""
    short = len(hand.felt.cards[seat]) < hand.form.cards_after(hand.street)
    if short and seat == hand.positions.button and hand.book.rule("short-hand"):
        return _short_on_the_button(hand, notes, seat)
    if substantial_action.too_late(hand) and hand.book.late_count == "by-action":
        return _late_count(hand, notes, seat)
    return _wrong_count(hand, notes, seat)


def _wrong_count(hand: Hand, notes: Notes, seat: int) -> Consequences:
    yield from misdeal(hand, notes, "wrong-card-count", seat)
    if substantial_action.too_late(hand) and seat in hand.live:
        hand.find(notes, "dead-hand", cause="wrong-card-count", seat=seat)
        yield Kill(seat)


def _short_on_the_button(hand: Hand, notes: Notes, seat: int) -> Consequences:
    if seat not in hand.round.ever_acted:
        hand.find(notes, "short-hand", seat=seat)
        return NONE
    hand.find(
        notes,
        "dead-hand",
        cause="acted-short",
        seat=seat,
        remedy=("kill-hand",),
    )
    return (Kill(seat),)


def _late_count(hand: Hand, notes: Notes, seat: int) -> Consequences:
    """A wrong count found too late, if the book asks who has acted: bets stay, go back, or all bets go
    back.
    """
    if seat not in hand.live:
        return NONE
    acted, alone = seat in hand.round.ever_acted, len(hand.live) == 1
    case = "count-last" if alone else "" if acted else "count-not-acted"
    hand.find(notes, "dead-hand", case or "count-acted", cause="wrong-card-count", seat=seat, case=case)
    if alone:
        return (VOID,)
    if not acted:
        refunded = hand.chips.refund(seat)
        if refunded:
            notes.give_back(seat, refunded)
    return (Kill(seat),)
