"""`tablebridge decode` never ends in a traceback, whatever the bytes and whoever wrote the driver."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tablebridge.cli.decode import command
from tablebridge.host import registry
from tablebridge.model.errors import ConfigError

BROKEN = """
from tablebridge.sdk import Driver
from tablebridge.sdk.driver import SerialPort

def decode(data):
    return (["no reading"][len(data)],)

DRIVER = Driver(name="broken", title="t", trust="own protocol", source="s", tested="never",
                port=lambda options: SerialPort(9600), session=lambda options: None, decode=decode)
"""


@pytest.fixture
def broken_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A stranger's package with a driver whose decoder fails."""
    (tmp_path / "broken_driver.py").write_text(BROKEN)
    info = tmp_path / "broken_driver-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-driver\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablebridge.drivers]\nbroken = broken_driver:DRIVER\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "broken"
    sys.modules.pop("broken_driver", None)


def test_a_drivers_own_fault_is_said_in_a_sentence(broken_driver: str) -> None:
    done = CliRunner().invoke(command, [broken_driver, "--hex", "01 02 03"])
    assert isinstance(done.exception, ConfigError), done.output
    assert "The driver broken failed on these bytes" in str(done.exception)
    assert "report it to its author" in str(done.exception)


@pytest.mark.parametrize(
    "name", [driver.name for driver in (one.driver for one in registry.listed()) if driver is not None]
)
def test_any_bytes_are_decoded_or_rejected(name: str) -> None:
    rng = Random(name)
    for length in (0, 1, 2, 7, 64, 500):
        done = CliRunner().invoke(command, [name], input=rng.randbytes(length))
        assert done.exception is None or isinstance(done.exception, (SystemExit, ConfigError)), (
            name,
            length,
            done.exception,
        )
