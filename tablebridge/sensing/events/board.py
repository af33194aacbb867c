"""Cards that came to the board and the burns, until they are reported. Pure.

**Theory.** Cards of the board are reported together once the board's antenna has read nothing new for
`street_quiet_visits`: a fourth card that came with a flop is in the flop's event. Cards in flight pass over
burns and board: a card is taken to lie there when it was read there `landed_reads` times, or again `flight_s`
after its first read. A street waits for

| what | how long |
| --- | --- |
| cards of the flop that have not come | `street_short_visits` of the board |
| a card that was read on the board and may lie there | the same |
| a burn that is due, if burns are watched | `street_short_visits` of the burns, `burn_s` at most |
| an antenna that has fallen silent | `settle_s` |
| nothing more, when a player acts | who acts has seen the street: the rest has no face |
| no burn, if it is of the street reported last | its burn is known |

What is sure only after the street was reported, and was first read within `hold_s` of it, came with that
street if nobody had acted by then and nothing was burned since. If somebody has acted before it is sure, the
street is amended. A third card of a flop completes it at any time.
"""

from typing import Literal

import msgspec

from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import TYPED, Action, Amend, Burn, Entry, Seen, Street
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, STUB
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_filter import CardFilter
from tablebridge.sensing.dynamics import EventWaits, earliest, to_ns
from tablebridge.sensing.events.pending import Pending

StreetName = Literal["flop", "turn", "river"]
Released = tuple[Amend | Burn | Street | Seen, tuple[Pending, ...]]
"""An event, and the cards that it rests on."""


class _Reported(msgspec.Struct):
    """The last street. `entry`: its entry, made at `at_ns`; `acted_ns`: when somebody acted first since
    (monotonic).
    """

    event: Street
    entry: int
    at_ns: int
    acted_ns: int | None = None

    def lies(self, expect: Expectation) -> bool:
        """Whether all its cards are known and lie on the board: a premature street went back."""
        return all(card in expect.board for card in self.event.cards)


class BoardCards:
    """The cards of board and burns that wait. `burns_watched`: an antenna looks at the burns."""

    def __init__(self, cards: CardFilter, waits: EventWaits, *, burns_watched: bool) -> None:
        self._cards = cards
        self._waits = waits
        self._hold_ns, self._burn_ns = to_ns(waits.hold_s), to_ns(waits.burn_s)
        self._settle_ns, self._flight_ns = to_ns(waits.settle_s), to_ns(waits.flight_s)
        self._burns_watched = burns_watched
        self._burns: list[Pending] = []
        self._board: list[Pending] = []
        self._street: _Reported | None = None
        self._since_ns = self._settled_ns = self._visited_ns = 0
        self._quiet_visits = self._visits = self._burnless_visits = 0
        self._unsure: dict[str, None] = {}
        self._read: tuple[str, ...] = ()

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though no antenna is visited any more."""
        settled_ns = self._settled_ns if self._board else None
        return earliest(settled_ns, *[burn.since_ns + self._hold_ns for burn in self._burns])

    @property
    def anything_waits(self) -> bool:
        """Whether a burn or a street waits."""
        return bool(self._board or self._burns)

    @property
    def street_waits(self) -> bool:
        """Whether a street waits."""
        return bool(self._board)

    def note_entry(self, entry: Entry) -> None:
        """What was entered is not waited for."""
        event = entry.event
        if isinstance(event, Street):
            self._street = _Reported(event, entry.id, entry.at.monotonic_ns)
            if entry.basis not in TYPED:
                self._board = [card for card in self._board if card.card not in event.cards]
        elif isinstance(event, Action):
            if self._street is not None and self._street.acted_ns is None:
                self._street.acted_ns = entry.at.monotonic_ns
        elif isinstance(event, Burn):
            self._street = None
            if entry.basis not in TYPED:
                self._burns = [burn for burn in self._burns if burn.card != event.card]

    def wait(self, pending: Pending, now: Instant) -> None:
        """A card is sure to lie on the board or in the burns."""
        pending.reads = len(pending.move.evidence) - 1
        pending.stays = not pending.move.evidence
        if pending.place == BURN:
            self._burns.append(pending)
            return
        if not self._board:
            self._burnless_visits = 0
            self._unsure.clear()
        self._visits = self._quiet_visits = 0
        self._board.append(pending)
        self._since_ns = self._settled_ns = now.monotonic_ns

    def count_visits(self, report: AntennaReport, coming: bool) -> None:
        """An antenna was visited. `coming`: it read a card that is not yet sure to lie there."""
        if report.place == BOARD:
            unsure = [tag for tag in report.tags if self._unplaced(tag)] if coming else []
            fresh = any(tag not in self._read for tag in unsure)
            self._read = report.tags
            self._visited_ns = report.at_ns
            visits = report.visits_after(self._since_ns)
            self._visits += visits
            self._quiet_visits = 0 if fresh else self._quiet_visits + visits
            self._unsure |= dict.fromkeys(unsure)
        elif self._board and report.place == BURN and not coming:
            self._burnless_visits += report.visits_after(self._since_ns)
        for card in (*self._burns, *self._board):
            if card.place == report.place and card.move.tag in report.tags:
                card.reads += report.visits
                card.stays |= card.reads >= self._waits.landed_reads
                card.stays |= report.at_ns >= card.move.read_ns + self._flight_ns

    def withdraw(self, tag: str) -> None:
        """The card moved on before it was reported."""
        self._burns = [burn for burn in self._burns if burn.move.tag != tag]
        self._board = [card for card in self._board if card.move.tag != tag]

    def drop_all(self) -> None:
        """The hand is over."""
        self._burns.clear()
        self._board.clear()

    def release(self, expect: Expectation, n_on_board: int, now: Instant) -> list[Released]:
        """What has waited for long enough. `n_on_board`: how many cards are recorded on the board."""
        released: list[Released] = []
        now_ns = now.monotonic_ns
        for burn in list(self._burns):
            if burn.stays or now_ns >= burn.since_ns + self._hold_ns:
                self._burns.remove(burn)
                released.append((Burn(burn.card), (burn,)))
        if self._board and self._is_settled(expect, n_on_board, now_ns):
            released += self._release_street(expect, n_on_board)
        return released

    def release_for_action(self, expect: Expectation, n_on_board: int) -> list[Released]:
        """What waits, since somebody is about to act."""
        if not self._board:
            return []
        if self._came_late(expect):
            return self._release_street(expect, n_on_board)
        if expect.phase not in ("burn", "street"):
            return []
        released: list[Released] = [(Burn(burn.card), (burn,)) for burn in self._burns]
        self._burns.clear()
        n_unread = 0
        if expect.next_street == "flop":
            n_unread = max(0, expect.board_due - len(self._board) - n_on_board)
        return released + self._release_street(expect, n_on_board, n_unread)

    def _is_settled(self, expect: Expectation, n_on_board: int, now_ns: int) -> bool:
        """Whether nothing more is to be waited for; `_settled_ns` is when the clock ends the waits."""
        short = (not n_on_board and len(self._board) < expect.board_due) or any(
            map(self._unplaced, self._unsure)
        )
        short |= not all(card.stays for card in self._board)
        longest = self._waits.street_short_visits
        self._settled_ns = now_ns
        if self._visits < longest and (short or self._quiet_visits < self._waits.street_quiet_visits):
            self._settled_ns = max(self._since_ns, self._visited_ns) + self._settle_ns
        burn_due = expect.burn_due and self._burns_watched and self._burnless_visits < longest
        if (self._burns or burn_due) and not self._came_late(expect):
            self._settled_ns = max(self._settled_ns, self._since_ns + self._burn_ns)
        return now_ns >= self._settled_ns

    def _unplaced(self, tag: str) -> bool:
        """Whether it is open where the card lies: nowhere yet, or in the burns, which is not reported."""
        return self._cards.place(tag) == STUB or any(burn.move.tag == tag for burn in self._burns)

    def _release_street(self, expect: Expectation, n_on_board: int, n_unread: int = 0) -> list[Released]:
        """The street that waits. `n_unread`: how many cards lie there besides that were not read."""
        pending, self._board = tuple(self._board), []
        faces = (*(card.card for card in pending), *[UNKNOWN] * n_unread)
        last = self._street
        street = _street_of(expect, n_on_board)
        if last is not None and self._came_with(last, pending, expect):
            if last.acted_ns is None:
                return [(Street(last.event.street, faces), pending)]
            if n_on_board >= 3 and last.lies(expect):
                last.event = Street(last.event.street, (*last.event.cards, *faces))
                return [(Amend(last.entry, last.event), pending)]
        if street is None:
            return [(Seen(card.card, BOARD), (card,)) for card in pending]
        return [(Street(street, faces), pending)]

    def _came_late(self, expect: Expectation) -> bool:
        """Whether what waits came with the street that lies there, so that no burn belongs before it."""
        last = self._street
        return last is not None and last.lies(expect) and self._came_with(last, tuple(self._board), expect)

    def _came_with(self, last: _Reported, pending: tuple[Pending, ...], expect: Expectation) -> bool:
        """Whether these cards came with the street that was reported last."""
        end_ns = last.at_ns + self._hold_ns
        if last.acted_ns is not None:
            end_ns = min(end_ns, last.acted_ns)
        played = expect.phase == "betting" or last.acted_ns is not None
        return played and all(card.move.read_ns <= end_ns for card in pending)


def _street_of(expect: Expectation, n_on_board: int) -> StreetName | None:
    """The street of cards that come to the board: a flop that is not whole, the street that is due, else by
    how many cards lie there.
    """
    if expect.street == "flop" and 0 < n_on_board < 3:
        return "flop"
    if expect.board_due and expect.next_street in ("flop", "turn", "river"):
        return expect.next_street  # type: ignore[return-value]
    return "flop" if n_on_board < 3 else "turn" if n_on_board == 3 else "river" if n_on_board == 4 else None
