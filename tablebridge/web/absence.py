"""What the floor is shown while an engine or the broker is away: the pages report it themselves, since the
process that would raise an alert is away.

It is noticed at once when an engine ends or the connection to the broker breaks. An engine that hangs is
noticed after `HUNG_S`, one beat of the engine and one beat of the page: 10 s.
"""

import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tablebridge.web.hub import Hub


class Absence(NamedTuple):
    """Some tables are not followed. `alive`: how many tables of all (`total`) are. `since_wall_ns`: since
    when.
    """

    cause: Literal["broker", "engine"]
    alive: int
    total: int
    names: tuple[str, ...]
    since_wall_ns: int

    @property
    def summary(self) -> str:
        """`0 of 2 tables: the engine is away`."""
        cause = "the broker cannot be reached" if self.cause == "broker" else "the engine is away"
        return f"{self.alive} of {self.total} {'table' if self.total == 1 else 'tables'}: {cause}"

    @property
    def title(self) -> str:
        """The heading of the alert."""
        if not self.alive:
            return "No table is followed"
        return f"{self.total - self.alive} of {self.total} tables are not followed"

    @property
    def sentence(self) -> str:
        """What has happened, and what that means at the tables."""
        if self.cause == "broker":
            cause = "The broker cannot be reached, so that no table is heard and nothing can be written."
        else:
            tables = "table" if len(self.names) == 1 else "tables"
            cause = (
                f"The engine of {tables} {', '.join(self.names)} has ended or does not answer: what the "
                "page shows "
                "is old."
            )
        return cause + " Devices keep what they read, and it is taken up afterwards. Rule by hand until then."

    @property
    def steps(self) -> tuple[str, ...]:
        """What to do on the box."""
        service = "mosquitto" if self.cause == "broker" else "tablebridge-engine"
        return (
            f"On the box: sudo systemctl restart {service}. If `tablebridge run` is used, it restarts it by "
            "itself.",
            "Then: sudo tablebridge doctor --site FILE reports what else is wrong.",
        )


def absence(hub: Hub, names: Sequence[str]) -> Absence | None:
    """Which of these tables are not followed, and why; None if all are."""
    alive = hub.alive(names)
    if alive == len(names):
        return None
    away = tuple(names) if hub.bus_away else tuple(name for name in names if not hub.tables[name].runs)
    since_s = hub.away_s(() if hub.bus_away else away)
    return Absence(
        "broker" if hub.bus_away else "engine",
        alive,
        len(names),
        away,
        time.time_ns() - round(since_s * 1e9),
    )
