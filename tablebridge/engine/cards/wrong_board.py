"""What is wrong with a street on the board: flops that go back, flops of a wrong number of cards, further
cards.

Theory. By some books a flop of too many cards, or without a burn, goes back into the stub. What the table
does with one without a burn is seen by what comes next:

| next | then |
| --- | --- |
| burn, another flop | it went back |
| an action, or the floor's ruling to play on | it lies there; a burn reported since was its own |
| the turn | it lies there; a burn reported since is that of the turn |
| another flop after no bet, in the club before significant action | it goes back, and bets with it |
"""

from tablebridge.engine.cards import faces
from tablebridge.engine.consequences import Consequences
from tablebridge.engine.hand import BESIDE, Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.places import BOARD


def goes_back(hand: Hand, notes: Notes, board: list[Card], cards: tuple[Card, ...]) -> None:
    """The flop goes back into the stub, which is shuffled and cut; it is burned for and dealt again."""
    if len(cards) > hand.form.street("flop").board:
        flop_count(hand, notes, cards)
    hand.felt.clear_board(board)
    for card in cards:
        hand.forget(card)
    hand.felt.put_back(len(cards))
    if len(cards) > hand.form.street("flop").board:
        hand.burns_go_back()
    else:
        hand.burns.flop_goes(cards)
    hand.take_back_to(hand.form.first.name)


def may_still_go(hand: Hand, cards: tuple[Card, ...]) -> bool:
    """Whether these cards are another flop in the place of one without a burn, on which the table acted, in
    time.
    """
    if hand.street != "flop" or not hand.burns.burned or any(card in hand.felt.board for card in cards):
        return False
    return (
        hand.round.street_actions < 2
        if hand.book.misdeal_until == "two-acted"
        else not any(hand.chips.bet.values())
    )


def take_back(hand: Hand, notes: Notes) -> None:
    """The flop goes back after all, with the bets that were made on it."""
    for seat in hand.order:
        if hand.chips.bet[seat]:
            notes.give_back(seat, hand.chips.take_back_bet(seat))
    for card in hand.felt.board:
        hand.forget(card)
    hand.felt.put_back(len(hand.felt.board))
    hand.felt.clear_board(hand.felt.board)
    hand.take_back_to(hand.form.first.name)
    hand.round.stop()


def rabbit_hunt(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """One hand is left, which wins without further cards."""
    hand.felt.draw_off(len(cards))
    known = [card for card in cards if card != UNKNOWN]
    yield from faces.record_open(hand, notes, known, BOARD)
    hand.find(
        notes,
        "rabbit-hunt",
        args={"street": name},
        cards=known,
    )


def flop_count(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> None:
    cause = "too-few" if len(cards) < 3 else "four-cards" if len(cards) == 4 else "too-many"
    hand.find(notes, "flop-count", args={"count": len(cards)}, cause=cause, cards=cards)


def extra(hand: Hand, street: str, count: int) -> str:
    several = count > 1 and ("extra-board-card", "several") in hand.book.remedies
    return "several" if several else "river" if street == "river" else ""


def beside(hand: Hand) -> list[Card]:
    """The further cards that came with this street and lie beside the board."""
    return hand.felt.at(BESIDE)


def shuffled_in(hand: Hand, notes: Notes) -> None:
    """Further cards go back into the stub if the book says so, and may come again."""
    if "return-to-stub" in notes.findings[-1].remedy:
        for card in beside(hand):
            hand.forget(card)
            hand.felt.put_back(1)
