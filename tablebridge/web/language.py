"""In which language a request is answered: the one that the address names, else the person's choice, which
the browser keeps in a cookie, else the first that the browser asks for and the pages have, else the site's.
"""

from collections.abc import Iterator
from typing import Final, cast, get_args

from fastapi import Request

from tablebridge.languages import NAMES, PSEUDO, Language, Shown

COOKIE: Final = "language"
_SHOWN: Final = frozenset((*NAMES, PSEUDO))
_MOST_ASKED: Final = 16


def language_of(request: Request, usual: Language) -> Shown:
    """The language of the answer. `usual`: the site's."""
    for wished in (request.query_params.get(COOKIE), request.cookies.get(COOKIE)):
        if wished in _SHOWN:
            return cast(Shown, wished)
    return next(_asked(request.headers.get("accept-language", "")), usual)


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
