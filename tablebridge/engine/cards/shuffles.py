"""Was that a shuffle? Tests of the order in which cards came off the deck, with a stated rate of false
alarms.

Theory. After a fair shuffle every order of the 52 cards is as likely as any other, so each count below has a
known distribution, whatever is compared with. Only cards that antennas read count: what somebody typed says
nothing of an order.

| cause | compared with | count | under a fair shuffle |
| --- | --- | --- | --- |
| order-kept | the spread of the deck check | rising sequences (a riffle makes two of one) | Eulerian |
| order-kept | cards together in the last hand | neighbours that lay together | Poisson |
| order-repeated | the order off the deck in the last hand | neighbours that were neighbours | Poisson |
| biased | all hands since the deck check | how often each card came at all | chi-squared, 51 degrees |

*Rising sequences.* Read the cards in their old order; a new sequence begins where a card came off the deck
before the one that precedes it. Any part of a random order is a random order, so of m cards that came off,
P(r sequences) = A(m, r-1) / m!. Few are an order that was kept, many one that was reversed. A cut adds one.

*Neighbours.* m cards have m - 1 pairs of neighbours, each any of the 52 x 51 ordered pairs; of
these n count. Their number is Poisson in good approximation, of mean (m - 1) n / 2652.

*Bias.* Where m of 52 cards come in each of N hands, p = m/52, the sum over the cards of (came - N p)^2 / (N p
(1 - p)), times 51/52 since the cards of a hand add up, is chi-squared with 51 degrees; its tail by the
approximation of Wilson and Hilferty. It is looked at after 128, 256, 512 ... hands.

Each look at each test has a false-alarm rate of at most `ALARM`, so that a fair table is reported at most
once in about seventy thousand hands. A deck that came from the spread unshuffled is always reported, one that
was gathered, cut and dealt again in about one hand of three; two riffles and a cut hide nearly everything
from a table that sees half the deck.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import erfc, exp, factorial, sqrt
from typing import Final

ALARM: Final = 5e-6
FEWEST: Final = 8
"""Fewer cards than these are never judged."""

FIRST_LOOK: Final = 128
_PAIRS: Final = 52 * 51

Order = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered from hand to hand. `spread`: the order of a deck check, until the hand after it.
    `order`: faces in the order in which they came off the deck; `together`: ordered pairs that lay together.
    `came`: of each face, how often it came in `hands` hands; `expected`, `variance`: of each count, were the
    shuffles fair.
    """

    spread: Order = ()
    order: Order = ()
    together: frozenset[tuple[str, str]] = frozenset()
    came: tuple[tuple[str, int], ...] = ()
    hands: int = 0
    expected: float = 0.0
    variance: float = 0.0


NOTHING: Final = Memory()


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a shuffle is suspect. `cause`: of the finding; `text`, `args`: its sentence, with what was
    counted.
    """

    cause: str
    text: str
    args: Mapping[str, int]


def checked(order: Iterable[str]) -> Memory:
    """The deck was spread and read in this order: nothing before it counts any more."""
    return Memory(spread=tuple(order))


def judge(memory: Memory, order: Order, groups: Iterable[Sequence[str]]) -> tuple[Memory, Suspicion | None]:
    """A hand is over: what its cards say of the shuffle before it, and what is remembered for the next one.

    `order`: the faces that are known to have come off the deck, in order, each once. `groups`: those that lay
    together.
    """
    if len(order) < FEWEST:
        return memory, None
    share = len(order) / 52
    counts = Counter(dict(memory.came))
    counts.update(order)
    together = frozenset(
        (card, other) for group in groups for card in group for other in group if card != other
    )
    later = Memory(
        order=order,
        together=together,
        came=tuple(counts.items()),
        hands=memory.hands + 1,
        expected=memory.expected + share,
        variance=memory.variance + share * (1 - share),
    )
    return later, _kept(memory, order) or _repeated(memory, order) or _biased(later)


def _kept(memory: Memory, order: Order) -> Suspicion | None:
    if memory.spread:
        place = {card: at for at, card in enumerate(memory.spread)}
        known = [card for card in order if card in place]
        count = rising_sequences(known, place)
        if len(known) >= FEWEST and _rising_chance(len(known), count) < ALARM:
            return Suspicion("order-kept", "sequences", {"cards": len(known), "count": count})
    return _neighbours("order-kept", order, memory.together)


def _repeated(memory: Memory, order: Order) -> Suspicion | None:
    return _neighbours("order-repeated", order, frozenset(pairwise(memory.order)))


def _neighbours(cause: str, order: Order, pairs: frozenset[tuple[str, str]]) -> Suspicion | None:
    count = sum(pair in pairs for pair in pairwise(order))
    if count < 2 or _poisson_tail(count, (len(order) - 1) * len(pairs) / _PAIRS) >= ALARM:
        return None
    return Suspicion(cause, cause, {"count": count})


def _biased(memory: Memory) -> Suspicion | None:
    looks = memory.hands // FIRST_LOOK
    if memory.hands % FIRST_LOOK or looks & (looks - 1) or memory.variance <= 0:
        return None
    came = dict(memory.came)
    squares = (
        sum((count - memory.expected) ** 2 for count in came.values()) + (52 - len(came)) * memory.expected**2
    )
    if chi_squared_tail(squares / memory.variance * 51 / 52, 51) >= ALARM:
        return None
    return Suspicion("biased", "biased", {"hands": memory.hands})


# The distributions.


def rising_sequences(order: Sequence[str], place: dict[str, int]) -> int:
    """In how many rising sequences of the old order (`place` of each card) the new order lies."""
    new = {card: at for at, card in enumerate(order)}
    old = sorted(order, key=place.__getitem__)
    return 1 + sum(new[card] > new[following] for card, following in pairwise(old))


@cache
def _eulerian(cards: int) -> tuple[float, ...]:
    """The share of the orders of this number of cards with 1, 2, 3 ... rising sequences."""
    row = [1]
    for size in range(2, cards + 1):
        row = [
            (at + 1) * (row[at] if at < len(row) else 0) + (size - at) * (row[at - 1] if at else 0)
            for at in range(size)
        ]
    return tuple(count / factorial(cards) for count in row)


def _rising_chance(cards: int, count: int) -> float:
    """The chance of as few or as many rising sequences as these, or more extreme, on either side."""
    shares = _eulerian(cards)
    return 2 * min(sum(shares[:count]), sum(shares[count - 1 :]))


def _poisson_tail(count: int, mean: float) -> float:
    """P(at least `count`)."""
    term, tail = exp(-mean) * mean**count / factorial(count), 0.0
    while term > tail * 1e-12:
        tail += term
        count += 1
        term *= mean / count
    return tail


def chi_squared_tail(value: float, degrees: int) -> float:
    """P(chi-squared >= value), after Wilson and Hilferty: the cube root is nearly normal."""
    spread = 2 / (9 * degrees)
    return 0.5 * erfc(((value / degrees) ** (1 / 3) - (1 - spread)) / sqrt(spread) / sqrt(2))
