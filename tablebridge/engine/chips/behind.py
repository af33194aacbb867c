"""Chips that are found behind an all-in (TDA 62).

Theory. They are chips that nobody counted: they stand beside those of the hand until the floor rules. It
fixes the bet of the seat: what that is above the all-in was part of it, and who called owes it as far as the
stack goes. What was no part is not paid off, and is the seat's again when the hand is over.
"""

from typing import Final

from tablebridge.engine.betting import rounds
from tablebridge.engine.chips import counting
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Kind, Notes
from tablebridge.model.chip_events import Behind

_MOST: Final = 10**12
"""More chips are not found at a table."""


def found(hand: Hand, notes: Notes, event: Behind) -> None:
    """Chips were found behind an all-in."""
    seat, chips = event.seat, tuple(chip for chip in event.chips if chip > 0)
    if seat not in hand.live or hand.chips.stack[seat] or not hand.chips.known(seat):
        notes.ignored = f"Seat {seat} is not all-in: no chips can be found behind it."
        return
    amount = sum(chips)
    if not chips or hand.chips.start[seat] + hand.chips.behind.get(seat, 0) + amount >= _MOST:
        notes.ignored = "No such number of chips is found behind an all-in."
        return
    counting.denominations(hand, notes, chips, seat)
    hand.chips.find_behind(seat, amount)
    hand.find(notes, "all-in-not-all-in", "chips-behind", seat=seat)


def may_be_ruled(hand: Hand, seat: int) -> bool:
    """Whether chips lie behind an all-in of this round that the floor can make a part of it."""
    chips = hand.chips
    return seat in chips.behind and seat in hand.live and not chips.stack[seat] and chips.bet[seat] > 0


def ruled(hand: Hand, notes: Notes, seat: int, kind: Kind, total: int) -> None:
    """The floor fixes the all-in of the seat: `total` is its bet for the round, of this `kind`."""
    chips, betting, before = hand.chips, hand.round, hand.chips.bet[seat]
    chips.play_behind(seat, max(total - before, 0))
    bet = chips.bet[seat]
    callers = [other for other in hand.live_order() if other != seat and chips.bet[other] == before]
    if bet > betting.current:
        betting.set_bet(bet, betting.least)
        for other in callers:
            chips.bring_to(other, bet)
    notes.rule(seat, kind, bet)
    if not betting.open:
        rounds.return_uncalled(hand, notes)
