"""Who is at the console of a table, and for which seat each of them is typing. It is known as long as their
pages are open, and never recorded.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from tablebridge.web.auth import Token

PEOPLE: Final = "people"
"""The kind of thing that pages watch."""


@dataclass
class Operator:
    """One person. `pages`: how many consoles of the table are open; `seat`: for which seat the person is
    typing.
    """

    name: str
    pages: int = 0
    seat: int | None = None


class Operators:
    """The persons at the consoles of all tables. `touch(kind, table)` is called when that has changed."""

    def __init__(self, touch: Callable[[str, str], None]) -> None:
        self._touch = touch
        self._at: dict[str, dict[str, Operator]] = {}

    @contextmanager
    def at(self, table: str, person: Token) -> Iterator[None]:
        """A console is open, as long as the context is."""
        here = self._at.setdefault(table, {})
        operator = here.setdefault(person.id, Operator(person.name))
        operator.pages += 1
        self._touch(PEOPLE, table)
        try:
            yield
        finally:
            operator.pages -= 1
            if not operator.pages:
                here.pop(person.id, None)
            self._touch(PEOPLE, table)

    def types(self, table: str, person: Token, seat: int | None) -> None:
        """The person types for this seat, or no longer. Who has no console open types nowhere."""
        operator = self._at.get(table, {}).get(person.id)
        if operator is not None and operator.seat != seat:
            operator.seat = seat
            self._touch(PEOPLE, table)

    def of(self, table: str) -> tuple[tuple[str, Operator], ...]:
        """The persons at this table, each with the id of the token, in the order in which they came."""
        return tuple(self._at.get(table, {}).items())
