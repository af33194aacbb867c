"""A site where drivers and devices are wrong in every way that can be: each is told in a sentence, and the
others run.
"""

import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from rig.feig import Feig
from rig.ports import free_port
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.app.runner import Runner

from .test_bad_input import said

A, B = "E004010000000001", "E004010000000002"
DRIVER = """
from tablebridge.sdk import Driver, SerialPort
DRIVER = Driver("{name}", "t", "own protocol", "s", "nowhere", port=lambda options: SerialPort(9600),
                session=lambda options: None)
"""
BROKEN = {
    "no-syntax": ("DRIVER = (", "The driver 'no-syntax' of no-syntax 1.5 cannot be imported (SyntaxError: "),
    "no-import": (
        "import there_is_no_such_module",
        "(ModuleNotFoundError: No module named 'there_is_no_such_module')",
    ),
    "raises": (
        "raise ValueError('the licence\\nhas run out')",
        "(ValueError: the licence has run out): update or remove",
    ),
    "exits": ("import sys\nsys.exit(0)", "(SystemExit: 0): update or remove that package."),
    "no-driver": ("DRIVER = 7", "no_driver:DRIVER is no Driver. Update or remove that package."),
    "shoe": (
        DRIVER.format(name="shoe"),
        "The driver name 'shoe' is claimed by another 1.5 and shoe 1.5: choose one by ",
    ),
}


def install(folder: Path, distribution: str, name: str, source: str) -> None:
    """A distribution with one driver, as pip would leave it there."""
    module = distribution.replace("-", "_")
    (folder / f"{module}.py").write_text(source)
    info = folder / f"{module}-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(f"[tablebridge.drivers]\n{name} = {module}:DRIVER\n")


def device(name: str, driver: str, port: Path, antenna: str) -> str:
    return (
        f'[[table.device]]\nname = "{name}"\ndriver = "{driver}"\nport = "{port}"\n'
        f"antennas = {{ {antenna} }}\n"
    )


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    packages = tmp_path / "packages"
    packages.mkdir()
    for name, (source, _) in BROKEN.items():
        install(packages, name, name, source)
    install(packages, "another", "shoe", DRIVER.format(name="shoe-of-another"))
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setenv("PYTHONPATH", str(packages))
    (tmp_path / "by-id").symlink_to(tmp_path / "reader")
    text = (
        f'state_dir = "{tmp_path}"\n[broker]\nport = {free_port()}\n[web]\nport = 0\n'
        '[[table]]\nname = "one"\nseats = "1-3"\n'
        + device("good", "feig", tmp_path / "reader", '0 = "seat 1"')
        + device("twin", "feig", tmp_path / "by-id", '0 = "seat 2"')
        + device("wide", "simulator", tmp_path / "wide", '1 = "seat 3"')
        + "".join(device(f"of-{name}", name, tmp_path / name, "") for name in BROKEN)
    )
    (tmp_path / "site.toml").write_text(text)
    return tmp_path / "site.toml"


def test_what_is_broken_is_told_and_all_else_runs(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = path.parent
    feig = Feig(A)
    cables = [Pty(folder / "reader", feig), Pty(folder / "wide")]
    with caplog.at_level(logging.ERROR, "tablebridge.app.runner"), Runner(path, folder / "log") as runner:
        told = [record.getMessage() for record in caplog.records]
        for name, (_, sentence) in BROKEN.items():
            (line,) = [one for one in told if one.startswith(f"of-{name} does not run: {path}:")]
            assert sentence in line
        runner.start()
        runner.wait_ready(60)
        headers = {"Authorization": f"Bearer {runner.tokens['technician']}"}

        def devices() -> dict[str, dict[str, Any]]:
            cables[1].say(json.dumps({"kind": "sweep", "antenna": 7, "tags": [B]}).encode() + b"\n")
            answer = httpx.get(f"{runner.web_url}/api/devices", headers=headers, timeout=60).json()
            return {one["device"]: one for one in answer["devices"]}

        def as_wanted() -> bool:
            now = devices()
            twins = [now[name] for name in ("good", "twin") if name in now]
            return (
                sorted(one["state"] == "live" for one in twins) == [False, True]
                and any(one["state"] != "live" and "is held by" in one["why"] for one in twins)
                and now["wide"]["state"] == "live"
                and "antenna 7 reads tags and has no place" in now["wide"]["why"]
            )

        wait_for(as_wanted, "one of two has the port, and the antenna is told", 60)
        for name, (_, sentence) in BROKEN.items():
            log = folder / "log" / f"of-{name}.log"
            wait_for(lambda log=log, sentence=sentence: sentence in log.read_text(), f"the log of {name}", 60)
        seen = feig.inventories
        wait_for(lambda: feig.inventories > seen, "the good reader is asked")
    logs = "".join(one.read_text(errors="replace") for one in (folder / "log").glob("*.log"))
    assert "Traceback" not in logs
    for cable in cables:
        cable.unplug()


def test_a_check_of_the_site_and_a_driver_of_its_own_refuse_what_is_broken(path: Path) -> None:
    path.write_text(
        "".join(path.read_text().partition('[[table.device]]\nname = "of-no-syntax"')[:2])
        + '\ndriver = "no-syntax"\nport = "/dev/zero"\n'
    )
    for command in ("site check", "drive"):
        path.write_text(path.read_text().replace('"of-no-syntax"', '"board"'))
        assert BROKEN["no-syntax"][1] in said(command, path)
