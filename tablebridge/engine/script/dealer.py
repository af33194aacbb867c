"""What a dealer may write: facts that no reader sees, a call of the floor and its end, and steps that are
done. No such line names a card, moves chips or rules.
"""

from collections.abc import Callable
from typing import Any, Final

from tablebridge.model import events as ev
from tablebridge.model import key_events as key
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.places import FLOOR

_FACTS: Final[dict[type[Any], Callable[[Any], bool]]] = {
    ev.Boxed: lambda event: event.card == UNKNOWN,
    key.Exposed: lambda event: True,
    ev.Expose: lambda event: event.card == UNKNOWN,
    ev.Seen: lambda event: event.card == UNKNOWN and event.place == FLOOR,
    ev.Holds: lambda event: True,
    ev.DeckCheck: lambda event: event.state is not None and not event.cards and not event.deck,
    ev.Cut: lambda event: event.exposed is None,
    ev.DealerChange: lambda event: True,
    ev.Absent: lambda event: True,
    ev.Arrives: lambda event: True,
}
"""The events that are facts, and whether one of them is."""


def is_fact(event: ev.TableEvent) -> bool:
    """Whether this is a fact that a dealer may report, and take back for a while."""
    holds = _FACTS.get(type(event))
    return holds is not None and holds(event)


def dealer_may_write(event: ev.TableEvent) -> bool:
    """Whether a dealer may write this."""
    return is_fact(event) or isinstance(event, (key.CallFloor, key.FloorSettled, key.StepDone))
