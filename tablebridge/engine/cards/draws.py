"""The discipline of a draw: who exchanges cards when, how many, and which never come back.

Theory. A draw begins when nobody has to act and its first discard is reported; it is over when every live
seat has drawn and has its cards. These rules are the game's: they hold under every book.

| event | when | then |
| --- | --- | --- |
| draw | in turn: left of the button first, each before the next | a card for each discard is due (DRAW-2) |
| draw | before a seat whose turn it is | `draw-wrong` `order`; it counts all the same |
| draw | of more than five cards, or of more than the seat holds | `draw-wrong` `too-many`: nothing (DRAW-1) |
| draw | once more | `draw-wrong` `twice`: nothing |
| deal | of a card that the seat discarded | `draw-wrong` `own-discard`: another one is due (DRAW-6) |
| the clock | runs out | `stands-pat`: the seat may not raise in the round after (DRAW-3) |
| check, call, bet, raise | before all have drawn | `bet-before-draw`: it waits for its turn (DRAW-4) |
"""

from typing import Any, Final

from tablebridge.engine.betting import rounds
from tablebridge.engine.cards import seat_streets, stub
from tablebridge.engine.consequences import NONE, Consequences
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.out_of_turn import Pending
from tablebridge.model.cards import BLANK, UNKNOWN, face
from tablebridge.model.events import Action, ChipsIn, Deal, Draw
from tablebridge.model.places import MUCK

_MOST: Final = 5
_ANOTHER: Final = ("replace-card",)


def to_draw(hand: Hand) -> int | None:
    """Whose exchange it is: of the draw under way, or of the one that comes next."""
    if hand.over or hand.round.to_act is not None:
        return None
    if _comes(hand):
        return next(iter(hand.live_order()), None)
    if not _under_way(hand):
        return None
    owed = set(seat_streets.due(hand))
    return next((seat for seat in hand.live_order() if seat not in hand.felt.drawn or seat in owed), None)


def to_discard(hand: Hand) -> int | None:
    """Whose discards are due: whose exchange it is, unless it has discarded."""
    seat = to_draw(hand)
    return None if seat is None or (_under_way(hand) and seat in hand.felt.drawn) else seat


def left_to_draw(hand: Hand) -> tuple[int, ...]:
    """The live seats that have still to draw, in order: of the draw under way, or of the one that comes."""
    if hand.over or hand.round.to_act is not None:
        return ()
    if _comes(hand):
        return tuple(hand.live_order())
    if not _under_way(hand):
        return ()
    return tuple(seat for seat in hand.live_order() if seat not in hand.felt.drawn)


def waits(hand: Hand) -> bool:
    """Whether a live seat has still to draw before anybody may act."""
    return bool(left_to_draw(hand))


def draw(hand: Hand, notes: Notes, event: Draw) -> Consequences:
    """The seat discards a number of cards, some of them named, and is due as many."""
    seat, cards = event.seat, event.cards
    comes = _comes(hand)
    if _drew(hand, seat) and not comes:
        _wrong(hand, notes, "twice", seat, "DRAW-1")
        return NONE
    if seat not in hand.live or not (comes or _under_way(hand)):
        notes.ignored = "No draw is under way for this seat."
        return NONE
    held = hand.felt.cards[seat]
    count = max(event.count, len(cards))
    if count > min(len(held), _MOST):
        _wrong(hand, notes, "too-many", seat, "DRAW-1")
        return NONE
    _begin(hand, notes)
    first = next(other for other in hand.live_order() if other not in hand.felt.drawn)
    if first != seat:
        _wrong(hand, notes, "order", seat, "DRAW-2", first=first)
    whole = held if count == len(held) else ()
    # A card whose face was deleted from the record is still the same card.
    hand.draws.discard(seat, [card for card in (*cards, *whole) if card not in (UNKNOWN, BLANK)])
    hand.felt.discard(seat, count, [card for card in cards if card in held])
    stub.short_draw(hand, notes, seat, count)
    return seat_streets.complete(hand)


def stands_pat(hand: Hand, notes: Notes, seat: int) -> Consequences:
    """The time of the seat to draw ran out: it keeps its cards."""
    _begin(hand, notes)
    hand.find(notes, "stands-pat", cause="clock", seat=seat, rule="DRAW-3")
    hand.draws.stand_pat(seat)
    if seat not in hand.felt.drawn:
        hand.felt.discard(seat, 0, ())
    return seat_streets.complete(hand)


def is_own(hand: Hand, event: Deal) -> bool:
    """Whether the card comes back to the seat that discarded it."""
    own = hand.draws.own.get(event.seat)
    return own is not None and event.card in own and event.seat in seat_streets.due(hand)


def came_back(hand: Hand, notes: Notes, event: Deal) -> Consequences:
    """A card comes back to the seat that discarded it: it is replaced by the next."""
    if hand.felt.put_new(face(event.card), event.card, MUCK):
        hand.felt.draw_off()
    cards = () if event.card == UNKNOWN else (event.card,)
    hand.find(
        notes, "draw-wrong", cause="own-discard", seat=event.seat, cards=cards, rule="DRAW-6", remedy=_ANOTHER
    )
    return NONE


def acted_early(hand: Hand, notes: Notes, event: Any) -> Consequences:
    """Somebody acts before all have drawn: the action waits, the chips stay in front. A fold is a fold."""
    seat = event.seat
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
        return NONE
    if isinstance(event, Action) and event.action == "fold":
        rounds.declare(hand, notes, seat, "fold", None)
        return seat_streets.complete(hand) if _under_way(hand) else NONE
    hand.find(notes, "bet-before-draw", seat=seat, rule="DRAW-4")
    if isinstance(event, ChipsIn):
        total = sum(chip for chip in event.chips if chip > 0)
        if total:
            hand.draws.wait(Pending(seat, "bet", total, 0))
    elif isinstance(event, Action):
        amount = hand.chips.stack[seat] if event.action == "allin" else event.amount
        hand.draws.wait(Pending(seat, event.action, amount, 0))
    return NONE


def all_drew(hand: Hand, notes: Notes) -> None:
    """The round after the draw has begun: what came before it waits for its turn, and who stood pat may not
    raise.
    """
    if hand.draws.pat:
        hand.bindings.stand_pat(frozenset(hand.draws.pat))
    early = hand.draws.take_early()
    for action in early:
        if action.seat in hand.live:
            hand.out_of_turn.wait(action)
    if early:
        rounds.settle(hand, notes)


def _begin(hand: Hand, notes: Notes) -> None:
    following = seat_streets.coming(hand)
    if following is not None and following.draw:
        seat_streets.begin(hand, notes, following)
        hand.draws.begin()


def _comes(hand: Hand) -> bool:
    following = seat_streets.coming(hand)
    return following is not None and following.draw


def _under_way(hand: Hand) -> bool:
    return (
        hand.deal.over
        and not hand.deal.street_dealt
        and hand.street in hand.form.places
        and hand.form.street(hand.street).draw
    )


def _drew(hand: Hand, seat: int) -> bool:
    in_draw = hand.street in hand.form.places and hand.form.street(hand.street).draw
    return in_draw and seat in hand.live and seat in hand.felt.drawn


def _wrong(hand: Hand, notes: Notes, cause: str, seat: int, rule: str, **args: int) -> None:
    remedy = ("call-floor",) if cause == "order" else ()
    hand.find(notes, "draw-wrong", cause=cause, seat=seat, rule=rule, args=args, remedy=remedy)
