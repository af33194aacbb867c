"""A backup that is cut, changed, hostile or newer restores nothing; a restore that is killed is repeated."""

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pyrage
import pytest

from tablebridge.backup.archive import FORMAT, Manifest, Member
from tablebridge.backup.restore import contents, restore
from tablebridge.journal.restored import restored_here
from tablebridge.model.errors import ConfigError, JournalError

from .conftest import Club
from .test_backup import head, saved


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("seed", range(12))
def test_a_backup_that_is_cut_or_changed_restores_nothing(club: Club, seed: int) -> None:
    backup, rng = saved(club), Random(seed)
    data = bytearray(backup.read_bytes())
    if seed % 2:
        del data[rng.randrange(len(data)) :]
    else:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    backup.write_bytes(data)
    before = everything(club.state)
    with pytest.raises(ConfigError):
        restore(backup, club.site, club.identity, replace=True)
    assert everything(club.state) == before


def sealed(club: Club, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w:gz") as tar:
        for info, data in members:
            info.size = len(data) if info.isreg() else 0
            tar.addfile(info, io.BytesIO(data))
    path = club.folder / "hostile.backup"
    path.write_bytes(pyrage.encrypt(plain.getvalue(), [club.identity.to_public()]))
    return path


def listing(*members: Member, form: int = FORMAT) -> tuple[tarfile.TarInfo, bytes]:
    manifest = Manifest(form, "0" * 16, "9.9.9", "club", 1, members, ())
    return tarfile.TarInfo("manifest.json"), msgspec.json.encode(manifest)


EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    "name",
    [
        "state/../../etc/passwd",
        "/etc/passwd",
        "state/journal/../tokens/tokens.json",
        "state/journal/.hidden.sqlite",
        "state/broker/accounts/engine.password",
        "state/journal/a/b.sqlite",
        "config/../x.toml",
        "config/.bashrc",
        "other/one.sqlite",
        "state/decks/red.toml\n",
    ],
)
def test_a_name_that_no_backup_has_is_refused(club: Club, name: str) -> None:
    hostile = sealed(club, [listing(Member(name, 0, EMPTY)), (tarfile.TarInfo(name), b"")])
    with pytest.raises(ConfigError, match="no backup holds a file"):
        contents(hostile, club.identity)


def test_links_surplus_members_and_wrong_sums_are_refused(club: Club) -> None:
    name = "state/decks/red.toml"
    link = tarfile.TarInfo(name)
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    plain = tarfile.TarInfo(name)
    for members in (
        [listing(Member(name, 0, EMPTY)), (link, b"")],
        [listing(), (plain, b"")],
        [listing(Member(name, 1, EMPTY)), (plain, b"x")],
        [listing(Member(name, 2, EMPTY)), (plain, b"x")],
        [listing(Member(name, 0, EMPTY), Member(name, 0, EMPTY))],
        [listing(Member(name, 0, EMPTY))],
        [(tarfile.TarInfo("manifest.json"), b"{}")],
        [(tarfile.TarInfo("manifest.json"), b"[" * 100_000)],
        [(tarfile.TarInfo("manifest.json"), b" " * (5 << 20))],
        [],
    ):
        with pytest.raises(ConfigError, match="cut or damaged"):
            contents(sealed(club, members), club.identity)
    garbage = club.folder / "garbage.backup"
    garbage.write_bytes(b"no backup " * 1000)
    with pytest.raises(ConfigError, match="cut or damaged"):
        contents(garbage, club.identity)


def test_a_backup_of_a_newer_form_names_the_version_that_made_it(club: Club) -> None:
    with pytest.raises(ConfigError, match=r"newer tablebridge \(9.9.9\)"):
        contents(sealed(club, [listing(form=FORMAT + 1)]), club.identity)


KILLED = """
import os, sys
from pathlib import Path
after = int(sys.argv.pop())
changes = 0

def counted(name):
    real = getattr(os, name)
    def call(*arguments, **named):
        global changes
        changes += 1
        if changes > after:
            os._exit(9)
        return real(*arguments, **named)
    setattr(os, name, call)

for name in ("rename", "replace", "unlink", "mkdir", "fsync"):
    counted(name)
from tablebridge.cli import main
main()
"""


def test_a_restore_that_is_killed_anywhere_leaves_the_old_site_or_is_done_again(
    club: Club, tmp_path: Path
) -> None:
    backup = saved(club)
    path = club.state / "journal" / "one.sqlite"
    unfinished = 0
    for after in range(0, 400, 13):
        arguments = ["restore", str(backup), "--key", str(club.key), "--site", str(club.site), "--replace"]
        process = subprocess.run(
            [sys.executable, "-c", KILLED, *arguments, str(after)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        if process.returncode == 0:
            break
        assert process.returncode == 9, process.stderr
        try:
            restored_here(club.state, "one")
        except JournalError as error:
            assert "run the same `tablebridge restore` again" in str(error)
            unfinished += 1
            restore(backup, club.site, club.identity)
        assert head(path) == (40, club.heads["one"])
        assert restored_here(club.state, "three") is None
    else:
        raise AssertionError("it never came to its end")
    assert unfinished > 1


def test_rights_that_are_missing_are_a_sentence(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    backup = saved(club)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(club.state))

    monkeypatch.setattr(os, "sync", refused)
    with pytest.raises(ConfigError, match="run this as root"):
        restore(backup, club.site, club.identity, replace=True)


def test_a_missing_backup_is_a_sentence(club: Club, run: Callable[..., tuple[int, str]]) -> None:
    code, text = run("restore", club.folder / "none.backup", "--key", club.key, "--check")
    assert code and "There is no backup" in text


def test_no_link_is_saved(club: Club) -> None:
    """Whoever owns the folder of the tokens must not get another file by a backup that root makes."""
    (club.folder / "secret").write_text("of root")
    tokens = club.state / "tokens" / "tokens.json"
    tokens.unlink()
    tokens.symlink_to(club.folder / "secret")
    names = {member.name for member in contents(saved(club), club.identity).members}
    assert "state/tokens/tokens.json" not in names and "state/decks/red.toml" in names
