"""What people who look at a hand afterwards may have done: its cards shown to them, and that they looked
recorded.
"""

from typing import Final

from tablebridge.app.folded import FoldedTable
from tablebridge.bus.messages import Command
from tablebridge.journal.records import ReviewRecord, entry_of
from tablebridge.journal.store import Journal
from tablebridge.model.disclosure import Access
from tablebridge.model.errors import Refused
from tablebridge.model.instant import Instant

FEED: Final = "timeline"
"""The feed of an access to the faces of one hand."""
_REVIEWERS: Final = ("floor", "surveillance", "investigator")
_UNMASKS: Final = "investigator"
_SHORTEST_REASON: Final = 4


class Reviews:
    """The reviews of one table. Nothing here changes a hand."""

    def __init__(self, journal: Journal, folded: FoldedTable) -> None:
        self._journal = journal
        self._folded = folded

    def access(self, command: Command, delay_s: float, now: Instant) -> Access:
        """The access to the faces of the hand that the command names. Raises Refused unless the person may,
        says why, and the hand has been over for as long as hole cards are held back.
        """
        if command.role != _UNMASKS:
            raise Refused(
                "Only an investigator may see the cards of a hand; sign in with a token of that role."
            )
        if len(command.note.strip()) < _SHORTEST_REASON:
            raise Refused("Give the reason for which you need to see the cards; it is kept in the record.")
        over = self._over(command.hand)
        if over is None:
            raise Refused("The hand is not over: its cards stay hidden.")
        if (left_s := delay_s - _since_s(over, now)) > 0:
            raise Refused(f"The delay of hole cards is not over: ask again in {left_s:.0f} s.")
        return Access(FEED, command.token, delay_s, command.hand, command.note.strip())

    def record(self, command: Command, now: Instant) -> int:
        """Record what a person says of a hand, inside the open transaction; the number of the record. Raises
        Refused.
        """
        if command.role not in _REVIEWERS:
            raise Refused(
                "Hands are reviewed by the floor and by surveillance; sign in with a token of those roles."
            )
        if not (began := self._folded.began(command.hand)):
            raise Refused(f"There is no hand {command.hand} among the last ones.")
        if command.review == "note" and not command.note.strip():
            raise Refused("Write the note first.")
        by = f"{command.by} ({command.role})"
        review = ReviewRecord(command.review or "note", began, command.hand, by, now, command.note.strip())
        self._folded.replay(review)
        return self._journal.record("review", review)

    def _over(self, hand: int) -> Instant | None:
        """When the hand of this number was over for certain; None if it is not. The beginning of the next
        hand is certain, and of the last one that nothing has happened since.
        """
        if not (began := self._folded.began(hand)):
            return None
        following = self._folded.ends(began)
        if not following:
            return self._folded.changed_at if self._folded.table.street in ("over", "void") else None
        record = next(self._journal.records(following), None)
        entry = None if record is None else entry_of(record)
        return None if entry is None else entry.entered or entry.at


def _since_s(at: Instant, now: Instant) -> float:
    """Seconds from one instant to another: by the monotonic clock within one boot, which nobody can put
    forward.
    """
    if at.boot_id == now.boot_id:
        return (now.monotonic_ns - at.monotonic_ns) / 1e9
    return (now.wall_ns - at.wall_ns) / 1e9
