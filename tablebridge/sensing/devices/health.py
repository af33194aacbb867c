"""What devices say of their own health, if it is news."""

from typing import Literal

from tablebridge.model.events import DeviceState
from tablebridge.model.places import Place
from tablebridge.model.readings import DeviceStatus

State = Literal["ok", "degraded", "failed"]


Known = dict[str, tuple[tuple[int | None, str, str], ...]]
"""By device what it reported last of each antenna, or of itself (None): state and detail."""


class DeviceHealth:
    """The health of the devices as it was reported last: all is well until a device says otherwise."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int | None], tuple[str, str]] = {}

    def kept(self) -> Known:
        """What is known, as it is kept on disk."""
        return {
            device: tuple((antenna, *said) for (of, antenna), said in self._known.items() if of == device)
            for device, _ in self._known
        }

    def restore(self, kept: Known) -> None:
        """Know what was kept."""
        self._known = {
            (device, antenna): (state, detail)
            for device, reports in kept.items()
            for antenna, state, detail in reports
        }

    def news(
        self, device: str, state: State, status: DeviceStatus, places: tuple[Place, ...]
    ) -> DeviceState | None:
        """The event of a status report; None if it says what is known. `places`: those that it concerns."""
        detail = "" if state == "ok" else status.detail
        if self._known.get((device, status.antenna), ("ok", "")) == (state, detail):
            return None
        return DeviceState(device, "live", places, health=state, antenna=status.antenna, detail=detail)

    def note_entry(self, event: DeviceState) -> None:
        """The state of a device was entered. A device that was away says again how it is."""
        if event.health:
            self._known[event.device, event.antenna] = event.health, event.detail
        elif event.state != "live":
            self._known = {key: known for key, known in self._known.items() if key[0] != event.device}
