"""What each process asks of the kernel, held against the kernel: by a process of its own, since it lasts."""

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SAYS = """
import ctypes, json, os, resource
from tablebridge import process
process.begin()
mask = os.umask(0)
print(json.dumps({"umask": mask, "core": resource.getrlimit(resource.RLIMIT_CORE),
                  "files": resource.getrlimit(resource.RLIMIT_NOFILE),
                  "dumpable": ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)}))
"""


def said(*limit: int, code: str = SAYS) -> dict[str, object]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit or (1024, 8192))

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, preexec_fn=limited
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_process_makes_private_files_leaves_no_core_and_may_have_many_connections() -> None:
    assert said() == {"umask": 0o077, "core": [0, 0], "files": [4096, 8192], "dumpable": 0}


@pytest.mark.parametrize(("limit", "then"), [((256, 512), [512, 512]), ((5000, 8192), [5000, 8192])])
def test_the_limit_of_files_is_raised_as_far_as_it_may_be_and_never_lowered(
    limit: tuple[int, int], then: list[int]
) -> None:
    assert said(*limit)["files"] == then


@pytest.mark.parametrize("start", [["-m", "tablebridge"], ["-c", "from tablebridge.cli import main; main()"]])
def test_every_command_begins_with_it(start: list[str], tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text(f'state_dir = "{tmp_path / "state"}"\n')
    before = os.umask(0)
    try:
        done = subprocess.run(
            [sys.executable, *start, "token", "add", "floor", "Anna", "--site", str(site)],
            capture_output=True,
            text=True,
            timeout=60,
        )
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    for path in (tmp_path / "state", *(tmp_path / "state").rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    report = tmp_path / "report.json"
    before = os.umask(0)
    try:
        subprocess.run(
            [
                sys.executable,
                *start,
                "doctor",
                "--site",
                str(site),
                "--seconds",
                "0.1",
                "--report",
                str(report),
            ],
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        os.umask(before)
    assert stat.S_IMODE(report.stat().st_mode) == 0o600, "a file that is made by no special means"
