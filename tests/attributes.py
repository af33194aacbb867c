"""Whether two objects are the same in every attribute, however deep: what no test has to name cannot be
forgotten.
"""

from collections.abc import Iterator, Mapping
from types import MethodType
from typing import Any

_PLAIN = (str, bytes, int, float, bool, type(None))


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """The paths at which the two differ, the order of dicts and lists included."""
    return list(_differences(one, other, path, set()))


def _differences(one: Any, other: Any, path: str, seen: set[tuple[int, int]]) -> Iterator[str]:
    if one is other or (id(one), id(other)) in seen:
        return
    seen.add((id(one), id(other)))
    if type(one) is not type(other):
        yield f"{path}: {type(one).__name__} and {type(other).__name__}"
    elif isinstance(one, MethodType):
        yield from _differences(one.__func__, other.__func__, f"{path}()", seen)
        yield from _differences(one.__self__, other.__self__, path, seen)
    elif isinstance(one, (*_PLAIN, set, frozenset)) or (callable(one) and not attributes(one)):
        if one != other:
            yield f"{path}: {one!r:.200} and {other!r:.200}"
    elif isinstance(one, Mapping):
        if list(one) != list(other):
            yield f"{path}: keys {list(one)!r:.200} and {list(other)!r:.200}"
        for key in one.keys() & other.keys():
            yield from _differences(one[key], other[key], f"{path}[{key!r}]", seen)
    elif hasattr(one, "__iter__") and hasattr(one, "__len__") and not attributes(one):
        if len(one) != len(other):
            yield f"{path}: {len(one)} and {len(other)}: {one!r:.200} and {other!r:.200}"
        for at, (mine, theirs) in enumerate(zip(one, other, strict=False)):
            yield from _differences(mine, theirs, f"{path}[{at}]", seen)
    else:
        for name in dict.fromkeys((*attributes(one), *attributes(other))):
            mine, theirs = getattr(one, name, None), getattr(other, name, None)
            yield from _differences(mine, theirs, f"{path}.{name}", seen)


def attributes(value: Any) -> list[str]:
    """The names of an object's attributes, those in slots included."""
    slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
    return [name for name in (*slots, *getattr(value, "__dict__", {})) if not name.startswith("__")]
