"""Cards to seats: the initial deal, what is wrong with it, and hands that die with its last card.

Theory. The deal is over with the last card that the last seat in order is due, or with the first burn or action. Only then
are a skipped seat and a wrong count found, so that a dealer who mends the deal in time has made no misdeal. Boxed, exposed,
foreign cards and cards to a wrong seat are found as they come.

| found | before substantial action | after it |
| --- | --- | --- |
| first card or a card to a wrong seat, a seat skipped | misdeal: void | misdeal-too-late |
| two boxed cards, cards exposed by the dealer | misdeal: void | misdeal-too-late |
| nonstandard card | misdeal: void | a scrap of paper (35-D) |
| wrong count | misdeal: void | misdeal-too-late, the hand is dead (38) |
| too few cards on the button | short-hand: may be completed (37) | the same; dead once it has acted |
| two cards of one face | fouled deck: void | the same (35-E) |
"""

from tablebridge.engine import betting
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import UNKNOWN, Card, face, is_known
from tablebridge.model.places import BURN, FLOOR, MUCK, Place, seat_of, seat_place

# Where a card lies that was turned up together with a street.
BESIDE = "beside the board"
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


def due(hand: Hand) -> tuple[int, ...]:
    """Seats of the cards still due in the initial deal, in order, a seat once for each card."""
    if hand.deal_over:
        return ()
    return tuple(seat for lap in range(hand.form.hole) for seat in hand.order if len(hand.cards[seat]) <= lap)


def misdeal(hand: Hand, notes: Notes, cause: str, seat: int | None = None, cards: tuple[Card, ...] = ()) -> None:
    """A misdeal if it is in time, else told as too late. What may be mended, or is on no list, is the floor's to rule."""
    told, book = _TOLD[cause], hand.book
    if hand.too_late:
        hand.find(notes, "misdeal-too-late", f"Cause for a misdeal, but it is too late for one: {told}.",
                  cause=cause, seat=seat, cards=cards)
    elif cause in book.mendable:
        hand.mend = cause
        hand.find(notes, "deal-order", f"The deal went wrong and is to be mended: {told}.", seat=seat, cards=cards,
                  clause=cause)
    elif cause in book.misdeals:
        hand.find(notes, "misdeal", f"Misdeal: {told}. All bets go back and the hand is dealt again.",
                  cause=cause, seat=seat, cards=cards)
        hand.void(notes)
    else:
        hand.find(notes, "misdeal", f"The rulebook does not say whether this is a misdeal: {told}.", cause=cause, seat=seat,
                  cards=cards, remedy=("call-floor",))


def not_prepared(hand: Hand, notes: Notes, cause: str) -> None:
    """It is noticed that the deck was not shuffled, or not cut."""
    if cause in hand.book.misdeals:
        misdeal(hand, notes, cause)
        return
    told = "shuffled" if cause == "not-shuffled" else "cut"
    hand.find(notes, cause, f"The deck was not {told} before the deal.")


def shows(hand: Hand, notes: Notes, card: Card, place: str) -> bool:
    """A face became known at a place. Whether the hand can go on: a fouled deck or a nonstandard card may void it."""
    if card == UNKNOWN:
        return True
    if not is_known(card) or face(card) not in hand.deck:
        if hand.places.get(card) == place:
            return True
        hand.places[card] = place
        if "nonstandard-card" in hand.book.voiding:
            hand.find(notes, "fouled-deck", "The deck holds a card that the game does not use.", cause="nonstandard-card",
                      cards=(card,))
            hand.void(notes)
        elif "nonstandard-card" in hand.book.misdeals and not hand.too_late:
            misdeal(hand, notes, "nonstandard-card", cards=(card,))
        else:
            if card in hand.board:
                hand.board.remove(card)
            hand.find(notes, "nonstandard-card", "A card came that the game does not use; it counts as a scrap of paper.",
                      cards=(card,))
        return not hand.over
    first = hand.faces.setdefault(face(card), card)
    if first != card and card not in hand.places:
        hand.places[card] = place
        hand.find(notes, "fouled-deck", "Two cards of the same rank and suit: the deck is fouled and all bets go back.",
                  cause="duplicate-card", cards=(first, card))
        if "duplicate-card" in hand.book.voiding:
            hand.void(notes)
        return not hand.over
    before = hand.places.get(card)
    if before is not None and before != place and (before, place) != (BESIDE, BURN):
        hand.find(notes, "card-out-of-place", f"A card that lay at {before} is now at {place}.", cards=(card,))
        left = seat_of(Place(before))
        if left in hand.cards and card in hand.cards[left] and seat_of(Place(place)) in hand.cards:
            hand.cards[left].remove(card)
    hand.places[card] = place
    return True


def deal(hand: Hand, notes: Notes, seat: int, card: Card, *, exposed: bool, boxed: bool, up: bool) -> None:
    """The next card off the deck goes to a seat; or the face of a card that lies there becomes known late."""
    basis = notes.basis
    place = seat_place(seat)
    held = hand.cards.get(seat)
    if held is not None:
        if card != UNKNOWN and card in held:
            if exposed and card not in hand.open_cards:
                _exposed(hand, notes, seat, card, counts=False)
            return
        if card != UNKNOWN and UNKNOWN in held and (hand.deal_over or hand.unnamed_by.get(seat) != basis):
            if shows(hand, notes, card, place):
                held[held.index(UNKNOWN)] = card
            return
    if hand.street not in ("preflop", "flop", "turn", "river"):
        return
    if not hand.off_deck and hand.shuffles_told and not _prepared(hand, notes):
        return
    hand.off_deck += 1
    hand.dealt_by.add(basis)
    first = hand.off_deck == 1
    if up or exposed or boxed:
        hand.open_cards.add(card)
    if boxed and hand.book.boxed_replaced:
        if card == UNKNOWN or shows(hand, notes, card, MUCK):
            found_boxed(hand, notes, card, seat)
        return
    wrong_first = first and "first-card-wrong-seat" in hand.book.misdeals
    if held is None:
        if wrong_first:
            misdeal(hand, notes, "first-card-wrong-seat", seat)
        elif shows(hand, notes, card, place):
            misdeal(hand, notes, "unentitled-seat", seat)
        return
    if wrong_first and seat != hand.order[0]:
        misdeal(hand, notes, "first-card-wrong-seat", seat)
        if hand.over:
            return
    if hand.deal_over and len(held) >= hand.form.hole:
        held.append(card)
        if shows(hand, notes, card, place):
            _wrong_count(hand, notes, seat)
        return
    if "out-of-order" in hand.book.misdeals and not hand.deal_over and seat != next(iter(due(hand)), seat):
        misdeal(hand, notes, "out-of-order", seat)
    held.append(card)
    if card == UNKNOWN:
        hand.unnamed_by[seat] = basis
    if not shows(hand, notes, card, place):
        return
    if boxed:
        found_boxed(hand, notes, card, seat)
    elif exposed:
        _exposed(hand, notes, seat, card, counts=True)
    if not hand.over and not hand.deal_over and seat == hand.order[-1] and len(held) >= hand.form.hole:
        finish_deal(hand, notes)


def dealt(hand: Hand, notes: Notes) -> None:
    """All cards now due face down went where they should, faces unknown."""
    if hand.deal_over or (not hand.off_deck and hand.shuffles_told and not _prepared(hand, notes)):
        return
    hand.dealt_by.add(notes.basis)
    for seat in due(hand):
        hand.cards[seat].append(UNKNOWN)
        hand.unnamed_by[seat] = notes.basis
        hand.off_deck += 1
    finish_deal(hand, notes)


def finish_deal(hand: Hand, notes: Notes) -> None:
    """The initial deal is over: skipped seats and wrong counts are found, absent and penalty seats killed."""
    if hand.deal_over:
        return
    hand.deal_over = True
    if hand.off_deck:
        _check_counts(hand, notes)
    if hand.over:
        return
    for seat in hand.order:
        away = seat in hand.absent or seat in hand.absent_before
        cause = "absent" if away else "penalty" if seat in hand.penalty else None
        if cause and seat in hand.live:
            why = "nobody was at the seat when the last card was dealt" if cause == "absent" else "its player serves a penalty"
            hand.find(notes, "dead-hand", f"Seat {seat}'s hand is dead: {why}. Its blinds and antes stay in the pot.",
                      cause=cause, seat=seat)
            betting.kill(hand, notes, seat)


def holds(hand: Hand, notes: Notes, seat: int, count: int) -> None:
    """A seat is found to hold `count` cards."""
    held = hand.cards.get(seat)
    if held is None:
        if count > 0:
            misdeal(hand, notes, "unentitled-seat", seat)
        return
    if seat not in hand.live:
        return
    while len(held) > max(count, 0):
        # Which of the named cards is not there, nobody said: an unknown one goes first.
        held.remove(UNKNOWN if UNKNOWN in held else held[-1])
    held.extend([UNKNOWN] * (min(count, 52) - len(held)))
    hand.dealt_by.add(notes.basis)
    finish_deal(hand, notes)
    if not hand.over and seat in hand.live and len(held) != hand.form.hole:
        _wrong_count(hand, notes, seat)


def short_button(hand: Hand, notes: Notes) -> None:
    """After an action: a button that acted with too few cards is dead (37). What only an antenna missed kills nobody."""
    seat = hand.positions.button
    if seat not in hand.ever_acted or seat not in hand.live or hand.dealt_by == {"rfid"}:
        return
    if 0 < len(hand.cards[seat]) < hand.form.hole:
        _wrong_count(hand, notes, seat)


def found_boxed(hand: Hand, notes: Notes, card: Card, seat: int | None = None) -> None:
    """A card is found face up in the deck; two of them on the initial deal are a misdeal (35-A(1))."""
    hand.open_cards.add(card)
    hand.boxed_seen += 1
    if not hand.deal_over:
        hand.boxed += 1
    if hand.boxed_seen == hand.book.boxed_fouls:
        hand.find(notes, "fouled-deck", f"{hand.boxed_seen} boxed cards: the deck is fouled and all bets go back.",
                  cause="boxed-cards", cards=(card,))
        hand.void(notes)
    elif hand.boxed >= 2 and not hand.deal_over and "boxed-cards" in hand.book.misdeals:
        misdeal(hand, notes, "boxed-cards", seat, (card,))
    else:
        hand.find(notes, "boxed-card", "A card came face up out of the deck.", seat=seat, cards=(card,))


def seen(hand: Hand, notes: Notes, card: Card, place: str, seat: int | None) -> None:
    """A card is noticed where no event put it. At a seat not entitled to a hand it was dealt there."""
    if card != UNKNOWN and (hand.places.get(card) == place or card in hand.cards.get(seat or 0, ())):
        return
    if place == "board":
        hand.open_cards.add(card)
    if seat is not None and seat not in hand.cards:
        if shows(hand, notes, card, place):
            misdeal(hand, notes, "unentitled-seat", seat, () if card == UNKNOWN else (card,))
        return
    raised = len(notes.findings)
    if shows(hand, notes, card, place) and len(notes.findings) == raised:
        hand.find(notes, "card-out-of-place", f"A card is at {place} where no event put it.", seat=seat,
                  cards=() if card == UNKNOWN else (card,), clause="floor" if place == FLOOR else "")


def _prepared(hand: Hand, notes: Notes) -> bool:
    """The first card leaves the deck: was it shuffled and cut? Whether the hand goes on."""
    for cause, done in (("not-shuffled", hand.shuffled), ("not-cut", hand.cut)):
        if not done and not hand.over:
            not_prepared(hand, notes, cause)
    return not hand.over


def _exposed(hand: Hand, notes: Notes, seat: int, card: Card, *, counts: bool) -> None:
    """The dealer exposed a downcard (35-A(7)). `counts`: it came off the deck just now."""
    if card != UNKNOWN:
        hand.open_cards.add(card)
    hand.exposed += 1
    cards = () if card == UNKNOWN else (card,)
    if not hand.deal_over and counts and hand.off_deck <= 2 and "exposed-first-two" in hand.book.misdeals:
        misdeal(hand, notes, "exposed-first-two", seat, cards)
    elif not hand.deal_over and hand.exposed >= 2:
        misdeal(hand, notes, "exposed-downcards", seat, cards)
    else:
        hand.find(notes, "exposed-card", f"A downcard of seat {seat} was exposed by the dealer.", cause="dealer", seat=seat,
                  cards=cards)


def _check_counts(hand: Hand, notes: Notes) -> None:
    hole = hand.form.hole
    for seat in hand.order:
        count = len(hand.cards[seat])
        if count == hole or (count < hole and seat in hand.unwatched):
            continue
        if count == 0:
            misdeal(hand, notes, "seat-skipped", seat)
            if not hand.over:
                betting.kill(hand, notes, seat)
        else:
            _wrong_count(hand, notes, seat)
        if hand.over:
            return


def _wrong_count(hand: Hand, notes: Notes, seat: int) -> None:
    """A hand has not the cards it should (35-A(5), 37, 38)."""
    if len(hand.cards[seat]) < hand.form.hole and seat == hand.positions.button and hand.book.rule("short-hand"):
        if seat in hand.ever_acted:
            hand.find(notes, "dead-hand", f"Seat {seat} acted on the button with too few cards: its hand is dead.",
                      cause="acted-short", seat=seat, remedy=("kill-hand",))
            betting.kill(hand, notes, seat)
        else:
            hand.find(notes, "short-hand", f"Seat {seat} on the button has too few cards; the missing card may be dealt.",
                      seat=seat)
        return
    if hand.too_late and hand.book.late_count == "by-action":
        _late_count(hand, notes, seat)
        return
    misdeal(hand, notes, "wrong-card-count", seat)
    if hand.too_late and seat in hand.live:
        hand.find(notes, "dead-hand", f"Seat {seat}'s hand is dead: it has a wrong number of cards.",
                  cause="wrong-card-count", seat=seat)
        betting.kill(hand, notes, seat)


def _late_count(hand: Hand, notes: Notes, seat: int) -> None:
    """A wrong count found too late, where the book asks who has acted: bets stay, go back, or all bets go back."""
    if seat not in hand.live:
        return
    if len(hand.live) == 1:
        hand.find(notes, "dead-hand", f"Seat {seat} is alone and has a wrong number of cards: all bets go back.",
                  cause="wrong-card-count", seat=seat, clause="count-last")
        hand.void(notes)
    elif seat in hand.ever_acted:
        hand.find(notes, "dead-hand", f"Seat {seat} has a wrong number of cards and has acted: dead, its bets stay.",
                  cause="wrong-card-count", seat=seat)
        betting.kill(hand, notes, seat)
    else:
        hand.find(notes, "dead-hand", f"Seat {seat} has a wrong number of cards and has not acted: its bets go back.",
                  cause="wrong-card-count", seat=seat, clause="count-not-acted")
        if hand.paid[seat]:
            notes.give_back(seat, hand.paid[seat])
        hand.stack[seat] += hand.paid[seat]
        hand.paid[seat] = hand.bet[seat] = 0
        betting.kill(hand, notes, seat)
