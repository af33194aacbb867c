"""Numbers as people say them.

Theory. A number is read from the largest part to the smallest, each part once: millions, thousands, and what
is left. A part is a figure, or words below a hundred, or hundreds of them, and may be followed by smaller
ones. What is no such number is none: no word of it is left out, and nothing is added up that does not belong
together.

| said | is | since |
| --- | --- | --- |
| two thousand five hundred, 2k 500 | 2500 | parts |
| twenty-five hundred, 1.5k, полторы тысячи | 2500, 1500, 1500 | multiples |
| five, 12, 350 | 5, 500, 5,000 ... | a bare number can mean units, hundreds, thousands |
| three fifty, twelve fifty | 350, 350,000; 1250, 1,250,000 | hundreds and what is below, also of thousands |
| two five | 2500 | thousands and hundreds |
| twelve five, 300 400 | nothing | no such number is spoken |
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tablebridge.engine.declarations.language import Numeral

MOST: Final = 10**12
"""No amount at a table is as large."""

_BARE: Final = (1, 100, 1_000)
_SPOKEN: Final = (1, 1_000)


@dataclass(frozen=True, slots=True)
class Part:
    """One word of a number: how it stands there, and its value, a fraction if it is a figure with a point."""

    kind: Numeral
    value: int | Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was spoken. `amount`: as it was said; `meanings`: all amounts that can be meant,
    ascending, if it can mean several; `clear`: the amount itself is meant if it can be.
    """

    amount: int
    meanings: tuple[int, ...] = ()
    clear: bool = True


def number(parts: list[Part]) -> Number | None:
    """The number that these words say, or None if they say none."""
    total, rest, least = Fraction(0), parts, Fraction(MOST)
    for scale, kind in ((1_000_000, "million"), (1_000, "thousand")):
        at = next((at for at, part in enumerate(rest) if part.kind == kind), None)
        if at is None:
            continue
        many = _multiple(rest[:at]) if at else Fraction(1)
        if many is None or not 0 < many * scale < least:
            return None
        total, rest, least = total + many * scale, rest[at + 1 :], Fraction(scale)
        if not rest:
            return _whole(total)
    last = _below(rest)
    if last is None or last.amount >= least or (total and not last.amount):
        return None
    return last if not total else _whole(total + last.amount)


def _whole(value: Fraction) -> Number | None:
    return Number(int(value)) if value.denominator == 1 and value < MOST else None


def _multiple(parts: list[Part]) -> Fraction | None:
    """How many thousands or millions."""
    if len(parts) == 1 and parts[0].kind == "half-again":
        return Fraction(parts[0].value, 2)
    if len(parts) == 1 and parts[0].kind in ("article", "figure"):
        return Fraction(parts[0].value)
    below = _below(parts)
    return None if below is None else Fraction(below.amount)


def _below(parts: list[Part]) -> Number | None:
    """A number without thousands: a figure, words, hundreds of them, or two that people say one after the
    other.
    """
    kinds = [part.kind for part in parts]
    if "hundred" in kinds:
        return _hundreds(parts, kinds.index("hundred"))
    if kinds and kinds[0] == "hundreds":
        tail = Number(0) if not parts[1:] else _small(parts[1:])
        return None if tail is None else Number(int(parts[0].value) + tail.amount)
    if kinds == ["figure"]:
        value = parts[0].value
        if isinstance(value, Fraction) or value >= MOST:
            return None
        return Number(value, _meanings(value, _BARE)) if value else Number(value)
    whole = _small(parts)
    if whole is not None:
        return Number(whole.amount, _meanings(whole.amount, _BARE)) if whole.amount else whole
    return _in_sequence(parts)


def _hundreds(parts: list[Part], at: int) -> Number | None:
    if not at:
        many: int | Fraction = 1
    elif at == 1 and parts[0].kind in ("article", "figure"):
        many = parts[0].value
    else:
        small = _small(parts[:at])
        if small is None:
            return None
        many = small.amount
    tail = Number(0) if not parts[at + 1 :] else _small(parts[at + 1 :])
    if tail is None or not 0 < many < 100:
        return None
    return _whole(Fraction(many * 100 + tail.amount))


def _small(parts: list[Part]) -> Number | None:
    """Words below a hundred: `fifteen`, `twenty`, `twenty-five`."""
    values = [int(part.value) for part in parts]
    match [part.kind for part in parts]:
        case ["unit" | "ten"]:
            return Number(values[0])
        case ["ten", "unit"] if 0 < values[1] < 10:
            return Number(sum(values))
        case _:
            return None


def _in_sequence(parts: list[Part]) -> Number | None:
    """`three fifty`: two numbers below a hundred, the second of two digits, or both of one."""
    for at in range(1, len(parts)):
        first, second = _small(parts[:at]), _small(parts[at:])
        if first is None or second is None or not first.amount or not second.amount:
            continue
        if second.amount >= 10:
            value = 100 * first.amount + second.amount
            return Number(value, _meanings(value, _SPOKEN), clear=False)
        if first.amount < 10:
            value = 1_000 * first.amount + 100 * second.amount
            return Number(value, (value,), clear=False)
    return None


def _meanings(value: int, scales: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(value * scale for scale in scales)
