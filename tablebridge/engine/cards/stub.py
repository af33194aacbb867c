"""Whether the stub has the cards for what is to come: the last street of stud, and draws.

| short of cards | stud: players, a burn and the last card are more than the stub | then |
| --- | --- | --- |
| with the burns it suffices | burns | merge the burns, cut, burn, deal (RP-10-H A) |
| three cards at least are left | community | burn, one community card for all (B) |
| fewer | few | merge the burns, cut, burn, one community card (C) |

In a draw the discards of the others are shuffled into the stub, and nobody gets an own one back.
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes


def left(hand: Hand) -> int:
    """How many cards the stub holds."""
    return len(hand.deck) - hand.felt.off_deck


def short(hand: Hand, notes: Notes) -> None:
    """The betting before a street is over: are there cards enough for a last card to each live seat?"""
    coming = hand.form.last
    if not coming.down + coming.up or hand.form.next(hand.street) is not coming:
        return
    wanted = len(hand.dealt_order()) * (coming.down + coming.up) + coming.burn * (not hand.burns.burned) + 1
    there = left(hand)
    if there >= wanted:
        return
    way = hand.book.short_stud
    suffice = there + hand.burns.count >= wanted and way != "always-community"
    case = "burns" if suffice else "community" if there >= 3 else "few"
    hand.felt.play_community(case != "burns" and way != "burns")
    if case != "community":
        hand.burns_go_back()
    hand.find(
        notes,
        "stub-short",
        "last-card",
        args={"there": there, "players": len(hand.live)},
        case=case,
    )


def short_draw(hand: Hand, notes: Notes, wanted: int, own: int) -> None:
    """A seat wants more cards than there are. `own`: how many of the discards are its own."""
    if left(hand) >= wanted:
        return
    hand.find(
        notes,
        "stub-short",
        "draw",
        args={"left": left(hand), "wanted": wanted},
        case="draw",
    )
    for card in hand.felt.shuffle_discards(own):
        hand.forget(card)
