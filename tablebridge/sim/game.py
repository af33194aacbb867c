"""A game that goes on and on: the button moves, stacks follow the table's own account, broke players buy in
again.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from tablebridge.model.views import TableView
from tablebridge.sim.dealer import Manner, Played
from tablebridge.sim.emulated import BLINDS, BUY_IN, SEATED, EmulatedTable
from tablebridge.sim.hands import Hand, random_hand
from tablebridge.sim.irregular import BROKER_RESTART, IRREGULAR, BrokerRestart, Irregular

_LEAST_STACK: Final = 1_000
_TRIES: Final = 500


class Outcome(msgspec.Struct, frozen=True):
    """One hand that was dealt. `pot`: what was won. `irregular`: the name of what went wrong on purpose."""

    played: Played
    pot: int
    irregular: str


def irregular(name: str, table: EmulatedTable) -> Irregular:
    """The manner of dealing in which this goes wrong: one of `IRREGULAR`, or `BROKER_RESTART`."""
    return BrokerRestart(table.restart_broker) if name == BROKER_RESTART else IRREGULAR[name]()


class Game:
    """`irregular`: goes wrong in every hand; otherwise in `share` of the hands something does, drawn by
    chance.
    """

    def __init__(
        self, table: EmulatedTable, rng: Random, *, irregular: str | None = None, share: float = 0.0
    ) -> None:
        self._table = table
        self._rng = rng
        self._irregular = irregular
        self._share = share
        self._button = SEATED[-1]

    def hands(self, count: int | None = None) -> Iterator[Outcome]:
        """Deals hands, for ever without a `count`; a misdeal does not count and is dealt again at once.
        Raises Stopped.
        """
        view = self._table.wait_table()
        stacks = dict.fromkeys(SEATED, BUY_IN)
        number = 0
        while count is None or number < count:
            name = self._name()
            hand, manner = self._draw(name, stacks)
            yield self._outcome(played := self._play(hand, manner), name)
            if played.void:
                yield self._outcome(played := self._play(self._draw("", stacks)[0], Manner()), "")
            number += 1
            view = played.view
            stacks = _stacks(view, stacks)
            self._button = SEATED[(SEATED.index(self._button) + 1) % len(SEATED)]

    def _play(self, hand: Hand, manner: Manner) -> Played:
        stacks = " ".join(f"{seat}:{stack}" for seat, stack in hand.stacks.items())
        return self._table.dealer.play(hand, (f"button {hand.button}", f"stacks {stacks}"), manner)

    def _name(self) -> str:
        if self._irregular is not None:
            return self._irregular
        return self._rng.choice(sorted(IRREGULAR)) if self._rng.random() < self._share else ""

    def _draw(self, name: str, stacks: dict[int, int]) -> tuple[Hand, Manner]:
        """A hand, and the manner of that name, in which the hand can go wrong in that way."""
        for _ in range(_TRIES):
            hand = random_hand(self._rng, SEATED, self._button, BLINDS, stacks, self._table.game)
            if not name:
                return hand, Manner()
            manner = irregular(name, self._table)
            if manner.suits(hand):
                return hand, manner
        return hand, Manner()

    @staticmethod
    def _outcome(played: Played, name: str) -> Outcome:
        return Outcome(played, sum(seat.won for seat in played.view.seats), name)


def _stacks(view: TableView, before: dict[int, int]) -> dict[int, int]:
    """The stacks for the next hand, as the table counts them; below ten big blinds a player buys in again."""
    counted = {seat.seat: seat.stack for seat in view.seats if seat.seat in before}
    return {seat: stack if (stack := counted.get(seat, 0)) >= _LEAST_STACK else BUY_IN for seat in before}
