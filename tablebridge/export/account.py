"""The account of a hand, moment by moment: what every export but PHH is written from.

The entries are folded again and the table is watched while it happens: what was posted, dealt, done, shown and paid, when, and
what the pot was then. An action stands as it was ruled, not as it was said.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from tablebridge.engine.corrections import effective
from tablebridge.engine.hand import Hand
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant

What = Literal["ante", "blind", "deal", "burn", "board", "action", "returned", "show", "muck", "ruling", "finding"]
_SETTING_UP: Final = (ev.Stacks, ev.Seats, ev.Button, ev.Game, ev.Ante, ev.BbAnte, ev.Rules, ev.Names)


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened. `amount`: chips that moved; `total`: what the seat has in front for the round afterwards; `pot`:
    all chips in the middle afterwards, bets in front included. `kind`: the action as ruled; of the rest what it is, in words.
    `opens`: nobody had anything in front before it.
    """

    at: Instant
    what: What
    street: str
    seat: int | None = None
    kind: str = ""
    amount: int = 0
    total: int = 0
    pot: int = 0
    all_in: bool = False
    opens: bool = False
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """One hand. Dictionaries are by seat; `order` is the order of play. `payments`: for each pot its amount and who got what of
    it. `void`: dealt again. `incomplete`: why its end is not known. `told`: whether stacks and bets were told at all."""

    table: str
    number: int
    game: str
    limit: str
    rulebook: str
    small: int
    big: int
    ante: int
    bb_ante: int
    button: int
    small_seat: int
    big_seat: int
    order: tuple[int, ...]
    names: Mapping[int, str]
    start: Mapping[int, int]
    end: Mapping[int, int]
    cards: Mapping[int, tuple[Card, ...]]
    board: tuple[Card, ...]
    opened: frozenset[Card]
    moments: tuple[Moment, ...]
    payments: tuple[tuple[int, Mapping[int, int]], ...]
    findings: tuple[Finding, ...]
    began: Instant
    ended: Instant
    void: bool
    incomplete: tuple[str, ...]
    told: bool

    def public(self) -> "Account":
        """The same without any face that never lay open."""
        def seen(cards: tuple[Card, ...]) -> tuple[Card, ...]:
            return tuple(card if card in self.opened else UNKNOWN for card in cards)

        return replace(
            self, cards={seat: seen(cards) for seat, cards in self.cards.items()},
            moments=tuple(replace(moment, cards=seen(moment.cards)) for moment in self.moments))


def accounts(entries: Iterable[ev.Entry], name: str = "table") -> Iterator[Account]:
    """The hands that are over, void ones too, in order. `entries`: all of one table from the first on, corrections included."""
    table = Table(name)
    writer: _Writer | None = None
    for entry in effective(list(entries)):
        event = entry.event
        if isinstance(event, ev.Hand) and writer is not None and table.street not in ("over", "void"):
            # The next hand ends the one under way as `end` does.
            writer.take(table, ev.Entry(entry.id, entry.at, ev.End()))
        if isinstance(event, (ev.Hand, *_SETTING_UP)) and table.street in ("over", "void"):
            if writer is not None:
                yield writer.account(table)
            writer = None
        if isinstance(event, ev.Hand):
            table.apply(entry)
            writer = None if table.hand is None else _Writer(table, table.hand, entry.at)
        elif writer is None:
            table.apply(entry)
        else:
            writer.take(table, entry)
    if writer is not None and table.street in ("over", "void"):
        yield writer.account(table)


class _Writer:
    """Watches one hand."""

    def __init__(self, table: Table, hand: Hand, at: Instant) -> None:
        self._hand = hand
        self._moments: list[Moment] = []
        self._began = self._ended = at
        self._street = hand.street
        self._stack = dict(hand.start)
        self._bet = dict.fromkeys(hand.order, 0)
        self._pot = 0
        self._dealt = dict.fromkeys(hand.order, 0)
        self._board = 0
        self._posted(at)

    def take(self, table: Table, entry: ev.Entry) -> None:
        """Fold an entry of this hand into the table and write down what came of it."""
        hand, event, at = self._hand, entry.event, entry.at
        was_over = hand.over
        outcome = table.apply(entry)
        if was_over:
            return
        self._ended = at
        for seat in hand.order:
            fresh = hand.cards[seat][self._dealt[seat]:]
            if fresh:
                self._add(at, "deal", seat=seat, cards=tuple(fresh))
            self._dealt[seat] = max(self._dealt[seat], len(hand.cards[seat]))
        if isinstance(event, ev.Burn):
            self._add(at, "burn", cards=(event.card or UNKNOWN,))
        for ruled in outcome.ruled:
            added = max(0, ruled.amount - self._bet[ruled.seat]) if ruled.action not in ("fold", "check") else 0
            opens = not any(self._bet.values())
            self._put(ruled.seat, added)
            self._add(at, "action", seat=ruled.seat, kind=ruled.action, amount=added, opens=opens)
        for back in outcome.returned:
            self._put(back.seat, -back.amount)
            self._add(at, "returned", seat=back.seat, amount=back.amount)
        if len(hand.board) > self._board:
            self._street = hand.street if hand.street not in ("showdown", "over", "void") else "river"
            self._bet = dict.fromkeys(hand.order, 0)
            self._add(at, "board", cards=tuple(hand.board[self._board:]))
        self._board = len(hand.board)
        if isinstance(event, ev.Tabled) and event.seat in hand.cards:
            self._add(at, "show", seat=event.seat, cards=hand.tabled.get(event.seat, ()))
        elif isinstance(event, ev.Muck) and event.seat in hand.cards and not outcome.ruled:
            self._add(at, "muck", seat=event.seat)
        elif isinstance(event, ev.Ruling):
            self._add(at, "ruling", seat=event.seat, kind=event.ruling)
        for finding in outcome.findings:
            words = " ".join(filter(None, (finding.finding, finding.cause, finding.rule)))
            self._add(at, "finding", seat=finding.seat, kind=words)

    def account(self, table: Table) -> Account:
        """The hand, which is over and still the table's last."""
        hand = self._hand
        stakes, positions = hand.stakes, hand.positions
        return Account(
            table=table.name, number=hand.number, game=hand.form.name, limit=hand.form.limit, rulebook=hand.book.name,
            small=stakes.small, big=stakes.big, ante=stakes.ante, bb_ante=stakes.bb_ante, button=positions.button,
            small_seat=positions.small, big_seat=positions.big, order=hand.order,
            names={seat: table.setup.names.get(seat, f"Seat {seat}") for seat in hand.order}, start=dict(hand.start),
            end=dict(hand.stack), cards={seat: tuple(cards) for seat, cards in hand.cards.items()}, board=tuple(hand.board),
            opened=frozenset(hand.open_cards), moments=tuple(self._moments), payments=tuple(hand.payments),
            findings=tuple(hand.findings), began=self._began, ended=self._ended, void=hand.street == "void",
            incomplete=tuple(hand.incomplete), told=all(map(hand.told, hand.order)) and not hand.untold)

    def _posted(self, at: Instant) -> None:
        """Antes and blinds, as the engine posted them when the hand began."""
        hand = self._hand
        for seat in hand.order:
            ante = hand.paid[seat] - hand.bet[seat]
            if seat == hand.positions.big:
                ante += hand.dead_money
            if ante:
                self._stack[seat] -= ante
                self._pot += ante
                self._add(at, "ante", seat=seat, amount=ante)
        for seat in hand.order:
            if hand.bet[seat]:
                self._put(seat, hand.bet[seat])
                which = "small" if seat == hand.positions.small else "big"
                self._add(at, "blind", seat=seat, kind=which, amount=hand.bet[seat])

    def _put(self, seat: int, amount: int) -> None:
        """Chips go from the stack in front of the seat; back where negative."""
        self._stack[seat] -= amount
        self._bet[seat] = max(0, self._bet[seat] + amount)
        self._pot += amount

    def _add(self, at: Instant, what: What, *, seat: int | None = None, kind: str = "", amount: int = 0,
             opens: bool = False, cards: tuple[Card, ...] = ()) -> None:
        moved = what in ("ante", "blind", "action")
        self._moments.append(Moment(
            at, what, self._street, seat, kind, amount, self._bet.get(seat or 0, 0), self._pot,
            bool(moved and amount and self._stack.get(seat or 0, 1) <= 0), opens, cards))
