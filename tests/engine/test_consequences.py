"""Consequences are carried out: nobody makes them and drops them."""

import ast
from pathlib import Path

import tablebridge.engine

ENGINE = Path(tablebridge.engine.__file__).parent
TREES = {path: ast.parse(path.read_text()) for path in ENGINE.rglob("*.py")}


Function = tuple[str, str]
"""The module's name and the function's."""


def consequential() -> set[Function]:
    """The functions that return consequences."""
    return {
        (path.stem, node.name)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns).startswith(("Consequences", "Steps["))
    }


def called(path: Path, call: ast.AST | None) -> Function:
    """The function that is called, as the engine has it: `module.function`, or a function of this module."""
    function = getattr(call, "func", None)
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id, function.attr
    return path.stem, getattr(function, "id", "")


def test_the_engine_has_functions_with_consequences() -> None:
    assert {("misdeals", "misdeal"), ("faces", "record"), ("dealing", "finish_deal")} <= consequential()


def test_consequences_of_a_call_are_passed_on() -> None:
    functions = consequential()
    dropped = [
        f"{path.name}:{node.lineno} {called(path, node.value)}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and called(path, node.value) in functions
    ]
    assert dropped == []


def test_what_is_yielded_is_a_consequence_and_never_a_row_of_them() -> None:
    functions = consequential()
    rows = [
        f"{path.name}:{node.lineno}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Yield) and called(path, node.value) in functions
    ]
    assert rows == []
