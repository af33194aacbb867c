"""The cards that lie at seats, in groups that are looked at and leave together.

In most games the cards of a seat are one group (`seat.py`). Cards that lie open beside others stay where they
are when those are looked at: they are a group of their own. While cards are exchanged each card of a seat
goes its own way, and is a group; when that is over, those that lie at the seat are one group again.

Groups of one seat are folded together all the same: when a card of one is concluded to lie in the muck, a
share of what is believed of the others goes to "on the way" (`SeatTimes.folds_together`), and what is read of
them says whether that was right.
"""

from collections.abc import Collection, Iterable, Iterator

from tablebridge.model.places import Place, seat_place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.seat import SeatCards
from tablebridge.sensing.cards.table_model import TableModel


class SeatGroups:
    """The groups of all seats. `model`: of the hand, in which no card has come to a seat yet."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._bounds = model.dynamics.filter
        self._groups: dict[Place, list[SeatCards]] = {}
        self._of: dict[str, SeatCards] = {}
        self._open: dict[str, None] = {}
        self._divided: tuple[int, ...] = ()
        self._all: tuple[SeatCards, ...] | None = None

    def of(self, tag: str) -> SeatCards | None:
        """The group of a card; None if it lies at no seat."""
        return self._of.get(tag)

    def __iter__(self) -> Iterator[SeatCards]:
        if self._all is None:
            self._all = tuple(group for groups in self._groups.values() for group in groups)
        return iter(self._all)

    def concerned(self, report: AntennaReport, tags: Collection[str]) -> Iterator[SeatCards]:
        """The groups that a report concerns: of its own seat those that the antenna is there for, and those
        with a card that it read.
        """
        for group in self:
            if not group.cards or (not report.complete and group.cards.keys().isdisjoint(tags)):
                continue
            others = report.of != "all" and group.place == report.place and not self._is_for(report, group)
            if not others or not group.cards.keys().isdisjoint(tags):
                yield group

    def _is_for(self, report: AntennaReport, group: SeatCards) -> bool:
        return any((tag in self._open) == (report.of == "up") for tag in group.cards)

    def counts(self) -> dict[int, int]:
        """The number of cards at each seat that ever had one."""
        return {
            groups[0].number: sum(len(group.cards) for group in groups)
            for groups in self._groups.values()
            if groups and groups[0].number is not None
        }

    def add(self, place: Place, tag: str, here: Placement, now_ns: int, open_cards: Iterable[int]) -> None:
        """A card lies at a seat. `open_cards`: as `Expectation` has them."""
        groups = self._groups.setdefault(place, [])
        if sum(len(group.cards) for group in groups) in open_cards:
            self._open[tag] = None
        group = next((group for group in groups if self._takes(group, tag)), None)
        if group is None:
            group = SeatCards(place, self._model, now_ns)
            groups.append(group)
            self._all = None
        for other in groups:
            if other is not group:
                other.cover()
        group.add_card(tag, here)
        self._of[tag] = group
        self._count_pile(place)

    def remove(self, tag: str, *, folds: bool) -> None:
        """A card is known to lie elsewhere. `folds`: in the muck, so that the other groups of its seat may be
        on their way there.
        """
        group = self._of.pop(tag)
        group.remove_card(tag)
        self._open.pop(tag, None)
        self._count_pile(group.place)
        for other in self._groups[group.place]:
            if folds and group.number not in self._divided and other is not group and other.cards:
                other.follow()

    def exchange(self, drawing: tuple[int, ...]) -> None:
        """These seats have still to exchange cards, the next first: the next two are divided, since what the
        first does may be known late.
        """
        divided = drawing[:2]
        if divided == self._divided:
            return
        before, self._divided, self._all = self._divided, divided, None
        for seat in {*before, *divided}:
            place = seat_place(seat)
            groups = self._groups.get(place, [])
            if groups and (seat in before) != (seat in divided):
                self._groups[place] = self._divide(groups) if seat in divided else self._join(groups)

    def is_divided(self, seat: int | None) -> bool:
        """Whether the seat exchanges cards about now."""
        return seat in self._divided

    def _count_pile(self, place: Place) -> None:
        """Another number of cards lies at a seat. Open cards lie beside each other."""
        piled = [group for group in self._groups[place] if self._open.keys().isdisjoint(group.cards)]
        self._model.piles[place] = sum(len(group.cards) for group in piled)
        for group in piled:
            group.lie_among()

    def _takes(self, group: SeatCards, tag: str) -> bool:
        """Whether a card that comes is handled together with those of a group."""
        if group.number in self._divided or not group.cards:
            return not group.cards
        return all((other in self._open) == (tag in self._open) for other in group.cards)

    def _divide(self, groups: list[SeatCards]) -> list[SeatCards]:
        each = [single for group in groups for single in group.divide()]
        for single in each:
            self._of.update(dict.fromkeys(single.cards, single))
        return each or groups[:1]

    def _join(self, groups: list[SeatCards]) -> list[SeatCards]:
        """One group of the cards that lie at the seat; any other stays alone."""
        lying = [group for group in groups if group.cards and group.all_lie() >= self._bounds.rather]
        if len(lying) < 2:
            return groups
        first, *others = lying
        for other in others:
            first.take_in(other)
            self._of.update(dict.fromkeys(other.cards, first))
        return [first, *(group for group in groups if group not in lying)]
