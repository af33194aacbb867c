"""Table events of what is asked beside the betting: the pot, a dispute, a thing without value as a bet, and
whom the dealer asked to act.
"""

from typing import Literal

from tablebridge.model.event import Event


class AskPot(Event, frozen=True, tag="ask-pot"):
    """The seat asks how much is in the pot."""

    seat: int


class TokenBet(Event, frozen=True, tag="token"):
    """The seat pushes a thing without value forward, as an action."""

    seat: int
    token: Literal["bounty", "time", "other"]


class CalledOn(Event, frozen=True, tag="called-on"):
    """The dealer asked the seat to act, in turn or not."""

    seat: int


class Dispute(Event, frozen=True, tag="dispute"):
    """The seat disputes the last hand: how a tabled hand was read, what was paid, its deck."""

    seat: int
    about: Literal["reading", "payment", "deck"]
