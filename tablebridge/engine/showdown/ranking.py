"""Ranks of hands, for every way of ranking that a game is played by. The evaluators behind it can be
replaced.

A rank is a number, lower is better, equal ranks share. Numbers of different rankings say nothing to each
other.

| ranking | which cards play | order |
| --- | --- | --- |
| `high` | the best five of five to seven | the usual one |
| `omaha-high` | two own, three of the board | the usual one |
| `short-deck-high` | the best five of five to seven | a flush beats a full house; A-6-7-8-9 is a straight |
| `americana-high` | the same | the same, with A-7-8-9-T |
| `low8` | the best five of five to seven | ace to five, no pair, no card above the eight |
| `omaha-low8` | two own, three of the board | the same |
| `low-a5` | the best five of five to seven | ace to five: straights and flushes do not count, aces are low |
| `low-27` | the best five of five to seven | the usual one from the other end, aces high only |
| `badugi` | up to four, all of other ranks and suits | more cards, then lower ones, aces low |
| `three-card` | three | straight flush, three, straight, flush, pair; A-2-3 is the lowest straight |
| `pai-gow-high` | five | the usual one, five aces above all; a joker is an ace, or in a straight or flush |
| `pai-gow-low` | two | pair, high card; a joker is an ace |
| `high+deuces` | as without | five of a kind is above all; `+deuces`, `+joker`, `+bug`: see `wild.py` |

The usual high hands are ranked by phevaluator on processors that it has a wheel for, all others here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, TypeVar

from tablebridge.engine.showdown import wild
from tablebridge.engine.showdown.wild import Wild

try:
    # The C functions themselves: what is around them takes five times as long. The version is pinned.
    from phevaluator import _pheval
except ModuleNotFoundError:
    # It has wheels for x86-64 alone; elsewhere it would need a compiler, or numpy.
    _pheval = None

native: Final[Any] = _pheval
"""The evaluator of the usual high hands; None if there is none for this processor."""
BY_COUNT: Final[Mapping[int, Callable[..., int]]] = (
    {}
    if native is None
    else {5: native.evaluate_5cards, 6: native.evaluate_6cards, 7: native.evaluate_7cards}
)
"""The usual rank of five, six or seven cards, each by its number; empty without the evaluator."""

_SUITS: Final = "cdhs"
# The evaluator counts cards from the deuce up, suits within the rank.
_ALL: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in _SUITS)
_NUMBER: Final[Mapping[str, int]] = {card: at for at, face in enumerate(_ALL) for card in (face, face + "*")}
_FACE: Final[Mapping[str, str]] = {card: _ALL[at] for card, at in _NUMBER.items()}
_WITH_JOKER: Final = {**_FACE, "joker": "joker"}
_VALUE: Final = {rank: at for at, rank in enumerate("23456789TJQKA", 2)}
_ACE: Final = 14
_OMAHA: Final = 4
_MOST_OWN: Final = 6
"""Own cards of Omaha: usually, and at most."""
_NO_OMAHA: Final = "a hand is made of 3 to 6 own cards and 5 of the board, not of {} and {}"
_WHEEL: Final = (5, 4, 3, 2)
_CATEGORIES: Final = (
    "five",
    "straight-flush",
    "four",
    "full",
    "flush",
    "straight",
    "three",
    "two-pair",
    "pair",
    "high",
)
_FLUSH_FIRST: Final = (
    "five",
    "straight-flush",
    "four",
    "flush",
    "full",
    "straight",
    "three",
    "two-pair",
    "pair",
    "high",
)
_THREE_CARDS: Final = ("straight-flush", "three", "straight", "flush", "pair", "high")
_PATTERNS: Final[Mapping[tuple[int, ...], str]] = {
    (5,): "five",
    (4, 1): "four",
    (3, 2): "full",
    (3, 1, 1): "three",
    (2, 2, 1): "two-pair",
    (2, 1, 1, 1): "pair",
    (1, 1, 1, 1, 1): "high",
    (3,): "three",
    (2, 1): "pair",
    (1, 1, 1): "high",
    (2,): "pair",
    (1, 1): "high",
}
_LOW_PATTERNS: Final = ("high", "pair", "two-pair", "three", "full", "four", "five")
_WORST: Final = 16**6

Faces = tuple[str, ...]
Numbers = tuple[int, ...]
Known = TypeVar("Known")


@dataclass(frozen=True, slots=True)
class Ranking:
    """One way of ranking. `hands`: the hands that may be made of own cards and those of the board; `value`:
    the rank of a hand, None if it does not qualify. `whole`: the best rank of all at once, of cards in the
    numbers of the evaluator that knows a quicker way to it; a card may be there twice. `joker`: whether the
    deck has one.
    """

    hands: Callable[[Faces, Faces], Iterable[Faces]]
    value: Callable[[Faces], int | None]
    whole: Callable[[Numbers, Numbers], int] | None = None
    joker: bool = False


def rank(ranking: str, hole: Iterable[str], board: Iterable[str] = ()) -> int | None:
    """The rank of the best hand that these cards make; None if they make none that qualifies.

    A face that is there twice counts once. Raises ValueError for a card whose face is not known, for too few
    or too many cards, and for a ranking that is none.
    """
    return ranks(ranking, {0: hole}, board).get(0)


def ranks(ranking: str, holes: Mapping[int, Iterable[str]], board: Iterable[str] = ()) -> dict[int, int]:
    """The ranks of several hands by their seats, as `rank` gives them; who makes no hand that qualifies has
    none.
    """
    how = _ranking(ranking)
    if how.whole is not None:
        numbers = _known(board, _NUMBER)
        return {seat: how.whole(_known(hole, _NUMBER), numbers) for seat, hole in holes.items()}
    common, ranked = _faces(board, how), {}
    for seat, hole in holes.items():
        values = [
            value for hand in how.hands(_faces(hole, how), common) if (value := how.value(hand)) is not None
        ]
        if values:
            ranked[seat] = min(values)
    return ranked


def playing(ranking: str, hole: Iterable[str], board: Iterable[str] = ()) -> Faces:
    """The cards that make the best hand, the highest first, spades before hearts before diamonds before
    clubs; empty if no hand qualifies. Raises ValueError as `rank`.
    """
    how = _ranking(ranking)
    best: Faces = ()
    least: int | None = None
    for hand in how.hands(_faces(hole, how), _faces(board, how)):
        value = how.value(hand)
        if value is not None and (least is None or (value, _downwards(hand)) < (least, _downwards(best))):
            least, best = value, hand
    return tuple(sorted(best, key=_height, reverse=True))


def category(ranking: str, hand: Faces) -> str:
    """What the cards of one hand make, by the usual words or those of three cards: `straight-flush`, `four`,
    `full`, `flush`, `straight`, `three`, `two-pair`, `pair`, `high`.
    """
    known, wheel = (_THREE_CARDS, (3, 2)) if ranking == "three-card" else (_CATEGORIES, _WHEEL)
    return known[_of(hand, known, wheel) // 16**5]


def qualifies(game: str, hand: int) -> bool:
    """Whether a dealer's hand of this rank plays: queen high in `three-card`, ace and king in `caribbean`, a
    pair in `uth`.
    """
    return hand <= _DEALER_PLAYS[game]


# Which cards may play together.


def _five_of_seven(own: Faces, board: Faces) -> Iterable[Faces]:
    return combinations(_five_to_seven(own, board), 5)


def _two_and_three(own: Faces, board: Faces) -> Iterable[Faces]:
    if not 3 <= len(own) <= _MOST_OWN or len(board) != 5 or set(own) & set(board):
        raise ValueError(_NO_OMAHA.format(len(own), len(board)))
    return (two + three for two in combinations(own, 2) for three in combinations(board, 3))


def _apart(own: Faces, board: Faces) -> Iterable[Faces]:
    """Cards of different ranks and suits."""
    cards = own + board
    if not 1 <= len(cards) <= 4:
        raise ValueError(f"a badugi is made of up to 4 cards, not of {len(cards)}")
    return (
        some
        for size in range(1, len(cards) + 1)
        for some in combinations(cards, size)
        if len({card[0] for card in some}) == size == len({card[1] for card in some})
    )


def _just(count: int) -> Callable[[Faces, Faces], Iterable[Faces]]:
    def hands(own: Faces, board: Faces) -> Iterable[Faces]:
        if len(own + board) != count:
            raise ValueError(f"this hand is made of {count} cards, not of {len(own + board)}")
        return (own + board,)

    return hands


# What such a hand is worth.


def _eight_or_better(cards: Faces) -> int | None:
    values = sorted({_low_value(card) for card in cards}, reverse=True)
    return _digits(values, 5) if len(values) == 5 and values[0] <= 8 else None


def _ace_to_five(cards: Faces) -> int:
    counts = sorted(Counter(map(_low_value, cards)).items(), key=lambda item: (-item[1], -item[0]))
    pattern = _PATTERNS[tuple(count for _, count in counts)]
    return _digits([_LOW_PATTERNS.index(pattern), *(value for value, _ in counts)], 6)


def _deuce_to_seven(cards: Faces) -> int:
    return _WORST - _of(cards, _CATEGORIES, ())


def _badugi(cards: Faces) -> int:
    return _digits([4 - len(cards), *sorted(map(_low_value, cards), reverse=True)], 5)


def _of_kind(categories: tuple[str, ...], wheel: tuple[int, ...]) -> Callable[[Faces], int]:
    return lambda cards: _of(cards, categories, wheel)


def _with_bug(cards: Faces) -> int:
    rest = tuple(card for card in cards if card != "joker")
    if len(rest) == len(cards):
        return _of(cards, _CATEGORIES, _WHEEL)
    # Beside four aces the joker is a fifth one, of no suit of its own.
    aces = [f"A{suit}" for suit in _SUITS if f"A{suit}" not in rest] or ["As"]
    others = [value + suit for value in _VALUE for suit in _SUITS if value + suit not in rest]
    made = [_of((*rest, card), _CATEGORIES, _WHEEL) for card in others]
    completes = [
        rank for rank in made if _CATEGORIES[rank // 16**5] in ("straight-flush", "flush", "straight")
    ]
    return min(completes + [_of((*rest, ace), _CATEGORIES, _WHEEL) for ace in aces])


def _straight_or_flush(cards: Faces) -> bool:
    made = _CATEGORIES[_of(cards, _CATEGORIES, _WHEEL) // 16**5]
    return made in ("straight-flush", "flush", "straight")


def _with_wild(plain: Ranking, kind: Wild, *, high: bool) -> Ranking:
    """The ranking with wild cards. `high`: whether a bug is bound to aces, straights and flushes."""
    return Ranking(
        plain.hands,
        lambda cards: wild.best(cards, kind, plain.value, _straight_or_flush if high else None),
        joker="joker" in wild.CARDS[kind],
    )


def _pair_or_high(cards: Faces) -> int:
    return _of(tuple("As" if card == "joker" else card for card in cards), ("pair", "high"), (), suited=False)


# What they are made of.


def _ranking(name: str) -> Ranking:
    ranking = _RANKINGS.get(name)
    if ranking is None:
        raise ValueError(f"there is no ranking {name!r}; rankings are {', '.join(_RANKINGS)}")
    return ranking


def _faces(cards: Iterable[str], how: Ranking) -> Faces:
    return _each_once(cards, _WITH_JOKER if how.joker else _FACE)


def _each_once(cards: Iterable[str], known: Mapping[str, Known]) -> tuple[Known, ...]:
    """What is known of each of these cards; a face that is there twice counts once."""
    return tuple(dict.fromkeys(_known(cards, known)))


def _known(cards: Iterable[str], known: Mapping[str, Known]) -> tuple[Known, ...]:
    """What is known of each of these cards. Raises ValueError for one whose face is not known."""
    try:
        return tuple(map(known.__getitem__, cards))
    except KeyError:
        raise ValueError("a hand with a card whose face is not known has no rank") from None


def _five_to_seven(own: tuple[Known, ...], board: tuple[Known, ...]) -> tuple[Known, ...]:
    cards = own + board
    if len(set(cards)) < len(cards):
        cards = tuple(dict.fromkeys(cards))
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a hand is made of 5 to 7 cards, not of {len(cards)}")
    return cards


def _low_value(card: str) -> int:
    return 1 if card[0] == "A" else _VALUE[card[0]]


def _of(cards: Faces, categories: tuple[str, ...], wheel: tuple[int, ...], *, suited: bool = True) -> int:
    """The rank of just these cards. `wheel`: the values that make a straight below the ace, highest first."""
    counts = sorted(Counter(_VALUE[card[0]] for card in cards).items(), key=lambda item: (-item[1], -item[0]))
    values = [value for value, _ in counts]
    category = _PATTERNS[tuple(count for _, count in counts)]
    if category == "high" and suited:
        flush = len({card[1] for card in cards}) == 1
        low = wheel and tuple(values) == (_ACE, *wheel)
        straight = bool(low) or values[0] - values[-1] == len(cards) - 1
        if low:
            values = [*wheel, 1]
        category = (
            "straight-flush"
            if straight and flush
            else "straight"
            if straight
            else "flush"
            if flush
            else "high"
        )
    return _digits([categories.index(category), *(_ACE - value for value in values)], 6)


def _digits(values: Sequence[int], size: int) -> int:
    """Values from 0 to 15 as one number, the first weighing most, filled up to `size` digits."""
    number = 0
    for value in (*values, *[0] * (size - len(values))):
        number = number * 16 + value
    return number


def _height(card: str) -> tuple[int, int]:
    return _VALUE.get(card[0], _ACE + 1), _SUITS.find(card[-1])


def _downwards(cards: Faces) -> list[tuple[int, int]]:
    """Of hands of one rank the one with the higher suits comes first."""
    return [(-value, -suit) for value, suit in sorted(map(_height, cards), reverse=True)]


def _whole_high(own: Numbers, board: Numbers) -> int:
    cards = _five_to_seven(own, board)
    return BY_COUNT[len(cards)](*cards)


def _whole_omaha(own: Numbers, board: Numbers) -> int:
    own, board = tuple(dict.fromkeys(own)), tuple(dict.fromkeys(board))
    if len(board) != 5 or not 3 <= len(own) <= _MOST_OWN or set(own) & set(board):
        raise ValueError(_NO_OMAHA.format(len(own), len(board)))
    if len(own) < _OMAHA:
        pairs, threes = combinations(own, 2), [*combinations(board, 3)]
        five = native.evaluate_5cards
        return min(int(five(*two, *three)) for two in pairs for three in threes)
    # The evaluator takes four cards; any two of more are among some four of them.
    return min(int(native.evaluate_omaha_cards(*board, *four)) for four in combinations(own, _OMAHA))


def _by_table(cards: Faces) -> int:
    value: int = native.evaluate_5cards(*map(_NUMBER.__getitem__, cards))
    return value


_without_table: Final = _of_kind(_CATEGORIES, _WHEEL)
_usual: Final = _without_table if native is None else _by_table
WITHOUT_TABLES: Final[Mapping[str, Ranking]] = {
    "high": Ranking(_five_of_seven, _without_table),
    "omaha-high": Ranking(_two_and_three, _without_table),
}
"""The usual high hands in Python alone: the same order, other numbers, some thirty times slower."""
_BY_TABLE: Final[Mapping[str, Ranking]] = {
    "high": Ranking(_five_of_seven, _by_table, _whole_high),
    "omaha-high": Ranking(_two_and_three, _by_table, _whole_omaha),
}
_RANKINGS: Final[dict[str, Ranking]] = {
    **(WITHOUT_TABLES if native is None else _BY_TABLE),
    "short-deck-high": Ranking(_five_of_seven, _of_kind(_FLUSH_FIRST, (9, 8, 7, 6))),
    "americana-high": Ranking(_five_of_seven, _of_kind(_FLUSH_FIRST, (10, 9, 8, 7))),
    "low8": Ranking(_five_of_seven, _eight_or_better),
    "omaha-low8": Ranking(_two_and_three, _eight_or_better),
    "low-a5": Ranking(_five_of_seven, _ace_to_five),
    "low-27": Ranking(_five_of_seven, _deuce_to_seven),
    "badugi": Ranking(_apart, _badugi),
    "three-card": Ranking(_just(3), _of_kind(_THREE_CARDS, (3, 2))),
    "pai-gow-high": Ranking(_just(5), _with_bug, joker=True),
    "pai-gow-low": Ranking(_just(2), _pair_or_high, joker=True),
}
WILD: Final = ("high", "omaha-high", "low8", "omaha-low8", "low-a5", "low-27")
"""The rankings that there are with wild cards."""
_KINDS: Final[tuple[Wild, ...]] = ("deuces", "joker", "bug")
_RANKINGS.update(
    {
        f"{name}+{kind}": _with_wild({**_RANKINGS, **WITHOUT_TABLES}[name], kind, high=name in WITHOUT_TABLES)
        for name in WILD
        for kind in _KINDS
    }
)
_DEALER_PLAYS: Final[Mapping[str, int]] = {
    "three-card": _of(("Qc", "3d", "2h"), _THREE_CARDS, ()),
    "caribbean": _usual(("Ac", "Kd", "4h", "3s", "2c")),
    "uth": _usual(("2c", "2d", "5h", "4s", "3c")),
}
