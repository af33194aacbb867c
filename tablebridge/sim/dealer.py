"""The dealer and the players of the emulated table: they move cards, press buttons and speak; somebody types
what they say.

What the readers can see is done with the cards alone. What they cannot see, the words of the players and the
faces that are shown, is entered on the console as an operator would. A hand begins with the shuffler's button
and ends with the dealer's key.
"""

from typing import Final

import msgspec

from tablebridge.model.cards import DECK_52
from tablebridge.model.errors import LinkError
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, STUB, seat_place
from tablebridge.model.views import TableView
from tablebridge.sim.hands import Act, Board, GiveUp, Hand, Show, Step, Street
from tablebridge.sim.moves import Moves, cards_of

_BEGINS_WITHIN_S: Final = 5.0
_PRESSES: Final = 4


class Manner:
    """How a hand is dealt: the regular way. Each irregularity is a manner that differs in one thing."""

    def deck(self, dealer: "Dealer", order: list[str]) -> list[str]:
        """The tags of the deck from the top, for the given ones."""
        return order

    def pitches(self, hand: Hand) -> list[int]:
        """The seats that get a card, in order."""
        return [seat for seat, _ in hand.deal]

    def pitch(self, dealer: "Dealer", number: int, seat: int) -> None:
        """One card of the deal, the `number`th."""
        dealer.pitch(seat)

    def before(self, dealer: "Dealer", number: int, step: Step) -> bool:
        """Something happens before a step; False if it took the step's place."""
        return True

    def burns(self, street: Street) -> int:
        """How many cards are burned for a street."""
        return 1

    def after_street(self, dealer: "Dealer", street: Street) -> None:
        """The street lies on the board."""

    def over(self, dealer: "Dealer") -> None:
        """The hand is over; what was broken is repaired."""


class Played(msgspec.Struct, frozen=True):
    """What became of a hand: the picture of it just before the chips were pushed, and whether it was a
    misdeal.

    `unseen`: cards that the table did not see in time. `refused`: lines that it refused.
    """

    view: TableView
    void: bool
    unseen: int
    refused: tuple[str, ...]


class Dealer(Moves):
    """Deals one hand after another by `play`."""

    def play(self, hand: Hand, setup: tuple[str, ...], manner: Manner | None = None) -> Played:
        """Plays a hand from the setup lines to the empty table. Raises Stopped, and LinkError without the
        console.
        """
        manner = manner or Manner()
        self._unseen, refused = 0, len(self.console.refused)
        self.held = {seat: [] for seat in SEATS}
        self.board, self.burned, self.folded = [], [], []
        self.stub = manner.deck(self, self._ordered(hand))
        self.doing = "the deck is shuffled"
        before = self.console.view().hand
        if setup:
            self.console.write(*setup)
        self._stack_up(hand.stacks)
        self.table.put(reversed(self.stub), STUB)
        self._begin(before)
        void = not self._deal(hand, manner) or not self._steps(hand, manner)
        last = self.console.view()
        if not void:
            self.pace.wait(1.5, 3.0)
            self.keys.end()
            last = (
                self._until(lambda view: view.street in ("over", "void"), _BEGINS_WITHIN_S)
                or self.console.view()
            )
        manner.over(self)
        self._does("the cards are collected")
        self._collect()
        self._stack_up({player.seat: player.stack for player in self.console.view().seats})
        return Played(last, void, self._unseen, tuple(self.console.refused[refused:]))

    def _does(self, what: str) -> None:
        self.doing = f"hand {self.hand}: {what}"

    # A hand.

    def _begin(self, before: int) -> None:
        """The shuffler's button, pressed again if nothing comes of it. Raises LinkError in the end."""
        for _ in range(_PRESSES):
            self.keys.shuffler_done()
            view = self._until(lambda view: view.hand != before, _BEGINS_WITHIN_S)
            if view is not None:
                self.hand = view.hand
                return
        raise LinkError(
            "the table does not begin a hand when the shuffler's button is pressed; see the logs of the "
            "processes "
            "line and engine"
        )

    def _deal(self, hand: Hand, manner: Manner) -> bool:
        """The initial deal; False if it ended in a misdeal."""
        self._does("the cards are dealt")
        for number, seat in enumerate(manner.pitches(hand)):
            manner.pitch(self, number, seat)
            if self.pace.watching and self.console.view().street == "void":
                return False
            if self.pace.chance(0.3) and len(self.held[seat]) == len(hand.holes.get(seat, ())):
                self._peek(seat)
        self.pace.wait(0.8, 1.2)
        self.followed(lambda view: all(cards_of(view, seat) >= len(tags) for seat, tags in self.held.items()))
        return not self._void()

    def _steps(self, hand: Hand, manner: Manner) -> bool:
        """Everything after the deal; False if it ended in a misdeal."""
        for number, step in enumerate(hand.steps):
            if manner.before(self, number, step):
                self._step(step, manner)
            if self._void():
                return False
        return True

    def _step(self, step: Step, manner: Manner) -> None:
        match step:
            case Act(seat):
                self._does(f"seat {seat} acts")
                self.pace.think()
                if self.pace.chance(0.35):
                    self._peek(seat)
                self.act(step)
            case Board(street, cards):
                self._does(f"the {street} is dealt")
                self._sweep_bets()
                self.pace.wait(1.0, 2.0)
                for _ in range(manner.burns(street)):
                    self.burn()
                self.street(len(cards))
                self.followed(lambda view: len(view.board) >= len(self.board))
                manner.after_street(self, street)
                self.pace.wait(0.8, 1.2)
            case Show(seat):
                self._does(f"seat {seat} shows")
                self.pace.wait(0.6, 1.2)
                if self.held[seat]:
                    self.say(f"table {seat} {' '.join(self.card(tag) for tag in self.held[seat])}")
            case GiveUp(seat):
                self._does(f"seat {seat} gives up")
                self.pace.wait(0.6, 1.2)
                self.say(f"muck {seat}")
                self.fold(seat)

    def _peek(self, seat: int) -> None:
        place = seat_place(seat)
        self.bench.later(self.pace.seconds(0.1, 0.8), lambda: self.table.hold(place, None))
        self.bench.later(self.pace.seconds(1.6, 3.8), lambda: self.table.hold(place, "flat"))

    def _void(self) -> bool:
        return self.console.view().street == "void"

    def _ordered(self, hand: Hand) -> list[str]:
        """The deck from the top so that the hand's cards come, with burn cards that it does not name."""
        spare = [card for card in DECK_52 if card not in hand.known_cards()]
        self.rng.shuffle(spare)
        cards = [card for _, card in hand.deal]
        for step in hand.steps:
            if isinstance(step, Board):
                cards += [spare.pop(), *step.cards]
        return [self.deck[card] for card in cards + spare]

    def _collect(self) -> None:
        """All cards go into the shuffler."""
        self.pace.wait(1.0, 2.0)
        self.keys.all_in_away()
        self._sweep_bets()
        for place in (*map(seat_place, SEATS), BOARD, BURN, MUCK, STUB):
            self.table.take(self.table.lying(place))
