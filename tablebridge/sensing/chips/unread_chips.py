"""How many chips of a pile lie there unread, from how often those answer that were read.

**Theory.** Chips in a pile shadow each other. Each of them answers in a visit at its own rate, and the
rates of one pile are beta-distributed; a share of all chips never answers. `v` visits of a pile that
nobody touches give each chip its number of answers, so the likelihood of a beta distribution with mean
`m` and weight `k` is a product of beta-binomials, of those that are counted: with fewer answers than
`needed` a chip is not. By this likelihood over a grid of `m` and `k`, a chip is not counted after `v`
visits with probability

    q = never + (1 - never) · mean of P(fewer answers than needed | m, k, v)

and with a prior of 1/N over the number of chips the unread ones of a denomination with `n` counted chips are
negative binomial,

    P(u unread) = C(n + u - 1, u) · q^u · (1 - q)^n.

A denomination without a read chip is taken not to be there. What all unread chips are worth is the sum
over the denominations; its upper quantile is the error of the count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import exp, lgamma, log
from typing import Final

_MEANS: Final = tuple(1 / (1 + exp(-logit / 2)) for logit in range(-9, 10))
_WEIGHTS: Final = (0.5, 1.0, 2.0, 4.0, 10.0, 40.0)
_MOST_VISITS: Final = 2_000
_FINEST: Final = 400
"""The sum is kept in at most this many steps, each rounded up."""
_NEGLIGIBLE: Final = 1e-7
_MOST_UNREAD: Final = 200


def unread_chance(answers: Iterable[int], visits: int, needed: int, never: float) -> float:
    """The probability that a chip of this pile has answered less than `needed` times in these visits.
    `answers`: how often each counted chip answered. 1.0 of an empty pile.
    """
    often = Counter(min(answered, _MOST_VISITS) for answered in answers)
    if not often:
        return 1.0
    visits = min(visits, _MOST_VISITS)
    fits: list[tuple[float, float]] = []
    for mean in _MEANS:
        for weight in _WEIGHTS:
            alpha, beta = mean * weight, (1 - mean) * weight
            short = sum(exp(_log_answers(count, visits, alpha, beta)) for count in range(needed))
            counted = log(max(1 - short, _NEGLIGIBLE))
            fit = sum(
                number * (_log_answers(min(answered, visits), visits, alpha, beta) - counted)
                for answered, number in often.items()
            )
            fits.append((fit, min(1.0, short)))
    best = max(fit for fit, _ in fits)
    weights = [exp(fit - best) for fit, _ in fits]
    short = sum(weight * short for weight, (_, short) in zip(weights, fits, strict=True)) / sum(weights)
    return never + (1 - never) * short


def unread_worth(counted: Mapping[int, int], chance: float, error: float) -> int:
    """What the unread chips of a pile are worth at most, but for this probability of `error`. `counted`: the
    number of counted chips by denomination; `chance`: of `unread_chance`.
    """
    numbers = {value: _unread(number, chance) for value, number in sorted(counted.items())}
    most = sum(value * (len(odds) - 1) for value, odds in numbers.items())
    step = -(-most // _FINEST) or 1
    worth: dict[int, float] = {0: 1.0}
    for value, odds in numbers.items():
        total: dict[int, float] = {}
        for amount, share in worth.items():
            for number, odd in enumerate(odds):
                steps = amount + -(-number * value // step)
                total[steps] = total.get(steps, 0.0) + share * odd
        worth = total
    left = 1.0 - error
    for amount in sorted(worth):
        left -= worth[amount]
        if left <= 0:
            return amount * step
    return most


@lru_cache(maxsize=1024)
def _unread(counted: int, chance: float) -> tuple[float, ...]:
    """How likely 0, 1, 2 and so on chips lie there unread beside those that were counted."""
    odds = [(1 - chance) ** counted]
    while sum(odds) < 1 - _NEGLIGIBLE and len(odds) < _MOST_UNREAD:
        number = len(odds)
        odds.append(odds[-1] * chance * (counted + number - 1) / number)
    return tuple(odds)


def _log_answers(answered: int, visits: int, alpha: float, beta: float) -> float:
    """The logarithm of the beta-binomial probability of this number of answers."""
    return (
        lgamma(visits + 1)
        - lgamma(answered + 1)
        - lgamma(visits - answered + 1)
        + lgamma(answered + alpha)
        + lgamma(visits - answered + beta)
        - lgamma(visits + alpha + beta)
        + lgamma(alpha + beta)
        - lgamma(alpha)
        - lgamma(beta)
    )
