"""How long the commits of a journal take: the disk under a table, as those who watch the box see it."""

from bisect import bisect_left
from typing import Final

BOUNDS_MS: Final = (1, 2, 5, 10, 20, 50, 100, 250, 1_000)
"""Commits are counted by their time: up to each of these bounds, in milliseconds."""
_BOUNDS_NS: Final = tuple(bound * 1_000_000 for bound in BOUNDS_MS)


class CommitTimes:
    """`counts`: commits by how long they took, one number per bound of `BOUNDS_MS` and one for those that
    took longer. `total_ns`: how long all of them took.
    """

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_MS) + 1)
        self.total_ns = 0

    def took(self, duration_ns: int) -> None:
        """Count a commit."""
        self.counts[bisect_left(_BOUNDS_NS, duration_ns)] += 1
        self.total_ns += duration_ns
