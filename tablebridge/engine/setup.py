"""What stands between hands, and how a hand is set up from it: positions, stacks, the button's way.

The button is a dead button (TDA 32): what moves is the big blind, to the next seat that plays. The small
blind stands where the big blind stood and the button where the small blind stood, whether anybody sits there
or not. Heads-up the button is the small blind, and nobody is the big blind twice in a row when it comes to
that (TDA 34). A hand that was void is dealt again from the same positions, seats and stakes (TDA 35-C). Where
the button alone posts a blind it simply goes to the next seat; a game without a button leaves it where it
stands (TDA 11-C).
"""

from bisect import bisect_right
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tablebridge.engine.cards.shuffles import NOTHING, Memory
from tablebridge.engine.chips.inventory import Account
from tablebridge.engine.games import FORMS, Form
from tablebridge.model.findings import Finding
from tablebridge.model.places import Place
from tablebridge.rulebooks import Rulebook, load, parse, text_of

# A seat whose stack nobody reported has at least this; it is never shown.
UNKNOWN_STACK: Final = 10**12


class Positions(msgspec.Struct, frozen=True):
    """Where button and blinds stand. `small` and `big` are places: nobody need sit at the button's or the
    small blind's. In a game without them they are 0.
    """

    button: int
    small: int
    big: int


NO_BUTTON: Final = Positions(0, 0, 0)


class Stakes(msgspec.Struct, frozen=True):
    """Forced bets of one hand, in the smallest unit; and in limit games the small and the big bet."""

    small: int = 0
    big: int = 0
    ante: int = 0
    bb_ante: int = 0
    small_bet: int = 0
    big_bet: int = 0
    bring_in: int = 0


@dataclass(frozen=True, slots=True)
class Replay:
    """What a void hand leaves for its re-deal. `absent`, `penalty`: whose hands were to be killed."""

    positions: Positions
    seats: tuple[int, ...]
    stakes: Stakes
    absent: frozenset[int]
    penalty: frozenset[int]


class Verdict(msgspec.Struct, frozen=True):
    """What the shuffler said of the deck that is dealt in the hand of this number: that it is ready, that all
    is well with it (`passed`), and the faces that it misses.
    """

    hand: int
    ready: bool = False
    passed: bool = False
    missing: frozenset[str] = frozenset()


class Standing(msgspec.Struct):
    """Everything that outlives a hand, but for the rulebook and the game, which have names."""

    stakes: Stakes = Stakes()
    seats: tuple[int, ...] = ()
    stacks: dict[int, int] = {}
    everyone: int | None = None
    chips: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()
    penalty: frozenset[int] = frozenset()
    # Hands that seats still have to miss, and the offences that were confirmed against them, by kind.
    penalties: dict[int, int] = {}
    offences: dict[int, dict[str, int]] = {}
    # The deck, if another is named than the game's own.
    deck_named: str | None = None
    house: dict[str, str] = {}
    # What to call the players at the table and in public.
    names: dict[int, str] = {}
    public_names: dict[int, str] = {}
    # The button as given, used once; then it moves by itself.
    button: int | None = None
    last: Positions | None = None
    replay: Replay | None = None
    # The dealer's push has begun the next hand, and the stakes of a level reported since, which are of the
    # hand after it (23).
    pushed: bool = False
    next_stakes: Stakes | None = None
    hand_number: int = 0
    # A deck check and a shuffle are asked for only if this table reports such things at all.
    reports_checks: bool = False
    deck_checked: bool = False
    # The names of the decks whose last check passed, the latest last; "" for one that was checked without its
    # tags.
    checked: tuple[str, ...] = ()
    reports_shuffles: bool = False
    # The deck of the next hand was shuffled, and cut, before that hand began.
    shuffled: bool = False
    cut: bool = False
    memory: Memory = NOTHING
    # What the shuffler said of the deck in play and of the one for the next hand.
    verdicts: tuple[Verdict, ...] = ()
    # The chip tray, once it was read, the finding that stands, and which of its denominations were reported
    # to be out of play.
    tray: Account | None = None
    tray_finding: Finding | None = None
    tray_odd: frozenset[int] = frozenset()
    # What the house pays and takes is asked for only if this table reports it at all.
    pays_reported: bool = False
    # The dealers of this table put all-in buttons down.
    buttons_used: bool = False
    # The bets against the house for the next hand, by seat and box, and the tables by which boxes are paid.
    boxes: dict[int, dict[str, int]] = {}
    pay_tables: dict[str, dict[str, tuple[int, int]]] = {}
    # The floor was called, and that is not settled yet.
    called: bool = False
    lost: dict[str, frozenset[Place]] = {}
    device_findings: dict[str, Finding] = {}
    doubts: dict[str, Finding] = {}


class Setup(Standing):
    """Everything that outlives a hand. A copy (`copy`) is the ground from which the current hand can be
    folded again.
    """

    book: Rulebook = load("tda-2022")
    form: Form = FORMS["nlhe"]

    def kept(self) -> "KeptSetup":
        """The setup as it is kept on disk."""
        return KeptSetup(
            rulebook=self.book.name, house_rules=text_of(self.book), game=self.form.name, **_standing(self)
        )

    @property
    def deck(self) -> str:
        """Which deck should be on the table."""
        return self.deck_named or self.form.deck

    def copy(self) -> "Setup":
        """A setup of its own that says the same."""
        return replace(
            self,
            stacks=self.stacks.copy(),
            house=self.house.copy(),
            names=self.names.copy(),
            public_names=self.public_names.copy(),
            lost=self.lost.copy(),
            device_findings=self.device_findings.copy(),
            doubts=self.doubts.copy(),
        )

    @property
    def on_penalty(self) -> frozenset[int]:
        """Seats whose hands are killed, until somebody ends it or for a number of hands."""
        return self.penalty.union(self.penalties)

    def end_penalty(self, seat: int) -> None:
        """The seat has nothing to miss any more, nor in the hand that is dealt again."""
        self.penalty -= {seat}
        self.penalties = {other: left for other, left in self.penalties.items() if other != seat}
        if self.replay is not None:
            self.replay = dataclass_replace(self.replay, penalty=self.replay.penalty - {seat})

    def stack(self, seat: int) -> int:
        """What is in front of the seat at the start of the hand."""
        known = self.stacks.get(seat, self.everyone)
        return UNKNOWN_STACK if known is None else known

    def playing(self) -> tuple[int, ...]:
        """Seats that are entitled to a hand now: on the list, and with chips."""
        everyone = UNKNOWN_STACK if self.everyone is None else self.everyone
        return tuple([seat for seat in self.seats if self.stacks.get(seat, everyone) > 0])

    def next_positions(self, seats: tuple[int, ...] | None = None) -> Positions | None:
        """Button and blinds of the next hand, or None if fewer than two seats can play. `seats`: those,
        if known.
        """
        seats = self.playing() if seats is None else seats
        if len(seats) < self.form.least_seats:
            return None
        if not self.form.button:
            return NO_BUTTON
        if self.form.forced == "button-blind":
            return self._button_blind(seats)
        if self.button is not None:
            return positions_from(self.button, seats)
        if self.replay is not None:
            return self.replay.positions
        if self.last is None:
            return positions_from(seats[-1], seats)
        big = after(self.last.big, seats)
        if len(seats) == 2:
            other = after(big, seats)
            return Positions(other, other, big)
        if self.last.button == self.last.small:
            # Coming from heads-up: the seats before the new big blind take the blinds in their order.
            return Positions(before(before(big, seats), seats), before(big, seats), big)
        return Positions(self.last.small, self.last.big, big)

    def _button_blind(self, seats: tuple[int, ...]) -> Positions:
        """The button alone posts a blind; it goes to the next seat that plays."""
        if self.button is None and self.replay is not None:
            return self.replay.positions
        button = (
            self.button
            if self.button in seats
            else after(self.last.button if self.last else seats[-2], seats)
        )
        return Positions(button, 0, button)


class KeptSetup(Standing):
    """A setup as it is kept on disk. `house_rules`: a house rulebook as text, empty for any other."""

    rulebook: str = ""
    house_rules: str = ""
    game: str = ""

    def setup(self) -> Setup:
        """The setup that was kept. Raises ValueError for a rulebook that is wrong, KeyError for an unknown
        game.
        """
        book = parse(self.house_rules, self.rulebook) if self.house_rules else load(self.rulebook)
        return Setup(book=book, form=FORMS[self.game], **_standing(self)).copy()


def _standing(of: Standing) -> dict[str, Any]:
    return {field: getattr(of, field) for field in Standing.__struct_fields__}


def positions_from(button: int, seats: tuple[int, ...]) -> Positions:
    """The blinds for a button that stands at `button`, dead if nobody sits there."""
    if len(seats) == 2:
        small = button if button in seats else after(button, seats)
        return Positions(small, small, after(small, seats))
    small = after(button, seats)
    return Positions(button, small, after(small, seats))


def after(seat: int, seats: tuple[int, ...]) -> int:
    """The next of these seats, which ascend, clockwise from `seat`."""
    return seats[bisect_right(seats, seat) % len(seats)]


def before(seat: int, seats: tuple[int, ...]) -> int:
    """The next of these seats, which ascend, the other way round."""
    return next((other for other in reversed(seats) if other < seat), seats[-1])


def from_left_of(seat: int, seats: tuple[int, ...]) -> tuple[int, ...]:
    """These seats, which ascend, in order of play, beginning left of `seat`."""
    split = bisect_right(seats, seat)
    return seats[split:] + seats[:split]
