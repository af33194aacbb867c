"""How large anything that crosses a process boundary may be: each number, text and list of a message has a
type from here.

What comes in is refused beyond these bounds when it is decoded (`bus/messages.py`). What goes out, and what
an older record holds, is cut to them by `cut`: a text loses its end, a list its last members, a number
becomes the nearest allowed one. So nothing that is too large can end a process, in whichever direction it is
sent.
"""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
from msgspec import Meta, inspect

from tablebridge.model.cards import Card
from tablebridge.model.places import Place

MOST_MEMBERS: Final = 450
"""Members of the longest list in a message but the chips of a tray."""

Count = Annotated[int, Meta(ge=0, le=2**53)]
"""Numbers of things, journal numbers, sequence numbers: one more still fits into 64 bits, and JavaScript has
it exactly.
"""
Amount = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Chips, in the smallest unit of the game."""
Nanoseconds = Annotated[int, Meta(ge=-(2**62), le=2**62)]
"""A clock's reading: 146 years from its origin, either way."""
Seat = Annotated[int, Meta(ge=0, le=10)]
Antenna = Annotated[int, Meta(ge=0, le=65_535)]
"""The number of an antenna or a contact, as its device counts."""
Probability = Annotated[float, Meta(ge=0, le=1)]
MOST_ODDS: Final = 10_000
Odds = Annotated[float, Meta(ge=1, le=MOST_ODDS)]
"""How many times likelier something makes what was seen."""

Word = Annotated[str, Meta(max_length=64)]
"""A name, an identity, a word of the model."""
Short = Annotated[str, Meta(max_length=200)]
"""What a device says of itself, who wrote a line."""
LONGEST_LINE: Final = 500
Line = Annotated[str, Meta(max_length=LONGEST_LINE)]
"""A line of table script, a note."""
Sentence = Annotated[str, Meta(max_length=1_000)]
Tag = Annotated[str, Meta(max_length=64)]
"""A UID as hex: 256 bits at most."""
Face = Annotated[Card, Meta(max_length=6)]
Spot = Annotated[Place, Meta(max_length=16)]

Faces = Annotated[tuple[Face, ...], Meta(max_length=110)]
"""Cards of a list: two decks with their jokers."""
HandFaces = Annotated[tuple[Face, ...], Meta(max_length=12)]
BoardFaces = Annotated[tuple[Face, ...], Meta(max_length=60)]
RunFaces = Annotated[tuple[Face, ...], Meta(max_length=5)]
"""A board that was run to its end."""
Texts = Annotated[tuple[Annotated[str, Meta(max_length=16)], ...], Meta(max_length=110)]
"""Cards as a shuffler names them."""
Words = Annotated[tuple[Word, ...], Meta(max_length=16)]
Shorts = Annotated[tuple[Short, ...], Meta(max_length=10)]
MOST_COMMAND_LINES: Final = 60
"""The most lines of table script in one command."""
Lines = Annotated[tuple[Line, ...], Meta(max_length=MOST_COMMAND_LINES)]
Numbers = Annotated[tuple[Count, ...], Meta(max_length=MOST_MEMBERS)]
Amounts = Annotated[tuple[Amount, ...], Meta(max_length=16)]
Tags = Annotated[tuple[Tag, ...], Meta(max_length=MOST_MEMBERS)]
TrayTags = Annotated[tuple[Tag, ...], Meta(max_length=2 * MOST_MEMBERS)]
Counters = Annotated[dict[Word, Count], Meta(max_length=64)]
SeatAmounts = Annotated[dict[Seat, Amount], Meta(max_length=10)]
Steps = Annotated[tuple[Annotated[str, Meta(max_length=24)], ...], Meta(max_length=8)]
"""Steps that a book gives for an offence."""
SeatNames = Annotated[dict[Seat, Word], Meta(max_length=10)]
Denominations = Annotated[dict[Amount, Amount], Meta(max_length=100)]

T = TypeVar("T")


class Reader(Generic[T]):
    """Decodes what this software wrote, of any version: what an older one wrote beyond a bound is cut to
    it.
    """

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)

    def decode(self, body: bytes) -> T:
        """The value. Raises msgspec.ValidationError if the body is something else altogether."""
        try:
            return self._decoder.decode(body)
        except msgspec.ValidationError:
            value: T = cut(body, self._kind)
            return value


def cut(body: bytes, kind: Any) -> Any:
    """The value of this type that the JSON `body` stands for, cut to the bounds of the type."""
    return msgspec.convert(_cut(msgspec.json.decode(body), _described(kind)), kind, str_keys=True)


@cache
def _described(kind: Any) -> inspect.Type:
    """What msgspec knows of a type. Finding it out takes longer than all the rest."""
    return inspect.type_info(kind)


def shortened(text: str, most: int) -> str:
    """The text, or as much of its beginning as `most` characters hold with a sign that it goes on."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _cut(value: Any, kind: inspect.Type) -> Any:
    cutter = _CUTTERS.get(type(kind))
    return value if cutter is None else cutter(value, kind)


def _number(value: Any, kind: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    low = value if kind.ge is None else max(value, kind.ge)
    return low if kind.le is None else min(low, kind.le)


def _text(value: Any, kind: Any) -> Any:
    if not isinstance(value, str) or kind.max_length is None:
        return value
    return shortened(value, kind.max_length)


def _list(value: Any, kind: Any) -> Any:
    return (
        [_cut(item, kind.item_type) for item in value[: kind.max_length]]
        if isinstance(value, list)
        else value
    )


def _tuple(value: Any, kind: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [_cut(item, of) for item, of in zip(value, kind.item_types, strict=False)]


def _dict(value: Any, kind: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {
        _cut(key, kind.key_type): _cut(item, kind.value_type)
        for key, item in list(value.items())[: kind.max_length]
    }


def _struct(value: Any, kind: Any) -> Any:
    if kind.array_like:
        return [_cut(item, field.type) for item, field in zip(value, kind.fields, strict=False)]
    fields = {field.encode_name: field.type for field in kind.fields}
    return {name: _cut(item, fields[name]) if name in fields else item for name, item in value.items()}


def _union(value: Any, kind: Any) -> Any:
    for member in kind.types:
        if isinstance(member, inspect.StructType):
            if isinstance(value, dict) and value.get(member.tag_field) == member.tag:
                return _struct(value, member)
        elif value is not None and not isinstance(member, inspect.NoneType):
            return _cut(value, member)
    return value


_CUTTERS: Final[dict[type[inspect.Type], Callable[[Any, Any], Any]]] = {
    inspect.IntType: _number,
    inspect.FloatType: _number,
    inspect.StrType: _text,
    inspect.VarTupleType: _list,
    inspect.ListType: _list,
    inspect.TupleType: _tuple,
    inspect.DictType: _dict,
    inspect.StructType: _struct,
    inspect.UnionType: _union,
}
