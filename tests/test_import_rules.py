"""Each import rule of pyproject.toml breaks when somebody breaks it."""

import os
import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from rig.documents import ROOT

VIOLATIONS = {
    "one way down": (
        ("tablebridge.floor", "tablebridge.app"),
        ("tablebridge.model", "tablebridge.sdk"),
    ),
    "the core names no driver": (("tablebridge.host", "tablebridge_drivers.template"),),
    "a driver sees the sdk and nothing else": (
        ("tablebridge_drivers.template", "tablebridge"),
        ("tablebridge_drivers.template", "tablebridge.doctor"),
        ("tablebridge_drivers.acs.ccid", "tablebridge.model.readings"),
    ),
    "drivers do not know each other": (
        ("tablebridge_drivers.template", "tablebridge_drivers.feig.frames"),
        ("tablebridge_drivers.acs.ccid", "tablebridge_drivers.line"),
    ),
    "the pure half stays pure": (
        ("tablebridge.engine", "os"),
        ("tablebridge.engine", "pathlib"),
        ("tablebridge.model", "datetime"),
        ("tablebridge.rulebooks", "io"),
        ("tablebridge.sdk", "serial"),
        ("tablebridge.sensing", "secrets"),
        ("tablebridge.sensing", "tablebridge.settings"),
        ("tablebridge.antennas", "threading"),
        ("tablebridge.tracking", "random"),
        ("tablebridge_drivers.template", "time"),
    ),
    "the journal's rows are the journal's own": (("tablebridge.journal", "tablebridge.bus"),),
}
"""By the contract that it breaks: the module that imports, and what."""


def _file(tree: Path, module: str) -> Path:
    root = tree / "drivers" if module.startswith("tablebridge_drivers") else tree
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@pytest.fixture(scope="module")
def linted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What lint-imports says of a copy of the tree with all violations in it."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("tablebridge", "drivers"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    for module, imported in chain.from_iterable(VIOLATIONS.values()):
        path = _file(tree, module)
        path.write_text(f"{path.read_text()}\nimport {imported}\n")
    return _lint(tree)


def _lint(tree: Path) -> str:
    path = os.pathsep.join(map(str, (tree, tree / "drivers")))
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("contract", VIOLATIONS)
def test_a_broken_rule_is_noticed_by_the_contract_that_forbids_it(contract: str, linted: str) -> None:
    assert re.search(rf"^{contract} BROKEN", linted, re.MULTILINE)
    report = linted.split(f"\n{contract}\n---", 1)[1].split("\n---", 1)[0]
    for module, imported in VIOLATIONS[contract]:
        assert f"{module} -> {imported} (l." in report, f"{module} imports {imported}"


def test_every_rule_is_tried(linted: str) -> None:
    assert set(re.findall(r"^(.+) (?:KEPT|BROKEN)", linted, re.MULTILINE)) == VIOLATIONS.keys()
