"""`tablebridge drivers` and `tablebridge decode` as a person calls them."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rig.captures import DRIVERS
from rig.documents import DOCS

from tablebridge.app.check import check_site
from tablebridge.cli import cli


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tablebridge", *arguments],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )


def objects(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_known_drivers_are_listed_with_how_far_to_trust_them() -> None:
    (listed,) = objects(run("drivers", "--json"))
    assert isinstance(listed, list)
    by_name = {driver["name"]: driver for driver in listed}
    assert {"feig", "line", "template"} <= by_name.keys()
    assert by_name["feig"]["trust"] == "vendor document" and "never" in by_name["feig"]["tested"]
    text = run("drivers").stdout.decode()
    assert "feig: FEIG OBID" in text and "line: " in text
    assert run("drivers", "list").stdout.decode() == text
    assert objects(run("drivers", "list", "--json")) == [listed]


@pytest.mark.parametrize("name", DRIVERS)
def test_a_driver_is_shown_with_its_options_and_lines_that_a_site_file_takes(
    name: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(cli, ["drivers", "show", name])
    assert done.exit_code == 0, done.output
    driver = DRIVERS[name]
    assert all(
        f"    {option} = " in done.output and known.meaning in done.output
        for option, known in driver.options.items()
    )
    lines = (
        done.output.partition("[[table.device]]")[2]
        .replace("VENDOR:PRODUCT", "0c45:7403")
        .replace("HOST:PORT", "h:1")
    )
    site = tmp_path / "site.toml"
    site.write_text(f'state_dir = "{tmp_path}"\n[[table]]\nname = "one"\n[[table.device]]{lines}')
    (device,) = check_site(site).tables[0].devices
    assert device.driver == name and bool(device.antennas) == bool(driver.antennas)


def test_a_command_that_is_mistyped_is_answered_with_the_nearest() -> None:
    done = run("drivrs")
    assert done.returncode == 2 and b"No such command 'drivrs': did you mean drivers?" in done.stderr


def test_the_table_of_drivers_is_what_they_say_of_themselves() -> None:
    page = (DOCS / "drivers.md").read_text(encoding="utf-8")
    made = runpy.run_path(str(DOCS / "drivers.py"))["text"]()
    assert page == made, "run: python docs/drivers.py"
    assert all(f"| `{name}` | {driver.title} |" in page for name, driver in DRIVERS.items())


def test_bytes_are_told_one_object_a_line(tmp_path: Path) -> None:
    frame = "11 00 B0 00 01 03 00 E0 16 80 FF 08 00 50 24 80 75"
    tag = {"kind": "tag", "uid": "E01680FF08005024", "antenna": 0}
    assert objects(run("decode", "feig", "--hex", frame)) == [tag]
    (tmp_path / "raw").write_bytes(bytes.fromhex(frame) + bytes.fromhex("0600B0015C62"))
    told = objects(run("decode", "feig", str(tmp_path / "raw")))
    assert told == [tag, {"kind": "rejected", "reason": "checksum", "raw": "0600B0015C62"}]
    assert objects(run("decode", "line", "-", stdin=b"v1,57,8031,k,3,1,17*4BD6\n")) == [
        {"kind": "button", "contact": 3, "pressed": True}
    ]
    (empty,) = objects(run("decode", "feig", "--hex", "06 00 B0 01 5C 63"))
    assert (empty["kind"], empty["tags"]) == ("sweep", [])


def test_bytes_are_taken_in_every_form(tmp_path: Path) -> None:
    frame = "11 00 B0 00 01 03 00 E0 16 80 FF 08 00 50 24 80 75"
    tag = [{"kind": "tag", "uid": "E01680FF08005024", "antenna": 0}]
    for text in (
        frame.replace(" ", ":").lower(),
        "0x" + frame.replace(" ", " 0x"),
        "0x" + frame.replace(" ", ""),
        frame.replace(" ", "\r\n") + "\n",
        "\\x" + frame.replace(" ", "\\x"),
    ):
        assert objects(run("decode", "feig", "--hex", text)) == tag, text
    assert objects(run("decode", "feig", stdin=bytes.fromhex(frame))) == tag
    assert objects(run("decode", "feig", "-", stdin=frame.replace(" ", "\n").encode())) == tag
    (tmp_path / "dump.hex").write_text(frame.replace(" ", ""))
    assert objects(run("decode", "feig", str(tmp_path / "dump.hex"))) == tag
    said = {"ms": 4.251, "direction": "rx", "hex": frame.replace(" ", "")}
    (tmp_path / "capture.jsonl").write_text(
        '{"ms":0.0,"direction":"tx","hex":"07FFB001001C56"}\n' + json.dumps(said)
    )
    assert objects(run("decode", "feig", str(tmp_path / "capture.jsonl"))) == tag
    (tmp_path / "readings.jsonl").write_text('{"kind":"button","contact":1}\n')
    assert objects(run("decode", "simulator", str(tmp_path / "readings.jsonl"))) == [
        {"kind": "button", "contact": 1, "pressed": True}
    ]
    for nothing in (("--hex", ""), ("-",)):
        assert objects(run("decode", "feig", *nothing)) == []


def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "dump.hex").write_text("xyz")
    for arguments, sentence in (
        (("decode", "feig", "--hex", "xyz"), "pairs of the digits"),
        (("decode", "feig", "-", "--hex", "00"), "either by --hex or as a FILE"),
        (("decode", "feig", str(tmp_path / "dump.hex")), "pairs of the digits"),
        (("decode", "feig", "nowhere"), "does not exist"),
        (("decode", "fieg", "--hex", "00"), "No driver is called 'fieg'"),
    ):
        done = run(*arguments)
        assert done.returncode == 2 and sentence in done.stderr.decode()
        assert b"Traceback" not in done.stderr
