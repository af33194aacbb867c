"""The container image: Debian's packages as its first layer, and the Debian package's files as its second.

mmdebstrap makes the root file system from Debian's archive alone: no registry has a part in it. Nothing of a
box is in it: accounts and passwords are made when it is started for the first time. Two runs on one commit
make the same bytes as long as Debian's archive has the same packages.
"""

import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from release.deb import HOME, PYTHON, make_deb
from release.oci import Layer, pack, tar_of, write_image
from release.tree import ROOT, Fault, epoch, output, version

CONTAINER: Final = ROOT / "release" / "container"
ENTRY: Final = "usr/lib/tablebridge/entry.py"
_SUITE: Final = "bookworm"
_PACKAGES: Final = "python3,mosquitto,ca-certificates,tzdata,usr-is-merged"
_HOOKS: Final = "/usr/share/mmdebstrap/hooks/merged-usr"
_GROUP: Final = ("tablebridge", 870)
_USERS: Final = {
    "tablebridge-driver": (871, 870),
    "tablebridge-engine": (872, 870),
    "tablebridge-web": (873, 870),
    "mosquitto": (874, 874),
}
"""Numbers that stay: the volumes of a site outlive its image."""
_LEFT_OUT: Final = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*")
_ACCOUNTS: Final = "/var/lib/mosquitto/accounts"
_BROKER: Final = {
    "listener 1883 127.0.0.1": "listener 1883",
    "password_file /etc/mosquitto/tablebridge.users": f"password_file {_ACCOUNTS}/tablebridge.users",
    "acl_file /etc/mosquitto/tablebridge.acl": f"acl_file {_ACCOUNTS}/tablebridge.acl",
}
"""What is different in a container's mosquitto.conf: its network has our processes alone."""


def make_image(arch: str, folder: Path, deb: Path | None = None) -> list[Path]:
    """Build the image for a processor into the folder, and the compose file for it; both. `deb`: the Debian
    package that goes in, if it is built already. Raises Fault.
    """
    check_tools()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder.resolve() / f"tablebridge_{version()}_{arch}.oci.tar"
    with TemporaryDirectory() as place:
        made = Path(place)
        base = _base(made, arch)
        program = _program(made, base, deb or make_deb(arch, made))
        layers = [pack(base), program]
        stamp = datetime.fromtimestamp(int(epoch()), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        platform = {"architecture": arch, "os": "linux"}
        write_image(target, f"tablebridge:{version()}", platform, _config(), layers, stamp)
    compose = folder.resolve() / f"tablebridge_{version()}_compose.yaml"
    compose.write_text((CONTAINER / "compose.yaml").read_text().replace("@VERSION@", version()))
    return [target, compose]


def check_tools() -> None:
    """Raises Fault if this machine or user cannot make an image."""
    if os.geteuid() != 0:
        raise Fault("An image is made by root, since the files in it belong to several users: use sudo.")
    if shutil.which("mmdebstrap") is None:
        raise Fault("mmdebstrap is not there: `make image` installs it.")


def _base(made: Path, arch: str) -> Path:
    """Debian with what tablebridge needs of it, and the users, as a tar."""
    tar = made / "base.tar"
    group, number = _GROUP
    lines = [f"echo '{group}:x:{number}:' >> \"$1/etc/group\""]
    for user, (uid, gid) in _USERS.items():
        home = "/var/lib/mosquitto" if user == "mosquitto" else "/var/lib/tablebridge"
        lines.append(f"echo '{user}:x:{uid}:{gid}::{home}:/usr/sbin/nologin' >> \"$1/etc/passwd\"")
        if gid != number:
            lines.append(f"echo '{user}:x:{gid}:' >> \"$1/etc/group\"")
    # Unsafe is a power cut alone, and then nothing was made.
    dpkg = [f"path-exclude={path}" for path in _LEFT_OUT]
    dpkg += ["path-include=/usr/share/doc/*/copyright", "force-unsafe-io"]
    output(
        "mmdebstrap", "--quiet", "--variant=essential", f"--architectures={arch}", f"--include={_PACKAGES}",
        f"--hook-dir={_HOOKS}", *(f"--dpkgopt={option}" for option in dpkg),
        f"--essential-hook={' && '.join(lines)}", _SUITE, str(tar),
        environ={**os.environ, "SOURCE_DATE_EPOCH": epoch()},
    )  # fmt: skip
    return tar


def _program(made: Path, base: Path, deb: Path) -> Layer:
    """The Debian package's files, the entry point and the broker's settings, with everything compiled: in a
    container nothing can be written where the program is.
    """
    tree, root = made / "tree", made / "root"
    output("dpkg-deb", "-x", str(deb), str(tree))
    root.mkdir()
    output("tar", "-C", str(root), "-xf", str(base))
    output("cp", "-a", f"{tree}/.", str(root))
    # From the root's own place and Python, and with its order of sets: the bytes depend on nothing else.
    same = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PYTHONHASHSEED": "0"}
    compiling = ("-m", "compileall", "-q", "-j", "1", "--invalidation-mode", "unchecked-hash", f"/{HOME}/lib")
    output("chroot", str(root), f"/usr/bin/python{PYTHON}", *compiling, environ=same)
    shutil.rmtree(tree / HOME)
    shutil.copytree(root / HOME, tree / HOME, symlinks=True)
    entry = tree / ENTRY
    entry.parent.mkdir(parents=True)
    shutil.copyfile(CONTAINER / "entry.py", entry)
    settings = tree / "etc/mosquitto/container.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text(broker_settings((ROOT / "tablebridge/install/files/mosquitto.conf").read_text()))
    (tree / "etc/tablebridge").mkdir()
    (tree / "var/lib/tablebridge").mkdir(parents=True)
    tar = made / "program.tar"
    tar_of(tree, tar, int(epoch()))
    return pack(tar)


def broker_settings(text: str) -> str:
    """mosquitto.conf of a container, made from that of an installed box."""
    for line, other in _BROKER.items():
        text, count = re.subn(f"^{re.escape(line)}$", other, text, flags=re.M)
        if count != 1:
            raise Fault(f"tablebridge/install/files/mosquitto.conf has no line {line!r} (release/image.py).")
    return f"persistence_location /var/lib/mosquitto/\nlog_dest stderr\n\n{text}"


def _config() -> dict[str, object]:
    """How the image is started if nothing else is said."""
    return {
        "Entrypoint": [f"/{HOME}/bin/python", f"/{ENTRY}"],
        "Cmd": ["--help"],
        "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1"],
        "User": "tablebridge-web:tablebridge",
        "WorkingDir": "/",
        "Labels": {
            "org.opencontainers.image.title": "tablebridge",
            "org.opencontainers.image.version": version(),
            "org.opencontainers.image.licenses": "Apache-2.0",
        },
    }
