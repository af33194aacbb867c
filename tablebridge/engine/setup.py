"""What stands between hands, and how a hand is set up from it: positions and stacks.

Button and blinds go their way (`seating/positions.py`). A hand that was void is dealt again from the same
positions, seats and stakes (TDA 35-C). A game without a button leaves it where it stands (TDA 11-C).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tablebridge.engine.cards.shuffles import NOTHING, Memory
from tablebridge.engine.chips.inventory import Account
from tablebridge.engine.chips.race import Race
from tablebridge.engine.games import FORMS, Form, variant
from tablebridge.engine.seating.players import NOBODY, Seating
from tablebridge.engine.seating.positions import (
    NO_BUTTON,
    Positions,
    after,
    before_first,
    moved_on,
    positions_from,
)
from tablebridge.engine.shuffle_state import Cycle
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START, Instant
from tablebridge.model.places import Place
from tablebridge.rulebooks import Rulebook, load, parse, text_of

# A seat whose stack nobody reported has at least this; it is never shown.
UNKNOWN_STACK: Final = 10**12


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
    """What a void hand leaves for its re-deal. `absent`, `penalty`: whose hands were to be killed; `kill`:
    who kills the pot, with what; `bomb`: the ante of a bomb pot, and its boards.
    """

    positions: Positions
    seats: tuple[int, ...]
    stakes: Stakes
    absent: frozenset[int]
    penalty: frozenset[int]
    # What seats posted beside the blinds, live and dead.
    posts: dict[int, tuple[int, int]] = field(default_factory=dict)
    kill: tuple[int, int] | None = None
    bomb: tuple[int, int] | None = None


class Verdict(msgspec.Struct, frozen=True):
    """What the shuffler said of the deck that is dealt in the hand of this number: that it is ready, that all
    is well with it (`passed`), and the faces that it misses.
    """

    hand: int
    ready: bool = False
    passed: bool = False
    missing: frozenset[str] = frozenset()


class LevelClock(msgspec.Struct, frozen=True):
    """The clock of the level: `left_s` at `since`, which is None if it stands. `held`: it stands for
    hand-for-hand play alone. `early`: the next level was announced before it was at 0.
    """

    left_s: float
    since: Instant | None = None
    held: bool = False
    early: bool = False


class Pause(msgspec.Struct, frozen=True):
    """A break of `seconds` that began at `since`."""

    since: Instant
    seconds: int


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
    # Who deals, if anybody said.
    dealer: str = ""
    # Hands that the player in each seat was dealt into here; one that was void counts with its re-deal.
    hands_dealt: dict[int, int] = {}
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
    # By seat what its stack is worth at least and at most by the count since the last hand; and by how much a
    # count differs from the record beyond its error, with the finding that stands.
    stack_counts: dict[int, tuple[int, int]] = {}
    stack_findings: dict[int, tuple[int, Finding]] = {}
    # What the house pays and takes is asked for only if this table reports it at all.
    pays_reported: bool = False
    # The dealers of this table put all-in buttons down.
    buttons_used: bool = False
    # The bets against the house for the next hand, by seat and box, and the tables by which boxes are paid.
    boxes: dict[int, dict[str, int]] = {}
    pay_tables: dict[str, dict[str, tuple[int, int]]] = {}
    # The chips of seats as they were counted last, the chip race that is on or was decided last, and which
    # denominations have left play, each with that for which it is changed (24).
    chips_of: dict[int, dict[int, int]] = {}
    race: Race | None = None
    raced: dict[int, int] = {}
    # Markers for an exchange of chips, by seat.
    lammers: dict[int, int] = {}
    # Until when time was charged.
    charged_at: Instant | None = None
    # Before whom the kill button lies, and how many pots in a row that seat has won.
    kill: tuple[int, int] | None = None
    # The next hand is a bomb pot: what each seat antes, and on how many boards.
    bomb: tuple[int, int] | None = None
    # The dealer's shuffle, step by step.
    cycle: Cycle = Cycle()
    # The floor was called, and that is not settled yet.
    called: bool = False
    # What is known of players beside the hand.
    seating: Seating = NOBODY
    # The clock of the level, if the table has one; hand-for-hand play; a break that is announced for the end
    # of the hand, in seconds, and the break that is on.
    level_clock: LevelClock | None = None
    hand_for_hand: bool = False
    break_due: int = 0
    pause: Pause | None = None
    # When the last hand ended, and whether in a break.
    ended: Instant = START
    ended_in_break: bool = False
    # Seconds that are left of time banks, of seats that have used theirs.
    time_banks: dict[int, float] = {}
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
            rulebook=self.book.name,
            house_rules=text_of(self.book),
            game=self.form.name,
            house_game="" if self.form.name in FORMS else variant.text_of(self.form),
            **_standing(self),
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
        return self.penalty.union(self.penalties) if self.penalties else self.penalty

    def end_penalty(self, seat: int) -> None:
        """The seat has nothing to miss any more, nor in the hand that is dealt again."""
        self.penalty -= {seat}
        self.penalties = {other: left for other, left in self.penalties.items() if other != seat}
        if self.replay is not None:
            self.replay = dataclass_replace(self.replay, penalty=self.replay.penalty - {seat})

    def staked(self, stakes: tuple[int, int], blinds: tuple[int, int] | None = None) -> Stakes:
        """The stakes of a level. In limit games they are the bets, and the blinds half the small bet and the
        small bet unless given. Stud has none; if only the button posts a blind it is the second number.
        """
        first, second = max(stakes[0], 0), max(stakes[1], 0)
        form = self.form
        small, big = blinds or ((first // 2, first) if form.limit == "limit" else stakes)
        if form.forced != "blinds":
            small, big = 0, big if form.button else 0
        return replace(self.stakes, small=max(small, 0), big=max(big, 0), small_bet=first, big_bet=second)

    def counted(self, seats: tuple[int, ...]) -> None:
        """The players in these seats are dealt into a hand."""
        dealt = self.hands_dealt.copy()
        for seat in seats:
            dealt[seat] = dealt.get(seat, 0) + 1
        self.hands_dealt = dealt

    def stack(self, seat: int) -> int:
        """What is in front of the seat at the start of the hand."""
        known = self.stacks.get(seat, self.everyone)
        return UNKNOWN_STACK if known is None else known

    def playing(self) -> tuple[int, ...]:
        """Seats that are entitled to a hand now: on the list, with chips, and neither away nor waiting."""
        seated = self.with_chips()
        absent = self.seating.players
        return tuple([seat for seat in seated if seat not in absent]) if absent else seated

    def with_chips(self) -> tuple[int, ...]:
        """Seats that are taken by players with chips."""
        everyone = UNKNOWN_STACK if self.everyone is None else self.everyone
        return tuple([seat for seat in self.seats if self.stacks.get(seat, everyone) > 0])

    @property
    def cash(self) -> bool:
        """Whether a cash game is played, by the house's word or else the book's."""
        return self.house.get("format", self.book.format) == "cash"

    def before(self, seats: tuple[int, ...]) -> Positions:
        """The positions of the last hand; if the button was placed, or there was none, those that lead to it.
        `seats`: those that play. Who entered since does not count for them, who is away does (2.1).
        """
        if self.last is not None and self.button is None:
            return self.last
        new = {seat for seat, player in self.seating.players.items() if player.new}
        counted = tuple([seat for seat in self.with_chips() if seat not in new]) or seats
        return before_first(counted[-1] if self.button is None else self.button, counted)

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
        if self.replay is not None and self.button is None:
            return self.replay.positions
        placed = self.button is not None or self.last is None
        if placed and (len(seats) == 2 or not self.seating.players):
            return positions_from(seats[-1] if self.button is None else self.button, seats)
        return moved_on(self.before(seats), seats)

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
    """A setup as it is kept on disk. `house_rules`, `house_game`: a house rulebook and a house's own game as
    text, empty for any other.
    """

    rulebook: str = ""
    house_rules: str = ""
    game: str = ""
    house_game: str = ""

    def setup(self) -> Setup:
        """The setup that was kept. Raises ValueError for a rulebook or game that is wrong, KeyError for an
        unknown game.
        """
        book = parse(self.house_rules, self.rulebook) if self.house_rules else load(self.rulebook)
        form = variant.parse(self.house_game, FORMS) if self.house_game else FORMS[self.game]
        return Setup(book=book, form=form, **_standing(self)).copy()


def _standing(of: Standing) -> dict[str, Any]:
    return {field: getattr(of, field) for field in Standing.__struct_fields__}


def chosen(house: Mapping[str, str], key: str) -> int | None:
    """A number that the house chose, None if it chose none."""
    value = house.get(key, "")
    return int(value) if value.isascii() and value.isdigit() else None
