"""Bad input for the box: a site file of the next version, a process that may open no more files. A sentence
each, and nothing in the state folder has changed.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tablebridge import __version__
from tablebridge.journal.store import Journal
from tablebridge.settings.load import load_site

from .test_bad_input import site

CROWDED = """
import os, resource, sys
free = int(sys.argv[1])
sys.argv = ["tablebridge", *sys.argv[2:]]
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
held = []
try:
    while True:
        held.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
for number in held[:free]:
    os.close(number)
from tablebridge.cli import main
main()
"""
"""tablebridge in a process of 1,024 files that holds all of them open but some."""
PROCESSES = (("engine",), ("web",), ("drive", "board"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and done.stderr.startswith("tablebridge: "), done.stderr
    return done.stderr.removeprefix("tablebridge: ").strip()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A site with a record."""
    Journal(tmp_path / "journal" / "one.sqlite", "one").close()
    return site(tmp_path)


@pytest.mark.parametrize("process", PROCESSES, ids=" ".join)
@pytest.mark.parametrize("free", [1, 2, 3, 4, 8, 60])
def test_a_process_that_may_open_too_few_files_touches_nothing(
    path: Path, process: tuple[str, ...], free: int
) -> None:
    before = contents(path.parent)
    arguments = [sys.executable, "-c", CROWDED, str(free), *process, "--site", str(path)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
    said = sentence(done)
    assert "open files and may have 1024" in said and "LimitNOFILE=" in said
    assert contents(path.parent) == before


@pytest.mark.parametrize("process", PROCESSES, ids=" ".join)
def test_a_site_file_of_the_next_version_is_named_with_its_version(
    path: Path, process: tuple[str, ...]
) -> None:
    text = path.read_text()
    path.write_text(
        f'written_for = "9.1"\n{text}\n[replicas]\nhost = "x"\n'.replace("[web]\n", "[web]\nqueue_s = 4\n")
    )
    before = contents(path.parent)
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", *process, "--site", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = sentence(done).splitlines()
    for line, key in zip(lines, ("web.queue_s", "replicas"), strict=True):
        assert (
            f"{key}: this is not known to tablebridge {__version__}; the file was written for 9.1. Update"
            in line
        )
    assert contents(path.parent) == before


def test_a_newer_file_without_anything_new_is_taken_and_an_older_one_says_what_is_near(path: Path) -> None:
    text = path.read_text()
    path.write_text(f'written_for = "9.1"\n{text}')
    assert load_site(path).written_for == "9.1"
    for version in ("0.0.9", __version__):
        path.write_text(f'written_for = "{version}"\nnmae = "x"\n{text}')
        done = subprocess.run(
            [sys.executable, "-m", "tablebridge", "site", "check", str(path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "nmae: there is no such key; did you mean name" in done.stdout + done.stderr


def test_a_version_that_is_none_is_refused(path: Path) -> None:
    path.write_text(f'written_for = "latest"\n{path.read_text()}')
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", "engine", "--site", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "'latest' is no version; write one such as" in sentence(done)
