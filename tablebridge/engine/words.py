"""What a player's words mean: a declaration with or without an amount, or nothing that bets."""

import re
from dataclasses import dataclass
from typing import Final, Literal

Meaning = Literal["check", "call", "fold", "allin", "bet", "raise", "amount", "pot", "complete", "conditional", "board",
                  "none"]

_UNITS: Final = {word: value for value, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"))}
_TENS: Final = {word: 10 * value for value, word in enumerate(
    ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)}
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "k": 1_000, "grand": 1_000, "million": 1_000_000}
_PLAIN: Final[dict[str, Meaning]] = {
    "check": "check", "call": "call", "fold": "fold", "all in": "allin", "allin": "allin", "bet": "bet", "raise": "raise",
    "pot": "pot", "bet pot": "pot", "raise pot": "pot", "complete": "complete",
}
_FILLING: Final = frozenset(
    ("i", "m", "am", "ll", "will", "d", "to", "it", "make", "s", "that", "the", "and", "please", "go", "going"))
_DECIMAL: Final = re.compile(r"(\d{1,9})\.(\d{1,6})\s*(hundred|thousand|k|grand|million)\b")


@dataclass(frozen=True, slots=True)
class Said:
    """`amount`: the number said, if any. `bare`: a number word or two digits at most, without hundred or thousand."""

    meaning: Meaning
    amount: int | None = None
    bare: bool = False


def understand(words: str) -> Said:
    """What these words declare. What is no declaration is `none`."""
    figures = _DECIMAL.sub(_whole, re.sub(r"(?<=\d),(?=\d{3})", "", words.lower()))
    text = re.sub(r"[^a-z0-9]+", " ", figures).strip()
    tokens = re.findall(r"[a-z]+|\d+", text)
    if "if" in tokens:
        return Said("conditional")
    if "play" in tokens and "board" in tokens:
        return Said("board")
    tokens = [token for token in tokens if token not in _FILLING]
    plain = _PLAIN.get(" ".join(tokens))
    if plain is not None:
        return Said(plain)
    kind: Meaning = "amount"
    if tokens and tokens[0] in ("bet", "raise"):
        kind = "bet" if tokens[0] == "bet" else "raise"
        tokens = tokens[1:]
    amount = _number(tokens)
    if amount is None:
        return Said("none")
    return Said(kind, amount, bare=amount < 100 and not any(token in _SCALES for token in tokens))


def _whole(found: re.Match[str]) -> str:
    """`1.5k` as 1500; what is no whole number stays as it is."""
    value, rest = divmod(int(found[1] + found[2]) * _SCALES[found[3]], 10 ** len(found[2]))
    return found[0] if rest else str(value)


def readings(number: int) -> tuple[int, ...]:
    """The amounts that a bare number can mean, ascending: itself, hundreds, thousands, and so on."""
    return tuple(number * scale for scale in (1, 100, 1_000, 100_000, 1_000_000))


def _number(tokens: list[str]) -> int | None:
    if not tokens:
        return None
    total, part = 0, 0
    for before, token in zip(("", *tokens), tokens, strict=False):
        if token.isdigit():
            if before.isdigit():
                return None
            part += int(token[:15])
        elif token in _UNITS:
            part += _UNITS[token]
        elif token in _TENS:
            part += _TENS[token]
        elif token == "hundred":
            part = max(part, 1) * 100
        elif token in _SCALES:
            total += max(part, 1) * _SCALES[token]
            part = 0
        else:
            return None
    return total + part
