"""HID reports as a stream of bytes."""

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.sdk import Reason, Rejected
from tablebridge.sdk.reports import (
    FEATURE,
    GET,
    INPUT,
    OUTPUT,
    REFUSED,
    TAKEN,
    Report,
    Reports,
    encode,
    get,
    inputs,
)
from tablebridge.sdk.testing import Chance, pieces

records = st.lists(
    st.builds(Report, st.sampled_from([FEATURE, GET, INPUT, OUTPUT, REFUSED, TAKEN]), st.binary(max_size=255))
)


@given(records, st.integers(0, 2**32))
def test_records_come_out_as_they_went_in_however_they_are_cut(sent: list[Report], seed: int) -> None:
    cut = Reports()
    stream = b"".join(encode(one.kind, one.data) for one in sent)
    assert [one for piece in pieces(stream, Chance(seed)) for one in cut.feed(piece)] == sent
    assert not cut.pending


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    assert all(isinstance(one, Report | Rejected) for one in Reports().feed(data))
    assert all(isinstance(one, bytes) for one in inputs(data, 8))


def test_noise_is_told_once_and_skipped() -> None:
    first, second = Reports().feed(b"\x00\x01\x02" + encode(TAKEN))
    assert isinstance(first, Rejected) and first.reason is Reason.NOISE
    assert second == Report(TAKEN)


def test_a_feature_report_is_asked_for_by_number_and_length() -> None:
    assert get(100, 8) == b"G\x02\x64\x08"


def test_reports_of_a_person_and_of_a_capture() -> None:
    raw = bytes(range(16))
    assert inputs(raw, 8) == [raw[:8], raw[8:]]
    assert inputs(encode(TAKEN) + encode(INPUT, raw[:8]) + encode(INPUT, raw[8:]), 8) == [raw[:8], raw[8:]]
    assert inputs(raw[:9], 8) == [raw[:9]] and inputs(raw[:7], 8) == [raw[:7]], (
        "a wrong length is the driver's to reject"
    )
    assert inputs(raw + raw[:1], 8) == [raw[:8], raw[8:] + raw[:1]] and inputs(b"", 8) == []
