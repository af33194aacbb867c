"""Table events about hole cards that leave the engine: on which terms, and who was given them."""

from typing import Literal

import msgspec

from tablebridge.model.event import Event

Reveal = Literal["delay", "hand-over"]


class Terms(msgspec.Struct, frozen=True):
    """When the overlay's pictures leave. `reveal`: after the delay, or after the delay and not before their
    hand is over. `hole_cards`: whether they show any.
    """

    delay_s: float
    reveal: Reveal
    hole_cards: bool

    def __str__(self) -> str:
        """Such as `300 s late, hole cards after their hand`."""
        when = "after their hand" if self.reveal == "hand-over" else "even before the end of their hand"
        return f"{self.delay_s:g} s late, {f'hole cards {when}' if self.hole_cards else 'no hole cards'}"


class Disclosure(Event, frozen=True, tag="disclosure"):
    """These terms hold from here on, and no longer those of `before`."""

    terms: Terms
    before: Terms


class Access(Event, frozen=True, tag="access"):
    """Hole cards were given to a person, who is the entry's `by`, through `feed`. `token`: the id of the
    person's token, and `delay_s`: the delay in force; older records have neither. `hand`, `reason`: of an
    access to the faces of one hand in its timeline, why.
    """

    feed: str
    token: str = ""
    delay_s: float | None = None
    hand: int = 0
    reason: str = ""
