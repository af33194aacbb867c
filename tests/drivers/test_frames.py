"""Frames of every driver as `tablebridge decode` tells them: whole, joined, behind garbage, and damaged in
every bit.

frames.jsonl holds what devices send (and some of what hosts send to them, which is never a reading), each
with what is to be told of it; fields that are left out there are free.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from rig.captures import DRIVERS, FOLDERS

from tablebridge.cli.decode import printed_of
from tablebridge.sdk.testing import read_capture

Told = list[dict[str, Any]]
LINES = (Path(__file__).parent / "frames.jsonl").read_text(encoding="utf-8").splitlines()
FRAMES: dict[str, list[tuple[bytes, Told]]] = defaultdict(list)
for _each in map(json.loads, LINES):
    FRAMES[_each["driver"]].append(
        (_each["text"].encode() if "text" in _each else bytes.fromhex(_each["hex"]), _each["told"])
    )
WHOLE = {
    name: [(frame, told) for frame, told in frames if told and told[0]["kind"] != "rejected"]
    for name, frames in FRAMES.items()
}
CHECKED = ("feig", "m100", "mercury", "pepper", "pn532", "rdm6300", "uhfreader18")
"""Drivers of binary frames with a checksum: damage is found in any byte."""
GARBAGE = (b"\x00", b"\x55\x55", b"\xff" * 3, b"\x02\x0a", b"\xf5\x81\x80")


def decode(name: str, data: bytes) -> Told:
    driver = DRIVERS[name].decode
    assert driver is not None
    return [json.loads(json.dumps(each)) for item in driver(data) for each in printed_of(item)]


def fits(told: Told, expected: Told) -> bool:
    return len(told) == len(expected) and all(
        wanted.items() <= each.items() for each, wanted in zip(told, expected, strict=True)
    )


def meant(told: Told) -> Told:
    return [each for each in told if each["kind"] in ("tag", "sweep", "button", "tray", "shuffler")]


def rejects(told: Told) -> bool:
    return all(each["kind"] == "rejected" for each in told)


def test_every_driver_has_frames() -> None:
    without = sorted(DRIVERS.keys() - FRAMES.keys() - {"template", "usb-watch"})
    assert not without, f"write frames of {', '.join(without)} into tests/drivers/frames.jsonl"
    assert all(WHOLE.values())


@pytest.mark.parametrize("name", FRAMES)
def test_each_frame_is_told_as_it_is_meant(name: str) -> None:
    for frame, expected in FRAMES[name]:
        told = decode(name, frame)
        assert fits(told, expected), (frame.hex(" "), told)


@pytest.mark.parametrize("name", [*CHECKED, "acs", "metratec", "poker-stream"])
def test_frames_one_behind_the_other_are_told_as_each_by_itself(name: str) -> None:
    # A line of the AT dialect goes with those behind it up to OK.
    frames = [each for each in WHOLE[name] + WHOLE[name][::-1] if not each[0].startswith(b"+INV")]
    told = decode(name, b"".join(frame for frame, _ in frames))
    assert fits(told, [each for _, expected in frames for each in expected]), told


@pytest.mark.parametrize("name", sorted(DRIVERS.keys() - {"serial-contact", "usb-watch"}))
def test_a_line_that_was_heard_in_both_directions_is_told_as_the_devices_alone(name: str) -> None:
    """Of serial-contact the bytes of either direction look alike."""
    for folder in [folder for folder in FOLDERS if folder.parent.name == name]:
        pieces = read_capture((folder / "capture.jsonl").read_text(encoding="utf-8"))
        device, both = (
            decode(name, b"".join(bytes.fromhex(piece.hex) for piece in pieces if piece.direction in which))
            for which in (("rx",), ("rx", "tx"))
        )
        assert meant(both) == meant(device), folder


@pytest.mark.parametrize("name", CHECKED)
def test_a_frame_behind_garbage_is_told(name: str) -> None:
    for frame, expected in WHOLE[name]:
        for garbage in GARBAGE:
            told = decode(name, garbage + frame)
            count = len(expected)
            assert fits(told[-count:], expected) and rejects(told[:-count]) and len(told) <= count + 1, (
                garbage,
                told,
            )


@pytest.mark.parametrize("name", CHECKED)
def test_a_flipped_bit_rejects_its_frame_and_no_other(name: str) -> None:
    good, expected = WHOLE[name][-1]
    # The first zero of a PN532's frame says nothing: without it the frame is whole.
    begin = 8 if name == "pn532" else 0
    for frame, _ in WHOLE[name]:
        for bit in range(begin, len(frame) * 8):
            damaged = bytearray(frame)
            damaged[bit // 8] ^= 1 << bit % 8
            told = decode(name, bytes(damaged))
            assert rejects(told) and len(told) == 1, (damaged.hex(" "), told)
            told = decode(name, bytes(damaged) + good)
            assert fits(told[-len(expected) :], expected) and rejects(told[: -len(expected)]), (
                damaged.hex(" "),
                told,
            )


@pytest.mark.parametrize("name", CHECKED)
def test_a_frame_that_is_cut_short_or_holds_a_foreign_byte_is_rejected_and_no_other(name: str) -> None:
    good, expected = WHOLE[name][-1]
    for frame, _ in WHOLE[name]:
        begins = frame.index(frame.lstrip(b"\0")) if name == "pn532" else 1
        damaged = [frame[:end] for end in range(begins + 1, len(frame))]
        damaged += [
            frame[:at] + bytes((byte,)) + frame[at:]
            for at in range(begins + 1, len(frame))
            for byte in (0x11, 0xEE)
        ]
        for part in damaged:
            told = decode(name, part)
            assert rejects(told) and len(told) == 1, (part.hex(" "), told)
            told = decode(name, part + good)
            assert fits(told[-len(expected) :], expected), (part.hex(" "), told)
            # The end of a PN532's frame is a zero, and the next one's first stands for it where it is
            # missing.
            assert rejects(told[: -len(expected)]) or name == "pn532", (part.hex(" "), told)


def test_a_message_of_an_acs_reader_whose_length_is_wrong_is_no_reading() -> None:
    """Nothing else protects it: USB has its own checksum."""
    for frame, _ in WHOLE["acs"]:
        for damaged in (frame + b"\x00", frame[:1] + bytes((frame[1] ^ 1,)) + frame[2:]):
            if frame[0] != 0x50:
                assert rejects(decode("acs", damaged)), damaged.hex(" ")


def test_a_message_of_an_acs_reader_behind_one_that_is_cut_is_told() -> None:
    cut = bytes.fromhex("80 03 00 00 00 00 00 00 81")
    for frame, expected in WHOLE["acs"]:
        if frame[0] != 0x50:
            told = decode("acs", cut + frame)
            assert fits(told[1:], expected) and rejects(told[:1]), told


def test_an_inventory_behind_a_damaged_one_is_told() -> None:
    """A line that cannot be read may belong to the inventory behind it: the count shows that it does not."""
    frame, expected = WHOLE["metratec"][0]
    for before in (b"xyz\r", b"E0040150954F\r", b"E0040150954F02B1\rE20060\r", b"E0040150954F02B1\rARP ?\r"):
        told = decode("metratec", before + frame)
        assert fits(told[1:], expected) and rejects(told[:1]), told
    for damaged in (
        b"E004015095\rE200600311753E33\rARP 12\rIVF 02\r",
        b"ARP ?\rIVF 00\r",
        b"E0040150954F02B1\rARP ?\rIVF 01\r",
    ):
        told = decode("metratec", damaged)
        assert rejects(told) and len(told) == 1, told


@pytest.mark.parametrize("name", ["big-red-button", "blink1", "delcom", "hid-key", "luxafor", "patlite"])
def test_a_report_of_another_length_is_no_press(name: str) -> None:
    frame, _ = WHOLE[name][0]
    report = frame[: {"blink1": 9, "patlite": 2}.get(name, 8)]
    tail = b"\xff" * min(5, len(report) - 1)
    for damaged in (report + b"\x00", report + tail, *(report[:end] for end in range(1, len(report)))):
        told = decode(name, damaged)
        assert rejects(told) and len(told) == 1 and told[0]["reason"] in ("too-long", "too-short"), (
            damaged.hex(" "),
            told,
        )
    told = decode(name, report * 2 + report[: len(report) // 2])
    assert told[-1]["kind"] == "rejected" and told[0]["kind"] != "rejected", told
