"""Which drivers are installed: real metadata of real (small) distributions, put on the path."""

import itertools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tablebridge.host import registry
from tablebridge.model.errors import ConfigError
from tablebridge.sdk import Driver, Option, SerialPort

_numbers = itertools.count()
_DRIVER = """
from tablebridge.sdk import Driver, SerialPort
DRIVER = Driver("{name}", "t", "own protocol", "s", "nowhere", port=lambda options: SerialPort(9600),
                session=lambda options: None)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Install a distribution with one driver: install(distribution, driver name, source of its module)."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(distribution: str, name: str, source: str) -> None:
        module = f"{distribution}_{next(_numbers)}"
        (tmp_path / f"{module}.py").write_text(source)
        info = tmp_path / f"{distribution}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text(f"[tablebridge.drivers]\n{name} = {module}:DRIVER\n")

    return put


def test_ours_are_known_and_listing_imports_none() -> None:
    code = (
        "import sys; from tablebridge.host import registry; print(sorted(d.name for d in registry.known()));"
        "print([m for m in sys.modules if m.startswith('tablebridge_drivers')])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert "'feig'" in out[0] and out[1] == "[]"


def test_loading_one_imports_no_other() -> None:
    code = (
        "import sys; from tablebridge.host import registry; print(registry.load('feig').name);"
        "print(sorted({m.split('.')[1] for m in sys.modules if m.startswith('tablebridge_drivers.')}))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert out == ["feig", "['feig']"]


def test_others_register_like_ours(install: Callable[[str, str, str], None]) -> None:
    install("acme", "acme-shoe", _DRIVER.format(name="acme-shoe"))
    assert registry.load("acme-shoe").name == "acme-shoe"
    found = registry.find("acme-shoe")
    assert (found.name, found.distribution, found.version) == ("acme-shoe", "acme", "1.5")


def test_an_unknown_driver_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"No driver is called 'fieg': did you mean feig\?"):
        registry.load("fieg")


def test_a_name_claimed_twice_is_refused_with_both_and_can_be_chosen(
    install: Callable[[str, str, str], None],
) -> None:
    install("acme", "shoe", _DRIVER.format(name="shoe"))
    install("bolt", "shoe", _DRIVER.format(name="shoe-of-bolt"))
    with pytest.raises(ConfigError, match=r"claimed by acme 1\.5 and bolt 1\.5.*acme:shoe"):
        registry.load("shoe")
    assert registry.load("bolt:shoe").name == "shoe-of-bolt"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import there_is_no_such_module", "ModuleNotFoundError"),
        ("x = ", "SyntaxError"),
        ("raise SystemError('no')", "SystemError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("raise OSError('a\\nb')", "OSError: a b"),
        ("DRIVER = 7", "no Driver"),
        ("", "AttributeError"),
    ],
)
def test_a_broken_driver_is_listed_with_its_reason_and_hurts_no_other(
    install: Callable[[str, str, str], None], source: str, why: str
) -> None:
    install("acme", "broken", source)
    listed = {one.known.name: one for one in registry.listed()}
    assert (
        listed["broken"].driver is None
        and why in listed["broken"].broken
        and "acme 1.5" in listed["broken"].broken
    )
    feig = listed["feig"].driver
    assert feig is not None and feig.name == "feig"


OPTIONS = Driver(
    "d",
    "t",
    "own protocol",
    "s",
    "nowhere",
    port=lambda options: SerialPort(9600),
    session=lambda options: None,
    options={
        "poll_ms": Option(50, "pause between polls", lowest=10, highest=1000),
        "gain": Option(1.0, "gain"),
        "loud": Option(False, "beep"),
        "mode": Option("a", "which mode", choices=("a", "b")),
    },
)


def test_options_are_filled_up_with_defaults() -> None:
    assert registry.settle(OPTIONS, {"poll_ms": 20, "gain": 2}) == {
        "poll_ms": 20,
        "gain": 2.0,
        "loud": False,
        "mode": "a",
    }


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"pol_ms": 20}, r"has no option 'pol_ms': did you mean poll_ms\?"),
        ({"poll_ms": "20"}, "is a whole number, not '20': pause between polls"),
        ({"poll_ms": True}, "is a whole number, not True"),
        ({"loud": 1}, "is true or false, not 1"),
        ({"mode": "c"}, "is one of a, b, not 'c'"),
        ({"poll_ms": 5}, "is at least 10 and at most 1000, not 5"),
        ({"gain": "much"}, "is a number, not 'much'"),
    ],
)
def test_a_wrong_option_is_a_sentence(given: dict[str, bool | int | float | str], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        registry.settle(OPTIONS, given)
