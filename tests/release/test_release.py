"""What a release is made of: the same bytes, a bill of what is locked, a commit that may be released."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from release.all import described
from release.sbom import make_sbom
from release.tree import LOCK, ROOT, build, version


@pytest.fixture(autouse=True)
def dated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


def test_the_source_archive_is_the_same_each_time_and_can_make_the_package(tmp_path: Path) -> None:
    one, two = (build("sdist", tmp_path / folder) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with tarfile.open(one) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        "release/deb.py",
        "release/debian/preinst",
        "config/requirements.txt",
        "CHANGELOG.md",
        "LICENSE",
    }
    assert needed <= names


def test_the_bill_of_materials_has_every_locked_package_with_its_hashes(tmp_path: Path) -> None:
    one, two = make_sbom(tmp_path / "one.json"), make_sbom(tmp_path / "two.json")
    assert one.read_bytes() == two.read_bytes()
    bill = json.loads(one.read_text())
    main = bill["metadata"]["component"]
    assert (bill["bomFormat"], main["name"], main["version"]) == ("CycloneDX", "tablebridge-poker", version())
    listed = {(part["name"], part["version"]) for part in bill["components"]}
    pins = set(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", LOCK.read_text(), re.M))
    assert listed == pins
    for part in bill["components"]:
        hashes = [one["content"] for place in part["externalReferences"] for one in place.get("hashes", [])]
        assert hashes, part["name"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of its own, whose changelog has a section of the version."""
    for folder in ("release", "tablebridge"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {version()} - 2026-01-01\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(checkout: Path, *words: str) -> None:
    own = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "tag.gpgsign=false",
    )
    subprocess.run(["git", *own, *words], cwd=checkout, check=True, capture_output=True)


def commit(checkout: Path) -> None:
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "a change")


def refused(checkout: Path) -> str:
    """The sentence with which a release of the checkout is refused."""
    done = subprocess.run(
        [sys.executable, "-m", "release", "all"], cwd=checkout, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stdout + done.stderr
    assert not (checkout / "dist").exists()
    return done.stderr


def test_what_is_not_committed_is_not_released(checkout: Path) -> None:
    (checkout / "new.txt").write_text("new")
    assert "changes that are not committed" in refused(checkout)


def test_a_version_that_the_changelog_does_not_know_is_not_released(checkout: Path) -> None:
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n")
    commit(checkout)
    assert f"no section of {version()}" in refused(checkout)


def test_a_version_is_released_once(checkout: Path) -> None:
    git(checkout, "tag", "--annotate", f"v{version()}", "--message", "released")
    (checkout / "new.txt").write_text("new")
    commit(checkout)
    assert f"v{version()} is another commit: raise the version" in refused(checkout)


@pytest.mark.parametrize(
    ("heading", "known"),
    [
        ("## 0.1.0 - 2026-01-01", True),
        ("## [0.1.0] - 2026-01-01", True),
        ("## 0.1.0", True),
        ("## 0.1.01", False),
        ("## 0.1.0-rc1", False),
        ("### 0.1.0", False),
        ("## 0x1.0", False),
    ],
)
def test_a_section_of_the_changelog_is_that_of_the_whole_version(heading: str, known: bool) -> None:
    assert described(f"# Changelog\n\n{heading}\n\n- a\n", "0.1.0") is known
