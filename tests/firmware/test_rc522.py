"""Our firmware under MicroPython with emulated RC522 chips, heard by the real `line` session."""

from collections.abc import Callable
from typing import Any

import pytest
from rig.mfrc522 import Mfrc522

from tablebridge.sdk import ButtonPress, DeviceStatus, Sweep

from .conftest import PICO_SPI, Table

FOUR, FOUR_LIKE = "4B219622", "4B219623"
SEVEN, TEN = "04A1B2C3D4E5F6", "0102030405060708090A"


def configuration(chips: int = 2, contacts: int = 0) -> dict[str, Any]:
    return {
        "name": "table-3",
        "spi": PICO_SPI,
        "chips": [{"antenna": n + 1, "chip": "rc522", "spi": 1, "cs": 20 + n} for n in range(chips)],
        "contacts": [{"number": n + 1, "pin": 2 + n} for n in range(contacts)],
    }


def last_sweep(table: Table, antenna: int) -> tuple[str, ...] | None:
    sweeps = [each for each in table.readings if isinstance(each, Sweep) and each.antenna == antenna]
    return sweeps[-1].tags if sweeps else None


def test_hello_names_firmware_board_antennas_and_cause(table: Callable[..., Table]) -> None:
    made = table(configuration(2, 1))
    made.board.spi[1] = {20: Mfrc522(), 21: Mfrc522()}
    made.board.power()
    made.run(50)
    assert made.lines[0].split("*")[0].split(",")[3:] == [
        "h",
        "tablebridge-board/1 table-3 e6614103e7452b2f",
        "2",
        "1",
        "power",
    ], made.board.complaint()
    assert made.lines[0].startswith("v1,0,")


def test_cards_laid_and_taken_reach_the_host(table: Callable[..., Table]) -> None:
    made = table(configuration())
    chips = {20: Mfrc522(), 21: Mfrc522(SEVEN)}
    made.board.spi[1] = chips
    made.board.power()
    made.connect()
    made.run(1000)
    assert last_sweep(made, 1) == ()
    assert last_sweep(made, 2) == (SEVEN,)
    chips[20].lay(FOUR)
    chips[21].lay()
    made.run(200)
    assert last_sweep(made, 1) == (FOUR,)
    assert last_sweep(made, 2) == ()
    assert not made.rejected
    assert made.board.complaint() == ""


@pytest.mark.parametrize("counts_from", ["frame", "byte", "uid"])
def test_every_card_of_several_on_one_antenna_is_read(table: Callable[..., Table], counts_from: str) -> None:
    made = table(configuration(1))
    chip = Mfrc522(counts_from=counts_from)
    made.board.spi[1] = {20: chip}
    made.board.power()
    made.connect()
    for uids in (
        (FOUR, FOUR_LIKE),
        ("00000001", "00000081", "00000003", "80000001"),
        ("FFFFFFFE", "FFFFFFFF", "7FFFFFFF"),
        (FOUR, SEVEN, TEN),
        ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A1B2C0D4E5F6"),
        (TEN, "0102030405060708090B"),
    ):
        chip.lay(*uids)
        made.run(220)
        assert last_sweep(made, 1) == tuple(sorted(uids))


def test_a_damaged_answer_cuts_the_visit_short_and_takes_no_card_away(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    chip = Mfrc522(FOUR)
    made.board.spi[1] = {20: chip}
    made.board.power()
    made.connect()
    made.run(300)
    chip.damage = 12
    made.run(400)
    sweeps = [each for each in made.readings if isinstance(each, Sweep)]
    assert any(not each.complete for each in sweeps)
    assert all(each.tags == (FOUR,) for each in sweeps if each.complete)


def test_a_chip_that_forgets_its_settings_is_set_up_again(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    chip = Mfrc522(FOUR)
    made.board.spi[1] = {20: chip}
    made.board.power()
    made.connect()
    made.run(300)
    chip.reset()
    made.run(1100)
    sweeps = [each for each in made.readings if isinstance(each, Sweep)]
    assert all(each.tags == (FOUR,) for each in sweeps if each.complete)
    assert chip.visits > 5 and sweeps[-1].complete


def test_a_chip_without_wires_is_dead_from_the_start(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    made.board.spi[1] = {20: Mfrc522(version=0xFF)}
    made.board.power()
    made.connect()
    made.run(100)
    (failed,) = (each for each in made.readings if isinstance(each, DeviceStatus) and each.antenna == 1)
    assert failed.state == "failed" and "its version reads FF" in failed.detail


def test_a_chip_without_power_is_dead_until_it_has_power_again(table: Callable[..., Table]) -> None:
    made = table(configuration(2))
    broken, works = Mfrc522(FOUR), Mfrc522(SEVEN)
    made.board.spi[1] = {20: broken, 21: works}
    made.board.power()
    made.connect()
    made.run(500)
    broken.version = 0x00
    made.run(200)
    failed = [each for each in made.readings if isinstance(each, DeviceStatus) and each.antenna == 1]
    assert failed[-1].state == "failed" and "its version reads 00" in failed[-1].detail
    seen = works.visits
    made.run(300)
    assert works.visits > seen + 3
    broken.version = 0x92
    broken.reset()
    made.run(2100)
    works_again = [each for each in made.readings if isinstance(each, DeviceStatus) and each.antenna == 1]
    assert works_again[-1].state == "ok"
    assert last_sweep(made, 1) == (FOUR,)


def test_four_and_twenty_chips_are_all_visited_within_a_second(table: Callable[..., Table]) -> None:
    made = table(configuration(24))
    chips = {20 + n: Mfrc522(f"0400000000{n:02X}80") for n in range(24)}
    made.board.spi[1] = chips
    made.board.power()
    made.connect()
    made.run(1700)
    assert [last_sweep(made, n + 1) for n in range(24)] == [(f"0400000000{n:02X}80",) for n in range(24)]
    assert min(chip.visits for chip in chips.values()) >= 2
    assert not made.rejected


def test_a_contact_that_bounces_is_one_press(table: Callable[..., Table]) -> None:
    made = table(configuration(1, 1))
    made.board.spi[1] = {20: Mfrc522()}

    def bounces(us: float) -> int:
        ms = us / 1000
        if 300 <= ms < 306 or 400 <= ms < 406:
            return int(ms * 2) % 2
        return 0 if 306 <= ms < 400 else 1

    made.board.inputs[2] = bounces
    made.board.power()
    made.connect()
    made.run(700)
    contacts = [each.split("*")[0].split(",")[5:] for each in made.lines if ",k," in each]
    assert contacts[-1] == ["0", "2"] and ["1", "1"] in contacts
    presses = [each.pressed for each in made.readings if isinstance(each, ButtonPress)]
    assert presses[-2:] == [True, False] and presses.count(True) == 1


def test_brown_out_is_a_start_and_nothing_is_taken_for_an_empty_antenna(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    chip = Mfrc522(FOUR)
    made.board.spi[1] = {20: chip}
    made.board.power()
    made.connect()
    made.run(400)
    made.board.cut()
    chip.reset()
    made.run(300)
    made.board.power()
    made.run(1200)
    states = [each.state for each in made.readings if isinstance(each, DeviceStatus)]
    assert "restarted" in states
    assert last_sweep(made, 1) == (FOUR,)
    assert all(each.tags == (FOUR,) for each in made.readings if isinstance(each, Sweep))


def test_cable_out_and_back(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    chip = Mfrc522(FOUR)
    made.board.spi[1] = {20: chip}
    made.board.power()
    made.connect()
    made.run(400)
    made.plugged = False
    chip.lay(SEVEN)
    made.run(600, 100.0)
    made.plugged = True
    made.connect()
    made.run(700)
    assert last_sweep(made, 1) == (SEVEN,)
    assert sum(",h," in each for each in made.lines) >= 2


def test_hostile_bytes_change_nothing(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    made.board.spi[1] = {20: Mfrc522(FOUR)}
    made.board.power()
    made.connect()
    made.run(300)
    made.board.hears += bytes(range(256)) * 8 + b"a0\na65\na999999999999999\n?" + b"x" * 600 + b"\n!servic\n"
    made.run(700)
    assert made.board.resets == 0
    assert made.board.complaint() == ""
    made.board.hears += b"\n?\n"
    made.run(500)
    assert any(",asked*" in each for each in made.lines[-12:])
    assert not made.rejected


def test_a_program_that_hangs_is_restarted_by_the_watchdog(table: Callable[..., Table]) -> None:
    made = table(configuration(1))
    made.board.spi[1] = {20: Mfrc522(FOUR)}
    (made.flash / "main.py").write_text(
        "import machine\nimport time\n"
        "from table import start\n"
        "if machine.reset_cause() == machine.WDT_RESET:\n    start.run()\n"
        "machine.WDT(timeout=8000)\n"
        "while True:\n    time.sleep_ms(50)\n"
    )
    made.board.power()
    made.run(9000)
    assert made.board.resets == 1
    assert ",watchdog*" in made.lines[0]


def test_only_as_many_antennas_as_the_host_wants(table: Callable[..., Table]) -> None:
    made = table(configuration(2))
    chips = {20: Mfrc522(FOUR), 21: Mfrc522(SEVEN)}
    made.board.spi[1] = chips
    made.board.power()
    made.run(200)
    made.board.hears += b"a1\n"
    made.run(100)
    before = chips[21].visits
    made.run(500)
    assert chips[21].visits == before
    assert any(each.split(",")[5] == "1" and ",asked*" in each for each in made.lines if ",h," in each)
