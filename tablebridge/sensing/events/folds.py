"""Folds that a person entered while the cards of the seat are still read before it.

**Theory.** A person who says that a seat folded, and antennas that read its cards where they lay, cannot both
be right for long: a folded hand is pulled in within seconds. Which of them is wrong the readings cannot say,
so nothing of the record changes; after `DISAGREE_S` the seat is in doubt, until its cards are gone, or a
person takes the fold back or settles it. The time is that of the readings.

| cards of a seat that folded by a person's word | what is entered |
| --- | --- |
| lie before it for `DISAGREE_S` | the seat is in doubt |
| neither lie nor are lifted there any more | the doubt is over |
"""

from collections.abc import Iterator, Mapping
from typing import Final

from tablebridge.model.events import TYPED, Action, Entry, Hand, InDoubt
from tablebridge.model.presence import SeatRead

DISAGREE_S: Final = 5.0
_DISAGREE_NS: Final = round(DISAGREE_S * 1e9)


class FoldDoubts:
    """Follows the seats that folded by a person's word."""

    def __init__(self) -> None:
        self._folded: set[int] = set()
        # Since when the cards of such a seat are read all the same, and the seats in doubt because of it.
        self._since_ns: dict[int, int] = {}
        self._doubted: set[int] = set()

    @property
    def watched(self) -> bool:
        """Whether a seat folded by a person's word."""
        return bool(self._folded)

    @property
    def wake_ns(self) -> int | None:
        """When the next seat comes to be in doubt if nothing changes."""
        waits = [since for seat, since in self._since_ns.items() if seat not in self._doubted]
        return min(waits) + _DISAGREE_NS if waits else None

    def note_entry(self, entry: Entry) -> None:
        """An event was entered, whoever entered it."""
        match entry.event:
            case Hand():
                self._folded.clear()
                self._since_ns.clear()
                self._doubted.clear()
            case Action(action="fold", seat=seat) if entry.basis in TYPED:
                self._folded.add(seat)
            case InDoubt(seat=int(seat), read=read, over=False) if read:
                self._doubted.add(seat)
            case InDoubt(seat=seat, over=True):
                self._doubted.discard(seat or 0)
            case _:
                pass

    def compare(self, read: Mapping[int, SeatRead], live: tuple[int, ...], now_ns: int) -> Iterator[InDoubt]:
        """What begins or ceases to be in doubt. `read`: what is read before the seats; `live`: the seats that
        have a hand by the record.
        """
        for seat in sorted(self._folded):
            cards = read.get(seat, SeatRead())
            if seat in live or not cards.lying:
                self._since_ns.pop(seat, None)
                if seat in self._doubted and not cards.lifted:
                    yield InDoubt(seat, over=True)
                continue
            since_ns = self._since_ns.setdefault(seat, now_ns)
            if seat not in self._doubted and now_ns - since_ns >= _DISAGREE_NS:
                yield InDoubt(seat, cards.lying)
