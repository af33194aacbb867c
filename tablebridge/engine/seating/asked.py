"""What can be asked of a table's players beside the hand."""

from dataclasses import dataclass

from tablebridge.engine.hand import Hand
from tablebridge.engine.seating import arrivals, entitled
from tablebridge.engine.setup import Setup


@dataclass(frozen=True, slots=True)
class Players:
    """Who is away and who waits, and what they owe and posted. Reads only."""

    setup: Setup
    hand: Hand | None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats whose players wait for cards: for the button, for the big blind, or to choose."""
        return self.setup.seating.waiting()

    @property
    def away(self) -> tuple[int, ...]:
        """Seats whose players sit out."""
        return self.setup.seating.away()

    def missed(self, seat: int) -> str:
        """The blinds that the seat missed and has not posted: small, big, both or none."""
        player = self.setup.seating.players.get(seat)
        return "none" if player is None else player.missed

    def owes(self, seat: int) -> tuple[int, int]:
        """What the seat must post to be dealt in: live, and dead."""
        return entitled.owes(self.setup, seat)

    def posted(self, seat: int) -> tuple[int, int]:
        """What the seat posted in this hand beside the blinds: live, and dead."""
        return (0, 0) if self.hand is None else self.hand.entries.posts.get(seat, (0, 0))

    def buy_in(self, seat: int) -> int:
        """The least that the player of the seat must bring."""
        return arrivals.buy_in(self.setup, None, seat)
