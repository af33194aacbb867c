"""What a language of declarations is: its words, each with what it says. Data, no behaviour.

Words stand in small letters, without hyphens: `all-in` is looked up as `allin`, then as `all in`, then word
by word. A word of two parts stands with the blank between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Concept = Literal[
    "check",
    "call",
    "fold",
    "allin",
    "bet",
    "raise",
    "pot",
    "half-pot",
    "complete",
    "time",
    "forced",
    "blind",
    "least",
    "all",
    "to",
    "by",
    "more",
    "play",
    "board",
    "if",
    "and",
    "filling",
]
"""What a word says beside a number. `filling` says nothing; `and` does so between declarations and within a
number. `forced`: a bet that nobody declares; `blind`: a raise before the deal, which has its own line.
"""

Numeral = Literal[
    "figure", "article", "unit", "ten", "hundreds", "hundred", "thousand", "million", "half-again"
]
"""How a word stands in a number: `figure` is written in digits; `article` is one before a multiple; `unit` 0
to 19; `ten` 20 to 90; `hundreds` a whole word for 100 to 900; `hundred`, `thousand`, `million` multiply;
`half-again` is one and a half of the multiple after it.
"""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: what its words say, and the values of its number words."""

    vocabulary: Mapping[str, Concept]
    numerals: Mapping[str, tuple[Numeral, int]] = field(default_factory=dict)
