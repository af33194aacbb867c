"""Runs the tests of this folder on a real kernel: Debian's, in QEMU, with this machine's root read only below
it.

    python tests/vm [FILE ...]

Needs root, for all of the root folder is shown to the machine, and Debian's packages qemu-system-x86,
busybox-static, kmod and udev. The kernel is fetched and unpacked, not installed. QEMU emulates the processor:
nothing is asked of /dev/kvm, which hangs where machines are nested. What the tests say is passed on as it
comes; it ends with the exit code of the tests, and after `LIMIT_S` in any case. A machine whose systemd does
not come up within `BOOT_S` is ended and started once more.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
WORK = REPO / ".make" / "vm"
LIMIT_S = 1800
BOOT_S = 300
BOOTS = 2
UP = "== systemd is up"
"""What run.sh says first."""
_BOOT = ("virtio_pci", "9pnet_virtio", "9p", "overlay")
"""Modules that the machine needs to see its root; all others are loaded from there."""
_BEGAN = time.monotonic()


class Missing(Exception):
    """A sentence: what this machine lacks."""


def say(text: str) -> None:
    """A step, with the seconds since the beginning."""
    print(f"== {time.monotonic() - _BEGAN:3.0f} s  {text}", flush=True)


def program(name: str, package: str) -> str:
    """The path of a program. Raises Missing."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        raise Missing(f"{name} is missing: sh config/debian.sh {package}")
    return found


def kernel() -> tuple[Path, str]:
    """Debian's kernel, unpacked: the folder and the version. Fetched where it is not there yet. Raises
    Missing.
    """
    folder = WORK / "kernel"
    if not folder.exists():
        depends = _output("apt-cache", "depends", "linux-image-amd64")
        names = re.findall(r"Depends: (linux-image-\d\S+)", depends)
        if not names:
            raise Missing(
                "Debian's package linux-image-amd64 is not known here: "
                "run apt-get update, on Debian for x86-64."
            )
        say(f"fetching {names[0]}")
        _output("apt-get", "-qq", "update")
        WORK.mkdir(parents=True, exist_ok=True)
        _output("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", names[0], cwd=WORK)
        unpacked = WORK / "kernel.new"
        shutil.rmtree(unpacked, ignore_errors=True)
        package = next(WORK.glob("linux-image-*.deb"))
        _output("dpkg-deb", "-x", str(package), str(unpacked))
        package.unlink()
        _output(program("depmod", "kmod"), "-b", str(unpacked), _version(unpacked))
        unpacked.rename(folder)
    return folder, _version(folder)


def initial(folder: Path, version: str) -> Path:
    """The file system that the kernel begins with: busybox, the modules to see the root, and init.sh. Raises
    Missing.
    """
    tree, image = WORK / "initial", WORK / "initial.cpio"
    shutil.rmtree(tree, ignore_errors=True)
    for name in ("bin", "proc", "sys", "dev", "modules"):
        (tree / name).mkdir(parents=True)
    busybox = program("busybox", "busybox-static")
    shutil.copy(busybox, tree / "bin/busybox")
    shutil.copy(HERE / "init.sh", tree / "init")
    (tree / "init").chmod(0o755)
    shown = _output(
        program("modprobe", "kmod"), "-d", str(folder), "-S", version, "--show-depends", "-a", *_BOOT
    )
    for number, path in enumerate(dict.fromkeys(re.findall(r"^insmod (\S+)", shown, re.M))):
        shutil.copy(path, tree / "modules" / f"{number:02d}-{Path(path).name}")
    names = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*")))
    image.write_bytes(
        subprocess.run(
            [busybox, "cpio", "-o", "-H", "newc"],
            cwd=tree,
            input=names.encode(),
            capture_output=True,
            check=True,
        ).stdout
    )
    return image


def run(qemu: str, folder: Path, version: str, image: Path, tests: Sequence[str]) -> int:
    """Start the machine, pass on what it says, wait for its end: the exit code of the tests."""
    told = {
        "vm_repo": REPO,
        "vm_kernel": folder,
        "vm_python": sys.base_prefix,
        "vm_tests": ",".join(tests) or "tests/vm",
    }
    line = " ".join(
        [
            "console=ttyS0 panic=-1 quiet loglevel=3 mitigations=off audit=0 systemd.show_status=no",
            "tablebridge.vm",
            *(f"{name}={value}" for name, value in told.items()),
        ]
    )
    command = [
        qemu,
        "-accel",
        "tcg,thread=multi",
        "-m",
        "1536",
        "-smp",
        "2",
        "-display",
        "none",
        "-nodefaults",
        "-no-reboot",
        "-nic",
        "none",
        "-serial",
        "stdio",
        "-device",
        "isa-debug-exit",
        "-kernel",
        str(folder / f"boot/vmlinuz-{version}"),
        "-initrd",
        str(image),
        "-append",
        line,
        "-virtfs",
        "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
    ]
    for boot in range(1, BOOTS + 1):
        up, late, code = _machine(command)
        if up:
            break
        why = f"within {BOOT_S} s" if late else f"the machine stopped by itself, code {code}"
        say(f"systemd did not come up ({why}): start {boot} of {BOOTS}")
    if not up:
        say("no test was run: what the machine said last stands above; a busy host may be too slow for it")
        return 3
    if late:
        say(f"ended by force after {LIMIT_S} s: the tests that are not told above were not run")
        return 1
    # isa-debug-exit makes (byte << 1) | 1 of the byte: an even code is QEMU's own, such as 0 for a kernel
    # that stopped.
    if code < 0 or code % 2 == 0:
        say(f"the machine stopped before the tests were over (QEMU's code {code})")
        return 1
    return code >> 1


def _machine(command: Sequence[str]) -> tuple[bool, bool, int]:
    """One machine from its start to its end: whether systemd came up, whether it was ended by force, QEMU's
    exit code.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    up, late, ended = False, threading.Event(), threading.Event()

    def watch() -> None:
        if not ended.wait(BOOT_S) and up:
            ended.wait(max(0.0, _BEGAN + LIMIT_S - time.monotonic()))
        if not ended.is_set():
            late.set()
            process.kill()

    clock = threading.Thread(target=watch, daemon=True)
    clock.start()
    assert process.stdout is not None
    try:
        for said in process.stdout:
            text = said.decode(errors="replace").rstrip()
            up = up or text.endswith(UP)
            print(f"   {time.monotonic() - _BEGAN:3.0f} s  {text}", flush=True)
        return up, late.is_set(), process.wait()
    finally:
        ended.set()
        process.kill()
        clock.join()


def _version(folder: Path) -> str:
    return next((folder / "lib/modules").iterdir()).name


def _output(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"`{' '.join(command)}` failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def main() -> int:
    try:
        if os.geteuid() != 0:
            raise Missing("root is needed: the machine sees the whole root folder of this one, read only.")
        qemu = program("qemu-system-x86_64", "qemu-system-x86")
        folder, version = kernel()
        image = initial(folder, version)
    except (Missing, OSError) as error:
        print(f"The tests on a real kernel cannot be run here: {error}", file=sys.stderr)
        return 2
    say(f"starting Linux {version} in QEMU")
    with contextlib.suppress(KeyboardInterrupt):
        code = run(qemu, folder, version, image, sys.argv[1:])
        say("passed" if code == 0 else f"failed (exit code {code})")
        return code
    return 130


if __name__ == "__main__":
    sys.exit(main())
