"""Receivers find the same frames whichever way a stream was cut, and whole frames behind garbage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.sdk import Reason, Rejected
from tablebridge.sdk.framing import Frames, Lines, crc_mcrf4xx, each, lrc, xor_sum

CHECK = b"123456789"


def crc_by_bits(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc


def frames() -> Frames:
    """LL data XX: length of the whole frame, 3 to 40, and the exclusive-or of all before."""

    def measure(buffer: bytearray, at: int) -> int | Reason:
        return buffer[at] if 3 <= buffer[at] <= 40 else Reason.NOISE

    return Frames(measure, lambda frame: xor_sum(frame) == 0)


def frame(data: bytes) -> bytes:
    body = bytes((len(data) + 2,)) + data
    return body + bytes((xor_sum(body),))


def test_checksums_have_their_published_check_values() -> None:
    assert crc_mcrf4xx(CHECK) == 0x6F91
    assert xor_sum(CHECK) == 0x31
    assert (sum(CHECK) + lrc(CHECK)) % 256 == 0


@given(st.binary(max_size=80))
def test_the_crc_is_the_one_computed_bit_by_bit(data: bytes) -> None:
    assert crc_mcrf4xx(data) == crc_by_bits(data)


@given(st.lists(st.binary(max_size=30)), st.sampled_from([b"\n", b"\r\n", b"abc"]))
def test_lines_do_not_depend_on_how_the_stream_is_cut(parts: list[bytes], delimiter: bytes) -> None:
    stream = delimiter.join(parts)
    whole = Lines(20, delimiter).feed(stream)
    one_by_one = Lines(20, delimiter)
    assert [item for byte in stream for item in one_by_one.feed(bytes((byte,)))] == whole


def test_a_line_that_is_too_long_is_dropped_up_to_its_end() -> None:
    lines = Lines(4)
    found = lines.feed(b"abcde") + lines.feed(b"fgh\nok\n")
    assert [item if isinstance(item, bytes) else item.reason for item in found] == [Reason.TOO_LONG, b"ok"]


def test_a_line_without_its_end_is_rejected_when_the_device_falls_silent() -> None:
    lines = Lines(20)
    assert lines.feed(b"whole\nhal") == [b"whole"] and lines.pending
    (found,) = lines.silence()
    assert isinstance(found, Rejected) and (found.reason, found.raw) == (Reason.TOO_SHORT, b"hal")
    assert not lines.pending and lines.feed(b"f\n") == [b"f"], "nothing of it is left"


def test_each_takes_either_receiver_and_gives_what_is_cut_short_as_a_reject() -> None:
    told = each(Lines(20), bytes.decode, b"one\ntwo\nthr")
    assert told[:2] == ("one", "two") and isinstance(told[2], Rejected)
    assert [type(one) for one in each(frames(), bytes.hex, frame(b"ab") + b"\x09a")] == [str, Rejected]


@given(st.lists(st.one_of(st.binary(max_size=12), st.binary(min_size=1, max_size=20).map(frame))))
def test_frames_do_not_depend_on_how_the_stream_is_cut(parts: list[bytes]) -> None:
    stream = b"".join(parts)
    whole, cut = frames(), frames()
    expected = whole.feed(stream) + whole.silence()
    assert [item for byte in stream for item in cut.feed(bytes((byte,)))] + cut.silence() == expected


@given(st.lists(st.sampled_from([0, 1, 2, 41, 255])).map(bytes), st.binary(min_size=1, max_size=30))
def test_a_frame_behind_bytes_that_begin_none_is_found_at_once(garbage: bytes, data: bytes) -> None:
    assert frames().feed(garbage + frame(data))[-1] == frame(data)


def test_a_frame_behind_the_head_of_one_that_never_ends_is_found_when_the_line_is_silent() -> None:
    receiver = frames()
    assert receiver.feed(b"\x28" + frame(b"ab")) == []
    cut, whole = receiver.silence()
    assert isinstance(cut, Rejected) and cut.reason is Reason.TOO_SHORT
    assert whole == frame(b"ab")


@pytest.mark.parametrize(
    ("stream", "reason"),
    [(b"\x05ab", Reason.TOO_SHORT), (b"\x00", Reason.NOISE), (b"\x04ab\x00", Reason.CHECKSUM)],
)
def test_a_loss_of_step_is_told_once_with_its_reason(stream: bytes, reason: Reason) -> None:
    receiver = frames()
    found = receiver.feed(stream) + receiver.silence()
    assert [item.reason for item in found if isinstance(item, Rejected)] == [reason]
    assert not receiver.pending
