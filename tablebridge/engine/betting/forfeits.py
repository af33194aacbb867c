"""A bet or raise of too few chips, where its player may give it up (FSPR, UNDER).

Theory. Such a bet is made good at once, and the round goes on from there. By some books its player may fold
instead, until somebody else acts: the chips that lie there stay in the pot, and the betting is as it was
before them.
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.parts.round import Standing, Unfinished


def standing(hand: Hand) -> Standing:
    """How the betting stands now."""
    return Standing(
        hand.round.current,
        hand.round.level,
        hand.round.least,
        hand.round.raises,
        hand.round.aggressor,
        frozenset(hand.round.answered),
        hand.round.actions,
        hand.round.chip_actions,
        hand.round.street_actions,
    )


def made_good(hand: Hand, seat: int, put: int, before: Standing) -> None:
    """The seat put in `put`, its total for the round, which counts as what it has bet now."""
    if hand.book.undercall == "choice" and put < hand.chips.bet[seat]:
        hand.round.unfinished = Unfinished(seat, put, before)


def forfeit(hand: Hand, unfinished: Unfinished) -> int:
    """The seat gives up what it put in, which is returned; the rest of the bet was never there."""
    seat, before = unfinished.seat, unfinished.before
    hand.round.current, hand.round.level, hand.round.least = before.current, before.level, before.least
    hand.round.raises, hand.round.aggressor, hand.round.answered = (
        before.raises,
        before.aggressor,
        set(before.answered),
    )
    hand.round.actions, hand.round.chip_actions, hand.round.street_actions = (
        before.actions,
        before.chip_actions,
        before.street_actions,
    )
    stays = min(unfinished.put, hand.round.current)
    hand.chips.stack[seat] += hand.chips.bet[seat] - unfinished.put
    hand.chips.paid[seat] -= hand.chips.bet[seat] - stays
    hand.chips.bet[seat] = stays
    if unfinished.put > stays:
        hand.chips.dead_chips[seat] = hand.chips.dead_chips.get(seat, 0) + unfinished.put - stays
    return unfinished.put
