"""Quick values of whole hands, lower is better, as the evaluator counts cards: deuces first, suits within the
rank. Values of one ranking are compared with each other alone; `NONE` is a hand that does not qualify.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final

from tablebridge.engine.showdown.ranking import BY_COUNT, native, rank
from tablebridge.model.cards import Card

Numbers = tuple[int, ...]
Value = Callable[[Numbers, Numbers], int]
"""The value of own cards with a board."""

NONE: Final = 10**9
_ALL: Final = tuple(r + s for r in "23456789TJQKA" for s in "cdhs")
NUMBER: Final[Mapping[Card, int]] = {Card(face): at for at, face in enumerate(_ALL)}
FACE: Final = {number: face for face, number in NUMBER.items()}
_ACE: Final = 12
_EIGHTS: Final = 0xFF
_WHEEL: Final = frozenset((0, 1, 2, 3, _ACE))
_SIX: Final = 4
_FOURS: Final[Mapping[int, tuple[tuple[int, ...], ...]]] = {
    5: ((0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4)),
    6: ((0, 1, 2, 3), (0, 1, 4, 5), (2, 3, 4, 5)),
}
"""The evaluator takes four cards; any two of five or six stand together in one of these fours."""
# Aces are the lowest bit; a hand of five different ranks is the better low the smaller this number is.
_LOW_BIT: Final = tuple(1 << ((number // 4 + 1) % 13) for number in range(52))


def high(own: Numbers, board: Numbers) -> int:
    """The best five of five to seven cards."""
    return BY_COUNT[len(own) + len(board)](*own, *board)


def omaha_high(own: Numbers, board: Numbers) -> int:
    """Two of the own four, five or six cards and three of the board."""
    if len(board) == 5:
        omaha = native.evaluate_omaha_cards
        if len(own) == 4:
            value: int = omaha(*board, *own)
            return value
        return min(int(omaha(*board, *map(own.__getitem__, four))) for four in _FOURS[len(own)])
    five = native.evaluate_5cards
    return min(int(five(*two, *three)) for two in combinations(own, 2) for three in combinations(board, 3))


def omaha_low8(own: Numbers, board: Numbers) -> int:
    """The same, for eight or better."""
    return _two_and_three(_bits(own) & _EIGHTS, _bits(board) & _EIGHTS)


def low8(own: Numbers, board: Numbers) -> int:
    """The best five of seven cards, for eight or better."""
    return _lowest_five(_bits((*own, *board)) & _EIGHTS)


def low_a5(own: Numbers, board: Numbers) -> int:
    """The best five of seven cards, aces low; a hand with a pair is behind all others."""
    value = _lowest_five(_bits((*own, *board)))
    if value != NONE:
        return value
    return NONE + _paired_low(tuple(sorted(number // 4 for number in (*own, *board))))


def low_27(own: Numbers, board: Numbers) -> int:
    """Five cards, the usual order from the other end; aces are high and make no straight with a five."""
    if {number // 4 for number in own} != _WHEEL:
        return -2 * int(native.evaluate_5cards(*own))
    # The evaluator sees a straight. It is the best hand with an ace: just before A-6-4-3-2.
    shown = [number + (_SIX - 3) * 4 if number // 4 == 3 else number for number in own]
    return -2 * int(native.evaluate_5cards(*shown)) - 1


def badugi(own: Numbers, board: Numbers) -> int:
    """Four cards, as many of different ranks and suits as there are."""
    return _badugi(tuple(sorted(own)))


@lru_cache(maxsize=100_000)
def _badugi(own: Numbers) -> int:
    best = NONE
    for size in (4, 3, 2, 1):
        for cards in combinations(own, size):
            bits = _bits(cards)
            if bits.bit_count() == size and len({number % 4 for number in cards}) == size:
                best = min(best, (4 - size) << 13 | bits)
        if best != NONE:
            return best
    return best


@lru_cache(maxsize=20_000)
def _paired_low(ranks: Numbers) -> int:
    """The rank of seven cards of fewer than five different ranks; suits do not count."""
    suits = [ranks[:at].count(value) for at, value in enumerate(ranks)]
    return rank("low-a5", [FACE[4 * value + suit] for value, suit in zip(ranks, suits, strict=True)]) or 0


@lru_cache(maxsize=8192)
def _lowest_five(bits: int) -> int:
    if bits.bit_count() < 5:
        return NONE
    while bits.bit_count() > 5:
        bits ^= 1 << (bits.bit_length() - 1)
    return bits


@lru_cache(maxsize=65_536)
def _two_and_three(own: int, board: int) -> int:
    twos, threes = (_picks(own, 2), _picks(board, 3))
    return min((two | three for two in twos for three in threes if not two & three), default=NONE)


def _picks(bits: int, size: int) -> list[int]:
    ones = [1 << at for at in range(8) if bits >> at & 1]
    return [sum(picked) for picked in combinations(ones, size)]


def _bits(cards: Numbers) -> int:
    bits = 0
    for number in cards:
        bits |= _LOW_BIT[number]
    return bits


VALUES: Final[Mapping[str, Value]] = (
    {}
    if native is None
    else {
        "high": high,
        "omaha-high": omaha_high,
        "omaha-low8": omaha_low8,
        "low8": low8,
        "low-a5": low_a5,
        "low-27": low_27,
        "badugi": badugi,
    }
)
"""The rankings that there are values of; none without the evaluator."""
