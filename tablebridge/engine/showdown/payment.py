"""Who gets which pot: the hands that claim it, ranked in each way that the game has, on each board that was
dealt.

Theory. A pot is divided between the boards, odd chips one each from the first board on; on each board between
the high and the low hand where the game has both, the high one having the odd chip (20-C); and then among
equal hands, the odd chip to the first of the order: from the button's left (20-A), in stud by the high card
of the five that play and its suit (20-B).
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from tablebridge.engine.cards import upcards
from tablebridge.engine.chips.pots import Pot, divide
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.felt import run_due
from tablebridge.engine.showdown import wild
from tablebridge.engine.showdown.ranking import playing, ranks
from tablebridge.model.cards import FACES, Card, faces

Hands = Mapping[int, Sequence[Card]]
Sides = list[dict[int, int]]

_KNOWN = {kind: FACES | cards for kind, cards in wild.CARDS.items()}
"""The faces that a deck can have, by which of them are wild."""


def whole(hand: Hand, cards: Sequence[Card]) -> bool:
    """Whether these can be a hand, as in `whole_hands`."""
    return bool(whole_hands(hand, {0: cards}))


def whole_hands(hand: Hand, hands: Hands) -> set[int]:
    """The seats of those that can be a hand: the right number of known cards, and none that also lies on a
    board.
    """
    due, common = hand.hole, faces(chain(*hand.felt.boards))
    known = _KNOWN[hand.form.wild]
    found = set()
    for seat, cards in hands.items():
        own = faces(cards)
        if len(cards) == due == len(own) and own <= known and own.isdisjoint(common):
            found.add(seat)
    return found


def board_complete(hand: Hand) -> bool:
    """Whether all boards are complete, their faces known, and none of them there twice."""
    if run_due(hand.felt):
        return False
    due = hand.due_board
    known = _KNOWN[hand.form.wild]
    for board in hand.felt.boards:
        lies = faces(board)
        if not (len(board) == due == len(lies) and lies <= known):
            return False
    return True


def sides(hand: Hand, hands: Hands, board: Sequence[Card]) -> Sides:
    """The ranks of these hands with the board, for each way of ranking; who does not qualify has none."""
    return [ranks(ranking, hands, board) for ranking in hand.form.rankings]


def best(hand: Hand, hands: Hands) -> set[int]:
    """The seats that win anything with these hands, whatever the pots."""
    ranked = [side for board in hand.felt.boards for side in sides(hand, hands, board) if side]
    return {seat for side in ranked for seat, value in side.items() if value == min(side.values())}


def pay_out(hand: Hand, notes: Notes, claims: Sequence[Pot], hands: Hands) -> None:
    """Pay each pot to the best of the seats that claim it. `hands`: the cards of those that are known."""
    dealt = hand.felt.boards
    ranked = [sides(hand, hands, board) for board in dealt]
    had_odd: list[int] = []
    for pot in claims:
        left = hand.chips.after_rake(pot.amount)
        if len(pot.seats) == 1:
            hand.chips.award(pot.amount, {pot.seats[0]: left})
            continue
        won: dict[int, int] = {}
        for board, of_board, amount in zip(dealt, ranked, _parts(left, len(dealt), hand.unit), strict=True):
            orders = [_order(hand, hands, board, ranking, had_odd) for ranking in hand.form.rankings]
            for seat, share in _divide(
                hand, notes, Pot(amount, pot.seats), of_board, orders, had_odd
            ).items():
                won[seat] = won.get(seat, 0) + share
        hand.chips.award(pot.amount, won)


def _parts(amount: int, boards: int, unit: int) -> list[int]:
    """What each board is worth: odd chips go out one each from the first board on, and with the first what is
    less than a chip.
    """
    each = amount // (boards * unit) * unit
    odd, rest = divmod(amount - each * boards, unit)
    return [each + (unit if at < odd else 0) + (rest if at == 0 else 0) for at in range(boards)]


def _divide(
    hand: Hand, notes: Notes, pot: Pot, ranked: Sides, orders: Sequence[Sequence[int]], had_odd: list[int]
) -> dict[int, int]:
    """What each seat gets of a pot, or of a board's part of it."""
    together = hand.book.both_ways == "whole-pot"
    payment = divide(pot, ranked, orders, hand.unit, together=together)
    if not payment.odd:
        return payment.won
    low = len(ranked) > 1 and any(seat in ranked[1] for seat in pot.seats)
    halves = low and len(payment.won) > 1 and pot.amount % (2 * hand.unit) > 0
    moved = hand.book.odd_chip_once and any(seat in had_odd for seat in pot.seats)
    for number, (seat, amount) in enumerate(payment.odd):
        by_suit = hand.form.odd == "suit" and hand.book.odd_chip_stud == "suit"
        case = "high-low" if halves and number == 0 else "moved-on" if moved else "stud" if by_suit else ""
        reason = case or ("button" if hand.form.button else "order")
        hand.find(
            notes,
            "odd-chip",
            args={"amount": amount, "reason": reason},
            seat=seat,
            case=case,
        )
        had_odd.append(seat)
    return payment.won


def _order(
    hand: Hand, hands: Hands, board: Sequence[Card], ranking: str, had_odd: Sequence[int]
) -> Sequence[int]:
    """Who comes first for odd chips. If nobody gets two, a seat that had one comes last."""
    order: Sequence[int] = hand.order
    if hand.form.odd == "suit" and hand.book.odd_chip_stud == "suit":
        five = {
            seat: [Card(card) for card in playing(ranking, cards, board)] for seat, cards in hands.items()
        }
        by_suit = upcards.suit_order(five)
        order = [*by_suit, *(seat for seat in hand.order if seat not in by_suit)]
    moved = had_odd if hand.book.odd_chip_once else ()
    if not moved:
        return order
    return [*(seat for seat in order if seat not in moved), *(seat for seat in order if seat in moved)]
