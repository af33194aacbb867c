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

Half-pot is pot-limit with half of the pot as the most, cut to the smallest chip, but never less than the
least bet or raise.
"""

from tablebridge.engine.cards import upcards
from tablebridge.engine.games.form import OF_THE_POT
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
    everything, limit = hand.chips.whole(seat), hand.form.limit
    if limit == "no-limit":
        return everything
    if limit in OF_THE_POT:
        return min(everything, most_of_pot(hand, seat))
    if hand.round.doubled:
        return min(everything, hand.round.level + max(hand.stakes.big_bet, hand.round.least))
    return min(everything, least(hand))


def pot_bet(hand: Hand, seat: int) -> int:
    """The total of a bet of the pot: the pot after the seat's call, on top of that call. Short blinds count
    in full (54-B).
    """
    return hand.round.current + _pot_called(hand, seat)


def most_of_pot(hand: Hand, seat: int) -> int:
    """The total of the largest bet that the pot allows: of the pot, or in half-pot of half of it, cut to the
    smallest chip, but never less than the least bet.
    """
    if hand.form.limit == "pot-limit":
        return pot_bet(hand, seat)
    half = hand.round.current + _pot_called(hand, seat) // (2 * hand.unit) * hand.unit
    return max(half, least(hand))


def _pot_called(hand: Hand, seat: int) -> int:
    """The pot after the seat's call."""
    pot = hand.chips.pot() + (hand.round.blinds_short if hand.street == hand.form.first.name else 0)
    return pot + max(hand.round.current - hand.chips.bet[seat], 0)


def half_pot(hand: Hand, seat: int) -> int:
    """The total of a bet of half of the pot after the seat's call, on top of that call."""
    return hand.round.current + (pot_bet(hand, seat) - hand.round.current) // 2


def count(hand: Hand, total: int, *, all_in: bool) -> None:
    """Count a bet or raise to `total`: what later raises add, and are counted from; to whom the betting is
    open again. In limit it counts, short or not, from half a bet; if only a full raise opens the betting, an
    all-in is measured by what it adds to the call.
    """
    betting, limit = hand.round, hand.form.limit == "limit"
    level, full = betting.level, betting.least
    measured = all_in and betting.raises and hand.book.reopened_by == "full-raise"
    added = total - (betting.current if measured else level)
    if added >= full or (limit and 2 * added >= full):
        if (not limit or betting.doubled) and total - level > full:
            full = total - level
        betting.count_raise(total, full, full=True)
    elif not limit:
        counts = hand.book.over_short_all_in == "adds" or total >= level + full
        betting.count_raise(total if counts else level, full, full=False)


def open_again(hand: Hand, seat: int) -> bool:
    """Whether a seat that has acted may raise when it faces so much (47).

    A bring-in is no bet, and calling it answers none. So who has only called it faces the whole of an all-in
    over it, as `count` counts it whole: 47-B asks for half of a full bet, and the bet of the round is
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
