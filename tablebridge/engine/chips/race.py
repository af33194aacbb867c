"""The chip race: chips of a denomination leave play (TDA 24).

Theory. Each seat changes its chips of the denomination that leaves, at equal value, for chips of the lowest
one that stays; what is left over are its odd chips. As many chips as all odd chips are worth are raced for:
each seat is dealt a card for each odd chip, from seat 1 upwards, and the highest cards win, by rank and then
by suit, one chip at most to a seat. Nobody is raced out. All of it happens between hands.

| event | then |
| --- | --- |
| chips-of | the stack of the seat; another value than when it was counted before is a `pot-mismatch` |
| race | `race` `exchanged`, and `draw-due` if there are odd chips (24-A) |
| race-over | `race` `award` for each winner, `kept-in` for who would have no chip left (24-A) |
| chips-of after it, with more | `race` `too-many`: the stack stays what the race made of it |
| exchange | chips that were found later: `exchanged` at equal value, the rest `removed` (24-C) |
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.engine.chips.inventory import Counts, worth
from tablebridge.model.cards import Card
from tablebridge.model.findings import Member
from tablebridge.model.sentences import listed

_SUITS: Final = "cdhs"
_RANKS: Final = "23456789TJQKA"


class Race(msgspec.Struct, frozen=True):
    """One race. By seat: `odd`, its odd chips; `kept`, the value of all its other chips; `cards`, those that
    it was dealt. `prizes`: how many chips of `staying` can be won; `won`: who won one, and `over`, whether
    that is decided.
    """

    leaving: int
    staying: int
    kept: dict[int, int]
    odd: dict[int, int]
    prizes: int
    cards: dict[int, tuple[Card, ...]] = {}
    won: frozenset[int] = frozenset()
    over: bool = False

    @property
    def racing(self) -> tuple[int, ...]:
        """The seats that are dealt cards, in their order."""
        return tuple(seat for seat, odd in sorted(self.odd.items()) if odd and self.prizes)

    def dealt(self, seat: int, cards: tuple[Card, ...]) -> "Race":
        """The seat was dealt these cards."""
        return msgspec.structs.replace(self, cards={**self.cards, seat: cards})

    def decided(self) -> "Race":
        """The highest cards win, one chip at most to a seat; a seat that would have no chip left is given
        one.
        """
        best = sorted(
            ((_height(card), seat) for seat, cards in self.cards.items() for card in cards), reverse=True
        )
        won = tuple(dict.fromkeys(seat for _, seat in best))[: self.prizes]
        return msgspec.structs.replace(self, won=frozenset(won), over=True)

    @property
    def kept_in(self) -> tuple[int, ...]:
        """The seats that would have no chip left, and are given one."""
        return tuple(seat for seat in self.odd if not self.kept[seat] and seat not in self.won)

    def stack(self, seat: int) -> int:
        """What the seat has when the race is over."""
        given = seat in self.won or seat in self.kept_in
        return self.kept[seat] + (self.staying if given else 0)


def begun(leaving: int, staying: int, stacks: Mapping[int, tuple[int, int]], remainder: str) -> Race:
    """The race of these seats, each with its stack and how many chips it has of `leaving`. `remainder`: what
    becomes of a remainder of the odd chips: `up`, `down`, or `half` for up from half a chip on.
    """
    several = staying // leaving
    odd = {seat: number % several for seat, (_, number) in stacks.items()}
    whole, rest = divmod(sum(odd.values()) * leaving, staying)
    more = {"up": rest > 0, "down": False}.get(remainder, 2 * rest >= staying)
    return Race(
        leaving,
        staying,
        {seat: stack - odd[seat] * leaving for seat, (stack, _) in stacks.items()},
        odd,
        whole + more,
    )


def without(race: Race, seat: int, chips: Counts) -> dict[int, int]:
    """The seat's chips when the race is over."""
    left = {value: number for value, number in chips.items() if value != race.leaving}
    more = race.stack(seat) - worth(left)
    if more:
        left[race.staying] = left.get(race.staying, 0) + more // race.staying
    return left


def draws(race: Race) -> tuple[Member, ...]:
    """Who races, as a sentence lists it."""
    return listed([{"seat": seat, "chips": race.odd[seat]} for seat in race.racing])


def _height(card: Card) -> tuple[int, int]:
    return _RANKS.index(card[0]), _SUITS.index(card[1])
