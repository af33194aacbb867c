"""What the floor is shown when a table is not followed any more: made by the pages, since who would raise an
alert is away.

Noticed at once where an engine ends or the broker goes, within `HUNG_S`, a beat and the beat of the page (10
s) if an engine only stands still.
"""

import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tablebridge.web.hub import Hub


class Away(NamedTuple):
    """Some tables are not followed. `alive`, `of`: tables that are, and all. `since_wall_ns`: since when."""

    cause: Literal["broker", "engine"]
    alive: int
    of: int
    names: tuple[str, ...]
    since_wall_ns: int

    @property
    def words(self) -> str:
        """`0 of 2 tables: the engine is away`."""
        what = "the broker cannot be reached" if self.cause == "broker" else "the engine is away"
        return f"{self.alive} of {self.of} {'table' if self.of == 1 else 'tables'}: {what}"

    @property
    def title(self) -> str:
        return (
            "No table is followed"
            if not self.alive
            else f"{self.of - self.alive} of {self.of} tables are not followed"
        )

    @property
    def sentence(self) -> str:
        """What has happened, and what that means at the tables."""
        if self.cause == "broker":
            said = "The broker cannot be reached, so that no table is heard and nothing can be written."
        else:
            tables = "table" if len(self.names) == 1 else "tables"
            said = f"The engine of {tables} {', '.join(self.names)} has ended or does not answer: what the page shows is old."
        return said + " Devices keep what they read, and it is taken up afterwards. Rule by hand until then."

    @property
    def steps(self) -> tuple[str, ...]:
        """What to do on the box."""
        service = "mosquitto" if self.cause == "broker" else "tablebridge-engine"
        return (
            f"On the box: sudo systemctl restart {service}. Where `tablebridge run` runs, it does so by itself.",
            "Then: sudo tablebridge doctor --site FILE says what else is wrong.",
        )


def away(hub: Hub, names: Sequence[str]) -> Away | None:
    """What these tables lack; None where all of them are followed."""
    alive = hub.alive(names)
    if alive == len(names):
        return None
    gone = tuple(names) if hub.bus_away else tuple(name for name in names if not hub.tables[name].runs)
    since_s = hub.away_s(() if hub.bus_away else gone)
    return Away(
        "broker" if hub.bus_away else "engine", alive, len(names), gone, time.time_ns() - round(since_s * 1e9)
    )
