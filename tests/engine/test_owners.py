"""Each part of a hand is the only writer of its fields: read off the source."""

import ast
from functools import cache
from pathlib import Path
from typing import Final, get_type_hints

import pytest

import tablebridge
from tablebridge.engine.hand import Hand

ROOT: Final = Path(tablebridge.__file__).parent
PARTS: Final = {
    name: held
    for name, held in get_type_hints(Hand).items()
    if isinstance(held, type) and ".parts." in held.__module__
}
"""The parts, by the name of the field of the hand that holds them."""
OWNED: Final = {name: frozenset(get_type_hints(part)) for name, part in PARTS.items()}
OWNED_BY_THE_HAND: Final = frozenset(get_type_hints(Hand))
MUTATING: Final = frozenset(
    {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "setdefault",
        "sort",
        "update",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
    }
)


class _Writes(ast.NodeVisitor):
    """Finds what a module writes of the parts: (line, part, field)."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str, str]] = []
        # What local names stand for: a part (its name), or a field (part and field).
        self.names: dict[str, str | tuple[str, str]] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outside, self.names = self.names, self.names.copy()
        self.generic_visit(node)
        self.names = outside

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assigned(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned(node.target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._written(node.target)
        if isinstance(node.target, ast.Name):
            self._note(node.lineno, self._field(node.target))
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assigned(node.target, node.value)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._written(target)

    def visit_For(self, node: ast.For) -> None:
        for value in node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List)) else ():
            self._assigned(node.target, value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        mutates = isinstance(function, ast.Attribute) and function.attr in MUTATING
        # A part may have a verb of such a name; what is called then is a part and no field of the hand.
        if mutates and self._part(function.value) not in PARTS:
            self._note(node.lineno, self._field(_inner(function.value)))
        if isinstance(function, ast.Name) and function.id == "setattr":
            part = self._part(node.args[0])
            if part is not None:
                self.found.append((node.lineno, part, "setattr"))
        self.generic_visit(node)

    def _assigned(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
            for inner, part in zip(target.elts, values, strict=False):
                self._assigned(inner, part)
        elif isinstance(target, ast.Name):
            known = self._part(value) or self._field(value)
            if known is not None:
                self.names[target.id] = known
            else:
                self.names.pop(target.id, None)
        else:
            self._written(target)

    def _written(self, target: ast.expr) -> None:
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            self._note(target.lineno, self._field(_inner(target)))

    def _part(self, value: ast.expr) -> str | None:
        """The part that this expression is."""
        if isinstance(value, ast.Attribute):
            return value.attr if value.attr in PARTS or value.attr == "hand" else None
        if isinstance(value, ast.Name):
            known = self.names.get(value.id)
            return known if isinstance(known, str) else "hand" if value.id == "hand" else None
        return None

    def _field(self, value: ast.expr) -> tuple[str, str] | None:
        """The field of a part that this expression is."""
        if isinstance(value, ast.Name):
            known = self.names.get(value.id)
            return known if isinstance(known, tuple) else None
        part = self._part(value.value) if isinstance(value, ast.Attribute) else None
        if part is None or not isinstance(value, ast.Attribute):
            return None
        owned = OWNED_BY_THE_HAND if part == "hand" else OWNED[part]
        return (part, value.attr) if value.attr in owned else None

    def _note(self, line: int, field: tuple[str, str] | None) -> None:
        if field is not None:
            self.found.append((line, *field))


def _inner(value: ast.expr) -> ast.expr:
    """What is indexed, of an item of it."""
    while isinstance(value, ast.Subscript):
        value = value.value
    return value


def _writes(source: str) -> list[tuple[int, str, str]]:
    visitor = _Writes()
    visitor.visit(ast.parse(source))
    return sorted(set(visitor.found))


@cache
def _written() -> tuple[tuple[Path, int, str, str], ...]:
    """All that modules outside the parts write: file, line, part, field."""
    return tuple(
        (path.relative_to(ROOT), *write)
        for path in sorted(ROOT.rglob("*.py"))
        if path.parent != ROOT / "engine" / "parts"
        for write in _writes(path.read_text())
    )


@pytest.mark.parametrize("part", sorted({*PARTS, "hand"}))
def test_a_part_is_the_only_writer_of_its_fields(part: str) -> None:
    others = [
        f"{path}:{line}: {name}.{field}"
        for path, line, name, field in _written()
        if name == part and (name, path.name) != ("hand", "hand.py")
    ]
    assert not others


@pytest.mark.parametrize(
    "source",
    [
        "hand.chips.rake = 1",
        "hand.chips.rake += 1",
        "hand.chips.stack[seat] = 1",
        "hand.chips.stack[seat] -= 1",
        "a, hand.chips.rake = 1, 2",
        "hand.chips.rake: int = 1",
        "del hand.chips.stack[seat]",
        "hand.chips.won.clear()",
        "hand.counted.fronts[seat].append(1)",
        "hand.counted.fronts.setdefault(seat, [])",
        "chips = hand.chips\nchips.rake = 1",
        "chips, notes = hand.chips, 1\nchips.stack[seat] = 1",
        "stack = hand.chips.stack\nstack[seat] = 1",
        "acted = self.hand.round.acted\nacted |= {seat}",
        "if acted := hand.round.acted:\n    acted.clear()",
        "for chips in (hand.chips.paid, hand.chips.dead_chips):\n    chips[seat] = 0",
        "setattr(hand.round, name, 1)",
    ],
)
def test_a_write_from_outside_is_found_in_each_form(source: str) -> None:
    assert [part for _, part, _ in _writes(source)] != []


@pytest.mark.parametrize(
    "source",
    [
        "stack = hand.chips.stack[seat]",
        "stack = hand.chips.stack\nstack = {}\nstack[seat] = 1",
        "setup.chips = ()",
        "known = hand.round.last.get(seat)",
        "acted = set(hand.round.acted)\nacted.add(seat)",
    ],
)
def test_what_only_reads_a_part_is_no_write(source: str) -> None:
    assert _writes(source) == []
