"""TOML texts that anybody may have written: looked over before the parser gets them. Pure.

The parser needs memory for the square of the parts of a dotted key, and its stack for brackets within
brackets: forty kilobytes of either would end a process.
"""

import re
import tomllib
from typing import Any, Final

LONGEST: Final = 1 << 20
"""Characters of a text: a chip file of 20,000 chips has half of that."""
DEEPEST: Final = 16
QUOTED: Final = r'"""(?:\\.|[^\\])*?"""' r"|'''.*?'''" r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'" r"|#[^\n]*"
"""Strings and comments, in which no sign counts."""
_SIGNS: Final = re.compile(QUOTED + r"|[\[\]{}\n.=,]", re.DOTALL)


class Unfit(tomllib.TOMLDecodeError):
    """A text that is not given to the parser, and the line where that shows."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


def parse_toml(text: str) -> dict[str, Any]:
    """The data of a text. Raises tomllib.TOMLDecodeError for what is no TOML; Unfit for what is too long or
    too deep.
    """
    _look_over(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        # Python's own bound on the digits of a number.
        raise tomllib.TOMLDecodeError("a number of too many digits") from None


def _look_over(text: str) -> None:
    if len(text) > LONGEST:
        raise Unfit(1, f"this is longer than {LONGEST} characters.")
    line, depth, parts = 1, 0, 0
    for token in _SIGNS.finditer(text):
        what = token[0]
        line += what.count("\n")
        if what in "[{":
            depth, parts = depth + 1, 0
        elif what in "]}":
            depth, parts = max(0, depth - 1), 0
        elif what == ".":
            parts += 1
        elif what in "\n=,":
            parts = 0
        if depth > DEEPEST or parts > DEEPEST:
            raise Unfit(
                line, f"more than {DEEPEST} tables or lists stand within each other here; write it flatter."
            )
