"""The overlay's feed of one table: a picture at every commit, and the gate that lets it out.

The feed is folded like everything else: after a restart the pictures of the entries that may still wait are
made again and go through the gate at the times at which the engine entered them, so that those which had left
leave again, to nobody, and the others wait for the rest of their time. Only the engine's own clock counts. An
entry of another boot, or without such a time, cannot be compared with the present: its picture is not made
again, and the present one waits for the whole delay.
"""

from collections.abc import Mapping
from functools import partial

from tablebridge.engine.table import Table
from tablebridge.engine.views import overlay_view, with_reads
from tablebridge.journal.records import body_of
from tablebridge.journal.store import Journal
from tablebridge.model.events import Entry, Hand
from tablebridge.model.instant import Instant
from tablebridge.model.overlay import OverlayView
from tablebridge.model.presence import SeatRead
from tablebridge.seal.gate import DelayGate


class OverlayFeed:
    """`hole_cards`: whether the pictures show any."""

    def __init__(self, table: Table, gate: DelayGate, *, hole_cards: bool) -> None:
        self._table = table
        self._gate = gate
        self._view = partial(overlay_view, hole_cards=hole_cards)
        self._shown = OverlayView(table.name)
        self._waits_again = False

    @property
    def delay_s(self) -> float:
        """The delay in force."""
        return self._gate.delay_s

    @property
    def waiting(self) -> int:
        """How many pictures wait."""
        return len(self._gate)

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which the next picture may leave."""
        return self._gate.wake_ns

    def changed(self, at: Instant, rev: int, reads: Mapping[int, SeatRead], now: Instant) -> None:
        """A change that happened at `at` is committed."""
        under_way = None if self._table.street == "over" else self._table.hand_number
        self._gate.put(with_reads(self._view(self._table, at, rev), reads), now.monotonic_ns, under_way)

    def due(self, now: Instant) -> OverlayView | None:
        """The picture that leaves now, if one does."""
        return self._gate.due(now.monotonic_ns)

    # At the start.

    def last_hands(self, journal: Journal, now: Instant) -> tuple[int, int]:
        """The numbers of the last hand, and of the first whose pictures may still wait: the hand before that
        which was under way one delay ago. 0 if there is none.
        """
        hands: list[int] = []
        waits = True
        for record in journal.backwards():
            if (
                record.kind == "entry"
                and isinstance(entry := body_of(record), Entry)
                and isinstance(entry.event, Hand)
            ):
                hands.append(entry.id)
                if not waits:
                    break
                entered = _comparable(entry, now)
                waits = entered is not None and now.monotonic_ns - entered.monotonic_ns <= self.delay_s * 1e9
        return (hands[0], hands[-1]) if hands else (0, 0)

    def refold(self, entry: Entry, now: Instant) -> None:
        """An entry that the table has just folded again."""
        entered = _comparable(entry, now)
        self._waits_again = entered is None
        if entered is not None:
            self._shown = self.due(entered) or self._shown
            self.changed(entry.at, entry.id, {}, entered)

    def start(self, at: Instant, rev: int, now: Instant) -> OverlayView:
        """The picture that may be shown at the start, an empty one if none may: it takes the place of what
        the broker keeps.
        """
        if self._waits_again:
            self.changed(at, rev, {}, now)
        return self.due(now) or self._shown


def _comparable(entry: Entry, now: Instant) -> Instant | None:
    """When the engine entered it, if that is a time of this boot and not of the future."""
    entered = entry.entered
    if entered is None or entered.boot_id != now.boot_id or entered.monotonic_ns > now.monotonic_ns:
        return None
    return entered
