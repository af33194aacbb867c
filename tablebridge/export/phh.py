"""Hands as PHH files (Poker Hand History, TOML text, one hand per file): reading, writing, comparing.

Players are numbered in the order of play: p1 is the seat left of the button, so the small blind, and heads-up
the big blind. Actions are those of the standard: `d dh p1 AhKd` hole cards, `d db 2c7dJh` board cards, `p1 f`
fold, `p1 cc` check or call, `p1 cbr 300` bet or raise to, `p1 sm AhKd` show, `p1 sm` muck. Fields whose names
begin with `_` are free for users; burn cards and findings are kept there.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any, Final

import msgspec

from tablebridge.model.cards import UNKNOWN, Card, parse_card
from tablebridge.model.errors import ConfigError
from tablebridge.model.toml_text import parse_toml

Amount = int | float

# Games that are written, to their word in PHH.
VARIANTS: Final = {
    "nlhe": "NT",
    "flhe": "FT",
    "nlhe36": "NS",
    "plo": "PO",
    "flo8": "FO/8",
    "stud": "F7S",
    "stud8": "F7S/8",
    "razz": "FR",
    "draw27": "N2L1D",
    "td27": "F2L3D",
    "badugi": "FB",
}
_PLAYER: Final = re.compile(r"p([1-9][0-9]?)")
_BETTING: Final = ("f", "cc", "cbr")


class PhhHand(msgspec.Struct, frozen=True):
    """One hand. Lists are by player, p1 first; `actions` hold no comments. `other`: every further field of
    the file.
    """

    variant: str
    antes: tuple[Amount, ...]
    starting_stacks: tuple[Amount, ...]
    actions: tuple[str, ...]
    blinds_or_straddles: tuple[Amount, ...] = ()
    min_bet: Amount | None = None
    small_bet: Amount | None = None
    big_bet: Amount | None = None
    finishing_stacks: tuple[Amount, ...] | None = None
    players: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    ante_trimming_status: bool = False
    other: dict[str, Any] = {}

    @property
    def holes(self) -> dict[int, tuple[Card, ...]]:
        """Player to hole cards, `??` if a face is not known; cards that were shown later are known."""
        holes: dict[int, tuple[Card, ...]] = {}
        for action in self.actions:
            match action.split():
                case ["d", "dh", player, cards]:
                    number = _number(player)
                    holes[number] = holes.get(number, ()) + _cards(cards)
                case [player, "sm", cards] if cards != "-":
                    shown = _cards(cards)
                    if UNKNOWN not in shown and len(shown) == len(holes.get(_number(player), ())):
                        holes[_number(player)] = shown
        return holes

    @property
    def board(self) -> tuple[Card, ...]:
        """The cards on the board, in the order dealt."""
        return tuple(
            card for action in self.actions if action.startswith("d db ") for card in _cards(action[5:])
        )

    @property
    def betting(self) -> tuple[tuple[str, ...], ...]:
        """The betting actions, one tuple per round."""
        rounds: list[list[str]] = [[]]
        for action in self.actions:
            match action.split():
                case ["d", "db", _]:
                    rounds.append([])
                case [_, what, *_] if what in _BETTING:
                    rounds[-1].append(action)
        while rounds and not rounds[-1]:
            rounds.pop()
        return tuple(map(tuple, rounds))


def read_phh(path: Path) -> PhhHand:
    """The hand in a file. Raises ConfigError if there is none."""
    try:
        return parse_phh(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ConfigError(f"{path}: the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: a PHH file is UTF-8 text") from None


def parse_phh(text: str, name: str) -> PhhHand:
    """The hand that a PHH text holds; `name` is used in errors. Raises ConfigError."""
    try:
        fields = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: no PHH file: {error}") from None
    known = {
        field: fields.pop(field)
        for field in PhhHand.__struct_fields__
        if field in fields and field != "other"
    }
    try:
        hand = msgspec.convert({**known, "other": fields}, PhhHand)
        hand = msgspec.structs.replace(
            hand, actions=tuple(action.partition("#")[0].strip() for action in hand.actions)
        )
        _check(hand)
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigError(f"{name}: no PHH hand: {error}") from None
    return hand


def write_phh(hand: PhhHand) -> str:
    """The text of a PHH file. Fields that say nothing are left out."""
    fields: dict[str, Any] = {
        "variant": hand.variant,
        "ante_trimming_status": hand.ante_trimming_status,
        "antes": hand.antes,
        "blinds_or_straddles": hand.blinds_or_straddles or None,
        "min_bet": hand.min_bet,
        "small_bet": hand.small_bet,
        "big_bet": hand.big_bet,
        "starting_stacks": hand.starting_stacks,
        "actions": hand.actions,
        "seats": hand.seats or None,
        "players": hand.players or None,
        "finishing_stacks": hand.finishing_stacks,
        **hand.other,
    }
    return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in fields.items() if value is not None)


def write_phhs(hands: Iterable[PhhHand]) -> bytes:
    """The text of a PHHS file: several hands, each a table with its place in the file as its name."""
    return "\n".join(f"[{at}]\n{write_phh(hand)}" for at, hand in enumerate(hands, 1)).encode()


def same_hand(a: PhhHand, b: PhhHand) -> list[str]:
    """How `b`, as it came out, differs from `a`, as it was recorded: one sentence each, no sentence if
    they are the same.

    Hole cards and the flop are compared in any order. A card or a final stack that `a` does not know may be
    anything. Sentences name no face.
    """
    differences: list[str] = []
    if a.variant != b.variant:
        differences.append(f"The variant is {b.variant} instead of {a.variant}.")
    if a.starting_stacks != b.starting_stacks:
        differences.append(
            f"The stacks at the start are {_list(b.starting_stacks)} instead of {_list(a.starting_stacks)}."
        )
    if _forced(a) != _forced(b):
        differences.append(f"Antes and blinds are {_list(_forced(b))} instead of {_list(_forced(a))}.")
    holes, others = a.holes, b.holes
    differences += [
        f"The hole cards of p{player} differ."
        for player in sorted(holes.keys() | others.keys())
        if not _fit(holes.get(player, ()), others.get(player, ()))
    ]
    for street, (first, last) in {"flop": (0, 3), "turn": (3, 4), "river": (4, 5)}.items():
        if not _fit(a.board[first:last], b.board[first:last]):
            differences.append(f"The {street} differs.")
    for number in range(max(len(a.betting), len(b.betting))):
        mine, theirs = (hand.betting[number] if number < len(hand.betting) else () for hand in (a, b))
        if mine != theirs:
            differences.append(
                f"Betting round {number + 1} is [{', '.join(theirs)}] instead of [{', '.join(mine)}]."
            )
    if a.finishing_stacks is not None and a.finishing_stacks != b.finishing_stacks:
        differences.append(
            f"The stacks at the end are {_list(b.finishing_stacks or ())} instead of "
            f"{_list(a.finishing_stacks)}."
        )
        if b.finishing_stacks is not None and _winners(a) != _winners(b):
            differences.append(f"The winners are {_list(_winners(b))} instead of {_list(_winners(a))}.")
    return differences


def _check(hand: PhhHand) -> None:
    """Raises ValueError if the lists do not fit together or an action names a player or a card that there
    is not.
    """
    players = len(hand.starting_stacks)
    for name in ("antes", "blinds_or_straddles", "finishing_stacks", "players", "seats"):
        values = getattr(hand, name)
        if values and len(values) != players:
            raise ValueError(f"{name} is for {len(values)} players, the stacks are for {players}")
    for action in hand.actions:
        match action.split():
            case ["d", "dh", player, cards]:
                _cards(cards)
            case ["d", "db", cards]:
                _cards(cards)
                continue
            case [player, "sm", cards] if cards != "-":
                _cards(cards)
            case [player, *_]:
                pass
            case _:
                raise ValueError("an action is empty")
        if _number(player) > players:
            raise ValueError(f"an action names player {_number(player)} of {players}")


def _number(player: str) -> int:
    found = _PLAYER.fullmatch(player)
    if found is None:
        raise ValueError(f"{player!r} is no player; players are p1, p2 and so on")
    return int(found[1])


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(text[at : at + 2]) for at in range(0, len(text), 2))


def _fit(recorded: Sequence[Card], came: Sequence[Card]) -> bool:
    """Whether the cards that came are those recorded, in any order; unknown recorded ones stand for any."""
    known = [card for card in recorded if card != UNKNOWN]
    return len(recorded) == len(came) and len(set(known) & set(came)) == len(known)


def _forced(hand: PhhHand) -> tuple[Amount, ...]:
    """What each player must put in before the cards, heads-up with the larger ante and blind at p1 however it
    is written.
    """
    antes, blinds = (
        sorted(amounts, reverse=True) if len(amounts) == 2 else amounts
        for amounts in (hand.antes, hand.blinds_or_straddles)
    )
    return (*antes, *blinds)


def _winners(hand: PhhHand) -> tuple[str, ...]:
    ends = hand.finishing_stacks or ()
    return tuple(
        f"p{n}"
        for n, (start, end) in enumerate(zip(hand.starting_stacks, ends, strict=False), 1)
        if end > start
    )


def _list(values: Sequence[object]) -> str:
    return ", ".join(map(str, values)) or "not told"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case date() | time():
            return value.isoformat()
        case dict():
            return f"{{{', '.join(f'{_key(key)} = {_toml(item)}' for key, item in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return repr(value)
