"""Table events of conduct: what the floor notes of a player, and the penalties it gives. A kind is a word of
`OFFENCES`, or empty.
"""

from typing import Final, Literal

from tablebridge.model.event import Event

OFFENCES: Final = (
    "kept-cards",
    "out-of-turn",
    "collusion",
    "exposed",
    "delay",
    "touched-cards",
    "mixed-cards",
    "talking",
    "chips-in-way",
    "insult",
    "thrown-cards",
    "one-player",
    "etiquette",
    "left-table",
    "fold-without-bet",
    "tiny-chip",
    "pot-in-no-limit",
    "conditional",
    "miscalled-hand",
    "hidden-chips",
    "devices",
    "dodging-blinds",
    "soft-play",
    "abuse",
    "disruption",
    "cheating",
    "chip-dumping",
)
STEPS: Final = (
    "warning",
    "rounds-1",
    "rounds-2",
    "rounds-3",
    "rounds-4",
    "disqualified-event",
    "disqualified-season",
    "floor",
)
"""What a book gives for an offence; `floor`: it has no ladder."""


class Warned(Event, frozen=True, tag="warning"):
    """The floor warned a player."""

    seat: int
    offence: str


class Infraction(Event, frozen=True, tag="infraction"):
    """The floor confirms an offence; what it gives for it is another event."""

    seat: int
    offence: str


class MissedHands(Event, frozen=True, tag="misses"):
    """A player is to miss hands, or rounds: a round is as many hands as players are at the table now."""

    seat: int
    number: int
    unit: Literal["hands", "rounds"]
    offence: str = ""


class PenaltyOver(Event, frozen=True, tag="penalty-over"):
    """The floor ends what the seat still had to miss."""

    seat: int


class Disqualified(Event, frozen=True, tag="disqualified"):
    """The player of the seat is out of the event; his chips leave play."""

    seat: int
    offence: str = ""


class Leaves(Event, frozen=True, tag="leaves"):
    """The player gives the seat up."""

    seat: int
