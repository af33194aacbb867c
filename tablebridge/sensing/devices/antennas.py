"""Antennas that read cards of other places, or miss too many of their own, reported so that they can be set
right before they mislead; and once for the table, if they read too much of each other.
"""

from tablebridge.model.events import DeviceState
from tablebridge.model.places import Place
from tablebridge.sensing.cards.card_filter import CrossTalk, Overwhelmed, Trouble


class AntennaNews:
    """Reports each antenna once per place whose cards it reads, once if it misses its own, once for the whole
    table if that is more than the filter can hold, and once that it is well again.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], set[Place]] = {}
        self._overwhelmed: tuple[str, int] | None = None

    def news(
        self, device: str, antenna: int, place: Place, troubles: tuple[Trouble, ...]
    ) -> DeviceState | None:
        """The event of an antenna, which looks at `place`, if what is wrong with it is news."""
        known = self._known.get((device, antenna))
        if not troubles:
            if known is None:
                return None
            del self._known[device, antenna]
            if self._overwhelmed == (device, antenna):
                self._overwhelmed = None
            return DeviceState(device, "live", (place,), health="ok", antenna=antenna)
        for trouble in troubles:
            if isinstance(trouble, Overwhelmed):
                if self._overwhelmed is not None:
                    continue
                self._overwhelmed = device, antenna
                self._known.setdefault((device, antenna), set())
                return self._degraded(device, antenna, place, trouble)
            if trouble.grave and (known is None or trouble.home not in known):
                self._known.setdefault((device, antenna), set()).add(trouble.home)
                return self._degraded(device, antenna, place, trouble)
        return None

    def _degraded(self, device: str, antenna: int, place: Place, trouble: Trouble) -> DeviceState:
        detail = _detail(trouble)
        return DeviceState(device, "live", (place,), health="degraded", antenna=antenna, detail=detail)


def _detail(trouble: Trouble) -> str:
    """What is wrong, and what to do."""
    if isinstance(trouble, Overwhelmed):
        return (
            "the antennas of this table read each other's cards more often than sensing can make up for, "
            f"this one those that lie at {trouble.home} most; set the power of both to half or move them "
            "apart, then measure all antennas again (tablebridge calibrate); until then look at the cards"
        )
    if isinstance(trouble, CrossTalk):
        return (
            f"it reads a card that lies at {trouble.home} in {trouble.rate:.1%} of its visits; lower its "
            f"power, or move it away from {trouble.home}"
        )
    return (
        f"it misses a card that lies at {trouble.home} in {trouble.rate:.0%} of its visits, more than "
        "sensing can make up for; raise its power, move it nearer to the felt, and take metal away from it"
    )
