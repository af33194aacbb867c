"""The emulated reader through a real pseudo-terminal with real pyserial, against frames taken down from real
readers.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tablebridge.model.places import BOARD, MUCK, STUB, seat_place
from tablebridge.sim import obid
from tablebridge.sim.bench import Bench
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.reader import RECORDS, Reader
from tablebridge.sim.table import STUB_DEPTH, Table

INVENTORY = bytes.fromhex("07FFB001001C56")
MORE = bytes.fromhex("07FFB00180")
RESET = bytes.fromhex("05FF698901")
TAG = "E01680FF08005024"


def tags(count: int) -> list[str]:
    return [f"E0040150{number:08X}" for number in range(count)]


class Rig:
    """A bench with one reader on it, and the host's end of its line."""

    def __init__(self, folder: Path, place: str = "seat 1", speed: float | None = None) -> None:
        self.table = Table(LEVELS["clean"], seed=1)
        self.reader = Reader(self.table, place, speed)
        self.table.watch(lambda at: self.reader.touched() if at == place else None)
        self.bench = Bench()
        self.link = folder / "reader"
        self.bench.add("reader", self.link, self.reader)
        self.port = self.open()

    def open(self) -> serial.Serial:
        return serial.Serial(str(self.link), 38400, parity="E", timeout=0.02, exclusive=True)

    def read(self, count: int, seconds: float = 60.0) -> bytes:
        data, deadline = b"", time.monotonic() + seconds
        while len(data) < count and time.monotonic() < deadline:
            data += self.port.read(count - len(data))
        return data

    def ask(self, request: bytes) -> bytes:
        self.port.write(request)
        return self.answer()

    def answer(self) -> bytes:
        head = self.read(1)
        if head == b"\x02":
            head += self.read(2)
            return head + self.read(int.from_bytes(head[1:], "big") - 3)
        return head + self.read(head[0] - 1) if head else b""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    with made.bench:
        yield made
        made.port.close()


def inventory(answer: bytes) -> list[str]:
    """The tags of a standard inventory answer."""
    assert obid.crc(answer[:-2]) == answer[-2:]
    if answer[3] == obid.NO_TAG:
        return []
    records = answer[5:-2]
    assert answer[4] * 10 == len(records)
    return [records[at + 2 : at + 10].hex().upper() for at in range(0, len(records), 10)]


def test_frames_are_those_of_a_real_reader(rig: Rig) -> None:
    assert rig.ask(INVENTORY) == bytes.fromhex("0600B0015C63")
    rig.table.put([TAG], seat_place(1))
    assert rig.ask(INVENTORY) == bytes.fromhex("1100B0000103 00E01680FF080050248075".replace(" ", ""))


def test_a_tag_is_told_once_until_the_field_is_reset_or_it_was_away(rig: Rig) -> None:
    rig.table.put([TAG], seat_place(1))
    assert inventory(rig.ask(INVENTORY)) == [TAG]
    assert inventory(rig.ask(INVENTORY)) == []
    assert rig.ask(RESET)[3] == obid.OK
    assert inventory(rig.ask(INVENTORY)) == [TAG]
    rig.table.take([TAG])
    assert inventory(rig.ask(INVENTORY)) == []
    rig.table.put([TAG], seat_place(1))
    assert inventory(rig.ask(INVENTORY)) == [TAG]


def test_many_tags_come_in_several_answers(tmp_path: Path) -> None:
    rig = Rig(tmp_path, BOARD)
    many = tags(2 * RECORDS + 5)
    with rig.bench:
        rig.table.put(many, BOARD)
        first, second, third = (rig.ask(ask) for ask in (INVENTORY, *[MORE + obid.crc(MORE)] * 2))
        rig.port.close()
    assert [answer[3] for answer in (first, second, third)] == [obid.MORE_DATA, obid.MORE_DATA, obid.OK]
    assert inventory(first) + inventory(second) + inventory(third) == many


def test_an_advanced_request_gets_an_advanced_answer(rig: Rig) -> None:
    answer = rig.ask(bytes.fromhex("020009FFB001001843"))
    assert answer[:3] == b"\x02\x00\x08" and answer[5] == obid.NO_TAG


@pytest.mark.parametrize(
    "wrong",
    [
        bytes.fromhex("07FFB001001C57"),
        bytes.fromhex("03FFB0"),
        b"\x00" * 9,
        bytes.fromhex("020003"),
        b"\x02\x00\x09\xff",
    ],
)
def test_what_fails_its_check_is_not_answered_and_blocks_nothing(rig: Rig, wrong: bytes) -> None:
    rig.port.write(wrong)
    assert rig.read(1, 1.5 * obid.SILENCE_S) == b""
    # A busy machine may see no silence between the bytes and the next request, which is then lost with them.
    answer = next(filter(None, (rig.ask(INVENTORY) for _ in range(3))))
    assert answer[3] == obid.NO_TAG


def test_the_wrong_speed_is_not_answered(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    with rig.bench:
        rig.port.close()
        with serial.Serial(str(rig.link), 9600, parity="E", timeout=0.05) as port:
            port.write(INVENTORY)
            assert port.read(1) == b""
        rig.port = rig.open()
        assert rig.ask(INVENTORY)[3] == obid.NO_TAG
        rig.port.close()


def test_commands_and_refusals(rig: Rig) -> None:
    def ask(text: str) -> bytes:
        body = bytes.fromhex(text)
        return rig.ask(body + obid.crc(body))

    assert ask("06FF5200")[3] == obid.OK
    assert len(ask("05FF65")) == 13 and len(ask("06FF6600")) == 17
    assert ask("05FF77")[3] == obid.UNKNOWN_COMMAND
    assert ask("07FFB00110")[3] == obid.BAD_CONTENT
    rig.table.put([TAG], seat_place(1))
    assert ask("06FF6A00")[3] == obid.OK and inventory(rig.ask(INVENTORY)) == []
    assert ask("06FF6A01")[3] == obid.OK and inventory(rig.ask(INVENTORY)) == [TAG]
    rig.reader.status = obid.RF_WARNING
    assert rig.ask(INVENTORY)[3] == obid.RF_WARNING


def test_unplugging_is_seen_and_the_link_comes_back(rig: Rig) -> None:
    rig.bench.unplug("reader")
    with pytest.raises(serial.SerialException):
        rig.port.read(1)
    assert not rig.link.exists()
    rig.port.close()
    rig.bench.plug("reader")
    rig.port = rig.open()
    assert rig.ask(INVENTORY)[3] == obid.NO_TAG


def test_bytes_are_damaged_on_demand(rig: Rig) -> None:
    rig.bench.damage("reader", "flip", "drop", "double")
    good = bytes.fromhex("0600B0015C63")
    for more in (0, -1, 1):
        rig.port.write(INVENTORY)
        frame = rig.read(len(good) + more)
        assert len(frame) == len(good) + more and frame != good
    assert rig.ask(INVENTORY) == good, "nothing else was said"


def test_at_full_speed_a_quiet_reader_rests_until_its_field_is_touched(rig: Rig) -> None:
    for _ in range(8):
        rig.ask(INVENTORY)
    rig.port.write(INVENTORY)
    rig.table.put([TAG], seat_place(1))
    assert inventory(rig.answer()) == [TAG]


def test_the_stub_shows_only_its_top(tmp_path: Path) -> None:
    rig = Rig(tmp_path, STUB)
    deck = tags(52)
    with rig.bench:
        rig.table.put(deck, STUB)
        assert inventory(rig.ask(INVENTORY)) == deck[-STUB_DEPTH:]
        rig.port.close()


def misses(level: str, seed: int, cards: int) -> float:
    """The share of reads missed over many placements of some cards on one heap."""
    table = Table(LEVELS[level], seed)
    heap = tags(cards)
    missed = 0
    for _ in range(600):
        table.take(heap)
        table.put(heap, MUCK)
        for _ in range(3):
            missed += len(set(heap) - set(table.visit(MUCK)))
    return missed / (600 * 3 * cards)


@pytest.mark.parametrize(
    ("level", "cards", "expected"),
    [
        ("clean", 5, 0.0),
        ("mild", 1, 0.022),
        ("mild", 5, 0.209),
        ("typical", 1, 0.111),
        ("typical", 2, 0.247),
        ("typical", 5, 0.497),
        ("harsh", 1, 0.259),
        ("harsh", 5, 0.661),
    ],
)
def test_misses_grow_with_the_level_and_the_heap(level: str, cards: int, expected: float) -> None:
    assert misses(level, 7, cards) == pytest.approx(expected, abs=0.035)


def test_the_same_seed_reads_the_same() -> None:
    assert misses("harsh", 3, 4) == misses("harsh", 3, 4) != misses("harsh", 4, 4)


def test_a_card_near_the_edge_is_read_by_one_neighbour_only() -> None:
    table = Table(LEVELS["harsh"], 5)
    card, seen = tags(1), {}
    for _ in range(3000):
        table.take(card)
        table.put(card, seat_place(4))
        for seat in (2, 3, 5, 6):
            seen[seat] = seen.get(seat, 0) + len(table.visit(seat_place(seat)))
    assert seen[2] <= 3 and seen[6] <= 3
    assert 3000 * 0.1 * 0.4 * 0.3 < seen[3] < 3000 * 0.1 * 0.4 * 0.8
