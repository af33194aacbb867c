"""Cards that the dealer exposed: in a deal of down cards, in stud, on stud's last street.

| game | first | further |
| --- | --- | --- |
| with a board | `exposed-card`; by book a misdeal if it is one of the first two off the deck | a misdeal |
| stud, initial deal | by book the upcard (RP-10-A), or it stays | by book a misdeal: two or three open |
| stud, last street | see `streets.replaced` | |
| draw, against the house | `exposed-card`: the house's to rule | the same |

If the remedy is `replace-with-burn`, the card that would have been burned goes to the seat once the deal is
over, and the exposed card becomes the burn: a card to that seat, the exposed card at the burns, or a burn
without a face, whichever is reported first, is that exchange. Another card burned, or a street without it,
and the seat keeps what it has.
"""

from msgspec.structs import replace

from tablebridge.engine.cards import misdeals, seat_streets
from tablebridge.engine.consequences import NONE, Consequences
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Basis
from tablebridge.model.places import BURN
from tablebridge.rulebooks import Rulebook


def exposed(hand: Hand, notes: Notes, seat: int, card: Card, *, counts: bool) -> Consequences:
    """The dealer exposed a downcard (35-A(7)). `counts`: it came off the deck just now."""
    if card != UNKNOWN:
        hand.felt.turn_over(card)
    return _rule(hand, notes, seat, card, counts=counts, in_deal=not hand.deal.over)


def last_dealt(book: Rulebook, hand: Hand | None, notes: Notes) -> Consequences:
    """The dealer exposed the card that came to a seat last. Its face stays as hidden as it was: nobody named
    it.
    """
    last = None if hand is None or hand.over else hand.deal.last
    if (
        hand is None
        or last is None
        or last.moment != hand.moment
        or len(hand.felt.cards[last.seat]) <= last.at
        or last.open == "up"
    ):
        notes.find(
            book,
            "exposed-card",
            "which",
            cause="dealer",
            case="which",
        )
    elif not last.open:
        hand.deal.came(replace(last, open="exposed"))
        hand.felt.expose_unnamed(last.seat, last.at)
        in_deal = hand.street == hand.form.first.name
        card = hand.felt.cards[last.seat][last.at]
        return _rule(hand, notes, last.seat, card, counts=True, in_deal=in_deal)
    return NONE


def named(hand: Hand, seat: int, card: Card) -> bool:
    """Whether this card of the seat was reported as exposed before, without its face."""
    if not hand.felt.name_exposed(seat, card):
        return False
    hand.felt.turn_over(card)
    return True


def _rule(hand: Hand, notes: Notes, seat: int, card: Card, *, counts: bool, in_deal: bool) -> Consequences:
    exposed = hand.deal.count_exposed()
    cards = () if card == UNKNOWN else (card,)
    if hand.form.first.up > 0:
        if in_deal:
            return _in_stud(hand, notes, seat, card)
        seat_streets.replaced(hand, notes, seat, card)
        return NONE
    if hand.form.board > 0 and in_deal:
        if counts and hand.felt.off_deck <= 2 and "exposed-first-two" in hand.book.misdeals:
            return misdeals.misdeal(hand, notes, "exposed-first-two", seat, cards)
        if exposed >= 2:
            return misdeals.misdeal(hand, notes, "exposed-downcards", seat, cards)
    _found(hand, notes, seat, card, "" if hand.form.board > 0 else "house")
    return NONE


def three_open(hand: Hand, notes: Notes, seat: int) -> Consequences:
    """In the initial deal of stud: by book three open cards of a seat, its upcard counted, are a misdeal."""
    return (
        misdeals.misdeal(hand, notes, "exposed-downcards", seat, case="stud") if _three(hand, seat) else NONE
    )


def _three(hand: Hand, seat: int) -> bool:
    exposed_at = hand.felt.exposed_at.get(seat, 0)
    return hand.book.stud_exposed == "three" and exposed_at + len(hand.felt.up[seat]) >= 3


def _in_stud(hand: Hand, notes: Notes, seat: int, card: Card) -> Consequences:
    way, count = hand.book.stud_exposed, hand.felt.count_exposed(seat)
    cards = () if card == UNKNOWN else (card,)
    if way == "two" and count >= 2:
        return misdeals.misdeal(hand, notes, "exposed-downcards", seat, cards, case="stud")
    if _three(hand, seat):
        return three_open(hand, notes, seat)
    becomes = way == "upcard" and len(hand.felt.up[seat]) < hand.form.first.up
    _found(hand, notes, seat, card, "stud" if becomes or way != "upcard" else "stud-second")
    if becomes:
        hand.felt.give_up(seat, card)
    return NONE


def to_exchange(hand: Hand) -> tuple[int, Card] | None:
    """A live seat whose exposed card is to be exchanged now for the first burn, and that card."""
    if hand.deal.exchange is None or not hand.deal.over:
        return None
    seat, card = hand.deal.exchange
    return hand.deal.exchange if seat in hand.live and card in hand.felt.cards[seat] else None


def exchange_due(hand: Hand, seat: int, basis: Basis) -> bool:
    """Whether the next card to this seat is the one for which its exposed card is exchanged, and not a face
    that is reported late.
    """
    due = to_exchange(hand)
    return due is not None and due[0] == seat and hand.felt.unnamed_by.get(seat, basis) == basis


def exchanged(hand: Hand, basis: Basis, card: Card) -> None:
    """The seat has `card` for its exposed card, which is the first burn."""
    due = to_exchange(hand)
    assert due is not None
    hand.deal.no_exchange()
    seat, gone = due
    hand.felt.replace(seat, gone, card, basis)
    hand.felt.draw_off()
    hand.felt.put(gone, BURN)
    hand.burns.add(gone, basis)


def _found(hand: Hand, notes: Notes, seat: int, card: Card, case: str) -> None:
    steps = hand.book.remedy("exposed-card", case or "dealer")
    hand.find(
        notes,
        "exposed-card",
        "alone" if steps == ("play-on",) else "downcard",
        cause="dealer",
        seat=seat,
        cards=() if card == UNKNOWN else (card,),
        case=case,
    )
    exchange = "replace-with-burn" in steps
    if exchange and card in hand.felt.cards[seat] and card != UNKNOWN and not hand.burns.count:
        hand.deal.to_exchange(seat, card)
