"""How a betting round goes on: whose turn it is after an action, what is done out of turn, and its end.

Theory. A seat has to act while it is live, has chips, and either has not acted in this round or has less in
front than the bet; except that the only seat with chips left need not act once it has matched what the others
have in front. The next to act is the first such seat after the one that acted last. When there is none, the
round is over, and what nobody called goes back to its owner. If the house says that nobody reports
the betting (`house betting untold`), nobody ever has to act.

An action out of turn waits for its turn: it binds if the bet is still the same then, and is taken back
otherwise; a fold binds at once (53-A, `out_of_turn.py`).
"""

from tablebridge.engine.betting import actions, all_in_button, out_of_turn, too_few_chips
from tablebridge.engine.betting.turns import next_after, next_to_act
from tablebridge.engine.cards import stub, upcards
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.out_of_turn import Pending


def declare(hand: Hand, notes: Notes, seat: int, action: str, amount: int | None) -> None:
    """A clear declaration by a seat, in turn or not."""
    to_act = hand.round.to_act
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
    elif to_act is None:
        _after_the_round(hand, notes, seat, action)
    elif seat == to_act:
        actions.act(hand, notes, seat, action, amount)
        settle(hand, notes)
    elif hand.chips.stack[seat] <= 0 and action != "fold":
        notes.ignored = f"Seat {seat} is all-in and has nothing to act on."
    elif hand.chips.stack[seat] <= 0 and all_in_button.must_be_seen(hand, seat, notes.basis):
        all_in_button.thrown_away(hand, notes, seat)
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
    too_few_chips.forfeit(hand, seat)
    hand.drop(seat)
    settle(hand, notes)


def all_in_and_called(hand: Hand, notes: Notes) -> None:
    """A round is over and a seat is all-in: hands come face up (16), or in hand-for-hand play all waits."""
    if hand.time.stops == "on" and upcards.all_in_and_called(hand):
        hand.time.hold("held")
        hand.find(notes, "hand-for-hand", cause="hold", remedy=("wait-instruction",))
    elif (
        not hand.showdown.face_up_reported
        and upcards.face_up(hand)
        and any(seat not in hand.showdown.tabled for seat in hand.live)
    ):
        hand.showdown.report_face_up()
        hand.find(notes, "must-be-face-up")


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
    if waiting.called:
        out_of_turn.may_change(hand, notes, waiting)
        return False
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


def stands_unless_changed(hand: Hand, notes: Notes, seat: int) -> None:
    """A seat acts while the action of another is that seat's to change: behind it, the action stands."""
    action = hand.out_of_turn.changeable
    if action is None:
        return
    hand.out_of_turn.let_change(None)
    if action.seat == hand.round.to_act and seat == next_after(hand, action.seat):
        actions.act(hand, notes, action.seat, action.action, action.amount)
        settle(hand, notes)


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
        called = seat in hand.out_of_turn.called
        hand.out_of_turn.wait(Pending(seat, action, total, hand.round.current, called))
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
        # Who has done nothing but post may still give the pot to a blind that is all-in.
        posted = hand.street == hand.form.first.name and seat not in hand.round.acted
        if not posted and all_in_button.must_be_seen(hand, seat, notes.basis):
            all_in_button.thrown_away(hand, notes, seat)
            return
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
    betting, early, several = hand.round, hand.out_of_turn, len(hand.live) > 1
    betting.close()
    if early.pending or early.changeable is not None:
        early.drop_all()
    unraised_blind = not several and betting.aggressor is None and hand.street == hand.form.first.name
    if not unraised_blind:
        return_uncalled(hand, notes)
    if several and hand.street == hand.form.last.name:
        hand.show_down()
        first = upcards.order(hand)[0]
        hand.find(notes, "show-order", seat=first)
    # If every stack has chips, no seat is all-in.
    if 0 in hand.chips.stack.values():
        all_in_and_called(hand, notes)
    if several:
        stub.short(hand, notes)
