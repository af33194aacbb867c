"""Words and chips of one bet that contradict (TDA 40-A).

Theory. An amount that was said is the bet, whatever chips come with it: they are counted later. But if the
next to call puts in no more than those chips, it has acted on the chips and not on the words. Then nobody is
held to the words: the bet is taken back, and the floor fixes it. What was called with is judged after that.

| the floor fixes the bet to | the chips that called it |
| --- | --- |
| no more than they are | are judged at their turn, as if they were put in now |
| more | stay with their seat, which is to act |
"""

from tablebridge.engine.betting import rounds
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.bindings import Answer
from tablebridge.engine.parts.round import Standing


def said(hand: Hand, before: Standing) -> None:
    """A seat said an amount. `before`: what stood before that; remembered if it was a bet or a raise."""
    if hand.round.aggressor == before.seat and hand.round.current > before.current:
        hand.bindings.say(before)


def called(hand: Hand, notes: Notes, seat: int, put: int, chips: tuple[int, ...]) -> bool:
    """Whether the seat, which puts in less than the call, acts on chips that contradict the words of the bet.
    `put`: its total for the round; `chips`: those of this motion.
    """
    before, betting = hand.bindings.said, hand.round
    if before is None or betting.aggressor != before.seat or hand.book.rule("contradictory-bet") is None:
        return False
    bettor, bets = before.seat, hand.chips.bet
    shown, declared = hand.counted.shown.get(bettor, (0, False))
    stands = bets[bettor] == betting.current and not any(
        bets[other] >= betting.current for other in hand.live if other != bettor
    )
    if not (declared and stands and put <= shown < bets[bettor]):
        return False
    hand.find(
        notes,
        "contradictory-bet",
        seat=bettor,
        args={"said": bets[bettor], "chips": shown},
    )
    hand.chips.bring_to(bettor, before.bet)
    betting.take_back_bet(before, hand.laps[bettor][-2])
    hand.bindings.wait_for_ruling(Answer(bettor, seat, chips))
    rounds.settle(hand, notes)
    return True
