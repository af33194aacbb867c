"""Whether one tag identity answers at two places at once: a copied tag.

A card near the edge of its field is read next door now and then, a card that moves is read at both places one after the
other. A copy is read at both nearly always and for long. When a tag is read away from where it lies, both places are counted
from then on: after `VISITS` of each, it is a copy if both read it in more than `RATE` of their visits.
"""

from typing import Final

import msgspec

from tablebridge.model.places import Place

VISITS: Final = 24
RATE: Final = 0.6
_MOST_A_REPORT: Final = 4


class _Watch(msgspec.Struct):
    places: tuple[Place, Place]
    visits: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    reads: list[int] = msgspec.field(default_factory=lambda: [0, 0])


class Twins:
    """Follows tags that are read at two places. `found` names each tag once until `reset`."""

    def __init__(self) -> None:
        self._watched: dict[str, _Watch] = {}
        self._told: dict[str, None] = {}

    def reset(self) -> None:
        """A hand begins."""
        self._watched.clear()
        self._told.clear()

    def suspect(self, tag: str, lies: Place, read_at: Place) -> None:
        """The tag is read at a place while it is believed to lie at another."""
        if tag not in self._watched and tag not in self._told:
            self._watched[tag] = _Watch((lies, read_at))

    def sweep(self, place: Place, tags: tuple[str, ...], visits: int) -> list[tuple[str, tuple[Place, Place]]]:
        """An antenna was visited: the copies that are now certain, with their two places."""
        found = []
        visits = min(visits, _MOST_A_REPORT)
        for tag, watch in list(self._watched.items()):
            if place not in watch.places:
                continue
            side = watch.places.index(place)
            watch.visits[side] += visits
            watch.reads[side] += visits if tag in tags else 0
            if min(watch.visits) >= VISITS:
                del self._watched[tag]
                if all(reads > RATE * seen for reads, seen in zip(watch.reads, watch.visits, strict=True)):
                    self._told[tag] = None
                    found.append((tag, watch.places))
        return found
