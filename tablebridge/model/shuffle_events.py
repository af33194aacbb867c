"""Table events of the dealer's shuffle by hand, step by step."""

from tablebridge.model.event import Event


class Riffle(Event, frozen=True, tag="riffle"):
    """The packets were riffled together once."""


class Strip(Event, frozen=True, tag="strip"):
    """The deck was stripped, in this number of packets."""

    packets: int = 4


class Wash(Event, frozen=True, tag="wash"):
    """The cards were spread face down and mixed."""


class Square(Event, frozen=True, tag="square"):
    """The deck was squared up."""
