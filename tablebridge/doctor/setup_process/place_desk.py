"""The table of the set-up process: its name and seats, and which antenna looks at which of its places."""

import re
from typing import Final

from tablebridge.doctor.setup_process.bench import Bench
from tablebridge.doctor.setup_process.progress import Progress
from tablebridge.model.errors import Refused
from tablebridge.model.places import BOARD, Place, parse_place, seat_of, seat_place
from tablebridge.model.readings import Sweep
from tablebridge.settings.site import parse_seats
from tablebridge.steps import antenna_map, picture
from tablebridge.steps.antenna_map import AntennaMap
from tablebridge.steps.mapping import Spot
from tablebridge.steps.site_text import Part

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


class PlaceDesk:
    """The places. `map`: the antenna map, which only this class changes."""

    def __init__(self, progress: Progress, bench: Bench) -> None:
        self.table = progress.table
        self.seats = progress.seats
        self._bench = bench
        places = [parse_place(place) for place in progress.places] or _proposed(self.seats)
        known = {(device, number): parse_place(place) for place, (device, number) in progress.claims.items()}
        self.map = AntennaMap(places, known)
        # Two places on one antenna: a map from antenna to place cannot hold both.
        self.map.claims = {parse_place(place): claim for place, claim in progress.claims.items()}

    @property
    def complete(self) -> bool:
        """Whether each place has an antenna of its own."""
        return bool(self.map.order) and self.map.complete

    def do(self, wish: picture.NameTable | picture.AskPlace | picture.LeavePlace) -> None:
        """What a person wants of the places. Raises Refused."""
        try:
            match wish:
                case picture.NameTable(table, seats):
                    self._name(table, seats)
                case picture.AskPlace(""):
                    self.map.ask_next()
                case picture.AskPlace(place):
                    self.map.ask(parse_place(place))
                case picture.LeavePlace(place):
                    self.map.leave(parse_place(place))
        except ValueError as error:
            raise Refused(f"{error}.") from None

    def sweep(self, device: str, sweep: Sweep) -> bool:
        """One visit or several of an antenna. Returns whether the map changed."""
        return self.map.sweep(device, sweep) is not None

    def keep(self, progress: Progress) -> None:
        """Write down what is known of the places."""
        progress.table, progress.seats = self.table, self.seats
        progress.places = [str(place) for place in self.map.order]
        progress.claims = {str(place): claim for place, claim in self.map.claims.items()}

    def gone(self, device: str) -> None:
        """The device is lost."""
        self.map.gone(device)

    def left(self, device: str) -> None:
        """The device is none of the table's any more."""
        for place, (name, _) in list(self.map.claims.items()):
            if name == device:
                self.map.release(place)

    def parts(self) -> list[Part]:
        """The devices with the places of their antennas."""
        found = self.map.found
        return [
            Part(
                part.name,
                part.driver,
                part.port,
                part.options,
                {number: place for (device, number), place in found.items() if device == part.name},
                part.contacts,
            )
            for part in self._bench.parts
        ]

    def refusals(self) -> list[str]:
        """Why the places cannot be written as they are: two of them on one antenna."""
        return [
            f"{' and '.join(places)} are on the same antenna "
            f"({antenna_map.named(self.map.claims[places[0]])}): no reading could say at which of them a "
            "card lies. Lay the card again, or move the antennas apart."
            for places in self.map.clashes()
        ]

    def spots(self) -> tuple[str, ...]:
        """The antennas on which a deck can be laid."""
        return tuple(antenna_map.named(spot) for spot in sorted(self._spots()))

    def spot(self, name: str) -> Spot:
        """The antenna of this name; the first if it is empty. Raises Refused if there is none."""
        for spot in sorted(self._spots()):
            if name in ("", antenna_map.named(spot)):
                return spot
        raise Refused("No antenna has read anything yet: choose a reader in step 1, and lay a card on it.")

    def _spots(self) -> set[Spot]:
        names = {part.name for part in self._bench.parts}
        return {spot for spot in {*self.map.spots, *self.map.claims.values()} if spot[0] in names}

    def _name(self, table: str, seats: str) -> None:
        """Raises ValueError."""
        if not _NAME.fullmatch(table):
            raise ValueError(
                "a table's name is up to 32 of a-z, 0-9, _ and -, and begins with a letter or a figure"
            )
        numbers = parse_seats(seats)
        if seats != self.seats:
            others = [place for place in self.map.order if seat_of(place) is None]
            self.map.set_places([*map(seat_place, numbers), *others])
        self.table, self.seats = table, seats


def _proposed(seats: str) -> list[Place]:
    return [*map(seat_place, parse_seats(seats)), BOARD]


__all__ = ["PlaceDesk"]
