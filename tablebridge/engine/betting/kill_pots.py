"""Kill pots: who won two pots in a row, or scooped a large one, posts a blind over the others and raises the
limits of the next pot (Robert's Rules of Poker, section 13).

Theory. A full kill is twice the big blind and doubles the bets of a limit game, a half kill is one and a half
times as much. The killer acts in its proper turn. The first pot of two, the leg, has no least size; the
second counts if its winner gained at least a bet beyond the blinds, and if the house names a least pot, if it
was as large. If a pot is divided, who has the button keeps it if it is among the winners; otherwise nobody
has it. In a game for high and low with a least pot, who wins all of a pot of that size kills the next one at
once.
"""

from typing import Final

from msgspec.structs import replace

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup, Stakes, chosen
from tablebridge.model.blind_events import Kill

_LEGS: Final = 2
_TIMES: Final = {"full": (2, 1), "half": (3, 2)}
"""By what a kill multiplies and divides the stakes."""


def placed(setup: Setup, notes: Notes, event: Kill) -> None:
    """The kill button lies before this seat, or before nobody."""
    if event.seat is not None and event.seat not in setup.seats:
        notes.ignored = f"Nobody sits at seat {event.seat}."
    else:
        setup.kill = None if event.seat is None else (event.seat, event.legs)


def killer(setup: Setup, seats: tuple[int, ...]) -> int | None:
    """The seat of these that kills the next pot."""
    kill = setup.kill
    if kill is None or setup.house.get("kill") not in _TIMES or not setup.form.button:
        return None
    return kill[0] if kill[1] >= _LEGS and kill[0] in seats else None


def killed(setup: Setup, stakes: Stakes) -> Stakes:
    """The stakes of a pot that is killed: the bets of limit are larger, the blinds what they are."""
    return replace(stakes, small_bet=_times(setup, stakes.small_bet), big_bet=_times(setup, stakes.big_bet))


def blind(setup: Setup, stakes: Stakes) -> int:
    """What the killer posts. `stakes`: those without a kill."""
    return _times(setup, stakes.big)


def after(setup: Setup, hand: Hand) -> None:
    """A hand is over: who has the kill button now."""
    if hand.street != "over" or setup.house.get("kill") not in _TIMES:
        return
    winners = [seat for seat, won in hand.chips.won.items() if won]
    holder = None if setup.kill is None else setup.kill[0]
    if len(winners) != 1:
        setup.kill = setup.kill if holder in winners else None
        return
    winner = winners[0]
    large, least = _is_large(hand, winner), chosen(setup.house, "kill-from")
    scooped = large and least is not None and len(hand.form.rankings) > 1
    legs = _LEGS if scooped or (holder == winner and large) else 1
    setup.kill = winner, legs


def _is_large(hand: Hand, winner: int) -> bool:
    """Whether a pot counts as the second one: its winner gained a bet beyond the blinds of the others, and
    the pot was as large as the house wants it.
    """
    stakes, positions, blinds = hand.stakes, hand.positions, hand.blind_bets
    forced = {positions.small: stakes.small, positions.big: stakes.big}
    if blinds.kill is not None:
        forced[blinds.kill[0]] = blinds.kill[1]
    others = sum(amount for seat, amount in forced.items() if seat != winner and seat in hand.order)
    gained = hand.chips.stack[winner] - hand.chips.start[winner]
    pot = sum(amount for amount, _ in hand.chips.payments)
    bet = stakes.small_bet if hand.form.limit == "limit" else stakes.big
    return gained - others >= bet and pot >= (chosen(hand.house, "kill-from") or 0)


def _times(setup: Setup, amount: int) -> int:
    times, over = _TIMES.get(setup.house.get("kill", ""), (1, 1))
    unit = setup.chips[0] if setup.chips else 1
    return amount * times // (over * unit) * unit
