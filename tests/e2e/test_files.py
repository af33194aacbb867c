"""No other user of the machine may read what `tablebridge run` and `demo` keep, in the middle of a hand least
of all.
"""

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from rig.ports import free_port
from rig.wait import wait_for

pytestmark = pytest.mark.slow

NOBODY = 65534
LINES = ["hand", "dealt", "table 1 As Kd", "table 2 9c 9d"]
SITE = """\
state_dir = "{state}"
[broker]
port = {broker}
[web]
port = {web}
[[table]]
name = "one"
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory(prefix="tablebridge-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def everything(folder: Path) -> list[Path]:
    """Files and folders below; sockets and links to terminals are none."""
    return [path for path in folder.rglob("*") if not path.is_symlink() and (path.is_file() or path.is_dir())]


def opened_by_nobody(paths: list[Path]) -> list[str]:
    """Those that a process of the user nobody can open."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        found = []
        for path in paths:
            try:
                os.close(os.open(path, os.O_RDONLY))
                found.append(str(path))
            except OSError:
                pass
        with os.fdopen(write, "w") as out:
            json.dump(found, out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        found = json.load(told)
    os.waitpid(child, 0)
    return list(found)


def loose(folder: Path) -> list[str]:
    """What others may read below a folder, by the modes and, where we may become somebody else, by trying."""
    paths, found = everything(folder), []
    for path in paths:
        with suppress(FileNotFoundError):  # the broker makes and removes files all the time
            if (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
                found.append(f"{path} {mode:o}")
    return found + (opened_by_nobody(paths) if os.geteuid() == 0 else [])


def start(folder: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tablebridge", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        umask=0o022,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        cwd=folder,
    )


def end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def line(process: "subprocess.Popen[str]", beginning: str) -> str:
    assert process.stdout is not None
    while not (found := process.stdout.readline()).startswith(beginning):
        assert found, "it ended"
    return found


def test_nobody_else_reads_a_file_of_run_during_a_hand(open_folder: Path) -> None:
    state, port = open_folder / "state", free_port()
    for name in ("journal", "log", "outbox"):
        (state / name).mkdir(parents=True)  # as an older version or a hasty hand left them
        (state / name).chmod(0o755)
    (state / "journal" / "one.sqlite").touch(mode=0o644)
    site = open_folder / "site.toml"
    site.write_text(SITE.format(state=state, broker=free_port(), web=port))
    process = start(open_folder, "run", "--site", str(site))
    try:
        operator = line(process, "operator").split("token=")[1].strip()

        def write() -> bool:
            body: dict[str, Any] = {"id": "write-one-hand", "lines": LINES}
            answer = httpx.post(
                f"http://127.0.0.1:{port}/api/tables/one/lines",
                json=body,
                timeout=60,
                headers={"authorization": f"Bearer {operator}"},
            )
            return answer.status_code == 200

        wait_for(write, "a hand is under way", 60)
        journal = b"".join(path.read_bytes() for path in (state / "journal").glob("one.sqlite*"))
        assert b'"As"' in journal or b"As" in journal, "the record holds what nobody may read"
        assert {"journal", "broker", "log"} <= {path.name for path in state.iterdir()}
        assert loose(state) == []
    finally:
        end(process)


def test_nobody_else_reads_a_file_of_demo_during_a_hand(open_folder: Path) -> None:
    process = start(
        open_folder,
        "demo",
        "--no-browser",
        "--speed",
        "max",
        "--level",
        "clean",
        "--seed",
        "7",
        TMPDIR=str(open_folder),
    )
    try:
        line(process, "hand ")
        (folder,) = open_folder.glob("tablebridge-demo-*")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        folder.chmod(0o755)  # what is in it must not lean on the folder
        assert {"journal", "outbox", "decks", "broker", "log"} <= {path.name for path in folder.iterdir()}
        assert (folder / "journal" / "table-1.sqlite-wal").stat().st_size and list(
            folder.glob("outbox/*/*.log")
        )
        assert loose(folder) == []
    finally:
        end(process)
