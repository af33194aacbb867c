"""FEIG frames: bytes of real traffic mean what they meant, and every frame survives the way out and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.sdk import DeviceStatus, Reason, Rejected, Sweep
from tablebridge.sdk.framing import Frames
from tablebridge_drivers.feig import codes, decode
from tablebridge_drivers.feig.frames import (
    Answer,
    Request,
    decode_answer,
    decode_request,
    encode_answer,
    encode_request,
    intact,
    measure_answer,
)

CFG1 = bytes.fromhex("81 00 00 08 01 00 05 00 04 00 00 00 00 00 00")
CFG4 = bytes.fromhex("84 00 00 00 00 19 00 00 00 00 00 00 00 00 04")
UID = "E01680FF08005024"


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("07 FF B0 01 00 1C 56", Request(0xB0, b"\x01\x00")),
        ("02 00 09 FF B0 01 00 18 43", Request(0xB0, b"\x01\x00", advanced=True)),
        ("05 FF 63 D3 AE", Request(0x63)),
        ("14 FF 81 81 00 00 08 01 00 05 00 04 00 00 00 00 00 00 31 CA", Request(0x81, CFG1)),
        ("14 FF 81 85 00 00 00 00 00 00 00 00 00 00 00 00 00 00 9B A0", Request(0x81, b"\x85" + bytes(14))),
        ("14 FF 81 84 00 00 00 00 19 00 00 00 00 00 00 00 00 04 C9 39", Request(0x81, CFG4)),
        ("05 FF 65 E5 CB", Request(0x65)),
        ("05 FF 69 89 01", Request(0x69)),
        ("06 FF 6A 01 E4 07", Request(0x6A, b"\x01")),
        ("06 FF 6A 00 6D 16", Request(0x6A, b"\x00")),
    ],
)
def test_requests_are_the_bytes_of_real_traffic(line: str, request_: Request) -> None:
    frame = bytes.fromhex(line)
    assert encode_request(request_) == frame
    assert intact(frame) and decode_request(frame) == request_


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("06 00 B0 01 5C 63", Answer(0xB0, codes.NO_TAG)),
        (
            "11 00 B0 00 01 03 00 E0 16 80 FF 08 00 50 24 80 75",
            Answer(0xB0, codes.OK, bytes.fromhex("010300" + UID)),
        ),
        ("06 00 63 00 86 07", Answer(0x63, codes.OK)),
        ("06 00 81 00 AF DD", Answer(0x81, codes.OK)),
    ],
)
def test_answers_of_real_traffic_are_read(line: str, answer: Answer) -> None:
    frame = bytes.fromhex(line)
    assert Frames(measure_answer, intact).feed(frame) == [frame]
    assert decode_answer(frame) == answer
    assert encode_answer(answer) == frame


def test_a_wrong_crc_is_rejected() -> None:
    (item,) = decode(bytes.fromhex("06 00 B0 01 5C 62"))
    assert isinstance(item, Rejected) and item.reason is Reason.CHECKSUM


def test_what_frames_say_outside_a_conversation() -> None:
    assert decode(bytes.fromhex("06 00 B0 01 5C 63")) == (Sweep(0, ()),)
    assert decode(bytes.fromhex("11 00 B0 00 01 03 00 E0 16 80 FF 08 00 50 24 80 75")) == (Sweep(0, (UID,)),)
    (item,) = decode(encode_answer(Answer(0xB0, codes.RF_WARNING)))
    assert isinstance(item, DeviceStatus) and item.state == "failed"
    (item,) = decode(bytes.fromhex("07 FF B0 01 00 1C 56"))
    assert isinstance(item, Rejected) and item.reason is Reason.UNEXPECTED


bytes_ = st.integers(0, 255)


@given(bytes_, bytes_, st.binary(max_size=400), bytes_, st.booleans())
def test_answers_come_back_as_they_were(
    control: int, status: int, data: bytes, address: int, advanced: bool
) -> None:
    answer = Answer(control, status, data, address, advanced)
    frame = encode_answer(answer)
    assert Frames(measure_answer, intact).feed(frame) == [frame]
    back = decode_answer(frame)
    # What does not fit into a standard frame is sent as an advanced one.
    assert back == Answer(control, status, data, address, advanced or len(data) > 249)


@given(bytes_, st.binary(max_size=400), bytes_, st.booleans())
def test_requests_come_back_as_they_were(control: int, data: bytes, address: int, advanced: bool) -> None:
    back = decode_request(encode_request(Request(control, data, address, advanced)))
    assert back == Request(control, data, address, advanced or len(data) > 250)


@given(
    st.lists(
        st.one_of(
            st.binary(min_size=7, max_size=7).map(
                lambda uid: (bytes((3, 0, 0xE0)) + uid, (b"\xe0" + uid).hex().upper())
            ),
            st.binary(min_size=7, max_size=7).map(lambda uid: (bytes((4, 0, 0)) + uid, uid.hex().upper())),
            st.binary(min_size=10, max_size=10).map(lambda uid: (bytes((4, 4, 0)) + uid, uid.hex().upper())),
        ),
        max_size=40,
    )
)
def test_records_of_all_kinds_are_read_from_one_answer(records: list[tuple[bytes, str]]) -> None:
    read = codes.read_records(bytes((len(records),)) + b"".join(record for record, _ in records))
    assert read == codes.Records(tuple(uid for _, uid in records))


@pytest.mark.parametrize("size", [8, 12])
def test_epc_records_have_one_length(size: int) -> None:
    epcs = [bytes((n,)) * size for n in (1, 2, 3)]
    assert codes.read_records(b"\x03" + b"".join(b"\x06" + epc for epc in epcs)).tags == tuple(
        e.hex().upper() for e in epcs
    )


@pytest.mark.parametrize(
    ("data", "tags", "reason"),
    [
        ("", 0, Reason.TOO_SHORT),
        ("02 0300" + UID, 1, Reason.TOO_SHORT),
        ("02 0300" + UID + "0300E016", 1, Reason.TOO_SHORT),
        ("01 0300" + UID + "AA", 1, Reason.TOO_LONG),
        ("01 0300" + "11" * 8, 0, Reason.IMPOSSIBLE_VALUE),
        ("01 0A" + "11" * 8, 0, Reason.UNKNOWN_TYPE),
        ("02 06" + "11" * 8 + "0300" + UID, 0, Reason.IMPOSSIBLE_VALUE),
    ],
)
def test_malformed_records_are_rejected_with_their_reason(data: str, tags: int, reason: Reason) -> None:
    read = codes.read_records(bytes.fromhex(data))
    assert len(read.tags) == tags
    assert read.fault is not None and read.fault.reason is reason


@given(st.binary(max_size=120))
def test_no_record_raises(data: bytes) -> None:
    codes.read_records(data)
