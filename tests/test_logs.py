"""One form of log line, with and without systemd."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablebridge import logs


@pytest.fixture(autouse=True)
def _root_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def test_on_a_terminal_utc_level_name(tmp_path: Path) -> None:
    with (tmp_path / "err").open("w+") as stream:
        logs.start("info", stream, {})
        logging.getLogger("tablebridge.host").warning("reader %s is lost", "left")
        logging.getLogger("tablebridge.host").debug("not shown")
        stream.seek(0)
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARNING tablebridge\.host: reader left is lost\n",
            stream.read(),
        )


def test_in_the_journal_each_line_has_its_priority(tmp_path: Path) -> None:
    with (tmp_path / "err").open("w+") as stream:
        there = os.fstat(stream.fileno())
        logs.start("debug", stream, {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"})
        logging.getLogger("a").error("one\ntwo")
        logging.getLogger("a").info("three")
        stream.seek(0)
        assert stream.read() == "<3>a: one\n<3>two\n<6>a: three\n"
