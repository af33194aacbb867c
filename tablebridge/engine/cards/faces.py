"""A face becomes known at a place: the only entrance of faces into a hand.

| the face | then |
| --- | --- |
| is new, or lies where it lay | it is recorded there |
| lay elsewhere | `card-out-of-place`, unless the rulebook moves it there |
| is known of another card | `fouled-deck`; by book the hand is void (35-E) |
| is none that the game uses | by book the deck is fouled, or it is a misdeal, or a scrap of paper (35-D) |
"""

from collections.abc import Iterable

from tablebridge.engine import substantial_action
from tablebridge.engine.cards import misdeals
from tablebridge.engine.consequences import NONE, VOID, Consequences
from tablebridge.engine.hand import BESIDE, Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import JOKER, UNKNOWN, Card, face
from tablebridge.model.places import BOARD, BURN, FLOOR, STUB, Place, seat_of


def record(hand: Hand, notes: Notes, card: Card, place: Place) -> Consequences:
    """The card is at this place. An unknown card is nowhere in particular."""
    if card == UNKNOWN:
        return NONE
    printed = card
    if card not in hand.deck or card == JOKER:
        printed = face(card)
        if printed not in hand.veil.truths and not hand.veil.veils(printed):
            return _nonstandard(hand, notes, card, place)
    felt = hand.felt
    if felt.put_new(printed, card, place):
        return NONE
    places = felt.places
    if places.get(card) == place and printed in felt.faces:
        return NONE
    first = felt.first_of(printed, card)
    if first != card and card not in places:
        hand.felt.put(card, place)
        return _twice(hand, notes, first, card)
    before = places.get(card)
    if before is not None and before != place and not _may_move(hand, card, before, place):
        hand.find(notes, "card-out-of-place", "moved", args={"before": before, "place": place}, cards=(card,))
        _leave_seat(hand, card, before, place)
    hand.felt.put(card, place)
    return NONE


def record_open(hand: Hand, notes: Notes, cards: Iterable[Card], place: Place) -> Consequences:
    """The known ones of these cards lie open at this place."""
    known = [card for card in cards if card != UNKNOWN]
    hand.felt.turn_over(*known)
    for card in known:
        yield from record(hand, notes, card, place)


def twice_after_the_end(hand: Hand, notes: Notes, card: Card) -> bool:
    """A card is seen after the pots were paid: whether it is there twice, and all bets still go back for it
    (35-E, 22).
    """
    first = hand.felt.faces.get(face(card), card)
    if (
        hand.street != "over"
        or first == card
        or card in hand.felt.places
        or hand.book.fouled_until != "next-hand"
    ):
        return False
    hand.felt.put(card, STUB)
    hand.find(notes, "fouled-deck", "twice-void", cause="duplicate-card", cards=(first, card))
    hand.void(notes)
    return hand.street == "void"


def _twice(hand: Hand, notes: Notes, first: Card, card: Card) -> Consequences:
    voids = "duplicate-card" in hand.book.voiding
    hand.find(
        notes,
        "fouled-deck",
        "twice-void" if voids else "twice",
        cause="duplicate-card",
        cards=(first, card),
    )
    return (VOID,) if voids else NONE


def _leave_seat(hand: Hand, card: Card, before: Place, place: Place) -> None:
    """A card that went from one seat to another is no longer among the cards of the first."""
    left, cards = seat_of(before), hand.felt.cards
    if left in cards and card in cards[left] and seat_of(place) in cards:
        hand.felt.take(left, card)


def _nonstandard(hand: Hand, notes: Notes, card: Card, place: Place) -> Consequences:
    """A card that the game does not use."""
    if hand.felt.places.get(card) == place:
        return NONE
    hand.felt.put(card, place)
    if "nonstandard-card" in hand.book.voiding:
        hand.find(
            notes,
            "fouled-deck",
            cause="nonstandard-card",
            cards=(card,),
        )
        return (VOID,)
    if "nonstandard-card" in hand.book.misdeals and not substantial_action.too_late(hand):
        return misdeals.misdeal(hand, notes, "nonstandard-card", seat_of(place), (card,))
    hand.felt.remove_from_boards(card)
    scrap = hand.book.rule("nonstandard-card")
    hand.find(notes, "nonstandard-card", "scrap" if scrap else "floor", cards=(card,))
    return NONE


def _may_move(hand: Hand, card: Card, before: Place, place: Place) -> bool:
    """Whether the rulebook has the card go from the one place to the other."""
    if place == BURN:
        off_table = "replace-with-burn" in hand.book.remedy("card-out-of-place", "floor")
        return before == BESIDE or (before == FLOOR and off_table)
    return place == BOARD and before == BURN and card == hand.burns.second
