"""Readers that type as a keyboard: what their keys mean, and one that umockdev plays as an input device."""

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from rig.captures import DRIVERS

from tablebridge.host.discovery import EXACT, discover
from tablebridge.host.plugged import Plugged
from tablebridge.sdk import Reason, Rejected, Sweep
from tablebridge_drivers.hid_wedge import decode

DIGITS = {text: code for code, text in enumerate("1234567890", 2)}
LETTERS = {"A": 30, "B": 48, "C": 46, "D": 32, "E": 18, "F": 33}
OTHERS = {"\n": 28, ",": 51, ";": 39, "/": 53}
SHIFT, LOST = 42, (0, 3, 0)
Event = tuple[int, int, int]


def typed(text: str) -> list[Event]:
    """The events of these keys as a kernel reports them: scan code, key, end of the report."""
    events: list[Event] = []
    for character in text:
        shifted = character in ":?%" or character in LETTERS
        code = (DIGITS | LETTERS | OTHERS).get({":": ";", "?": "/", "%": "5"}.get(character, character), 0)
        for value in (1, 0):
            events += [(1, SHIFT, value), (0, 0, 0)] if shifted and value else []
            events += [(4, 4, 0x70000 + code), (1, code, value), (0, 0, 0)]
            events += [(1, SHIFT, value), (0, 0, 0)] if shifted and not value else []
    return events


def packed(events: list[Event]) -> bytes:
    return b"".join(struct.pack("<HHi", *event) for event in events)


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        ("0012345678\n", "00BC614E"),
        (";0012345678?\n", "00BC614E"),
        ("123,11625\n", "7B2D69"),
        ("123:11625\n", "7B2D69"),
        ("E004015012AB3401\n", "E004015012AB3401"),
        ("62E3086CED\n", "62E3086CED"),
    ],
)
def test_keys_are_the_number_that_they_type(text: str, uid: str) -> None:
    assert decode(packed(typed(text))) == (Sweep(0, (uid,)),)


def test_keys_that_the_kernel_repeats_are_typed_once() -> None:
    events = typed("0012345678\n")
    events[1:1] = [(1, DIGITS["0"], 2)]
    assert decode(packed(events)) == (Sweep(0, ("00BC614E",)),)


def test_a_number_of_which_events_were_lost_is_rejected_and_the_next_is_not() -> None:
    events = typed("0012345678\n")
    del events[6:12]
    events[6:6] = [LOST]
    first, second = decode(packed(events + typed("0012345678\n")))
    assert isinstance(first, Rejected) and first.reason is Reason.UNKNOWN_TYPE
    assert second == Sweep(0, ("00BC614E",))


def test_a_reader_whose_numbers_no_keyboard_has_is_proposed_and_a_keyboard_is_not() -> None:
    reader = Plugged(0xFFFF, 0x0035, "1-2", 1, 4, keyboards=("/dev/input/event5",))
    keyboard = Plugged(0x046D, 0xC31C, "1-3", 1, 5, keyboards=("/dev/input/event6",))
    found = {entry.plugged.path: entry for entry in discover((reader, keyboard), DRIVERS.values())}
    (candidate,) = found["1-2"].candidates
    assert (candidate.driver, candidate.score) == ("hid-wedge", EXACT)
    assert found["1-2"].port == "/dev/input/event5"
    assert found["1-3"].candidates == ()


READER = """P: /devices/pci0000:00/usb1/1-2/1-2:1.0/0003:FFFF:0035.0001/input/input5/event5
N: input/event5
E: DEVNAME=/dev/input/event5
E: MAJOR=13
E: MINOR=69
E: SUBSYSTEM=input
E: ID_INPUT_KEYBOARD=1
A: dev=13:69\\n
"""
TWICE = """
from tablebridge.host.links.keys import KeysLink
from tablebridge.model.errors import LinkError
first = KeysLink("/dev/input/event5")
try:
    KeysLink("/dev/input/event5")
except LinkError as error:
    print(error)
"""


def played(folder: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a process says for which umockdev stands in place of the kernel: a reader that types this."""
    (folder / "reader.umockdev").write_text(READER)
    lines = [
        f"E: {0.5 + 0.002 * number:.6f} {kind:04x} {code:04x} {value}"
        for number, (kind, code, value) in enumerate(typed(text))
    ]
    (folder / "reader.events").write_text("\n".join(["# EVEMU 1.3", *lines]) + "\n")
    return subprocess.run(
        [
            *("umockdev-run", "--device", str(folder / "reader.umockdev")),
            *("--evemu-events", f"/dev/input/event5={folder / 'reader.events'}"),
            *("--", sys.executable, *arguments),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_input_device_is_read_and_recorded(tmp_path: Path) -> None:
    out = tmp_path / "badge.jsonl"
    capture = ("capture", "--port", "/dev/input/event5", "--driver", "hid-wedge", "--out", str(out))
    done = played(tmp_path, "0012345678\n", "-m", "tablebridge", *capture, "--seconds", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    play = [sys.executable, "-m", "tablebridge", "drivers", "play", str(out)]
    heard = subprocess.run(play, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(heard.stdout.splitlines()[0])["tags"] == ["00BC614E"]


def test_an_input_device_is_held_for_one_driver_alone(tmp_path: Path) -> None:
    done = played(tmp_path, "1", "-c", TWICE)
    assert "is held by another program" in done.stdout, done.stderr
