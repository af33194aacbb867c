"""How the players of a broken table get their new seats (TDA 10-B).

Theory. Two draws, so that nobody can favour anybody: the cards of the new seats are scrambled and stacked,
and each player of the table is dealt a playing card. The first seat card goes to the highest playing card, by
rank and then by suit, the others clockwise from there. If the room draws by itself, both draws follow from a
seed that is on record before them: the order of the hashes of the seed and each name, so that anybody can
draw again.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from tablebridge.model.cards import Card, deck_of
from tablebridge.room.tables import Spot, Tables

_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "cdhs"
"""Spades highest."""
CARDS: Final = tuple(deck_of("52"))
"""The playing cards that are drawn."""

T = TypeVar("T")


def places(seat_cards: Sequence[Spot], dealt: Mapping[int, Card]) -> dict[int, Spot]:
    """The new place of each seat. `seat_cards`: from the top of the stack; `dealt`: the playing card of each
    seat.
    """
    first = max(dealt, key=lambda seat: (_RANKS.index(dealt[seat][0]), _SUITS.index(dealt[seat][1])))
    order = sorted(dealt)
    at = order.index(first)
    return dict(zip(order[at:] + order[:at], seat_cards, strict=False))


def drawn(seed: str, tables: Tables, broken: str) -> tuple[tuple[Spot, ...], dict[int, Card]]:
    """Seat cards and playing cards that follow from the seed. The new seats are empty ones of the other
    tables at which somebody sits, of the shortest first; fewer than players if there are no more.
    """
    seats = sorted(tables.tables[broken].players)
    counts = {
        name: len(table.players) for name, table in tables.tables.items() if name != broken and table.players
    }
    free = {
        name: _scrambled(
            f"{seed} seats of {name}",
            [seat for seat in range(1, tables.size + 1) if seat not in tables.tables[name].players],
        )
        for name in counts
    }
    chosen: list[Spot] = []
    while len(chosen) < len(seats) and any(free.values()):
        name = min((name for name in counts if free[name]), key=lambda name: counts[name])
        chosen.append((name, free[name].pop()))
        counts[name] += 1
    cards = _scrambled(f"{seed} cards", CARDS)
    return tuple(_scrambled(f"{seed} stack", chosen)), {
        seat: Card(card) for seat, card in zip(seats, cards, strict=False)
    }


def _scrambled(seed: str, things: Iterable[T]) -> list[T]:
    """The things in the order of their hashes with the seed."""
    return sorted(things, key=lambda thing: hashlib.sha256(f"{seed}: {thing}".encode()).digest())
