"""Hands of a table as PHH: its entries are folded again, and every hand that came to an end is written down.

The hand is written as it was ruled, not as it was said: an action is what the engine took it for. PHH knows actions in turn
only, so a fold out of turn is written where its turn comes. A hand that was void is no hand; one that was closed without its
end being known says so in `_incomplete`.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any, Final

from tablebridge.engine.corrections import effective
from tablebridge.engine.games import BOARD_AFTER
from tablebridge.engine.hand import Hand
from tablebridge.engine.outcome import Outcome, Ruled
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.export.ohh import utc
from tablebridge.export.phh import VARIANTS, PhhHand
from tablebridge.model import events as ev
from tablebridge.model.cards import UNKNOWN, Card, face, is_known
from tablebridge.model.instant import Instant
from tablebridge.model.places import BURN

_SETTING_UP: Final = (ev.Stacks, ev.Seats, ev.Button, ev.Game, ev.Ante, ev.BbAnte, ev.Rules, ev.Names)
# Cards on the board by street. A river after which nobody can bet is a showdown at once.
_BOARD: Final = {**BOARD_AFTER, "showdown": BOARD_AFTER["river"]}


def hands_of(entries: Iterable[ev.Entry], name: str = "table") -> Iterator[PhhHand]:
    """The hands that ended, in order. `entries`: all of one table from the first on, corrections included."""
    table = Table(name)
    scribe: _Scribe | None = None
    for entry in effective(list(entries)):
        if isinstance(entry.event, ev.Hand) and scribe is not None and table.street not in ("over", "void"):
            # The next hand ends the one under way as `end` does; so its stacks can be read before the blinds go in.
            scribe.take(table, ev.Entry(entry.id, entry.at, ev.End()))
        if isinstance(entry.event, ev.Hand) or (isinstance(entry.event, _SETTING_UP) and table.street == "over"):
            # What is set up between hands, stacks above all, is of the next one.
            if scribe is not None and scribe.worth_writing(table):
                yield scribe.write(table)
            scribe = None
        if isinstance(entry.event, ev.Hand):
            table.apply(entry)
            scribe = None if table.hand is None else _Scribe(table.hand, entry.at)
        elif scribe is None:
            table.apply(entry)
        else:
            scribe.take(table, entry)
    if scribe is not None and table.street == "over" and scribe.worth_writing(table):
        yield scribe.write(table)


class _Scribe:
    """Writes one hand down while it is played."""

    def __init__(self, hand: Hand, at: Instant) -> None:
        self._began = self._ended = at
        self._rulings: list[str] = []
        self._order = hand.order
        self._actions: list[str] = []
        self._findings: list[str] = []
        self._early: set[int] = set()
        self._last = hand.positions.big
        self._board = 0
        # Seats that come to the showdown, in the order in which they must show, and how many actions come before it.
        self._showdown: tuple[tuple[int, ...], int] | None = None
        self._face_up = False

    def take(self, table: Table, entry: ev.Entry) -> None:
        """Fold an entry of this hand into the table and write down what came of it."""
        turn = table.to_act
        outcome = table.apply(entry)
        self._ended = entry.at
        if isinstance(entry.event, ev.Ruling):
            self._rulings.append(line_of(entry.event).removeprefix("ruling "))
        self._note(outcome)
        for number, ruled in enumerate(outcome.ruled):
            if ruled.action == "fold" and number == 0 and ruled.seat != turn:
                self._early.add(ruled.seat)
            else:
                self._acted(ruled)
        dealt = _BOARD.get(table.street, self._board)
        if dealt > self._board:
            self._fold_early(None)
            self._actions.append(f"d db {self._board} {dealt}")
            self._board = dealt
        if self._showdown is None and len(table.live) > 1 and (table.face_up or table.street == "showdown"):
            self._fold_early(None)
            self._face_up = table.face_up
            self._showdown = table.show_order, len(self._actions)

    def worth_writing(self, table: Table) -> bool:
        """Whether the hand came to an end with anything done in it, of a game that is written here."""
        return table.street == "over" and bool(self._actions) and table.hand is not None and table.hand.form.name in VARIANTS

    def write(self, table: Table) -> PhhHand:
        """The hand, which is over and still the table's last."""
        hand = table.hand
        assert hand is not None
        self._fold_early(None)
        board = "".join(face(card) for card in hand.board)
        holes = {seat: "".join(face(card) for card in self._cards(hand, seat)) for seat in self._order}
        played = [f"d db {board[2 * int(words[2]):2 * int(words[3])]}" if (words := action.split())[1] == "db" else action
                  for action in self._actions]
        seats, at = self._showdown or ((), 0)
        played[at:at] = [f"{self._player(seat)} sm {holes[seat]}" if self._shows(hand, seat) else f"{self._player(seat)} sm"
                         for seat in seats]
        actions = [f"d dh {self._player(seat)} {holes[seat]}" for seat in self._order] + played
        stakes, positions = hand.stakes, hand.positions
        blinds = {positions.small: stakes.small, positions.big: stakes.big}
        # Heads-up the smaller blind is written first, though p1 is the big blind.
        posted = sorted(blinds.values()) if len(self._order) == 2 else [blinds.get(seat, 0) for seat in self._order]
        names = table.setup.names
        told = all(map(hand.told, self._order))
        limit = hand.form.limit == "limit"
        other: dict[str, Any] = {"hand": hand.number, "table": table.name}
        for field, value in (("_burns", [card for card, place in hand.places.items() if place == BURN]),
                             ("_findings", self._findings), ("_rulings", self._rulings),
                             ("_incomplete", list(hand.incomplete)), ("_began", utc(self._began)),
                             ("_ended", utc(self._ended))):
            if value:
                other[field] = value
        return PhhHand(
            variant=VARIANTS[hand.form.name], ante_trimming_status=not stakes.bb_ante,
            antes=tuple(stakes.ante + (stakes.bb_ante if seat == positions.big else 0) for seat in self._order),
            blinds_or_straddles=tuple(posted), min_bet=None if limit else stakes.big,
            small_bet=stakes.small_bet if limit else None, big_bet=stakes.big_bet if limit else None,
            starting_stacks=tuple(hand.start[seat] if hand.told(seat) else inf for seat in self._order),
            finishing_stacks=tuple(table.stack(seat) for seat in self._order) if told else None,
            actions=tuple(actions), seats=self._order,
            players=tuple(names.get(seat, "") for seat in self._order) if names else (), other=other)

    def _note(self, outcome: Outcome) -> None:
        for one in outcome.findings:
            self._findings.append(" ".join(filter(None, (
                one.finding, one.cause, f"seat {one.seat}" if one.seat else "", f"rule {one.rule}" if one.rule else ""))))

    def _acted(self, ruled: Ruled) -> None:
        self._fold_early(ruled.seat)
        what = {"fold": "f", "check": "cc", "call": "cc"}.get(ruled.action, f"cbr {ruled.amount}")
        self._actions.append(f"{self._player(ruled.seat)} {what}")
        self._last = ruled.seat

    def _fold_early(self, until: int | None) -> None:
        """Seats that folded out of turn have their turn before that of `until`, or before the round is over."""
        at = self._order.index(self._last) + 1 if self._last in self._order else 0
        for seat in self._order[at:] + self._order[:at]:
            if seat == until:
                return
            if seat in self._early:
                self._early.discard(seat)
                self._actions.append(f"{self._player(seat)} f")

    def _shows(self, hand: Hand, seat: int) -> bool:
        """Whether the seat's hand was seen at the showdown; where nobody tabled, the hands that were read decided."""
        read = seat in hand.live and UNKNOWN not in self._cards(hand, seat)
        return read and (seat in hand.tabled or not hand.tabled or self._face_up)

    def _cards(self, hand: Hand, seat: int) -> list[Card]:
        cards = [card if is_known(card) else UNKNOWN for card in hand.cards[seat][:hand.form.hole]]
        return [*cards, *[UNKNOWN] * (hand.form.hole - len(cards))]

    def _player(self, seat: int) -> str:
        return f"p{self._order.index(seat) + 1}"
