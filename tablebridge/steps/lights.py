"""Signal lights and the sound of the page as a step: each state is shown on the light, and a person says
whether it looks right. Pure.
"""

from typing import Final, Literal, get_args

import msgspec

LightState = Literal["off", "raised", "seen", "critical", "called", "away"]
STATES: Final[tuple[LightState, ...]] = get_args(LightState)
"""No alert; a warning that nobody has seen, and one that somebody has; a critical alert that nobody has seen;
the dealer calls; no engine.
"""


class LightRow(msgspec.Struct, frozen=True):
    """A light. `shows`: what it was asked to show, empty for nothing yet; `seen`: the states that a person
    saw on it.
    """

    device: str
    shows: str = ""
    seen: tuple[str, ...] = ()


class Lights:
    """The states that a person saw on each light. `seen`: what was seen before."""

    def __init__(self, seen: dict[str, list[str]] | None = None) -> None:
        self.seen = {device: list(states) for device, states in (seen or {}).items()}
        self._shows: dict[str, LightState] = {}

    def show(self, device: str, state: LightState) -> None:
        """The light is asked to show this."""
        self._shows[device] = state

    def confirm(self, device: str) -> bool:
        """A person sees on the light what it was asked to show. Returns whether it was asked at all."""
        state = self._shows.get(device)
        if state is None:
            return False
        seen = self.seen.setdefault(device, [])
        if state not in seen:
            seen.append(state)
        return True

    def tested(self, devices: list[str]) -> bool:
        """Whether every state of each of these lights was seen."""
        return all(set(STATES) <= set(self.seen.get(device, ())) for device in devices)

    def rows(self, devices: list[str]) -> tuple[LightRow, ...]:
        """These lights as they are shown."""
        return tuple(
            LightRow(device, self._shows.get(device, ""), tuple(self.seen.get(device, ())))
            for device in devices
        )


__all__ = ["STATES", "LightRow", "LightState", "Lights"]
