"""The burn cards of a hand."""

from dataclasses import dataclass

from tablebridge.model.cards import Card
from tablebridge.model.events import Basis


@dataclass(slots=True)
class Burns:
    """The burn for the coming street, and how many there were."""

    # The burn for the coming street, and who told of it.
    burned: bool = False
    card: Card | None = None
    basis: Basis | None = None
    count: int = 0
    # Streets before which antennas saw no burn: it may have lain there unread.
    unseen: int = 0
    # A street that wants no burn, because a premature one had its own.
    burnless: str = ""
    # A flop without a burn that is to go back (by book), as long as nobody has acted on it; whether it stayed
    # for an action and may still go back when another one is dealt.
    gone_flop: tuple[Card, ...] = ()
    flop_may_go: bool = False
    # The second of two burns, and whether the street lies there without one: what putting the order right
    # begins with.
    second: Card | None = None
    unburned: bool = False
