"""Antennas that read cards of other places, reported so that they can be set right before they mislead."""

from tablebridge.model.events import DeviceState
from tablebridge.model.places import Place
from tablebridge.sensing.cards.card_filter import CrossTalk


class CrossTalkNews:
    """Reports each antenna once per place whose cards it reads, and once that it is well again. `reported`:
    from this rate on.
    """

    def __init__(self, reported: float) -> None:
        self._reported = reported
        self._known: dict[tuple[str, int], set[Place]] = {}

    def news(self, device: str, antenna: int, place: Place, talk: CrossTalk | None) -> DeviceState | None:
        """The event of an antenna, which looks at `place`, if its strongest cross-reading is news."""
        known = self._known.get((device, antenna))
        if talk is None:
            if known is None:
                return None
            del self._known[device, antenna]
            return DeviceState(device, "live", (place,), health="ok", antenna=antenna)
        if talk.rate < self._reported or (known and talk.home in known):
            return None
        self._known.setdefault((device, antenna), set()).add(talk.home)
        detail = (
            f"it reads a card that lies at {talk.home} in {talk.rate:.1%} of its visits; lower its power, or "
            f"move it away from {talk.home}"
        )
        return DeviceState(device, "live", (place,), health="degraded", antenna=antenna, detail=detail)
