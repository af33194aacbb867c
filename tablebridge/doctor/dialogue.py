"""Questions and answers: a person at a terminal, lines on standard input, or lines of a file."""

import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import click

from tablebridge.model.errors import ConfigError

T = TypeVar("T")


class Dialogue:
    """`answers`: a file with one answer per line; `#` begins a comment line, an empty line takes what is
    proposed. Without it standard input is read; if that has no more lines, what is proposed is taken.
    Raises ConfigError for no such file.
    """

    def __init__(self, answers: Path | None) -> None:
        self._lines: Iterator[str] | None = None
        if answers is not None:
            try:
                text = answers.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigError(f"{answers} cannot be read ({error}): write one answer per line.") from None
            self._lines = iter([line for line in text.splitlines() if not line.startswith("#")])
        self.by_hand = answers is None and sys.stdin.isatty()

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        click.echo(sentence)
        sys.stdout.flush()

    def ask(self, question: str, proposed: str, parse: Callable[[str], T]) -> T:
        """The parsed answer. At a terminal a wrong answer is asked for again; from lines it is a ConfigError.
        `parse` raises ValueError or ConfigError with a sentence.
        """
        while True:
            self.say(f"{question} [{proposed}]")
            answer = self._next() or proposed
            try:
                return parse(answer)
            except (ValueError, ConfigError) as error:
                if not self.by_hand:
                    raise ConfigError(f"{question} {answer!r} is no answer: {error}") from None
                self.say(f"{error}")

    def skipped(self) -> bool:
        """Whether the person has typed Enter since; never if nobody is at a keyboard."""
        if self.by_hand and select.select([sys.stdin], [], [], 0)[0]:
            sys.stdin.readline()
            return True
        return False

    def _next(self) -> str:
        line = next(self._lines, "") if self._lines is not None else sys.stdin.readline()
        return line.strip()


__all__ = ["Dialogue"]
