"""FEIG's buffered read mode and its multiplexers, after the vendor's library; nobody's answers were found."""

from typing import Any

import pytest
from rig.feig import crc
from rig.played import Played

from tablebridge.sdk import DeviceStatus, Reason, Rejected, Sweep
from tablebridge.sdk.testing import Chance, Heard, Link, converse, defaults
from tablebridge_drivers.feig import DRIVER
from tablebridge_drivers.feig.buffered import FETCH, FETCH_OLD, read_buffer

A, B = "E00401500A000001", "E00401500A000002"
CHIP = "3005FB63AC1F3841EC880467"


def record(uid: str, mask: int, kind: int = 0x03) -> bytes:
    """A record of 22 with identifier, time and antenna."""
    raw = bytes.fromhex(uid)
    body = bytes((kind, 0, len(raw))) + raw + bytes(4) + bytes((mask,))
    return (len(body) + 2).to_bytes(2, "big") + body


class Buffered:
    """A long-range reader in its buffered mode; written here by hand. `table`: what it has read, by tag the
    mask of antennas. `model`: its number. `refuses`: the status of every fetch. `echoes`: the line sends
    requests back before the answer.
    """

    def __init__(self, model: int = 45, refuses: int = 0, address: int = 0, *, echoes: bool = False) -> None:
        self.model, self.refuses, self.address, self.echoes = model, refuses, address, echoes
        self.table: dict[str, int] = {}
        self.fetched: list[str] = []
        self.controls: list[int] = []

    def read(self, **tags: int) -> bytes:
        """The reader has read these tags again."""
        self.table.update(tags)
        return b""

    def __call__(self, data: bytes) -> bytes:
        answers = b""
        while len(data) >= 5:
            frame, data = data[: data[0]], data[data[0] :]
            if crc(frame[:-2]) == frame[-2:]:
                self.controls.append(frame[2])
                status, body = self._do(frame[2], frame[3:-2])
                answers += frame if self.echoes else b""
                answer = bytes((len(body) + 6, self.address, frame[2], status)) + body
                answers += answer + crc(answer)
        return answers

    def _do(self, control: int, data: bytes) -> tuple[int, bytes]:
        match control:
            case 0x65:
                return 0, bytes((3, 2, 0, 0, self.model, 0, 8))
            case 0x21 | 0x22 if self.refuses:
                return self.refuses, b""
            case 0x21 | 0x22 if not self.table:
                return 0x92, b""
            case 0x22:
                self.fetched = list(self.table)[: int.from_bytes(data, "big")]
                records = b"".join(record(uid, self.table[uid]) for uid in self.fetched)
                return 0, b"\x31" + len(self.fetched).to_bytes(2, "big") + records
            case 0x21:
                self.fetched = list(self.table)[: data[0]]
                pieces = [b"\x03" + bytes.fromhex(uid) + bytes((self.table[uid],)) for uid in self.fetched]
                return 0, b"\x11" + bytes((len(pieces),)) + b"".join(pieces)
            case 0x32:
                for uid in self.fetched:
                    self.table.pop(uid, None)
                self.fetched = []
        return 0, b""


def talk(reader: Buffered, seconds: float, happens: Any = (), link: Link | None = None, **more: Any) -> Heard:
    options = defaults(DRIVER, reading="buffered", hold_ms=1000, **more)
    return converse(DRIVER.session(options), Played(reader, happens), seconds, link)


@pytest.mark.parametrize(("model", "control"), [(45, 0x22), (41, 0x21)])
def test_tags_lie_on_each_antenna_of_their_mask_and_go(model: int, control: int) -> None:
    reader = Buffered(model)
    again = [(ms, lambda: reader.read(**{A: 0b101, B: 0b10})) for ms in (100, 800, 1500)]
    heard = talk(reader, 4, again)
    sweeps = [each for each in heard.readings if isinstance(each, Sweep)]
    assert sweeps[:3] == [Sweep(1, (A,)), Sweep(3, (A,)), Sweep(2, (B,))]
    assert sorted(sweep.antenna for sweep in sweeps[-3:]) == [1, 2, 3]
    assert all(sweep.tags == () for sweep in sweeps[-3:])
    assert control in reader.controls and 0x32 in reader.controls and 0xB0 not in reader.controls
    assert heard.rejected == []


def test_the_echo_of_a_request_to_its_own_address_is_no_answer() -> None:
    reader = Buffered(address=5, echoes=True)
    heard = talk(reader, 3, [(100, lambda: reader.read(**{A: 1}))], address=5)
    assert Sweep(1, (A,)) in heard.readings
    assert "the line sends requests back (echo)" in {each.detail for each in heard.rejected}
    states = [each.state for each in heard.readings if isinstance(each, DeviceStatus)]
    assert states == ["identified"]


def test_a_reader_that_is_not_in_this_mode_says_so() -> None:
    heard = talk(Buffered(refuses=0x80), 5)
    states = [each.state for each in heard.readings if isinstance(each, DeviceStatus)]
    assert states == ["identified", "degraded", "failed"]
    assert not any(isinstance(each, Sweep) for each in heard.readings)


def test_a_buffer_that_overflowed_is_told() -> None:
    heard = talk(Buffered(refuses=0x93), 1)
    assert DeviceStatus("degraded", "its buffer overflowed: tags were lost") in heard.readings


@pytest.mark.parametrize("seed", range(3))
def test_a_hostile_line_never_invents_a_tag(seed: int) -> None:
    reader = Buffered()
    again = [(ms, lambda: reader.read(**{A: 1, B: 2})) for ms in range(100, 60_000, 400)]
    heard = talk(reader, 60, again, Link(Chance(seed), flip=0.003, drop=0.003, double=0.003, cut=0.02))
    sweeps = {each for each in heard.readings if isinstance(each, Sweep)}
    assert {Sweep(1, (A,)), Sweep(2, (B,))} <= sweeps <= {
        Sweep(1, (A,)), Sweep(1, ()), Sweep(2, (B,)), Sweep(2, ())
    }  # fmt: skip


@pytest.mark.parametrize(
    ("control", "data", "found"),
    [
        # Identifier with AFI and DSFID before it, one block of four bytes, antenna.
        (FETCH, "93 04 0001 0017 03 00 0A 0700" + A + "0001 04 DEADBEEF 02", [((2,), A)]),
        # Identifier of EPC Class 1 Gen 2, antennas with their strength.
        (FETCH, "81 10 0001 001E 84 00 0C" + CHIP + "02 014000000000 044100000000", [((1, 4), CHIP)]),
        # No antenna; what a later firmware adds behind is left out.
        (FETCH, "01 0001 000F 03 00 08" + A + "FFFF", [((0,), A)]),
        (FETCH_OLD, "01 02 06" + CHIP + "03" + A, [((0,), CHIP), ((0,), A)]),
        (FETCH_OLD, "33 01 03" + A + "05 02 0102030405060708 0A0B0C0D 80", [((8,), A)]),
        # Antennas alone: no tag is named.
        (FETCH, "10 0001 0003 01", []),
    ],
)
def test_records_of_the_vendors_library(control: int, data: str, found: list[Any]) -> None:
    assert read_buffer(control, bytes.fromhex(data)) == found


def test_a_record_that_is_cut_is_rejected_and_those_before_it_are_read() -> None:
    whole = b"\x31\x00\x02" + record(A, 1) + record(B, 1)
    for end in range(len(record(A, 1)) + 3, len(whole)):
        first, second = read_buffer(FETCH, whole[:end])
        assert first == ((1,), A)
        assert isinstance(second, Rejected) and second.reason is Reason.TOO_SHORT


class Multiplexed:
    """A reader with a multiplexer of `outputs`, one card on each. `knows`: it hands the command through."""

    def __init__(self, outputs: int, knows: bool = True) -> None:
        self.outputs, self.knows = outputs, knows
        self.output = 0

    def __call__(self, data: bytes) -> bytes:
        control, status, body = data[2], 0, b""
        match control:
            case 0x65 | 0x66:
                body = bytes((3, 2, 0, 0, 44, 0, 8))
            case 0xDD if not self.knows:
                status = 0x80
            case 0xDD if data[3] == 0 and 1 <= data[4] <= self.outputs and data[5] == 0:
                self.output = data[4]
            case 0xDD:
                status = 0x11
            case 0xB0:
                body = b"\x01\x03\x00" + bytes.fromhex(f"E00401500A0000{self.output:02X}")
        answer = bytes((len(body) + 6, 0, control, status)) + body
        return answer + crc(answer)


def multiplexed(reader: Multiplexed) -> Heard:
    options = defaults(DRIVER, antennas=4, multiplexer=True)
    return converse(DRIVER.session(options), Played(reader), 8)


def test_the_outputs_of_a_multiplexer_are_visited_in_turn() -> None:
    sweeps = [each for each in multiplexed(Multiplexed(4)).readings if isinstance(each, Sweep)]
    assert sweeps[:8] == [Sweep(n, (f"E00401500A0000{n:02X}",)) for n in (1, 2, 3, 4)] * 2


def test_an_output_that_is_not_there_reports_no_card_of_another() -> None:
    heard = multiplexed(Multiplexed(3))
    assert {each.antenna for each in heard.readings if isinstance(each, Sweep)} == {1, 2, 3}
    assert {(each.state, each.antenna) for each in heard.readings if isinstance(each, DeviceStatus)} >= {
        ("degraded", 4),
        ("failed", 4),
    }


def test_a_reader_that_hands_nothing_through_reports_no_card_at_all() -> None:
    heard = multiplexed(Multiplexed(4, knows=False))
    assert not any(isinstance(each, Sweep) for each in heard.readings)
