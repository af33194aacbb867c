"""The sentences that the source has in English: what an expression may become, with a sample in the place of
each field.
"""

import ast
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

SAMPLES = {
    "called": "antenna 7 (seat 3)",
    "part": "antenna 7 (seat 3)",
    "' and '.join(places)": "seat 3 and seat 7",
    "_LEAST[setup.form.least_seats]": "two seats",
}
"""What stands for a field that is itself words; 7 for any other."""


class Source:
    """A file of the source, and what its names may be."""

    def __init__(self, file: Path) -> None:
        self._tree = ast.parse(file.read_text())

    def ignored(self) -> Iterator[str]:
        """Why entries change nothing: what is assigned to `ignored`, and given for it."""
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(targets=[ast.Attribute(attr="ignored")], value=value):
                    yield from self._sentences(value)
                case ast.keyword(arg="ignored", value=value):
                    yield from self._sentences(value)

    def given(self, calls: Iterable[str], arguments: Iterable[int]) -> Iterator[str]:
        """These arguments of all calls of these names."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
                for number in arguments:
                    if number < len(node.args):
                        yield from self._sentences(node.args[number])

    def _sentences(self, node: ast.expr) -> Iterator[str]:
        match node:
            case ast.Constant(value=str(text)) if text:
                yield text
            case ast.IfExp():
                yield from (*self._sentences(node.body), *self._sentences(node.orelse))
            case ast.BoolOp():
                yield from itertools.chain.from_iterable(map(self._sentences, node.values))
            case ast.JoinedStr():
                said = "".join(map(_part, node.values))
                # `f"{error}."` is a sentence of somebody else.
                if said != "7.":
                    yield said
            case ast.Name(id=name):
                yield from self._of_name(name)
            case ast.Call(func=ast.Name(id=name)):
                yield from self._returned(name)

    def _of_name(self, name: str) -> Iterator[str]:
        """What is assigned to the name anywhere in the file, and what is added to that."""
        known, added = [], [""]
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=known_as)], value=value) if known_as == name:
                    known += self._sentences(value)
                case ast.AnnAssign(target=ast.Name(id=known_as), value=ast.expr() as value) if (
                    known_as == name
                ):
                    known += self._sentences(value)
                case ast.NamedExpr(target=ast.Name(id=known_as), value=value) if known_as == name:
                    known += self._sentences(value)
                case ast.AugAssign(target=ast.Name(id=known_as), value=value) if known_as == name:
                    added += self._sentences(value)
        yield from (first + more for first in known for more in added)

    def _returned(self, function: str) -> Iterator[str]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.FunctionDef) and node.name == function:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and inner.value is not None:
                        yield from self._sentences(inner.value)


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    return SAMPLES.get(ast.unparse(part.value), "7")
