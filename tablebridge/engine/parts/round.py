"""The betting round: whose turn it is, what the seat must match, and who has acted."""

from dataclasses import dataclass, field
from typing import Final

import msgspec

from tablebridge.engine.notes import Kind

_WITHOUT_CHIPS: Final = ("check", "fold")


class Act(msgspec.Struct, frozen=True, gc=False):
    """One action as it was taken. `total`: what the seat has bet in the round then."""

    seat: int
    kind: Kind
    total: int

    @property
    def text(self) -> str:
        """What is shown of it: `fold`, `raise 400`."""
        return self.kind if self.kind in _WITHOUT_CHIPS else f"{self.kind} {self.total}"


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How the betting stood before a bet or raise of `seat`, which had bet `bet`."""

    seat: int
    bet: int
    current: int
    level: int
    least: int
    raises: int
    aggressor: int | None
    answered: frozenset[int]


class Unfinished(msgspec.Struct, frozen=True, gc=False):
    """Too few chips for the action that they are, which the seat completes or gives up: `kind` to `total`.
    `put`: what lies before the seat for the round; `bet`: what it had bet before them.
    """

    seat: int
    kind: Kind
    put: int
    total: int
    bet: int


class WrongAmount(msgspec.Struct, frozen=True, gc=False):
    """A bet of a wrong amount that was put right and may still come to stand: whose, what it put in, its
    total for the round, and how many seats have acted in turn since.
    """

    seat: int
    put: int
    acted: int


@dataclass(slots=True)
class Round:
    """One betting round, and the actions of the hand so far. Only the methods change it.

    `current`: what must be matched; `level`: what raises are counted from, the same but in limit after an
    all-in of less than half a bet; `least`: the largest full bet or raise of the round.
    """

    # Whose turn it is, and after which seat the next turn is looked for.
    to_act: int | None = field(init=False, default=None)
    turn_from: int = field(init=False, default=0)
    current: int = field(init=False, default=0)
    level: int = field(init=False, default=0)
    least: int = field(init=False, default=0)
    # What short blinds lack.
    blinds_short: int = field(init=False, default=0)
    acted: set[int] = field(init=False, default_factory=set)
    # Those of them that have acted since the last full bet or raise.
    answered: set[int] = field(init=False, default_factory=set)
    # Who opens the round, and whether that is only guessed since no card that lies open is known.
    opener: int | None = field(init=False, default=None)
    guessed: bool = field(init=False, default=False)
    # Who has the bring-in to post, whether it may fold instead, and who posted it.
    bringer: int | None = field(init=False, default=None)
    may_decline: bool = field(init=False, default=False)
    brought: int | None = field(init=False, default=None)
    # A pair that lies open allows the big bet; a card that came too soon caps the round at what was bet.
    doubled: bool = field(init=False, default=False)
    closed: bool = field(init=False, default=False)
    # Bets and raises of the round, the big blind being the first before the flop; and who made the last.
    raises: int = field(init=False, default=0)
    aggressor: int | None = field(init=False, default=None)
    open: bool = field(init=False, default=True)
    # How many seats were live when the round began.
    began: int = field(init=False, default=0)
    # Actions of the hand, those of them with chips, those of the street; and all seats that have acted.
    actions: int = field(init=False, default=0)
    chip_actions: int = field(init=False, default=0)
    street_actions: int = field(init=False, default=0)
    ever_acted: set[int] = field(init=False, default_factory=set)
    # The last action as it was taken; and what each seat did last, or the word on it.
    taken: Kind | None = field(init=False, default=None)
    last: dict[int, Act | str] = field(init=False, default_factory=dict)
    # The street of the round; and of each street of the hand the actions, in their order.
    street: str = field(init=False, default="")
    acts: dict[str, list[Act]] = field(init=False, default_factory=dict)
    # Too few chips, which their seat is still to complete or to forfeit by folding (by book).
    unfinished: Unfinished | None = field(init=False, default=None)
    # A bet of a wrong amount that may still come to stand (limit, by book).
    wrong: WrongAmount | None = field(init=False, default=None)

    # How a round begins.

    def begin_hand(
        self, street: str, bet: int, least: int, *, raises: int, short: int, live: int, after: int
    ) -> None:
        """The blinds were posted. `street`: the first one; `bet`: what must be matched; `least`: the least
        bet; `raises`: 1 if the big blind is the first bet; `short`: what the blinds lack; `live`: how many
        seats are live; `after`: the seat after which the first turn is looked for.
        """
        self.actions = self.chip_actions = 0
        self.raises = raises
        self.blinds_short = short
        self.turn_from = after
        self._begin(street, bet, least, live)

    def begin_street(self, street: str, least: int, *, live: int) -> None:
        """This street was dealt, and nobody has bet yet."""
        self.raises = 0
        self.closed = False
        self._begin(street, 0, least, live)

    def start_over(self) -> None:
        """All bets of the first round went back, and it begins again; a fold stays a fold."""
        self.ever_acted.clear()
        self.last = {seat: last for seat, last in self.last.items() if self.last_word(seat) == "fold"}

    def opens(self, seat: int | None, after: int, *, guessed: bool = False) -> None:
        """This seat opens the round. `after`: the seat after which the first turn is looked for."""
        self.opener, self.turn_from, self.guessed = seat, after, guessed

    def double(self, doubled: bool) -> None:
        """Whether a pair that lies open allows the big bet."""
        self.doubled = doubled

    def wait_for_bring_in(self, seat: int | None, *, may_decline: bool | None = None) -> None:
        """The seat has the bring-in to post; None: nobody has. `may_decline`: whether it may fold instead, as
        before if it is None.
        """
        self.bringer = seat
        if may_decline is not None:
            self.may_decline = may_decline

    def bring_in(self, amount: int, seat: int | None) -> None:
        """The bring-in was posted: it is no bet. `seat`: who posted it, None for a seat that nobody plays."""
        self.current, self.brought = amount, seat

    # Turns.

    def turn_to(self, seat: int | None) -> None:
        """It is the turn of this seat; None: nobody has to act."""
        self.to_act = seat

    def turn_after(self, seat: int) -> None:
        """The next turn is looked for after this seat."""
        self.turn_from = seat

    def act(self, seat: int, kind: Kind, total: int) -> None:
        """The seat acted in turn. `total`: what it has bet now."""
        self.unfinished = None
        self.acted.add(seat)
        self.answered.add(seat)
        self.ever_acted.add(seat)
        self.turn_from = seat
        self.actions += 1
        self.street_actions += 1
        self.taken = kind
        if kind not in _WITHOUT_CHIPS:
            self.chip_actions += 1
        self.last[seat] = act = Act(seat, kind, total)
        self.acts[self.street].append(act)

    def fold_early(self, seat: int, total: int) -> None:
        """The seat folded when it was not its turn. `total`: what it has bet."""
        self.last[seat] = "fold"
        self.acts[self.street].append(Act(seat, "fold", total))

    def last_word(self, seat: int) -> str:
        """What is shown of what the seat did last; empty if it did nothing yet."""
        last = self.last.get(seat, "")
        return last if isinstance(last, str) else last.text

    def note(self, seat: int, word: str) -> None:
        """The last word on the seat is this, which is no action in turn."""
        self.last[seat] = word

    # Bets.

    def count_raise(self, level: int, least: int, *, full: bool) -> None:
        """A bet or raise counts as one of the round. `level`: what later raises are counted from; `least`:
        what they add; `full`: whether the betting is open again to those who have acted.
        """
        self.raises += 1
        self.level, self.least = level, least
        if full:
            self.answered.clear()

    def bet(self, seat: int, total: int) -> None:
        """The seat bet or raised to `total`."""
        if total > self.current:
            self.current = total
        self.aggressor = seat

    def straddle(self, seat: int, total: int, least: int) -> None:
        """The seat put up a straddle: it is the bet of the round, and its seat has the last word. `least`:
        what a raise adds.
        """
        self.raises += 1
        self.current = self.level = total
        self.least = least
        self.turn_from = seat

    def raise_blind(self, seat: int, total: int, least: int) -> None:
        """The seat raised before the cards: it has acted. `least`: what a further raise adds."""
        self.count_raise(total, least, full=True)
        self.bet(seat, total)
        self.acted.add(seat)
        self.answered.add(seat)
        self.turn_from = seat
        self.last[seat] = act = Act(seat, "raise", total)
        self.acts[self.street].append(act)

    def skip(self, seats: set[int]) -> None:
        """There is no betting in this round: these seats need not act."""
        self.acted.update(seats)
        self.open = False

    def set_bet(self, total: int, least: int) -> None:
        """The bet of the round is `total`, whatever it was. `least`: what later raises add."""
        self.current = self.level = total
        self.least = least

    def raise_blinds(self, big: int, least: int) -> None:
        """The blinds are those of a higher level now. `least`: the least bet there."""
        self.current, self.level = max(self.current, big), max(self.level, big)
        self.least = max(self.least, least)

    def lower_bet(self, total: int) -> None:
        """What was not called went back: no seat has bet more than `total`."""
        if total < self.current:
            self.current = total

    def went_wrong(self, wrong: WrongAmount | None) -> None:
        """A bet of a wrong amount may still come to stand; None: none may any more."""
        self.wrong = wrong

    def standing(self, seat: int, bet: int) -> Standing:
        """How the betting stands before a bet of the seat, which has bet `bet`."""
        return Standing(
            seat,
            bet,
            self.current,
            self.level,
            self.least,
            self.raises,
            self.aggressor,
            frozenset(self.answered),
        )

    def take_back_bet(self, before: Standing, after: int) -> None:
        """A bet with chips was none: the betting is as it stood before it. `after`: the seat after which the
        next turn is looked for.
        """
        self.current, self.level, self.least = before.current, before.level, before.least
        self.raises, self.aggressor, self.answered = before.raises, before.aggressor, set(before.answered)
        self.actions, self.chip_actions = self.actions - 1, self.chip_actions - 1
        self.street_actions -= 1
        self.acted.discard(before.seat)
        self.turn_from = after

    def leave_unfinished(self, unfinished: Unfinished | None) -> None:
        """Too few chips lie before a seat, which it is to complete or to forfeit; None: none do any more."""
        self.unfinished = unfinished
        if unfinished is not None:
            # It is to act, whatever it did before.
            self.acted.discard(unfinished.seat)

    # How a round ends.

    def reopen(self) -> None:
        """A seat has to act."""
        self.open = True

    def close(self) -> None:
        """Nobody has to act any more."""
        self.open = False

    def close_to_raises(self) -> None:
        """A card came too soon: nobody may put in more than was bet."""
        self.closed = True

    def stop(self) -> None:
        """The street is taken back, and its round with it."""
        self.to_act, self.open = None, False

    def _begin(self, street: str, bet: int, least: int, live: int) -> None:
        self.street = street
        self.acts[street] = []
        self.unfinished = self.wrong = None
        self.current = self.level = bet
        self.least = least
        self.began = live
        self.aggressor = None
        self.street_actions = 0
        self.open = True
        self.acted.clear()
        self.answered.clear()
        self.bringer = self.brought = None


class AnnouncedPot(msgspec.Struct):
    """The pot as the dealer announced it, and the bet that was made on it. Only the methods change it."""

    amount: int | None = None
    # Seat, its bet of the true pot, and how many actions and actions with chips there were, it included.
    bet: tuple[int, int, int, int] | None = None

    def announce(self, amount: int) -> None:
        """The dealer announces the pot."""
        self.amount = amount

    def bet_on(self, seat: int, pot: int, actions: int, chip_actions: int) -> None:
        """The seat bets on what was announced."""
        self.bet = (seat, pot, actions, chip_actions)

    def settle(self) -> None:
        """The bet was compared with a second count."""
        self.bet = None

    def clear(self) -> None:
        """A round begins: nothing was announced."""
        if self.amount is not None or self.bet is not None:
            self.amount = self.bet = None
