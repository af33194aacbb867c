"""Pepper C1: the manuals' examples and others' frames, and the sweeps of one antenna and of eight."""

from typing import Any

import pytest
from rig.pepper import Pepper
from rig.played import Played

from tablebridge.sdk import DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.testing import Chance, Heard, Link, converse, defaults
from tablebridge_drivers.pepper import DRIVER
from tablebridge_drivers.pepper.frames import decode, encode

A, B, C = "E004010000000001", "E004010000000002", "E016800000000003"
SAMPLE = "048F7F0A012416E0"


@pytest.mark.parametrize(
    ("payload", "frame"),
    [
        ("01", "F5 03 00 FC FF 01 D1 F1"),
        ("02", "F5 03 00 FC FF 02 B2 C1"),
        ("03 00", "F5 04 00 FB FF 03 00 5C 48"),
        ("03 01", "F5 04 00 FB FF 03 01 7D 58"),
    ],
)
def test_requests_are_the_bytes_that_others_send(payload: str, frame: str) -> None:
    assert encode(bytes.fromhex(payload)) == bytes.fromhex(frame)
    (item,) = decode(bytes.fromhex(frame))
    assert isinstance(item, Rejected) and item.reason is Reason.UNEXPECTED


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ("00 02 01", DeviceStatus("ok", "tags: 1")),
        ("00 91" + SAMPLE + "00 00", Sweep(0, ("E01624010A7F8F04",))),
        ("00 90" + SAMPLE + "00 01", Sweep(0, ("E01624010A7F8F04",), complete=False)),
        ("FF 01 02 01", DeviceStatus("degraded", "command 01 refused, layer 2, error 1")),
        ("00 03 01 20 74 54 12 65", Sweep(0, ("74541265",))),
        ("00 03 24 00" + SAMPLE, Sweep(0, ("E01624010A7F8F04",))),
        ("00 0B 31 2E 31 30", DeviceStatus("identified", "Eccel Pepper C1, firmware 1.10")),
        ("FE 16 01", DeviceStatus("ok", "unasked, command 16: 01")),
    ],
)
def test_answers_of_the_manuals(payload: str, said: Reading) -> None:
    assert decode(encode(bytes.fromhex(payload))) == (said,)


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (encode(bytes.fromhex("0091" + SAMPLE + "0000"))[:-1] + b"\0", Reason.CHECKSUM),
        (encode(bytes.fromhex("0091" + SAMPLE + "0000"))[:-1], Reason.TOO_SHORT),
        (bytes.fromhex("F5 03 00 FC FE 01 D1 F1"), Reason.CHECKSUM),
        (bytes.fromhex("F5 02 00 FD FF FF FF"), Reason.TOO_SHORT),
        (bytes.fromhex("F5 FF 7F 00 80 01 01"), Reason.TOO_LONG),
        (encode(bytes.fromhex("0091" + "11" * 8 + "0000")), Reason.IMPOSSIBLE_VALUE),
        (encode(bytes.fromhex("0091" + SAMPLE + "00")), Reason.TOO_SHORT),
        (encode(bytes.fromhex("0091" + SAMPLE + "000000")), Reason.TOO_LONG),
        (encode(b"\0"), Reason.TOO_SHORT),
        (encode(bytes.fromhex("0003012074")), Reason.TOO_SHORT),
    ],
)
def test_what_is_wrong_is_rejected_and_nothing_else(frame: bytes, reason: Reason) -> None:
    (item,) = decode(frame)
    assert isinstance(item, Rejected) and item.reason is reason


def talk(reader: Pepper, seconds: float = 2.0, link: Link | None = None, **options: Any) -> Heard:
    return converse(DRIVER.session(defaults(DRIVER, **options)), Played(reader), seconds, link)


def sweeps(heard: Heard) -> list[Sweep]:
    return [reading for reading in heard.readings if isinstance(reading, Sweep)]


@pytest.mark.parametrize("tags", [(), (A,), (A, B, C), tuple(f"E0040100000001{n:02X}" for n in range(20))])
def test_any_number_of_tags_is_one_sweep(tags: tuple[str, ...]) -> None:
    made = Pepper()
    made.put(*tags)
    heard = talk(made)
    assert heard.readings[0] == DeviceStatus("identified", "Eccel Pepper C1, firmware 1.10")
    assert set(sweeps(heard)) == {Sweep(0, tags)} and heard.rejected == []


def test_eight_antennas_are_swept_in_turn() -> None:
    made = Pepper(antennas=8)
    made.put(A, port=1)
    made.put(B, C, port=8)
    expected = [Sweep(1, (A,)), *(Sweep(n, ()) for n in range(2, 8)), Sweep(8, (B, C))]
    assert sweeps(talk(made, antennas=8))[:16] == expected * 2


def test_an_antenna_that_is_not_there_is_told_and_the_others_are_swept() -> None:
    made = Pepper(antennas=2)
    made.put(A, port=1)
    heard = talk(made, 6, antennas=3)
    assert {(r.state, r.antenna) for r in heard.readings if isinstance(r, DeviceStatus) and r.antenna} == {
        ("degraded", 3),
        ("failed", 3),
    }
    assert {sweep.antenna for sweep in sweeps(heard)} == {1, 2}


def test_cards_of_iso_14443_are_counted_and_asked_for() -> None:
    made = Pepper()
    made.put("04A1B2C3", "04374BD29C3980")
    assert set(sweeps(talk(made, cards="iso14443"))) == {Sweep(0, ("04374BD29C3980", "04A1B2C3"))}


def test_a_reader_that_polls_by_itself_is_told_not_to() -> None:
    made = Pepper(events=True)
    made.put(A)
    heard = talk(made)
    assert {item.reason for item in heard.rejected} == {Reason.UNEXPECTED} and len(heard.rejected) == 3
    assert set(sweeps(heard)) == {Sweep(0, (A,))}


def test_a_refused_inventory_is_no_empty_place() -> None:
    made = Pepper()
    made.refuses = {0x90}
    heard = talk(made, 5)
    assert sweeps(heard) == []
    assert [r.state for r in heard.readings if isinstance(r, DeviceStatus)] == [
        "identified",
        "degraded",
        "failed",
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_hostile_line_never_invents_a_tag(seed: int) -> None:
    made = Pepper(antennas=2)
    made.put(A, B, port=1)
    link = Link(Chance(seed), flip=0.003, drop=0.003, double=0.003, cut=0.02, delay_ms=30)
    seen = sweeps(talk(made, 90, link, antennas=2))
    assert len(seen) > 30
    assert {sweep for sweep in seen if sweep.complete} == {Sweep(1, (A, B)), Sweep(2, ())}
