"""How a betting round goes on: whose turn it is after an action, what is done out of turn, and its end.

Theory. A seat has to act while it is live, has chips, and either has not acted in this round or has less in
front than the bet; except that the only seat with chips left need not act once it has matched what the others
have in front. The next to act is the first such seat after the one that acted last. When there is none, the
round is over, and what nobody called goes back to its owner. If the house says that nobody reports
the betting (`house betting untold`), nobody ever has to act.

An action out of turn waits for its turn: it binds if the bet is still the same then, and is taken back
otherwise; a fold binds at once (53-A, `out_of_turn.py`).
"""

from tablebridge.engine.betting import actions, forfeits, out_of_turn
from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.cards import stub, upcards
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.out_of_turn import Pending


def declare(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """A clear declaration by a seat, in turn or not."""
    to_act, unfinished = hand.round.to_act, hand.round.unfinished
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
    elif action == "fold" and unfinished is not None and unfinished.seat == seat:
        put = forfeits.forfeit(hand, unfinished)
        actions.drop(hand, seat)
        actions.record(hand, notes, seat, "fold", put)
        settle(hand, notes)
    elif to_act is None:
        _after_the_round(hand, notes, seat, action)
    elif seat == to_act:
        actions.act(hand, notes, seat, action, amount)
        settle(hand, notes)
    elif hand.chips.stack[seat] <= 0 and action != "fold":
        notes.ignored = f"Seat {seat} is all-in and has nothing to act on."
    else:
        _out_of_turn(hand, notes, seat, action, amount, to_act)


def settle(hand: Hand, notes: Notes) -> None:
    """Find whose turn it is; actions out of turn bind or go back when it is theirs; close the round."""
    betting, early = hand.round, hand.out_of_turn
    while not hand.over:
        to_act = next_to_act(hand)
        if to_act != betting.to_act:
            betting.turn_to(to_act)
            if early.strays:
                early.turn_moved()
        if not early.pending:
            break
        if hand.book.released_chips == "back":
            out_of_turn.release(hand, notes)
        waiting = early.waiting(betting.to_act)
        if waiting is None:
            break
        early.release(waiting)
        if not _turn_came(hand, notes, waiting):
            break
    if betting.to_act is not None:
        if not betting.open:
            betting.reopen()
    elif betting.open and not hand.over:
        _close_round(hand, notes)


def kill(hand: Hand, notes: Notes, seat: int) -> None:
    """The seat's hand is dead; what it bet stays in the pot."""
    hand.drop(seat)
    settle(hand, notes)


def return_uncalled(hand: Hand, notes: Notes) -> None:
    """What the highest bettor has in front above everybody else goes back to it (15-B, 21)."""
    returned = hand.chips.return_uncalled()
    if returned is None:
        return
    seat, excess = returned
    hand.round.lower_bet(hand.chips.bet[seat])
    notes.give_back(seat, excess)
    hand.find(notes, "uncalled-bet", args={"excess": excess}, seat=seat)


def _turn_came(hand: Hand, notes: Notes, waiting: Pending) -> bool:
    """It is the turn of a seat that acted before it: its action binds, or its chips are returned or stay.
    Returns whether it has acted now.
    """
    seat, betting, chips = waiting.seat, hand.round, hand.chips
    if betting.current == waiting.faced:
        hand.find(
            notes,
            "out-of-turn",
            cause="binding",
            seat=seat,
            remedy=(),
        )
        before = betting.turn_from, len(notes.ruled)
        actions.act(hand, notes, seat, waiting.action, waiting.amount)
        return (betting.turn_from, len(notes.ruled)) != before
    hand.find(
        notes,
        "out-of-turn",
        "chips-stay",
        cause="released",
        seat=seat,
    )
    if waiting.action in out_of_turn.WITH_CHIPS:
        chips.pay(seat, min(out_of_turn.held(hand, waiting), betting.current - chips.bet[seat]))
        if not chips.stack[seat]:
            # They were all that it had: there is nothing left to choose.
            actions.call(hand, notes, seat)
            return True
    return False


def _out_of_turn(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None, skipped: int) -> None:
    if action == "fold":
        hand.find(
            notes,
            "out-of-turn",
            "fold-binds",
            args={"skipped": skipped},
            cause="binding",
            seat=seat,
            remedy=("back-up-action",),
        )
        uncalled = seat == hand.round.aggressor
        _folded_early(hand, notes, seat)
        if uncalled:
            return_uncalled(hand, notes)
    else:
        hand.find(
            notes,
            "out-of-turn",
            args={"skipped": skipped},
            cause="pending",
            seat=seat,
        )
        total = hand.chips.whole(seat) if action == "allin" else amount
        hand.out_of_turn.wait(Pending(seat, action, total, hand.round.current))
    out_of_turn.count(hand, notes, seat, action, skipped)
    settle(hand, notes)


def _folded_early(hand: Hand, notes: Notes, seat: int) -> None:
    """A fold when it was not the seat's turn binds, and is no action of the round."""
    actions.drop(hand, seat)
    hand.round.fold_early(seat, hand.chips.bet[seat])
    notes.rule(seat, "fold", hand.chips.bet[seat])


def _after_the_round(hand: Hand, notes: Notes, seat: int, action: str) -> None:
    """An action when nobody has to act: only a fold can be meant."""
    if action == "fold" and len(hand.live) > 1:
        _folded_early(hand, notes, seat)
        settle(hand, notes)
        return
    notes.ignored = "Nobody has to act now."
    if action in ("bet", "raise", "allin"):
        hand.find(
            notes,
            "out-of-turn",
            "closed",
            cause="released",
            seat=seat,
            remedy=(),
        )


def _close_round(hand: Hand, notes: Notes) -> None:
    hand.round.close()
    hand.out_of_turn.drop_all()
    unraised_blind = (
        hand.street == hand.form.first.name and hand.round.aggressor is None and len(hand.live) < 2
    )
    if not unraised_blind:
        return_uncalled(hand, notes)
    if hand.street == hand.form.last.name and len(hand.live) > 1:
        hand.show_down()
        first = upcards.order(hand)[0]
        hand.find(notes, "show-order", seat=first)
    # If every stack has chips, no seat is all-in.
    all_in = 0 in hand.chips.stack.values()
    if (
        all_in
        and not hand.showdown.face_up_reported
        and upcards.face_up(hand)
        and any(seat not in hand.showdown.tabled for seat in hand.live)
    ):
        hand.showdown.report_face_up()
        hand.find(notes, "must-be-face-up")
    if len(hand.live) > 1:
        stub.short(hand, notes)
