"""Whether the stub has the cards for what is to come: the last street of stud, and draws.

| short of cards | stud: players, a burn and the last card are more than the stub | then |
| --- | --- | --- |
| with the burns it suffices | burns | merge the burns, cut, burn, deal (RP-10-H A) |
| three cards at least are left | community | burn, one community card for all (B) |
| fewer | few | merge the burns, cut, burn, one community card (C) |

In a draw the discards of the others are shuffled into the stub, and nobody gets an own one back, if the book
says nothing else: folded hands, burns and own discards may come back, too, or none at all.
"""

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.rulebooks.book import Rulebook


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


def short_draw(hand: Hand, notes: Notes, seat: int, wanted: int) -> None:
    """The seat wants more cards than there are, which are as many as it discarded."""
    book, there = hand.book, left(hand)
    dealt = there - (not book.draw_last_card)
    if dealt >= wanted:
        return
    text = "draw" if book.short_draw != "dealt-first" or dealt <= 0 else "draw-rest"
    hand.find(
        notes,
        "stub-short",
        "draw-floor" if book.short_draw == "floor" else f"{text}-own" if book.draw_own else text,
        args={"left": there, "wanted": wanted, "dealt": dealt},
        case="draw",
        remedy=_steps(book, dealt),
    )
    if book.short_draw != "floor":
        _come_back(hand, seat, wanted)


def _come_back(hand: Hand, seat: int, own: int) -> None:
    """What the book has shuffled into the stub is there again. `own`: the discards of the seat that draws."""
    book = hand.book
    again = hand.felt.shuffle_discards(0 if book.draw_own else own)
    if book.draw_own:
        hand.draws.get_back(seat)
    for folded in hand.draws.come_back(set(hand.order) - set(hand.live)) if book.draw_folded else ():
        cards = hand.felt.cards[folded]
        hand.felt.put_back(len(cards))
        again += [card for card in cards if card in hand.felt.places]
    for card in again:
        hand.forget(card)
    if book.draw_burns:
        hand.burns_go_back()


def _steps(book: Rulebook, dealt: int) -> tuple[str, ...]:
    """What is done about a draw for which the stub is too short. `dealt`: how many of its cards may be."""
    if book.short_draw == "floor":
        return ("call-floor",)
    first = ("deal-rest",) * (book.short_draw == "dealt-first" and dealt > 0)
    more = ("merge-folded",) * book.draw_folded + ("merge-burns",) * book.draw_burns
    return (*first, *more, *book.remedy("stub-short", "draw"))
