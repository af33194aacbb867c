"""A bet or raise of too few chips that its player may give up (FSPR, UNDER).

Theory. Such a bet is made good at once, and the round goes on from there. By some books its player may fold
instead, until somebody else acts: the chips that lie there stay in the pot, and the betting is as it was
before them.
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.parts.round import Standing, Unfinished


def standing(hand: Hand) -> Standing | None:
    """How the betting stands now, if the book lets a player give up a bet that is made good."""
    return hand.round.standing() if hand.book.undercall == "choice" else None


def made_good(hand: Hand, seat: int, put: int, before: Standing | None) -> None:
    """The seat put in `put`, its total for the round, which counts as what it has bet now."""
    if before is not None and put < hand.chips.bet[seat]:
        hand.round.made_good(seat, put, before)


def forfeit(hand: Hand, unfinished: Unfinished) -> int:
    """The seat gives up what it put in, which is returned; the rest of the bet was never there."""
    hand.round.restore(unfinished.before)
    hand.chips.forfeit(unfinished.seat, unfinished.put, min(unfinished.put, hand.round.current))
    return unfinished.put
