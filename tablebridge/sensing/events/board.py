"""Cards that came to the board and the burns, until they are told. Pure.

**Theory.** Cards of the board are told together once the board's antenna has read nothing new for
`QUIET_VISITS`: a fourth card that came with a flop is in the flop's event. Cards in flight pass over burns
and board: one is taken to lie there when it was read there `STAYS_READS` times, or again `FLIGHT_NS` after
its first read. A street waits for

| what | how long |
| --- | --- |
| cards of the flop that have not come, or one that was read on the board and may lie there | `SHORT_VISITS` of the board |
| a burn that is due, where an antenna looks at the burns | `SHORT_VISITS` of the burns, `BURN_NS` at most |
| an antenna that has fallen silent | `SETTLE_NS` |
| nothing more, when a player acts: who acts has seen the street | what did not come is told without a face |

What is sure only after the street was told, and was first read within `HOLD_NS` of it, came with that street
if nobody has acted and nothing was burned since. A third card of a flop completes it at any time.
"""

from typing import Final, Literal

import msgspec

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import TYPED, Action, Burn, Entry, Seen, Street
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, STUB, Place
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_filter import CardFilter, Move

QUIET_VISITS: Final = 3
SHORT_VISITS: Final = 12
STAYS_READS: Final = 4
HOLD_NS: Final = 3_000_000_000
BURN_NS: Final = 2_000_000_000
SETTLE_NS: Final = 1_500_000_000
FLIGHT_NS: Final = 400_000_000

Name = Literal["flop", "turn", "river"]


class Pending(msgspec.Struct):
    """A card on its way into an event. `since`: monotonic ns. `missed`: visits in a row of where the record
    has it. `reads`: of where it is sure to lie, as far as they are known. `stays`: it was read there again
    when it could have flown on, or concluded from other cards.
    """

    move: Move
    card: Card
    place: Place
    since: int
    missed: int = 0
    reads: int = 0
    stays: bool = False


Told = tuple[Burn | Street | Seen, tuple[Pending, ...]]
"""An event, and what it rests on."""


class BoardCards:
    """Of one table. `burns_watched`: an antenna looks at the burns."""

    def __init__(self, cards: CardFilter, *, burns_watched: bool) -> None:
        self._cards = cards
        self._burns_watched = burns_watched
        self.begin_hand()

    def begin_hand(self) -> None:
        """Nothing lies there."""
        self._burns: list[Pending] = []
        self._board: list[Pending] = []
        self._street: tuple[Name, int] | None = None
        self._since = self._settled_ns = 0
        self._quiet = self._looks = self._burnless = 0
        self._unsure: dict[str, None] = {}
        self._read: tuple[str, ...] = ()
        self._heard_ns = 0

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        waits = [one.since + HOLD_NS for one in self._burns]
        if self._board:
            waits.append(self._settled_ns)
        return min(waits, default=None)

    @property
    def waiting(self) -> bool:
        """Whether a street waits."""
        return bool(self._board)

    def record(self, entry: Entry) -> None:
        """What was told, or entered, is not waited for."""
        event = entry.event
        if isinstance(event, Street):
            self._street = event.street, entry.at.monotonic_ns
            if entry.basis not in TYPED:
                self._board = [one for one in self._board if one.card not in event.cards]
        elif isinstance(event, Action | Burn):
            self._street = None
            if isinstance(event, Burn) and entry.basis not in TYPED:
                self._burns = [one for one in self._burns if one.card != event.card]

    def came(self, pending: Pending, now: Instant) -> None:
        """A card is sure to lie there."""
        pending.reads = len(pending.move.evidence) - 1
        pending.stays = not pending.move.evidence
        if pending.place == BURN:
            self._burns.append(pending)
            return
        if not self._board:
            self._burnless = 0
            self._unsure.clear()
        self._looks = self._quiet = 0
        self._board.append(pending)
        self._since = self._settled_ns = now.monotonic_ns

    def visited(self, look: AntennaReport, coming: bool) -> None:
        """An antenna was visited. `coming`: it read a card that is not yet sure to lie there."""
        if look.place == BOARD:
            unsure = [tag for tag in look.tags if self._unplaced(tag)] if coming else []
            fresh = any(tag not in self._read for tag in unsure)
            self._read = look.tags
            self._heard_ns = look.at_ns
            self._looks += look.after(self._since)
            self._quiet = 0 if fresh else self._quiet + look.after(self._since)
            self._unsure |= dict.fromkeys(unsure)
        elif self._board and look.place == BURN and not coming:
            self._burnless += look.after(self._since)
        for one in (*self._burns, *self._board):
            if one.place == look.place and one.move.tag in look.tags:
                one.reads += look.visits
                one.stays |= one.reads >= STAYS_READS or look.at_ns >= one.move.read_ns + FLIGHT_NS

    def withdraw(self, tag: str) -> None:
        """The card moved on."""
        self._burns = [one for one in self._burns if one.move.tag != tag]
        self._board = [one for one in self._board if one.move.tag != tag]

    def clear(self) -> None:
        """The hand is over."""
        self._burns.clear()
        self._board.clear()

    def due(self, expect: Expectation, lying: int, now: Instant) -> list[Told]:
        """What has waited for long enough. `lying`: how many cards the record has on the board."""
        told: list[Told] = []
        for one in [one for one in self._burns if one.stays or now.monotonic_ns >= one.since + HOLD_NS]:
            self._burns.remove(one)
            told.append((Burn(one.card), (one,)))
        if self._board and self._settled(expect, lying, now):
            told += self._take(expect, lying)
        return told

    def acted(self, expect: Expectation, lying: int) -> list[Told]:
        """Somebody is about to act."""
        if not self._board or expect.phase not in ("burn", "street"):
            return []
        told: list[Told] = [(Burn(one.card), (one,)) for one in self._burns]
        self._burns.clear()
        missing = max(0, expect.board_due - len(self._board) - lying) if expect.next_street == "flop" else 0
        return told + self._take(expect, lying, missing)

    def _settled(self, expect: Expectation, lying: int, now: Instant) -> bool:
        """Whether nothing more is to be waited for; `_settled_ns` is when the clock ends the waits."""
        short = (not lying and len(self._board) < expect.board_due) or any(map(self._unplaced, self._unsure))
        short |= not all(one.stays for one in self._board)
        self._settled_ns = now.monotonic_ns
        if self._looks < SHORT_VISITS and (short or self._quiet < QUIET_VISITS):
            self._settled_ns = max(self._since, self._heard_ns) + SETTLE_NS
        if self._burns or (expect.burn_due and self._burns_watched and self._burnless < SHORT_VISITS):
            self._settled_ns = max(self._settled_ns, self._since + BURN_NS)
        return now.monotonic_ns >= self._settled_ns

    def _unplaced(self, tag: str) -> bool:
        """Whether it is open where the card lies: nowhere yet, or in the burns, which is not told."""
        return self._cards.place(tag) == STUB or any(one.move.tag == tag for one in self._burns)

    def _take(self, expect: Expectation, lying: int, missing: int = 0) -> list[Told]:
        """`missing`: so many cards lie there besides that were not read."""
        pending, self._board = tuple(self._board), []
        last = self._street
        if (
            last is not None
            and expect.phase == "betting"
            and all(one.move.read_ns <= last[1] + HOLD_NS for one in pending)
        ):
            street: Name | None = last[0]
        else:
            street = _street(expect, lying)
        if street is None:
            return [(Seen(one.card, BOARD), (one,)) for one in pending]
        return [(Street(street, (*(one.card for one in pending), *[UNKNOWN] * missing)), pending)]


def _street(expect: Expectation, lying: int) -> Name | None:
    """The street of cards that come to the board: a flop that is not whole, the one that is due, else by how
    many lie there.
    """
    if expect.street == "flop" and 0 < lying < 3:
        return "flop"
    if expect.board_due and expect.next_street in ("flop", "turn", "river"):
        return expect.next_street  # type: ignore[return-value]
    return "flop" if lying < 3 else "turn" if lying == 3 else "river" if lying == 4 else None
