"""Table games against the house: whose hand is better, and whether the house's hand plays at all. No bets are
followed.

The hand of the house lies at the last seat of the list. What comes of it stands with each seat as its last
word. In pai gow the two cards of the low hand are tabled first, then the five of the high one; who wins one
of them only has a draw, and equal hands are the house's.
"""

from collections.abc import Mapping, Sequence

from tablebridge.engine.hand import Hand
from tablebridge.engine.showdown import payment
from tablebridge.engine.showdown.ranking import qualifies, rank
from tablebridge.model.cards import Card, face, is_known

_PLAYS_ALWAYS = "pai-gow"


def settle(hand: Hand, held: Mapping[int, Sequence[Card]]) -> None:
    """Say of each hand that is known how it stands against the one of the house. `held`: the cards that lie
    down, as far as they may decide.
    """
    house = hand.order[-1]
    theirs = _ranks(hand, house, held)
    if theirs is None:
        return
    plays = hand.form.name == _PLAYS_ALWAYS or qualifies(hand.form.name, theirs[0])
    hand.round.note(house, "qualifies" if plays else "does not qualify")
    for seat in hand.order[:-1]:
        ours = _ranks(hand, seat, held) if seat in hand.live else None
        if ours is not None:
            hand.round.note(seat, _against(ours, theirs, copies=hand.form.name == _PLAYS_ALWAYS))


def _against(ours: Sequence[int], theirs: Sequence[int], *, copies: bool) -> str:
    """`copies`: equal hands are the house's."""
    won = sum(mine < its for mine, its in zip(ours, theirs, strict=True))
    lost = sum(mine > its or (copies and mine == its) for mine, its in zip(ours, theirs, strict=True))
    return "wins" if won > lost else "loses" if lost > won else "draws"


def _ranks(hand: Hand, seat: int, held: Mapping[int, Sequence[Card]]) -> list[int] | None:
    """The ranks of the seat's hand, in each way of ranking; None if its cards are not known."""
    cards = hand.showdown.tabled.get(seat, ()) or held[seat]
    if len(hand.form.rankings) > 1:
        return _set(hand, cards)
    if not payment.whole(hand, cards) or not payment.board_complete(hand):
        return None
    value = rank(hand.form.rankings[0], map(face, cards), map(face, hand.felt.board))
    return None if value is None else [value]


def _set(hand: Hand, cards: Sequence[Card]) -> list[int] | None:
    """The high hand and the low one, as they were set."""
    known = [face(card) for card in cards if is_known(card) or card == "joker"]
    if len(known) != hand.hole or len(set(known)) != len(known):
        return None
    high, low = hand.form.rankings
    return [value for value in (rank(high, known[2:]), rank(low, known[:2])) if value is not None]
