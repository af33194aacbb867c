"""Readers that talk by themselves: badges at 125 kHz, Wiegand, typed numbers, boards that print lines."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import sketches

from tablebridge.sdk import DeviceStatus, Driver, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.testing import MS, Chance, at, check_turn, defaults, mutate
from tablebridge_drivers import poker_stream, rdm6300, wedge, wiegand

BADGE = bytes.fromhex("02 36 32 45 33 30 38 36 43 45 44 30 38 03")


def tag(uid: str, antenna: int = 0) -> Sweep:
    return Sweep(antenna, (uid,))


@pytest.mark.parametrize(
    ("driver", "data", "said"),
    [
        (rdm6300.DRIVER, BADGE, [tag("62E3086CED")]),
        (
            rdm6300.DRIVER,
            bytes.fromhex("02 36 32 45 33 30 38 36 43 45 44 30 38 0D 0A 03"),
            [tag("62E3086CED")],
        ),
        (rdm6300.DRIVER, BADGE * 3, [tag("62E3086CED")] * 3),
        (wiegand.DRIVER, b"1 011110110010110101101001 0\r\n", [tag("7B2D69")]),
        (wiegand.DRIVER, b"10111101100101101011010010", [tag("7B2D69")]),
        (wiegand.DRIVER, b"7B2D69\r123,11625\r", [tag("7B2D69")] * 2),
        (wedge.DRIVER, b"12311625\r04A1B2C3\r\n", [tag("12311625"), tag("04A1B2C3")]),
        (wedge.DRIVER, b"0000123456\r", [tag("0001E240")]),
        (wedge.DRIVER, b"04374BD29C3980\n", [tag("04374BD29C3980")]),
        (wedge.DRIVER, b"E0040150954F02B1\rb1024f95500104e0\r", [tag("E0040150954F02B1")] * 2),
        (wedge.DRIVER, b"62E3086CED\r", [tag("62E3086CED")]),
        (poker_stream.DRIVER, b"0|4B219622\r\n1|764FB0F8\r\n", [tag("4B219622"), tag("764FB0F8", 1)]),
        (
            poker_stream.DRIVER,
            b"Reader 0: Firmware Version: 0x92 = v2.0\r\n",
            [DeviceStatus("identified", "MFRC522 version 92", 0)],
        ),
        (
            poker_stream.DRIVER,
            b"Reader 3: Firmware Version: 0x0 = (unknown)\r\n",
            [DeviceStatus("failed", "the reader does not answer (version 00): look at its wires", 3)],
        ),
        (
            poker_stream.DRIVER,
            b"WARNING: Communication failure, is the MFRC522 properly connected?\r\n",
            [DeviceStatus("degraded", "a reader does not answer: look at its wires")],
        ),
    ],
)
def test_what_they_say(driver: Driver, data: bytes, said: list[Reading]) -> None:
    assert driver.decode is not None
    assert list(driver.decode(data)) == said


@pytest.mark.parametrize(
    ("driver", "data", "reason"),
    [
        (rdm6300.DRIVER, bytes.fromhex("02 36 32 45 33 30 38 36 43 45 44 36 41 03"), Reason.CHECKSUM),
        (rdm6300.DRIVER, BADGE[:-1], Reason.TOO_SHORT),
        (rdm6300.DRIVER, BADGE[:-1] + b"0\x03", Reason.TOO_LONG),
        (rdm6300.DRIVER, b"\x02" + b"0" * 12 + b"\x03", Reason.IMPOSSIBLE_VALUE),
        (rdm6300.DRIVER, BADGE.replace(b"E", b"G", 1), Reason.IMPOSSIBLE_VALUE),
        (rdm6300.DRIVER, b"hello", Reason.NOISE),
        (wiegand.DRIVER, b"00111101100101101011010010\r", Reason.CHECKSUM),
        (wiegand.DRIVER, b"10111101100101101011010011\r", Reason.CHECKSUM),
        (wiegand.DRIVER, b"1" * 70 + b"\r", Reason.TOO_LONG),
        (wiegand.DRIVER, b"300,11625\r", Reason.IMPOSSIBLE_VALUE),
        (wiegand.DRIVER, b"7B2D6\r", Reason.TOO_SHORT),
        (wedge.DRIVER, b"1104A1B2C3D4E5F6\r", Reason.IMPOSSIBLE_VALUE),
        (wedge.DRIVER, b"4294967296\r", Reason.IMPOSSIBLE_VALUE),
        (wedge.DRIVER, b"hello\r", Reason.UNKNOWN_TYPE),
        (wedge.DRIVER, b"\x0262E3086CED08\r\n\x03", Reason.UNKNOWN_TYPE),
        (wedge.DRIVER, b"123456789\r", Reason.IMPOSSIBLE_VALUE),
        (wedge.DRIVER, b"0" * 500 + b"\r", Reason.TOO_LONG),
        (wedge.DRIVER, b"0" * 30 + b"\r", Reason.TOO_LONG),
        (poker_stream.DRIVER, b"0|4B2196\r\n", Reason.TOO_SHORT),
        (poker_stream.DRIVER, b"0|" + b"4B" * 12, Reason.TOO_LONG),
        (poker_stream.DRIVER, b"99|4B219622\r\n", Reason.IMPOSSIBLE_VALUE),
        (poker_stream.DRIVER, b"Scan PICC to see UID\r\n", Reason.UNKNOWN_TYPE),
    ],
)
def test_what_is_wrong_is_rejected_and_nothing_else(driver: Driver, data: bytes, reason: Reason) -> None:
    assert driver.decode is not None
    found = driver.decode(data)
    assert found and all(isinstance(item, Rejected) for item in found)
    assert isinstance(found[0], Rejected) and found[0].reason is reason


@given(st.binary(min_size=5, max_size=5).filter(any), st.booleans())
def test_badges_come_back_as_they_were(uid: bytes, line_end: bool) -> None:
    assert rdm6300.decode(rdm6300.encode(uid.hex().upper(), line_end)) == (tag(uid.hex().upper()),)


@pytest.mark.parametrize(("bits", "first_half"), [(26, 12), (34, 16), (37, 18)])
@given(data=st.data())
def test_wiegand_bits_of_every_length(bits: int, first_half: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(1, 2 ** (bits - 2) - 1))
    text = f"{value:0{bits - 2}b}"
    even, odd = text[:first_half].count("1") % 2, (text[-first_half:].count("1") + 1) % 2
    frame = f"{even}{text}{odd}"
    digits = (bits - 2 + 7) // 8 * 2
    assert wiegand.read_bits(frame) == f"{value:0{digits}X}"
    flipped = data.draw(st.integers(0, bits - 1))
    broken = frame[:flipped] + "10"[int(frame[flipped])] + frame[flipped + 1 :]
    read = wiegand.read_bits(broken)
    # The middle one of an odd number of data bits is in both halves, so its flip is seen by both.
    assert isinstance(read, Rejected) and read.reason is Reason.CHECKSUM


@pytest.mark.parametrize(
    ("options", "line", "uid"),
    [
        ({"form": "decimal"}, b"12311625\r", "7B2D69"),
        ({"reverse": True}, b"692D7B\r", "7B2D69"),
        ({"form": "hex"}, b"0000123456\r", "0000123456"),
        ({"form": "decimal", "reverse": True}, b"0000123456\r", "40E20100"),
    ],
)
def test_the_form_can_be_set(options: dict[str, Any], line: bytes, uid: str) -> None:
    for driver in (wiegand.DRIVER, wedge.DRIVER):
        session = driver.session(defaults(driver, **options))
        session.start(at(0))
        assert [
            reading.tags for reading in session.received(line, at(MS)).readings if isinstance(reading, Sweep)
        ] == [(uid,)]


def named(driver: Driver, *lines: bytes, **options: Any) -> list[str]:
    """The UIDs that a session names, and the details of its statuses, for these lines in their order."""
    session = driver.session(defaults(driver, hold_ms=0, **options))
    session.start(at(0))
    said: list[str] = []
    for number, line in enumerate(lines):
        for reading in session.received(line, at(number * MS)).readings:
            said += reading.tags if isinstance(reading, Sweep) else [reading.detail]  # type: ignore[union-attr]
    return said


@pytest.mark.parametrize("driver", [wedge.DRIVER, wiegand.DRIVER], ids=lambda d: d.name)
def test_the_form_of_ten_digits_is_that_of_the_reader_and_not_of_the_line(driver: Driver) -> None:
    """Of EM4100 badges one in 110 has no letter in its ten hex digits."""
    lines = (b"041234567A\r", b"0412345678\r")
    assert named(driver, *lines) == ["041234567A", "0412345678"]
    assert driver.decode is not None
    # The last line shows what the first one is.
    assert driver.decode(lines[1] + lines[0]) == (tag("0412345678"), tag("041234567A"))
    assert named(driver, b"123,11625\r", b"0412345678\r") == ["7B2D69", "1893E54E"]
    told = named(driver, b"0412345678\r", b"041234567A\r", b"0412345678\r")
    assert told[:2] == ["1893E54E", "041234567A"] and told[-1] == "0412345678"
    assert told[2].endswith('set form = "hex"')


def test_one_badge_is_one_at_three_readers_if_the_site_says_so() -> None:
    """67 003B51C6 by an RDM6300, 0003887558 by a reader of decimal digits, 059,20934 by a Wiegand-26 one."""
    frame = rdm6300.encode("67003B51C6")
    lines = [(rdm6300.DRIVER, frame), (wedge.DRIVER, b"0003887558\r"), (wiegand.DRIVER, b"059,20934\r")]
    assert [named(driver, line) for driver, line in lines] == [["67003B51C6"], ["003B51C6"], ["3B51C6"]]
    assert [named(driver, line, badge="24 bits") for driver, line in lines] == [["3B51C6"]] * 3
    assert [named(driver, line, badge="32 bits") for driver, line in lines[:2]] == [["003B51C6"]] * 2
    assert named(wedge.DRIVER, b"04374BD29C3980\r", badge="24 bits") == ["04374BD29C3980"], "a card's UID"


def test_a_badge_goes_when_its_reader_falls_silent() -> None:
    session = rdm6300.DRIVER.session(defaults(rdm6300.DRIVER))
    assert session.start(at(0)).wake_ns is None
    for ms in (0, 65, 130):
        turn = session.received(BADGE, at(ms * MS))
        assert turn.readings == (Sweep(0, ("62E3086CED",)),) and turn.alive
    assert turn.wake_ns == 430 * MS
    assert session.due(at(429 * MS)).readings == ()
    assert session.due(at(430 * MS)).readings == (Sweep(0, (), 4),)
    assert session.due(at(900 * MS)).readings == ()


def test_a_card_that_is_told_once_stays_until_another_is_told() -> None:
    session = poker_stream.DRIVER.session(defaults(poker_stream.DRIVER))
    session.start(at(0))
    turn = session.received(b"0|4B219622\r\n1|764FB0F8\r\n", at(0))
    assert turn.readings == (Sweep(0, ("4B219622",), 4), Sweep(1, ("764FB0F8",), 4)) and turn.wake_ns is None
    assert session.received(b"0|764FB0F8\r\n", at(3_600_000 * MS)).readings == (Sweep(0, ("764FB0F8",), 4),)


def test_a_card_that_is_told_once_and_again_was_away() -> None:
    session = poker_stream.DRIVER.session(defaults(poker_stream.DRIVER))
    session.start(at(0))
    session.received(b"0|4B219622\r\n1|764FB0F8\r\n", at(0))
    again = session.received(b"0|4B219622\r\n", at(60_000 * MS))
    assert again.readings == (Sweep(0, ()), Sweep(0, ("4B219622",), 4))


UIDS = (
    st.binary(min_size=4, max_size=4)
    | st.binary(min_size=7, max_size=7)
    | st.binary(min_size=10, max_size=10)
)


@given(UIDS, st.integers(0, 5))
def test_a_uid_comes_back_from_what_either_sketch_prints(uid: bytes, reader: int) -> None:
    """NTAG cards begin with 04, so a blank stands in each of their lines."""
    for line in (sketches.poker_stream(reader, uid), sketches.rfid_poker(reader, uid)):
        assert poker_stream.decode(line) == (tag(uid.hex().upper(), reader),), line


def test_a_card_that_is_named_again_while_it_lies_there_was_not_away() -> None:
    """A board of rfid-poker does not halt a card: it reads it again in each round."""
    session = poker_stream.DRIVER.session(defaults(poker_stream.DRIVER))
    session.start(at(0))
    line = sketches.rfid_poker(1, bytes.fromhex("040E3BD2286B85"))
    for ms in (0, 700, 30_700):
        assert session.received(line, at(ms * MS)).readings == (Sweep(1, ("040E3BD2286B85",), 4),)


def test_a_dead_reader_proves_no_life() -> None:
    session = poker_stream.DRIVER.session(defaults(poker_stream.DRIVER))
    session.start(at(0))
    assert not session.received(b"Reader 0: Firmware Version: 0xFF = (unknown)\r\n", at(0)).alive
    assert session.received(b"Reader 1: Firmware Version: 0x92 = v2.0\r\n", at(0)).alive


@pytest.mark.parametrize(
    "driver", [rdm6300.DRIVER, wiegand.DRIVER, wedge.DRIVER, poker_stream.DRIVER], ids=lambda d: d.name
)
def test_damaged_talk_leaves_turns_in_order(driver: Driver) -> None:
    chance = Chance(3)
    session = driver.session(defaults(driver, hold_ms=50))
    session.start(at(0))
    wakes = [0]
    for number in range(400):
        now_ns = number * 20 * MS
        line = {"rdm6300": BADGE, "poker-stream": b"1|764FB0F8\r\n"}.get(driver.name, b"04A1B2C3\r\n")
        for turn in (session.received(mutate(line, chance), at(now_ns)), session.due(at(now_ns + 10 * MS))):
            check_turn(turn, now_ns)
            wakes += [turn.wake_ns] if turn.wake_ns else []
    assert len(wakes) > 100 and all(before <= after for before, after in pairwise(wakes))
