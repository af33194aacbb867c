"""Recorded conversations mean for ever what they meant when they were recorded.

tests/captures/DRIVER/NN-WHAT/ holds `capture.jsonl` (time in ms, direction, bytes), `expect.jsonl` (all
readings in their order, then all rejects), `README.md`, which begins with Device, Source, Date and Licence,
and `options.json` where the options were not the defaults.
"""

import json
from pathlib import Path

import pytest
from rig.captures import DRIVERS, FOLDERS

from tablebridge.cli.drivers import told
from tablebridge.sdk.testing import read_capture, replay


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_capture_means_what_it_meant(folder: Path) -> None:
    capture = read_capture((folder / "capture.jsonl").read_text(encoding="utf-8"))
    golden = folder / "expect.jsonl"
    assert golden.exists(), (
        f"say what it means: tablebridge drivers play {folder}/capture.jsonl > {golden}, "
        "and read it before you trust it"
    )
    expected = [json.loads(text) for text in golden.read_text(encoding="utf-8").splitlines()]
    options = folder / "options.json"
    changed = json.loads(options.read_text(encoding="utf-8")) if options.exists() else {}
    assert [
        json.loads(text) for text in told(replay(DRIVERS[folder.parent.name], capture, **changed))
    ] == expected


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_capture_says_where_it_comes_from(folder: Path) -> None:
    readme = folder / "README.md"
    assert readme.exists(), f"say in {readme} where it comes from: Device, Source, Date and Licence"
    head = readme.read_text(encoding="utf-8").splitlines()[:4]
    assert [text.partition(":")[0] for text in head] == ["Device", "Source", "Date", "Licence"]
    assert all(text.partition(":")[2].strip() for text in head)


def test_every_driver_has_a_capture() -> None:
    captured = {folder.parent.name for folder in FOLDERS}
    assert not (without := sorted(DRIVERS.keys() - captured)), (
        f"give a capture of {', '.join(without)}: tests/captures/DRIVER/01-WHAT/capture.jsonl, "
        "see docs/captures.md"
    )
    assert not (unknown := sorted(captured - DRIVERS.keys())), (
        f"no driver is called {', '.join(unknown)}: name its entry point in pyproject.toml, "
        "and pip install -e . again"
    )
