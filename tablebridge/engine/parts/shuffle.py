"""What was done to the deck of a hand before it was dealt, as far as the table reports such things."""

import msgspec


class Shuffle(msgspec.Struct):
    """Whether this table reports shuffles and cuts at all, and whether the deck was shuffled and cut. Only
    the methods change it.
    """

    reported: bool = False
    done: bool = False
    cut: bool = False

    def happen(self) -> None:
        """The deck was shuffled."""
        self.done = True

    def report(self) -> None:
        """The deck was shuffled, at a table that reports shuffles."""
        self.reported = self.done = True

    def report_cut(self) -> None:
        """The deck was cut, at a table that reports cuts."""
        self.reported = self.cut = True
