"""The files for systemd and udev, read by systemd's own tools. Nothing is started: that needs a machine of
its own.
"""

import ctypes
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tablebridge.bus.account import CREDENTIAL
from tablebridge.cli import COMMANDS
from tablebridge.host import registry
from tablebridge.host.discovery import ADAPTERS
from tablebridge.settings.state import PARTS
from tablebridge_drivers.hid_key import FOOT_SWITCHES

FILES = Path(__file__).parents[2] / "tablebridge/install/files"
UNITS = {
    "tablebridge-driver@seat-3.service": 30,
    "tablebridge-engine.service": 20,
    "tablebridge-web.service": 20,
    "tablebridge-notify.service": 20,
    "tablebridge-room.service": 20,
    "tablebridge-uplink.service": 20,
}
"""Unit to the exposure that systemd-analyze may find at most, in tenths."""
TAKES = "tablebridge-take.service"
EXPOSURE = UNITS | {TAKES: 20}

WRITERS = dict(zip(UNITS, ("driver", "engine", "web", "notify", "room", "uplink"), strict=True))

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def text(unit: str) -> str:
    return (FILES / re.sub(r"@[^.]*", "@", unit)).read_text()


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units with a program that exists, in place of the one that is installed with them."""
    for unit in (*EXPOSURE, "tablebridge.target", "tablebridge-take.timer"):
        (tmp_path / unit).write_text(text(unit).replace("/opt/tablebridge/bin/tablebridge", "/bin/true"))
    shutil.copy(FILES / "tablebridge-driver@.service", tmp_path)
    return tmp_path


@needs_systemd
@pytest.mark.parametrize("unit", [*EXPOSURE, "tablebridge.target", "tablebridge-take.timer"])
def test_systemd_has_nothing_to_say_about_a_unit(units: Path, unit: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"./{unit}"], cwd=units, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
@pytest.mark.parametrize(("unit", "most"), EXPOSURE.items())
def test_exposure_stays_below_the_bound(units: Path, unit: str, most: int) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={most}", "--no-pager", f"./{unit}"],
        cwd=units,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_runs_a_command_that_exists_and_is_watched(unit: str) -> None:
    started = re.findall(r"^ExecStart=/opt/tablebridge/bin/tablebridge (\w+) ", text(unit), re.M)
    assert len(started) == 1 and started[0] in COMMANDS
    for line in (
        "Type=notify",
        "WatchdogSec=30",
        "Restart=always",
        "StartLimitIntervalSec=0",
        "IPAddressDeny=any",
        "IPAddressAllow=localhost",
        "ProtectSystem=strict",
        "After=mosquitto.service",
        "Wants=mosquitto.service",
    ):
        assert re.search(rf"^{re.escape(line)}\b", text(unit), re.M), line
    given = rf"^LoadCredential={CREDENTIAL}:/etc/tablebridge/[\w%-]+\.password$"
    password = re.search(given, text(unit), re.M)
    assert password


def values(unit: str, key: str) -> list[str]:
    """All that stands behind a key, `-` in front and the state folder left out."""
    found = " ".join(re.findall(rf"^{key}=(.*)$", text(unit), re.M)).split()
    return [one.removeprefix("-").removeprefix("/var/lib/").removeprefix("tablebridge/") for one in found]


def test_only_the_driver_sees_devices() -> None:
    for unit in UNITS:
        assert ("PrivateDevices=yes" in text(unit)) == ("driver" not in unit)
    assert len({values(unit, "User")[0] for unit in UNITS}) == len(UNITS)


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_may_write_its_own_parts_of_the_state_folder_and_open_no_other(unit: str) -> None:
    kept = [part for part in PARTS if part.writer in WRITERS.values()]
    own = {part.name for part in kept if part.writer == WRITERS[unit]}
    assert set(values(unit, "StateDirectory")) == own and values(unit, "StateDirectoryMode") == ["0700"]
    read = {"journal"} if "uplink" in unit else set()
    names = {part.name for part in kept}
    assert set(values(unit, "InaccessiblePaths")) & names == names - own - read
    assert set(values(unit, "ReadOnlyPaths")) == read
    assert "ReadWritePaths" not in text(unit)


@pytest.mark.parametrize("unit", UNITS)
def test_the_memory_of_a_unit_goes_to_no_disk_and_to_no_other_process(unit: str) -> None:
    for line in ("LimitCORE=0", "MemorySwapMax=0", "LimitNOFILE=4096", "UMask=0077"):
        assert f"\n{line}\n" in text(unit), line
    assert {"process_vm_readv", "process_vm_writev", "pidfd_getfd"} <= set(
        re.findall(r"^SystemCallFilter=~(process_vm_readv .*)$", text(unit), re.M)[0].split()
    )
    allowed = re.findall(r"^SystemCallFilter=([^~].*)$", text(unit), re.M)
    assert set(" ".join(allowed).split()) <= {"@system-service", "adjtimex"}


def test_what_the_room_has_made_is_read_with_no_network_and_written_to_one_folder() -> None:
    """The first step has the bytes of the room before it; the second, with all rights, has none of them."""
    took, applied = (
        re.findall(rf"^{key}=(.*)$", text(TAKES), re.M) for key in ("ExecStart", "ExecStartPost")
    )
    program = "/opt/tablebridge/bin/tablebridge site"
    assert len(took) == len(applied) == 1
    assert took[0].startswith(f"{program} take ") and applied[0].startswith(f"+{program} apply ")
    assert values(TAKES, "ReadWritePaths") == ["/etc/tablebridge"]
    assert values(TAKES, "ReadOnlyPaths") == ["journal", "uplink"]
    assert values(TAKES, "CapabilityBoundingSet") == ["CAP_DAC_READ_SEARCH"]
    assert {"uplink/box.creds", "journal/signing.key", "/etc/shadow"} <= set(
        values(TAKES, "InaccessiblePaths")
    )
    others = {part.name for part in PARTS if part.writer in WRITERS.values()} - {"journal", "uplink"}
    assert others <= set(values(TAKES, "InaccessiblePaths"))
    for line in ("PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "ProtectSystem=strict"):
        assert f"\n{line}\n" in text(TAKES), line


def test_the_timer_waits_for_the_owner_and_goes_with_an_uninstallation() -> None:
    timer = text("tablebridge-take.timer")
    assert "\nWantedBy=tablebridge.target\n" in timer and "[Install]" not in text(TAKES)
    # What restarts the target must not be part of it, or it would end itself.
    assert "PartOf" not in text(TAKES) and "\nPartOf=tablebridge.target\n" in timer


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("systemd-tmpfiles") is None, reason="needs root and systemd-tmpfiles"
)
def test_users_and_folders_are_made_as_the_units_want_them(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", str(FILES / "tablebridge.sysusers")],
        check=True,
        capture_output=True,
    )
    users = {
        line.split(":")[0]: line.split(":") for line in (tmp_path / "etc/passwd").read_text().splitlines()
    }
    groups = {
        line.split(":")[0]: int(line.split(":")[2])
        for line in (tmp_path / "etc/group").read_text().splitlines()
    }
    for unit in UNITS:
        user = re.search(r"^User=(.*)$", text(unit), re.M)
        assert user is not None and users[user[1]][6].endswith("nologin")
        assert int(users[user[1]][3]) == groups["tablebridge"]
    subprocess.run(
        ["systemd-tmpfiles", f"--root={tmp_path}", "--create", str(FILES / "tablebridge.tmpfiles")],
        check=True,
        capture_output=True,
    )
    state = tmp_path / "var/lib/tablebridge"
    owners = {".": ("root", 0o710)} | {
        part.name: (f"tablebridge-{part.writer}", 0o700) for part in PARTS if part.writer in WRITERS.values()
    }
    assert {path.name for path in state.iterdir()} == set(owners) - {"."}
    for folder, (owner, mode) in owners.items():
        there = (state / folder).stat()
        assert stat.S_IMODE(there.st_mode) == mode, folder
        assert there.st_uid == (0 if owner == "root" else int(users[owner][2])), folder


def test_udev_claims_devices_of_drivers_and_no_adapter() -> None:
    rules = [
        line
        for line in (FILES / "60-tablebridge.rules").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    pair = r'[A-Z_]+(\{[A-Za-z_/]+\})?(==|!=|=|\+=)"[^"]*"'
    assert all(re.fullmatch(rf"{pair}(, {pair})*", rule) for rule in rules)
    claimed: set[tuple[int, int | None]] = set()
    for rule in (rule for rule in rules if "GROUP=" in rule):
        vendor, products = (
            re.search(rf'\{{{name}\}}=="([^"]*)"', rule) for name in ("idVendor", "idProduct")
        )
        assert vendor is not None and 'GROUP="tablebridge"' in rule and 'MODE="0660"' in rule
        claimed |= (
            {(int(vendor[1], 16), int(one, 16)) for one in products[1].split("|")}
            if products
            else {(int(vendor[1], 16), None)}
        )
    wanted = {
        ids
        for listed in registry.listed()
        if listed.driver
        for way in (listed.driver.usb, listed.driver.keys)
        if way
        for ids in way.ids
    }
    assert claimed == wanted | FOOT_SWITCHES and not claimed & ADAPTERS
    assert not any(word in rule for rule in rules for word in ("uaccess", "0666"))


_PR_SET_MDWE, _PR_GET_MDWE, _REFUSE_EXEC_GAIN = 65, 66, 1


@pytest.mark.parametrize(
    "module",
    [
        "tablebridge.app.drive",
        "tablebridge.host.clock",
        "tablebridge.host.links.usb",
        "tablebridge.web.server",
    ],
)
def test_nothing_needs_memory_that_is_written_and_run(module: str) -> None:
    """MemoryDenyWriteExecute=yes, held by the kernel (prctl(2), since Linux 6.3)."""
    if ctypes.CDLL(None).prctl(_PR_GET_MDWE, 0, 0, 0, 0) < 0:
        pytest.skip("this kernel cannot forbid it")
    code = (
        "import ctypes, importlib\n"
        f"assert ctypes.CDLL(None).prctl({_PR_SET_MDWE}, {_REFUSE_EXEC_GAIN}, 0, 0, 0) == 0\n"
        f"importlib.import_module({module!r})\n"
        "from tablebridge.host.clock import SystemClock; SystemClock().now()"
    )
    if module.endswith("usb"):
        code += "\nfrom tablebridge.host.links.usb_interface import backend; assert backend() is not None"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
