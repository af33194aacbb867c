"""Random legal hands, played by the engine and by pokerkit side by side.

Every choice is taken from what the engine offers (`may`, `min_raise`, `max_raise`) and is held against what
pokerkit offers: whose turn it is, the call, whether a raise is allowed, its least and its most; in the end
the stacks. Where the two differ, a known fault of pokerkit must explain it (`faults.py`), else `Differs` says
what and where.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from random import Random
from typing import Final

import pokerkit as pk

from tablebridge.engine.chips.pots import Pot
from tablebridge.engine.games import FORMS, Form
from tablebridge.engine.games import Street as FormStreet
from tablebridge.engine.showdown import tabling
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.cards import Card, deck_of
from tablebridge.model.instant import START
from tests.engine.faults import Difference, explained


class Differs(AssertionError):
    """The engine and pokerkit disagree, and no known fault explains it."""


def _remembering(hand_type: type[pk.Hand]) -> type[pk.Hand]:
    """The same ranking: pokerkit ranks a hand many times over at a showdown, and each time the answer is the
    same.
    """

    class Remembering(hand_type):  # type: ignore[misc, valid-type]
        @cached_property
        def entry(self):
            return self.lookup.get_entry(self.cards)

        @classmethod
        def from_game(cls, hole_cards, board_cards=()):
            return cls.ranked(tuple(hole_cards), tuple(board_cards))

        @classmethod
        @lru_cache(maxsize=256)
        def ranked(cls, hole_cards, board_cards):
            return super().from_game(hole_cards, board_cards)

    return Remembering


HANDS: Final = {
    "high": pk.StandardHighHand,
    "omaha-high": pk.OmahaHoldemHand,
    "omaha-low8": pk.OmahaEightOrBetterLowHand,
    "low8": pk.EightOrBetterLowHand,
    "low-a5": pk.RegularLowHand,
    "low-27": pk.StandardLowHand,
    "badugi": pk.BadugiHand,
    "short-deck-high": pk.ShortDeckHoldemHand,
}
STRUCTURES: Final = {
    "no-limit": pk.BettingStructure.NO_LIMIT,
    "pot-limit": pk.BettingStructure.POT_LIMIT,
    "limit": pk.BettingStructure.FIXED_LIMIT,
}
AUTOMATIONS: Final = tuple(
    getattr(pk.Automation, name)
    for name in (
        "ANTE_POSTING",
        "BET_COLLECTION",
        "BLIND_OR_STRADDLE_POSTING",
        "HAND_KILLING",
        "CHIPS_PUSHING",
        "CHIPS_PULLING",
    )
)
GAMES: Final = tuple(
    name
    for name, form in FORMS.items()
    if not form.banked and form.boards == 1 and form.limit in STRUCTURES and set(form.rankings) <= set(HANDS)
)
"""The games that pokerkit plays, too; it has no half-pot."""
SMALL, BIG = 10, 20


@dataclass
class Start:
    """How a hand begins; `stacks` in the order of play."""

    form: Form
    stacks: list[int]
    ante: int

    @property
    def bring_in(self) -> int:
        return 0 if self.form.button else 3


def invented(rng: Random, game: str) -> Start:
    """Few seats more often than many; deep stacks beside some that are short of a few bets."""
    form = FORMS[game]
    most = 6 if not form.button else 5 if form.streets[-1].draw else min(9, form.most_seats)
    seats = min(rng.choice((2, 3, 3, 4, 4, 5, 6, 9)), most)
    deep = rng.choice((200, 1000))
    stacks = [
        rng.randint(rng.choice((4, 20, 20, 20)), 120) if rng.random() < 0.3 else rng.randint(deep // 2, deep)
        for _ in range(seats)
    ]
    return Start(form, stacks, rng.choice((0, 0, 1, 3)) if form.button else rng.choice((1, 2)))


class Both:
    """One hand at two tables. Places are indices in the order of play; the engine's seats are one more."""

    def __init__(self, rng: Random, start: Start, seen: Counter[str]) -> None:
        self.rng, self.start, self.form, self.seen = rng, start, start.form, seen
        self.deck = list(deck_of(start.form.deck))
        rng.shuffle(self.deck)
        self.entries = 0
        self.pots: tuple[Pot, ...] = ()
        self.table = Table("table")
        self.state = _state(start)
        seats = range(1, len(start.stacks) + 1)
        stakes = (SMALL, BIG)
        blinds = None if start.form.limit != "limit" or not start.form.button else (SMALL // 2, SMALL)
        self.tell(
            ev.Game(start.form.name, stakes, blinds),
            ev.Ante(start.ante),
            ev.BringIn(start.bring_in),
            ev.Seats(tuple(seats)),
            ev.Button(seats[-1]),
            ev.Stacks(by_seat=dict(zip(seats, start.stacks, strict=True))),
            ev.Hand(),
        )
        hand = self.table.hand
        assert hand is not None
        self.hand = hand
        assert hand.order == tuple(seats)

    def tell(self, *events: ev.TableEvent) -> None:
        for event in events:
            self.entries += 1
            self.table.apply(ev.Entry(self.entries, START, event))

    def play(self) -> None:
        for street in self.form.streets:
            self._deal(street)
            self._bet()
            if len(self.hand.live) < 2:
                break
            self._show()
        self._showdown()
        ours = [self.table.stack(seat) for seat in self.hand.order]
        if ours != self.state.stacks:
            self._differ("stacks", ours, self.state.stacks)
        self.seen["hands"] += 1

    def _deal(self, street: FormStreet) -> None:
        if street.burn:
            self.tell(ev.Burn(self.deck.pop()))
            self.state.burn_card("??")
        live = self.hand.live_order()
        for up in (False,) * street.down + (True,) * street.up:
            for seat in live:
                self._card(seat, up=up)
        if street.board:
            cards = tuple(self.deck.pop() for _ in range(street.board))
            self.tell(ev.Street(street.name, cards))
            self.state.deal_board("".join(cards))
        if street.draw:
            counts = {}
            for seat in live:
                held = self.table.cards_of(seat)
                count = min(self.rng.choice((0, 1, 1, 2, 3)), len(self.deck) // len(live))
                gone = tuple(self.rng.sample(held, count))
                self.tell(ev.Draw(seat, len(gone), gone))
                assert self.state.stand_patter_or_discarder_index == seat - 1
                self.state.stand_pat_or_discard("".join(gone))
                counts[seat] = len(gone)
            for seat in live:
                for _ in range(counts[seat]):
                    self._card(seat)

    def _card(self, seat: int, *, up: bool = False) -> None:
        card: Card = self.deck.pop()
        self.tell(ev.Deal(seat, card, up=up))
        self.state.deal_hole(card, seat - 1)

    def _bet(self) -> None:
        while True:
            seat, index = self.table.to_act, self.state.actor_index
            theirs = None if index is None else index + 1
            if seat != theirs:
                self._differ("turn", seat, theirs)
                self.state.check_or_call()
                continue
            if seat is None:
                return
            self._act(seat)

    def _act(self, seat: int) -> None:
        table, state, rng = self.table, self.state, self.rng
        may, least, most = table.may(seat), table.min_raise(seat), table.max_raise(seat)
        bring_in = seat == self.hand.round.bringer
        if bring_in:
            # The bring-in is the engine's least bet; what completes it is a full bet.
            least = most = min(
                self.hand.round.level + self.hand.round.least, self.start.stacks[seat - 1] - self.start.ante
            )
        elif table.to_call(seat) != state.checking_or_calling_amount:
            self._differ("call", table.to_call(seat), state.checking_or_calling_amount)
        offered = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        if (least, most) != offered:
            self._differ("raise", (least, most), offered)
            # They say different things of a raise; so this seat makes none, and the hand goes on.
            least = most = None
        luck = rng.random()
        if luck < 0.25 and least is not None and most is not None:
            total = rng.choice((least, least, most, rng.randint(least, most)))
            self.tell(ev.Action("raise" if self.hand.round.current else "bet", seat, total))
            state.complete_bet_or_raise_to(total)
        elif bring_in:
            self.tell(ev.Action("bet", seat, self.start.bring_in))
            state.post_bring_in()
        elif luck > 0.8 and "call" in may:
            self.tell(ev.Action("fold", seat))
            state.fold()
        else:
            self.tell(ev.Action("call" if "call" in may else "check", seat))
            state.check_or_call()

    def _show(self) -> None:
        while self.state.can_show_or_muck_hole_cards():
            self.state.show_or_muck_hole_cards(True)

    def _showdown(self) -> None:
        self._show()
        assert not self.state.status, "pokerkit's hand is not over"
        if len(self.hand.live) > 1:
            self.tell(*(ev.Tabled(seat, self.table.cards_of(seat)) for seat in self.table.show_order))
        self.pots = tabling.pots(self.hand)
        self.tell(ev.End())
        assert not self.table.incomplete

    def _differ(self, what: str, ours: object, theirs: object) -> None:
        """Count a known fault. Raises `Known` where the hand cannot go on, `Differs` where nothing explains
        the difference.
        """
        fault = explained(Difference(what, ours, theirs, self.hand, self.state, self.pots))
        if fault is None:
            raise Differs(
                f"{what}: {ours} here, {theirs} at pokerkit; {self.form.name} on {self.hand.street}, stacks "
                f"{self.start.stacks}, ante {self.start.ante}, {self.hand.round.last}"
            )
        self.seen[fault.name] += 1
        if fault.ends:
            raise Known(fault.name)


class Known(Exception):
    """A known fault of pokerkit made the two tables different for the rest of the hand."""


def _streets(form: Form) -> tuple[pk.Street, ...]:
    first = {"low-card": pk.Opening.LOW_CARD, "high-card": pk.Opening.HIGH_CARD}.get(
        form.forced, pk.Opening.POSITION
    )
    later = {"button": pk.Opening.POSITION, "high": pk.Opening.HIGH_HAND, "low": pk.Opening.LOW_HAND}[
        form.opens
    ]
    return tuple(
        pk.Street(
            street.burn,
            (False,) * street.down + (True,) * street.up,
            street.board,
            street.draw,
            first if street is form.first else later,
            SMALL if form.limit == "limit" and not street.big_bet else BIG,
            None,
        )
        for street in form.streets
    )


def _state(start: Start) -> pk.State:
    form = start.form
    limit = form.limit == "limit"
    small, big = (SMALL // 2, SMALL) if limit else (SMALL, BIG)
    blinds = (small, big) if form.forced == "blinds" else 0
    if form.forced == "button-blind":
        # The button is the last player; heads-up pokerkit turns the blinds round.
        blinds = {0 if len(start.stacks) == 2 else -1: big}
    count = len(start.stacks)
    return pk.State(
        AUTOMATIONS,
        pk.Deck.SHORT_DECK_HOLDEM
        if form.deck == "36"
        else pk.Deck.REGULAR
        if form.low_ace
        else pk.Deck.STANDARD,
        tuple(_remembering_of(ranking) for ranking in form.rankings),
        _streets(form),
        STRUCTURES[form.limit],
        False,
        start.ante,
        blinds,
        start.bring_in,
        tuple(start.stacks),
        count,
    )


@cache
def _remembering_of(ranking: str) -> type[pk.Hand]:
    return _remembering(HANDS[ranking])
