"""Whether one tag identity answers at two places for long: a copied tag, or a card that lies between two
antennas.

A card near the edge of its field is read next door now and then, a card that moves is read at both places one
after the other. When a tag is read away from where it lies, reads at both places are counted from then on.
After `VISITS` of each, it is a copy if both read it in more than `COPY_RATE` of their visits, and in doubt if
both read it in more than `DOUBT_RATE` and neither much oftener than the other (`DOUBT_RATIO`): a card whose
edge is read next door is read more where it lies.
"""

from typing import Final

import msgspec

from tablebridge.model.places import Place
from tablebridge.sensing.antenna_report import AntennaReport

VISITS: Final = 24
COPY_RATE: Final = 0.6
DOUBT_RATE: Final = 0.3
DOUBT_RATIO: Final = 1.5


class _Watch(msgspec.Struct):
    places: tuple[Place, Place]
    since_ns: int
    visits: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    reads: list[int] = msgspec.field(default_factory=lambda: [0, 0])


class Double(msgspec.Struct, frozen=True):
    """A tag that two places read; `rates`: how often each of them does. `copy` False: a doubt only."""

    tag: str
    places: tuple[Place, Place]
    rates: tuple[float, float]
    copy: bool


class Clones:
    """Follows tags that are read at two places. Copies and doubts are told once for each tag until `reset`."""

    def __init__(self) -> None:
        self._watched: dict[str, _Watch] = {}
        self._told: dict[tuple[str, bool], None] = {}

    def reset(self) -> None:
        """A hand begins."""
        self._watched.clear()
        self._told.clear()

    def suspect(self, tag: str, lies: Place, read_at: Place, now_ns: int) -> None:
        """The tag is read at a place while it is believed to lie at another."""
        if tag not in self._watched:
            self._watched[tag] = _Watch((lies, read_at), now_ns)

    def sweep(self, look: AntennaReport) -> list[Double]:
        """An antenna was visited: what is now certain."""
        found = []
        for tag, watch in list(self._watched.items()):
            if look.place not in watch.places:
                continue
            side = watch.places.index(look.place)
            visits = look.after(watch.since_ns)
            watch.visits[side] += visits
            watch.reads[side] += visits if tag in look.tags else 0
            if min(watch.visits) >= VISITS:
                del self._watched[tag]
                rates = tuple(reads / seen for reads, seen in zip(watch.reads, watch.visits, strict=True))
                copy = min(rates) > COPY_RATE
                unclear = min(rates) > DOUBT_RATE and max(rates) < DOUBT_RATIO * min(rates)
                if (copy or unclear) and (tag, copy) not in self._told:
                    self._told[tag, copy] = None
                    found.append(Double(tag, watch.places, (rates[0], rates[1]), copy))
        return found
