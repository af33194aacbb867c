"""The phases of a hand, and what leads from one to another: the table that `Hand` executes."""

from collections.abc import Mapping
from typing import Final, Literal

Phase = Literal["street", "showdown", "over", "void"]
"""`over` and `void` are ends; a hand that was paid can still become void."""
Step = Literal["dealt", "taken back", "betting over", "run again", "ended", "voided"]

TRANSITIONS: Final[Mapping[Phase, Mapping[Step, Phase]]] = {
    "street": {
        "dealt": "street",
        "taken back": "street",
        "betting over": "showdown",
        "ended": "over",
        "voided": "void",
    },
    "showdown": {"run again": "street", "ended": "over", "voided": "void"},
    "over": {"voided": "void"},
    "void": {},
}
MEANINGS: Final[Mapping[Step, str]] = {
    "dealt": "the next street was dealt",
    "taken back": "a street that came wrongly is to be dealt again",
    "betting over": "nobody has to act on the last street any more",
    "run again": "the second run of the board begins",
    "ended": "the pots were paid, or the hand was closed as incomplete",
    "voided": "a misdeal, a fouled deck, or the floor's ruling",
}


PHASES: Final[Mapping[str, Phase]] = {"showdown": "showdown", "over": "over", "void": "void"}
"""The phase of a hand by its street; on any other it is `street`."""
