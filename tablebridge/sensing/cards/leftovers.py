"""Reads of the hand before that arrive when a new hand has begun.

Reports still under way may be of the hand before. So a card that is read where it lay then is ignored there
until that antenna has missed it, or for `FilterBounds.leftover_visits`.
"""

from collections.abc import Collection, Mapping

from tablebridge.model.places import Place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_state import CardState
from tablebridge.sensing.dynamics import FilterBounds


class Leftovers:
    """The cards of the hand before that may still be read where they lay."""

    def __init__(self, cards: Mapping[str, CardState], bounds: FilterBounds) -> None:
        self._most_visits = bounds.leftover_visits
        self._visits: dict[Place, dict[str, int]] = {}
        for tag, card in cards.items():
            for place, placement in card.placements.items():
                if placement.weight > bounds.leftover_weight and placement.missed < bounds.silent_visits:
                    self._visits.setdefault(place, {})[tag] = 0

    def fresh_tags(self, report: AntennaReport) -> Collection[str]:
        """The tags of the report that are of this hand. Each report is asked about once."""
        left = self._visits.get(report.place)
        if not left:
            return report.tags
        for tag in list(left):
            if tag in report.tags:
                left[tag] += report.visits
                if left[tag] > self._most_visits:
                    del left[tag]
            elif report.complete:
                del left[tag]
        return [tag for tag in report.tags if tag not in left]
