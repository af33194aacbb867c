"""Hands dealt in a running session by a dealer who remembers what no machine told him: who was dealt what, and what lay open."""

import time
from random import Random

import msgspec

from tablebridge.model.cards import Card
from tablebridge.sim.dealer import Dealer, Manner, Played
from tablebridge.sim.game import BLINDS, BUY_IN, SEATED, Session
from tablebridge.sim.hands import Board, Hand, Show, Step, Street, random_hand


class Dealt(msgspec.Struct):
    """One hand as it truly was. `opened`: when each face came to lie open, by the monotonic clock; all others never did."""

    number: int
    hand: Hand
    began: float
    opened: dict[Card, float]
    pitched: float = 0.0
    played: Played | None = None

    @property
    def hidden(self) -> set[Card]:
        """The cards of the deal that nobody saw but their players."""
        return {card for hole in self.hand.holes.values() for card in hole} - set(self.opened)


class Deals:
    """Deals hands. `dealt`: all so far, the one under way last."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.rng = Random(seed)
        self.dealt: list[Dealt] = []
        self._button = SEATED[-1]
        self._stacks = dict.fromkeys(SEATED, BUY_IN)
        session.wait_table()

    def draw(self, *streets: Street, shows: int = 0) -> Hand:
        """A hand that gets to these streets and shows so many hands at least."""
        while True:
            hand = random_hand(self.rng, SEATED, self._button, BLINDS, self._stacks)
            got = [step.street for step in hand.steps if isinstance(step, Board)]
            if set(streets) <= set(got) and sum(isinstance(step, Show) for step in hand.steps) >= shows:
                return hand

    def play(self, hand: Hand | None = None, manner: Manner | None = None) -> Dealt:
        """Deals a hand to its end. Everybody buys in anew for each."""
        hand = hand or self.draw()
        dealt = Dealt(self.session.console.view().hand + 1, hand, time.monotonic(), {})
        self.dealt.append(dealt)
        setup = (f"button {hand.button}", "stacks " + " ".join(f"{seat}:{stack}" for seat, stack in hand.stacks.items()))
        dealt.played = self.session.dealer.play(hand, setup, _Watched(manner or Manner(), dealt))
        if not dealt.played.void:
            self._button = SEATED[(SEATED.index(self._button) + 1) % len(SEATED)]
        return dealt


class _Watched(Manner):
    """A manner of dealing, and notes of when a face came to lie open."""

    def __init__(self, manner: Manner, dealt: Dealt) -> None:
        self._manner = manner
        self._dealt = dealt

    def pitch(self, dealer: Dealer, number: int, seat: int) -> None:
        self._dealt.pitched = time.monotonic()
        self._manner.pitch(dealer, number, seat)

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if not self._manner.before(dealer, number, step):
            return False
        if isinstance(step, Board):
            self._dealt.opened.update(dict.fromkeys(step.cards, time.monotonic()))
        elif isinstance(step, Show):
            self._dealt.opened.update(dict.fromkeys(self._dealt.hand.holes[step.seat], time.monotonic()))
        return True

    def deck(self, dealer: Dealer, order: list[str]) -> list[str]:
        return self._manner.deck(dealer, order)

    def pitches(self, hand: Hand) -> list[int]:
        return self._manner.pitches(hand)

    def burns(self, street: Street) -> int:
        return self._manner.burns(street)

    def after_street(self, dealer: Dealer, street: Street) -> None:
        self._manner.after_street(dealer, street)

    def over(self, dealer: Dealer) -> None:
        self._manner.over(dealer)
