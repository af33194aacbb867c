"""The devices of a box in one list: found, configured, and how they are. Pure.

A device has an id that stays when the box starts again: the port that is written into the site file, which is
its serial number if it has a unique one, else the path of its socket.

| state      | when                                                                     |
| ---------- | ------------------------------------------------------------------------ |
| found      | it is plugged in, and nobody chose it                                     |
| ignored    | a person said that it is left alone                                       |
| configured | a person chose it, and nothing was heard of it yet                        |
| live, stale | it was chosen and is listened to: as whoever drives it reports            |
| lost       | likewise, or its link broke                                               |

Nothing that is plugged in is chosen by itself. A person opens the adopting of devices; it closes by itself
after `ADOPTING_S`, so that no device that somebody plugs in later is one press away from being trusted.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from tablebridge.steps.attempt import AttemptState
from tablebridge.steps.site_text import Part

DeviceState = Literal["found", "ignored", "configured", "live", "stale", "lost"]
ADOPTING_S: Final = 240.0
"""How long adopting stays open; set."""


class Found(msgspec.Struct, frozen=True):
    """A device that is plugged in or whose port a person named. `id`: the port for the site file; `driver`:
    the one that knows its numbers, empty if none does; `adapter`: a serial adapter, which hides what is
    behind it.
    """

    id: str
    title: str
    driver: str = ""
    adapter: bool = False


class Heard(msgspec.Struct, frozen=True):
    """How a device is. `says`: what it says of itself, or why it is not live; `alive_wall_ms`: when it last
    proved that it works, 0 for never; `hint`: what to try since it works and read no card, a sentence.
    """

    state: Literal["live", "stale", "lost"]
    says: str = ""
    alive_wall_ms: int = 0
    hint: str = ""


class Trial(msgspec.Struct, frozen=True):
    """An attempt to work with a device, as it is shown."""

    state: AttemptState
    driver: str
    why: str = ""


class DeviceRow(msgspec.Struct, frozen=True):
    """A line of the list. `name`: in the site file, empty if it is not there; `driver`: the chosen one, else
    the one that is proposed; `places`: what its antennas look at.
    """

    id: str
    state: DeviceState
    title: str
    name: str = ""
    driver: str = ""
    says: str = ""
    alive_wall_ms: int = 0
    places: tuple[str, ...] = ()
    trial: Trial | None = None
    hint: str = ""


class Adopting:
    """Whether devices may be adopted: for `ADOPTING_S` after a person opened it."""

    def __init__(self) -> None:
        self._until_s: float | None = None

    def open(self, now_s: float) -> None:
        """A person wants to choose devices from now on."""
        self._until_s = now_s + ADOPTING_S

    def close(self) -> None:
        """Nobody wants to choose further devices."""
        self._until_s = None

    def left_s(self, now_s: float) -> float:
        """For how long it is open still; 0 if it is closed."""
        return 0.0 if self._until_s is None else max(0.0, self._until_s - now_s)


def rows(
    found: Iterable[Found],
    parts: Iterable[Part],
    heard: Mapping[str, Heard],
    trials: Mapping[str, Trial],
    ignored: Iterable[str],
) -> tuple[DeviceRow, ...]:
    """The list: what was chosen, in the order of the site file, then what is only plugged in. `heard`: by the
    device's name; `trials`: by id.
    """
    there = {device.id: device for device in found}
    chosen = {part.port for part in parts}
    left_alone = set(ignored)
    lines = []
    for part in parts:
        how = heard.get(part.name)
        lines.append(
            DeviceRow(
                part.port,
                how.state if how else "configured",
                there[part.port].title if part.port in there else "",
                part.name,
                part.driver,
                how.says if how else "",
                how.alive_wall_ms if how else 0,
                tuple(part.antennas.values()),
                trials.get(part.port),
                how.hint if how else "",
            )
        )
    for device in there.values():
        if device.id not in chosen:
            state: DeviceState = "ignored" if device.id in left_alone else "found"
            trial = trials.get(device.id)
            lines.append(DeviceRow(device.id, state, device.title, driver=device.driver, trial=trial))
    return tuple(lines)


def free_name(driver: str, parts: Iterable[Part]) -> str:
    """A name for a further device of this driver, which no other has."""
    kind, taken = driver.rpartition(":")[2], {part.name for part in parts}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{kind}-{number}") not in taken)


__all__ = [
    "ADOPTING_S",
    "Adopting",
    "DeviceRow",
    "DeviceState",
    "Found",
    "Heard",
    "Trial",
    "free_name",
    "rows",
]
