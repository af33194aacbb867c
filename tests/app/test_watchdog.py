"""The engine and the pages as systemd runs them: their loops feed the watchdog. Drivers:
tests/host/test_drive.py.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig.wait import wait_for

from tablebridge.bus.broker import EmbeddedBroker

SITE = """
name = "club"
state_dir = "{state}"
[broker]
port = {port}
[web]
port = 0
[[table]]
name = "t1"
"""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker(tmp_path / "state") as broker:
        yield broker


@pytest.mark.parametrize("name", ["engine", "web"])
def test_a_process_at_work_feeds_the_watchdog_again_and_again(
    name: str, broker: EmbeddedBroker, tmp_path: Path
) -> None:
    site = tmp_path / "site.toml"
    site.write_text(SITE.format(state=tmp_path / "state", port=broker.port))
    heard: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)

        def fed() -> int:
            try:
                while True:
                    heard.append(manager.recv(4096).decode())
            except BlockingIOError:
                return heard.count("WATCHDOG=1")

        environ = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000000"}
        process = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", name, "--site", str(site)], env=environ
        )
        try:
            wait_for(lambda: fed() >= 3, f"the {name} feeds the watchdog, again and again", 60)
            assert heard[0].startswith("READY=1"), "fed before it was ready"
            process.terminate()
            wait_for(lambda: fed() >= 0 and "STOPPING=1" in heard, "it says that it stops")
            assert process.wait(60) == 0
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
