"""How much may be bet: the least and the most of a bet or raise, and when the betting is open (TDA 43, 47,
48, 54).

| | no-limit | pot-limit | limit |
| --- | --- | --- | --- |
| least bet | the big blind | the big blind | the bet of the street, also over a bring-in |
| least raise | the largest bet or raise of the round | the same | the bet of the street |
| most | the stack | the pot after the call | the least; the big bet if an open pair allows it |
| short all-in counts as a raise | never | never | from half a bet |
| open again to who has acted | faced at least the least raise | the same | faced at least half a bet |
| the same, by some books | a full raise since it acted | the same | one of at least half a bet |
| raises per round | any number | any number | the house's cap, none when two are left in the event |
"""

from tablebridge.engine.cards import upcards
from tablebridge.engine.hand import Hand


def street_bet(hand: Hand) -> int:
    """The least bet that a round begins with."""
    stakes = hand.stakes
    if hand.form.limit != "limit":
        return max(stakes.big, 1)
    return max(stakes.big_bet if hand.form.street(hand.street).big_bet else stakes.small_bet, 1)


def least(hand: Hand) -> int:
    """The smallest total of a full bet or raise."""
    return hand.round.level + hand.round.least


def most(hand: Hand, seat: int) -> int:
    """The largest total that the seat may bet or raise to, its stack being the end of it."""
    everything = hand.chips.whole(seat)
    if hand.form.limit == "no-limit":
        return everything
    if hand.form.limit == "pot-limit":
        return min(everything, pot_bet(hand, seat))
    if hand.round.doubled:
        return min(everything, hand.round.level + max(hand.stakes.big_bet, hand.round.least))
    return min(everything, least(hand))


def pot_bet(hand: Hand, seat: int) -> int:
    """The total of a bet of the pot: the pot after the seat's call, on top of that call. Short blinds count
    in full (54-B).
    """
    current = hand.round.current
    pot = hand.chips.pot() + (hand.round.blinds_short if hand.street == hand.form.first.name else 0)
    return current + pot + max(current - hand.chips.bet[seat], 0)


def count(hand: Hand, total: int, *, all_in: bool) -> None:
    """Count a bet or raise to `total`: what later raises add, and are counted from; to whom the betting is
    open again.
    """
    betting, limit = hand.round, hand.form.limit == "limit"
    if _is_raise(hand, total, all_in=all_in):
        grows = not limit or betting.doubled
        added = max(betting.least, total - betting.level) if grows else betting.least
        betting.count_raise(total, added, full=True)
    elif not limit:
        counts = hand.book.over_short_all_in == "adds" or total >= least(hand)
        betting.count_raise(total if counts else betting.level, betting.least, full=False)


def _is_raise(hand: Hand, total: int, *, all_in: bool) -> bool:
    """Whether chips in all of `total` count as a bet or raise, short or not: in limit from half a bet. If
    only a full raise opens the betting, an all-in is measured by what it adds to the call.
    """
    betting = hand.round
    base = (
        betting.current
        if all_in and betting.raises and hand.book.reopened_by == "full-raise"
        else betting.level
    )
    added = total - base
    return added >= betting.least or (hand.form.limit == "limit" and 2 * added >= betting.least)


def open_again(hand: Hand, seat: int) -> bool:
    """Whether a seat that has acted may raise when it faces so much (47).

    A bring-in is no bet, and calling it answers none. So who has only called it faces the whole of an all-in
    over it, as `_is_raise` counts it whole: 47-B asks for half of a full bet, and the bet of the round is
    reckoned from nothing. An all-in that counts as the round's bet towards its cap is one that everybody may
    raise.
    """
    if hand.book.reopened_by == "full-raise":
        return seat not in hand.round.answered
    called = hand.chips.bet[seat]
    if called <= hand.stakes.bring_in and hand.street == hand.form.first.name:
        called = 0
    faced = hand.round.current - called
    return 2 * faced >= hand.round.least if hand.form.limit == "limit" else faced >= hand.round.least


def open_pair(hand: Hand) -> bool:
    """Whether a live hand shows a pair."""
    return any(upcards.pair(hand.felt.up[seat]) for seat in hand.live)


def undoubled(hand: Hand) -> bool:
    """Whether an open pair would double the bet in some rulebook, but not in this one (RP-10-F)."""
    return (
        hand.form.street(hand.street).pair_bet
        and not hand.round.doubled
        and open_pair(hand)
        and hand.book.open_pair == "no"
    )


def capped(hand: Hand) -> bool:
    """Whether the round has all the raises that the house allows (48), or was capped by a card that came too
    soon.
    """
    if hand.round.closed:
        return True
    if hand.form.limit != "limit":
        return False
    cap, book = hand.house.get("raise-cap", ""), hand.book
    if book.raise_cap:
        return hand.round.raises > book.raise_cap and (book.cap_heads_up or hand.round.began > 2)
    if not cap.isascii() or not cap.isdigit() or hand.house.get("event-players") == "2":
        return False
    return hand.round.raises > int(cap)
