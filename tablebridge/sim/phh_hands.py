"""Recorded hands (PHH) of any game through the engine alone: no table, no readings, only the events.

Player N sits in seat N; in games with a button the last player has it. Burn cards, which the format does not
know, are entered if a street has one; folds that a file leaves out are played. Parts of chips are made whole
by a smaller unit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from tablebridge.engine.games import FORMS, Form, Street
from tablebridge.engine.table import Table
from tablebridge.export.phh import Amount, PhhHand
from tablebridge.model import events as ev
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START

GAMES: Final[Mapping[str, str]] = {
    "NT": "nlhe",
    "FT": "flhe",
    "NS": "nlhe36",
    "PO": "plo",
    "FO/8": "flo8",
    "F7S": "stud",
    "F7S/8": "stud8",
    "FR": "razz",
    "N2L1D": "draw27",
    "F2L3D": "td27",
    "FB": "badugi",
}
"""Words of the format for games, to ours."""

SCALES: Final = (1, 2, 4, 10, 100)
"""How many of our units may be one of the record's."""


@dataclass(slots=True)
class Folded:
    """What came of a hand. `stacks`: at the end, player 1 first; `scale` of their units are one of the
    record's. `warnings`: findings that a hand well played does not raise. `refused`: why it cannot be folded,
    else empty.
    """

    stacks: tuple[int, ...] = ()
    scale: int = 1
    incomplete: tuple[str, ...] = ()
    warnings: list[Finding] = field(default_factory=list)
    refused: str = ""

    def differs(self, record: PhhHand) -> str:
        """How it differs from the record, in a sentence; empty if it does not."""
        if self.refused or self.incomplete:
            return self.refused or " ".join(self.incomplete)
        recorded = record.finishing_stacks
        if recorded is None or self.stacks == tuple(stack * self.scale for stack in recorded):
            return ""
        return (
            f"The stacks at the end are {' '.join(str(stack / self.scale) for stack in self.stacks)} "
            "instead of "
            f"{' '.join(map(str, recorded))}."
        )


def fold(record: PhhHand) -> Folded:
    """Play a recorded hand."""
    game = GAMES.get(record.variant)
    if game is None:
        return Folded(refused=f"The game {record.variant} is not played here.")
    if FORMS[game].forced == "blinds" and sum(map(bool, record.blinds_or_straddles)) < 2:
        return Folded(refused="Its small blind is dead, which only the hand before it could tell.")
    amounts = [
        *record.starting_stacks,
        *record.antes,
        *record.blinds_or_straddles,
        *(record.finishing_stacks or ()),
    ]
    scale = next(
        (scale for scale in SCALES if all(amount * scale == int(amount * scale) for amount in amounts)), None
    )
    if scale is None:
        return Folded(refused="It has smaller parts of chips than hundredths.")
    folder = _Folder(FORMS[game], record, scale)
    for event in (*_setting_up(record, FORMS[game], scale), *_deal(record, FORMS[game])):
        folder.play(event)
    for action in record.actions[_initial(record) :]:
        folder.act(action.split())
    folder.play(ev.End())
    table = folder.table
    return Folded(tuple(table.stack(seat) for seat in folder.seats), scale, table.incomplete, folder.warnings)


def _setting_up(record: PhhHand, form: Form, scale: int) -> Iterator[ev.TableEvent]:
    def units(amount: Amount | None) -> int:
        return int((amount or 0) * scale)

    players = len(record.starting_stacks)
    seats = tuple(range(1, players + 1))
    blinds = sorted(units(amount) for amount in record.blinds_or_straddles if amount)
    pair = (blinds[0], blinds[-1]) if blinds else (0, 0)
    bets = (units(record.small_bet), units(record.big_bet))
    yield (
        ev.Game(form.name, bets, pair if form.button else None)
        if form.limit == "limit"
        else ev.Game(form.name, pair)
    )
    antes = [units(amount) for amount in record.antes]
    for_all = len(set(antes)) > 1
    yield ev.Ante(0 if for_all else max(antes, default=0))
    yield ev.BbAnte(max(antes) if for_all else 0)
    yield ev.BringIn(units(_number(record.other.get("bring_in"))))
    yield ev.Seats(seats)
    if form.button:
        yield ev.Button(players)
    yield ev.Stacks(
        by_seat={seat: units(stack) for seat, stack in zip(seats, record.starting_stacks, strict=True)}
    )
    yield ev.Hand()


def _initial(record: PhhHand) -> int:
    """How many actions are the initial deal."""
    return next(
        (at for at, action in enumerate(record.actions) if not action.startswith("d dh ")),
        len(record.actions),
    )


def _deal(record: PhhHand, form: Form) -> Iterator[ev.TableEvent]:
    """The initial deal, card by card round the table; in stud the last one lies open."""
    rows = {
        int(tokens[2][1:]): _split(tokens[3])
        for action in record.actions[: _initial(record)]
        if (tokens := action.split())
    }
    for lap in range(form.cards_after(form.first.name)):
        for seat in sorted(rows):
            if lap < len(rows[seat]):
                yield ev.Deal(seat, rows[seat][lap], up=lap >= form.first.down)


class _Folder:
    """A table and the hand on it."""

    def __init__(self, form: Form, record: PhhHand, scale: int) -> None:
        self.table = Table("table")
        self.seats = range(1, len(record.starting_stacks) + 1)
        self.warnings: list[Finding] = []
        self._form = form
        self._bring_in = int(_number(record.other.get("bring_in")) * scale)
        self._scale = scale
        self._entries = 0

    def play(self, event: ev.TableEvent) -> None:
        self._entries += 1
        outcome = self.table.apply(ev.Entry(self._entries, START, event))
        self.warnings += [
            finding for finding in outcome.findings if finding.severity in ("warning", "critical")
        ]

    def act(self, tokens: list[str]) -> None:
        """Play one action of the record."""
        match tokens:
            case ["d", "dh", player, cards]:
                street = self._burned()
                for card in _split(cards):
                    self.play(ev.Deal(int(player[1:]), card, up=street.up > 0))
            case ["d", "db", cards]:
                self._board(self._burned(), _split(cards))
            case [player, "sd", *cards]:
                gone = _split("".join(cards))
                self.play(
                    ev.Draw(int(player[1:]), len(gone), tuple(card for card in gone if card != UNKNOWN))
                )
            case [player, "sm", cards] if "?" not in cards and cards != "-":
                self.play(ev.Tabled(int(player[1:]), _split(cards)))
            case [player, "sm", *_]:
                self.play(ev.Muck(int(player[1:])))
            case [player, *what]:
                self._bet(int(player[1:]), what)

    def _bet(self, seat: int, what: list[str]) -> None:
        for _ in self.seats:
            if (silent := self.table.to_act) is not None and silent != seat:
                self.play(ev.Action("fold", silent))
        match what:
            case ["f"]:
                self.play(ev.Action("fold", seat))
            case ["cc"]:
                self.play(ev.Action("call" if self.table.to_call(seat) else "check", seat))
            case ["pb"]:
                self.play(ev.Action("bet", seat, self._bring_in))
            case ["cbr", total]:
                kind: Literal["raise", "bet"] = "raise" if "raise" in self.table.may(seat) else "bet"
                self.play(ev.Action(kind, seat, int(float(total) * self._scale)))

    def _board(self, street: Street, cards: tuple[Card, ...]) -> None:
        match street.name:
            case "flop" | "turn" | "river" as name:
                self.play(ev.Street(name, cards))

    def _burned(self) -> Street:
        """The street to which the next cards belong, burned for if it begins with them."""
        coming = self._form.next(self.table.street)
        if (
            coming is None
            or self.table.to_act is not None
            or self.table.expectation().phase not in ("burn", "deal", "street")
        ):
            return self._form.street(self.table.street)
        if self.table.expectation().burn_due:
            self.play(ev.Burn())
        return coming if not coming.draw else self._form.street(self.table.street)


def _number(value: object) -> Amount:
    return value if isinstance(value, (int, float)) else 0


def _split(cards: str) -> tuple[Card, ...]:
    return tuple(Card(cards[at : at + 2]) for at in range(0, len(cards), 2))
