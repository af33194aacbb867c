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

from tablebridge.engine.betting import actions, limits
from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.cards import upcards
from tablebridge.engine.hand import Hand


def start(hand: Hand) -> None:
    """Post antes and blinds and give the first seat its turn; also once more, for a button that is put right."""
    stakes, positions = hand.stakes, hand.positions
    if stakes.ante:
        for seat in hand.order:
            actions.pay(hand, seat, stakes.ante)
    hand.chips.bet = dict.fromkeys(hand.order, 0)
    if stakes.bb_ante and hand.book.short_big_blind == "ante-first":
        _ante_for_all(hand)
    hand.round.blinds_short = 0
    for seat, amount in ((positions.small, stakes.small), (positions.big, stakes.big)):
        if seat in hand.chips.bet:
            actions.pay(hand, seat, amount)
            hand.round.blinds_short += amount - hand.chips.bet[seat]
        elif seat and hand.book.dead_blind_counts:
            hand.round.blinds_short += amount
    if stakes.bb_ante and hand.book.short_big_blind == "blind-first":
        _ante_for_all(hand)
    hand.round.actions = hand.round.chip_actions = 0
    # Whoever tells a small blind above the big one: nobody bets less than what lies there.
    hand.round.current = hand.round.level = max(stakes.big, stakes.small)
    hand.round.least = limits.street_bet(hand)
    hand.round.raises = 1 if stakes.big > 0 else 0
    hand.round.began = len(hand.live)
    hand.round.turn_from = positions.big
    _clear(hand)
    if hand.form.button:
        hand.round.to_act = next_to_act(hand)
    else:
        hand.deal.begin_street()


def start_round(hand: Hand) -> None:
    """A street was dealt: all bets are in the pot, and who opens the round has its turn."""
    hand.chips.bet = dict.fromkeys(hand.order, 0)
    hand.round.current = hand.round.level = 0
    hand.round.least = limits.street_bet(hand)
    hand.round.pot_count = hand.round.pot_bet = None
    hand.round.raises = 0
    hand.round.aggressor = None
    hand.round.street_actions = 0
    hand.round.began = len(hand.live)
    hand.round.open = True
    hand.deal.end_street()
    hand.round.closed = False
    _clear(hand)
    _opens(hand)
    hand.round.to_act = next_to_act(hand)
    if hand.round.to_act is None:
        hand.round.open = False
        if hand.street == hand.form.last.name:
            hand.show_down()


def opener_told(hand: Hand, seat: int | None = None) -> None:
    """Before the round's first action: a card that lies open became known, or, where none is, `seat` acts as
    its opener.
    """
    if (
        hand.round.street_actions
        or not hand.deal.street_dealt
        or hand.form.button
        or hand.round.to_act is None
        or hand.round.pending
    ):
        return
    if seat is None:
        hand.round.bringer = None
        _opens(hand)
        hand.round.to_act = next_to_act(hand)
    elif hand.round.guessed and seat in hand.live and hand.chips.stack[seat] > 0:
        hand.round.opener = hand.round.to_act = seat
        if hand.round.bringer is not None:
            hand.round.bringer = seat


def _opens(hand: Hand) -> None:
    """Find who opens the round, and with it after whom the turn goes round."""
    form = hand.form
    hand.round.doubled = bool(
        form.street(hand.street).pair_bet and hand.book.open_pair == "big-bet" and limits.open_pair(hand)
    )
    if form.button:
        hand.round.turn_from = hand.positions.button
        hand.round.opener = next(filter(hand.live.__contains__, hand.order), None)
        return
    first = hand.street == form.first.name
    opener = (
        _by_card(hand)
        if first
        else upcards.by_hand(
            {seat: hand.felt.up[seat] for seat in hand.live_order()},
            low=form.opens == "low",
            low_ace=form.low_ace,
        )
    )
    hand.round.guessed = opener is None and not hand.untracked
    if opener is None:
        opener = next((seat for seat in hand.live_order() if hand.chips.stack[seat] > 0), hand.order[0])
    hand.round.opener = opener
    place = hand.order.index(opener)
    hand.round.turn_from = hand.order[place - 1]
    if first and hand.stakes.bring_in and not hand.untracked:
        _bring_in(hand, opener)


def _by_card(hand: Hand) -> int | None:
    """The seat whose open card has the bring-in, also one that is dead since nobody is there to post it."""
    shown = {seat: hand.felt.up[seat] for seat in hand.order if seat in hand.live or seat in hand.away}
    if hand.book.bring_in_all_in == "next-card":
        shown = {seat: cards for seat, cards in shown.items() if hand.chips.stack[seat] > 0}
    return upcards.by_card(shown, highest=hand.form.forced == "high-card", low_ace=hand.form.low_ace)


def _bring_in(hand: Hand, opener: int) -> None:
    if opener in hand.away:
        actions.pay(hand, opener, hand.stakes.bring_in)
        hand.round.current = hand.stakes.bring_in
        hand.round.turn_from = opener
        return
    hand.round.may_decline = hand.chips.stack[opener] <= 0
    hand.round.bringer = next_to_act(hand)


def _ante_for_all(hand: Hand) -> None:
    """The big blind pays the ante of all, as far as its stack goes."""
    seat = hand.positions.big
    amount = min(hand.stakes.bb_ante, hand.chips.stack.get(seat, 0))
    if amount:
        hand.chips.stack[seat] -= amount
        hand.chips.dead_chips[seat] = amount


def _clear(hand: Hand) -> None:
    """Nobody has acted in the round."""
    hand.round.acted.clear()
    hand.round.answered.clear()
    if (
        hand.round.no_raise
        or hand.round.no_fold
        or hand.round.must_bet
        or hand.round.pulled
        or hand.round.pending
        or hand.round.strays
        or hand.counted.fronts
    ):
        for marks in (
            hand.round.no_raise,
            hand.round.no_fold,
            hand.round.must_bet,
            hand.round.pulled,
            hand.round.pending,
            hand.round.strays,
            hand.counted.fronts,
        ):
            marks.clear()
    hand.round.skipped_reported = False
    hand.round.motion = hand.round.declared = hand.round.undercall = hand.round.bringer = (
        hand.round.brought
    ) = None
