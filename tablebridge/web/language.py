"""In which language a request is answered: the one that the address names (`?lang=ru`, or `?language=ru`),
else the person's choice, which the browser keeps in a cookie, else the first that the browser asks for and
the pages have, else the site's.
"""

from collections.abc import Iterator
from typing import Final, cast, get_args

from fastapi import Request

from tablebridge.languages import NAMES, PSEUDO, Language, Shown

COOKIE: Final = "language"
_IN_ADDRESS: Final = ("lang", COOKIE)
_SHOWN: Final = frozenset((*NAMES, PSEUDO))
_MOST_ASKED: Final = 16


def language_of(request: Request, usual: Language) -> Shown:
    """The language of the answer to a person. `usual`: the site's."""
    chosen = named(request) or _shown(request.cookies.get(COOKIE))
    if chosen is not None:
        return chosen
    return next(_asked(request.headers.get("accept-language", "")), usual)


def named(request: Request) -> Shown | None:
    """The language that the address names, if the pages have it."""
    return next(filter(None, (_shown(request.query_params.get(name)) for name in _IN_ADDRESS)), None)


def _shown(name: str | None) -> Shown | None:
    return cast(Shown, name) if name in _SHOWN else None


def is_language(name: str) -> bool:
    """Whether a person can choose this language."""
    return name in get_args(Language)


def _asked(header: str) -> Iterator[Language]:
    """The languages of an Accept-Language header that the pages have, most wanted first."""
    wanted: list[tuple[float, Language]] = []
    for entry in header.split(",")[:_MOST_ASKED]:
        tag, _, weight = entry.strip().partition(";q=")
        name = tag.strip().lower().partition("-")[0]
        try:
            quality = float(weight or 1)
        except ValueError:
            continue
        if is_language(name) and quality > 0:
            wanted.append((-quality, cast(Language, name)))
    yield from (name for _, name in sorted(wanted, key=lambda wish: wish[0]))
