"""How a betting round begins: antes and blinds, the bring-in, then a fresh round with each street.

Theory. In a game with blinds the first round begins with the hand, the seat left of the big blind first;
later rounds begin with the first live seat left of the button. In stud a round begins when the last card of
its street lies there.

| round | who opens it |
| --- | --- |
| first, stud | the lowest open card by suit, in razz and americana the highest: it posts the bring-in |
| first, that one all-in for its ante | by book: the next lowest card, or its left, which may fold (RP-10-E) |
| first, that seat absent or on penalty | it posts the bring-in and is dead (30, 71-C); the next seat acts |
| later, stud | the high hand showing, in razz the low one |
| no open card is known | the first seat, until another one acts |
"""

from tablebridge.engine.betting import limits
from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.cards import upcards
from tablebridge.engine.hand import Hand


def post_blinds(hand: Hand) -> None:
    """Post antes and blinds and give the first seat its turn; again if the button is put right."""
    stakes, positions, chips = hand.stakes, hand.positions, hand.chips
    if stakes.ante:
        for seat in hand.order:
            chips.pay(seat, stakes.ante)
        chips.collect()
    if hand.blind_bets.bomb:
        _skip_first_round(hand)
        return
    if stakes.bb_ante and hand.book.short_big_blind == "ante-first":
        chips.pay_dead(positions.big, stakes.bb_ante)
    short = 0
    for seat, amount in ((positions.small, stakes.small), (positions.big, stakes.big)):
        if seat in chips.bet:
            short += amount - chips.pay(seat, amount)
        elif seat and hand.book.dead_blind_counts:
            short += amount
    if stakes.bb_ante and hand.book.short_big_blind == "blind-first":
        chips.pay_dead(positions.big, stakes.bb_ante)
    # If somebody enters a small blind above the big one, nobody bets less than what lies there.
    hand.round.begin_hand(
        hand.form.first.name,
        max(stakes.big, stakes.small),
        limits.street_bet(hand),
        raises=1 if stakes.big > 0 else 0,
        short=short,
        live=len(hand.live),
        after=positions.big,
    )
    for seat, (live, dead) in hand.entries.posts.items():
        chips.pay(seat, live)
        chips.pay_dead(seat, dead)
    if hand.blind_bets.kill is not None:
        _kill(hand, *hand.blind_bets.kill)
    _nobody_has_acted(hand)
    if hand.form.button:
        hand.round.turn_to(next_to_act(hand))
    else:
        hand.deal.begin_street()


def _skip_first_round(hand: Hand) -> None:
    """A bomb pot: no blinds, and nobody acts before the flop."""
    hand.round.begin_hand(
        hand.form.first.name,
        0,
        limits.street_bet(hand),
        raises=0,
        short=0,
        live=len(hand.live),
        after=hand.positions.button,
    )
    _nobody_has_acted(hand)
    hand.round.skip(hand.live)
    hand.round.turn_to(None)


def _kill(hand: Hand, seat: int, amount: int) -> None:
    """The killer posts its blind over the others, a blind of its own included. It acts in its turn."""
    hand.chips.pay(seat, amount - hand.chips.bet[seat])
    if amount > hand.round.current:
        hand.round.set_bet(amount, max(hand.round.least, amount))


def start_round(hand: Hand) -> None:
    """A street was dealt: all bets are in the pot, and who opens the round has its turn."""
    betting, chips = hand.round, hand.chips
    if any(chips.bet.values()):
        chips.collect()
    betting.begin_street(hand.street, limits.street_bet(hand), live=len(hand.live))
    hand.deal.end_street()
    _nobody_has_acted(hand)
    _opens(hand)
    betting.turn_to(next_to_act(hand))
    if betting.to_act is None:
        betting.close()
        if hand.street == hand.form.last.name:
            hand.show_down()


def opener_known(hand: Hand) -> None:
    """A card that lies open became known: find the opener again, if nobody has acted in the round."""
    if _opener_may_change(hand):
        hand.round.wait_for_bring_in(None)
        _opens(hand)
        hand.round.turn_to(next_to_act(hand))


def opener_acts(hand: Hand, seat: int) -> None:
    """A seat acts. If no open card is known and nobody has acted in the round, this seat is its opener."""
    betting = hand.round
    if _opener_may_change(hand) and betting.guessed and seat in hand.live and hand.chips.stack[seat] > 0:
        betting.opens(seat, betting.turn_from, guessed=True)
        betting.turn_to(seat)
        if betting.bringer is not None:
            betting.wait_for_bring_in(seat)


def _opener_may_change(hand: Hand) -> bool:
    """Whether the round's opener follows from open cards, and nobody has acted since the street was dealt."""
    return not (
        hand.round.street_actions
        or not hand.deal.street_dealt
        or hand.form.button
        or hand.round.to_act is None
        or hand.out_of_turn.pending
    )


def _opens(hand: Hand) -> None:
    """Find who opens the round, and with it after whom the turn goes round."""
    form, betting = hand.form, hand.round
    doubled = form.open > 0 and _doubled(hand)
    if doubled != betting.doubled:
        betting.double(doubled)
    if form.button:
        betting.opens(next(filter(hand.live.__contains__, hand.order), None), hand.positions.button)
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
    guessed = opener is None and not hand.untracked
    if opener is None:
        opener = next((seat for seat in hand.live_order() if hand.chips.stack[seat] > 0), hand.order[0])
    betting.opens(opener, hand.order[hand.order.index(opener) - 1], guessed=guessed)
    if first and hand.stakes.bring_in and not hand.untracked:
        _bring_in(hand, opener)


def _doubled(hand: Hand) -> bool:
    """Whether a pair that lies open allows the big bet."""
    pair_bet = hand.form.street(hand.street).pair_bet and hand.book.open_pair == "big-bet"
    return pair_bet and limits.open_pair(hand)


def _by_card(hand: Hand) -> int | None:
    """The seat whose open card has the bring-in, also one that is dead since nobody is there to post it."""
    shown = {seat: hand.felt.up[seat] for seat in hand.order if seat in hand.live or seat in hand.away}
    if hand.book.bring_in_all_in == "next-card":
        shown = {seat: cards for seat, cards in shown.items() if hand.chips.stack[seat] > 0}
    return upcards.by_card(shown, highest=hand.form.forced == "high-card", low_ace=hand.form.low_ace)


def _bring_in(hand: Hand, opener: int) -> None:
    if opener in hand.away:
        hand.chips.pay(opener, hand.stakes.bring_in)
        hand.round.bring_in(hand.stakes.bring_in, None)
        hand.round.turn_after(opener)
        return
    hand.round.wait_for_bring_in(next_to_act(hand), may_decline=hand.chips.stack[opener] <= 0)


def _nobody_has_acted(hand: Hand) -> None:
    """What was said, announced, pushed forward and done out of turn before binds nobody any more."""
    hand.announced_pot.clear()
    hand.bindings.clear()
    hand.out_of_turn.clear()
    hand.counted.begin_round()
