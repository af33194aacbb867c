"""Hands dealt in a running session by a dealer who remembers what no machine told him: who got what, and what
lay open.
"""

import time
from contextlib import closing
from random import Random

import msgspec

from tablebridge.engine.table import Table
from tablebridge.journal.read import entries, findings
from tablebridge.model.cards import Card
from tablebridge.model.events import Deal, End, Entry, Undo
from tablebridge.model.findings import Finding, Severity
from tablebridge.sim.dealer import Dealer, Manner, Played
from tablebridge.sim.emulated import BLINDS, BUY_IN, SEATED
from tablebridge.sim.hands import Board, Hand, Show, Step, Street, random_hand
from tablebridge.sim.session import Session


class Dealt(msgspec.Struct):
    """One hand as it truly was. `opened`: when each face came to lie open, by the monotonic clock; all others
    never did.
    """

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
        setup = (
            f"button {hand.button}",
            "stacks " + " ".join(f"{seat}:{stack}" for seat, stack in hand.stacks.items()),
        )
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


def recorded(
    session: Session, hand: int
) -> tuple[list[Entry], dict[int, tuple[Card, ...]], tuple[Card, ...]]:
    """What the journal says of a hand: its entries, and the cards of each seat and the board as they were at
    its end.

    Nothing in it stands twice: the state is folded from the entries by an engine of its own.
    """
    table, of_hand = Table("again"), []
    holes: dict[int, tuple[Card, ...]] = {}
    board: tuple[Card, ...] = ()
    with closing(session.journal()) as journal:
        for entry in entries(journal):
            table.apply(entry)
            if table.hand_number == hand:
                of_hand.append(entry)
                if isinstance(entry.event, End):
                    holes = {seat: tuple(table.cards_of(seat)) for seat in SEATED}
                    board = table.board
    return of_hand, holes, board


def faults_of(session: Session, dealt: Dealt) -> list[str]:
    """How the record of a hand differs from the hand; empty where it is the same."""
    of_hand, holes, board = recorded(session, dealt.number)
    wrong = [
        f"seat {seat}: the record has {len(holes.get(seat, ()))} cards of it, not these"
        for seat in dealt.hand.order
        if set(holes.get(seat, ())) != set(dealt.hand.holes[seat])
    ]
    streets = [set(step.cards) for step in dealt.hand.steps if isinstance(step, Board)]
    if [set(some) for some in (board[:3], board[3:4], board[4:]) if some] != streets:
        wrong.append("the board is another")
    undone = {entry.event.entry for entry in of_hand if isinstance(entry.event, Undo)}
    deals = [
        entry.event.card for entry in of_hand if isinstance(entry.event, Deal) and entry.id not in undone
    ]
    if len(deals) != len(set(deals)):
        wrong.append(f"{len(deals)} deals of {len(set(deals))} cards")
    return wrong


def findings_since(session: Session, record: int, *severities: Severity) -> list[Finding]:
    """What the engine noticed after a record of the journal, of warnings and above where nothing else is
    asked for.
    """
    with closing(session.journal()) as journal:
        return [
            finding
            for finding in findings(journal)
            if finding.severity in (severities or ("warning", "critical"))
            and int(finding.id.partition(".")[0]) > record
        ]
