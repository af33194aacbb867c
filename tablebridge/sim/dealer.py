"""The dealer and the players of the emulated table: they move cards, press buttons and speak; somebody types
what they say.

What the readers can see is done with the cards alone. What they cannot see, the words of the players and the
faces that are shown, is entered on the console as an operator would. A hand begins with the shuffler's button
and ends with the dealer's key.

With a watching pace the dealer waits after each card until the table has seen it, as a dealer does who
glances at a screen, and squares up a card that is not seen. It never waits for ever: a card that cannot be
seen is dealt all the same.
"""

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

import msgspec

from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.errors import LinkError
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, STUB, Place, bet_place, seat_place
from tablebridge.model.views import TableView
from tablebridge.sim.bench import Bench
from tablebridge.sim.chips import Bank, chips_for
from tablebridge.sim.console import Console
from tablebridge.sim.hands import Act, Board, GiveUp, Hand, Show, Step, Street
from tablebridge.sim.pace import Pace
from tablebridge.sim.table import Table

SEEN_WITHIN_S: Final = 0.35
"""A watching dealer squares up a card that the table has not seen after so long."""
SQUARED_UP: Final = 14
"""So often a card is squared up before the deal goes on without it."""
_LIFTED_S: Final = 0.06
EXPECTED_WITHIN_S: Final = 5.0
_BEGINS_WITHIN_S: Final = 5.0
_PRESSES: Final = 4
_LOOK_S: Final = 0.02


class Keys(Protocol):
    """The buttons and keys within the dealer's reach."""

    def shuffler_done(self) -> None:
        """The shuffler has a deck ready and its button is pressed: a hand begins."""

    def shuffler_counts(self, cards: int) -> None:
        """The shuffler reports how many cards it holds."""

    def end(self) -> None:
        """The dealer's key for the end of the hand."""

    def all_in(self, seat: int) -> None:
        """The all-in button is put before a seat."""

    def all_in_away(self) -> None:
        """All all-in buttons are taken away."""


class Manner:
    """How a hand is dealt. This is the regular way; each irregularity is a manner that differs in one thing."""

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
        """Something happens before a step; False where it took the step's place."""
        return True

    def burns(self, street: Street) -> int:
        """How many cards are burned for a street."""
        return 1

    def after_street(self, dealer: "Dealer", street: Street) -> None:
        """The street lies on the board."""

    def over(self, dealer: "Dealer") -> None:
        """The hand is over; what was broken is mended."""


class Played(msgspec.Struct, frozen=True):
    """What became of a hand: the picture of it just before the chips were pushed, and whether it was a
    misdeal.

    `unseen`: cards that the table did not see in time. `refused`: lines that it refused.
    """

    view: TableView
    void: bool
    unseen: int
    refused: tuple[str, ...]


class Dealer:
    """`deck`: the tag of each card. `foreign`: the tag of a card of another deck. `chips`: tagged chips and
    what they are worth; with some, calls, bets and raises are made with them and not in words. One hand after
    another by `play`.
    """

    def __init__(
        self,
        table: Table,
        bench: Bench,
        keys: Keys,
        console: Console,
        pace: Pace,
        deck: dict[Card, str],
        rng: Random,
        foreign: str = "",
        chips: dict[str, int] | None = None,
    ) -> None:
        self.table = table
        self.bench = bench
        self.keys = keys
        self.console = console
        self.pace = pace
        self.deck = deck
        self.rng = rng
        self.foreign = foreign
        self._bank = Bank(chips) if chips else None
        self.stub: list[str] = []
        """Tags from the top."""
        self.held: dict[int, list[str]] = {}
        self.hand = 0
        """The number of the hand under way, as the table counts."""
        self.board: list[str] = []
        self.burned: list[str] = []
        self.folded: list[int] = []
        self._card_of = {tag: card for card, tag in deck.items()}
        self._unseen = 0

    def play(self, hand: Hand, setup: tuple[str, ...], manner: Manner | None = None) -> Played:
        """Plays a hand from the setup lines to the empty table. Raises Stopped, and LinkError without the
        console.
        """
        manner = manner or Manner()
        self._unseen, refused = 0, len(self.console.refused)
        self.held = {seat: [] for seat in SEATS}
        self.board, self.burned, self.folded = [], [], []
        self.stub = manner.deck(self, self._ordered(hand))
        before = self.console.view().hand
        if setup:
            self.console.write(*setup)
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
        self._collect()
        return Played(last, void, self._unseen, tuple(self.console.refused[refused:]))

    def card(self, tag: str) -> Card:
        """The face of a tag of this deck."""
        return self._card_of[tag]

    # Single moves, of which manners are made as well.

    def pitch(self, seat: int) -> None:
        """The next card of the deck flies to a seat."""
        tag = self.stub.pop(0)
        self.fly([tag], seat_place(seat))
        self.held[seat].append(tag)
        self.pace.wait(0.3, 0.9)
        count = len(self.held[seat])
        self.seen([tag], seat_place(seat), lambda view: _seat(view, seat) >= count)

    def burn(self) -> None:
        """The next card goes to the burns."""
        tag = self.stub.pop(0)
        self.burned.append(tag)
        self.fly([tag], BURN)
        self.pace.wait(0.6, 1.0)
        due = len(self.burned)
        self.seen([tag], BURN, lambda view: sum(line.line.startswith("burn") for line in view.lines) >= due)

    def street(self, count: int) -> None:
        """The next cards go to the board in one go and are spread."""
        tags, self.stub = self.stub[:count], self.stub[count:]
        self.fly(tags, BOARD)
        self.board.extend(tags)
        self.pace.wait(0.8, 1.4)
        if count > 1:
            self.table.spread(BOARD)
        due = len(self.board)
        self.seen(tags, BOARD, lambda view: len(view.board) >= due)

    def fold(self, seat: int) -> None:
        """A seat's cards go to the muck."""
        tags, self.held[seat] = self.held[seat], []
        self.folded.append(seat)
        self.fly(tags, MUCK, 0.5, 1.5)

    def fly(self, tags: list[str], to: Place, low: float = 0.25, high: float = 0.45) -> None:
        """Cards leave where they are and land elsewhere after a human time."""
        seconds = self.pace.seconds(low, high)
        if seconds == 0:
            self.table.put(tags, to)
            return
        self.table.take(tags, over=to)
        self.bench.later(seconds, lambda: self.table.put(tags, to))

    def seen(self, tags: list[str], place: Place, holds: Callable[[TableView], bool]) -> bool:
        """A watching dealer waits until the table has seen cards, squaring them up now and then; False where
        it has not.
        """
        if not self.pace.watching:
            return True
        for tries in range(SQUARED_UP + 1):
            if self._until(lambda view: holds(view) or view.street in ("void", "over"), SEEN_WITHIN_S):
                return True
            if tries < SQUARED_UP:
                self.table.take(tags)
                self.pace.pause(_LIFTED_S)
                self.table.put(tags, place, spread=place == BOARD)
        self._unseen += 1
        return False

    def act(self, step: Act) -> None:
        """A player acts: in words, which are typed, or with chips; cards or the all-in button follow."""
        if self._bank is None or step.kind in ("fold", "check") or not self._push(self._bank, step):
            self.say(line_of(step))
        if step.kind == "fold":
            self.fold(step.seat)
        elif step.all_in:
            self.keys.all_in(step.seat)

    def _push(self, bank: Bank, step: Act) -> bool:
        """A player pushes chips forward without a word; False where the table did not take them for what they
        are meant.
        """
        view = self.console.view()
        seat, place = step.seat, bet_place(step.seat)
        me = next(one for one in view.seats if one.seat == seat)
        if view.to_act != seat:
            return False
        if step.kind == "call":
            chips = chips_for(min(view.to_call, me.stack))
        else:
            before = me.bet + view.to_call
            chips = chips_for(step.amount - me.bet, step.amount - before if before else None)
        tags = bank.take(chips)
        self.fly(tags, place)
        self.pace.wait(0.5, 1.0)
        return self.seen(tags, place, lambda view: view.to_act != seat)

    def _sweep_bets(self) -> None:
        """The chips before the players go into the pot."""
        if self._bank is not None:
            for seat in SEATS:
                tags = self.table.lying(bet_place(seat))
                self.table.take(tags)
                self._bank.back(tags)

    def expect(self, finding: str, within_s: float = EXPECTED_WITHIN_S) -> bool:
        """Waits until the table has raised an alert in this hand; False where it has not."""
        deadline = self.pace.now() + within_s
        while not any(
            alert.finding == finding and alert.hand == self.hand for alert in self.console.alerts()
        ):
            if self.pace.now() > deadline:
                return False
            self.pace.pause(_LOOK_S)
        return True

    def say(self, *lines: str) -> bool:
        """Somebody types lines."""
        return self.console.write(*lines)

    # A hand.

    def _begin(self, before: int) -> None:
        """The shuffler's button, pressed again where nothing comes of it. Raises LinkError in the end."""
        for _ in range(_PRESSES):
            self.keys.shuffler_done()
            view = self._until(lambda view: view.hand != before, _BEGINS_WITHIN_S)
            if view is not None:
                self.hand = view.hand
                return
        raise LinkError(
            "the table does not begin a hand when the shuffler's button is pressed; see the logs of the processes "
            "line and engine"
        )

    def _deal(self, hand: Hand, manner: Manner) -> bool:
        """The initial deal; False where it ended in a misdeal."""
        for number, seat in enumerate(manner.pitches(hand)):
            manner.pitch(self, number, seat)
            if self.pace.watching and self.console.view().street == "void":
                return False
            if self.pace.chance(0.3) and len(self.held[seat]) == len(hand.holes.get(seat, ())):
                self._peek(seat)
        self.pace.wait(0.8, 1.2)
        return not self._void()

    def _steps(self, hand: Hand, manner: Manner) -> bool:
        """Everything after the deal; False where it ended in a misdeal."""
        for number, step in enumerate(hand.steps):
            if manner.before(self, number, step):
                self._step(step, manner)
            if self._void():
                return False
        return True

    def _step(self, step: Step, manner: Manner) -> None:
        match step:
            case Act(seat):
                self.pace.think()
                if self.pace.chance(0.35):
                    self._peek(seat)
                self.act(step)
            case Board(street, cards):
                self._sweep_bets()
                self.pace.wait(1.0, 2.0)
                for _ in range(manner.burns(street)):
                    self.burn()
                self.street(len(cards))
                manner.after_street(self, street)
                self.pace.wait(0.8, 1.2)
            case Show(seat):
                self.pace.wait(0.6, 1.2)
                if self.held[seat]:
                    self.say(f"table {seat} {' '.join(self.card(tag) for tag in self.held[seat])}")
            case GiveUp(seat):
                self.pace.wait(0.6, 1.2)
                self.say(f"muck {seat}")
                self.fold(seat)

    def _peek(self, seat: int) -> None:
        place = seat_place(seat)
        self.bench.later(self.pace.seconds(0.1, 0.8), lambda: self.table.hold(place, None))
        self.bench.later(self.pace.seconds(1.6, 3.8), lambda: self.table.hold(place, "flat"))

    def _void(self) -> bool:
        return self.console.view().street == "void"

    def _until(self, holds: Callable[[TableView], bool], within_s: float) -> TableView | None:
        self.pace.wait(0, 0)
        return self.console.until(holds, within_s)

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


def line_of(act: Act) -> str:
    """The line of table script for an action."""
    if act.all_in and act.kind in ("bet", "raise"):
        return f"allin {act.seat}"
    return f"{act.kind} {act.seat} {act.amount}" if act.kind in ("bet", "raise") else f"{act.kind} {act.seat}"


def _seat(view: TableView, seat: int) -> int:
    return next((one.cards for one in view.seats if one.seat == seat), 0)
