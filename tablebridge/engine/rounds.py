"""How a betting round begins: antes and blinds, the bring-in, then a fresh round with each street.

Theory. In a game with blinds the first round begins with the hand, the seat left of the big blind first;
later rounds begin with the first live seat left of the button. In stud a round begins when the last card of
its street lies there.

| round | who opens it |
| --- | --- |
| first, stud | the lowest card that lies open, in razz and americana the highest, by suit: it has the bring-in to post |
| first, that seat all-in for its ante | by book: the next lowest card, or the seat to its left, which may also fold (RP-10-E) |
| first, that seat absent or on penalty | it posts the bring-in and is dead (30, 71-C); the next seat acts |
| later, stud | the high hand showing, in razz the low one |
| no open card is known | the first seat, until another one acts |
"""

from tablebridge.engine import betting, limits, showing
from tablebridge.engine.hand import Hand
from tablebridge.engine.turns import next_to_act


def start(hand: Hand) -> None:
    """Post antes and blinds and give the first seat its turn; also once more, for a button that is put right."""
    stakes, positions = hand.stakes, hand.positions
    if stakes.ante:
        for seat in hand.order:
            betting.pay(hand, seat, stakes.ante)
    hand.bet = dict.fromkeys(hand.order, 0)
    if stakes.bb_ante and hand.book.short_big_blind == "ante-first":
        _ante_for_all(hand)
    hand.blinds_short = 0
    for seat, amount in ((positions.small, stakes.small), (positions.big, stakes.big)):
        if seat in hand.bet:
            betting.pay(hand, seat, amount)
            hand.blinds_short += amount - hand.bet[seat]
        elif seat and hand.book.dead_blind_counts:
            hand.blinds_short += amount
    if stakes.bb_ante and hand.book.short_big_blind == "blind-first":
        _ante_for_all(hand)
    hand.actions = hand.chip_actions = 0
    # Whoever tells a small blind above the big one: nobody bets less than what lies there.
    hand.current = hand.level = max(stakes.big, stakes.small)
    hand.least = limits.street_bet(hand)
    hand.raises = 1 if stakes.big > 0 else 0
    hand.began = len(hand.live)
    hand.turn_from = positions.big
    _clear(hand)
    if hand.form.button:
        hand.to_act = next_to_act(hand)
    else:
        hand.street_dealt = False


def start_round(hand: Hand) -> None:
    """A street was dealt: all bets are in the pot, and who opens the round has its turn."""
    hand.bet = dict.fromkeys(hand.order, 0)
    hand.current = hand.level = 0
    hand.least = limits.street_bet(hand)
    hand.pot_count = hand.pot_bet = None
    hand.raises = 0
    hand.aggressor = None
    hand.street_actions = 0
    hand.began = len(hand.live)
    hand.round_open = hand.street_dealt = True
    hand.closed = False
    _clear(hand)
    _opens(hand)
    hand.to_act = next_to_act(hand)
    if hand.to_act is None:
        hand.round_open = False
        if hand.street == hand.form.last.name:
            hand.street = "showdown"


def opener_told(hand: Hand, seat: int | None = None) -> None:
    """Before the round's first action: a card that lies open became known, or, where none is, `seat` acts as
    its opener.
    """
    if (
        hand.street_actions
        or not hand.street_dealt
        or hand.form.button
        or hand.to_act is None
        or hand.pending
    ):
        return
    if seat is None:
        hand.bringer = None
        _opens(hand)
        hand.to_act = next_to_act(hand)
    elif hand.guessed and seat in hand.live and hand.stack[seat] > 0:
        hand.opener = hand.to_act = seat
        if hand.bringer is not None:
            hand.bringer = seat


def _opens(hand: Hand) -> None:
    """Find who opens the round, and with it after whom the turn goes round."""
    form = hand.form
    hand.doubled = bool(
        form.street(hand.street).pair_bet and hand.book.open_pair == "big-bet" and limits.open_pair(hand)
    )
    if form.button:
        hand.turn_from = hand.positions.button
        hand.opener = next(filter(hand.live.__contains__, hand.order), None)
        return
    first = hand.street == form.first.name
    opener = (
        _by_card(hand)
        if first
        else showing.by_hand(
            {seat: hand.up[seat] for seat in hand.live_order()}, low=form.opens == "low", low_ace=form.low_ace
        )
    )
    hand.guessed = opener is None and not hand.untold
    if opener is None:
        opener = next((seat for seat in hand.live_order() if hand.stack[seat] > 0), hand.order[0])
    hand.opener = opener
    place = hand.order.index(opener)
    hand.turn_from = hand.order[place - 1]
    if first and hand.stakes.bring_in and not hand.untold:
        _bring_in(hand, opener)


def _by_card(hand: Hand) -> int | None:
    """The seat whose open card has the bring-in, also one that is dead since nobody is there to post it."""
    shown = {seat: hand.up[seat] for seat in hand.order if seat in hand.live or seat in hand.away}
    if hand.book.bring_in_all_in == "next-card":
        shown = {seat: cards for seat, cards in shown.items() if hand.stack[seat] > 0}
    return showing.by_card(shown, highest=hand.form.forced == "high-card", low_ace=hand.form.low_ace)


def _bring_in(hand: Hand, opener: int) -> None:
    if opener in hand.away:
        betting.pay(hand, opener, hand.stakes.bring_in)
        hand.current = hand.stakes.bring_in
        hand.turn_from = opener
        return
    hand.may_decline = hand.stack[opener] <= 0
    hand.bringer = next_to_act(hand)


def _ante_for_all(hand: Hand) -> None:
    """The big blind pays the ante of all, as far as its stack goes."""
    seat = hand.positions.big
    amount = min(hand.stakes.bb_ante, hand.stack.get(seat, 0))
    if amount:
        hand.stack[seat] -= amount
        hand.dead_chips[seat] = amount


def _clear(hand: Hand) -> None:
    """Nobody has acted in the round."""
    hand.acted.clear()
    hand.answered.clear()
    if (
        hand.no_raise
        or hand.no_fold
        or hand.must_bet
        or hand.pulled
        or hand.pending
        or hand.strays
        or hand.fronts
    ):
        for marks in (
            hand.no_raise,
            hand.no_fold,
            hand.must_bet,
            hand.pulled,
            hand.pending,
            hand.strays,
            hand.fronts,
        ):
            marks.clear()
    hand.skipped_told = False
    hand.motion = hand.declared = hand.undercall = hand.bringer = hand.brought = None
