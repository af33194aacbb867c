"""The language of the code: words that only this project understood do not come back.

A package is listed in `DONE` when its identifiers, docstrings and comments are in plain English; a package
that is not listed yet may use any words. Strings are not checked: they hold public values, such as `betting =
"untold"` in a site file. A public name (a field on the bus, a method of another package) is an exception with
its reason.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from rig.documents import ROOT

DONE: Final = (
    "drivers/tablebridge_drivers",
    "tablebridge/antennas",
    "tablebridge/app",
    "tablebridge/bus",
    "tablebridge/cli",
    "tablebridge/doctor",
    "tablebridge/engine",
    "tablebridge/export",
    "tablebridge/floor",
    "tablebridge/host",
    "tablebridge/journal",
    "tablebridge/model",
    "tablebridge/rulebooks",
    "tablebridge/sdk",
    "tablebridge/seal",
    "tablebridge/sensing",
    "tablebridge/settings",
    "tablebridge/sim",
    "tablebridge/steps",
    "tablebridge/tracking",
    "tablebridge/web",
    "tablebridge/backoff.py",
    "tablebridge/logs.py",
    "tablebridge/monitor.py",
    "tablebridge/private.py",
    "tablebridge/process.py",
    "tablebridge/scrub.py",
    "tablebridge/watchdog.py",
)

IDENTIFIERS: Final = {
    "told": "reported, known, emitted or sent",
    "untold": "untracked",
    "tell": "report, send or notify",
    "telling": "push",
    "anew": "again",
    "mended": "fixed",
    "mend": "fix",
    "words": "text, sentence or tokens",
    "one": "the noun",
    "where": "location, address or position",
}
"""Words that no identifier has as one of its parts, with what is written instead."""

PHRASES: Final = {
    r"\btold\b|\btells?\b|\btelling\b": "reported, known, sent",
    r"\buntold\b": "untracked, not known",
    r"\banew\b": "again",
    r"\bmend(ed|s)?\b": "fix, correct",
    r"\bso many\b": "the number of",
    r"\bof which\b": "whose",
    r"\bnot so\b|\bnot good\b": "not allowed, invalid",
    r"\b(let|lets) go\b": "release",
    r"\bcomes? up\b": "start",
    r"\bgood-bye\b": "disconnect",
    r"\b(Raises|Raise) \w+( \d+)? where\b": "Raises ... if",
    r"\b(None|False|True|[Ee]mpty) where\b": "... if",
    r"\bone line a\b|\bone file a\b|\bone a line\b": "per",
}
"""What no docstring and no comment says, as a pattern, with what is written instead."""

ALLOWED: Final = {
    ("tablebridge/app/floor_calls.py", "words"): "a field on the bus: the text of a choice",
    ("tablebridge/model/events.py", "words"): "a field of the journal: what a player said",
    ("tablebridge/model/views.py", "words"): "a field on the bus: the text of a choice",
    ("tablebridge/model/bounds.py", "words"): "the type of lists of words on the bus",
    ("tablebridge/model/alerts.py", "words"): "the type of lists of words on the bus",
    ("tablebridge/model/findings.py", "words"): "the type of lists of words on the bus",
    ("tablebridge/engine/betting/spoken.py", "words"): "a field of the journal: what a player said",
    ("tablebridge/engine/script/writer.py", "words"): "a field of the journal: what a player said",
}
"""Words of identifiers that stay in a file, with the reason."""

ALLOWED_PHRASES: Final = {
    ("tablebridge/cli/__init__.py", "tells"): "the help of the program",
    ("tablebridge/cli/rulebook.py", "told"): "the help of a command",
    ("tablebridge/cli/rulebook.py", "of which"): "the help of a command",
}
"""Phrases that stay in a file, with the reason: `--help` prints a command's docstring."""


def sources() -> list[str]:
    """The files of the packages that are done, by their paths in the repository."""
    found = [path for part in DONE for path in (ROOT / part).rglob("*.py")]
    found += [ROOT / part for part in DONE if part.endswith(".py")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def identifiers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The names that a file gives or uses, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)):
                yield node.value.lineno, name


def parts(name: str) -> list[str]:
    """The words of a name: `_told_ns` -> told, ns; `NotTold` -> not, told."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a file, with the lines where they begin."""
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("file", sources())
def test_identifiers_are_words_of_the_field(file: str) -> None:
    tree = ast.parse((ROOT / file).read_text())
    wrong = [
        f"{file}:{line}: {name}: write {IDENTIFIERS[part]}"
        for line, name in identifiers(tree)
        for part in parts(name)
        if part in IDENTIFIERS and (file, part) not in ALLOWED
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("file", sources())
def test_docstrings_and_comments_are_plain_english(file: str) -> None:
    wrong = [
        f"{file}:{line}: {found[0]!r}: write {instead}"
        for line, text in prose((ROOT / file).read_text())
        for pattern, instead in PHRASES.items()
        for found in re.finditer(pattern, re.sub(r"`[^`]*`", "", " ".join(text.split())))
        if (file, found[0]) not in ALLOWED_PHRASES
    ]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_used() -> None:
    """A name that is gone leaves no exception behind."""
    for file, part in ALLOWED:
        used = [name for _, name in identifiers(ast.parse((ROOT / file).read_text())) if part in parts(name)]
        assert used, f"{file} has no name with {part!r}: delete the exception"
    for file, phrase in ALLOWED_PHRASES:
        texts = [" ".join(text.split()) for _, text in prose((ROOT / file).read_text())]
        assert any(phrase in text for text in texts), f"{file} does not say {phrase!r}: delete the exception"


def test_the_checks_find_what_they_name(tmp_path: Path) -> None:
    names = "def _tell(one):\n    self.told_ns = one\n"
    found = [part for _, name in identifiers(ast.parse(names)) for part in parts(name) if part in IDENTIFIERS]
    assert sorted(set(found)) == ["one", "tell", "told"]
    text = '"""It is begun anew. Raises ValueError\nwhere it is not so."""\nx = 1  # told\n'
    said = " ".join(" ".join(part.split()) for _, part in prose(text))
    assert [pattern for pattern in PHRASES if re.search(pattern, said)] == [
        r"\btold\b|\btells?\b|\btelling\b",
        r"\banew\b",
        r"\bnot so\b|\bnot good\b",
        r"\b(Raises|Raise) \w+( \d+)? where\b",
    ]
