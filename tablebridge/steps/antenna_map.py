"""The antenna map as a step: a test card is laid on each place, and which antennas read it, and how well, is
shown while it lies there. Pure; which antenna gets a place is decided in `mapping`.

| state   | what happens                                   | then                                        |
| ------- | ---------------------------------------------- | ------------------------------------------- |
| idle    | a place is asked for                           | asked                                       |
| asked   | a free antenna reads the card                  | lying: the place has its antenna            |
| asked   | an antenna reads it that has a place already   | idle: the place clashes with the other      |
| lying   | the card was taken away                        | asked for the next place, or idle           |
| any     | another place is asked for                     | asked                                       |

While the card lies, each visit of any antenna is counted for the table of cross-talk, up to the last visit of
its own antenna that read it: what is missed while the card is lifted says nothing.

Two places on one antenna cannot be applied: no reading could say at which of them a card lies.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from tablebridge.model.places import Place
from tablebridge.model.readings import Sweep
from tablebridge.steps import mapping
from tablebridge.steps.mapping import MappingStep, Spot

_KEPT: Final = 0.7
"""How much of a bar is left after a visit without a tag; set: a bar falls in half a second or so."""
PlaceState = Literal["open", "asked", "lying", "found", "clash"]


class Bar(msgspec.Struct, frozen=True):
    """An antenna and how well it reads now. `level`: 0 to 1; `tags`: how many it read in its last visit."""

    spot: str
    place: str
    level: float
    tags: int


class PlaceRow(msgspec.Struct, frozen=True):
    """A place of the map. `spot`: its antenna, empty if it has none; `cross`: in which share of their visits
    antennas read the card that lay there, its own among them; `clashes`: other places on the same antenna.
    """

    place: str
    state: PlaceState
    spot: str = ""
    cross: dict[str, float] = {}
    clashes: tuple[str, ...] = ()


class MapView(msgspec.Struct, frozen=True):
    """The step as it is shown. `asked`: the place that is asked for, or at which the card lies; `lies`: it
    lies there; `said`: `several` tags, or a card that lies on an antenna (`lying`) already; `lifted`: how
    many cards were taken away again, so that each sounds once.
    """

    rows: tuple[PlaceRow, ...]
    bars: tuple[Bar, ...]
    asked: str = ""
    lies: bool = False
    said: Literal["", "several", "lying"] = ""
    lying: tuple[str, ...] = ()


def named(spot: Spot) -> str:
    """An antenna in words."""
    return f"{spot[0]}, antenna {spot[1]}"


class AntennaMap:
    """The map of these places. `known`: what is known of it already."""

    def __init__(self, places: Iterable[Place], known: Mapping[Spot, Place] | None = None) -> None:
        self.order = list(places)
        self._mapping = mapping.Mapping()
        self._mapping.places.update(known or {})
        self.claims: dict[Place, Spot] = {place: spot for spot, place in self._mapping.places.items()}
        """The antenna that read the card at a place."""
        self._asked: Place | None = None
        self._said: Literal["", "several", "lying"] = ""
        self._levels: dict[Spot, float] = {}
        self._tags: dict[Spot, int] = {}
        self._visits: dict[Place, Counter[Spot]] = {}
        self._reads: dict[Place, Counter[Spot]] = {}
        self._since: list[tuple[Spot, int, int]] = []

    @property
    def found(self) -> dict[Spot, Place]:
        """The places by their antennas, each on its own."""
        clashing = {place for places in self.clashes() for place in places}
        return {spot: place for place, spot in self.claims.items() if place not in clashing}

    @property
    def complete(self) -> bool:
        """Whether each place has an antenna of its own."""
        return not self.clashes() and all(place in self.claims for place in self.order)

    def clashes(self) -> list[tuple[Place, ...]]:
        """The places that are on one antenna, as groups of two and more."""
        by_spot: dict[Spot, list[Place]] = {}
        for place, spot in self.claims.items():
            by_spot.setdefault(spot, []).append(place)
        return [tuple(places) for places in by_spot.values() if len(places) > 1]

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The antennas that were heard."""
        return tuple(self._levels)

    def ask(self, place: Place) -> None:
        """Ask for the card at this place; what was known of the place is forgotten."""
        if place not in self.order:
            self.order.append(place)
        self.release(place)
        self._mapping.ask(place)
        self._asked, self._since = place, []
        self._said = "lying" if self._mapping.lying else ""

    def ask_next(self) -> None:
        """Ask for the first place that has no antenna yet; for none if all have."""
        self._asked = None
        for place in self.order:
            if place not in self.claims:
                self.ask(place)
                return

    def release(self, place: Place) -> None:
        """Forget which antenna looks at a place."""
        self.claims.pop(place, None)
        self._mapping.forget(place)
        self._visits.pop(place, None)
        self._reads.pop(place, None)
        if self._asked == place:
            self._asked = None

    def leave(self, place: Place) -> None:
        """This place has no antenna: it is asked for no more. If it was asked for, the next one is."""
        asked = self._asked == place
        self.release(place)
        self.order = [other for other in self.order if other != place]
        if asked:
            self.ask_next()

    def set_places(self, places: Iterable[Place]) -> None:
        """The map has these places from now on; what is known of those that stay is kept."""
        self.order = list(places)
        for place in [place for place in self.claims if place not in self.order]:
            self.release(place)
        if self._asked not in self.order:
            self._asked = None

    def gone(self, device: str) -> None:
        """The device is lost: its bars fall, and what is asked for stays asked for."""
        for spot in [spot for spot in self._levels if spot[0] == device]:
            self._levels[spot], self._tags[spot] = 0.0, 0

    def sweep(self, device: str, sweep: Sweep) -> MappingStep | None:
        """Take one visit or several of one antenna; None if nothing follows."""
        spot = device, sweep.antenna
        self._bar(spot, sweep)
        lies = self._mapping.lies
        step = self._mapping.sweep(device, sweep)
        if self._asked is None:
            return None
        if lies:
            self._cross(spot, sweep, lies)
        if step is not None:
            self._follow(step, self._asked)
        elif self._said == "lying" and not self._mapping.lying:
            self._said = ""
        return step

    def view(self) -> MapView:
        """The step as it is shown."""
        lies = bool(self._mapping.lies) and self._asked in self.claims
        clash = {place: group for group in self.clashes() for place in group}
        return MapView(
            tuple(self._row(place, clash.get(place, ()), lies) for place in self.order),
            tuple(
                Bar(named(spot), self._mapping.places.get(spot, ""), round(level, 2), self._tags[spot])
                for spot, level in sorted(self._levels.items())
            ),
            self._asked or "",
            lies,
            self._said,
            tuple(named(spot) for spot in self._mapping.lying) if self._said == "lying" else (),
        )

    def _row(self, place: Place, clash: tuple[Place, ...], lies: bool) -> PlaceRow:
        spot = self.claims.get(place)
        state: PlaceState = "open" if spot is None else "clash" if clash else "found"
        if place == self._asked:
            state = "lying" if lies else "asked" if spot is None else state
        visits, reads = self._visits.get(place, Counter()), self._reads.get(place, Counter())
        cross = {
            named(other): round(reads[other] / count, 3) for other, count in sorted(visits.items()) if count
        }
        others = tuple(other for other in clash if other != place)
        return PlaceRow(place, state, named(spot) if spot else "", cross, others)

    def _follow(self, step: MappingStep, asked: Place) -> None:
        """What a step of the mapping means for the map."""
        match step.what:
            case "found":
                self.claims[asked] = step.spot
                self._visits[asked], self._reads[asked] = Counter(), Counter()
                self._said = ""
            case "taken":
                self.claims[asked] = step.spot
                self._asked, self._said = None, ""
            case "several":
                self._said = "several"
            case "lifted":
                self.ask_next()

    def _bar(self, spot: Spot, sweep: Sweep) -> None:
        visits, full = max(1, sweep.visits), float(bool(sweep.tags))
        kept = _KEPT**visits
        self._levels[spot] = full + (self._levels.get(spot, 0.0) - full) * kept
        self._tags[spot] = len(sweep.tags)

    def _cross(self, spot: Spot, sweep: Sweep, tag: str) -> None:
        """Count a visit while the card lies, as soon as its own antenna has read it again."""
        place = self._asked
        if place is None or place not in self._visits:
            return
        visits = max(1, sweep.visits)
        self._since.append((spot, visits, visits if tag in sweep.tags else 0))
        if spot != self.claims.get(place) or tag not in sweep.tags:
            return
        for other, count, reads in self._since:
            self._visits[place][other] += count
            self._reads[place][other] += reads
        self._since = []


__all__ = ["AntennaMap", "Bar", "MapView", "PlaceRow", "named"]
