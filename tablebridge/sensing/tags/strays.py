"""Tags that do not belong where they are read: a card of another deck, a chip of another house, a phone.

One read may be a ghost. A stray tag is reported when it was read `foreign_reads` times in a hand, and once in
that hand.
"""

from typing import Final

from tablebridge.sensing.dynamics import TagBounds

_MOST_FOLLOWED: Final = 512
"""Tags that are counted in a hand: more than that is an attack or a pallet."""


class StrayTags:
    """Counts the reads of stray tags in a hand."""

    def __init__(self, bounds: TagBounds) -> None:
        self._enough = bounds.foreign_reads
        self._reads: dict[str, int] = {}

    def begin_hand(self) -> None:
        """What was reported in a hand may be reported again."""
        self._reads.clear()

    def count_reads(self, tag: str, reads: int) -> bool:
        """Counts reads of a stray tag. Returns whether they are enough now, which is said once."""
        before = self._reads.get(tag, 0)
        if before >= self._enough or (not before and len(self._reads) >= _MOST_FOLLOWED):
            return False
        self._reads[tag] = before + reads
        return before + reads >= self._enough
