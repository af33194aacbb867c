"""Table scripts: text to timed statements and the expectations that belong to them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from tablebridge.engine.script.expectations import Expectation, parse_expectation
from tablebridge.engine.script.statements import parse_line
from tablebridge.model.errors import ScriptError
from tablebridge.model.events import TableEvent

STEP_S: Final = 1.0
_CONTROL: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f\ufffe\uffff]")
_TIME: Final = re.compile(r"@(\d{1,9}(?:\.\d{1,6})?)(?:\s+|$)", re.ASCII)


E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Language(Generic[E]):
    """How a line becomes an event, and a line beginning with `!` an expectation, given those above it."""

    parse_line: Callable[[str], E]
    parse_expectation: Callable[[str, list[Expectation]], Expectation]


TABLE: Final[Language[TableEvent]] = Language(parse_line, parse_expectation)
"""The language of one table."""


@dataclass(frozen=True, slots=True)
class Expected:
    """An expectation and the line that it stands in."""

    number: int
    text: str
    expectation: Expectation


@dataclass(frozen=True, slots=True)
class Statement(Generic[E]):
    """An event, its line, its time in seconds since the start of the file, and what must hold after it."""

    number: int
    text: str
    at_s: float
    event: E
    expected: tuple[Expected, ...] = ()


@dataclass(frozen=True, slots=True)
class Script(Generic[E]):
    """A script that could be read. `name`: how its errors and reports call it, mostly its path."""

    name: str
    statements: tuple[Statement[E], ...]


def read(text: str, name: str) -> Script[TableEvent]:
    """The script of a table. Raises ScriptError as `read_in` does."""
    return read_in(TABLE, text, name)


def read_in(language: Language[E], text: str, name: str) -> Script[E]:
    """The script that `text` holds in this language. Raises ScriptError naming file, line and what was
    expected.
    """
    statements: list[Statement[E]] = []
    expected: list[Expected] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if _CONTROL.search(line):
                raise ScriptError("expected plain text, found a control character")
            if line.startswith("!"):
                if not statements:
                    raise ScriptError("expected a statement before the first expectation")
                expected.append(
                    Expected(
                        number,
                        line,
                        language.parse_expectation(line, [above.expectation for above in expected]),
                    )
                )
            else:
                at_s, statement = _time(line, statements[-1].at_s if statements else None)
                event = language.parse_line(statement)
                _seal(statements, expected)
                statements.append(Statement(number, statement, at_s, event))
        except ScriptError as error:
            raise ScriptError(f"{name}:{number}: {error}") from None
    _seal(statements, expected)
    return Script(name, tuple(statements))


def _seal(statements: list[Statement[E]], expected: list[Expected]) -> None:
    """The expectations so far belong to the last statement."""
    if expected:
        last = statements[-1]
        statements[-1] = Statement(last.number, last.text, last.at_s, last.event, tuple(expected))
        expected.clear()


def _time(line: str, previous_s: float | None) -> tuple[float, str]:
    """When the statement of a line happened, and the line without its time."""
    if not line.startswith("@"):
        return (0.0 if previous_s is None else previous_s + STEP_S), line
    found = _TIME.match(line)
    if found is None:
        raise ScriptError("expected a time in seconds such as @12.5 and a statement after it")
    at_s = float(found[1])
    if previous_s is not None and at_s < previous_s:
        raise ScriptError(f"expected a time of @{previous_s:g} or later: times never decrease")
    return at_s, line[found.end() :]
