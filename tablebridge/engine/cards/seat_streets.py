"""Streets that give cards to the seats: the later streets of stud, and draws.

Theory. Such a street begins when nobody has to act, more than one hand is live, and its first card or its
first discard is reported; it is dealt when every live seat has what is due to it. Then its round begins.

| event | when | then |
| --- | --- | --- |
| deal, dealt | in time | the street begins; without a burn `burn-missing` |
| deal ... up | before the betting is over | `premature-street` `stud`: the card goes back or plays, by book |
| deal ... exposed | the last card, due face down | by book replaced, the others up too, or as all-in |
| dealt | | all that is due face down has been dealt; `up`: the next up card of every live seat |
| pick-up | facing a bet | by book the hand is dead (66) |
| community | the stub is short | one card for all (RP-10-H) |
| a card to a dead hand | | `card-out-of-place` (RP-10-C) |
"""

from tablebridge.engine.consequences import NONE, START_ROUND, Consequences, Kill
from tablebridge.engine.games import Street
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import TYPED, PickUp
from tablebridge.model.places import MUCK


def due(hand: Hand) -> tuple[int, ...]:
    """Seats to which the street under way still owes cards, in order, a seat once for each card."""
    if hand.deal.street_dealt or not hand.deal.over:
        return ()
    cards = hand.form.cards_after(hand.street) - hand.felt.community
    seats = [
        seat
        for seat in hand.dealt_order()
        if not hand.form.street(hand.street).draw or seat in hand.felt.drawn
    ]
    return tuple(seat for seat in seats for _ in range(cards - len(hand.felt.cards[seat])))


def coming(hand: Hand) -> Street | None:
    """The next street, if it is in time now: the betting is over and more than one hand is live."""
    if (
        hand.round.to_act is not None
        or not hand.deal.street_dealt
        or not hand.deal.over
        or len(hand.live) < hand.form.least_seats
    ):
        return None
    return hand.form.next(hand.street)


def due_now(hand: Hand, seat: int, *, up: bool) -> bool:
    """Whether a card that comes to the seat after the initial deal is another one, and not the face of one
    that lies there.
    """
    if not hand.form.first.up:
        return seat in due(hand)
    following = coming(hand)
    in_time = (
        following is not None
        and following.up + following.down > 0
        and (hand.burns.burned or not following.burn)
    )
    return (up and UNKNOWN not in hand.felt.up[seat]) or in_time or seat in due(hand)


def begin(hand: Hand, notes: Notes, street: Street) -> None:
    """The street under way is `street` from here on."""
    burned = hand.burns.burned_for(street.name)
    hand.burns.use()
    hand.deal.no_exchange()
    hand.deal_street(street.name)
    notes.street = street.name
    hand.deal.begin_street(typed=notes.basis in TYPED)
    if hand.time.stops == "held":
        steps = ("set-aside", "call-floor")
        hand.find(notes, "hand-for-hand", "street", cause="dealt-on", remedy=steps)
    hand.felt.begin_draw()
    if street.burn and not burned:
        hand.burns.miss(sensed=notes.basis == "rfid")
        hand.find(
            notes,
            "burn-missing",
            "stud",
            args={"street": street.name},
        )


def gives_cards(hand: Hand, notes: Notes, seat: int, card: Card, *, up: bool) -> bool:
    """A card comes off the deck to a seat whose hand is whole so far. Whether it is a card of a street that
    begins with it.
    """
    if not hand.deal.over or not hand.deal.street_dealt:
        return True
    following = hand.form.next(hand.street)
    if following is None or not following.down + following.up:
        return True
    if coming(hand) is not None:
        begin(hand, notes, following)
    elif hand.round.to_act is not None and (up or hand.burns.burned or hand.round.street_actions):
        _premature(hand, notes, seat, card)
        return False
    return True


def may_go_on(hand: Hand) -> bool:
    """Whether every live seat has its card of a street that nobody acted on yet, so that a further one is of
    this street.
    """
    later = (
        hand.street != hand.form.first.name
        and hand.form.street(hand.street).down + hand.form.street(hand.street).up > 0
    )
    return (
        hand.deal.over
        and later
        and hand.deal.street_dealt
        and not hand.round.street_actions
        and not hand.burns.burned
    )


def later(hand: Hand) -> bool:
    """Whether the street is one of stud's after the initial deal."""
    street = hand.form.street(hand.street) if hand.street in hand.form.places else hand.form.first
    return hand.form.first.up > 0 and street is not hand.form.first and street.down + street.up > 0


def complete(hand: Hand) -> Consequences:
    """After a card or a draw: the round begins when nothing is due any more."""
    street = hand.form.street(hand.street)
    if hand.deal.street_dealt or not hand.deal.over or due(hand):
        return NONE
    dealt = not street.draw or all(seat in hand.felt.drawn for seat in hand.live)
    return (START_ROUND,) if dealt else NONE


def settle(hand: Hand, notes: Notes) -> Consequences:
    """Somebody acts: what nobody reported of the street was dealt, and who reported no draw stood pat. A live
    seat that was left out while others got their cards is the floor's to rule on.
    """
    if hand.deal.street_dealt or not hand.deal.over:
        return NONE
    missing = due(hand)
    left_out = [seat for seat in missing if seat in hand.live - hand.deal.unwatched] if later(hand) else []
    if len(left_out) < len(hand.live):
        for seat in left_out:
            hand.find(notes, "card-out-of-place", "left-out", seat=seat)
    for seat in missing:
        hand.felt.give_unknown(seat, 1)
        if len(hand.felt.up[seat]) < hand.form.up_after(hand.street):
            hand.felt.give_up(seat, UNKNOWN)
    return (START_ROUND,)


def dealt(hand: Hand, notes: Notes) -> Consequences:
    """All cards due face down were dealt, faces unknown."""
    following = coming(hand)
    if following is not None and following.down and not following.up:
        begin(hand, notes, following)
    if hand.form.street(hand.street).up:
        return NONE
    for seat in due(hand):
        hand.felt.give_unknown(seat, 1, notes.basis)
    return complete(hand)


def replaced(hand: Hand, notes: Notes, seat: int, card: Card) -> None:
    """The last card, due face down, was exposed by the dealer: what the book wants (RP-10-B)."""
    way = hand.book.last_card_exposed
    first = len([other for other in hand.live if len(hand.felt.cards[other]) >= hand.hole]) == 1
    more = sum(1 for other in hand.live if hand.chips.stack[other] > 0) > 1
    if way == "replaced":
        case = "last-replaced" if more else "last-plays"
        if more:
            hand.felt.take(seat, card)
            hand.felt.put(card, MUCK)
    elif way == "heads-up-up":
        case = "last-up" if len(hand.live) == 2 else "last-as-all-in"
    else:
        case = "last-up" if first else "last-as-all-in"
    hand.find(
        notes,
        "exposed-card",
        "last",
        cause="dealer",
        seat=seat,
        cards=() if card == UNKNOWN else (card,),
        case=case,
    )


def pick_up(hand: Hand, notes: Notes, event: PickUp) -> Consequences:
    """The seat picks its upcards up: facing a bet that kills the hand, if the book says so."""
    seat = event.seat
    if seat not in hand.live or not hand.felt.up[seat]:
        notes.ignored = f"Seat {seat} has no open cards to pick up."
        return NONE
    if not hand.to_call(seat) or hand.book.rule("dead-hand", "picked-up") is None:
        notes.ignored = f"Seat {seat} picked its cards up; the rulebook makes nothing of it now."
        return NONE
    hand.find(
        notes,
        "dead-hand",
        cause="picked-up",
        seat=seat,
    )
    return (Kill(seat),)


def _premature(hand: Hand, notes: Notes, seat: int, card: Card) -> None:
    """A card of the next street came before the betting was over (RP-5-D)."""
    known = () if card == UNKNOWN else (card,)
    following = hand.form.next(hand.street)
    hand.felt.turn_over(*known)
    hand.find(
        notes,
        "premature-street",
        cause="stud",
        seat=seat,
        cards=known,
    )
    if hand.book.premature_stud == "plays":
        # The card is used, and the round is closed at what was bet.
        hand.round.close_to_raises()
        hand.felt.draw_off()
        hand.felt.give(seat, card, notes.basis)
        hand.felt.give_up(seat, card)
        return
    if hand.book.premature_stud == "again-then-none" and following is not None:
        hand.burns.use()
        hand.burns.free(hand.form.last.name)
    for card in known:
        hand.forget(card)
