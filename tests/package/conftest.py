"""Tests of the Debian package on machines of their own. `make test-vm` runs them: they need root, a minute
for a bare Debian, and Debian's packages mmdebstrap and systemd-container.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from package.machine import Machine, last_tag, older, renamed

from release.deb import make_deb

if "TABLEBRIDGE_MACHINES" not in os.environ:
    collect_ignore_glob = ["*"]


def pytest_report_header() -> str:
    tag = last_tag()
    return f"update from: {tag or 'this package under a lower number, since no release has a package'}"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of this checkout."""
    return make_deb("amd64", tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def before(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of the last release."""
    return older(package, tmp_path_factory.mktemp("before"))


@pytest.fixture(scope="session")
def later(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A later one, with a layout of the state that this one cannot read."""
    return renamed(package, "99.0.0", 99, tmp_path_factory.mktemp("later"))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Callable[[], Machine]]:
    """Bare machines, started."""
    made: list[Machine] = []

    def make() -> Machine:
        made.append(Machine(tmp_path / f"box{len(made)}"))
        made[-1].start()
        return made[-1]

    yield make
    for box in made:
        box.cut()
