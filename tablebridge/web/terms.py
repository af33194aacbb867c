"""The words that the pages have for values of the engine and of the bus, in English: by kind and value.

A catalogue has them in the context of their kind, so that a language may have two words for one of English.
"""

from collections.abc import Mapping
from typing import Final

from tablebridge.engine.games import FORMS
from tablebridge.model.findings import KINDS


def plain(value: str) -> str:
    """A value as words: `card-out-of-place` -> card out of place."""
    return value.replace("-", " ")


TERMS: Final[Mapping[str, Mapping[str, str]]] = {
    "finding": {finding: plain(finding).capitalize() for finding in KINDS},
    "cause": {cause: plain(cause) for kind in KINDS.values() for cause in kind.causes},
    "severity": {"critical": "critical", "warning": "warning", "notice": "notice", "info": "info"},
    "alert": {
        "raised": "raised",
        "acknowledged": "seen",
        "taken": "on the way",
        "ruled": "ruled",
        "closed": "closed",
    },
    "street": {
        "": "No hand",
        "deal": "Deal",
        "preflop": "Pre-flop",
        "flop": "Flop",
        "turn": "Turn",
        "river": "River",
        "second": "Second street",
        "third": "Third street",
        "fourth": "Fourth street",
        "fifth": "Fifth street",
        "sixth": "Sixth street",
        "seventh": "Seventh street",
        "draw1": "After the draw",
        "draw2": "After the second draw",
        "draw3": "After the third draw",
        "over": "Hand over",
        "void": "Misdeal",
    },
    "action": {
        "check": "check",
        "call": "call",
        "bet": "bet",
        "raise": "raise",
        "allin": "all-in",
        "fold": "fold",
        "muck": "muck",
        "qualifies": "qualifies",
        "does not qualify": "does not qualify",
        "wins": "wins",
        "loses": "loses",
        "draws": "draws",
    },
    "seat": {
        "empty": "empty",
        "out": "out",
        "in": "in",
        "folded": "folded",
        "all-in": "all-in",
        "won": "won",
    },
    "device": {"live": "live", "stale": "stale", "lost": "lost"},
    "right": {"write lines": "write lines"},
    "why": {
        "its driver is not running": "its driver is not running",
        "not heard of yet": "not heard of yet",
    },
    "role": {
        "floor": "floor",
        "operator": "operator",
        "broadcast": "broadcast",
        "director": "director",
        "technician": "technician",
        "metrics": "metrics",
        "tournament": "tournament",
        "dealer": "dealer",
        "surveillance": "surveillance",
        "investigator": "investigator",
    },
    "basis": {
        "rfid": "antennas",
        "shuffler": "shuffler",
        "button": "button",
        "operator": "operator",
        "dealer": "dealer",
        "inferred": "concluded",
        "script": "script",
    },
    "game": {form.name: form.title for form in FORMS.values()},
    "rank": {
        "2": "two",
        "3": "three",
        "4": "four",
        "5": "five",
        "6": "six",
        "7": "seven",
        "8": "eight",
        "9": "nine",
        "T": "ten",
        "J": "jack",
        "Q": "queen",
        "K": "king",
        "A": "ace",
    },
    "suit": {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"},
}
