"""How a betting round begins: forced bets before the flop, then a fresh round with each street."""

from tablebridge.engine import betting, limits
from tablebridge.engine.hand import Hand


def start(hand: Hand) -> None:
    """Post antes and blinds and give the first seat its turn; also once more, for a button that is put right."""
    stakes, positions = hand.stakes, hand.positions
    for seat in hand.order:
        betting.pay(hand, seat, stakes.ante)
        hand.bet[seat] = 0
    if hand.book.short_big_blind == "ante-first":
        _ante_for_all(hand)
    hand.blinds_short = 0
    for seat, amount in ((positions.small, stakes.small), (positions.big, stakes.big)):
        if seat in hand.bet:
            betting.pay(hand, seat, amount)
            hand.blinds_short += amount - hand.bet[seat]
        elif hand.book.dead_blind_counts:
            hand.blinds_short += amount
    if hand.book.short_big_blind == "blind-first":
        _ante_for_all(hand)
    hand.actions = hand.chip_actions = 0
    hand.current = hand.level = stakes.big
    hand.least = limits.street_bet(hand)
    hand.raises = 1 if stakes.big > 0 else 0
    hand.began = len(hand.live)
    hand.turn_from = positions.big
    _fresh(hand)


def start_round(hand: Hand) -> None:
    """A street was dealt: all bets are in the pot, the first live seat left of the button begins."""
    for seat in hand.order:
        hand.bet[seat] = 0
    hand.current = hand.level = 0
    hand.least = limits.street_bet(hand)
    hand.pot_count = hand.pot_bet = None
    hand.raises = 0
    hand.aggressor = None
    hand.street_actions = 0
    hand.began = len(hand.live)
    hand.round_open = True
    hand.turn_from = hand.positions.button
    _fresh(hand)
    if hand.to_act is None:
        hand.round_open = False


def _ante_for_all(hand: Hand) -> None:
    """The big blind pays the ante of all, as far as its stack goes."""
    seat = hand.positions.big
    amount = min(hand.stakes.bb_ante, hand.stack[seat])
    hand.stack[seat] -= amount
    hand.dead_money += amount


def _fresh(hand: Hand) -> None:
    """Nobody has acted in the round: the first seat has its turn."""
    for marks in (hand.acted, hand.no_raise, hand.no_fold, hand.must_bet, hand.pulled):
        marks.clear()
    hand.pending.clear()
    hand.strays.clear()
    hand.fronts.clear()
    hand.skipped_told = False
    hand.motion = hand.declared = hand.undercall = None
    hand.to_act = betting.next_to_act(hand)
