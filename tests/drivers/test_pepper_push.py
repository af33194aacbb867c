"""Pepper C1 readers that push what they read: both forms of events, several tags, and what ends them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.pepper import frame

from tablebridge.sdk import Reason, Rejected, Sweep
from tablebridge.sdk.conversations.holding import MOST_HELD
from tablebridge.sdk.testing import MS, Heard, at, defaults
from tablebridge_drivers.pepper.pushed import DRIVER, LONGEST_TEXT, decode

A, B = "E01624010A7F8F04", "E0040150954F02B1"


def binary(uid: str) -> bytes:
    """An event as the vendor's emulated reader makes it; ISO 15693 has its lowest byte first."""
    return frame(b"\xfe\x00\x24\x00" + bytes.fromhex(uid)[::-1])


def text(uid: str, antenna: int | None = None, **more: object) -> bytes:
    place = {} if antenna is None else {"antenna": antenna}
    return json.dumps({"type": "uid", "uid": uid, **place, **more}).encode()


def talk(*said: tuple[int, bytes], until_ms: int = 4000, hold_ms: int = 1000) -> Heard:
    """What a session makes of what came at which ms."""
    session, heard = DRIVER.session(defaults(DRIVER, hold_ms=hold_ms)), Heard()
    pieces = dict(said)
    turn = session.start(at(0))
    for now_ms in range(until_ms):
        if now_ms in pieces:
            turn = session.received(pieces[now_ms], at(now_ms * MS))
            heard.add(turn, now_ms * MS)
        elif turn.wake_ns is not None and turn.wake_ns <= now_ms * MS:
            turn = session.due(at(now_ms * MS))
            heard.add(turn, now_ms * MS)
    return heard


def test_tags_lie_there_while_they_are_named_and_go_one_by_one() -> None:
    heard = talk((0, binary(A)), (300, binary(B)), (600, binary(A)), (900, binary(A)))
    assert list(zip(heard.read_ns, heard.readings, strict=True)) == [
        (0, Sweep(0, (A,))),
        (300 * MS, Sweep(0, (B, A))),
        (600 * MS, Sweep(0, (B, A))),
        (900 * MS, Sweep(0, (B, A))),
        (1300 * MS, Sweep(0, (A,))),
        (1900 * MS, Sweep(0, ())),
    ]
    assert heard.rejected == [] and heard.sent == []


def test_a_mux_names_the_antenna_of_each_tag() -> None:
    heard = talk((0, text(A, 3) + b"\r\n" + text(B, 8)), until_ms=1500)
    assert heard.readings == [Sweep(3, (A,)), Sweep(8, (B,)), Sweep(3, ()), Sweep(8, ())]


def test_an_event_that_comes_in_pieces_is_one() -> None:
    whole = text(A, 2, memory='a "}" in a text')
    heard = talk((0, whole[:11]), (20, whole[11:60]), (40, whole[60:]), until_ms=500)
    assert heard.readings == [Sweep(2, (A,))] and heard.rejected == []


def test_an_event_whose_end_never_comes_is_given_up_and_the_next_is_read() -> None:
    heard = talk((0, text(A, 2)[:-1]), (200, text(B, 2)), until_ms=500)
    assert heard.readings == [Sweep(2, (B,))]
    assert [item.reason for item in heard.rejected] == [Reason.TOO_SHORT]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{" + b"[" * LONGEST_TEXT, Reason.TOO_LONG),
        (text("AABBCCDD", -1), Reason.IMPOSSIBLE_VALUE),
        (text("no hex"), Reason.IMPOSSIBLE_VALUE),
        (b'{"type": 1}', Reason.IMPOSSIBLE_VALUE),
        (b'{"type": "uid"}', Reason.TOO_SHORT),
        (text("11" * 8), Reason.IMPOSSIBLE_VALUE),
        (frame(b"\x00\x02\x01"), Reason.UNEXPECTED),
        (frame(b"\xfe\x16\x01"), Reason.UNEXPECTED),
        (frame(b"\x02"), Reason.UNEXPECTED),
        (binary(A)[:-1] + b"\0", Reason.CHECKSUM),
    ],
)
def test_what_names_no_tag_is_rejected(data: bytes, reason: Reason) -> None:
    (item,) = decode(data)
    assert isinstance(item, Rejected) and item.reason is reason


def test_more_tags_than_any_field_powers_are_an_incomplete_sweep() -> None:
    heard = talk((0, b"".join(binary(f"E00401{n:010X}") for n in range(MOST_HELD + 1))), until_ms=1)
    sweeps = [reading for reading in heard.readings if isinstance(reading, Sweep)]
    assert [len(sweep.tags) for sweep in sweeps[-2:]] == [MOST_HELD] * 2
    assert [sweep.complete for sweep in sweeps[-2:]] == [True, False]


@given(st.binary(max_size=60))
def test_no_text_raises(data: bytes) -> None:
    decode(b"{" + data + b"}")
