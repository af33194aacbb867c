"""Declarations in English."""

from typing import Final

from tablebridge.engine.declarations.language import Concept, Language, Numeral

_WORDS: Final[dict[str, Concept]] = {
    "check": "check", "checking": "check",
    "call": "call", "calling": "call",
    "fold": "fold", "folding": "fold",
    "all in": "allin", "allin": "allin", "shove": "allin",
    "bet": "bet", "betting": "bet",
    "raise": "raise", "raising": "raise", "reraise": "raise", "re raise": "raise", "cap": "raise",
    "pot": "pot", "complete": "complete",
    "min": "least", "minimum": "least",
    "to": "to", "by": "by", "more": "more",
    "play": "play", "board": "board", "if": "if", "and": "and",
    **dict.fromkeys(("i", "i'm", "i'll", "i'd", "am", "will", "would", "like", "it", "it's", "make", "that's", "the", "a",
                     "please", "go", "going", "$", "€", "£"), "filling"),
}
_UNITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
                 "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMERALS: Final[dict[str, tuple[Numeral, int]]] = {
    "a": ("article", 1),
    **{word: ("unit", value) for value, word in enumerate(_UNITS)},
    **{word: ("ten", 10 * value) for value, word in enumerate(_TENS, 2)},
    "hundred": ("hundred", 100),
    "thousand": ("thousand", 1_000), "k": ("thousand", 1_000), "grand": ("thousand", 1_000),
    "million": ("million", 1_000_000),
}

ENGLISH: Final = Language(_WORDS, _NUMERALS)
