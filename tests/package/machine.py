"""A bare Debian 12 of its own: made by mmdebstrap, started by systemd-nspawn with systemd as the first
process and no network but its own loopback. Ended by killing all of its processes at once, as a power cut
does.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from rig.wait import wait_for

from release.tree import ROOT, output

WORK = ROOT / ".make" / "package"
PATIENCE_S = 120
COMMAND_S = 600
_BARE = "apt,systemd-sysv,dbus,udev,ca-certificates"
_NEEDS = "mosquitto python3"
"""What the package needs of Debian: fetched beforehand, not installed, since the machine has no network."""


def base() -> Path:
    """The bare Debian as an archive; made if it is not there yet, in about a minute."""
    archive = WORK / "debian-12.tar"
    if not archive.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        fetch = f'chroot "$1" apt-get install -qq -y --download-only --no-install-recommends {_NEEDS}'
        new = archive.with_name("new.tar")
        subprocess.run(
            [
                "mmdebstrap", "--quiet", "--variant=minbase", f"--include={_BARE}", "--skip=cleanup/apt",
                f"--customize-hook={fetch}", "bookworm", str(new),
            ],
            check=True,
        )  # fmt: skip
        new.rename(archive)
    return archive


class Machine:
    """One machine, from its unpacking to its end; `of`: a copy of that one. `run` needs it started."""

    def __init__(self, root: Path, of: "Machine | None" = None) -> None:
        self.root = root
        if of is None:
            root.mkdir()
            subprocess.run(["tar", "-C", str(root), "-xf", str(base())], check=True)
        else:
            subprocess.run(["cp", "-a", str(of.root), str(root)], check=True)
        self._beside: list[subprocess.Popen[bytes]] = []
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def start(self) -> None:
        """Start it and wait until systemd has started everything."""
        self._nspawn = subprocess.Popen(
            [
                "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--boot",
                "--console=read-only", "--machine=box", "-D", str(self.root),
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children")

        def up() -> bool:
            # systemd-nspawn's first child only prepares the one that becomes the machine.
            self._leader = int((children.read_text().split() or ["0"])[0])
            state = self.run("systemctl", "is-system-running", code=None) if self._leader else ""
            return state.strip() in ("running", "degraded")

        wait_for(up, "systemd is up", PATIENCE_S)

    def command(self, *words: str) -> list[str]:
        """The command as it is run in the machine."""
        inside = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
        return ["nsenter", "-t", str(self._leader), "-a", *inside, "LANG=C.UTF-8", *words]

    def run(self, *words: str, code: int | None = 0) -> str:
        """What a command prints in the machine; it must end with this exit status, None for any."""
        done = subprocess.run(self.command(*words), capture_output=True, text=True, timeout=COMMAND_S)
        said = done.stdout + done.stderr
        assert code in (None, done.returncode), f"{' '.join(words)}: {done.returncode}\n{said}"
        return said

    def background(self, *words: str) -> None:
        """Start a command that runs until it ends or the power is cut."""
        quiet = subprocess.DEVNULL
        self._beside.append(subprocess.Popen(self.command(*words), stdin=quiet, stdout=quiet, stderr=quiet))

    def apt(self, *words: str, code: int | None = 0) -> str:
        """apt-get, which asks nothing."""
        return self.run(
            "apt-get", "-q", "-y", "--no-install-recommends", "--allow-downgrades", *words, code=code
        )

    def active(self, unit: str) -> bool:
        """Whether a unit runs."""
        return self.run("systemctl", "is-active", unit, code=None).strip() == "active"

    def journal(self) -> str:
        """What systemd and the units said last."""
        return self.run("journalctl", "-b", "-n", "60", "--no-pager", code=None)

    def cut(self) -> None:
        """Cut the power: all processes are killed at once."""
        if self._nspawn is not None:
            self._nspawn.kill()
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._leader, signal.SIGKILL)
            for process in (*self._beside, self._nspawn):
                process.wait(PATIENCE_S)
            self._beside, self._nspawn = [], None

    def put(self, file: Path) -> str:
        """Copy a file into the machine; its path there."""
        shutil.copy(file, self.root / "srv" / file.name)
        return f"/srv/{file.name}"


def renamed(package: Path, version: str, schema: int | None, folder: Path) -> Path:
    """The package as if it were another version, with another layout of the state; None: with its own."""
    tree = folder / f"tree-{version}"
    output("dpkg-deb", "-R", str(package), str(tree))
    (code,) = tree.glob("opt/tablebridge/lib/python3*/site-packages/tablebridge")
    changes = [
        (tree / "DEBIAN/control", r"^Version: .*$", f"Version: {version}"),
        (code / "__init__.py", r"^__version__ = .*$", f'__version__ = "{version}"'),
    ]
    if schema is not None:
        changes += [
            (code / "settings/state.py", r"^SCHEMA: Final = .*$", f"SCHEMA: Final = {schema}"),
            (tree / "DEBIAN/preinst", r"-gt \d+ \]", f"-gt {schema} ]"),
        ]
    for path, pattern, text in changes:
        changed, count = re.subn(pattern, text, path.read_text(), flags=re.M)
        assert count == 1, path
        path.write_text(changed)
    made = folder / f"tablebridge_{version}_amd64.deb"
    output("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree), str(made))
    shutil.rmtree(tree)
    return made


def last_tag() -> str:
    """The last release before this commit that can build a package; nothing if there is none."""
    here = set(output("git", "tag", "--points-at", "HEAD").split())
    tags = output("git", "tag", "--merged", "HEAD", "--sort=-creatordate", "v*").split()
    able = (tag for tag in tags if tag not in here and output("git", "ls-tree", tag, "release/deb.py"))
    return next(able, "")


def older(package: Path, folder: Path) -> Path:
    """The package of the last release, numbered below this one; before there is one, this package as version
    0.0.9.
    """
    tag = last_tag()
    if not tag:
        return renamed(package, "0.0.9", 1, folder)
    tree = folder / tag
    tree.mkdir()
    archive = subprocess.run(["git", "archive", tag], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
    stamp = output("git", "log", "-1", "--format=%ct", tag).strip()
    words = [sys.executable, "-m", "release", "deb", "--out", str(folder)]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": stamp}
    done = subprocess.run(words, cwd=tree, env=environ, check=True, capture_output=True, text=True)
    made = Path(done.stdout.strip())
    if made.name != package.name:
        return made
    # Work goes on under the number of the last release until the next is chosen.
    return renamed(made, f"{made.name.split('_')[1]}~released", None, folder)
