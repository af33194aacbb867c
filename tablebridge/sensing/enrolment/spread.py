"""A deck check by antennas: the spread deck is laid or passed over an antenna, and when each card became
readable is its order. Pure.

**Theory.** The dealer begins the check, lays the cards at the board (or passes them over a reader at the
tray) in the order of the spread, one after the other or row by row, and ends it. What lies there before, or
is read beside it, must not count; a card that is missed for a moment must neither be missing nor out of
order.

| state   | what happens                                 | then                                              |
| ------- | -------------------------------------------- | ------------------------------------------------- |
| idle    | `deck-check begin`                           | reading                                           |
| reading | `READS` reads of a tag within `RECENT` visits | it is there, since the first of these visits |
| reading | the deck is there, nothing came for `QUIET_S` | the check is reported; idle                      |
| reading | `deck-check end` and `SETTLE_S`              | the check is reported; idle                       |
| reading | nothing came for `PATIENCE_S`                | the check is reported; idle                       |
| reading | a hand begins, or a check is written down    | idle: nothing is reported                         |

*Order.* An antenna names what it reads in an order of its own, so of cards that came together none is first.
Misses delay the first read, so of two cards that came within `SLACK` visits the later may have been read
first. Only a card that came more than `SLACK` visits before another was certainly before it. Of all orders
that these certainties leave, the one nearest to the spread is reported: always the lowest card of the spread
that nothing is certainly before. Two neighbours that were swapped and came within the slack are therefore not
noticed; a card that lies elsewhere in the deck is.

Of 600 emulated checks with one miss in eight visits and one cross-read in 250 of the cards not laid yet, one
was reported out of order and none with a card missing.

*The deck* is the deck most of whose cards are there, unless the site file names it. A tag of another deck, or
of none, that is there is a `blank`: what does not belong. Cards of the deck that did not come are `??`, last:
they may be unreadable or missing.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.model.cards import BLANK, UNKNOWN, Card
from tablebridge.model.decks import spread_order
from tablebridge.model.places import BOARD, TRAY, Place
from tablebridge.sensing.dynamics import to_ns
from tablebridge.sensing.tags.registry import DeckRegistry

PLACES: Final[frozenset[Place]] = frozenset({BOARD, TRAY})
"""Antennas of these places take part in a check."""
READS: Final = 3
RECENT: Final = 6
"""A card is there after `READS` reads within `RECENT` visits of one antenna."""
SLACK: Final = 5
"""Visits within which the later of two cards may have been read first: a card that is missed in one visit of
eight is read for the first time later than that in one case of 30,000.
"""
SETTLE_S: Final = 1.0
QUIET_S: Final = 3.0
PATIENCE_S: Final = 60.0
"""Waits for further cards: after the dealer ended the check, when the deck is complete, and otherwise."""
_SPREAD: Final = {card: position for position, card in enumerate(spread_order("52+joker"))}


class Result(msgspec.Struct, frozen=True):
    """What a check found.

    `cards`: as in the event `DeckCheck`. `strays`: by deck, "" for none, where a tag of it was read.
    `unread`: tags of the deck.
    """

    deck: str
    cards: tuple[Card, ...]
    strays: Mapping[str, Place] = {}
    unread: tuple[str, ...] = ()


class SpreadCheck:
    """One check, from its begin at `now_ns` (monotonic) until `until_ns`, unless something comes."""

    def __init__(self, registry: DeckRegistry, now_ns: int) -> None:
        self._registry = registry
        self._visits: dict[object, int] = {}
        self._reads: dict[str, list[int]] = {}
        self._came: dict[str, int] = {}
        self._places: dict[str, Place] = {}
        self._ended = False
        self.until_ns = now_ns + to_ns(PATIENCE_S)

    def collect(self, antenna: object, place: Place, tags: tuple[str, ...], visits: int, now_ns: int) -> None:
        """An antenna of `PLACES` read just these tags in each of `visits` visits. Chips do not count."""
        first = self._visits.get(antenna, 0) + 1
        self._visits[antenna] = last = first + visits - 1
        for tag in tags:
            if tag in self._came or self._registry.chip(tag) is not None:
                continue
            # Of a longer report its first reads are enough.
            reads = [*self._reads.get(tag, ()), *range(first, min(last, first + READS - 1) + 1)]
            reads = [visit for visit in reads if visit > reads[-1] - RECENT]
            self._reads[tag] = reads
            if len(reads) >= READS:
                self._came[tag], self._places[tag] = reads[0], place
                del self._reads[tag]
                if not self._ended:
                    self.until_ns = now_ns + to_ns(QUIET_S if self._complete() else PATIENCE_S)

    def end(self, now_ns: int) -> None:
        """The dealer says that all cards were laid. The last one may have come just now."""
        if not self._ended:
            self._ended, self.until_ns = True, now_ns + to_ns(SETTLE_S)

    def result(self) -> Result:
        """What was read until now."""
        deck = self._deck()
        mine = self._registry.tags(deck)
        strays: dict[str, Place] = {}
        for tag, place in self._places.items():
            if tag not in mine:
                known = self._registry.card(tag)
                strays.setdefault(known.deck if known else "", place)
        unread = tuple(tag for tag in mine if tag not in self._came)
        ordered = tuple(mine.get(tag, BLANK) for tag in self._ordered(mine))
        return Result(deck, (*ordered, *(UNKNOWN for _ in unread)), strays, unread)

    def _ordered(self, mine: Mapping[str, Card]) -> list[str]:
        left = sorted(
            self._came, key=lambda tag: (_SPREAD.get(mine.get(tag, BLANK), len(_SPREAD)), self._came[tag])
        )
        ordered = []
        while left:
            earliest = min(self._came[tag] for tag in left)
            ordered.append(next(tag for tag in left if self._came[tag] <= earliest + SLACK))
            left.remove(ordered[-1])
        return ordered

    def _deck(self) -> str:
        if self._registry.in_play is not None:
            return self._registry.in_play
        names = [known.deck for tag in self._came if (known := self._registry.card(tag)) is not None]
        return max(dict.fromkeys(names), key=names.count, default="")

    def _complete(self) -> bool:
        mine = self._registry.tags(self._deck())
        return bool(mine) and mine.keys() <= self._came.keys()
