"""Every driver that comes with tablebridge keeps the contract: on noise, on damaged traffic, in silence."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rig.captures import DRIVERS, said

from tablebridge.sdk.testing import Chance, check_driver, check_pieces, mutate
from tablebridge_drivers.line.lines import (
    Contact,
    DeadAntenna,
    Health,
    Hello,
    Line,
    Shuffler,
    TrayTags,
    Visits,
    encode_line,
)

TAGS = ("E004010000000001", "E004010000000002")
BOARD = b"".join(
    encode_line(Line(seq, 10 * seq, message))
    for seq, message in enumerate(
        (
            Hello("board/1", 2, 2, "power"),
            Visits(1, "+", 2, TAGS),
            Visits(1, "-", 1, TAGS[:1]),
            Visits(2, "=", 3, TAGS),
            Visits(2, "~", 1),
            DeadAntenna(2, "version 00"),
            Contact(1, True, 1),
            Contact(1, False, 2),
            Shuffler(1, "ok", 52),
            TrayTags(1, 2, TAGS[:1]),
            TrayTags(2, 2, TAGS[1:]),
            Health("degraded", "supply"),
        )
    )
)
READER = bytes.fromhex("0600520052AB0600B0015C63 1100B000010300E01680FF080050248075 06006300 8607")
MORE = {"feig": [READER], "line": [BOARD], "blink1": [bytes.fromhex("017600333000000000")]}


@pytest.mark.parametrize("name", DRIVERS)
def test_driver_keeps_the_contract(name: str) -> None:
    """On noise, on what its captures' devices said, damaged and whole, and in silence."""
    heard = said(name)
    check_driver(DRIVERS[name], streams=[b"".join(heard[:12]), *MORE.get(name, [])], rounds=15)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("feig", {"reading": "buffered"}),
        ("feig", {"antennas": 8, "multiplexer": True}),
        ("metratec", {"dialect": "at", "antennas": 2}),
        ("metratec", {"antennas": 4, "multiplex": "automatic", "crc": False}),
        ("metratec", {"antennas": 2}),
        ("pepper", {"antennas": 8}),
        ("pepper", {"cards": "iso14443"}),
        ("pn532", {"let_go": "field"}),
        ("m100", {"report": "antenna"}),
        ("mercury", {"reading": "single"}),
        ("rdm6300", {"hold_ms": 0}),
    ],
)
def test_driver_keeps_the_contract_with_other_options(
    name: str, options: dict[str, bool | int | float | str]
) -> None:
    driver = DRIVERS[name]
    changed = {option: replace(driver.options[option], default=value) for option, value in options.items()}
    other = replace(driver, options={**driver.options, **changed})
    check_driver(other, streams=[b"".join(said(name)[:12])], rounds=5)


@pytest.mark.parametrize("name", DRIVERS)
@settings(max_examples=40)
@given(data=st.data())
def test_a_stream_means_the_same_however_it_is_cut(name: str, data: st.DataObject) -> None:
    part = st.one_of(st.sampled_from(said(name)), st.binary(max_size=40))
    stream = b"".join(data.draw(st.lists(part, max_size=6)))
    check_pieces(DRIVERS[name], stream, Chance(data.draw(st.integers(0, 2**32))))


@pytest.mark.parametrize("name", [name for name, driver in DRIVERS.items() if driver.decode is not None])
def test_no_damaged_frame_raises(name: str) -> None:
    """Flipped bits, lost, doubled and foreign bytes, cut ends: whatever it is then, it is told as a reading
    or a reject.
    """
    decode, frames, chance = DRIVERS[name].decode, [*said(name), *MORE.get(name, [])], Chance(7)
    assert decode is not None
    told: Counter[str] = Counter()
    for number in range(20_000):
        for item in decode(mutate(frames[number % len(frames)], chance)):
            told[type(item).__name__] += 1
    assert told["Rejected"] > 0 and len(told) > 1, told
