"""What nobody should have to read: paths of somebody's machine, functions and classes that no head holds."""

import ast
import re
from pathlib import Path

import pytest
from rig.documents import files, name

TEXT = files(
    ".md",
    ".py",
    ".toml",
    ".js",
    ".css",
    ".html",
    ".txt",
    ".table",
    ".conf",
    ".acl",
    ".sh",
    ".service",
    "Makefile",
)
SOURCE = files(".py", ".js", ".css", ".html")
PYTHON = files(".py")
FUNCTION, CLASS = 50, 260
"""The most lines of a function and of a class: a screen, and what a head holds."""
MACHINE = re.compile(r"/(?:work|root|home/[a-z]+)/|/tmp/[a-z]+/")


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = [
        f"{name(path)}:{number}: {line.strip()}"
        for path in TEXT
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if MACHINE.search(line)
    ]
    assert [line for line in found if not line.startswith(f"{name(Path(__file__))}:")] == []


def test_a_function_fits_on_a_screen_and_a_class_in_the_head() -> None:
    long = []
    for path in (path for path in PYTHON if not name(path).startswith("tests/vm/")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > (CLASS if isinstance(node, ast.ClassDef) else FUNCTION):
                    long.append(f"{name(path)}: {node.name} has {lines} lines")
    assert long == []


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX"])
def test_nothing_is_left_for_later(word: str) -> None:
    found = [name(path) for path in SOURCE if re.search(rf"#.*\b{word}\b|//.*\b{word}\b", path.read_text())]
    assert found == []
