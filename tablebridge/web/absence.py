"""What the floor is shown while an engine or the broker is away: the pages report it themselves, since the
process that would raise an alert is away.

It is noticed at once when an engine ends or the connection to the broker breaks. An engine that hangs is
noticed after `HUNG_S`, one beat of the engine and one beat of the page: 10 s.
"""

import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tablebridge.languages.texts import Texts
from tablebridge.web.hub import Hub


class Absence(NamedTuple):
    """Some tables are not followed. `alive`: how many tables of all (`total`) are. `since_wall_ns`: since
    when. `texts`: the language of the page.
    """

    cause: Literal["broker", "engine"]
    alive: int
    total: int
    names: tuple[str, ...]
    since_wall_ns: int
    texts: Texts

    @property
    def summary(self) -> str:
        """`0 of 2 tables: the engine is away`."""
        if self.cause == "broker":
            return self.texts.ngettext(
                "%(alive)s of %(num)s table: the broker cannot be reached",
                "%(alive)s of %(num)s tables: the broker cannot be reached",
                self.total,
                alive=self.alive,
            )
        return self.texts.ngettext(
            "%(alive)s of %(num)s table: the engine is away",
            "%(alive)s of %(num)s tables: the engine is away",
            self.total,
            alive=self.alive,
        )

    @property
    def title(self) -> str:
        """The heading of the alert."""
        if not self.alive:
            return self.texts.gettext("No table is followed")
        return self.texts.ngettext(
            "%(away)s of %(num)s table is not followed",
            "%(away)s of %(num)s tables are not followed",
            self.total,
            away=self.total - self.alive,
        )

    @property
    def sentence(self) -> str:
        """What has happened, and what that means at the tables."""
        if self.cause == "broker":
            return self.texts.gettext(
                "The broker cannot be reached, so that no table is heard and nothing can be written. Devices "
                "keep what they read, and it is taken up afterwards. Rule by hand until then."
            )
        return self.texts.ngettext(
            "The engine of table %(names)s has ended or does not answer: what the page shows is old. Devices "
            "keep what they read, and it is taken up afterwards. Rule by hand until then.",
            "The engine of tables %(names)s has ended or does not answer: what the page shows is old. "
            "Devices keep what they read, and it is taken up afterwards. Rule by hand until then.",
            len(self.names),
            names=", ".join(self.names),
        )

    @property
    def steps(self) -> tuple[str, ...]:
        """What to do on the box."""
        service = "mosquitto" if self.cause == "broker" else "tablebridge-engine"
        return (
            self.texts.gettext(
                "On the box: sudo systemctl restart %(service)s. If `tablebridge run` is used, it restarts "
                "it by itself.",
                service=service,
            ),
            self.texts.gettext("Then: sudo tablebridge doctor --site FILE reports what else is wrong."),
        )


def absence(hub: Hub, names: Sequence[str], texts: Texts) -> Absence | None:
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
        texts,
    )
