"""What of a hand is in doubt."""

import msgspec


class Doubts(msgspec.Struct):
    """The doubts of a hand that are not settled. `of`: the seats, 0 for the hand as such, each with how many
    cards are read before a seat that folded, 0 if a person has the doubt.
    """

    of: dict[int, int] = {}

    def begin(self, seat: int, read: int) -> None:
        """The seat, or the hand (0), is in doubt."""
        self.of[seat] = read

    def settle(self, seat: int) -> None:
        """The doubt is settled; with the hand's all are."""
        if seat:
            self.of.pop(seat, None)
        else:
            self.of.clear()
