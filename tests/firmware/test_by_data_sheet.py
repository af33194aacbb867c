"""Our drivers on chips that somebody else wrote from the makers' data sheets (`rig.sheets`)."""

from collections.abc import Callable

import pytest
from rig.sheets.mfrc522 import SheetMfrc522
from rig.sheets.pn532 import SheetPn532
from rig.sheets.pn5180 import SheetPn5180

from .conftest import Table
from .test_nxp import ICODE, pn5180, started
from .test_rc522 import FOUR, FOUR_LIKE, SEVEN, TEN, configuration, last_sweep

MANY = (
    (FOUR,),
    (SEVEN,),
    (TEN,),
    (FOUR, FOUR_LIKE),
    ("00000001", "00000081", "00000003", "80000001"),
    ("4B219622", "4B219662", "4B21D662", "4B219623", "4A219622"),
    (FOUR, SEVEN, TEN, "04A1B2C3D4E5F7", "04A1B2C0D4E5F6"),
    (TEN, "0102030405060708090B"),
    (),
)


@pytest.mark.parametrize(("counts", "version"), [("byte", 0x92), ("answer", 0xB2)])
def test_rc522_reads_all_cards_on_a_chip_of_the_data_sheet(
    table: Callable[..., Table], counts: str, version: int
) -> None:
    made = table(configuration(1))
    chip = SheetMfrc522(counts=counts, version=version)
    made.board.spi[1] = {20: chip}
    made.board.power()
    made.connect()
    made.run(300)
    assert made.board.complaint() == ""
    for uids in MANY:
        chip.lay(*uids)
        made.run(300)
        assert last_sweep(made, 1) == tuple(sorted(uids))


@pytest.mark.parametrize("wires", [{"spi": 1, "cs": 20}, {"i2c": 0}])
def test_pn532_reads_up_to_two_cards_on_a_chip_of_the_manual(
    table: Callable[..., Table], wires: dict[str, int]
) -> None:
    chip = SheetPn532(FOUR)
    made = started(table, chip, {"chip": "pn532", **wires})
    for uids in ((FOUR,), (), (SEVEN, FOUR), (TEN,)):
        chip.lay(*uids)
        made.run(500)
        assert last_sweep(made, 1) == tuple(sorted(uids))


@pytest.mark.parametrize(
    "uids",
    [
        (),
        (FOUR,),
        ("4B219622", "4B219662", "4B21D662", "4B219623", "4A219622"),
        ("00000001", "00000081", "00000003", "80000001"),
        (FOUR, SEVEN, TEN, "04A1B2C3D4E5F7"),
        ICODE[:24],
        ("E004015000000001", "E104015000000001", "E004115000000001", FOUR, FOUR_LIKE),
    ],
)
def test_pn5180_reads_all_cards_on_a_chip_of_the_data_sheet(
    table: Callable[..., Table], uids: tuple[str, ...]
) -> None:
    chip = SheetPn5180(*uids)
    made = started(table, chip, pn5180("iso15693", "iso14443"))
    made.run(900)
    assert last_sweep(made, 1) == tuple(sorted(uids))
    assert chip.errors == 0
