"""The package for ARM64, run by an emulated processor: hands are played, every library loads, nothing is
numpy.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from release.deb import SITE_PACKAGES, make_deb
from release.tree import ROOT, output

pytestmark = pytest.mark.timeout(1800)
HANDS = "tests/hands/tda-2022/hand-ranking"
LIBRARIES = (
    "import libusb_package, usb.core, serial, paho.mqtt.client, pydantic, tablebridge.web.app, platform"
)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a Debian 12 for ARM64 with the package; no script of either was run."""
    folder = tmp_path_factory.mktemp("arm64")
    root = folder / "root"
    fetch = ("--quiet", "--variant=extract", "--architectures=arm64", "--include=python3")
    output("mmdebstrap", *fetch, "bookworm", str(root))
    output("dpkg-deb", "-x", str(make_deb("arm64", folder)), str(root))
    return root


def python(box: Path, *words: str) -> str:
    """What Python prints on that processor."""
    environ = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHOME": str(box / "usr"),
        "PYTHONPATH": str(box / SITE_PACKAGES),
    }
    emulated = ["qemu-aarch64-static", "-L", str(box), str(box / "usr/bin/python3.11"), *words]
    done = subprocess.run(
        emulated, cwd=ROOT / "tests", env=environ, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_library_loads_and_none_is_numpy(box: Path) -> None:
    assert python(box, "-c", f"{LIBRARIES}; print(platform.machine())") == "aarch64\n"
    installed = {path.name.partition("-")[0] for path in (box / SITE_PACKAGES).glob("*.dist-info")}
    assert "msgspec" in installed and not installed & {"numpy", "phevaluator"}


def test_hands_are_ranked_as_everywhere(box: Path) -> None:
    scripts = sorted(str(path) for path in (ROOT / HANDS).glob("*.table"))
    assert len(scripts) > 5
    said = re.search(
        r"^(\d+) passed, 0 failed$", python(box, "-m", "tablebridge", "check", "--strict", *scripts), re.M
    )
    assert said is not None and int(said[1]) >= len(scripts)
