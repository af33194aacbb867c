"""What a player declares, in clear actions or in words (TDA 40 to 57).

Theory. Words are understood as a whole or not at all (`declarations`). An amount that can mean several is
ruled on by the pot. An amount said alone is the same as chips of that amount. A general word waits for its
chips, and binds meanwhile.
"""

from typing import Final

from tablebridge.engine.betting import actions, adjudicate, contradictions, limits, rounds, too_few_chips
from tablebridge.engine.betting.judging import Judged, judge
from tablebridge.engine.declarations import Said, understand
from tablebridge.engine.floor import clock
from tablebridge.engine.games.form import OF_THE_POT
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.events import Action, Clock, Say

_SHOWN: Final = 20
"""Letters of an unknown word that a sentence repeats."""
_WITHIN_THE_POT: Final = "within-the-pot"
_ABOVE_THE_POT: Final = "above-the-pot"
"""Why an amount that can mean several is taken as one of them."""


def action(hand: Hand, notes: Notes, event: Action) -> None:
    """A clear declaration."""
    seat, betting, amount = event.seat, hand.round, event.amount
    if seat == betting.to_act:
        put = 0 if amount is None and event.action != "allin" else _named(hand, event)
        actions.act(hand, notes, seat, event.action, amount)
        if put and betting.turn_from == seat and put > hand.chips.bet[seat]:
            # What was cut down, or was no raise, goes back.
            notes.give_back(seat, put - hand.chips.bet[seat])
        adjudicate.complete(hand, notes, seat, "words")
    elif seat not in hand.felt.cards:
        notes.ignored = f"Seat {seat} is not in the hand."
    elif event.action != "fold" and adjudicate.awaits_amount(hand, seat):
        adjudicate.acted_before_amount(hand, notes, seat)
    else:
        rounds.declare(hand, notes, seat, event.action, amount)


def say(hand: Hand, notes: Notes, event: Say) -> None:
    """A declaration in the player's words."""
    seat, said = event.seat, understand(event.words)
    if seat not in hand.live:
        notes.ignored = f"Seat {seat} has no live hand."
    elif said.meaning == "board":
        _plays_the_board(hand, notes, seat)
    elif said.unknown:
        notes.ignored = (
            f"“{said.unknown[:_SHOWN]}” is not understood, so nothing of what seat {seat} said is ruled on."
        )
    elif said.meaning == "time" and hand.round.to_act is not None:
        clock.called(hand, notes, Clock(hand.round.to_act))
    elif said.unreadable and seat == hand.round.to_act:
        hand.find(notes, "contradictory-bet", "no-number", seat=seat, case="words")
    elif said.meaning in ("none", "time") or hand.round.to_act is None:
        notes.ignored = "The words declare nothing that can bind now."
    elif said.meaning == "conditional":
        hand.find(
            notes,
            "invalid-declaration",
            cause="conditional",
            seat=seat,
        )
    elif adjudicate.awaits_amount(hand, seat):
        adjudicate.acted_before_amount(hand, notes, seat)
    elif seat != hand.round.to_act:
        _out_of_turn(hand, notes, seat, said)
    else:
        _in_turn(hand, notes, seat, said)


def _named(hand: Hand, event: Action) -> int:
    """The total for the round that a clear action names, as far as the stack goes."""
    everything = hand.chips.whole(event.seat)
    if event.action == "allin" and hand.chips.known(event.seat):
        return everything
    return min(event.amount or 0, everything)


def _plays_the_board(hand: Hand, notes: Notes, seat: int) -> None:
    if seat not in hand.showdown.tabled:
        hand.find(
            notes,
            "not-all-tabled",
            "board",
            seat=seat,
            case="board",
        )


def _in_turn(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    """Words of the seat that has to act."""
    if too_few_chips.of(hand, seat) is not None:
        actions.act(hand, notes, seat, said.meaning, None)
        adjudicate.complete(hand, notes, seat, "words")
    elif said.amount is not None:
        _amount(hand, notes, seat, said)
    elif said.least:
        _binding(hand, notes, seat, said.meaning, case="declared-raise" if said.meaning == "raise" else "")
    elif said.meaning == "half-pot" and hand.form.limit in OF_THE_POT:
        adjudicate.declared(hand, notes, seat)
        actions.act(hand, notes, seat, "raise" if hand.round.current else "bet", limits.half_pot(hand, seat))
        adjudicate.complete(hand, notes, seat, "words")
    elif said.meaning in ("bet", "raise", "pot", "half-pot"):
        _general(hand, notes, seat, said)
    else:
        # To complete is to raise a bring-in, and to call with the small blind.
        plain = said.meaning if said.meaning != "complete" else "call" if hand.form.button else "raise"
        if plain not in ("check", "call") or (plain == "call") == (hand.round.current > hand.chips.bet[seat]):
            adjudicate.declared(hand, notes, seat)
        actions.act(hand, notes, seat, plain, None)
        adjudicate.complete(hand, notes, seat, "words")


def _out_of_turn(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    """Words of a seat whose turn it is not."""
    if said.meaning not in ("bet", "raise", "pot", "half-pot", "amount", "complete"):
        rounds.declare(hand, notes, seat, said.meaning, None)
        return
    current = hand.round.current
    amount = None if said.amount is None else _meant(hand, seat, said)[0]
    kind = "raise" if current else "bet"
    if said.meaning == "pot" and hand.form.limit in OF_THE_POT:
        kind = "pot"
    if said.meaning == "half-pot" and hand.form.limit in OF_THE_POT:
        amount = limits.half_pot(hand, seat)
    if said.meaning == "amount" and amount is not None and amount <= current:
        kind = "call"
    rounds.declare(hand, notes, seat, kind, amount)


def _binding(hand: Hand, notes: Notes, seat: int, action: str, *, case: str = "") -> None:
    """The words bind to an action that has one amount only."""
    adjudicate.declared(hand, notes, seat, case=case)
    actions.act(hand, notes, seat, action, None)
    adjudicate.complete(hand, notes, seat, "words")


def _meant(hand: Hand, seat: int, said: Said) -> tuple[int, str | None]:
    """The total that an amount means, and how it was ruled if it could mean several (57)."""
    amount = said.amount or 0
    # What is said to come on top is so over a bet only.
    base = hand.round.current if said.more else 0
    least = hand.round.current + (hand.round.least if said.more else 0) or limits.street_bet(hand)
    valid = [base + meaning for meaning in said.meanings if base + meaning >= least]
    valid = [total for total in valid if total <= hand.chips.whole(seat)] or valid
    within = [total for total in valid if total <= hand.chips.pot()]
    # Who says "three fifty" names hundreds, and means no thousands that the pot does not suggest.
    total = within[-1] if within else valid[0] if valid and amount < 100 else base + amount
    if not valid or (said.clear and total == base + amount):
        return total, None
    return total, _WITHIN_THE_POT if within else _ABOVE_THE_POT


def _amount(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    """An amount was said, alone or with bet or raise."""
    amount, unclear = _meant(hand, seat, said)
    cause = "unclear-amount" if unclear else "declared"
    bet, current = hand.chips.bet[seat], hand.round.current
    if said.meaning in ("bet", "raise") or not current:
        case = "declared-raise" if said.meaning == "raise" and not unclear else ""
        adjudicate.declared(hand, notes, seat, cause, case, unclear)
        before = hand.round.standing(seat, bet)
        actions.act(hand, notes, seat, "raise" if said.meaning == "raise" else "bet", amount)
        contradictions.said(hand, before)
    elif current > bet and amount < min(current, hand.chips.whole(seat)):
        adjudicate.undercall(hand, notes, seat, amount)
        return
    else:
        put = max(amount - hand.counted.in_front(seat, bet), 0)
        judged = judge(hand, seat, (put,), spare=True)
        # No chips lie there yet that could go back.
        silent = Judged(judged.action, judged.total, 0, judged.cause, judged.case)
        before = hand.round.standing(seat, bet)
        adjudicate.carry_out(hand, notes, seat, silent, cause=cause, reason=unclear)
        contradictions.said(hand, before)
    adjudicate.complete(hand, notes, seat, "words")


def _general(hand: Hand, notes: Notes, seat: int, said: Said) -> None:
    """Bet, raise or pot without an amount: it binds to a valid bet or raise, the chips are to show which. In
    limit there is one amount only, unless an open pair allows another.
    """
    pot, limit = said.meaning in ("pot", "half-pot"), hand.form.limit
    if pot and limit in OF_THE_POT:
        _binding(hand, notes, seat, "pot")
        return
    if not pot and limit == "limit" and not hand.round.doubled and seat != hand.round.bringer:
        _binding(hand, notes, seat, said.meaning)
        return
    if pot:
        hand.find(
            notes,
            "invalid-declaration",
            cause="pot-in-no-limit",
            seat=seat,
        )
    elif said.meaning == "raise" and not hand.round.current:
        hand.find(
            notes,
            "invalid-declaration",
            "said-raise-without-bet",
            cause="raise-without-bet",
            seat=seat,
        )
    hand.bindings.declare(seat)
