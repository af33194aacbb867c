"""The light core: what works without any extra, and what a command says if it needs one.

The modules of the extras are refused by an import hook in a process of its own, as if not installed.
"""

import subprocess
import sys

import pytest
from rig.documents import ROOT

from tablebridge.cli.extras import EXTRAS

WITHOUT_EXTRAS = f"""
import importlib, pkgutil, sys

REFUSED = {sorted(module for modules in EXTRAS.values() for module in modules)} + ["phevaluator", "numpy"]

class Refuse:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse)
"""
IMPORT_ALL = """
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), name + "."):
        importlib.import_module(module.name)
"""
COMMAND = """
from tablebridge.cli import main
main()
"""
LIGHT = (
    "tablebridge.model",
    "tablebridge.sdk",
    "tablebridge.sensing",
    "tablebridge.rulebooks",
    "tablebridge.engine",
    "tablebridge.export",
    "tablebridge.journal.store",
    "tablebridge.host.registry",
    "tablebridge_drivers",
)
SCRIPT = "tests/hands/tda-2022/draw/badugi.table"


def run(code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS + code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_light_core_is_imported_without_any_extra() -> None:
    done = run(IMPORT_ALL, *LIGHT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("check", SCRIPT),
        ("replay", SCRIPT),
        ("decode", "feig", "--hex", "06 00 B0 01 5C 63"),
        ("drivers",),
        ("rulebook", "show", "tda-2024"),
        ("export", "--help"),
    ],
    ids=" ".join,
)
def test_a_light_command_works_without_any_extra(arguments: tuple[str, ...]) -> None:
    done = run(COMMAND, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    "arguments", [("demo",), ("web", "--site", "tablebridge/install/files/site.example.toml")], ids=" ".join
)
def test_a_command_whose_extra_is_missing_says_in_a_sentence_what_to_install(
    arguments: tuple[str, ...],
) -> None:
    """`demo` says before it imports anything that it starts; `web` says nothing."""
    done = run(COMMAND, *arguments)
    assert done.returncode == 2
    assert done.stderr.splitlines(keepends=True)[-1] == (
        "tablebridge: this needs the extra [broker], which is not installed (pydantic is missing): "
        f"{sys.executable} -m pip install 'tablebridge-poker[broker]'; [all] installs every extra\n"
    )


def test_a_device_whose_extra_is_missing_is_named_and_others_work() -> None:
    open_links = """
from tablebridge.cli.extras import advice
from tablebridge.host.links.opening import open_link
from tablebridge.sdk.driver import SerialPort, UsbPort
for port, settings in (("/dev/ttyNONE", SerialPort(9600)), ("usb://1234:5678", UsbPort(()))):
    try:
        open_link(port, settings)
    except ModuleNotFoundError as error:
        print(advice(error))
open_link("replay:tests/captures/template/01-polls-and-button/capture.jsonl", SerialPort(9600)).close()
"""
    done = run(open_links)
    assert done.returncode == 0, done.stderr
    assert ["[serial]" in line or "[usb]" in line for line in done.stdout.splitlines()] == [True, True]
