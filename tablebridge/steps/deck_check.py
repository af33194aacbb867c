"""A deck check outside play: every card of a deck is shown to any antenna, one by one, in heaps, or
spread and passed over it. Pure.

| a tag that was read        | what it is                                                        |
| -------------------------- | ----------------------------------------------------------------- |
| of the deck                | read; `weak` if it was missed in more than `WEAK` of the visits   |
| of another deck            | `foreign`; `double` if the deck's own card of that face was read too |
| of no deck                 | a stranger                                                        |

A card of the deck that was not read is missing. The check passes if nothing is missing and nothing came that
does not belong.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.readings import Sweep

WEAK: Final = 0.3
JUDGED_VISITS: Final = 8
"""The share of visits that may miss a card that lies there, and how many it takes to judge; assumed."""
CellState = Literal["missing", "weak", "read"]
READ: Final = 3
"""A tag of no deck counts once it was read so often: a single read may be a ghost."""


class Count(msgspec.Struct):
    """How often a tag was read, in visits of one antenna: from the first that read it to the last."""

    first: int
    last: int
    reads: int

    @property
    def missed(self) -> float:
        """The share of the visits in between that missed it."""
        return 1 - self.reads / (self.last - self.first + 1)

    @property
    def is_weak(self) -> bool:
        """Whether it was missed more often than it should be."""
        return self.last - self.first >= JUDGED_VISITS and self.missed > WEAK


class Cell(msgspec.Struct, frozen=True):
    """A card of the deck in the grid. `missed`: the share of visits that missed it while it lay there."""

    card: Card
    state: CellState
    missed: float = 0.0


class CheckView(msgspec.Struct, frozen=True):
    """A deck check as it is shown. `read`: how many of the `cells` were; `foreign`, `double`: faces of other
    decks with the decks' names; `strangers`: how many tags belong to no deck.
    """

    deck: str
    cells: tuple[Cell, ...]
    foreign: tuple[tuple[Card, str], ...] = ()
    double: tuple[tuple[Card, str], ...] = ()
    strangers: int = 0

    @property
    def read(self) -> int:
        """How many cards of the deck were read."""
        return sum(cell.state != "missing" for cell in self.cells)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that were not read."""
        return tuple(cell.card for cell in self.cells if cell.state == "missing")

    @property
    def weak(self) -> tuple[Cell, ...]:
        """The cards that were read badly."""
        return tuple(cell for cell in self.cells if cell.state == "weak")

    @property
    def passes(self) -> bool:
        """Whether the deck is whole and nothing else came."""
        return not (self.missing or self.foreign or self.double or self.strangers)


class DeckCheck:
    """The check of one deck. `others`: the tags of other decks, with their cards and the decks' names."""

    def __init__(self, deck: Deck, others: Mapping[str, tuple[Card, str]] | None = None) -> None:
        self._deck = deck
        self._others = others or {}
        self._visits: dict[tuple[str, int], int] = {}
        self._counts: dict[tuple[str, tuple[str, int]], Count] = {}
        self.unread = set(deck.cards)
        self.strangers: set[str] = set()
        self._strange: dict[str, int] = {}

    def sweep(self, sweep: Sweep, device: str = "") -> int:
        """Take one visit or several of an antenna. Returns how many cards of the deck were seen for the first
        time.
        """
        spot = device, sweep.antenna
        first = self._visits.get(spot, 0)
        self._visits[spot] = last = first + max(1, sweep.visits)
        before = len(self.unread)
        for tag in sweep.tags:
            if tag not in self._deck.cards:
                self._strange[tag] = self._strange.get(tag, 0) + last - first
                if self._strange[tag] >= READ:
                    self.strangers.add(tag)
                continue
            self.unread.discard(tag)
            count = self._counts.setdefault((tag, spot), Count(first, first, 0))
            count.last, count.reads = last - 1, count.reads + last - first
        return before - len(self.unread)

    def view(self) -> CheckView:
        """What was found until now."""
        card_tag = {card: tag for tag, card in self._deck.cards.items()}
        cells = tuple(self._cell(card, card_tag.get(card, "")) for card in spread_order(self._deck.kind))
        read = {cell.card for cell in cells if cell.state != "missing"}
        known = sorted(self._others[tag] for tag in self.strangers if tag in self._others)
        return CheckView(
            self._deck.name,
            cells,
            tuple(pair for pair in known if pair[0] not in read),
            tuple(pair for pair in known if pair[0] in read),
            sum(tag not in self._others for tag in self.strangers),
        )

    def _cell(self, card: Card, tag: str) -> Cell:
        """The best that any antenna made of the card."""
        counts = [count for (read, _), count in self._counts.items() if read == tag]
        if not counts:
            return Cell(card, "missing")
        best = min(counts, key=lambda count: (count.is_weak, count.missed))
        return Cell(card, "weak" if best.is_weak else "read", round(best.missed, 3))


__all__ = ["Cell", "CheckView", "DeckCheck"]
