"""The whole alphabet of table events, made from their types, and sequences of it that play hands and disturb
them.

Hypothesis looks for a short counterexample among some thousand sequences (`strategies.py`); here are many
more, cheaply. The values of a field come of its type and, where the type says too little, of its name; a
field that is not known here fails.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from types import UnionType
from typing import Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from tablebridge.engine.corrections import CORRECTIONS
from tablebridge.engine.games import FORMS
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.cards import BLANK, DECK_52, JOKER, UNKNOWN, Card, deck_of
from tablebridge.model.places import SEATS, Place, bet_place, parse_place, seat_place, stack_place
from tablebridge.rulebooks import BOOKS

KINDS: Final = get_args(ev.TableEvent)
# Types of which more is to be seen, since more depends on them.
OFTEN: Final = (
    ev.Action,
    ev.Action,
    ev.Say,
    ev.ChipsIn,
    ev.Deal,
    ev.Street,
    ev.Tabled,
    ev.Muck,
    ev.Ruling,
    ev.Hand,
)

_SEAT: Final = (*range(1, 7), 1, 2, 3, 4, -1, 0, 10, 11)
_AMOUNT: Final = (0, 1, 5, 10, 20, 25, 40, 50, 60, 100, 119, 150, 200, 225, 400, 1000, 10_000, 10**13, -50)
_NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "runs": (0, 1, 2, 3, 5, 40),
    "seat": _SEAT,
    "other": _SEAT,
    "seats": _SEAT,
    "by_seat": _SEAT,
    "public": _SEAT,
    "paid": _AMOUNT,
    "amount": _AMOUNT,
    "made_wall_ns": (0, 1),
    "everyone": _AMOUNT,
    "stakes": (50, 100, 20, 0, -5),
    "blinds": (25, 50, 100, 0, -5),
    "count": (-1, 0, 1, 2, 3, 5, 26, 52, 60),
    "chips": (25, 100, 500, 1000, 1, 0, -5),
    "denominations": (25, 100, 500, 1, 0, -5),
    "leaving": (25, 5, 100, 0, -5),
    "less": _AMOUNT,
    "more": _AMOUNT,
    "staying": (100, 25, 500, 0),
    "gap": (0, 1, 3),
    "hand": (0, 1, 7),
    "pays": (0, 1, 3),
    "packets": (-1, 0, 3, 4),
    "number": (-1, 0, 1, 2, 9, 10**9),
    "antenna": (0, 1),
    "read": (0, 1, 2),
    "entry": tuple(range(1, 60)),
    "caller": _SEAT,
    "seconds": (-1, 0, 1, 30, 600, 10**9),
}
_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "rulebook": (*BOOKS, "no-such-book"),
    "text": ("", "", "", "nonsense"),
    "game": (*FORMS, "chess"),
    "deck": ("52", "36", "40", "32", "52+joker", "moon"),
    "device": ("a", "b"),
    "unknown": ("", "", "reader 9"),
    "detail": ("", "noise"),
    "note": ("", "typed wrongly"),
    "name": ("", "Carla"),
    "choice": ("", "night", "left"),
    "file": ("broken/table.sqlite",),
    "backup": ("0011223344556677", ""),
    "offence": ("talking", "collusion", "", "x"),
    "finding": ("812.0", "x", ""),
    "reason": ("", "misread"),
    "pays": ("flush", "high", "x"),
    "kind": ("new", "late", "broken"),
    "key": (
        "buy-in",
        "waiting-list",
        "first-post",
        "hand-for-hand",
        "raise-cap",
        "event-players",
        "betting",
        "straddle",
        "straddles",
        "kill",
        "no-look",
        "rake-percent",
        "time-charge",
        "clock",
        "action-time",
        "time-bank",
        "draw-seconds",
        "h4h-seconds",
        "format",
        "x",
    ),
    "value": (
        *("yes", "no", "3", "2", "0", "untold", "15+5", "2+1", "cash", "tournament", "small", "big"),
        *("any", "full", "half"),
    ),
    "by_seat": ("Ann", ""),
    "public": ("Player", ""),
    "feed": ("stream",),
    "to": ("stream",),
    "token": ("", "4f0c21aa"),
    "words": (
        "call",
        "raise",
        "bet",
        "check",
        "fold",
        "all-in",
        "pot",
        "200",
        "raise 300",
        "bet five hundred",
        "five",
        "two",
        "if you bet, I raise",
        "I play the board",
        "hello",
        "raise to 2k",
        "twenty-five hundred",
        "",
        "raise 0",
    ),
}
_CARDS: Final = (*DECK_52, UNKNOWN, UNKNOWN, UNKNOWN, JOKER, BLANK, Card("Kh*"), Card("2c*"))
_PLACES: Final = (
    *map(parse_place, ("board", "muck", "burn", "stub", "tray", "pot", "floor")),
    *map(seat_place, SEATS),
    *map(bet_place, SEATS),
    *map(stack_place, SEATS),
)


def drawn(rng: Random, kind: Any, name: str) -> Any:
    """A value of this type for the field of this name."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Card:
        return rng.choice(_CARDS)
    if kind is Place:
        return rng.choice(_PLACES)
    if isinstance(kind, NewType):
        return drawn(rng, kind.__supertype__, name)
    if kind is bool:
        return rng.random() < 0.4
    if kind is int:
        return rng.choice(_NUMBERS[name])
    if kind is float:
        return rng.random()
    if kind is str:
        return rng.choice(_TEXTS[name])
    if kind is type(None):
        return None
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return made(rng, kind)
    if origin is Literal:
        return rng.choice(parts)
    if origin in (Union, UnionType) and all(part in KINDS for part in parts):
        return made(rng, rng.choice([part for part in parts if part not in CORRECTIONS]))
    if origin in (Union, UnionType):
        return drawn(rng, rng.choice(parts), name)
    if origin is tuple and parts[-1] is Ellipsis:
        return tuple(drawn(rng, parts[0], name) for _ in range(rng.choice((0, 1, 1, 2, 3, 4, 5))))
    if origin is tuple:
        return tuple(drawn(rng, part, name) for part in parts)
    if origin is dict:
        return {
            drawn(rng, parts[0], name): drawn(rng, parts[1], "amount" if parts[1] is int else name)
            for _ in range(rng.choice((0, 1, 2, 3)))
        }
    raise TypeError(f"no values are known for {name}: {kind}")


def made(rng: Random, kind: type[Any]) -> Any:
    """An event of this type with any values, now and then with those that it has by itself."""
    hints = _fields(kind)
    return kind(
        **{
            name: drawn(rng, hint, name)
            for name, (hint, needed) in hints.items()
            if needed or rng.random() < 0.7
        }
    )


@cache
def _fields(kind: type[Any]) -> dict[str, tuple[Any, bool]]:
    hints = get_type_hints(kind, vars(ev))
    optional = set(kind.__struct_fields__[len(kind.__struct_fields__) - len(kind.__struct_defaults__) :])
    return {name: (hints[name], name not in optional) for name in kind.__struct_fields__}


@cache
def alphabet() -> tuple[ev.TableEvent, ...]:
    """Some thousand events, all types among them."""
    rng = Random("alphabet")
    return tuple(made(rng, kind) for kind in (*KINDS, *OFTEN * 3) for _ in range(40))


def opening(rng: Random, book: str, game: str) -> list[ev.TableEvent]:
    """A table that is set up and begins its first hand."""
    seats = tuple(sorted(rng.sample(range(1, 7), rng.randint(2, 5))))
    house = [ev.House("raise-cap", "3"), ev.House("hand-for-hand", "yes"), ev.House("betting", "untold")]
    return [
        ev.Rules(book),
        ev.Game(game, (50, 100)),
        ev.Ante(rng.choice((0, 5))),
        ev.BbAnte(rng.choice((0, 0, 100))),
        ev.BringIn(20),
        ev.Seats(seats),
        ev.Button(rng.choice(seats)),
        ev.Chips((5, 25, 100)),
        *rng.sample(house, rng.choice((0, 0, 1))),
        ev.Stacks(by_seat={seat: rng.choice((60, 225, 650, 1000, 5000)) for seat in seats}),
        ev.Hand(),
    ]


def legal(rng: Random, table: Table) -> ev.TableEvent:
    """What should happen next at the table, with any of its choices."""
    hand = table.hand
    if hand is None or hand.over:
        return ev.Hand() if rng.random() < 0.8 else ev.Stacks(everyone=1000)
    expected = table.expectation()
    if expected.phase == "deal":
        fresh = next((card for card in rng.sample(DECK, 12) if card not in hand.felt.faces), UNKNOWN)
        form = hand.form
        up = len(hand.felt.up[expected.next_seats[0]]) < form.up_after(hand.street)
        return (
            ev.Dealt()
            if not form.first.up and rng.random() < 0.7
            else ev.Deal(expected.next_seats[0], fresh, up=up)
        )
    if expected.phase == "betting" and table.to_act is not None:
        seat = table.to_act
        kind: Any = rng.choice(sorted(table.may(seat)) or ["fold"])
        least, most = table.min_raise(seat), table.max_raise(seat)
        return ev.Action(kind, seat, rng.choice((least, most)) if kind in ("bet", "raise") else None)
    if expected.phase == "burn":
        return ev.Burn()
    if expected.phase == "street" and expected.board_due:
        name: Any = expected.next_street
        return ev.Street(
            name,
            tuple(card for card in rng.sample(DECK, 12) if card not in hand.felt.faces)[: expected.board_due],
        )
    if expected.phase == "draw":
        waiting = [
            seat for seat in hand.live_order() if hand.deal.street_dealt or seat not in hand.felt.drawn
        ]
        return ev.Draw(rng.choice(waiting), rng.randint(0, 3)) if waiting else ev.Dealt()
    waiting = [seat for seat in table.show_order if seat not in table.hand.showdown.tabled]  # type: ignore[union-attr]
    if waiting and rng.random() < 0.8:
        cards = [card if card != UNKNOWN else rng.choice(DECK) for card in table.cards_of(waiting[0])]
        return ev.Tabled(waiting[0], tuple(cards)) if rng.random() < 0.8 else ev.Muck(waiting[0])
    return ev.End()


DECK: Final = deck_of("36")


def disturbed(rng: Random, table: Table, last: int, share: float) -> Iterator[ev.TableEvent]:
    """Events without end: the next legal one, or, of this share, any; `last`: the number of the table's last
    entry.

    Each is asked for after the one before it was folded.
    """
    anything = alphabet()
    while True:
        if rng.random() >= share:
            event = legal(rng, table)
        else:
            event = rng.choice(anything)
            if isinstance(event, CORRECTIONS):
                event = msgspec.structs.replace(event, entry=rng.randint(max(1, last - 25), last))
        last += 1
        yield event
