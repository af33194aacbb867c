"""The chain of a journal is read beside its engine, by a process that may read it and write nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablebridge.journal.reader import ChainReader
from tablebridge.sim.room.dealt import DealtTable

NOBODY = "65534"
UNIT = Path(__file__).parents[2] / "tablebridge/install/files/tablebridge-uplink.service"
READ = (
    "import sys; from pathlib import Path; from tablebridge.journal.reader import ChainReader; "
    "print(len(ChainReader(Path(sys.argv[1])).after(0, 10_000)))"
)


def test_a_journal_is_read_while_it_is_written_and_a_batch_is_bounded(tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t")
    last = table.deal(1)
    reader = ChainReader(tmp_path / "t.sqlite")
    assert (reader.table, reader.last) == ("t", last)
    assert [row.number for row in reader.after(0, 5)] == [1, 2, 3, 4, 5]
    grown = table.deal(1)
    assert reader.after(last, 1000)[-1].number == grown
    assert not reader.replaced
    reader.close()
    table.close()


def test_a_journal_at_rest_is_opened_again_when_its_engine_starts(tmp_path: Path) -> None:
    DealtTable(tmp_path / "t.sqlite", "t").close()
    reader = ChainReader(tmp_path / "t.sqlite")
    assert reader.last == 0 and not reader.replaced
    table = DealtTable(tmp_path / "t.sqlite", "t")
    table.deal(1)
    assert reader.replaced
    reader.close()
    table.close()


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv of util-linux"
)
def test_the_rights_of_the_unit_are_enough_to_read_and_too_few_to_write(tmp_path: Path) -> None:
    unit = UNIT.read_text()
    assert "\nAmbientCapabilities=CAP_DAC_READ_SEARCH\n" in unit
    assert "\nSecureBits=no-setuid-fixup no-setuid-fixup-locked\n" in unit
    table = DealtTable(tmp_path / "t.sqlite", "t")
    last = table.deal(1)
    bits = ["--securebits", "+no_setuid_fixup,+no_setuid_fixup_locked"]
    right = ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
    user = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
    path = str(tmp_path / "t.sqlite")

    def run(rights: list[str], code: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*user, *rights, sys.executable, "-c", code, path],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert run([*bits, *right], READ).stdout == f"{last}\n"
    assert run([], READ).returncode != 0
    for change in ("open(sys.argv[1], 'ab')", "open(sys.argv[1] + '-wal', 'ab')", "os.remove(sys.argv[1])"):
        assert "PermissionError" in run([*bits, *right], f"import os, sys; {change}").stderr
    table.close()


def test_the_version_is_another_one_after_a_commit_of_somebody_else_and_the_same_before(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.sqlite"
    table = DealtTable(path, "t")
    table.deal(1)
    reader = ChainReader(path)
    first = reader.version
    assert reader.after(0, 1000)
    assert reader.version == first
    table.deal(1)
    assert reader.version != first
    reader.close()
    table.close()
