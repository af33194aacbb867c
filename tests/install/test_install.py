"""`tablebridge install` and `uninstall` on a root folder of their own: what stands there afterwards, after a
second run, after a kill at any moment, and if something is in the way.
"""

import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tablebridge.install.manifest import PLACE, Manifest, load
from tablebridge.install.placing import FILES, digest
from tablebridge.journal.store import SCHEMA as JOURNAL_SCHEMA
from tablebridge.settings.state import SCHEMA
from tablebridge.web.auth import Tokens

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("systemd-sysusers") is None, reason="needs root and systemd-sysusers"
)

SITE = """
name = "club"
state_dir = "/var/lib/tablebridge"
[broker]
embedded = false
port = 1883
[[table]]
name = "t1"
[[table.device]]
group = "alone"
name = "{}"
driver = "line"
port = "/dev/ttyUSB0"
antennas = {{ 1 = "seat 1" }}
"""
KILLED = """
import os, signal, sys
from tablebridge.cli import main

left = int(sys.argv.pop(1))
CHANGES = ("os.rename", "os.mkdir", "os.chmod", "os.chown", "subprocess.Popen", "tempfile.mkstemp")

def hook(event, _arguments):
    global left
    if event in CHANGES:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
main()
"""
"""The command, killed before its nth change of the disk."""

Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine as far as an installation sees one."""
    for folder in ("etc/mosquitto", "etc/systemd/system"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\nmosquitto:x:77:78::/:/bin/false\n")
    (tmp_path / "etc/group").write_text("root:x:0:\nmosquitto:x:78:\n")
    return tmp_path


@pytest.fixture
def small(root: Path) -> Iterator[Path]:
    """A disk of 64 kB."""
    disk = root / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=True)
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def call(*words: str, code: int = 0, typed: str = "") -> str:
    """What the command prints; it must end with this exit status."""
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", *words], capture_output=True, text=True, input=typed, timeout=60
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def install(root: Path, code: int = 0) -> str:
    return call("install", "--root", str(root), code=code)


def tree(root: Path) -> dict[str, tuple[int, int, int, bytes, int]]:
    """Everything below: mode, owner, group, content, when it changed."""
    found = {}
    for path in sorted(root.rglob("*")):
        there = path.lstat()
        payload = path.read_bytes() if stat.S_ISREG(there.st_mode) else b""
        found[str(path.relative_to(root))] = (
            there.st_mode,
            there.st_uid,
            there.st_gid,
            payload,
            there.st_mtime_ns,
        )
    return found


def lasting(root: Path) -> dict[str, tuple[int, int, int]]:
    """What two installations have in common: no secrets, no times, no locks of systemd's."""
    return {
        place: found[:3]
        for place, found in tree(root).items()
        if not place.endswith((".lock", "-")) and "/." not in place
    }


def enabled(root: Path) -> set[str]:
    wants = root / "etc/systemd/system/tablebridge.target.wants"
    return {path.name for path in wants.iterdir()} if wants.exists() else set()


def test_everything_is_in_its_place_and_a_second_run_changes_nothing(root: Path) -> None:
    install(root)
    for placed in FILES:
        path = root / placed.place
        assert path.read_text() == placed.text("/opt/tablebridge/bin/tablebridge")
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
    users = {line.split(":")[0] for line in (root / "etc/passwd").read_text().splitlines()}
    assert {"tablebridge-driver", "tablebridge-engine", "tablebridge-web"} <= users
    assert (root / "var/lib/tablebridge/journal").stat().st_mode & 0o777 == 0o700
    assert enabled(root) == set(), "without a site file nothing is started"
    broker = root / "etc/mosquitto/tablebridge.users"
    assert (broker.stat().st_uid, broker.stat().st_mode & 0o777) == (77, 0o600)
    before = tree(root)
    assert "nothing had to be changed" in install(root)
    assert tree(root) == before


def test_passwords_are_random_private_and_on_no_list(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(root, other, dirs_exist_ok=True)
    printed = install(root) + install(other)
    secrets = [
        path.read_text() for box in (root, other) for path in (box / "etc/tablebridge").glob("*.password")
    ]
    assert len(secrets) == len(set(secrets)) == 18 and min(map(len, secrets)) >= 32
    assert not [secret for secret in secrets if secret in printed]
    for path in (root / "etc/tablebridge").glob("*.password"):
        assert (path.stat().st_mode & 0o777, path.stat().st_uid) == (0o600, 0)


def test_a_dry_run_names_every_file_and_changes_none(root: Path) -> None:
    before = tree(root)
    said = call("install", "--root", str(root), "--dry-run")
    assert tree(root) == before
    assert all(placed.place in said for placed in FILES) and "tablebridge-engine" in said
    install(root)
    before = tree(root)
    said = call("uninstall", "--root", str(root), "--dry-run", "--purge")
    assert tree(root) == before and all(placed.place in said for placed in FILES)


def test_a_changed_file_is_kept_and_the_new_version_is_put_beside_it_once(root: Path) -> None:
    install(root)
    place = "etc/systemd/system/tablebridge-web.service"
    path, new = root / place, root / f"{place}.new"
    text = path.read_text()
    path.write_text("mine")
    said = install(root)
    assert "kept, since it was changed" in said and path.read_text() == "mine"
    assert not new.exists(), "there is no new version"
    remember(root, place, "an older version")
    assert f"{new}" in install(root)
    assert (path.read_text(), new.read_text()) == ("mine", text)
    new.unlink()
    install(root)
    assert not new.exists(), "once is enough"
    path.write_text("an older version")
    remember(root, place, "an older version")
    install(root)
    assert path.read_text() == text, "a file as we wrote it is replaced"


def remember(root: Path, place: str, text: str) -> None:
    """As if an older version had written this text there."""
    manifest = load(root)
    assert manifest is not None
    older = msgspec.structs.replace(
        manifest, files={**manifest.files, place: [digest(text)]}, version="0.0.1"
    )
    (root / PLACE).write_bytes(older.encoded())


@pytest.mark.slow
def test_killed_at_any_moment_the_next_run_ends_what_was_begun(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bare = tmp_path_factory.mktemp("bare")
    shutil.copytree(root, bare, dirs_exist_ok=True)
    (root / "etc/tablebridge").mkdir()
    (root / "etc/tablebridge/site.toml").write_text(SITE.format("left"))
    install(root)
    whole, kills = lasting(root), 0
    for moment in range(1, 200, 9):
        box = bare / f"box{moment}"
        shutil.copytree(bare / "etc", box / "etc")
        (box / "etc/tablebridge").mkdir()
        (box / "etc/tablebridge/site.toml").write_text(SITE.format("left"))
        command = [sys.executable, "-c", KILLED, str(moment), "install", "--root", str(box)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        passwords = {path: path.read_text() for path in (box / "etc/tablebridge").glob("*.password")}
        manifest = load(box)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        assert manifest is None or not manifest.ended
        install(box)
        assert lasting(box) == whole
        assert all(path.read_text() == secret for path, secret in passwords.items()), (
            "no password is made twice"
        )
        assert not list(box.rglob("*.new")), "our own files are never taken for a person's"
        kills += 1
        shutil.rmtree(box)
    assert kills >= 5


def test_the_devices_of_the_site_file_have_accounts_and_units(root: Path) -> None:
    install(root)
    site = root / "etc/tablebridge/site.toml"
    site.write_text(SITE.format("left"))
    deck = root / "var/lib/tablebridge/decks/red.toml"
    deck.write_text("")
    install(root)
    common = {"tablebridge-engine.service", "tablebridge-web.service"}
    assert enabled(root) == common | {"tablebridge-driver@left.service"}
    assert (root / "etc/systemd/system/multi-user.target.wants/tablebridge.target").is_symlink()
    rights = (root / "etc/mosquitto/tablebridge.acl").read_text()
    assert "user dev-left" in rights and "tb/v1/club" in rights
    assert site.stat().st_mode & 0o777 == 0o640 and site.stat().st_gid != 0
    assert deck.stat().st_uid == (root / "var/lib/tablebridge/decks").stat().st_uid != 0
    engine = (root / "etc/tablebridge/engine.password").read_text()
    users = (root / "etc/mosquitto/tablebridge.users").read_text().splitlines()

    (root / "etc/systemd/system/tablebridge.target.wants/tablebridge-web.service").unlink()
    site.write_text(SITE.format("right"))
    install(root)
    assert enabled(root) == {"tablebridge-engine.service", "tablebridge-driver@right.service"}, (
        "the device that is gone is disabled, and what a person disabled stays so"
    )
    assert (root / "etc/tablebridge/engine.password").read_text() == engine
    kept = (root / "etc/mosquitto/tablebridge.users").read_text().splitlines()
    assert [line for line in kept if line.startswith("engine:")] == [
        line for line in users if line.startswith("engine:")
    ]
    assert not [line for line in kept if "dev-left" in line]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[[", "site.toml"),
        ("later = 1\n" + SITE.format("left"), "later"),
        ('name = "x"', "embedded = false"),
    ],
    ids=["broken", "from a later version", "with a broker of its own"],
)
def test_a_site_file_that_cannot_be_applied_is_a_sentence_and_the_rest_is_installed(
    root: Path, text: str, why: str
) -> None:
    (root / "etc/tablebridge").mkdir()
    site = root / "etc/tablebridge/site.toml"
    site.write_text(text)
    said = install(root)
    assert "The site file is not applied" in said and why in said
    manifest = load(root)
    assert manifest is not None and manifest.ended and enabled(root) == set()
    assert site.read_text() == text


def test_a_second_installation_on_one_box_is_refused(root: Path) -> None:
    install(root)
    other = root / "opt/other/bin/tablebridge"
    other.parent.mkdir(parents=True)
    other.touch()
    manifest = load(root)
    assert manifest is not None
    there = msgspec.structs.replace(manifest, program="/opt/other/bin/tablebridge", origin="deb")
    (root / PLACE).write_bytes(there.encoded())
    before = tree(root)
    said = install(root, code=2)
    assert "is installed here already (deb)" in said and "apt remove tablebridge" in said
    assert tree(root) == before
    other.unlink()
    install(root)
    now = load(root)
    assert now is not None and now.program == manifest.program, "one that is gone is in nobody's way"


def test_an_older_version_is_not_installed_over_a_newer_state(root: Path) -> None:
    install(root)
    manifest = load(root)
    assert manifest is not None
    (root / PLACE).write_bytes(msgspec.structs.replace(manifest, state=SCHEMA + 1, version="9.0.0").encoded())
    before = tree(root)
    said = install(root, code=2)
    assert "written by tablebridge 9.0.0" in said and "install 9.0.0 or a newer" in said
    assert tree(root) == before

    (root / PLACE).write_bytes(manifest.encoded())
    journal = root / "var/lib/tablebridge/journal/t 1#?.sqlite"
    with sqlite3.connect(journal) as db:
        db.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        db.execute("INSERT INTO about VALUES ('schema', ?)", (str(JOURNAL_SCHEMA + 1),))
    db.close()
    before = tree(root)
    assert "was written by a newer tablebridge" in install(root, code=2)
    assert tree(root) == before


def test_a_newer_layout_of_any_file_is_a_newer_layout_of_the_state(tmp_path: Path) -> None:
    """Whoever raises one of the right raises the one on the left as well, so that a downgrade is refused."""
    Tokens(tmp_path).add("floor", "Anna", None, None)
    tokens = msgspec.json.decode((tmp_path / "tokens/tokens.json").read_bytes())["schema"]
    assert (SCHEMA, JOURNAL_SCHEMA, tokens) == (3, 3, 1)


def test_a_full_disk_is_one_sentence_and_the_next_run_ends(root: Path, small: Path) -> None:
    shutil.copytree(root / "etc", small / "etc")
    (small / "kept").write_text("state")
    filler = small / "filler"
    with pytest.raises(OSError, match="No space"), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    os.truncate(filler, filler.stat().st_size - 4 * 4096)
    said = install(small, code=2)
    assert re.search(r"^tablebridge: There is no room left for /\S+: free some space", said, re.M), said
    assert (small / "kept").read_text() == "state" and not list(small.rglob("*.new"))
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=1m", str(small)], check=True)
    install(small)
    assert all((small / placed.place).exists() for placed in FILES)


def test_a_file_system_that_is_read_only_is_one_sentence(root: Path, small: Path) -> None:
    shutil.copytree(root / "etc", small / "etc")
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    before = tree(small)
    said = install(small, code=2)
    assert "is read-only: mount it for writing" in said and len(said.splitlines()) == 1
    assert tree(small) == before


def test_uninstall_keeps_state_and_what_was_changed(root: Path) -> None:
    install(root)
    hands = root / "var/lib/tablebridge/journal/t1.sqlite"
    hands.write_text("hands")
    rules = root / "etc/udev/rules.d/60-tablebridge.rules"
    rules.write_text("mine")
    said = call("uninstall", "--root", str(root))
    assert rules.read_text() == "mine" and f"{rules}: kept" in said
    assert hands.read_text() == "hands" and (root / "etc/tablebridge/engine.password").exists()
    assert [placed.place for placed in FILES if (root / placed.place).exists()] == [
        "etc/udev/rules.d/60-tablebridge.rules"
    ]
    assert "is not installed here" in call("uninstall", "--root", str(root), code=2)


def test_purge_asks_before_the_hands_are_deleted(root: Path) -> None:
    install(root)
    hands = root / "var/lib/tablebridge/journal/t1.sqlite"
    hands.write_text("hands")
    for answer in ("", "n\n"):
        call("uninstall", "--root", str(root), "--purge", typed=answer, code=1)
        assert hands.exists() and load(root) is not None
    call("uninstall", "--root", str(root), "--purge", typed="y\n")
    assert not hands.exists() and not (root / "etc/tablebridge").exists()


def test_the_manifest_that_is_damaged_is_a_sentence(root: Path) -> None:
    install(root)
    (root / PLACE).write_text('{"version"')
    assert "is damaged" in install(root, code=2)


def test_the_manifest_is_read_line_by_line() -> None:
    """The scripts of the Debian package do so."""
    text = Manifest("1.2.3", "pip", "/opt/x", 7, files={"a": ["b"]}).encoded().decode()
    assert re.findall(r'^ "(version|origin|program|state)": "?([^",]*)"?,$', text, re.M) == [
        ("version", "1.2.3"),
        ("origin", "pip"),
        ("program", "/opt/x"),
        ("state", "7"),
    ]
