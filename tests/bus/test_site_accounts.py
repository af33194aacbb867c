"""`tablebridge site accounts`: what it writes, a real mosquitto takes, and it shows no password to
anybody.
"""

import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

from tablebridge.bus.access import accounts_of
from tablebridge.bus.account import embedded_folder
from tablebridge.bus.client import BusClient
from tablebridge.settings.site import Broker
from tests.bus.conftest import ProductionBroker

SITE = """\
name = "hall"
[[table]]
name = "t1"
[[table.device]]
name = "left"
driver = "line"
port = "/dev/ttyUSB0"
"""
RIGHT = '[[table.device]]\nname = "right"\ndriver = "line"\nport = "/dev/ttyUSB1"\n'


class WithFiles(ProductionBroker):
    """The production broker with the files that the command wrote."""

    def _configure(self) -> list[str]:
        arguments = super()._configure()
        for name in ("users", "acl"):
            shutil.copy(
                self._dir.parent / "mosquitto" / f"tablebridge.{name}", self._dir / f"mosquitto.{name}"
            )
        return arguments


def make(folder: Path) -> str:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tablebridge",
            "site",
            "accounts",
            str(folder / "site.toml"),
            "--mosquitto",
            str(folder / "mosquitto"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout + done.stderr


def test_each_device_gets_an_account_that_mosquitto_takes_and_keeps_its_password(tmp_path: Path) -> None:
    (tmp_path / "mosquitto").mkdir()
    (tmp_path / "site.toml").write_text(SITE)
    said = make(tmp_path)
    before = {path.stem: path.read_text() for path in tmp_path.glob("*.password")}
    assert set(before) == {account.name for account in accounts_of({"left": "t1"})}
    (tmp_path / "site.toml").write_text(SITE + RIGHT)
    said += make(tmp_path)
    after = {path.stem: path.read_text() for path in tmp_path.glob("*.password")}
    assert after.items() > before.items() and set(after) - set(before) == {"dev-right"}
    assert not any(password in said for password in after.values())
    for path in (*tmp_path.glob("*.password"), *(tmp_path / "mosquitto").iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    shutil.copytree(
        tmp_path,
        embedded_folder(tmp_path),
        ignore=lambda folder, names: [name for name in names if not name.endswith(".password")],
    )
    with WithFiles(tmp_path) as broker:
        for name, password in after.items():
            client = BusClient(Broker(port=broker.port), name, name, password)
            deadline = time.monotonic() + 60
            while not client.connected:
                assert time.monotonic() < deadline, name
                client.step(0.05)
            client.close()
