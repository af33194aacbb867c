"""Pots: main and side pots out of what the seats put in, and their division among the winners.

Theory. A seat can win from each other seat no more than it put in itself. So every amount that a live seat
stopped at ends a layer, and a layer can be won by the live seats that reach its top. Layers that the same
seats can win are one pot. What dead hands put in is in the layers like any other money, and what they put in
above every live seat is in the last pot (TDA 21).

Equal winners divide a pot in chips of the smallest denomination in play. The odd chips go out one each in the
order given: for games with a button the order of play from the button's left, for stud the high card by suit
(TDA 20). In high-low games each pot has a low half of its own if one of its seats has a low hand that
qualifies; the odd chip between the halves is the high one's.
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec


class Pot(msgspec.Struct, frozen=True):
    """One pot. `amount`: in the smallest unit; `seats`: those that can win it, ascending."""

    amount: int
    seats: tuple[int, ...]


class Award(msgspec.Struct, frozen=True):
    """How a pot was divided. `won`: what each winning seat receives in all; `odd`: seat and amount of each
    share that was larger than the others.
    """

    won: dict[int, int]
    odd: tuple[tuple[int, int], ...] = ()


def build_pots(contributions: Mapping[int, int], live: Collection[int]) -> tuple[Pot, ...]:
    """The pots, main pot first. `contributions`: what each seat put in during the hand, dead hands too.

    Without chips there is no pot; chips that no live seat is left to win are one pot without seats.
    """
    contenders = sorted(live)
    levels = {contributions.get(seat, 0) for seat in contenders}
    if len(levels) == 1:
        # Nobody who can win stopped short: all chips are one pot.
        whole = sum(contributions.values())
        return (Pot(whole, tuple(contenders)),) if whole > 0 else ()
    pots: list[Pot] = []
    left = [paid for paid in contributions.values() if paid > 0]
    floor = 0
    for level in sorted(levels - {0}):
        layer = level - floor
        amount = sum([paid if paid < layer else layer for paid in left])
        left = [paid - layer for paid in left if paid > layer]
        _add(pots, amount, tuple([seat for seat in contenders if contributions.get(seat, 0) >= level]))
        floor = level
    above = sum(left)
    if above:
        _add(pots, above, pots[-1].seats if pots else tuple(contenders))
    return tuple(pots)


def divide(
    pot: Pot,
    sides: Sequence[Mapping[int, int]],
    orders: Sequence[Sequence[int]],
    unit: int,
    *,
    together: bool = False,
) -> Award:
    """Divide a pot among the best ranked of its seats; a lower rank is better, equal ranks share.

    `sides`: the ranks by seat; of a high-low game the high ones and then those of the low hands that qualify.
    Whether there is a low half is decided for this pot, by its own seats. `orders`: for each side who comes
    first for odd chips, each of `unit`; what is smaller than a chip goes with the first of them. Every chip
    is given out; the odd chip of two halves goes to the first side (20-C). `together`: if the same seats
    win both halves, the pot is divided as one (20-D of 2017).

    Raises ValueError for a pot if none of its seats has a rank.
    """
    winners = [_best(pot, ranks, order) for ranks, order in zip(sides, orders, strict=True)]
    if not winners[0]:
        raise ValueError(f"nobody can win a pot of {pot.amount}: none of its seats has a hand that counts")
    winners = [side for side in winners if side]
    if len(winners) == len(winners[0]) == 1:
        return Award({winners[0][0]: pot.amount})
    if len(winners) == 2 and together and set(winners[0]) == set(winners[1]):
        winners.pop()
    low = pot.amount // (2 * unit) * unit if len(winners) == 2 else 0
    won: dict[int, int] = {}
    odd: list[tuple[int, int]] = []
    if low and pot.amount - low > low:
        odd.append((winners[0][0], pot.amount - 2 * low))
    for side, amount in zip(winners, (pot.amount - low, low), strict=False):
        share = amount // (len(side) * unit) * unit
        chips, rest = divmod(amount - share * len(side), unit)
        for place, seat in enumerate(side):
            extra = (unit if place < chips else 0) + (rest if place == 0 else 0)
            won[seat] = won.get(seat, 0) + share + extra
            if extra:
                odd.append((seat, extra))
    return Award(won, tuple(dict.fromkeys(odd)))


def _best(pot: Pot, ranks: Mapping[int, int], order: Sequence[int]) -> list[int]:
    """The seats of the pot that share this side, in order."""
    entitled = pot.seats
    best = min([ranks[seat] for seat in entitled if seat in ranks], default=None)
    if best is None:
        return []
    return [seat for seat in order if seat in entitled and ranks.get(seat) == best]


def _add(pots: list[Pot], amount: int, seats: tuple[int, ...]) -> None:
    """A further layer; it is part of the last pot if the same seats can win it."""
    if pots and pots[-1].seats == seats:
        amount += pots.pop().amount
    pots.append(Pot(amount, seats))
