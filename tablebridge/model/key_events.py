"""Table events that the dealer's keys, the dealer's page and the lid of the shuffler report."""

from typing import Literal

from tablebridge.model.event import Event

CallReason = Literal["", "rule", "cards", "chips", "player", "device", "other"]
"""Why the floor is called; empty if nobody said so."""


class CallFloor(Event, frozen=True, tag="call-floor"):
    """The dealer calls the floor."""

    reason: CallReason = ""


class FloorSettled(Event, frozen=True, tag="floor-settled"):
    """What the floor was called for is settled."""


class StepDone(Event, frozen=True, tag="step"):
    """The step `number`, from 1 on, of the remedy of a finding was done, or was not after all."""

    finding: str
    number: int
    done: bool = True


class Exposed(Event, frozen=True, tag="exposed"):
    """The dealer exposed the card that came to a seat last."""


class ShufflerLid(Event, frozen=True, tag="shuffler-lid"):
    """The shuffler's lid was opened, or closed."""

    opened: bool
