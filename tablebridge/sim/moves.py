"""Single moves of the dealer and the players of the emulated table, from which hands and irregularities
are made.

With a watching pace the dealer waits after each card until the table has seen it, as a dealer does who
glances at a screen, and squares up a card that is not seen. It never waits for ever: a card that cannot be
seen is dealt all the same.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, Protocol

from tablebridge.model.cards import Card
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, Place, bet_place, seat_place, stack_place
from tablebridge.model.views import TableView
from tablebridge.sim.bench import Bench
from tablebridge.sim.chips import Bank, chips_for
from tablebridge.sim.console import Console
from tablebridge.sim.hands import Act
from tablebridge.sim.pace import Pace
from tablebridge.sim.table import Table

SEEN_WITHIN_S: Final = 0.35
"""A watching dealer squares up a card that the table has not seen after this time."""
SQUARED_UP: Final = 14
"""This often a card is squared up before the deal goes on without it."""
_LIFTED_S: Final = 0.06
EXPECTED_WITHIN_S: Final = 5.0
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


class Moves:
    """`deck`: the tag of each card. `foreign`: the tag of a card of another deck. `chips`: tagged chips and
    what they are worth; with some, calls, bets and raises are made with them and not in words.
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
        self.doing = ""
        """What goes on at the table, in a few words; empty before the first hand."""
        self.board: list[str] = []
        self.burned: list[str] = []
        self.folded: list[int] = []
        self._card_of = {tag: card for card, tag in deck.items()}
        self._unseen = 0

    def card(self, tag: str) -> Card:
        """The face of a tag of this deck."""
        return self._card_of[tag]

    def pitch(self, seat: int) -> None:
        """The next card of the deck flies to a seat."""
        tag = self.stub.pop(0)
        self.fly([tag], seat_place(seat))
        self.held[seat].append(tag)
        self.pace.wait(0.3, 0.9)
        count = len(self.held[seat])
        self.seen([tag], seat_place(seat), lambda view: cards_of(view, seat) >= count)

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
        """A watching dealer waits until the table has seen cards, squaring them up now and then; False if
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

    def followed(self, holds: Callable[[TableView], bool]) -> None:
        """A dealer who does not watch goes on when the table has seen what was dealt, or could have: words
        must not overtake cards on a machine that is busy.
        """
        if not self.pace.watching:
            self.console.follow(lambda view: holds(view) or view.street in ("void", "over"))

    def act(self, step: Act) -> None:
        """A player acts: in words, which are typed, or with chips; cards or the all-in button follow."""
        if self._bank is None or step.kind in ("fold", "check") or not self._push(self._bank, step):
            self.say(line_of(step))
        if step.kind == "fold":
            self.fold(step.seat)
        elif step.all_in:
            self.keys.all_in(step.seat)

    def _push(self, bank: Bank, step: Act) -> bool:
        """A player pushes chips forward without a word; False if the table did not take them for what they
        are meant.
        """
        view = self.console.view()
        seat, place = step.seat, bet_place(step.seat)
        me = next(player for player in view.seats if player.seat == seat)
        if view.to_act != seat:
            return False
        if step.kind == "call":
            chips = chips_for(min(view.to_call, me.stack))
        else:
            before = me.bet + view.to_call
            chips = chips_for(step.amount - me.bet, step.amount - before if before else None)
        tags = bank.take(chips)
        self._stack_up({seat: me.stack - bank.worth(tuple(tags))})
        self.fly(tags, place)
        self.pace.wait(0.5, 1.0)
        return self.seen(tags, place, lambda view: view.to_act != seat)

    def _stack_up(self, stacks: Mapping[int, int]) -> None:
        """Seats have stacks of this worth, as few chips as make it up."""
        bank = self._bank
        if bank is None:
            return
        for seat, amount in stacks.items():
            before = self.table.lying(stack_place(seat))
            if bank.worth(before) != amount:
                self.table.take(before)
                bank.back(before)
                self.table.put(bank.take(chips_for(max(0, amount))), stack_place(seat))

    def _sweep_bets(self) -> None:
        """The chips before the players go into the pot."""
        if self._bank is not None:
            for seat in SEATS:
                tags = self.table.lying(bet_place(seat))
                self.table.take(tags)
                self._bank.back(tags)

    def expect(self, finding: str, within_s: float = EXPECTED_WITHIN_S) -> bool:
        """Waits until the table has raised an alert in this hand; False if it has not."""
        passed_s = self.pace.stopwatch()
        while not self._raised(finding):
            if passed_s() > within_s:
                self.console.sync()
                return self._raised(finding)
            self.pace.pause(_LOOK_S)
        return True

    def _raised(self, finding: str) -> bool:
        return any(alert.finding == finding and alert.hand == self.hand for alert in self.console.alerts())

    def say(self, *lines: str) -> bool:
        """Somebody types lines."""
        return self.console.write(*lines)

    def _until(self, holds: Callable[[TableView], bool], within_s: float) -> TableView | None:
        self.pace.wait(0, 0)
        return self.console.until(holds, within_s)


def line_of(act: Act) -> str:
    """The line of table script for an action."""
    if act.all_in and act.kind in ("bet", "raise"):
        return f"allin {act.seat}"
    return f"{act.kind} {act.seat} {act.amount}" if act.kind in ("bet", "raise") else f"{act.kind} {act.seat}"


def cards_of(view: TableView, seat: int) -> int:
    """How many cards the table has seen at a seat."""
    return next((player.cards for player in view.seats if player.seat == seat), 0)
