"""The package on a bare Debian 12: from `apt install` to tables that run, update, power cuts, removal."""

import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from package.machine import PATIENCE_S, WORK, Machine
from rig.wait import wait_for

from release.deb import make_deb

pytestmark = pytest.mark.timeout(1800)
New = Callable[[], Machine]
UNITS = ("tablebridge-engine", "tablebridge-web", "tablebridge-driver@table-1")
STATE = "var/lib/tablebridge"
HANDS = f"{STATE}/journal/table-1.sqlite"
CARD = "E004010000000001"
SEED = 12
ANSWERS = """# the table, its reader, the places of its antennas, contacts, deck
table-1
1-2
line

seat 1, board
none
none
"""


def setup(box: Machine) -> str:
    """`tablebridge setup` with an emulated reader, answered from a file; what it said."""
    shutil.copy(Path(__file__).with_name("reader.py"), box.root / "srv/reader.py")
    (box.root / "srv/answers").write_text(ANSWERS)
    cards = box.root / "srv/cards"
    cards.write_text("")
    box.background("python3", "/srv/reader.py")
    words = ("tablebridge", "setup", "--port", "socket://127.0.0.1:4001", "--answers", "/srv/answers")
    process = subprocess.Popen(
        box.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    said = ""
    with process.stdout as lines:
        for line in lines:
            said += line
            if line.startswith("Lay one card at seat 1"):
                cards.write_text(f"1 {CARD}\n")
            elif line.startswith("Lay one card at board"):
                cards.write_text(f"2 {CARD}\n")
            elif "Take the card away" in line:
                cards.write_text("")
    assert process.wait(PATIENCE_S) == 0, said
    return said


def followed(box: Machine) -> None:
    """Wait until all units run and the table is followed."""
    wait_for(lambda: all(map(box.active, UNITS)), f"all units run\n{box.journal()}", PATIENCE_S)
    ask = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8090/health/ready').status)"
    wait_for(
        lambda: box.run("python3", "-c", ask, code=None).strip() == "200", "the table is followed", PATIENCE_S
    )


def installed(box: Machine) -> dict[str, object]:
    manifest: dict[str, object] = json.loads((box.root / "etc/tablebridge/installed.json").read_text())
    return manifest


def whole(box: Machine, version: str) -> None:
    """The installation ended, and dpkg has nothing left to do."""
    shown = box.run("dpkg-query", "-W", "-f", "${Version} ${db:Status-Abbrev}", "tablebridge").split()
    assert shown == [version, "ii"]
    manifest = installed(box)
    assert (manifest["version"], manifest["ended"]) == (version, True)
    assert box.run("dpkg", "--audit") == ""
    assert not list((box.root / "etc").rglob("tablebridge*.new"))


def sound(box: Machine) -> None:
    """The journal's chain holds."""
    user = ("runuser", "-u", "tablebridge-engine", "--")
    assert "all sound" in box.run(*user, "tablebridge", "journal", "verify", f"/{HANDS}")


def main_process(box: Machine) -> str:
    return box.run("systemctl", "show", "--value", "--property=MainPID", "tablebridge-engine").strip()


def version(package: Path) -> str:
    return package.name.split("_")[1]


def test_the_package_is_the_same_each_time(package: Path, tmp_path: Path) -> None:
    assert make_deb("amd64", tmp_path).read_bytes() == package.read_bytes()


def test_from_a_bare_debian_to_tables_that_run_update_and_removal(
    machine: New, before: Path, package: Path, later: Path
) -> None:
    box = machine()
    began = time.monotonic()
    box.apt("install", box.put(before))
    print(f"\napt install on a bare Debian: {time.monotonic() - began:.0f} s")
    whole(box, version(before))
    assert not box.active("tablebridge-engine"), "nothing runs before there is a site"
    assert "Ready." in setup(box)
    followed(box)
    engine = main_process(box)
    chain = (box.root / HANDS).stat().st_ino
    passwords = {path: path.read_text() for path in (box.root / "etc/tablebridge").glob("*.password")}

    began = time.monotonic()
    box.apt("install", box.put(package))
    print(f"update: {time.monotonic() - began:.0f} s")
    whole(box, version(package))
    wait_for(lambda: main_process(box) not in (engine, "0"), "the engine is the new one", PATIENCE_S)
    followed(box)
    assert (box.root / HANDS).stat().st_ino == chain, "the journal is the same file"
    assert all(path.read_text() == secret for path, secret in passwords.items())
    sound(box)

    box.run("cp", "-a", "/opt/tablebridge", "/srv/other")
    said = box.run("/srv/other/bin/python", "-m", "tablebridge", "install", code=2)
    assert "is installed here already (deb)" in said and "apt remove tablebridge" in said
    whole(box, version(package))

    box.apt("install", box.put(later))
    said = box.apt("install", f"/srv/{package.name}", code=100)
    assert "tablebridge: The state in /var/lib/tablebridge was written by tablebridge 99.0.0" in said
    whole(box, "99.0.0")
    followed(box)

    gone_and_back(box, later)


def gone_and_back(box: Machine, later: Path) -> None:
    """Removed, purged, purged with its hands: what stays is what a new installation goes on with."""
    box.apt("remove", "tablebridge")
    assert (box.root / HANDS).exists() and (box.root / "etc/tablebridge/site.toml").exists()
    assert not (box.root / "opt/tablebridge").exists()
    assert not list((box.root / "etc/systemd/system").rglob("*tablebridge*"))
    box.apt("install", f"/srv/{later.name}")
    followed(box)
    box.apt("purge", "tablebridge")
    assert (box.root / HANDS).exists() and not (box.root / "etc/tablebridge").exists()
    box.apt("install", f"/srv/{later.name}")
    box.run("sh", "-c", "echo tablebridge tablebridge/delete-hands boolean true | debconf-set-selections")
    box.apt("purge", "tablebridge")
    assert not (box.root / STATE).exists()


def cut_and_finished(box: Machine, package: Path, after_s: float) -> None:
    """Cut the power some time after apt began, start the machine again, and let apt finish."""
    box.background("apt-get", "-q", "-y", "--no-install-recommends", "install", box.put(package))
    time.sleep(after_s)
    box.cut()
    box.start()
    box.run("dpkg", "--configure", "-a", code=None)
    box.apt("-f", "install", code=None)
    box.apt("install", f"/srv/{package.name}")
    whole(box, version(package))


def test_the_power_fails_in_the_middle_of_an_installation(machine: New, package: Path) -> None:
    chance = random.Random(SEED)
    for _ in range(3):
        box = machine()
        cut_and_finished(box, package, chance.uniform(1, 20))
        box.cut()
        shutil.rmtree(box.root)


def test_the_power_fails_in_the_middle_of_an_update(machine: New, before: Path, package: Path) -> None:
    chance = random.Random(SEED)
    box = machine()
    box.apt("install", box.put(before))
    setup(box)
    followed(box)
    box.cut()
    for number in range(3):
        again = Machine(box.root.with_name(f"copy{number}"), box)
        again.start()
        try:
            hands = (again.root / HANDS).stat().st_ino
            cut_and_finished(again, package, chance.uniform(0.5, 12))
            again.background("python3", "/srv/reader.py")
            followed(again)
            assert (again.root / HANDS).stat().st_ino == hands
            sound(again)
        finally:
            again.cut()


def test_a_full_disk_is_said_and_finished_later(machine: New, package: Path) -> None:
    box = machine()
    box.apt("install", "mosquitto", "python3")
    box.run("mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", "/opt")
    assert "No space left on device" in box.apt("install", box.put(package), code=100)
    box.run("mount", "-o", "remount,size=200m", "/opt")
    box.apt("install", f"/srv/{package.name}")
    whole(box, version(package))


def test_a_full_disk_in_an_update_leaves_a_box_that_runs_on_and_is_finished_later(
    machine: New, before: Path, package: Path
) -> None:
    box = machine()
    box.apt("install", box.put(before))
    setup(box)
    followed(box)
    hands = (box.root / HANDS).stat().st_ino
    # dpkg unpacks beside what is there: the disk of /opt becomes one with little room.
    box.run("systemctl", "stop", "tablebridge.target")
    box.run("cp", "-a", "/opt/tablebridge", "/srv/tablebridge")
    box.run("mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", "/opt")
    box.run("cp", "-a", "/srv/tablebridge", "/opt/tablebridge")
    box.run("sh", "-c", "mount -o remount,size=$(($(du -sk /opt | cut -f1) + 4096))k /opt")
    box.run("systemctl", "start", "tablebridge.target")
    followed(box)
    assert "No space left on device" in box.apt("install", box.put(package), code=100)
    followed(box)
    sound(box)
    box.run("mount", "-o", "remount,size=300m", "/opt")
    box.apt("-f", "install", code=None)
    box.apt("install", f"/srv/{package.name}")
    whole(box, version(package))
    followed(box)
    assert (box.root / HANDS).stat().st_ino == hands


def test_the_bare_debian_has_neither_python_nor_broker(machine: New) -> None:
    box = machine()
    assert WORK.is_dir()
    for program in ("python3", "mosquitto"):
        assert box.run("sh", "-c", f"command -v {program}", code=None) == ""
