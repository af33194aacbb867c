"""What a reader stores is read, compared and, if a person wants that, written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rig.feig import Feig
from rig.pty import Pty
from rig.uhf_readers import UhfReader18

from tablebridge.cli import cli
from tablebridge_drivers.feig import stored as feig_stored


@pytest.fixture
def configured(tmp_path: Path) -> Any:
    """Runs the command against a device; gives exit status and output."""

    def run(device: Callable[[bytes], bytes], driver: str, *more: str) -> tuple[int, str]:
        cable = Pty(tmp_path / "reader", device)
        try:
            done = CliRunner().invoke(cli, ["drivers", "configure", driver, "--port", str(cable.link), *more])
            return done.exit_code, done.output
        finally:
            cable.unplug()

    return run


def test_a_reader_in_scan_mode_is_shown_and_put_into_answer_mode(configured: Any) -> None:
    reader = UhfReader18(address=3)
    reader.mode = 1
    status, said = configured(reader, "uhfreader18", "--option", "address=3")
    assert status == 1 and "work mode: scan; needed is answer" in said and "--write" in said
    assert reader.mode == 1
    status, said = configured(reader, "uhfreader18", "--write")
    assert (status, said, reader.mode) == (0, "work mode: answer; stored now.\n", 0)
    assert configured(reader, "uhfreader18") == (0, "work mode: answer; as it is needed.\n")


def test_an_inventory_that_may_take_longer_than_the_driver_waits_is_shortened(configured: Any) -> None:
    reader = Feig()
    assert configured(reader, "feig") == (0, "longest inventory: 400 ms; as it is needed.\n")
    status, said = configured(reader, "feig", "--option", "answer_ms=350")
    assert status == 1 and "needed is at most 200 ms" in said
    before = reader.blocks[1]
    status, said = configured(reader, "feig", "--option", "answer_ms=350", "--write")
    assert (status, said) == (0, "longest inventory: 200 ms; stored now.\n")
    assert reader.blocks[1][6:8] == b"\x00\x02"
    assert before[:6] + before[8:] == reader.blocks[1][:6] + reader.blocks[1][8:]


def test_a_block_is_written_as_somebody_logged_it() -> None:
    """The request that writes block 1 for a reader with inventories of up to 400 ms."""
    options = {"address": 255, "frames": "standard", "answer_ms": 500}
    block = Feig().blocks[1]
    answer = Feig()(feig_stored.STORED[0].ask(options))
    logged = "14 FF 81 81 00 00 08 01 00 05 00 04 00 00 00 00 00 00 31 CA"
    assert feig_stored.STORED[0].write(answer, options) == bytes.fromhex(logged) and len(block) == 14


def test_a_reader_that_says_nothing_and_a_driver_that_knows_nothing_are_said(configured: Any) -> None:
    status, said = configured(lambda data: b"", "uhfreader18")
    assert status == 1 and "no answer: look at power, cable, port and options" in said
    status, said = configured(lambda data: b"", "wedge")
    assert status != 0
