"""One form of log line, with and without systemd, as text and as JSON; what is never in one; the level."""

import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablebridge import logs
from tablebridge.scrub import scrubbed


@pytest.fixture(autouse=True)
def _root_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    signals = {number: signal.getsignal(number) for number in (signal.SIGUSR1, signal.SIGUSR2)}
    yield
    root.handlers[:], root.level = handlers, level
    for number, handler in signals.items():
        signal.signal(number, handler)


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


SECRET = "tb_Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5"
PLANTED = {
    "token": SECRET,
    "password": "hunter2-of-the-broker",
    "tag": "E0040150ABCD0001",
    "short tag": "04A1B2C3",
    "tag with spaces": "04 A1 B2 C3 D4 E5 F6",
    "face": "As",
    "ten": "Td",
    "sign": "Q♥",
    "spoken": "queen of hearts",
}
FORMS: list[logs.Form] = ["text", "json"]


def plant() -> None:
    """What a careless line, a library or a driver would log."""
    log = logging.getLogger("tablebridge.somewhere")
    log.warning("seat 4 holds %s and %s (%s, %s)", "As", "Td", "Q♥", "queen of hearts")
    log.warning("tags %s, %s and %s", "E0040150ABCD0001", "04A1B2C3", "04 A1 B2 C3 D4 E5 F6")
    log.warning("GET /overlay/main?key=%s, password=%s", SECRET, "hunter2-of-the-broker")
    try:
        try:
            raise KeyError("As E0040150ABCD0001")
        except KeyError as error:
            raise ValueError(f"Td of {SECRET}") from error
    except ValueError:
        log.exception("it failed")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("systemd", [False, True])
def test_no_secret_no_tag_and_no_face_is_in_a_log(tmp_path: Path, form: logs.Form, systemd: bool) -> None:
    with (tmp_path / "err").open("w+") as stream:
        there = os.fstat(stream.fileno())
        environ = {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"} if systemd else {}
        logs.start("debug", stream, environ, form=form)
        plant()
        stream.seek(0)
        text = stream.read()
    for what, planted in PLANTED.items():
        assert not re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", text), what
    assert "KeyError" in text and "ValueError" in text and "test_logs.py" in text, "what failed, and where"
    assert all(line.startswith("<") for line in text.splitlines()) == systemd


def test_what_a_log_needs_is_left_as_it_is() -> None:
    for line in (
        "the broker at 127.0.0.1:18830 is gone (timed out): readings wait in the outbox.",
        "seat-3 is back after 4.2 s",
        "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1.4:1.0-port0 is not there",
        "12 messages on tb/v1/hall/main/obs/reader could not be taken (too-deep); 2026-11-22T14:05:09.123Z",
        "token 4f0c21 was taken back",
    ):
        assert scrubbed(line).replace("(secret)", "4f0c21") == line


def lines(stream: io.StringIO) -> list[dict[str, str]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_json_line_names_its_process_table_and_device() -> None:
    stream = io.StringIO()
    logs.start("info", stream, {}, form="json", origin=logs.Origin("drive", "main", "seat-3"))
    logging.getLogger("tablebridge.host").warning("two\nlines")
    logging.getLogger("tablebridge.app").error("another", extra={"table": "side", "device": "tray"})
    first, second = lines(stream)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "level": "warning",
        "process": "drive",
        "table": "main",
        "device": "seat-3",
        "logger": "tablebridge.host",
        "message": "two\nlines",
        "exception": "",
    }
    assert (second["table"], second["device"], second["level"]) == ("side", "tray", "error")


def test_a_json_line_is_bounded() -> None:
    stream = io.StringIO()
    logs.start("info", stream, {}, form="json")

    def deep(depth: int) -> None:
        if depth:
            deep(depth - 1)
        raise ValueError("x" * 100_000)

    try:
        deep(500)
    except ValueError:
        logging.getLogger("a").exception("y" * 1_000_000)
    (line,) = lines(stream)
    assert len(line["message"]) == logs.LONGEST
    assert len(line["exception"]) <= logs.LONGEST and len(stream.getvalue()) < 3 * logs.LONGEST


def test_a_signal_brings_detail_for_a_while_and_another_ends_it() -> None:
    stream, now = io.StringIO(), [0.0]
    logs.start("warning", stream, {}, monotonic=lambda: now[0])
    log = logging.getLogger("a")
    log.debug("before")
    signal.raise_signal(signal.SIGUSR1)
    log.debug("detail")
    now[0] = logs.DETAIL_S
    log.debug("after an hour")
    signal.raise_signal(signal.SIGUSR1)
    log.debug("again")
    signal.raise_signal(signal.SIGUSR2)
    log.debug("at the end")
    log.warning("a warning")
    assert re.findall(r"a: (.*)", stream.getvalue()) == ["detail", "again", "a warning"]


@pytest.mark.parametrize(
    ("file", "environment", "option", "is_json"),
    [
        ("json", {}, (), True),
        ("json", {}, ("--log-format", "text"), False),
        ("text", {"TABLEBRIDGE_LOG": "json"}, (), True),
        ("text", {"TABLEBRIDGE_LOG": "json"}, ("--log-format", "text"), False),
    ],
)
def test_a_process_takes_the_form_from_the_site_file_the_environment_or_the_option(
    tmp_path: Path, file: str, environment: dict[str, str], option: tuple[str, ...], is_json: bool
) -> None:
    site = tmp_path / "site.toml"
    form = f'log_format = "{file}"'
    site.write_text(f'state_dir = "{tmp_path}"\n{form}\n[broker]\nembedded = false\nport = 1\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "engine", "--site", str(site), *option],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    assert process.stderr is not None
    with process.stderr:
        line = process.stderr.readline()
        process.send_signal(signal.SIGUSR1)
        process.send_signal(signal.SIGUSR2)
        process.terminate()
        assert process.wait(60) == 0, "a signal for the level does not end it"
    assert "the broker at 127.0.0.1:1 cannot be reached" in line
    assert line.startswith('{"time"') == is_json


def test_processes_of_a_room_log_as_the_environment_says() -> None:
    """They have no site file."""
    environment = os.environ | {"TABLEBRIDGE_LOG": "json", "TABLEBRIDGE_DATABASE": "postgresql:///none"}
    command = ["archive", "--server", "nats://127.0.0.1:1"]
    with subprocess.Popen(
        [sys.executable, "-m", "tablebridge", *command], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        line = json.loads(process.stderr.readline())
        process.kill()
    assert (line["process"], line["level"]) == ("archive", "warning") and "not yet: " in line["message"]
    wrong = subprocess.run(
        [sys.executable, "-m", "tablebridge", "archive"],
        capture_output=True,
        text=True,
        env=os.environ | {"TABLEBRIDGE_LOG": "xml"},
        check=False,
    )
    assert wrong.returncode == 2 and "'xml' is not one of 'text', 'json'" in wrong.stderr
