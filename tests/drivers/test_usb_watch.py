"""The watch over what is plugged in: each stranger once, and again when it comes back."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rig.played import Played

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected
from tablebridge.sdk.testing import converse, defaults
from tablebridge_drivers.usb_watch import DRIVER, decode

STICK = {"ids": "1209:0001", "path": "1-4.1", "what": "1209:0001 Stick at 1-4.1", "named": False}
OURS = {"ids": "0ab1:0004", "path": "1-1", "what": "0ab1:0004 reader at 1-1", "named": True}
KEYS = {"ids": "046d:c31c", "path": "1-2", "what": "046d:c31c keyboard at 1-2", "named": False}
UNKNOWN = DeviceStatus("unknown", "1209:0001 Stick at 1-4.1")


class Box:
    def __init__(self, *there: Any) -> None:
        self.there = there

    def __call__(self, data: bytes) -> bytes:
        return json.dumps(self.there).encode() + b"\n"

    def holds(self, *there: Any) -> Any:
        return lambda: setattr(self, "there", there) or b""  # type: ignore[func-returns-value]


def watch(box: Any, happens: Any = (), **options: Any) -> list[Reading]:
    heard = converse(DRIVER.session(defaults(DRIVER, **options)), Played(box, happens), 12.0)
    assert heard.rejected == [] and len(heard.alive_ns) > 10
    return heard.readings


def test_a_stranger_is_told_once_while_it_is_there_and_again_when_it_comes_back() -> None:
    box = Box(OURS)
    assert (
        watch(box, [(2000, box.holds(OURS, STICK)), (5000, box.holds(OURS)), (8000, box.holds(STICK))])
        == [UNKNOWN] * 2
    )


def test_what_is_expected_is_not_told() -> None:
    assert watch(Box(OURS, KEYS, STICK), expected="046D:C31C") == [UNKNOWN]
    assert watch(Box(OURS, KEYS, STICK), expected="1-2 1-4.1") == []


def test_lines() -> None:
    line = json.dumps([OURS, STICK]).encode()
    assert decode(line) == decode(line + b"\r\n") == (UNKNOWN,)
    (fault,) = decode(b"nonsense")
    assert isinstance(fault, Rejected) and fault.reason is Reason.IMPOSSIBLE_VALUE


@given(st.binary(max_size=100))
def test_no_bytes_raise(data: bytes) -> None:
    assert all(isinstance(told, DeviceStatus | Rejected) for told in decode(data))
