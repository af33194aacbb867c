"""Cards to seats: the initial deal, what is wrong with it, and hands that die with its last card.

Theory. The deal is over with the last card that the last seat in order is due, or with the first burn or
action. Only then are a skipped seat and a wrong count found, so that a dealer who mends the deal in time has
made no misdeal. Boxed, exposed, foreign cards and cards to a wrong seat are found as they come.

| found | before substantial action | after it |
| --- | --- | --- |
| first card or a card to a wrong seat, a seat skipped | misdeal: void | misdeal-too-late |
| two boxed cards, cards exposed by the dealer | misdeal: void | misdeal-too-late |
| nonstandard card | misdeal: void | a scrap of paper (35-D) |
| wrong count | misdeal: void | misdeal-too-late, the hand is dead (38) |
| too few cards on the button | short-hand: may be completed (37) | the same; dead once it has acted |
| two cards of one face | fouled deck: void | the same (35-E) |
"""

from tablebridge.engine.betting import actions, round_start
from tablebridge.engine.cards import exposed_cards, misdeals, seat_streets
from tablebridge.engine.hand import BESIDE, Hand
from tablebridge.engine.hidden import entrance
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.deal import LastDealt
from tablebridge.model.cards import JOKER, UNKNOWN, Card, face
from tablebridge.model.events import Basis, Deal
from tablebridge.model.places import BURN, FLOOR, MUCK, STUB, Place, seat_of, seat_place

_FOULED = "Two cards of the same rank and suit: the deck is fouled"


def due(hand: Hand) -> tuple[int, ...]:
    """Seats of the cards still due in the deal under way, in order, a seat once for each card."""
    if hand.deal.over:
        return seat_streets.due(hand)
    laps = hand.form.cards_after(hand.form.first.name)
    return tuple(seat for lap in range(laps) for seat in hand.order if len(hand.felt.cards[seat]) <= lap)


def shows(hand: Hand, notes: Notes, card: Card, place: str) -> bool:
    """A face became known at a place. Whether the hand can go on: a fouled deck or a nonstandard card may
    void it.
    """
    if card == UNKNOWN:
        return True
    printed = card
    if card not in hand.deck or card == JOKER:
        printed = face(card)
        if printed not in hand.veil.truths and not hand.veil.veils(printed):
            return _nonstandard(hand, notes, card, place)
    places = hand.felt.places
    first = hand.felt.faces.setdefault(printed, card)
    if first != card and card not in places:
        places[card] = place
        voids = "duplicate-card" in hand.book.voiding
        hand.find(
            notes,
            "fouled-deck",
            f"{_FOULED}{' and all bets go back' if voids else '; the floor rules'}.",
            cause="duplicate-card",
            cards=(first, card),
        )
        if voids:
            hand.void(notes)
        return not hand.over
    before = places.get(card)
    if before is not None and before != place and not _may_move(hand, card, before, place):
        hand.find(
            notes, "card-out-of-place", f"A card that lay at {before} is now at {place}.", cards=(card,)
        )
        left = seat_of(Place(before))
        if (
            left in hand.felt.cards
            and card in hand.felt.cards[left]
            and seat_of(Place(place)) in hand.felt.cards
        ):
            hand.felt.cards[left].remove(card)
    places[card] = place
    return True


def _nonstandard(hand: Hand, notes: Notes, card: Card, place: str) -> bool:
    """A card that the game does not use. Whether the hand can go on."""
    if hand.felt.places.get(card) == place:
        return True
    hand.felt.places[card] = place
    if "nonstandard-card" in hand.book.voiding:
        hand.find(
            notes,
            "fouled-deck",
            "The deck holds a card that the game does not use.",
            cause="nonstandard-card",
            cards=(card,),
        )
        hand.void(notes)
    elif "nonstandard-card" in hand.book.misdeals and not hand.too_late:
        misdeals.misdeal(hand, notes, "nonstandard-card", seat_of(Place(place)), (card,))
    else:
        for board in hand.felt.boards:
            if card in board:
                board.remove(card)
        told = (
            "it counts as a scrap of paper"
            if hand.book.rule("nonstandard-card")
            else "the floor rules what becomes of it"
        )
        hand.find(
            notes, "nonstandard-card", f"A card came that the game does not use; {told}.", cards=(card,)
        )
    return not hand.over


def _may_move(hand: Hand, card: Card, before: str, place: str) -> bool:
    """Whether the rulebook has the card go from the one place to the other."""
    if place == BURN:
        off_table = "replace-with-burn" in hand.book.remedy("card-out-of-place", "floor")
        return before == BESIDE or (before == FLOOR and off_table)
    return place == "board" and before == BURN and card == hand.burns.second


def deal(hand: Hand, notes: Notes, event: Deal) -> None:
    """The next card off the deck goes to a seat; or the face of a card that lies there becomes known late."""
    seat, card, up, exposed, boxed = event.seat, event.card, event.up, event.exposed, event.boxed
    basis = notes.basis
    place = seat_place(seat)
    held = hand.felt.cards.get(seat)
    if held is not None:
        if card != UNKNOWN and card in held:
            if exposed and card not in hand.felt.open_cards and not exposed_cards.named(hand, seat, card):
                exposed_cards.exposed(hand, notes, seat, card, counts=False)
            return
        if hand.deal.exchange is not None and exposed_cards.exchange_due(hand, seat, basis):
            exposed_cards.exchanged(hand, basis, card)
            # That the other card is the burn may be told on its own.
            hand.burns.basis = None
            shows(hand, notes, card, place)
            return
        if card != UNKNOWN and UNKNOWN in held and _names(hand, seat, basis, up=up):
            if shows(hand, notes, card, place):
                # A card that lies open was dealt after those that lie down.
                at = (
                    held.index(UNKNOWN)
                    if not up
                    else max(at for at, one in enumerate(held) if one == UNKNOWN)
                )
                held[at] = card
                _named_up(hand, seat, card, up=up)
            return
    if hand.street not in hand.form.places:
        return
    if not hand.felt.off_deck and hand.shuffles_reported and not _prepared(hand, notes):
        return
    hand.felt.off_deck += 1
    hand.deal.by.add(basis)
    if up or exposed or boxed:
        hand.felt.open_cards.add(card)
    if boxed and hand.book.boxed_replaced:
        if card == UNKNOWN or shows(hand, notes, card, MUCK):
            found_boxed(hand, notes, card, seat)
        return
    wrong_first = hand.felt.off_deck == 1 and "first-card-wrong-seat" in hand.book.misdeals
    if held is None:
        if wrong_first:
            misdeals.misdeal(hand, notes, "first-card-wrong-seat", seat)
        elif shows(hand, notes, card, place):
            misdeals.misdeal(hand, notes, "unentitled-seat", seat)
        return
    if wrong_first and seat != hand.order[0]:
        misdeals.misdeal(hand, notes, "first-card-wrong-seat", seat)
        if hand.over:
            return
    if hand.deal.over and not _of_a_street(hand, notes, seat, card, place, up=up):
        return
    if not hand.deal.over and "out-of-order" in hand.book.misdeals and seat != next(iter(due(hand)), seat):
        misdeals.misdeal(hand, notes, "out-of-order", seat)
    shown = hand.felt.up[seat]
    open_due = (
        hand.form.open > 0
        and len(shown) < hand.form.up_after(hand.street)
        and (up or len(held) - len(shown) >= _down(hand))
    )
    if open_due:
        card = entrance.turned_up(hand, card)
    held.append(card)
    if card == UNKNOWN:
        hand.felt.unnamed_by[seat] = basis
    if open_due:
        shown.append(card)
        if card != UNKNOWN:
            hand.felt.open_cards.add(card)
    hand.deal.last = LastDealt(
        seat, len(held) - 1, hand.moment, "up" if open_due or boxed else "exposed" if exposed else ""
    )
    if not shows(hand, notes, card, place):
        return
    if boxed:
        found_boxed(hand, notes, card, seat)
    elif exposed and not open_due:
        exposed_cards.exposed(hand, notes, seat, card, counts=True)
    elif open_due and not hand.deal.over:
        exposed_cards.three_open(hand, notes, seat)
    if hand.over:
        return
    if hand.deal.over:
        seat_streets.complete(hand)
    elif seat == hand.order[-1] and len(held) >= hand.form.cards_after(hand.street):
        finish_deal(hand, notes)


def dealt(hand: Hand, notes: Notes) -> None:
    """All cards now due face down went where they should, faces unknown."""
    if hand.deal.over:
        seat_streets.dealt(hand, notes)
        return
    if not hand.felt.off_deck and hand.shuffles_reported and not _prepared(hand, notes):
        return
    hand.deal.by.add(notes.basis)
    for seat in hand.order:
        wanted = _down(hand) + len(hand.felt.up[seat]) - len(hand.felt.cards[seat])
        if wanted > 0:
            hand.felt.cards[seat] += [UNKNOWN] * wanted
            hand.felt.unnamed_by[seat] = notes.basis
            hand.felt.off_deck += wanted
            hand.deal.last = LastDealt(seat, len(hand.felt.cards[seat]) - 1, hand.moment)
    if not due(hand):
        finish_deal(hand, notes)


def dealt_up(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> None:
    """The next up card of every live seat to which one is due, in order."""
    following = seat_streets.coming(hand)
    street = hand.form.street(hand.street) if following is None or not following.up else following
    if not street.up and hand.round.to_act is None:
        notes.ignored = "No card is due face up now."
        return
    wanted = hand.form.up_after(street.name)
    due_to = hand.dealt_order() if hand.deal.over else hand.order
    seats = [seat for seat in due_to if len(hand.felt.up[seat]) < wanted]
    if not seats and hand.round.to_act is not None:
        seats = list(due_to)
    for seat, card in zip(seats, cards, strict=False):
        if not hand.over:
            deal(hand, notes, Deal(seat, card, up=True))


def finish_deal(hand: Hand, notes: Notes) -> None:
    """The initial deal is over: skipped seats and wrong counts are found, absent and penalty seats killed."""
    if hand.deal.over:
        return
    hand.deal.over = True
    if hand.felt.off_deck:
        _check_counts(hand, notes)
    if hand.over:
        return
    for seat in hand.order:
        away = seat in hand.absent or seat in hand.absent_before
        cause = "absent" if away else "penalty" if seat in hand.penalty else None
        if cause and seat in hand.live:
            why = (
                "nobody was at the seat when the last card was dealt"
                if cause == "absent"
                else "its player serves a penalty"
            )
            hand.find(
                notes,
                "dead-hand",
                f"Seat {seat}'s hand is dead: {why}. Its blinds and antes stay in the pot.",
                cause=cause,
                seat=seat,
            )
            hand.away.add(seat)
            actions.kill(hand, notes, seat)
    if not hand.form.button and not hand.deal.street_dealt:
        round_start.start_round(hand)
    elif hand.form.button and hand.round.to_act is None and not hand.untracked:
        # The blinds are all-in already.
        actions.settle(hand, notes)


def holds(hand: Hand, notes: Notes, seat: int, count: int) -> None:
    """A seat is found to hold `count` cards."""
    held = hand.felt.cards.get(seat)
    if held is None:
        if count > 0:
            misdeals.misdeal(hand, notes, "unentitled-seat", seat)
        return
    if seat not in hand.live:
        return
    while len(held) > max(count, 0):
        # Which of the named cards is not there, nobody said: an unknown one goes first.
        held.remove(UNKNOWN if UNKNOWN in held else held[-1])
    held.extend([UNKNOWN] * (min(count, 52) - len(held)))
    hand.deal.by.add(notes.basis)
    finish_deal(hand, notes)
    if not hand.over and seat in hand.live and len(held) != hand.form.cards_after(hand.street):
        misdeals.wrong_count(hand, notes, seat)


def found_boxed(hand: Hand, notes: Notes, card: Card, seat: int | None = None) -> None:
    """A card is found face up in the deck; two of them on the initial deal are a misdeal (35-A(1))."""
    hand.felt.open_cards.add(card)
    hand.deal.boxed_seen += 1
    if not hand.deal.over:
        hand.deal.boxed += 1
    if hand.deal.boxed_seen == hand.book.boxed_fouls:
        hand.find(
            notes,
            "fouled-deck",
            f"{hand.deal.boxed_seen} boxed cards: the deck is fouled and all bets go back.",
            cause="boxed-cards",
            cards=(card,),
        )
        hand.void(notes)
    elif hand.deal.boxed >= 2 and not hand.deal.over and "boxed-cards" in hand.book.misdeals:
        misdeals.misdeal(hand, notes, "boxed-cards", seat, (card,))
    else:
        hand.find(notes, "boxed-card", "A card came face up out of the deck.", seat=seat, cards=(card,))


def seen(hand: Hand, notes: Notes, card: Card, place: str, seat: int | None) -> None:
    """A card is noticed where no event put it. At a seat not entitled to a hand it was dealt there."""
    if card != UNKNOWN and (
        hand.felt.places.get(card) == place or card in hand.felt.cards.get(seat or 0, ())
    ):
        return
    if place == "board":
        hand.felt.open_cards.add(card)
    if seat is not None and seat not in hand.felt.cards:
        if shows(hand, notes, card, place):
            misdeals.misdeal(hand, notes, "unentitled-seat", seat, () if card == UNKNOWN else (card,))
        return
    raised = len(notes.findings)
    floor = "floor" if hand.form.board else "floor-stud"
    if shows(hand, notes, card, place) and len(notes.findings) == raised:
        hand.find(
            notes,
            "card-out-of-place",
            f"A card is at {place} where no event put it.",
            seat=seat,
            cards=() if card == UNKNOWN else (card,),
            case=floor if place == FLOOR else "",
        )


def fouled_after(hand: Hand, notes: Notes, card: Card) -> bool:
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
    hand.felt.places[card] = STUB
    hand.find(
        notes, "fouled-deck", f"{_FOULED} and all bets go back.", cause="duplicate-card", cards=(first, card)
    )
    hand.void(notes)
    hand.chips.won.clear()
    hand.chips.payments.clear()
    return hand.street == "void"


def _down(hand: Hand) -> int:
    """How many cards of a hand should lie face down by now."""
    return hand.form.cards_after(hand.street) - hand.form.up_after(hand.street)


def _of_a_street(hand: Hand, notes: Notes, seat: int, card: Card, place: str, *, up: bool) -> bool:
    """A card to a seat after the initial deal: whether it is one that is due, of a street that may begin with
    it.
    """
    held = hand.felt.cards[seat]
    of_this_street = seat_streets.may_go_on(hand) and seat not in hand.dealt_order()
    if not of_this_street and not seat_streets.gives_cards(hand, notes, seat, card, up=up):
        return False
    if of_this_street or (seat not in hand.dealt_order() and not hand.deal.street_dealt):
        if shows(hand, notes, card, place):
            hand.find(
                notes,
                "card-out-of-place",
                f"Seat {seat} has no live hand and got a card of the street.",
                seat=seat,
                case="dead-hand",
            )
        return False
    if len(held) >= hand.form.cards_after(hand.street):
        held.append(card)
        if shows(hand, notes, card, place):
            misdeals.wrong_count(hand, notes, seat)
        return False
    return True


def _names(hand: Hand, seat: int, basis: Basis, *, up: bool) -> bool:
    """Whether a known card that comes to the seat is the face of one that lies there unknown, and not a
    further card.
    """
    if not hand.deal.over:
        return hand.felt.unnamed_by.get(seat) != basis
    # A hand that was found short may be completed (37), and what comes in a draw was drawn. An antenna rather
    # reads what lies there.
    short = not hand.form.first.up and len(hand.felt.cards[seat]) < hand.form.cards_after(hand.street)
    drawing = seat in hand.felt.drawn and not hand.deal.street_dealt
    return not (basis != "rfid" and (short or drawing)) and not seat_streets.due_now(hand, seat, up=up)


def _named_up(hand: Hand, seat: int, card: Card, *, up: bool) -> None:
    """A card that lay there unknown has a face now: is it one that lies open?"""
    shown = hand.felt.up[seat]
    if UNKNOWN in shown and (up or UNKNOWN not in hand.felt.cards[seat]):
        card = entrance.turned_up(hand, card)
        shown[shown.index(UNKNOWN)] = card
        hand.felt.open_cards.add(card)
        round_start.opener_told(hand)


def _prepared(hand: Hand, notes: Notes) -> bool:
    """The first card leaves the deck: was it shuffled and cut? Whether the hand goes on."""
    for cause, done in (("not-shuffled", hand.shuffled), ("not-cut", hand.cut)):
        if not done and not hand.over:
            misdeals.not_prepared(hand, notes, cause)
    return not hand.over


def _check_counts(hand: Hand, notes: Notes) -> None:
    hole = hand.form.cards_after(hand.form.first.name)
    for seat in hand.order:
        count = len(hand.felt.cards[seat])
        if count == hole or (count < hole and seat in hand.deal.unwatched):
            continue
        if count == 0:
            misdeals.misdeal(hand, notes, "seat-skipped", seat)
            if not hand.over:
                actions.kill(hand, notes, seat)
        else:
            misdeals.wrong_count(hand, notes, seat)
        if hand.over:
            return
