"""A driver of somebody else, in a package of its own, really installed: beside the checkout, and beside the
built wheel.
"""

import json
import shutil
import site as sites
import subprocess
import sys
from pathlib import Path

import pytest
from rig.documents import ROOT

PLUGIN = ROOT / "tests" / "plugins" / "acme-shoe"


def run(*arguments: object) -> str:
    # From elsewhere: Python looks for packages in the folder that it is started in.
    done = subprocess.run(
        [str(one) for one in arguments],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        cwd=Path(sys.executable).parent,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


def pip(*arguments: object) -> None:
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments)


def wheel(source: Path, folder: Path) -> Path:
    """The wheel of a copy, so that nothing is left in the source."""
    copy = folder / source.name
    shutil.copytree(
        source, copy, ignore=shutil.ignore_patterns(".*", "tests", "benchmarks", "docs", "__pycache__")
    )
    pip("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder / "wheels", copy)
    (made,) = (folder / "wheels").glob(
        f"{source.name.replace('-', '_') if source == PLUGIN else 'tablebridge_poker'}-*.whl"
    )
    return made


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(PLUGIN, tmp_path_factory.mktemp("plugin"))


def environment(folder: Path, *wheels: Path) -> tuple[Path, Path]:
    """A fresh virtual environment with these wheels and nothing else: its Python and its folder for
    packages.
    """
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    pip("--python", python, "install", "--quiet", "--no-deps", "--no-index", *wheels)
    return python, Path(run(python, "-c", "import site; print(site.getsitepackages()[0])").strip())


def installed(python: Path) -> dict[str, str]:
    """The driver is listed with its package and keeps the contract; where tablebridge itself came from."""
    listed = {one["name"]: one for one in json.loads(run(python, "-m", "tablebridge", "drivers", "--json"))}
    assert listed["acme-shoe"]["distribution"] == "acme-shoe 1.5"
    assert listed["feig"]["distribution"].startswith("tablebridge-poker ")
    assert listed["acme-shoe"]["title"].startswith("ACME shoe")
    assert "the contract holds" in run(python, PLUGIN / "check_contract.py")
    decoded = run(python, "-m", "tablebridge", "decode", "acme-shoe", "--hex", b"B42\n".hex())
    assert decoded == ""
    where = run(
        python, "-c", "import acme_shoe, tablebridge; print(acme_shoe.__file__); print(tablebridge.__file__)"
    )
    return dict(zip(("plugin", "tablebridge"), where.splitlines(), strict=True))


@pytest.mark.slow
def test_a_driver_of_others_works_beside_the_checkout(plugin: Path, tmp_path: Path) -> None:
    python, packages = environment(tmp_path / "venv", plugin)
    # What is installed here is seen there as well, this checkout among it.
    (packages / "here.pth").write_text(
        "".join(f"import site; site.addsitedir({path!r})\n" for path in sites.getsitepackages())
    )
    where = installed(python)
    assert where["plugin"].startswith(str(packages)) and where["tablebridge"].startswith(str(ROOT))


@pytest.mark.slow
def test_a_driver_of_others_works_beside_the_built_wheel(plugin: Path, tmp_path: Path) -> None:
    python, packages = environment(tmp_path / "venv", plugin, wheel(ROOT, tmp_path))
    # Only what tablebridge depends on is taken from here: without the .pth files of this place, its checkout
    # is not.
    (packages / "here.pth").write_text("".join(f"{path}\n" for path in sites.getsitepackages()))
    where = installed(python)
    assert all(path.startswith(str(packages)) for path in where.values()), where
