"""Cards that the dealer exposed: in a deal of down cards, in stud, on stud's last street.

| game | first | further |
| --- | --- | --- |
| with a board | `exposed-card`; by book a misdeal if it is one of the first two off the deck | a misdeal |
| stud, initial deal | by book the upcard (RP-10-A), or it stays | by book a misdeal: two or three open cards of one player |
| stud, last street | see `streets.replaced` | |
| draw, against the house | `exposed-card`: the house's to rule | the same |
"""

from tablebridge.engine import misdeals, streets
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import UNKNOWN, Card


def exposed(hand: Hand, notes: Notes, seat: int, card: Card, *, counts: bool) -> None:
    """The dealer exposed a downcard (35-A(7)). `counts`: it came off the deck just now."""
    if card != UNKNOWN:
        hand.open_cards.add(card)
    hand.exposed += 1
    cards = () if card == UNKNOWN else (card,)
    board, stud = hand.form.board > 0, hand.form.first.up > 0
    if stud and hand.deal_over:
        streets.replaced(hand, notes, seat, card)
    elif stud:
        _in_stud(hand, notes, seat, card)
    elif board and not hand.deal_over and counts and hand.off_deck <= 2 and "exposed-first-two" in hand.book.misdeals:
        misdeals.misdeal(hand, notes, "exposed-first-two", seat, cards)
    elif board and not hand.deal_over and hand.exposed >= 2:
        misdeals.misdeal(hand, notes, "exposed-downcards", seat, cards)
    else:
        hand.find(notes, "exposed-card", f"A downcard of seat {seat} was exposed by the dealer.", cause="dealer", seat=seat,
                  cards=cards, clause="" if board else "house")


def three_open(hand: Hand, notes: Notes, seat: int) -> bool:
    """In the initial deal of stud: whether the seat has three open cards, its upcard counted, and that is a misdeal."""
    if hand.book.stud_exposed != "three" or hand.exposed_at.get(seat, 0) + len(hand.up[seat]) < 3:
        return False
    misdeals.misdeal(hand, notes, "exposed-downcards", seat, clause="stud")
    return True


def _in_stud(hand: Hand, notes: Notes, seat: int, card: Card) -> None:
    way, count = hand.book.stud_exposed, hand.exposed_at.get(seat, 0) + 1
    cards = () if card == UNKNOWN else (card,)
    hand.exposed_at[seat] = count
    if way == "two" and count >= 2:
        misdeals.misdeal(hand, notes, "exposed-downcards", seat, cards, clause="stud")
        return
    if three_open(hand, notes, seat):
        return
    becomes = way == "upcard" and len(hand.up[seat]) < hand.form.first.up
    hand.find(notes, "exposed-card", f"A downcard of seat {seat} was exposed by the dealer.", cause="dealer", seat=seat,
              cards=cards, clause="stud" if becomes or way != "upcard" else "stud-second")
    if becomes:
        hand.up[seat].append(card)
