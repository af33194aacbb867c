"""Which hardware a step of the set-up rests on: if it changes, the step is open again. Pure."""

import hashlib
from collections.abc import Iterable, Mapping

from tablebridge.model.places import Place
from tablebridge.steps.course import Step
from tablebridge.steps.mapping import Spot
from tablebridge.steps.site_text import Part


def bases(parts: Iterable[Part], claims: Mapping[Place, Spot]) -> dict[Step, str]:
    """By step: what its hardware is recognised by. Steps that are not named rest on none: they judge the
    devices as they are (devices, map), or hold for any (decks, deck check, people).
    """
    ports = {part.name: f"{part.driver} {part.port} {sorted(part.options.items())}" for part in parts}
    places = [f"{place} {ports.get(name, name)} {number}" for place, (name, number) in sorted(claims.items())]
    antennas, all_devices = _digest(places), _digest(sorted(ports.values()))
    return {"calibration": antennas, "signals": all_devices, "hand": antennas}


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


__all__ = ["bases"]
