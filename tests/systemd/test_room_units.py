"""The units and users of a room's machines, read by systemd's own tools. Nothing is started."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tablebridge.cli.archive import command as archive
from tablebridge.cli.site_web import web
from tablebridge.install.room_files import EXAMPLE, room_files

GIVEN = room_files(EXAMPLE)
UNITS = {"tablebridge-archive@.service": 20, "tablebridge-pages@.service": 20, "tablebridge-nats.service": 20}
"""Unit to the exposure that systemd-analyze may find at most, in tenths."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


@pytest.fixture(params=UNITS)
def unit(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A unit with programs that exist, as an instance if it has any."""
    text = re.sub(r"/opt/tablebridge/bin/[\w-]+", "/bin/true", GIVEN[request.param])
    (tmp_path / request.param).write_text(text)
    instance = tmp_path / request.param.replace("@", "@1")
    instance.write_text(text)
    return instance


@needs_systemd
def test_systemd_has_nothing_to_say_about_a_unit(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"./{unit.name}"],
        cwd=unit.parent,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
def test_exposure_stays_below_the_bound(unit: Path) -> None:
    most = UNITS[unit.name.replace("@1", "@")]
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={most}", "--no-pager", unit.name],
        cwd=unit.parent,
        capture_output=True,
        text=True,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{unit.parent}:"},
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.mark.parametrize("name", UNITS)
def test_no_unit_of_a_room_is_root_has_a_right_or_writes_but_its_own_folder(name: str) -> None:
    text = GIVEN[name]
    for line in (
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "PrivateDevices=yes",
        "IPAddressDeny=any",
        "LimitCORE=0",
        "MemorySwapMax=0",
        "UMask=0077",
        "Restart=always",
        "StartLimitIntervalSec=0",
    ):
        assert f"\n{line}\n" in text, line
    assert "ReadWritePaths" not in text
    assert re.findall(r"^StateDirectory=(.*)$", text, re.M) == (["nats"] if "nats" in name else [])
    user = re.findall(r"^User=(\S+)$", text, re.M)
    assert re.findall(rf"^u {user[0]} +- ", GIVEN["room.sysusers"], re.M), "the user is made"


def test_the_unit_of_a_worker_starts_it_as_the_command_is() -> None:
    text = GIVEN["tablebridge-archive@.service"]
    (started,) = re.findall(r"^ExecStart=/opt/tablebridge/bin/tablebridge archive (.*)$", text, re.M)
    (options,) = re.findall(r"^TABLEBRIDGE_ARCHIVE=(.*)$", GIVEN["archive.env"], re.M)
    words = started.replace("$TABLEBRIDGE_ARCHIVE", options).replace("%i", "1").replace("%d", "/run").split()
    given = archive.make_context("archive", words).params
    assert given["port"] == 9461 and given["site"] == "main" and len(given["servers"]) == 3
    assert str(given["credentials"]) == "/run/archive.creds" and given["ca"]
    loaded = set(re.findall(r"^LoadCredential=([\w.]+):", text, re.M))
    assert (
        loaded == set(re.findall(r"%d/([\w.]+)", text)) and "Type=notify" in text and "WatchdogSec=30" in text
    )


def test_the_unit_of_the_pages_starts_them_as_the_command_is() -> None:
    text = GIVEN["tablebridge-pages@.service"]
    (started,) = re.findall(r"^ExecStart=/opt/tablebridge/bin/tablebridge site web (.*)$", text, re.M)
    (options,) = re.findall(r"^TABLEBRIDGE_PAGES=(.*)$", GIVEN["pages.env"], re.M)
    words = started.replace("$TABLEBRIDGE_PAGES", options).replace("%i", "1").replace("%d", "/run").split()
    given = web.make_context("web", words).params
    assert given["port"] == 8081 and given["site"] == "main" and len(given["servers"]) == 3
    assert str(given["credentials"]) == "/run/pages.creds" and given["ca"]
    loaded = set(re.findall(r"^LoadCredential=([\w.]+):", text, re.M))
    assert loaded == set(re.findall(r"%d/([\w.]+)", text)) and "Type=notify" in text


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("systemd-sysusers") is None, reason="needs root and systemd-sysusers"
)
def test_the_users_of_a_room_are_made_and_cannot_log_in(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "room.conf").write_text(GIVEN["room.sysusers"])
    command = ["systemd-sysusers", f"--root={tmp_path}", str(tmp_path / "room.conf")]
    subprocess.run(command, check=True, capture_output=True)
    made = [line.split(":") for line in (tmp_path / "etc/passwd").read_text().splitlines()]
    assert {one[0] for one in made if one[6].endswith("nologin")} == {
        "tablebridge-archive",
        "tablebridge-nats",
        "tablebridge-pages",
    }
