"""TOML files with the line of every key, so that a fault can be named with its line.

The text is read by `tomllib`. A scan of our own, which relies on the text being valid, finds on which line
each key was written: it cuts the text into statements (a line end within brackets or a long string does not
end one), follows the table headers, counts the members of arrays of tables, and notes the line of each key.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from tablebridge.model.errors import ConfigError
from tablebridge.model.toml_text import LONGEST, QUOTED, Unfit, parse_toml

Key = tuple[str | int, ...]
"""The way to a value: names of keys, and indices within arrays of tables."""

_TOKEN: Final = re.compile(QUOTED + r"|[\[\]{}\n]", re.DOTALL)
_PART: Final = re.compile(r'"((?:\\.|[^"\\])*)"|' r"'([^']*)'|([A-Za-z0-9_-]+)")
_HINTS: Final = {
    "Invalid value": (
        'a text is written between straight quotes, as in name = "final"; true, false and numbers without '
        "them"
    ),
    "Unescaped '\\' in a string": "write each \\ twice, or the text between ' and '",
    "Invalid statement": "a line is [section], or key = value",
    "Expected '=' after a key in a key/value pair": "a line is [section], or key = value",
}
"""What to write instead, for errors of the parser that do not say it."""
_POSITION: Final = re.compile(r"(.*?)\s*\(at (?:line (\d+), column \d+|end of document)\)$", re.DOTALL)


class Fault(msgspec.Struct, frozen=True, order=True):
    """One thing that is wrong with a file, and its line."""

    line: int
    text: str


class Document(msgspec.Struct, frozen=True):
    """A file that is valid TOML."""

    path: Path
    data: dict[str, Any]
    lines: dict[Key, int]

    def line(self, key: Key) -> int:
        """The line of a key, or of the nearest table around it."""
        for length in range(len(key), 0, -1):
            if key[:length] in self.lines:
                return self.lines[key[:length]]
        return 1

    def refuse(self, faults: list[Fault]) -> ConfigError:
        """The error that names all faults, one per line, from the top."""
        return ConfigError(
            "\n".join(f"{self.path}:{fault.line}: {fault.text}" for fault in sorted(set(faults)))
        )


def read_toml(path: Path) -> Document:
    """The file as a document. Raises ConfigError if it cannot be read or is not TOML."""
    try:
        with path.open("rb") as file:
            # Some editors put a byte order mark first.
            content = file.read(LONGEST + 1)
        if len(content) > LONGEST:
            raise ConfigError(f"{path}: this is longer than {LONGEST} bytes; such a file is a few pages.")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: this is not UTF-8 text; save the file as UTF-8.") from None
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}); check the path and its permissions."
        ) from None
    try:
        data = parse_toml(text)
    except Unfit as error:
        raise ConfigError(f"{path}:{error.line}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_not_toml(path, text, str(error))) from None
    return Document(path, data, key_lines(text))


def _not_toml(path: Path, text: str, message: str) -> str:
    found = _POSITION.match(message)
    what = found[1] if found else message
    line = int(found[2]) if found and found[2] else text.count("\n") + 1
    if what in ("Cannot overwrite a value", "Cannot declare tables twice") or what.startswith(
        "Cannot declare"
    ):
        return f"{path}:{line}: this key or table stands a second time; keep one of them."
    return f"{path}:{line}: this is not TOML ({what}){f': {_HINTS[what]}' if what in _HINTS else ''}."


def key_lines(text: str) -> dict[Key, int]:
    """The line of each key and table header of a valid TOML text; keys of inline tables count with their
    statement.
    """
    lines: dict[Key, int] = {}
    members: dict[Key, int] = {}
    table: Key = ()
    for line, statement in _statements(text.replace("\r\n", "\n")):
        if statement.startswith("["):
            table = _header(statement, members)
            lines.setdefault(table, line)
        else:
            key = table
            for name in _names(statement):
                key = (*key, name)
                lines.setdefault(key, line)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    line, begin, first, depth = 1, 0, 1, 0
    for token in _TOKEN.finditer(text + "\n"):
        what = token[0]
        if what in "[{":
            depth += 1
        elif what in "]}":
            depth -= 1
        elif what == "\n" and depth == 0:
            statement = text[begin : token.start()].strip()
            if statement and not statement.startswith("#"):
                yield first, statement
            begin, first = token.end(), line + 1
        line += what.count("\n")


def _header(statement: str, members: dict[Key, int]) -> Key:
    array = statement.startswith("[[")
    names = list(_names(statement.lstrip("[ \t")))
    key: Key = ()
    for number, name in enumerate(names, 1):
        key = (*key, name)
        if array and number == len(names):
            members[key] = members.get(key, 0) + 1
        if key in members:
            key = (*key, members[key] - 1)
    return key


def _names(statement: str) -> Iterator[str]:
    """The parts of the dotted key with which a statement begins."""
    at = 0
    while found := _PART.match(statement, at):
        yield next(group for group in found.groups() if group is not None)
        at = found.end()
        dot = re.compile(r"\s*\.\s*").match(statement, at)
        if dot is None:
            return
        at = dot.end()
