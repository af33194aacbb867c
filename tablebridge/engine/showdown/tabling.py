"""Showdown and the end of a hand: tabling, mucking, who wins what, and hands whose end is not known.

Theory. The cards speak (12): of each pot the best of the hands that were tabled wins. Where nobody tabled in
a pot, or all hands had to be face up, the faces that the table's own sensing knows speak instead; but nobody
may learn from lines that he types who holds what. So they speak only if antennas read every street, and a
key, the shuffler or antennas ended the hand. A hand left alone wins without showing (17-B). Where neither is
so, nobody knows the winner: the hand is closed as incomplete, the chips of this hand go back to their seats,
and the reasons say how much that was, so that the next hand is never blocked.

| event | when | then |
| --- | --- | --- |
| table | all cards of a live hand | they lie open, the hand claims its pots |
| table | some cards only | `not-all-tabled` (13-A, 15-A) |
| table | while a seat has to act | `exposed-card` (68) besides; by book the hand is dead |
| table | a card that was not dealt there, all faces being known | `card-out-of-place` besides |
| muck | while a seat has to act | a fold, in turn or out of turn |
| muck | of the bettor, its bet unanswered | the hand is dead, the uncalled bet goes back (15-B) |
| muck | all hands must be face up and this one is not (16) | `must-be-face-up` `mucked`: the hand is live |
| muck | at the showdown | no claim any more |
| muck | of a tabled hand that wins | `winner-mucked`: it still wins (13-C) |
| ask | at the showdown | `see-hand` (18) |
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from tablebridge.engine.betting import all_in_button, rounds
from tablebridge.engine.cards import faces, upcards
from tablebridge.engine.chips.pots import Pot, build_pots
from tablebridge.engine.consequences import NONE, Consequences, Kill
from tablebridge.engine.floor import doubts
from tablebridge.engine.hand import Hand
from tablebridge.engine.house import bets, settling
from tablebridge.engine.notes import Notes
from tablebridge.engine.showdown import payment
from tablebridge.model.cards import UNKNOWN, Card, face, is_known
from tablebridge.model.events import TYPED, Ask, End, Expose, Mixed, Muck, Tabled
from tablebridge.model.places import seat_place
from tablebridge.model.sentences import phrase


def pots(hand: Hand) -> tuple[Pot, ...]:
    """The pots as they stand, main pot first. The big blind's ante is in the main pot."""
    chips = hand.chips
    built = build_pots(chips.paid, hand.live)
    dead = chips.dead_money if chips.dead_chips else 0
    if not dead:
        return built
    if not built:
        return (Pot(dead, hand.live_order()),)
    return (Pot(built[0].amount + dead, built[0].seats), *built[1:])


def table(hand: Hand, notes: Notes, event: Tabled) -> Consequences:
    """The seat turns cards face up."""
    all_in_button.unmarked(hand, notes)
    seat, cards = event.seat, event.cards
    held = hand.felt.cards.get(seat)
    if held is None or hand.over:
        notes.ignored = f"Seat {seat} has no live hand."
        return
    hand.felt.turn_over(*[card for card in cards if card != UNKNOWN])
    yield from _lie_open(hand, notes, seat, cards)
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
        return
    # Antennas report a showdown also if nobody entered its last check.
    if hand.round.to_act is not None and notes.basis != "rfid" and not (hand.untracked or hand.form.banked):
        yield from _shown(hand, notes, seat, cards, dropped=False)
        if seat not in hand.live:
            return
    # What lies open since it was dealt (stud) need not be turned up.
    up = hand.felt.up[seat]
    shown = hand.showdown.table(seat, (*cards, *filter(is_known, up)) if up else cards)
    bets.judge_set(hand, notes, seat)
    if len(shown) < hand.hole:
        hand.find(
            notes,
            "not-all-tabled",
            "hand",
            seat=seat,
            case="hand",
        )


def _lie_open(hand: Hand, notes: Notes, seat: int, cards: tuple[Card, ...]) -> Consequences:
    """These cards lie open at the seat. One that was not dealt there, all faces being known, is out of
    place.
    """
    held, place = hand.felt.cards[seat], seat_place(seat)
    others = []
    for card in cards:
        before = hand.felt.places.get(card)
        yield from faces.record(hand, notes, card, place)
        if card == UNKNOWN or card in held:
            continue
        if UNKNOWN in held:
            hand.felt.name(seat, card)
        elif len(held) < hand.hole:
            hand.felt.give(seat, card, notes.basis)
        elif before is None and card in hand.felt.places:
            others.append(card)
    if others:
        hand.find(notes, "card-out-of-place", "not-dealt", args={"seat": seat}, seat=seat, cards=others)


def expose(hand: Hand, notes: Notes, event: Expose) -> Consequences:
    """A player shows a card of a hand that is live, before the betting is over (68)."""
    seat, card = event.seat, event.card
    held = hand.felt.cards.get(seat)
    if held is None or seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
        return
    yield from faces.record(hand, notes, card, seat_place(seat))
    if card != UNKNOWN:
        hand.felt.turn_over(card)
        if card not in held and UNKNOWN in held:
            hand.felt.name(seat, card)
    if hand.street == "showdown" or upcards.face_up(hand):
        return
    yield from _shown(hand, notes, seat, (card,), dropped=event.dropped)


def _shown(hand: Hand, notes: Notes, seat: int, cards: tuple[Card, ...], *, dropped: bool) -> Consequences:
    """Cards of a live hand lie open before the betting is over: by book that kills it."""
    hand.find(
        notes,
        "exposed-card",
        cause="player",
        seat=seat,
        cards=[card for card in cards if card != UNKNOWN],
    )
    kills = hand.book.expose_kills
    whole = all(card in hand.felt.open_cards for card in hand.felt.cards[seat])
    if not dropped and (kills == "card" or (kills == "hand" and whole)):
        hand.find(
            notes,
            "dead-hand",
            cause="exposed",
            seat=seat,
        )
        yield Kill(seat)


def muck(hand: Hand, notes: Notes, event: Muck) -> Consequences:
    """The seat's cards go to the muck."""
    seat, betting = event.seat, hand.round
    if seat not in hand.live:
        return NONE
    if betting.to_act is not None:
        if seat == betting.aggressor and seat != betting.to_act and betting.unfinished is None:
            return _bettor_mucks(hand, notes, seat)
        rounds.declare(hand, notes, seat, "fold", None)
    elif len(hand.live) > 1 and all_in_button.must_be_seen(hand, seat, notes.basis):
        all_in_button.thrown_away(hand, notes, seat)
    elif len(hand.live) > 1:
        _gives_up(hand, notes, seat)
    return NONE


def _gives_up(hand: Hand, notes: Notes, seat: int) -> None:
    """The seat gives up its claim to the pots, if its tabled hand does not win all the same."""
    if hand.street == "showdown" and _wins(hand, seat):
        wins = hand.book.mucked_winner == "wins"
        hand.find(notes, "winner-mucked", "wins" if wins else "floor", seat=seat)
        if wins:
            return
    if seat in hand.showdown.tabled and not payment.whole(hand, hand.showdown.tabled[seat]):
        hand.find(
            notes,
            "dead-hand",
            "not-tabled",
            cause="mixed",
            seat=seat,
            case="not-tabled",
            remedy=("call-floor",),
        )
    hand.drop(seat)
    hand.round.note(seat, "muck")


def mixed(hand: Hand, notes: Notes, event: Mixed) -> Consequences:
    """The cards of the seat cannot be distinguished from others any more: its hand is dead, what was called
    stays, an uncalled bet goes back (65-A).
    """
    seat = event.seat
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
        return NONE
    hand.find(
        notes,
        "dead-hand",
        cause="mixed",
        seat=seat,
    )
    hand.drop(seat)
    if seat == hand.round.aggressor:
        rounds.return_uncalled(hand, notes)
    return (Kill(seat),)


def ask(hand: Hand, notes: Notes, event: Ask) -> None:
    """At showdown a seat asks to see the hand of another (18)."""
    seat, other = event.seat, event.other
    if hand.street != "showdown" or seat not in hand.felt.cards or other not in hand.felt.cards:
        notes.ignored = "A hand is asked for at the showdown, by a seat that was dealt in, of another one."
        return
    floor = hand.book.asking == "floor"
    if seat not in hand.live and not floor:
        hand.find(
            notes,
            "see-hand",
            args={"other": other},
            cause="none",
            seat=seat,
        )
    elif (
        hand.round.aggressor is not None
        and other == hand.round.aggressor
        and seat in hand.round.acted
        and not floor
    ):
        hand.find(
            notes,
            "see-hand",
            args={"other": other},
            cause="right",
            seat=seat,
        )
    else:
        hand.find(
            notes,
            "see-hand",
            args={"other": other},
            cause="floor",
            seat=seat,
        )


def end(hand: Hand, notes: Notes, event: End) -> None:
    """The hand is ended."""
    finish(hand, notes)


def finish(hand: Hand, notes: Notes) -> None:
    """Pay the pots, or close the hand as incomplete."""
    if hand.over:
        return
    if hand.form.banked:
        settling.settle(hand, notes, _deciding(hand, notes))
    elif len(hand.live) == 1:
        pot = hand.chips.pot()
        if pot:
            hand.chips.award(pot, {next(iter(hand.live)): hand.chips.after_rake(pot)})
    elif not hand.live:
        _incomplete(hand, notes, "no-hand")
    elif hand.round.to_act is not None:
        _incomplete(hand, notes, "betting", {"next": hand.round.to_act})
    elif not payment.board_complete(hand):
        _incomplete(hand, notes, "board")
    elif hand.street != "showdown":
        _incomplete(hand, notes, "cards")
    else:
        _award(hand, notes)
    doubts.at_the_end(hand, notes)
    hand.end("over")
    hand.chips.collect()


def _award(hand: Hand, notes: Notes) -> None:
    if hand.paid and hand.chips.could_pay(hand.paid):
        for amount, won in hand.paid:
            hand.chips.award(amount, won)
        return
    tabled = payment.whole_hands(
        hand, {seat: cards for seat, cards in hand.showdown.tabled.items() if seat in hand.live}
    )
    down = hand.live - tabled
    held = _deciding(hand, notes) if down else hand.felt.cards
    known = tabled | payment.whole_hands(hand, {seat: held[seat] for seat in down}) if down else tabled
    everyone = not tabled or (known == hand.live and upcards.face_up(hand))
    claims: list[Pot] = []
    for pot in pots(hand):
        seats = () if everyone else tuple([seat for seat in pot.seats if seat in tabled])
        if not seats:
            # One seat alone in a pot needs no cards to win it.
            seats = pot.seats if len(pot.seats) == 1 or known.issuperset(pot.seats) else ()
        if not seats:
            hidden = ", ".join(str(seat) for seat in sorted(set(pot.seats) - known))
            unread = not hand.veil.names or _sensed(hand, notes)
            _incomplete(hand, notes, "unread" if unread else "untabled", {"seats": hidden})
            return
        claims.append(Pot(pot.amount, seats))
    payment.pay_out(
        hand,
        notes,
        claims,
        {seat: hand.showdown.tabled[seat] if seat in tabled else held[seat] for seat in known},
    )


def _deciding(hand: Hand, notes: Notes) -> Mapping[int, Sequence[Card]]:
    """The cards before the seats, as far as they may decide who is paid: faces that only antennas know if
    nobody can have typed his way there, and of hands that antennas read whole.
    """
    if not hand.veil.names or not _sensed(hand, notes):
        return hand.felt.cards
    veil = hand.veil
    return {
        seat: list(map(veil.truth, cards)) if veil.read(cards) else cards
        for seat, cards in hand.felt.cards.items()
    }


def _sensed(hand: Hand, notes: Notes) -> bool:
    """Whether machines read every street and ended the hand."""
    board = chain(*hand.felt.boards)
    return (
        notes.basis not in TYPED
        and not hand.deal.streets_typed
        and hand.veil.opened.issuperset(map(face, board))
    )


def _incomplete(
    hand: Hand, notes: Notes, reason: str, args: Mapping[str, int | str] = MappingProxyType({})
) -> None:
    pot = hand.chips.pot()
    hand.leave_open(phrase("hand-incomplete", reason, args))
    if pot:
        hand.leave_open(f"The pot of {pot} was not awarded; its chips are counted back to their seats.")
    hand.give_all_back()
    hand.find(notes, "hand-incomplete", args={"reason": reason, **args})


def _bettor_mucks(hand: Hand, notes: Notes, seat: int) -> Consequences:
    hand.find(
        notes,
        "dead-hand",
        "bettor",
        seat=seat,
        case="bettor",
    )
    hand.drop(seat)
    rounds.return_uncalled(hand, notes)
    return (Kill(seat),)


def _wins(hand: Hand, seat: int) -> bool:
    """Whether the seat's tabled hand is the best of those tabled, as far as the board shows."""
    if (
        hand.form.banked
        or not payment.whole(hand, hand.showdown.tabled.get(seat, ()))
        or not payment.board_complete(hand)
    ):
        return False
    tabled = {other: cards for other, cards in hand.showdown.tabled.items() if other in hand.live}
    return seat in payment.best(hand, {other: tabled[other] for other in payment.whole_hands(hand, tabled)})
