"""UHF modules under a tray: logged frames mean what they meant; what lies in the tray is told when it
changes.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.played import Played
from rig.uhf import M100, Mercury, mercury_crc, tag_data

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep, TrayReading
from tablebridge.sdk.testing import Chance, Heard, Link, converse, defaults
from tablebridge_drivers import m100, mercury
from tablebridge_drivers.m100.frames import Frame
from tablebridge_drivers.mercury.frames import Answer, crc, encode_answer

A, B, C = "E28068900000500E88C6A4A7", "30751FEB705C5904E3D50D70", "E200322F" + "00" * 8 + "12345678"


# Frames.


@pytest.mark.parametrize(
    ("frame", "line"),
    [
        (Frame(0, 0x22), "BB 00 22 00 00 22 7E"),
        (Frame(0, 0x27, bytes.fromhex("222710")), "BB 00 27 00 03 22 27 10 83 7E"),
        (
            Frame(0, 0x0C, bytes.fromhex("01000000206000" + B), 0xAA),
            "AA 00 0C 00 13 01 00 00 00 20 60 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 AD DD",
        ),
    ],
)
def test_m100_commands_are_those_of_others(frame: Frame, line: str) -> None:
    assert m100.frames.encode(frame) == bytes.fromhex(line)
    (item,) = m100.decode(bytes.fromhex(line))
    assert isinstance(item, Rejected) and item.reason is Reason.UNEXPECTED


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E", Sweep(0, (B,))),
        ("AA 02 22 00 11 C7 30 00 E2 80 68 90 00 00 50 0E 88 C6 A4 A7 11 9B 29 DD", Sweep(0, (A,))),
        ("BB 01 FF 00 01 15 16 7E", Sweep(0, ())),
        ("BB 01 FF 00 01 17 18 7E", DeviceStatus("degraded", "failure 17: unknown command")),
        (
            "BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 92 7E",
            DeviceStatus("identified", "UHF module M100 26dBm V1.0"),
        ),
        # A short EPC in which both end bytes occur.
        ("BB 02 22 00 09 C9 10 00 7E DD BB AA 00 00 C6 7E", Sweep(0, ("7EDDBBAA",))),
    ],
)
def test_m100_frames(line: str, said: Reading) -> None:
    assert m100.decode(bytes.fromhex(line)) == (said,)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 22 7E", Reason.CHECKSUM),
        ("BB 01 FF 00 01 15 17 7E", Reason.CHECKSUM),
        ("BB 01 FF 00 01 15 16 DD", Reason.CHECKSUM),
        ("BB 01 FF 00 01 15", Reason.TOO_SHORT),
        ("BB 05 FF 00 01 15 1A 7E", Reason.UNKNOWN_TYPE),
        ("BB 01 FF 40 01 15 16 7E", Reason.TOO_LONG),
        ("11", Reason.NOISE),
        ("BB 02 22 00 05 C9 00 00 00 00 F2 7E", Reason.TOO_SHORT),
        ("BB 02 22 00 08 C9 00 00 00 01 02 00 00 F8 7E", Reason.IMPOSSIBLE_VALUE),
    ],
)
def test_wrong_m100_frames_are_rejected_and_nothing_else(line: str, reason: Reason) -> None:
    found = m100.decode(bytes.fromhex(line))
    assert found and all(isinstance(item, Rejected) for item in found)
    assert isinstance(found[0], Rejected) and found[0].reason is reason


@pytest.mark.parametrize(
    ("opcode", "data", "line"),
    [
        (0x04, "", "FF 00 04 1D 0B"),
        (0x03, "", "FF 00 03 1D 0C"),
        (0x97, "02", "FF 01 97 02 4B BF"),
        (0x93, "0005", "FF 02 93 00 05 51 7D"),
        (0x61, "01", "FF 01 61 01 BD BC"),
        (0x21, "03E8", "FF 02 21 03 E8 D5 09"),
        (
            0x2F,
            "00000122000005072210001B03E801FF",
            "FF 10 2F 00 00 01 22 00 00 05 07 22 10 00 1B 03 E8 01 FF DD 2B",
        ),
        (0x2F, "000002", "FF 03 2F 00 00 02 5E 86"),
    ],
)
def test_mercury_requests_are_those_of_others(opcode: int, data: str, line: str) -> None:
    assert mercury.frames.encode(opcode, bytes.fromhex(data)) == bytes.fromhex(line)


VERSION = DeviceStatus("identified", "Mercury module, hardware 01.00.00.03, firmware 01.07.02.09 of 20141007")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("FF 14 04 00 00 07 10 23 00 01 00 00 03 20 14 10 07 01 07 02 09 00 00 00 10 52 51", VERSION),
        ("FF 14 03 00 00 07 10 23 00 01 00 00 03 20 14 10 07 01 07 02 09 00 00 00 10 5B D1", VERSION),
        ("FF 00 97 00 00 77 9E", DeviceStatus("ok", "answer to 97")),
        ("FF 00 93 00 00 37 1A", DeviceStatus("ok", "answer to 93")),
        ("FF 03 61 00 00 01 01 00 21 5B", DeviceStatus("ok", "answer to 61")),
        (
            "FF 0E 21 00 00 E2 00 32 2F E2 0D F9 31 13 28 B7 E3 D1 00 AA D0",
            Sweep(0, ("E200322FE20DF9311328B7E3",)),
        ),
        (
            "FF 28 22 00 00 10 00 1B 01 FF 01 01 C4 11 0E 16 40 00 00 01 27 00 00 05 00 00 0F 00 80 30 "
            "00 00 00 00 00 00 00 00 00 00 00 15 45 E9 4A 56 1D",
            Sweep(1, ("000000000000000000001545",)),
        ),
    ],
)
def test_mercury_answers(line: str, said: Reading) -> None:
    assert mercury.decode(bytes.fromhex(line)) == (said,)


def test_the_record_of_a_stream_tells_strength_and_antenna() -> None:
    record = bytes.fromhex(
        "10001B01FF0101C4110E16400000012700000500000F008030000000000000000000000015 45E94A"
    )
    assert mercury.frames.read_record(record) == mercury.frames.Seen("000000000000000000001545", 1, -60)


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (bytes.fromhex("FF 00 97 00 00 77 9F"), Reason.CHECKSUM),
        (bytes.fromhex("FF 00 97 00 00 77"), Reason.TOO_SHORT),
        (bytes.fromhex("FF FE 97"), Reason.TOO_LONG),
        (b"M6e", Reason.NOISE),
        (bytes.fromhex("FF 00 03 1D 0C"), Reason.UNEXPECTED),
        (encode_answer(Answer(0x22, 0, bytes(12))), Reason.TOO_SHORT),
        (encode_answer(Answer(0x22, 0, bytes(30))), Reason.UNKNOWN_TYPE),
        (
            encode_answer(
                Answer(0x22, 0, bytes.fromhex("10001B01FF0101C4110E16400000012700000500000F00803000"))
            ),
            Reason.TOO_SHORT,
        ),
        (
            encode_answer(
                Answer(0x22, 0, bytes.fromhex("10001B01FF0101C4110E16400000012700000500000F0008300011"))
            ),
            Reason.TOO_LONG,
        ),
        (encode_answer(Answer(0x21, 0, b"\1")), Reason.TOO_SHORT),
        (encode_answer(Answer(0x21, 0, bytes(5))), Reason.IMPOSSIBLE_VALUE),
    ],
)
def test_wrong_mercury_answers_are_rejected_and_nothing_else(frame: bytes, reason: Reason) -> None:
    found = mercury.decode(frame)
    assert found and all(isinstance(item, Rejected) for item in found)
    assert isinstance(found[0], Rejected) and found[0].reason is reason


def test_the_crc_of_mercury_modules() -> None:
    assert crc(b"123456789") == 0xA69D and crc(b"\0\3") == 0x1D0C


@given(st.binary(min_size=2, max_size=300))
def test_the_quick_crc_is_the_slow_one(data: bytes) -> None:
    assert crc(data).to_bytes(2, "big") == mercury_crc(data)


@given(st.binary(min_size=1, max_size=31).map(lambda half: (half + half).hex().upper()))
def test_an_epc_of_any_length_is_read(epc: str) -> None:
    assert m100.decode(M100(epc)(bytes.fromhex("BB00220000227E"))) == (Sweep(0, (epc,)),)


# Conversations.


def stream(module: Mercury, seconds: float) -> list[tuple[int, Callable[[], bytes]]]:
    """The module speaks four times a second."""
    return [(ms, module.speak) for ms in range(0, int(seconds * 1000), 250)]


def talk(
    module: M100 | Mercury, seconds: float = 4.0, link: Link | None = None, happens: Any = (), **options: Any
) -> Heard:
    driver = m100.DRIVER
    if isinstance(module, Mercury):
        driver, options = mercury.DRIVER, {"region": "EU3", **options}
    own = stream(module, seconds) if isinstance(module, Mercury) else []
    peer = Played(module, sorted([*own, *happens], key=lambda one: one[0]))
    return converse(driver.session(defaults(driver, **options)), peer, seconds, link)


def trays(heard: Heard) -> list[TrayReading]:
    return [reading for reading in heard.readings if isinstance(reading, TrayReading)]


MODULES: list[Callable[..., Any]] = [M100, Mercury]


@pytest.mark.parametrize("make", MODULES)
def test_a_tray_is_told_when_it_changes(make: Callable[..., Any]) -> None:
    module = make()

    def put(*tags: str) -> Callable[[], bytes]:
        return lambda: module.put(*tags) or b""

    heard = talk(module, 15, happens=[(3000, put(A, B, C)), (8000, put(B))])
    assert isinstance(heard.readings[0], DeviceStatus) and heard.readings[0].state == "identified"
    assert trays(heard) == [TrayReading(), TrayReading(tuple(sorted((A, B, C)))), TrayReading((B,))]
    assert heard.rejected == [] and len(heard.alive_ns) > 30


@pytest.mark.parametrize("make", MODULES)
def test_tags_are_told_as_sweeps_of_antennas_where_that_is_wanted(make: Callable[..., Any]) -> None:
    heard = talk(make(A), 8, report="antenna")
    sweeps = {reading for reading in heard.readings if isinstance(reading, Sweep)}
    assert sweeps == ({Sweep(0, (A,))} if make is M100 else {Sweep(0, ()), Sweep(1, (A,))})


@pytest.mark.parametrize(
    ("tag", "epc"),
    [
        ("3200 0001 E2801190A503006011223344 0000", "E2801190A503006011223344"),
        ("3200 8001 0002 E2801190A503006011223344 0000", "E2801190A503006011223344"),
        ("3000 0001E2801190A503006011223344 0000", "0001E2801190A503006011223344"),
    ],
)
def test_words_of_control_are_no_part_of_an_epc(tag: str, epc: str) -> None:
    """XPC_W1 follows a PC that has 0200, XPC_W2 an XPC_W1 that has 8000: `TMR_SR_parseMetadataFromMessage` of
    the vendor's Mercury API, and Gen2 itself.
    """
    sent = bytes.fromhex(tag)
    head = bytes.fromhex("10001B01FF0101 C4 11 0E1640 00000127 0000 05 0000 0F")
    record = head + (len(sent) * 8).to_bytes(2, "big") + sent
    assert mercury.decode(Mercury.frame(0x22, 0, record)) == (Sweep(1, (epc,)),)


def test_antenna_16_is_sent_as_0() -> None:
    """`TMR_SR_postprocessReaderSpecificMetadata`: "due to limited space, antenna 16 wraps around to 0"."""
    assert mercury.decode(Mercury.frame(0x22, 0, Mercury.record(A, 16))) == (Sweep(16, (A,)),)


@pytest.mark.parametrize("make", MODULES)
def test_two_hundred_chips_are_one_tray(make: Callable[..., Any]) -> None:
    chips = tuple(f"E280689000005000000000{n:02X}" for n in range(200))
    assert trays(talk(make(*chips), 5)) == [TrayReading(chips)]


@pytest.mark.parametrize(
    ("module", "options"), [(M100(), {}), (Mercury(), {"reading": "single"}), (Mercury(), {})]
)
def test_a_module_that_fails_is_no_empty_tray(module: Any, options: dict[str, Any]) -> None:
    if isinstance(module, M100):
        module.failure = 0x20
    else:
        module.status = 0x0505
    heard = talk(module, 8, **options)
    assert trays(heard) == []
    assert [r.state for r in heard.readings if isinstance(r, DeviceStatus)] == [
        "identified",
        "degraded",
        "failed",
    ]


def test_the_other_dialect_is_found() -> None:
    assert trays(talk(M100(A, begin=0xAA))) == [TrayReading((A,))]


def test_a_tag_whose_own_crc_does_not_fit_is_rejected() -> None:
    module = M100(A)
    module.wrong_crc = True
    heard = talk(module)
    assert trays(heard) == [] and {item.reason for item in heard.rejected} == {Reason.CHECKSUM}
    assert trays(talk(module, tag_crc=False)) == [TrayReading((A,))]


@pytest.mark.parametrize("options", [{}, {"reading": "single"}, {"region": "NA2", "power_cdbm": 1500}])
@pytest.mark.parametrize("state", [{}, {"booted": False}, {"streaming": True}])
def test_a_mercury_in_any_state_is_brought_to_read(state: dict[str, bool], options: dict[str, Any]) -> None:
    if options.get("reading") == "single" and state:
        state = {"booted": False}
    module = Mercury(A, **state)
    heard = talk(module, 6, **options)
    assert trays(heard) == [TrayReading((A,))]
    assert (0x92 in module.opcodes) is ("power_cdbm" in options)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "FF 00 04 1D 0B",
            "FF 14 04 00 00 07 10 23 00 01 00 00 03 20 14 10 07 01 07 02 09 00 00 00 10 52 51",
        ),
        (
            "FF 00 03 1D 0C",
            "FF 14 03 00 00 07 10 23 00 01 00 00 03 20 14 10 07 01 07 02 09 00 00 00 10 5B D1",
        ),
        ("FF 01 97 02 4B BF", "FF 00 97 00 00 77 9E"),
        ("FF 02 93 00 05 51 7D", "FF 00 93 00 00 37 1A"),
        ("FF 01 61 01 BD BC", "FF 03 61 00 00 01 01 00 21 5B"),
        (
            "FF 02 21 03 E8 D5 09",
            "FF 0E 21 00 00 E2 00 32 2F E2 0D F9 31 13 28 B7 E3 D1 00 AA D0",
        ),
    ],
)
def test_the_emulated_module_answers_a_logged_dialogue_byte_by_byte(asked: str, answer: str) -> None:
    """The README of m5e_rfid, "a connection example": all that was said between a program and an M5e."""
    module = Mercury("E200322FE20DF9311328B7E3", regions=b"\x01\x02", booted=asked.startswith("FF 00 03"))
    if "FF 00" not in asked:
        module.booted, module.region, module.antenna = True, 2, 1
    assert module(bytes.fromhex(asked)) == bytes.fromhex(answer)


def test_a_new_module_is_set_up_as_others_do_it() -> None:
    """SparkFun's library for the Nano: `setRegion`, `setAntennaPort`, `disableReadFilter`, `startReading`.
    The stream searches the list of antennas (0x1B: configured list), `setAntennaSearchList`.
    """
    module = Mercury(A)
    assert trays(talk(module, 12, region="NA2")) == [TrayReading((A,))]
    assert module.requests[:7] == [
        (0x2F, bytes.fromhex("000002")),
        (0x03, b""),
        (0x97, b"\x0d"),
        (0x93, b"\x00\x05"),
        (0x91, b"\x01\x01"),
        (0x91, b"\x02\x01\x01"),
        (0x9A, b"\x01\x0c\x00"),
    ]


def test_a_module_without_a_region_says_which_it_offers() -> None:
    """The manual of the M5e-Compact: reads are refused until a region is set. Which one the law allows nobody
    but the site knows.
    """
    heard = talk(Mercury(A), 8, region="keep")
    assert trays(heard) == []
    state = [reading for reading in heard.readings if isinstance(reading, DeviceStatus)][-1]
    assert state.state == "degraded" and state.detail == (
        "the module has no region, so it does not read: set region to what the law here allows, of "
        "NA2, NA3, IN, JP, PRC, EU3, KR2, AU, NZ, open"
    )


@pytest.mark.parametrize("module", [Mercury(A, used=True), Mercury(A, regions=b"\x08")])
def test_a_region_that_is_set_is_kept_and_an_only_one_is_taken(module: Mercury) -> None:
    assert trays(talk(module, 8, region="keep")) == [TrayReading((A,))]


def test_a_region_that_the_module_does_not_have_is_said() -> None:
    heard = talk(Mercury(A), 4, region="EU")
    states = [reading.detail for reading in heard.readings if isinstance(reading, DeviceStatus)]
    assert states[-1] == (
        "region, status 010B: no region is set, or the module does not have this one: set region"
    )


@pytest.mark.parametrize("options", [{}, {"reading": "single"}])
def test_a_tray_is_still_full_after_the_module_restarted(options: dict[str, Any]) -> None:
    """It forgets region and antennas, and its read filter is on again: all of it is set again."""
    module = Mercury(A, B)

    def restart() -> bytes:
        module.power_up()
        return b""

    heard = talk(module, 30, happens=[(6000, restart)], **options)
    assert trays(heard)[-1] == TrayReading(tuple(sorted((A, B)))) and module.region == 8
    assert heard.alive_ns[-1] > 28_000_000_000


@pytest.mark.parametrize("options", [{}, {"reading": "single"}])
def test_several_antennas_take_turns(options: dict[str, Any]) -> None:
    module = Mercury(A, ports=2)
    heard = talk(module, 8, antennas=2, report="antenna", **options)
    read = {reading.antenna for reading in heard.readings if isinstance(reading, Sweep) and reading.tags}
    assert read == {1, 2}


def test_an_older_module_without_a_read_filter_reads() -> None:
    assert trays(talk(Mercury(A, filters=False))) == [TrayReading((A,))]


def test_a_stream_that_falls_silent_is_started_again() -> None:
    module = Mercury(A)

    def stop() -> bytes:
        module.streaming = False
        return b""

    heard = talk(module, 10, happens=[(3000, stop)])
    assert module.opcodes.count(0x2F) >= 3 and heard.alive_ns[-1] > 9_000_000_000


@pytest.mark.parametrize("make", MODULES)
@pytest.mark.parametrize("seed", range(2))
def test_a_hostile_line_never_invents_a_tag(make: Callable[..., Any], seed: int) -> None:
    heard = talk(
        make(A, B), 60, Link(Chance(seed), flip=0.002, drop=0.002, double=0.002, cut=0.02, delay_ms=30)
    )
    assert {tag for tray in trays(heard) for tag in tray.tags} == {A, B}
    assert heard.rejected


def test_what_a_tag_sends() -> None:
    assert tag_data(A)[-2:] == bytes.fromhex("119B")
