"""Hands of any game, planned by the hand engine: whose turn it is, what is due and what may be done, the
engine says of a table on which everything is known. People and cards are invented.

`plan` gives the steps of one hand; `GameDealing` has them happen in time, as `Dealing` does with hold'em:
cards come one by one, are looked at, thrown away and exchanged, while antennas are visited.
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from tablebridge.engine.cards.draws import to_discard
from tablebridge.engine.games import FORMS, Form
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.cards import Card, deck_of
from tablebridge.model.instant import START
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place, up_place
from tablebridge.sim.dealing import REST_S, START_S, Motion
from tablebridge.sim.noise import Noise
from tablebridge.sim.table import NEAR, NEAR_UP, NOT_WEAK, STUB_DEPTH, Near

BETS: Final = (100, 200)
BLINDS: Final = (50, 100)
ANTE, BRING_IN, BUY_IN = 10, 25, 20_000
_TRIES: Final = 50
_STEPS: Final = 400


class Give(msgspec.Struct, frozen=True):
    """The next card goes to a seat, face up or down."""

    seat: int
    card: Card
    up: bool


class Lay(msgspec.Struct, frozen=True):
    """The next cards go to the burns or the board."""

    place: Place
    cards: tuple[Card, ...]


class Throw(msgspec.Struct, frozen=True):
    """A seat's cards go to the muck: all of them, or what it discards in a draw."""

    seat: int
    cards: tuple[Card, ...]
    draws: bool = False


class Say(msgspec.Struct, frozen=True):
    """Somebody acts, and it is typed."""

    event: ev.TableEvent
    seat: int


Step = Give | Lay | Throw | Say


class Plan(msgspec.Struct, frozen=True):
    """One hand of a game. `before`: what the record says of the table before it, the hand's begin last."""

    form: Form
    before: tuple[ev.TableEvent, ...]
    steps: tuple[Step, ...]


def setting(form: Form, seats: Sequence[int]) -> tuple[ev.TableEvent, ...]:
    """What the record says of a table with this game, from its rules to the begin of a hand."""
    stakes = ev.Game(form.name, BETS, BLINDS if form.button else None)
    forced = (ev.Ante(0),) if form.button else (ev.Ante(ANTE), ev.BringIn(BRING_IN))
    button = (ev.Button(seats[-1]),) if form.button else ()
    return (
        ev.Rules("tda-2022"),
        stakes if form.limit == "limit" else ev.Game(form.name, BLINDS),
        *forced,
        ev.Seats(tuple(seats)),
        *button,
        ev.Stacks(everyone=BUY_IN),
        ev.Hand(),
    )


def plan(rng: Random, game: str, seats: Sequence[int]) -> Plan:
    """A hand as people might play it: many fold early, few bets are raised. Raises RuntimeError if none of
    some tries comes to its end: the game is none that is planned here.
    """
    for _ in range(_TRIES):
        planner = _Planner(rng, FORMS[game], seats)
        if planner.play():
            return Plan(planner.form, planner.before, tuple(planner.steps))
    raise RuntimeError(f"no hand of {game} comes to its end")


class _Planner:
    """A table on which everything is known, and the hand on it."""

    def __init__(self, rng: Random, form: Form, seats: Sequence[int]) -> None:
        self.form = form
        self.before = setting(form, seats)
        self.steps: list[Step] = []
        self._rng = rng
        self._table = Table("planned")
        self._deck = list(deck_of(form.deck))
        self._number = itertools.count(1)
        rng.shuffle(self._deck)
        for event in self.before:
            self._enter(event)

    def play(self) -> bool:
        """Plays until nothing is due. Whether the hand came to its end."""
        for _ in range(_STEPS):
            expect = self._table.expectation()
            if len(self._table.live) < 2 or expect.phase == "showdown":
                self._give_up()
                return True
            if len(self._deck) < 8 or expect.phase == "idle":
                return False
            self._step(expect.phase)
        return False

    def _step(self, phase: str) -> None:
        expect, seat = self._table.expectation(), self._table.to_act
        if seat is not None and not expect.next_seats:
            self._act(seat)
        elif phase == "burn":
            self._lay(BURN, 1)
        elif expect.next_seats:
            self._give(expect.next_seats[0])
        elif self._table.hand is not None and (drawing := to_discard(self._table.hand)) is not None:
            self._draw(drawing)
        else:
            self._lay(BOARD, expect.board_due, expect.next_street)

    def _give(self, seat: int) -> None:
        card = self._deck.pop()
        before = self._up(seat)
        self._enter(ev.Deal(seat, card))
        self.steps.append(Give(seat, card, self._up(seat) > before))

    def _up(self, seat: int) -> int:
        hand = self._table.hand
        return 0 if hand is None else len(hand.felt.up[seat])

    def _lay(self, place: Place, count: int, street: str = "") -> None:
        cards = tuple(self._deck.pop() for _ in range(count))
        if place == BURN:
            self._enter(ev.Burn(cards[0]))
        else:
            self._enter(ev.Street(street, cards))  # type: ignore[arg-type]
        self.steps.append(Lay(place, cards))

    def _act(self, seat: int) -> None:
        table, rng = self._table, self._rng
        may, luck = table.may(seat), rng.random()
        hand = table.hand
        least = table.min_raise(seat)
        if hand is not None and hand.round.bringer == seat and not table.to_call(seat):
            self._say(ev.Action("bet", seat, BRING_IN))
        elif table.to_call(seat) > 0 and luck < (0.55 if table.street == self.form.first.name else 0.3):
            cards = self._cards(seat)
            self._say(ev.Action("fold", seat))
            self.steps.append(Throw(seat, cards))
        elif luck > (0.92 if table.to_call(seat) else 0.5) and least is not None:
            self._say(ev.Action("raise" if "raise" in may else "bet", seat, least))
        else:
            self._say(ev.Action("call" if table.to_call(seat) else "check", seat))

    def _draw(self, seat: int) -> None:
        held = self._cards(seat)
        count = min(len(held), self._rng.choice((0, 1, 1, 2, 2, 3, 3, 4)))
        cards = tuple(self._rng.sample(held, count))
        event = ev.Draw(seat, count, cards)
        self._enter(event)
        self.steps.append(Throw(seat, cards, draws=True) if cards else Say(event, seat))

    def _give_up(self) -> None:
        for seat in self._table.live:
            self.steps.append(Throw(seat, self._cards(seat)))

    def _say(self, event: ev.Action) -> None:
        self._enter(event)
        self.steps.append(Say(event, event.seat))

    def _cards(self, seat: int) -> tuple[Card, ...]:
        hand = self._table.hand
        return () if hand is None else tuple(hand.felt.cards[seat])

    def _enter(self, event: ev.TableEvent) -> None:
        self._table.apply(ev.Entry(next(self._number), START, event))


class GameDealing(Motion):
    """A planned hand in time. `planned`: that hand; `said`: what is typed, each with its time in seconds,
    ascending. `up_antennas`: up cards lie on antennas of their own.
    """

    def __init__(
        self,
        noise: Noise,
        planned: Plan,
        deck: Mapping[Card, str],
        rng: Random,
        near: Near = NEAR,
        tempo: float = 1.0,
        depth: int = STUB_DEPTH,
        weak: Mapping[Place, float] = NOT_WEAK,
        *,
        up_antennas: bool = False,
    ) -> None:
        super().__init__(noise, rng, NEAR_UP if up_antennas else near, tempo, depth, weak)
        self._up_place = up_place if up_antennas else seat_place
        self.planned = planned
        self.said: list[tuple[float, ev.TableEvent]] = []
        self._deck = deck
        self._held: dict[int, list[str]] = {}
        self._up: set[str] = set()
        self._free: dict[int, float] = {}
        self._stub = self._ordered(planned)
        self._table.put(reversed(self._stub), STUB)
        self._dealt = False
        self.end_s = (self._play(planned) + REST_S) / tempo

    def deck_tag(self, card: Card) -> str:
        """The tag of a card."""
        return self._deck[card]

    def _ordered(self, planned: Plan) -> list[str]:
        cards: list[Card] = []
        for step in planned.steps:
            if isinstance(step, Give):
                cards.append(step.card)
            elif isinstance(step, Lay):
                cards += step.cards
        spare = [card for card in deck_of(planned.form.deck) if card not in set(cards)]
        self._rng.shuffle(spare)
        return [self._deck[card] for card in [*cards, *spare]]

    def _play(self, planned: Plan) -> float:
        at_s = START_S
        last: Step | None = None
        for step in planned.steps:
            if not isinstance(step, Give) and isinstance(last, Give):
                at_s = self._settle(at_s)
            match step:
                case Give():
                    at_s = self._give(step, at_s)
                case Lay(place=place, cards=cards):
                    at_s = self._lay(place, len(cards), at_s)
                case Throw():
                    at_s = self._throw(step, at_s)
                case Say():
                    at_s = self._say(step, at_s)
            last = step
        return max([at_s, *self._free.values()])

    def _settle(self, at_s: float) -> float:
        """The last card of a round has come: some look at their cards."""
        rng = self._rng
        for seat in self._held:
            if self._held[seat] and rng.random() < (0.2 if self._dealt else 0.6):
                self._look(seat, self._free[seat] + rng.expovariate(1 / 1.5))
        self._dealt = True
        return at_s + 1.0

    def _give(self, step: Give, at_s: float) -> float:
        rng = self._rng
        tag = self._stub.pop(0)
        self._held.setdefault(step.seat, []).append(tag)
        if step.up:
            self._up.add(tag)
        at_s = max(at_s, self._free.get(step.seat, 0.0) - 0.2)
        place = (self._up_place if step.up else seat_place)(step.seat)
        self._free[step.seat] = self._fly([tag], place, "deal", at_s, rng.uniform(0.25, 0.45), spread=step.up)
        return at_s + rng.uniform(0.3, 0.9)

    def _lay(self, place: Place, count: int, at_s: float) -> float:
        rng = self._rng
        tags, self._stub = self._stub[:count], self._stub[count:]
        if place == BURN:
            return self._fly(tags, BURN, "burn", at_s + rng.uniform(1.0, 2.0), rng.uniform(0.3, 0.5)) + (
                rng.uniform(0.2, 0.6)
            )
        at_s = self._fly(tags, BOARD, "board", at_s, rng.uniform(0.3, 0.5), spread=count == 1)
        if count > 1:
            at_s += rng.uniform(0.4, 1.0)
            self._at(at_s, lambda: self._table.spread(BOARD, tags))
        return at_s + 1.0

    def _throw(self, step: Throw, at_s: float) -> float:
        """Cards go to the muck. Who draws takes all down cards up, keeps some and lays them down again."""
        rng, seat = self._rng, step.seat
        tags = [self._deck[card] for card in step.cards]
        begin_s = max(at_s + rng.uniform(0.6, 1.2), self._free[seat] + 0.05)
        kept = [tag for tag in self._held[seat] if tag not in tags]
        if step.draws:
            begin_s = self._look(seat, begin_s, kept)
        self._held[seat] = kept
        lands_s = self._fly(tags, MUCK, "muck", begin_s, rng.uniform(0.5, 1.5))
        self._free[seat] = max(self._free[seat], lands_s)
        return lands_s if step.draws else begin_s

    def _look(self, seat: int, at_s: float, kept: Collection[str] | None = None) -> float:
        """The player looks at the down cards; gives when they lie again. `kept`: only these come back; the
        others are thrown away from the hand, when this says.
        """
        rng, place = self._rng, seat_place(seat)
        begin_s = max(at_s, self._free[seat] + 0.05)
        end_s = begin_s + rng.uniform(0.8, 3.0)
        down = [tag for tag in self._held[seat] if tag not in self._up]
        back = down if kept is None else [tag for tag in down if tag in kept]
        self._at(begin_s, lambda: self._table.hold(place, None, down))
        self._at(end_s, lambda: self._table.hold(place, "flat", back))
        self._free[seat] = end_s
        return end_s

    def _say(self, step: Say, at_s: float) -> float:
        rng = self._rng
        at_s += 0.8 + rng.expovariate(1 / 1.7)
        if rng.random() < 0.35:
            at_s = self._look(step.seat, at_s)
        self.said.append(((at_s + 0.2) / self._tempo, step.event))
        return at_s
