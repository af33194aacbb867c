"""What a release is made of: the same bytes each time, and a bill of what is locked."""

import json
import re
import tarfile
from pathlib import Path

import pytest

from release.sbom import make_sbom
from release.tree import LOCK, build, version


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
