"""Table events that the dealer's keys and the lid of the shuffler report."""

from tablebridge.model.event import Event


class CallFloor(Event, frozen=True, tag="call-floor"):
    """The dealer calls the floor."""


class Exposed(Event, frozen=True, tag="exposed"):
    """The dealer exposed the card that came to a seat last."""


class ShufflerLid(Event, frozen=True, tag="shuffler-lid"):
    """The shuffler's lid was opened, or closed."""

    opened: bool
