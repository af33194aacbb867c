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


@pytest.mark.parametrize(("first", "size"), [(0x30, 12), (0x40, 8), (0x80, 8), (0xC0, 8)])
def test_the_header_of_an_epc_says_its_length(first: int, size: int) -> None:
    """FEDM, `SetSnr_wo_Antenna`: the first two bits, 00 for 96 bits, else 64."""
    epcs = [bytes((first, n)) + bytes(size - 2) for n in (1, 2, 3)]
    read = codes.read_records(
        b"\x04" + b"".join(b"\x06" + epc for epc in epcs) + b"\x03\x00" + bytes.fromhex(UID)
    )
    assert read == codes.Records((*(epc.hex().upper() for epc in epcs), UID))


@pytest.mark.parametrize(
    ("record", "uid"),
    [
        ("00 00 0102030405060708", "0102030405060708"),
        ("01 00 0102030405060708", "0102030405060708"),
        ("05 77 0102030405060708", "0102030405060708"),
        ("07" + "A5" * 19, "A5" * 19),
        ("08 0000 010203040506", "010203040506"),
        ("09 01 0E 3000 E2801190A503006011223344", "E2801190A503006011223344"),
        ("09 01 10 3200 0001 E2801190A503006011223344", "E2801190A503006011223344"),
        ("0A 02 0102030405060708", "0102030405060708"),
        ("0B 06 D0020102030405A6", "D0020102030405A6"),
        ("0C 04 01020304", "01020304"),
        ("10 0102030405060708 11 22 02 3B00", "0102030405060708"),
        ("11 AABBCCDD 0102030405060708", "0102030405060708"),
        ("7F 01 04 01020304", "01020304"),
        ("81 00 08 E004000000000001", "E004000000000001"),
        ("84 01 0E 3000 E200322FE20DF9311328B7E3", "E200322FE20DF9311328B7E3"),
        ("89 01 08 4102030405060708", "4102030405060708"),
    ],
)
def test_records_of_other_transponders_are_read_among_those_of_cards(record: str, uid: str) -> None:
    """Their layout: FEDM, `FEDM_ISOTabItem::SetSnr_wo_Antenna`."""
    card = "0300" + UID
    read = codes.read_records(bytes.fromhex("03" + card + record + card))
    assert read == codes.Records((UID, uid, UID))


def test_a_key_of_a_readers_keyboard_is_no_tag() -> None:
    assert codes.read_records(bytes.fromhex("02 0E0131 0300" + UID)) == codes.Records((UID,))


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (33, "ID ISC.M02.M8"),
        (42, "ID ISC.LR2000"),
        (45, "ID ISC.LR1002"),
        (77, "ID ISC.MR102"),
        (83, "ID CPR40.xx"),
        (84, "ID CPR50.xx or ID CPR.M03"),
        (86, "ID CPR30.xx"),
        (87, "ID CPR52.xx"),
        (88, "ID CPR.04-U"),
        (91, "ID ISC.LRU1002"),
        (92, "ID ISC.LRU1000"),
    ],
)
def test_models_are_those_of_the_vendors_own_list(number: int, name: str) -> None:
    """FEDM_ISC.h, `FEDM_ISC_TYPE_…` and `FEDM_ISC_NAME_…`."""
    assert (
        codes.model_text(bytes((3, 3, 0, 0x44, number, 0, 8)))
        == f"FEIG {name}, firmware 3.3, reads ISO 15693"
    )


def test_a_reader_that_answered_somebody_is_named() -> None:
    """A CPR40, by the answer that somebody logged."""
    (said,) = decode(bytes.fromhex("0D00650003030044530D303309"))
    assert said == DeviceStatus(
        "identified",
        "FEIG ID CPR40.xx, firmware 3.3, reads ISO 14443A, ISO 14443B, Jewel, SR176, SRIx",
    )


@pytest.mark.parametrize(
    ("data", "tags", "reason"),
    [
        ("", 0, Reason.TOO_SHORT),
        ("02 0300" + UID, 1, Reason.TOO_SHORT),
        ("02 0300" + UID + "0300E016", 1, Reason.TOO_SHORT),
        ("01 0300" + UID + "AA", 1, Reason.TOO_LONG),
        ("01 0300" + "11" * 8, 0, Reason.IMPOSSIBLE_VALUE),
        ("01 02" + "11" * 8, 0, Reason.UNKNOWN_TYPE),
        ("01 06" + "11" * 8, 0, Reason.TOO_SHORT),
        ("01 09010E3000E280", 0, Reason.TOO_SHORT),
        ("01 0901023000", 0, Reason.IMPOSSIBLE_VALUE),
        ("01 8400FF" + "11" * 255, 0, Reason.IMPOSSIBLE_VALUE),
    ],
)
def test_malformed_records_are_rejected_with_their_reason(data: str, tags: int, reason: Reason) -> None:
    read = codes.read_records(bytes.fromhex(data))
    assert len(read.tags) == tags
    assert read.fault is not None and read.fault.reason is reason


@given(st.binary(max_size=120))
def test_no_record_raises(data: bytes) -> None:
    codes.read_records(data)
