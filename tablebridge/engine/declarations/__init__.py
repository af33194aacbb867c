"""What a player's words declare: an action with or without an amount, or nothing that binds.

Theory. Nothing is cut out of what was said. Each word is looked up in the languages; a word, letter or sign
that stands in none of them refuses the whole declaration, so that no number is left over from a sentence that
said something else. The words then are a row of concepts with at most one number, and only the rows of the
table below declare something.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from tablebridge.engine.declarations.english import ENGLISH
from tablebridge.engine.declarations.language import Concept, Language, Numeral
from tablebridge.engine.declarations.numbers import Number, Part, number
from tablebridge.engine.declarations.russian import RUSSIAN

Meaning = Literal[
    "check",
    "call",
    "fold",
    "allin",
    "bet",
    "raise",
    "amount",
    "pot",
    "half-pot",
    "complete",
    "time",
    "conditional",
    "board",
    "none",
]

LANGUAGES: Final[tuple[Language, ...]] = (ENGLISH, RUSSIAN)
_VOCABULARY: Final[dict[str, Concept]] = {
    word: says for language in LANGUAGES for word, says in language.vocabulary.items()
}
_NUMERALS: Final[dict[str, tuple[Numeral, int]]] = {
    word: says for language in LANGUAGES for word, says in language.numerals.items()
}
_MULTIPLES: Final = ("hundred", "thousand", "million")

_MOST_LETTERS: Final = 400
_PAUSES: Final = frozenset('.,!;:…"“”«»()-–—')
"""What may stand between words and says nothing."""
_TOKEN: Final = re.compile(
    r"(?P<figure>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+[.,][0-9]+|[0-9]+)"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)|(?P<blank>\s+)|(?P<sign>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Said:
    """What was declared. `amount`: the number, if any, which is a total unless it is said to come on top
    (`more`). `meanings`: all amounts that it can be, ascending, if it can be several; `clear`: it is a number
    as it is written. `least`: the smallest bet or raise was named. `unknown`: the first word that is not
    understood. `unreadable`: an amount was said that is no number.
    """

    meaning: Meaning
    amount: int | None = None
    meanings: tuple[int, ...] = ()
    clear: bool = True
    more: bool = False
    least: bool = False
    unknown: str = ""
    unreadable: bool = False


_NOTHING: Final = Said("none")

_ROWS: Final[dict[tuple[str, ...], Said]] = {
    ("check",): Said("check"),
    ("call",): Said("call"),
    ("call", "#"): Said("call"),
    ("fold",): Said("fold"),
    ("allin",): Said("allin"),
    ("bet", "all"): Said("allin"),
    ("bet",): Said("bet"),
    ("raise",): Said("raise"),
    ("raise", "allin"): Said("allin"),
    ("#",): Said("amount"),
    ("to", "#"): Said("amount"),
    ("bet", "#"): Said("bet"),
    ("bet", "to", "#"): Said("bet"),
    ("raise", "#"): Said("raise"),
    ("raise", "to", "#"): Said("raise"),
    **dict.fromkeys(
        (("raise", "by", "#"), ("raise", "#", "more"), ("raise", "more", "#"), ("raise", "by", "#", "more")),
        Said("raise", more=True),
    ),
    # One declaration: its first word binds.
    **dict.fromkeys(
        (
            ("call", "raise"),
            ("call", "raise", "least"),
            ("call", "raise", "#"),
            ("call", "raise", "to", "#"),
            ("call", "raise", "by", "#"),
            ("call", "raise", "#", "more"),
        ),
        Said("call"),
    ),
    **dict.fromkeys((("bet", "least"), ("least", "bet")), Said("bet", least=True)),
    **dict.fromkeys(
        (("raise", "least"), ("least", "raise"), ("raise", "to", "least")),
        Said("raise", least=True),
    ),
    ("pot",): Said("pot"),
    ("bet", "pot"): Said("pot"),
    ("raise", "pot"): Said("pot"),
    ("half-pot",): Said("half-pot"),
    ("bet", "half-pot"): Said("half-pot"),
    ("raise", "half-pot"): Said("half-pot"),
    ("complete",): Said("complete"),
    ("time",): Said("time"),
    ("play", "board"): Said("board"),
}
"""Every declaration there is, `#` being its number."""


def understand(text: str) -> Said:
    """What the words of a player declare. What is no declaration is `none`."""
    tokens = _tokens(text)
    if any(_VOCABULARY.get(token) == "if" for token in tokens):
        return Said("conditional")
    unknown = next(
        (
            token
            for token in tokens
            if not _figure(token) and token not in _VOCABULARY and token not in _NUMERALS
        ),
        "",
    )
    if unknown:
        return Said("none", unknown=unknown)
    numerals = [at for at, token in enumerate(tokens) if _stands_in_a_number(tokens, at)]
    if not numerals:
        return _ROWS.get(_row(tokens), _NOTHING)
    first, last = numerals[0], numerals[-1]
    said = _number(tokens[first : last + 1])
    row = _ROWS.get((*_row(tokens[:first]), "#", *_row(tokens[last + 1 :])))
    if row is None or (said is None and (row.meaning == "call" or len(numerals) <= last - first)):
        return _NOTHING
    if row.meaning == "call":
        # Who calls accepts the bet, whatever it was said to be.
        return row
    if said is None:
        return Said("none", unreadable=True)
    return Said(row.meaning, said.amount, said.meanings, said.clear, row.more)


def _tokens(said: str) -> list[str]:
    """Words, figures and signs, in small letters; words of two parts as one."""
    text = unicodedata.normalize("NFC", said[: _MOST_LETTERS + 1].lower()).replace("’", "'")
    text = text.replace("ё", "е").replace("рэ", "ре")
    if len(said) > _MOST_LETTERS:
        return ["…"]
    tokens: list[str] = []
    for found in _TOKEN.finditer(text):
        kind, token = found.lastgroup, found[0]
        if kind == "word":
            tokens += _parts(token)
        elif kind == "figure" or (
            kind == "sign" and not _is_pause(token, text[: found.start()], text[found.end() :])
        ):
            tokens.append(token)
    return list(_joined(tokens))


def _is_pause(sign: str, before: str, after: str) -> bool:
    """Beside a figure a dash may be a minus or a range, and a point or comma before one part of a number."""
    if sign in "-–—" and (before[-1:].isdigit() or after[:1].isdigit()):
        return False
    return sign in _PAUSES and not (sign in ".," and after[:1].isdigit() and not before[-1:].isalpha())


def _parts(word: str) -> list[str]:
    """A hyphenated word is one word if that is known, and its parts if not."""
    whole = word.replace("-", "")
    return [whole] if whole in _VOCABULARY or whole in _NUMERALS else word.split("-")


def _joined(tokens: list[str]) -> Iterable[str]:
    at = 0
    while at < len(tokens):
        pair = " ".join(tokens[at : at + 2])
        joined = pair in _VOCABULARY
        yield pair if joined else tokens[at]
        at += 1 + joined


def _figure(token: str) -> bool:
    return token[0] in "0123456789"


def _stands_in_a_number(tokens: list[str], at: int) -> bool:
    token = tokens[at]
    if token in _NUMERALS and _NUMERALS[token][0] == "article":
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        return _NUMERALS.get(following, ("", 0))[0] in _MULTIPLES
    return _figure(token) or token in _NUMERALS


def _row(tokens: list[str]) -> tuple[str, ...]:
    """The concepts of words that are no number, without those that say nothing."""
    return tuple(says for token in tokens if (says := _VOCABULARY[token]) not in ("filling", "and"))


def _number(tokens: list[str]) -> Number | None:
    """The number of these words; `and` may follow a hundred or a larger multiple."""
    parts: list[Part] = []
    for token in tokens:
        if _VOCABULARY.get(token) == "and" and parts and parts[-1].kind in _MULTIPLES:
            continue
        if _figure(token):
            parts.append(Part("figure", _value(token)))
        elif token in _NUMERALS:
            parts.append(Part(*_NUMERALS[token]))
        else:
            return None
    return number(parts)


def _value(figure: str) -> int | Fraction:
    """`1,500` and `1500` are the same; `1.5` and `1,5` are a fraction."""
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", figure):
        return int(figure.replace(",", ""))
    return Fraction(figure.replace(",", ".")) if not figure.isdigit() else int(figure)
