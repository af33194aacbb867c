"""Games that a house adds: a TOML text, from which a `Form` is made as the built-in games are.

| key | value | |
| --- | --- | --- |
| `name`, `title` | text | what records call it, none of the built-in names; what people call it |
| `betting` | `no-limit`, `pot-limit`, `half-pot`, `limit` | |
| `wins` | one or two of the words of `ranking.py` | with two the pot is divided; the second is for low |
| `must_use` | `any` (as it is if missing), `two` | which own cards play with a board |
| `forced` | `blinds`, `button-blind`, `low-card`, `high-card` | the last two are a bring-in |
| `deck` | `52`, `40`, `36`, `32`, `52+joker` | |
| `wild` | `none` (as it is if missing), `deuces`, `joker`, `bug` | which cards are wild, see `wild.py` |
| `boards`, `most_seats`, `table_seats` | numbers | one or two boards; for how many there are cards, seats |
| `opens`, `low_ace`, `odd`, `shows`, `antes_to_bring_in` | as in `form.py` | |
| `[[street]]` | `name`, `down`, `up`, `board`, `draw`, `burn`, `big_bet`, `pair_bet` | in order |

Everything is checked, all faults at once, each with its place in the text.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from typing import Any, Final, get_args

from tablebridge.engine.games.form import Form, Limit, Street
from tablebridge.engine.showdown.ranking import WILD, rank
from tablebridge.model.cards import deck_of
from tablebridge.model.nearest import nearest
from tablebridge.model.toml_text import parse_toml

Path = tuple[str | int, ...]
Fault = tuple[Path, str]

_WINS: Final = ("high", "low8", "low-a5", "low-27", "badugi", "short-deck-high", "americana-high")
_OF_TWO: Final = {"high": "omaha-high", "low8": "omaha-low8"}
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "betting": tuple(word for word in get_args(Limit) if word != "none"),
    "must_use": ("any", "two"),
    "forced": ("blinds", "button-blind", "low-card", "high-card"),
    "opens": ("button", "high", "low"),
    "odd": ("order", "suit"),
    "shows": ("opener", "order"),
    "deck": ("52", "40", "36", "32", "52+joker"),
    "wild": ("none", "deuces", "joker", "bug"),
}
_NUMBERS: Final = {
    "boards": (1, 2),
    "most_seats": (2, 10),
    "table_seats": (2, 10),
    "antes_to_bring_in": (0, 10),
}
_FLAGS: Final = ("low_ace",)
_KEYS: Final = ("name", "title", "wins", "street", *_CHOICES, *_NUMBERS, *_FLAGS)
_BOARD: Final = {"flop": 3, "turn": 1, "river": 1}
_STREETS: Final = (
    *("preflop", "deal", *_BOARD, "draw1", "draw2", "draw3"),
    *("second", "third", "fourth", "fifth", "sixth", "seventh"),
)
_CARDS: Final = ("down", "up", "board")
_STREET_FLAGS: Final = ("draw", "burn", "big_bet", "pair_bet")
_STREET_KEYS: Final = ("name", *_CARDS, *_STREET_FLAGS)
_MOST_CARDS: Final = 7
_LONGEST: Final = 60


class VariantError(ValueError):
    """A game that is wrong. `faults`: each with its place in the text and a sentence."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(sentence for _, sentence in faults))
        self.faults = faults


def make(data: Mapping[str, Any], builtin: Collection[str]) -> Form:
    """The game of this data. `builtin`: names that it may not have. Raises VariantError."""
    faults = (*_of_keys(data, builtin), *_of_streets(data))
    if faults:
        raise VariantError(faults)
    form = _form(data)
    if faults := tuple(_of_game(form)):
        raise VariantError(faults)
    return form


def parse(text: str, builtin: Collection[str]) -> Form:
    """The game of a text. Raises ValueError for no TOML, VariantError for what is no game."""
    return make(parse_toml(text), builtin)


def text_of(form: Form) -> str:
    """The game as text that `parse` reads again. Raises ValueError for a game against the house."""
    if form.banked:
        raise ValueError(f"{form.name} is played against the house: its bets are no data of a game")
    of_two = {ranking: word for word, ranking in _OF_TWO.items()}
    rankings = [ranking.partition("+")[0] for ranking in form.rankings]
    wins = [of_two.get(ranking, ranking) for ranking in rankings]
    values: dict[str, Any] = {
        "name": form.name,
        "title": form.title,
        "betting": form.limit,
        "wins": wins,
        "must_use": "two" if rankings[0] in of_two else "any",
        **{
            key: getattr(form, key)
            for key in ("forced", "opens", "odd", "shows", "deck", "wild", *_NUMBERS, *_FLAGS)
        },
    }
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    for street in form.streets:
        lines += ["", "[[street]]"]
        lines += [
            f"{key} = {_toml(value)}"
            for key in _STREET_KEYS
            if (value := getattr(street, key)) not in (0, False)
        ]
    return "\n".join(lines) + "\n"


def _form(data: Mapping[str, Any]) -> Form:
    two = data.get("must_use") == "two"
    known = {field.name for field in fields(Form) if field.init}
    wild = "" if data.get("wild", "none") == "none" else f"+{data['wild']}"
    return Form(
        limit=data["betting"],
        streets=tuple(Street(**street) for street in data["street"]),
        rankings=tuple((_OF_TWO.get(word, word) if two else word) + wild for word in data["wins"]),
        **{key: value for key, value in data.items() if key in known},
    )


# What can be wrong.


def _of_keys(data: Mapping[str, Any], builtin: Collection[str]) -> Iterator[Fault]:
    for key, value in data.items():
        if key not in _KEYS:
            yield (key,), f"{key}: there is no such key; {nearest(key, _KEYS)}"
        elif key in _CHOICES and value not in _CHOICES[key]:
            yield (key,), f"{key}: expected one of {', '.join(_CHOICES[key])}"
        elif key in _NUMBERS and not _is_number(value, *_NUMBERS[key]):
            least, most = _NUMBERS[key]
            yield (key,), f"{key}: expected a whole number from {least} to {most}"
        elif key in _FLAGS and not isinstance(value, bool):
            yield (key,), f"{key}: expected true or false"
    for key in ("name", "title"):
        text = data.get(key)
        if not isinstance(text, str) or not 0 < len(text) <= _LONGEST or not text.isprintable():
            yield (key,), f"{key}: expected a text of at most {_LONGEST} characters"
        elif key == "name" and text in builtin:
            yield (key,), f"name: {text} is a game already; give the house's another name"
    if "betting" not in data:
        yield (), f"betting: this key is missing; it is one of {', '.join(_CHOICES['betting'])}"
    yield from _of_wins(data)
    yield from _of_wild(data)


def _of_wild(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Wild cards must be in the deck, and the ways to win must know them."""
    kind, deck = data.get("wild", "none"), data.get("deck", "52")
    if (kind in ("joker", "bug")) != (deck == "52+joker"):
        yield ("wild",), 'wild: "joker" and "bug" go with the deck "52+joker", and it with one of them'
    elif kind == "deuces" and deck != "52":
        yield ("wild",), f"wild: the deck {deck} has no deuces"
    if kind in ("none", None) or not isinstance(data.get("wins"), list):
        return
    for word in data["wins"]:
        if word in _WINS and word not in WILD:
            yield ("wild",), f"wild: hands of {word} have no wild cards"
    if data.get("forced", "blinds") in ("low-card", "high-card"):
        yield ("wild",), "wild: who brings it in is decided by open cards, of which none may be wild"


def _of_wins(data: Mapping[str, Any]) -> Iterator[Fault]:
    wins = data.get("wins")
    if not isinstance(wins, list) or not 1 <= len(wins) <= 2:
        yield ("wins",), 'wins: expected a list of one or two ways to win, such as ["high", "low8"]'
        return
    known = tuple(_OF_TWO) if data.get("must_use") == "two" else _WINS
    for word in wins:
        if word not in known:
            yield ("wins",), f"wins: there is no {str(word)[:_LONGEST]!r} here; {nearest(str(word), known)}"


def _of_streets(data: Mapping[str, Any]) -> Iterator[Fault]:
    streets = data.get("street")
    if not isinstance(streets, list) or not 1 <= len(streets) <= len(_STREETS):
        yield ("street",), "street: expected a [[street]] for each street of the game"
        return
    seen: list[str] = []
    for at, street in enumerate(streets):
        if not isinstance(street, dict):
            yield ("street", at), "street: expected a [[street]] with a name and its cards"
            continue
        yield from _of_street(street, at)
        name = street.get("name")
        if name in seen:
            yield ("street", at, "name"), f"street {name}: there are two of this name"
        seen.append(str(name))


def _of_street(street: Mapping[str, Any], at: int) -> Iterator[Fault]:
    name = street.get("name")
    if name not in _STREETS:
        yield ("street", at, "name"), f"name: there is no such street; {nearest(str(name), _STREETS)}"
        return
    for key, value in street.items():
        place = ("street", at, key)
        if key not in _STREET_KEYS:
            yield place, f"{key}: there is no such key; {nearest(key, _STREET_KEYS)}"
        elif key in _CARDS and not _is_number(value, 0, _MOST_CARDS):
            yield place, f"{key}: expected a whole number from 0 to {_MOST_CARDS}"
        elif key in _STREET_FLAGS and not isinstance(value, bool):
            yield place, f"{key}: expected true or false"
    if street.get("board", 0) != _BOARD.get(name, 0):
        yield ("street", at, "board"), f"board: {name} puts {_BOARD.get(name, 0)} cards on the board"
    if (name in ("draw1", "draw2", "draw3")) != street.get("draw", False):
        yield ("street", at, "draw"), f"draw: {name} is {'' if name.startswith('draw') else 'not '}a draw"


def _of_game(form: Form) -> Iterator[Fault]:
    """What does not go together."""
    deck = deck_of(form.deck)
    own = form.hole
    if not form.dealt:
        yield ("street", 0), "street: the first one deals each seat a card or more"
    elif form.button == (form.first.up > 0):
        yield ("forced",), "forced: a bring-in wants a card that lies open in the first street, blinds none"
    try:
        for ranking in form.rankings:
            rank(ranking, deck[:own], deck[own : own + form.board])
    except ValueError as error:
        yield ("wins",), f"wins: {error}"
    board = form.boards * form.board
    if form.most_seats * form.dealt + board > len(deck):
        most = (len(deck) - board) // form.dealt
        yield ("most_seats",), f"most_seats: the deck has cards for {most} seats"


def _is_number(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _toml(value: str | int | bool | list[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
