"""Antennas that read cards of other places, or miss too many of their own, reported so that they can be set
right before they mislead.
"""

from tablebridge.model.events import DeviceState
from tablebridge.model.places import Place
from tablebridge.sensing.cards.card_filter import CrossTalk, Trouble


class AntennaNews:
    """Reports each antenna once per place whose cards it reads, once if it misses its own, and once that it
    is well again.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], set[Place]] = {}

    def news(
        self, device: str, antenna: int, place: Place, troubles: tuple[Trouble, ...]
    ) -> DeviceState | None:
        """The event of an antenna, which looks at `place`, if what is wrong with it is news."""
        known = self._known.get((device, antenna))
        if not troubles:
            if known is None:
                return None
            del self._known[device, antenna]
            return DeviceState(device, "live", (place,), health="ok", antenna=antenna)
        for trouble in troubles:
            if trouble.grave and (known is None or trouble.home not in known):
                self._known.setdefault((device, antenna), set()).add(trouble.home)
                detail = _detail(trouble)
                return DeviceState(
                    device, "live", (place,), health="degraded", antenna=antenna, detail=detail
                )
        return None


def _detail(trouble: Trouble) -> str:
    """What is wrong, and what to do."""
    if isinstance(trouble, CrossTalk):
        return (
            f"it reads a card that lies at {trouble.home} in {trouble.rate:.1%} of its visits; lower its "
            f"power, or move it away from {trouble.home}"
        )
    return (
        f"it misses a card that lies at {trouble.home} in {trouble.rate:.0%} of its visits, more than "
        "sensing can make up for; raise its power, move it nearer to the felt, and take metal away from it"
    )
