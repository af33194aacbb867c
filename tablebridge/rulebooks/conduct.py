"""What books say of conduct: the rule for each offence, and what it gets the first time and again."""

from typing import Final

from tablebridge.rulebooks.book import Key, Ladder

_DISQUALIFIES: Final = Ladder(("disqualified-event",), ("disqualified-event",))
_ROUNDS: Final = ("rounds-1", "rounds-2", "rounds-3", "rounds-4")
_OUT: Final = ("disqualified-event", "disqualified-season")

TDA: Final[dict[Key, str]] = {
    ("penalty", ""): "71-A",
    ("pot-asked", "count"): "54-A",
    ("pot-asked", "none"): "54-A",
    ("dispute", ""): "22",
    ("dispute", "deck"): "35-E",
    ("left-table", ""): "31",
    ("entry", "late"): "8-A",
    ("entry", "new"): "10-A",
    ("entry", "balanced"): "11-A",
    ("blinds-dodged", ""): "33",
    ("rebuy-due", ""): "27",
    ("race", ""): "24-A",
    ("race", "found"): "24-C",
    ("race", "removed"): "24-C",
    **{("infraction", offence): "71-B" for offence in ("thrown-cards", "soft-play", "abuse", "disruption")},
    ("infraction", "cheating"): "71-B",
    **{("infraction", offence): "70" for offence in ("etiquette", "delay", "touched-cards", "talking")},
    ("infraction", "chip-dumping"): "69",
    ("infraction", "collusion"): "69",
    ("infraction", "exposed"): "68",
    ("infraction", "one-player"): "67",
    ("infraction", "out-of-turn"): "53-A",
    ("infraction", "left-table"): "31",
    ("infraction", "tiny-chip"): "42",
    ("infraction", "fold-without-bet"): "58",
    ("infraction", "pot-in-no-limit"): "54-C",
    ("infraction", "conditional"): "59-A",
    ("infraction", "miscalled-hand"): "12",
    ("infraction", "hidden-chips"): "63",
    ("infraction", "dodging-blinds"): "33",
}
"""The same numbers in all editions, unless an edition says otherwise."""
TDA_LADDERS: Final = {"chip-dumping": _DISQUALIFIES, "collusion": _DISQUALIFIES}
"""Only these have a step of their own (69); all else is the floor's."""

FSPR_LADDERS: Final[dict[str, Ladder]] = {
    "kept-cards": Ladder(("warning",), ("rounds-1",)),
    "out-of-turn": Ladder(("warning",), ("rounds-1",)),
    "collusion": Ladder(("rounds-2",), _OUT),
    "exposed": Ladder(("warning", "rounds-1"), ("rounds-2", "disqualified-event")),
    "delay": Ladder(("warning",), ("rounds-1",)),
    "touched-cards": Ladder(("warning", "rounds-1"), ("rounds-2", "rounds-3")),
    "mixed-cards": Ladder(("warning",), ("rounds-1",)),
    "talking": Ladder(("warning", "rounds-1"), _ROUNDS[1:]),
    "chips-in-way": Ladder(("warning",), ("warning",)),
    "insult": Ladder((*_ROUNDS, *_OUT), (*_ROUNDS, *_OUT)),
}
"""Sporting discipline in the federation's order."""
FSPR: Final[dict[Key, str]] = {
    ("penalty", ""): "DISC-0",
    ("dispute", ""): "JUSTICE",
    **{("infraction", offence): f"DISC-{number}" for number, offence in enumerate(FSPR_LADDERS, 1)},
}
