"""Cards to seats: the initial deal, what is wrong with it, and hands that die with its last card.

Theory. The deal is over with the last card that the last seat in order is due, or with the first burn or
action. Only then are a skipped seat and a wrong count found, so that a dealer who corrects the deal in time
has made no misdeal. Boxed, exposed, foreign cards and cards to a wrong seat are found as they come.

| found | before substantial action | after it |
| --- | --- | --- |
| first card or a card to a wrong seat, a seat skipped | misdeal: void | misdeal-too-late |
| two boxed cards, cards exposed by the dealer | misdeal: void | misdeal-too-late |
| nonstandard card | misdeal: void | a scrap of paper (35-D) |
| wrong count | misdeal: void | misdeal-too-late, the hand is dead (38) |
| too few cards on the button | short-hand: may be completed (37) | the same; dead once it has acted |
| two cards of one face | fouled deck: void | the same (35-E) |
"""

from itertools import chain
from typing import Literal

from tablebridge.engine.cards import draws, exposed_cards, faces, misdeals, seat_streets
from tablebridge.engine.consequences import (
    FIND_TURN,
    NONE,
    OPENER_KNOWN,
    START_ROUND,
    VOID,
    Consequences,
    Kill,
    Steps,
)
from tablebridge.engine.hand import Hand
from tablebridge.engine.hidden import entrance
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.deal import LastDealt
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Basis, Boxed, Deal, Dealt, Holds, Seen
from tablebridge.model.places import BOARD, FLOOR, MUCK, STUB, seat_of, seat_place


def due(hand: Hand) -> tuple[int, ...]:
    """Seats of the cards still due in the deal under way, in order, a seat once for each card."""
    if hand.deal.over:
        return seat_streets.due(hand)
    return tuple(
        seat for lap in range(hand.form.dealt) for seat in hand.order if len(hand.felt.cards[seat]) <= lap
    )


def deal(hand: Hand, notes: Notes, event: Deal) -> Consequences:
    """The next card off the deck goes to a seat; or the face of a card that lies there becomes known late."""
    felt = hand.felt
    held = felt.cards.get(event.seat)
    if held is not None:
        known = event.card != UNKNOWN
        if hand.draws.own and draws.is_own(hand, event):
            return draws.came_back(hand, notes, event)
        if known and event.card in held:
            return _again(hand, notes, event)
        if hand.deal.exchange is not None and exposed_cards.exchange_due(hand, event.seat, notes.basis):
            return _exchanged(hand, notes, event)
        if known and UNKNOWN in held and _names(hand, event, notes.basis):
            return _named(hand, notes, event, held)
    if hand.street not in hand.form.places:
        return NONE
    if not felt.off_deck and hand.shuffle.reported:
        return _first_off_the_deck(hand, notes, event, held)
    return _off_the_deck(hand, notes, event, held)


def _again(hand: Hand, notes: Notes, event: Deal) -> Consequences:
    """The card lies there already: it may be reported as exposed only now."""
    seat, card = event.seat, event.card
    if not event.exposed or card in hand.felt.open_cards or exposed_cards.named(hand, seat, card):
        return NONE
    return exposed_cards.exposed(hand, notes, seat, card, counts=False)


def _exchanged(hand: Hand, notes: Notes, event: Deal) -> Consequences:
    """The card comes for one that the dealer exposed."""
    exposed_cards.exchanged(hand, notes.basis, event.card)
    # That the other card is the burn may be reported on its own.
    hand.burns.report_again(None)
    return faces.record(hand, notes, event.card, seat_place(event.seat))


def _named(hand: Hand, notes: Notes, event: Deal, held: list[Card]) -> Consequences:
    """A card that lay at the seat unknown has a face now."""
    yield from faces.record(hand, notes, event.card, seat_place(event.seat))
    # A card that lies open was dealt after those that lie down.
    hand.felt.name(event.seat, event.card, last=event.up)
    if UNKNOWN in hand.felt.up[event.seat] and (event.up or UNKNOWN not in held):
        card = entrance.turned_up(hand, event.card)
        hand.felt.name_up(event.seat, card)
        hand.felt.turn_over(card)
        yield OPENER_KNOWN


def _first_off_the_deck(hand: Hand, notes: Notes, event: Deal, held: list[Card] | None) -> Consequences:
    """The first card leaves a deck that is to be shuffled and cut before."""
    yield from _prepared(hand, notes)
    yield from _off_the_deck(hand, notes, event, held)


def _off_the_deck(hand: Hand, notes: Notes, event: Deal, held: list[Card] | None) -> Consequences:
    """A further card leaves the deck for the seat. `held`: its cards, None if it is not in the hand."""
    felt = hand.felt
    felt.draw_off()
    if notes.basis not in hand.deal.by:
        hand.deal.report(notes.basis)
    if event.up or event.exposed or event.boxed:
        felt.turn_over(event.card)
        if event.boxed and hand.book.boxed_replaced:
            return _boxed_away(hand, notes, event)
    first = felt.off_deck == 1 and "first-card-wrong-seat" in hand.book.misdeals
    if held is None or (first and event.seat != hand.order[0]):
        return _to_a_wrong_seat(hand, notes, event, held, first=first)
    return _to_its_seat(hand, notes, event, held)


def _boxed_away(hand: Hand, notes: Notes, event: Deal) -> Consequences:
    """A boxed card goes to the muck, and the seat gets another one."""
    yield from faces.record(hand, notes, event.card, MUCK)
    yield from found_boxed(hand, notes, event.card, event.seat)


def _to_a_wrong_seat(
    hand: Hand, notes: Notes, event: Deal, held: list[Card] | None, *, first: bool
) -> Consequences:
    """The first card goes to another seat than the first, or a card to a seat that is not in the hand."""
    if first:
        yield from misdeals.misdeal(hand, notes, "first-card-wrong-seat", event.seat)
        if held is not None:
            yield from _to_its_seat(hand, notes, event, held)
    else:
        yield from faces.record(hand, notes, event.card, seat_place(event.seat))
        yield from misdeals.misdeal(hand, notes, "unentitled-seat", event.seat)


def _to_its_seat(hand: Hand, notes: Notes, event: Deal, held: list[Card]) -> Consequences:
    """A card to a seat of the hand, of the initial deal or of a later street."""
    if hand.deal.over:
        return _on_a_street(hand, notes, event, held)
    seat = event.seat
    if "out-of-order" in hand.book.misdeals and seat != next(iter(due(hand)), seat):
        out_of_order = misdeals.misdeal(hand, notes, "out-of-order", seat)
        taken: Consequences = chain(_taken(hand, notes, event, held), out_of_order)
    else:
        taken = _taken(hand, notes, event, held)
    if seat != hand.order[-1] or len(held) < hand.form.dealt:
        return taken
    return chain(taken, finish_deal(hand, notes))


def _on_a_street(hand: Hand, notes: Notes, event: Deal, held: list[Card]) -> Consequences:
    """A card to a seat after the initial deal."""
    if (yield from _of_a_street(hand, notes, event)):
        yield from _taken(hand, notes, event, held)
        yield from seat_streets.complete(hand)


def _taken(hand: Hand, notes: Notes, event: Deal, held: list[Card]) -> Consequences:
    """The card is one of the seat's."""
    seat, card, felt = event.seat, event.card, hand.felt
    lies_open = hand.form.open > 0 and _lies_open(hand, event, held)
    if lies_open:
        card = entrance.turned_up(hand, card)
        felt.give_up(seat, card)
        if card != UNKNOWN:
            felt.turn_over(card)
    felt.give(seat, card, notes.basis)
    if not (lies_open or event.boxed or event.exposed):
        hand.deal.came(LastDealt(seat, len(held) - 1, hand.moment))
        return faces.record(hand, notes, card, seat_place(seat))
    as_dealt: Literal["up", "exposed"] = "up" if lies_open or event.boxed else "exposed"
    hand.deal.came(LastDealt(seat, len(held) - 1, hand.moment, as_dealt))
    recorded = faces.record(hand, notes, card, seat_place(seat))
    return _turned_up(hand, notes, event, card, recorded, lies_open=lies_open)


def _lies_open(hand: Hand, event: Deal, held: list[Card]) -> bool:
    """Whether the card that comes to the seat lies open as it should (stud)."""
    shown = hand.felt.up[event.seat]
    return len(shown) < hand.form.up_after(hand.street) and (
        event.up or len(held) - len(shown) >= _down(hand)
    )


def _turned_up(
    hand: Hand, notes: Notes, event: Deal, card: Card, recorded: Consequences, *, lies_open: bool
) -> Consequences:
    """A card that came to a seat lies open, as it should or not."""
    seat = event.seat
    yield from recorded
    if event.boxed:
        yield from found_boxed(hand, notes, card, seat)
    elif event.exposed and not lies_open:
        yield from exposed_cards.exposed(hand, notes, seat, card, counts=True)
    elif lies_open and not hand.deal.over:
        yield from exposed_cards.three_open(hand, notes, seat)


def _of_a_street(hand: Hand, notes: Notes, event: Deal) -> Steps[bool]:
    """A card to a seat after the initial deal: whether it is one that is due, of a street that may begin with
    it.
    """
    seat, card, place = event.seat, event.card, seat_place(event.seat)
    held = hand.felt.cards[seat]
    of_this_street = seat_streets.may_go_on(hand) and seat not in hand.dealt_order()
    if not of_this_street and not seat_streets.gives_cards(hand, notes, seat, card, up=event.up):
        return False
    if of_this_street or (seat not in hand.dealt_order() and not hand.deal.street_dealt):
        yield from faces.record(hand, notes, card, place)
        hand.find(
            notes,
            "card-out-of-place",
            "dead-hand",
            seat=seat,
            case="dead-hand",
        )
        return False
    if len(held) >= hand.form.cards_after(hand.street) and seat_streets.later(hand):
        hand.find(notes, "card-out-of-place", "second", seat=seat, cards=(card,) if card != UNKNOWN else ())
        # It may be moved on to the seat that it was for.
        hand.felt.put_back(1)
        return False
    if len(held) >= hand.form.cards_after(hand.street):
        hand.felt.give(seat, card, notes.basis)
        yield from faces.record(hand, notes, card, place)
        yield from misdeals.wrong_count(hand, notes, seat)
        return False
    return True


def dealt(hand: Hand, notes: Notes, event: Dealt) -> Consequences:
    """All cards now due face down went where they should, faces unknown; or the next up cards."""
    if event.up:
        return _dealt_up(hand, notes, event.up)
    return seat_streets.dealt(hand, notes) if hand.deal.over else _dealt_down(hand, notes)


def _dealt_down(hand: Hand, notes: Notes) -> Consequences:
    if not hand.felt.off_deck and hand.shuffle.reported:
        yield from _prepared(hand, notes)
    hand.deal.report(notes.basis)
    for seat in hand.order:
        wanted = _down(hand) + len(hand.felt.up[seat]) - len(hand.felt.cards[seat])
        if wanted > 0:
            hand.felt.give_unknown(seat, wanted, notes.basis)
            hand.deal.came(LastDealt(seat, len(hand.felt.cards[seat]) - 1, hand.moment))
    if not due(hand):
        yield from finish_deal(hand, notes)


def _dealt_up(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> Consequences:
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
        yield from deal(hand, notes, Deal(seat, card, up=True))


def finish_deal(hand: Hand, notes: Notes) -> Consequences:
    """The initial deal is over: skipped seats and wrong counts are found, absent and penalty seats killed."""
    if hand.deal.over:
        return
    hand.deal.end()
    if hand.felt.off_deck:
        yield from _check_counts(hand, notes)
    for seat in hand.order:
        away = seat in hand.absent or seat in hand.absent_before
        cause = "absent" if away else "penalty" if seat in hand.penalty else None
        if cause and seat in hand.live:
            hand.find(
                notes,
                "dead-hand",
                cause=cause,
                seat=seat,
            )
            hand.mark_away(seat)
            yield Kill(seat)
    if not hand.form.button and not hand.deal.street_dealt:
        yield START_ROUND
    elif hand.form.button and hand.round.to_act is None and not hand.untracked:
        # The blinds are all-in already.
        yield FIND_TURN


def _check_counts(hand: Hand, notes: Notes) -> Consequences:
    for seat in hand.order:
        count = len(hand.felt.cards[seat])
        if count == hand.form.dealt or (count < hand.form.dealt and seat in hand.deal.unwatched):
            continue
        if count == 0:
            yield from misdeals.misdeal(hand, notes, "seat-skipped", seat)
            yield Kill(seat)
        else:
            yield from misdeals.wrong_count(hand, notes, seat)


def holds(hand: Hand, notes: Notes, event: Holds) -> Consequences:
    """A seat is found to hold a number of cards."""
    seat, count = event.seat, event.count
    held = hand.felt.cards.get(seat)
    if held is None:
        if count > 0:
            yield from misdeals.misdeal(hand, notes, "unentitled-seat", seat)
        return
    if seat not in hand.live:
        return
    hand.felt.hold(seat, min(max(count, 0), 52))
    hand.deal.report(notes.basis)
    yield from finish_deal(hand, notes)
    if seat in hand.live and len(held) != hand.form.cards_after(hand.street):
        yield from misdeals.wrong_count(hand, notes, seat)


def boxed(hand: Hand, notes: Notes, event: Boxed) -> Consequences:
    """A card is found face up in the stub."""
    yield from faces.record(hand, notes, event.card, STUB)
    yield from found_boxed(hand, notes, event.card)


def found_boxed(hand: Hand, notes: Notes, card: Card, seat: int | None = None) -> Consequences:
    """A card is found face up in the deck; two of them on the initial deal are a misdeal (35-A(1))."""
    hand.felt.turn_over(card)
    hand.deal.count_boxed()
    if hand.deal.boxed_seen == hand.book.boxed_fouls:
        hand.find(
            notes,
            "fouled-deck",
            args={"count": hand.deal.boxed_seen},
            cause="boxed-cards",
            cards=(card,),
        )
        return (VOID,)
    if hand.deal.boxed >= 2 and not hand.deal.over and "boxed-cards" in hand.book.misdeals:
        return misdeals.misdeal(hand, notes, "boxed-cards", seat, (card,))
    alone = hand.deal.boxed_seen == 1 and "boxed-cards" in hand.book.misdeals
    hand.find(notes, "boxed-card", "alone" if alone else "deck", seat=seat, cards=(card,))
    return NONE


def seen(hand: Hand, notes: Notes, event: Seen) -> Consequences:
    """A card is noticed where no event put it. At a seat not entitled to a hand it was dealt there."""
    card, place = event.card, event.place
    seat = seat_of(place)
    if card != UNKNOWN and (
        hand.felt.places.get(card) == place or card in hand.felt.cards.get(seat or 0, ())
    ):
        return
    if place == BOARD:
        hand.felt.turn_over(card)
    cards = () if card == UNKNOWN else (card,)
    raised = len(notes.findings)
    yield from faces.record(hand, notes, card, place)
    if seat is not None and seat not in hand.felt.cards:
        yield from misdeals.misdeal(hand, notes, "unentitled-seat", seat, cards)
    elif len(notes.findings) == raised:
        hand.find(
            notes,
            "card-out-of-place",
            "unexplained",
            args={"place": place},
            seat=seat,
            cards=cards,
            case="" if place != FLOOR else "floor" if hand.form.board else "floor-stud",
        )


def _down(hand: Hand) -> int:
    """How many cards of a hand should lie face down by now."""
    return hand.form.cards_after(hand.street) - hand.form.up_after(hand.street)


def _names(hand: Hand, event: Deal, basis: Basis) -> bool:
    """Whether a known card that comes to the seat is the face of one that lies there unknown, and not a
    further card.
    """
    seat = event.seat
    if not hand.deal.over:
        return hand.felt.unnamed_by.get(seat) != basis
    # A hand that was found short may be completed (37), and what comes in a draw was drawn. An antenna rather
    # reads what lies there.
    short = not hand.form.first.up and len(hand.felt.cards[seat]) < hand.form.cards_after(hand.street)
    drawing = seat in hand.felt.drawn and not hand.deal.street_dealt
    return not (basis != "rfid" and (short or drawing)) and not seat_streets.due_now(hand, seat, up=event.up)


def _prepared(hand: Hand, notes: Notes) -> Consequences:
    """The first card leaves the deck: was it shuffled and cut?"""
    for cause, done in (("not-shuffled", hand.shuffle.done), ("not-cut", hand.shuffle.cut)):
        if not done:
            yield from misdeals.not_prepared(hand, notes, cause)
