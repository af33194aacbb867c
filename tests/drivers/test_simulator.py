"""Programs that play a device: what they say is a reading or rejected."""

import json

import msgspec
import pytest
from rig.captures import FOLDERS

from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Reading,
    Reason,
    Rejected,
    ShufflerReport,
    Sweep,
    TrayReading,
)
from tablebridge.sdk.testing import at, defaults
from tablebridge_drivers.simulator import DRIVER, decode


@pytest.mark.parametrize(
    "reading",
    [
        Sweep(1, ("E004015000000001",), 3, ("E004015000000002",), False),
        ButtonPress(2, False),
        ShufflerReport("ok", 52, ("As",)),
        TrayReading(counts={25: 40}),
        TrayReading(("E28068900000500E88C6A4A7",)),
        DeviceStatus("failed", "wire", 3),
    ],
)
def test_readings_come_back_as_they_were(reading: Reading) -> None:
    assert decode(msgspec.json.encode(reading) + b"\n") == (reading,)


def test_what_captures_expect_can_be_played() -> None:
    lines = [
        line
        for folder in FOLDERS
        for line in (folder / "expect.jsonl").read_text().splitlines()
        if json.loads(line)["kind"] != "rejected"
    ]
    found = decode("\r\n".join(lines).encode())
    assert len(found) == len(lines) > 50 and not any(isinstance(item, Rejected) for item in found)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("hello", Reason.NOISE),
        ("{}", Reason.UNKNOWN_TYPE),
        ('{"kind":"sweep"}', Reason.UNKNOWN_TYPE),
        ('{"kind":"sweep","antenna":"1","tags":[]}', Reason.UNKNOWN_TYPE),
        ('{"kind":"card","face":"As"}', Reason.UNKNOWN_TYPE),
        ('{"kind":"sweep","antenna":64,"tags":[]}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"sweep","antenna":1,"tags":["e004"]}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"sweep","antenna":1,"tags":["E004","E004"]}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"sweep","antenna":1,"tags":[],"visits":0}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"tray","counts":{"0":1}}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"button","contact":-1}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"shuffler","report":"ok","count":-1}', Reason.IMPOSSIBLE_VALUE),
        ('{"kind":"button","x":' + "[" * 20_000, Reason.NOISE),
        ('{"kind":"status","state":"ok","detail":"\\ud800"}', Reason.NOISE),
        ('{"kind":"status","state":"ok","antenna":99}', Reason.IMPOSSIBLE_VALUE),
        ('"' + "x" * 40_000, Reason.TOO_LONG),
    ],
)
def test_what_is_wrong_is_rejected_and_nothing_else(line: str, reason: Reason) -> None:
    (item,) = decode(line.encode())
    assert isinstance(item, Rejected) and item.reason is reason


def test_a_program_that_speaks_is_alive_and_one_that_is_wrong_is_not() -> None:
    session = DRIVER.session(defaults(DRIVER))
    session.start(at(0))
    assert session.received(b'{"kind":"status","state":"ok"}\n', at(1)).alive
    assert not session.received(b'{"kind":"status"}\n', at(2)).alive
