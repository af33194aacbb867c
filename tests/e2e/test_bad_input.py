"""A file, a folder or a port that is wrong is one clear sentence and exit status 2, whichever command meets
it first.
"""

import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from rig.ports import free_port

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.journal.store import Journal

SITE = """\
name = "hall"
state_dir = "{folder}"
[broker]
port = {broker}
[web]
port = {web}
[[table]]
name = "one"
rulebook = "tda-2022"
game = "nlhe"
seats = "1-3"
  [[table.device]]
  name = "board"
  driver = "line"
  port = "/dev/null"
  antennas = {{ 1 = "seat 1", 2 = "board" }}
  options = {{ settle_s = 0.0 }}
"""
ALL = ("site check", "run", "engine", "web", "drive")
AT_START = ("site check", "run")


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def site(
    folder: Path, *change: tuple[str, str], broker: int = 0, web: int = 0, state_dir: Path | None = None
) -> Path:
    text = SITE.format(folder=state_dir or folder, broker=broker or free_port(), web=web or free_port())
    for old, new in change:
        assert old in text
        text = text.replace(old, new)
    path = folder / "site.toml"
    path.write_text(text)
    return path


def said(command: str, path: Path) -> str:
    """What the command says on standard error as it ends with status 2: one line, without a traceback."""
    words = {
        "site check": ["site", "check", str(path)],
        "drive": ["drive", "board", "--site", str(path)],
        "token": ["token", "add", "floor", "Anna", "--site", str(path)],
    }.get(command, [command, "--site", str(path)])
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2, (command, done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1, (command, done.stderr)
    return done.stderr.removeprefix("tablebridge: ").strip()


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence", "commands"),
    [
        ("rulebook", "rulebok", 9, "table[1].rulebok: there is no such key; did you mean rulebook?", ALL),
        ("[web]", "[web", 5, "this is not TOML", AT_START),
        ("[web]", "[wep]", 5, "wep: there is no such key; did you mean web?", AT_START),
        ('1 = "seat 1"', '1 = "seat 1", 01 = "seat 2"', 16, "antenna 1 stands here a second time", AT_START),
        (
            '1 = "seat 1"',
            '1 = ["seat 1", "seat 2"]',
            16,
            "antennas.1: this is a text; write it between quotes",
            AT_START,
        ),
        ('1 = "seat 1"', '1 = "seet 1"', 16, "no place is called 'seet 1'", AT_START),
        ('driver = "line"', 'driver = "line"\n  port = "/dev/zero"', 16, "a second time; keep one", AT_START),
        (
            'driver = "line"',
            'driver = "lime"',
            14,
            "No driver is called 'lime': did you mean line?",
            (*AT_START, "drive"),
        ),
        (
            "settle_s = 0.0",
            "settle = 0.0",
            17,
            "no option 'settle': did you mean settle_s?",
            (*AT_START, "drive"),
        ),
        (
            "settle_s = 0.0",
            'settle_s = "no"',
            17,
            "'settle_s' of the driver line is a number",
            (*AT_START, "drive"),
        ),
        (
            "tda-2022",
            "tda2022",
            9,
            "there is no rulebook 'tda2022'; did you mean tda-2022?",
            (*AT_START, "engine"),
        ),
        ("nlhe", "nlh", 10, "there is no game 'nlh'; did you mean nlhe?", (*AT_START, "engine")),
    ],
)
def test_a_wrong_site_file_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, sentence: str, commands: tuple[str, ...]
) -> None:
    path = site(tmp_path, (old, new))
    for command in commands:
        told = said(command, path)
        assert told.startswith(f"{path}:{line}: ") and sentence in told, command


def test_two_devices_of_one_name_are_named(tmp_path: Path) -> None:
    path = site(tmp_path)
    path.write_text(
        path.read_text() + '  [[table.device]]\n  name = "board"\n  driver = "feig"\n  port = "/dev/zero"\n'
    )
    for command in AT_START:
        assert "two devices are called 'board'" in said(command, path)


def test_a_device_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = site(tmp_path, ('name = "board"', 'name = "bored"'))
    assert said("drive", path) == "No device is called 'board' in the site file: did you mean bored?"


def test_a_tag_on_two_cards_is_named(tmp_path: Path) -> None:
    decks = tmp_path / "decks"
    decks.mkdir()
    (decks / "red.toml").write_text(
        'name = "red"\n[cards]\nAh = "E0040150ABCD0001"\nAs = "E0040150ABCD0001"\n'
    )
    path = site(tmp_path)
    with EmbeddedBroker(tmp_path, site="hall", devices={"board": "one"}):
        for command in (*AT_START, "engine"):
            told = said(command, path)
            assert told.startswith(f"{decks / 'red.toml'}:4: ") and "this tag is on line 3 already" in told
            assert "E0040150" not in told, "a tag beside its card"


def test_a_site_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    for command in ALL:
        assert "cannot be read (No such file or directory)" in said(command, tmp_path / "none.toml")
    (tmp_path / "site.toml").write_bytes(b"\xff\xfe")
    assert "this is not UTF-8 text" in said("run", tmp_path / "site.toml")


def test_a_state_dir_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    path = site(tmp_path, state_dir=file)
    for command in ("run", "token"):
        assert "set state_dir to a folder that may be written" in said(command, path)
    for command in ("engine", "web", "drive"):
        assert str(file) in said(command, path)


def test_ports_that_are_taken(tmp_path: Path, taken: int) -> None:
    path = site(tmp_path, web=taken)
    with EmbeddedBroker(tmp_path, site="hall", devices={"board": "one"}):
        for command in ("run", "web"):
            assert f"The pages cannot listen on 127.0.0.1:{taken}" in said(command, path)
    told = said("run", site(tmp_path, broker=taken))
    assert f"does not start on port {taken}" in told and "Is another program using the port?" in told


class TestJournal:
    """Whoever opens a journal that is damaged, newer or in use is told which and why, and nothing is written
    to it. For a damaged one a table does not stand still: it is put aside and a new one begun.
    """

    @pytest.fixture
    def path(self, tmp_path: Path) -> Iterator[Path]:
        with EmbeddedBroker(tmp_path, site="hall", devices={"board": "one"}):
            yield site(tmp_path)

    def journal(self, path: Path) -> Path:
        with (
            closing(Journal(path.parent / "journal" / "one.sqlite", "one")) as journal,
            journal.transaction(),
        ):
            for number in range(1, 6):
                journal.record("setup", {"section": number})
        return path.parent / "journal" / "one.sqlite"

    def put_aside(self, path: Path, sentence: str) -> bytes:
        """What an engine keeps of a journal that it finds broken, having said so and begun a new one."""
        engine = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "engine", "--site", str(path)],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert engine.stderr is not None
        deadline = threading.Timer(60, engine.kill)
        deadline.start()
        try:
            line = next(line for line in engine.stderr if "ERROR" in line)
            next(line for line in engine.stderr if "cannot be reached" in line)
        finally:
            deadline.cancel()
            engine.terminate()
            rest = engine.communicate(timeout=60)[1]
        assert sentence in line and "a new one is begun" in line, line
        assert engine.returncode == 0 and "Traceback" not in rest, rest
        with closing(Journal(path.parent / "journal" / "one.sqlite", "one")) as new:
            findings = [record.body for record in new.records() if b"journal-broken" in record.body]
        assert len(findings) == 1, "told once"
        (kept,) = path.parent.glob("journal/broken-*/one.sqlite")
        return kept.read_bytes()

    def test_a_flipped_byte(self, path: Path) -> None:
        file = self.journal(path)
        data = bytearray(file.read_bytes())
        data[data.index(b'{"section":3}') + 11] ^= 1
        file.write_bytes(data)
        assert self.put_aside(path, "fails its own verification at record 3") == data, "it was written to"

    def test_a_page_that_is_none(self, path: Path) -> None:
        file = self.journal(path)
        data = bytearray(file.read_bytes())
        data[4096:] = b"x" * (len(data) - 4096)
        file.write_bytes(data)
        assert self.put_aside(path, "is damaged and cannot be read") == data, "it was written to"

    def test_a_newer_schema(self, path: Path) -> None:
        with closing(sqlite3.connect(self.journal(path))) as db, db:
            db.execute("UPDATE about SET value = '999' WHERE name = 'schema'")
        assert "written by a newer tablebridge (schema 999" in said("engine", path)

    def test_another_tables(self, path: Path) -> None:
        self.journal(path).rename(path.parent / "journal" / "two.sqlite")
        other = site(path.parent, ('name = "one"', 'name = "two"'))
        assert "is the journal of table 'one', not of 'two'" in said("engine", other)

    def test_a_second_engine(self, path: Path) -> None:
        with closing(Journal(path.parent / "journal" / "one.sqlite", "one")):
            assert "is being written by another process; stop that one first" in said("engine", path)

    def test_reading_what_is_none(self, tmp_path: Path) -> None:
        for name, content in (("folder #1", None), ("text?.sqlite", "no journal"), ("none.sqlite", "")):
            file = tmp_path / name
            file.mkdir() if content is None else file.write_text(content)
            done = subprocess.run(
                [sys.executable, "-m", "tablebridge", "journal", "verify", str(file)],
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
