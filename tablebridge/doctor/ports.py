"""Ports: may they be opened, who else has them open, which are plugged in and not in the site file.

Nothing is written to any port here: bytes that are a request to one device are a command to another.
"""

import fcntl
import grp
import os
import pwd
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.doctor.check import Check, fail, ok, warn
from tablebridge.host.discovery import discover, port_of
from tablebridge.host.links.link import LinkRefused
from tablebridge.host.plugged import USB, Plugged, parse_address
from tablebridge.sdk.driver import Driver
from tablebridge.settings.site import Device

SERVICE: Final = "tablebridge-driver"
"""The user of the drivers in an installation (install/files/tablebridge.sysusers)."""
RULES: Final = "sudo tablebridge install, which puts 60-tablebridge.rules in place"
_PTY_MAJORS: Final = range(136, 144)


class Holder(msgspec.Struct, frozen=True, order=True):
    """A process that has a port open. `command`: its name and first arguments."""

    pid: int
    command: str

    def drives(self, device: str) -> bool:
        """Whether it is the driver process of this device."""
        return f"drive {device}" in self.command and "tablebridge" in self.command


class User(msgspec.Struct, frozen=True):
    """Who is to open the ports. `groups`: those that it has now; `listed`: those that the next login
    brings.
    """

    name: str
    uid: int
    groups: frozenset[int]
    listed: frozenset[int]


def who() -> User:
    """The drivers' user if this is an installation, else the user who runs the doctor."""
    try:
        entry = pwd.getpwnam(SERVICE)
        listed = frozenset(os.getgrouplist(entry.pw_name, entry.pw_gid))
        return User(entry.pw_name, entry.pw_uid, listed, listed)
    except KeyError:
        pass
    try:
        entry = pwd.getpwuid(os.getuid())
        listed = frozenset(os.getgrouplist(entry.pw_name, entry.pw_gid))
        return User(entry.pw_name, entry.pw_uid, frozenset(os.getgroups()) | {os.getgid()}, listed)
    except KeyError:
        groups = frozenset(os.getgroups()) | {os.getgid()}
        return User(str(os.getuid()), os.getuid(), groups, groups)


def missing_right(mode: int, owner: int, group: int, group_name: str, user: User) -> str:
    """What gives the user the right to a device file with this mode and owner; empty if it has it. Pure."""
    if user.uid == 0 or (user.uid == owner and mode & 0o600 == 0o600) or mode & 0o006 == 0o006:
        return ""
    if mode & 0o060 != 0o060 or group == 0:
        return f"Nobody but its owner may open it: {RULES}"
    if group in user.groups:
        return ""
    if group in user.listed:
        return f"{user.name} was put into the group {group_name} after this login: log out and in again."
    return f"sudo usermod -aG {group_name} {user.name}, then log in again, or start the service again."


def holders(path: Path, proc: Path = Path("/proc")) -> list[Holder]:
    """The other processes that have this device file open, as far as we may see: root sees all."""
    try:
        wanted = path.stat().st_rdev
    except OSError:
        return []
    found = set()
    for process in proc.iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid() and _opens(process, wanted):
            try:
                command = (
                    (process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
                )
                found.add(Holder(int(process.name), command[:100] or (process / "comm").read_text().strip()))
            except OSError:
                continue
    return sorted(found)


def _opens(process: Path, wanted: int) -> bool:
    try:
        for descriptor in (process / "fd").iterdir():
            try:
                there = descriptor.stat()
            except OSError:
                continue
            if there.st_rdev == wanted:
                return True
    except OSError:
        pass
    return False


def locked(path: Path) -> bool:
    """Whether another program holds the port for itself (flock, as every driver of ours does). Opens it
    without writing.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def node(port: str, plugged: Sequence[Plugged]) -> Path | None:
    """The device file behind a site file's port: None if there is none, as for a network port."""
    if port.startswith(USB):
        try:
            address = parse_address(port)
        except LinkRefused:
            return None
        meant = [device for device in plugged if address.means(device)]
        return meant[0].node if len(meant) == 1 else None
    return None if "://" in port or port.startswith("replay:") else Path(port)


def port_check(device: Device, plugged: Sequence[Plugged], user: User) -> tuple[Check | None, Holder | None]:
    """What prevents opening the port of a device, if anything; and the process of its own driver, if that
    runs.
    """
    path = node(device.port, plugged)
    if path is None or not path.exists():
        return None, None
    there = path.stat()
    try:
        group = grp.getgrgid(there.st_gid).gr_name
    except KeyError:
        group = str(there.st_gid)
    if remedy := missing_right(there.st_mode, there.st_uid, there.st_gid, group, user):
        return fail(device.name, f"{user.name} may not open {device.port}.", remedy), None
    others = holders(path)
    own = next((holder for holder in others if holder.drives(device.name)), None)
    if own is not None:
        return None, own
    if locked(path):
        names = (
            ", ".join(f"{holder.command} (process {holder.pid})" for holder in others)
            or f"a program: sudo fuser -v {path} names it"
        )
        return fail(
            device.name, f"{device.port} is held by {names}.", "End that program, or give it another port."
        ), None
    if others and os.major(there.st_rdev) not in _PTY_MAJORS:
        names = ", ".join(f"{holder.command} (process {holder.pid})" for holder in others)
        return warn(
            device.name,
            f"{device.port} is open in {names}, too: they take each other's bytes.",
            "End that program, or give it another port.",
        ), None
    return None, None


def shared(devices: Iterable[Device], plugged: Sequence[Plugged]) -> Iterator[Check]:
    """Devices whose ports have different names and are one and the same."""
    names: dict[Path, Device] = {}
    for device in devices:
        path = node(device.port, plugged)
        if path is not None and path.exists():
            first = names.setdefault(path.resolve(), device)
            # Under one name it is a bus.
            if first.port != device.port:
                yield fail(
                    device.name,
                    f"{device.port} is the port of {first.name} under another name.",
                    "Give each device its own port; `tablebridge ports` lists them.",
                )


def unused(
    plugged: Sequence[Plugged], drivers: Iterable[Driver], devices: Iterable[Device]
) -> Iterator[Check]:
    """What is plugged in and might be a device of ours, with the lines for the site file."""
    named = {device.port: device.name for device in devices}
    for found in discover(plugged, drivers, named):
        if found.device or not (found.candidates or found.adapter):
            continue
        if found.candidates:
            yield warn(
                "ports",
                f"{found.plugged} is plugged in and not in the site file.",
                f'Add: [[table.device]] name = "…", driver = "{found.candidates[0].driver}", port = '
                f'"{found.port}"',
            )
        else:
            yield ok(
                "ports",
                "a serial adapter that the site file does not name: port = "
                f'"{port_of(found.plugged, plugged)}". '
                "Only you know what is connected to it; `tablebridge setup` tries drivers on it, if you "
                "allow that.",
            )


MEDDLERS: Final = {
    "ModemManager": (
        "it talks to serial ports that are plugged in, readers among them.",
        "sudo apt remove modemmanager, or " + RULES,
    ),
    "brltty": (
        "it takes CH340, CP210x and FT232 adapters for Braille displays, and their ports are gone seconds "
        "after they were plugged in.",
        "sudo apt remove brltty; if somebody needs it: sudo ln -s /dev/null "
        "/etc/udev/rules.d/85-brltty.rules && sudo systemctl mask brltty.path, then plug the readers in "
        "again",
    ),
    "pcscd": (
        "it holds smart card readers, ACS readers among them.",
        "sudo systemctl disable --now pcscd.socket pcscd.service, unless people log in with cards here or "
        'the site file reads by it (driver = "pcsc")',
    ),
}
"""Programs that take readers for something else: what each does, and what to do."""
BRLTTY: Final = Path("usr/lib/udev/rules.d/85-brltty.rules")
"""It starts brltty for an adapter, and need not run before; a link of that name in /etc hides it."""


def meddlers(proc: Path = Path("/proc"), root: Path = Path("/")) -> Iterator[Check]:
    """Programs that take readers for something else. `root`: where brltty's rules are looked for."""
    there = set()
    for process in proc.iterdir():
        try:
            there.add((process / "comm").read_text().strip() if process.name.isdigit() else "")
        except OSError:
            continue
    for name, (does, remedy) in MEDDLERS.items():
        if name in there:
            yield warn("ports", f"{name} runs: {does}", remedy)
    if (
        "brltty" not in there
        and (root / BRLTTY).exists()
        and not (root / "etc/udev/rules.d" / BRLTTY.name).exists()
    ):
        does, remedy = MEDDLERS["brltty"]
        yield warn("ports", f"brltty is installed: {does}", remedy)


def sleepers(
    plugged: Sequence[Plugged], drivers: Iterable[Driver], sysfs: Path = Path("/sys/bus/usb/devices")
) -> Iterator[Check]:
    """Readers and adapters that the kernel may suspend, which loses what happens meanwhile."""
    for found in discover(plugged, drivers):
        if not (found.candidates or found.adapter):
            continue
        power = sysfs / found.plugged.path / "power"
        try:
            control, delay_ms = (
                (power / name).read_text().strip() for name in ("control", "autosuspend_delay_ms")
            )
        except OSError:
            continue
        if control == "auto" and not delay_ms.startswith("-"):
            yield warn(
                "ports",
                f"{found.plugged} may be suspended by the kernel, and then loses what happens.",
                f"sudo sh -c 'echo on > {power}/control'; for ever: {RULES}, or usbcore.autosuspend=-1 on "
                "the kernel's command line",
            )


__all__ = [
    "Holder",
    "User",
    "holders",
    "locked",
    "meddlers",
    "missing_right",
    "node",
    "port_check",
    "shared",
    "sleepers",
    "unused",
    "who",
]
