"""Causes for a misdeal, in time or too late, and hands with a wrong number of cards.

Theory. A rulebook lists the causes for which the cards are dealt again, and until when. What is on no list,
or may be mended, is the floor's to rule. After that time the hand goes on, and who has a wrong number of
cards has no hand (38).
"""

from tablebridge.engine.betting import actions
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import Card

_TOLD = {
    "first-card-wrong-seat": "the first card went to a wrong seat",
    "unentitled-seat": "a seat not entitled to a hand has cards",
    "seat-skipped": "an entitled seat got no hand",
    "wrong-card-count": "a hand has a wrong number of cards",
    "nonstandard-card": "a card came that the game does not use",
    "boxed-cards": "two cards of the deal were boxed",
    "exposed-first-two": "one of the first two cards was exposed",
    "exposed-downcards": "two downcards were exposed",
    "exposed-in-cut": "a card showed while the deck was cut",
    "out-of-order": "a card went to another seat than the next",
    "marked-card": "a card is marked",
    "not-shuffled": "the deck was not shuffled",
    "not-cut": "the deck was not cut",
}


def misdeal(
    hand: Hand,
    notes: Notes,
    cause: str,
    seat: int | None = None,
    cards: tuple[Card, ...] = (),
    *,
    case: str = "",
) -> None:
    """A misdeal if it is in time, else told as too late. What may be mended, or is on no list, is the floor's
    to rule.
    """
    told, book = _TOLD[cause], hand.book
    if hand.too_late:
        hand.find(
            notes,
            "misdeal-too-late",
            f"Cause for a misdeal, but it is too late for one: {told}.",
            cause=cause,
            seat=seat,
            cards=cards,
        )
    elif cause in book.mendable:
        hand.deal.fixable = cause
        hand.find(
            notes,
            "deal-order",
            f"The deal went wrong and is to be mended: {told}.",
            seat=seat,
            cards=cards,
            case=cause,
        )
    elif cause in book.misdeals:
        hand.find(
            notes,
            "misdeal",
            f"Misdeal: {told}. All bets go back and the hand is dealt again.",
            cause=cause,
            seat=seat,
            cards=cards,
            case=case,
        )
        hand.void(notes)
    else:
        hand.find(
            notes,
            "misdeal",
            f"The rulebook does not say whether this is a misdeal: {told}.",
            cause=cause,
            seat=seat,
            cards=cards,
            remedy=("call-floor",),
        )


def not_prepared(hand: Hand, notes: Notes, cause: str) -> None:
    """It is noticed that the deck was not shuffled, or not cut."""
    if cause in hand.book.misdeals:
        misdeal(hand, notes, cause)
        return
    told = "shuffled" if cause == "not-shuffled" else "cut"
    hand.find(notes, cause, f"The deck was not {told} before the deal.")


def short_button(hand: Hand, notes: Notes) -> None:
    """After an action: the button has acted; with too few cards it is dead (37). What only an antenna missed
    kills nobody.
    """
    seat = hand.positions.button
    if seat not in hand.live:
        return
    if 0 < len(hand.felt.cards[seat]) < hand.form.cards_after(hand.form.first.name) and hand.deal.by != {
        "rfid"
    }:
        wrong_count(hand, notes, seat)


def wrong_count(hand: Hand, notes: Notes, seat: int) -> None:
    """A hand has not the cards it should (35-A(5), 37, 38)."""
    short = len(hand.felt.cards[seat]) < hand.form.cards_after(hand.street)
    if short and seat == hand.positions.button and hand.book.rule("short-hand"):
        if seat in hand.round.ever_acted:
            hand.find(
                notes,
                "dead-hand",
                f"Seat {seat} acted on the button with too few cards: its hand is dead.",
                cause="acted-short",
                seat=seat,
                remedy=("kill-hand",),
            )
            actions.kill(hand, notes, seat)
        else:
            hand.find(
                notes,
                "short-hand",
                f"Seat {seat} on the button has too few cards; the missing card may be dealt.",
                seat=seat,
            )
        return
    if hand.too_late and hand.book.late_count == "by-action":
        _late_count(hand, notes, seat)
        return
    misdeal(hand, notes, "wrong-card-count", seat)
    if not hand.over and hand.too_late and seat in hand.live:
        hand.find(
            notes,
            "dead-hand",
            f"Seat {seat}'s hand is dead: it has a wrong number of cards.",
            cause="wrong-card-count",
            seat=seat,
        )
        actions.kill(hand, notes, seat)


def _late_count(hand: Hand, notes: Notes, seat: int) -> None:
    """A wrong count found too late, where the book asks who has acted: bets stay, go back, or all bets go
    back.
    """
    if seat not in hand.live:
        return
    if len(hand.live) == 1:
        hand.find(
            notes,
            "dead-hand",
            f"Seat {seat} is alone and has a wrong number of cards: all bets go back.",
            cause="wrong-card-count",
            seat=seat,
            case="count-last",
        )
        hand.void(notes)
    elif seat in hand.round.ever_acted:
        hand.find(
            notes,
            "dead-hand",
            f"Seat {seat} has a wrong number of cards and has acted: dead, its bets stay.",
            cause="wrong-card-count",
            seat=seat,
        )
        actions.kill(hand, notes, seat)
    else:
        hand.find(
            notes,
            "dead-hand",
            f"Seat {seat} has a wrong number of cards and has not acted: its bets go back.",
            cause="wrong-card-count",
            seat=seat,
            case="count-not-acted",
        )
        if hand.chips.put_in(seat):
            notes.give_back(seat, hand.chips.put_in(seat))
        hand.chips.stack[seat] += hand.chips.put_in(seat)
        hand.chips.paid[seat] = hand.chips.bet[seat] = 0
        hand.chips.dead_chips.pop(seat, None)
        actions.kill(hand, notes, seat)
