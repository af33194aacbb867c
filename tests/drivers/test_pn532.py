"""PN532: logged frames mean what they meant; a chip is woken, told its tries, and swept."""

from typing import Any

import pytest
from rig.played import Played
from rig.pn532 import Pn532, frame

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.testing import Chance, Heard, Link, at, converse, defaults
from tablebridge_drivers.pn532 import DRIVER
from tablebridge_drivers.pn532.frames import WAKE_UP, decode, encode

A, B = "507E7A59", "04374BD29C3980"


@pytest.mark.parametrize(
    ("command", "data", "line"),
    [
        (0x14, "01", "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 FF 03 FD D4 14 01 17 00"),
        (0x02, "", "00 00 FF 02 FE D4 02 2A 00"),
        (0x4A, "01 00", "00 00 FF 04 FC D4 4A 01 00 E1 00"),
        (0x00, "31 32 33", "00 00 FF 05 FB D4 00 31 32 33 96 00"),
        (0x32, "05 FF 01 02", "00 00 FF 06 FA D4 32 05 FF 01 02 F3 00"),
        (0x32, "01 00", "00 00 FF 04 FC D4 32 01 00 F9 00"),
        (0x32, "01 01", "00 00 FF 04 FC D4 32 01 01 F8 00"),
        (0x52, "00", "00 00 FF 03 FD D4 52 00 DA 00"),
        (0x60, "FF 01 00", "00 00 FF 05 FB D4 60 FF 01 00 CC 00"),
    ],
)
def test_commands_are_the_bytes_of_others(command: int, data: str, line: str) -> None:
    sent = encode(command, bytes.fromhex(data))
    told = bytes.fromhex(line)
    assert told == (WAKE_UP + sent[2:] if told.startswith(b"\x55") else sent)
    assert decode(sent)[0] == Rejected(Reason.UNEXPECTED, "a command, not an answer", sent[1:-1])


def test_the_first_word_is_the_logged_wake_up() -> None:
    sent = DRIVER.session(defaults(DRIVER)).start(at(0)).send
    assert sent == bytes.fromhex("55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 FF 03 FD D4 14 01 17 00")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("00 00 FF 00 FF 00", DeviceStatus("ok", "acknowledged")),
        ("00 00 FF FF 00 00", DeviceStatus("degraded", "not acknowledged")),
        ("00 00 FF 02 FE D5 15 16 00", DeviceStatus("ok", "command 14 done")),
        ("00 00 FF 06 FA D5 03 32 01 06 07 E8 00", DeviceStatus("identified", "NXP PN532, firmware 1.6")),
        ("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 50 7E 7A 59 2D 00", Sweep(0, ("507E7A59",))),
        ("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 07 8C FC 4F F0 00", Sweep(0, ("078CFC4F",))),
        ("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 24 D3 4F 59 2F 00", Sweep(0, ("24D34F59",))),
        (
            "00 00 FF 11 EF D5 61 01 10 0C 01 00 44 00 07 04 37 4B D2 9C 39 80 B4 00",
            Sweep(0, ("04374BD29C3980",)),
        ),
        ("00 00 FF 03 FD D5 4B 00 E0 00", Sweep(0, ())),
        # Extended, with an ATS; without preamble; with a longer one.
        ("00 00 FF FF FF 00 0E F2 D5 4B 01 01 00 04 28 04 50 7E 7A 59 02 75 96 00", Sweep(0, ("507E7A59",))),
        ("00 FF 03 FD D5 4B 00 E0", Rejected(Reason.TOO_SHORT, "", bytes.fromhex("00FF03FDD54B00E0"))),
        ("00 00 00 00 00 FF 03 FD D5 4B 00 E0 00 00", Sweep(0, ())),
    ],
)
def test_logged_frames(line: str, said: Reading) -> None:
    assert decode(bytes.fromhex(line)) == (said,)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("00 00 FF 01 FF 7F 81 00", Reason.UNEXPECTED),
        ("00 00 FF 00 00 FF D5 11", Reason.IMPOSSIBLE_VALUE),
        ("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 50 7E 7A 59 2E 00", Reason.CHECKSUM),
        ("00 00 FF 0C F3 D5 4B 01 01 11 04 08 04 50 7E 7A 59 2D 22", Reason.CHECKSUM),
        ("00 00 FF 0C F4 D5 4B 01 01", Reason.TOO_SHORT),
        ("11 22", Reason.NOISE),
        (frame(bytes.fromhex("D54B010100040804087E7A59")).hex(), Reason.IMPOSSIBLE_VALUE),
        (frame(bytes.fromhex("D54B01010004080350 7E7A")).hex(), Reason.IMPOSSIBLE_VALUE),
        (frame(bytes.fromhex("D54B020100040804507E7A59")).hex(), Reason.TOO_SHORT),
        (frame(bytes.fromhex("D54B000100")).hex(), Reason.TOO_LONG),
        (frame(bytes.fromhex("D54B")).hex(), Reason.TOO_SHORT),
        (frame(bytes.fromhex("D561011101 00")).hex(), Reason.UNKNOWN_TYPE),
        (frame(bytes.fromhex("0102")).hex(), Reason.UNKNOWN_TYPE),
        (frame(bytes.fromhex("D5")).hex(), Reason.TOO_SHORT),
        ("00 00 FF FF FF 7F 00 81", Reason.TOO_LONG),
    ],
)
def test_what_is_wrong_is_rejected_and_nothing_else(line: str, reason: Reason) -> None:
    found = decode(bytes.fromhex(line))
    assert all(isinstance(item, Rejected) for item in found)
    assert isinstance(found[0], Rejected) and found[0].reason is reason


def test_a_malformed_acknowledgement_is_noise() -> None:
    found = decode(bytes.fromhex("00 00 FF 00 00 D5 00" + "00 00 FF 02 FE D5 15 16 00"))
    assert found[-1] == DeviceStatus("ok", "command 14 done")
    assert all(isinstance(item, Rejected) for item in found[:-1]) and len(found) > 1


def talk(chip: Pn532, seconds: float = 2.0, link: Link | None = None, **options: Any) -> Heard:
    return converse(DRIVER.session(defaults(DRIVER, **options)), Played(chip), seconds, link)


def sweeps(heard: Heard) -> list[Sweep]:
    return [reading for reading in heard.readings if isinstance(reading, Sweep)]


def test_the_chip_is_woken_named_and_swept() -> None:
    heard = talk(Pn532())
    assert heard.readings[0] == DeviceStatus("identified", "NXP PN532, firmware 1.6")
    assert set(sweeps(heard)) == {Sweep(0, ())} and len(sweeps(heard)) > 20 and heard.rejected == []


@pytest.mark.parametrize(("let_go", "command"), [("release", 0x52), ("field", 0x32)])
def test_a_card_is_listed_again_though_the_chip_keeps_it_selected(let_go: str, command: int) -> None:
    chip = Pn532(A)
    heard = talk(chip, let_go=let_go)
    assert set(sweeps(heard)) == {Sweep(0, (A,))} and len(sweeps(heard)) > 20
    assert chip.commands.count(command) > 20


def test_a_card_that_a_release_has_halted_is_still_swept() -> None:
    """By default the field goes off and on, as ESPHome's pn532.cpp and nfcpy have it."""
    heard = talk(Pn532(A, halts=True))
    assert set(sweeps(heard)) == {Sweep(0, (A,))} and len(sweeps(heard)) > 20


def test_bytes_at_a_wrong_speed_are_shown_as_they_came() -> None:
    """What somebody's adapter said (libnfc, issue 355)."""
    came = bytes.fromhex("98 80 98 80 1e 66")
    assert decode(came) == (Rejected(Reason.NOISE, "", came),)
    whole = bytes.fromhex("0000FF02FED5151600")
    assert decode(came + whole + came[:2]) == (
        Rejected(Reason.NOISE, "", came + b"\0"),
        DeviceStatus("ok", "command 14 done"),
        Rejected(Reason.NOISE, "", b"\0" + came[:2]),
    )


def test_as_many_cards_as_were_asked_for_may_hide_another() -> None:
    assert set(sweeps(talk(Pn532(A, B)))) == {Sweep(0, (B, A), complete=False)}
    assert set(sweeps(talk(Pn532(A), targets=1))) == {Sweep(0, (A,), complete=False)}


def test_a_chip_that_did_not_understand_is_asked_at_once() -> None:
    chip = Pn532(A)
    chip.nack_next = 2
    heard = talk(chip)
    assert len(sweeps(heard)) > 20
    assert [item.reason for item in heard.rejected] == [Reason.TIMEOUT] * 2


def test_an_answer_to_another_command_is_no_empty_place() -> None:
    """A late answer to InRelease holds a zero where an answer to the list of targets has their number."""
    chip, session, now_ns = Pn532(A), DRIVER.session(defaults(DRIVER)), 0
    turn = session.start(at(now_ns))
    while b"\xd4\x4a" not in turn.send:
        turn = session.received(chip(turn.send), at(now_ns))
        now_ns = max(now_ns, turn.wake_ns or 0)
        turn = session.due(at(now_ns))
    late = session.received(frame(bytes.fromhex("D5 53 00")), at(now_ns))
    assert late.readings == () and [item.reason for item in late.rejected] == [Reason.UNEXPECTED]
    assert session.received(chip(turn.send), at(now_ns)).readings == (Sweep(0, (A,)),)


def test_a_random_uid_is_no_card() -> None:
    heard = talk(Pn532("08112233"))
    assert sweeps(heard) == []
    assert {item.reason for item in heard.rejected} == {Reason.IMPOSSIBLE_VALUE}


@pytest.mark.parametrize("seed", range(3))
def test_a_hostile_line_never_loses_a_card_for_good(seed: int) -> None:
    """The sums are of 8 bits, so a wrong UID gets through at times; the right one is read far more often."""
    link = Link(Chance(seed), flip=0.003, drop=0.003, double=0.003, cut=0.02, delay_ms=30)
    seen = sweeps(talk(Pn532(A), 90, link))
    right = sum(sweep == Sweep(0, (A,)) for sweep in seen)
    assert right > 30 and len(seen) - right <= right / 20
