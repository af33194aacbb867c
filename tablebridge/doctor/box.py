"""The machine: Python and packages, clock, disk, files that nobody else may read, the record."""

import contextlib
import os
import platform
import re
import shutil
import stat
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from tablebridge import DISTRIBUTION, private
from tablebridge.doctor.check import Check, fail, ok, warn
from tablebridge.host import registry
from tablebridge.host.clock import SystemClock
from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.settings.site import Site
from tablebridge.settings.state import JOURNAL_FILE, PARTS

_MIB: Final = 1024 * 1024
LITTLE: Final = 2048 * _MIB
TOO_LITTLE: Final = 256 * _MIB
SLOW_MS: Final = 20.0
TOO_SLOW_MS: Final = 250.0
_WRITES: Final = 20
_NAMED: Final = 20
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;\s*(.*))?")
_EXTRA: Final = re.compile(r"extra == ['\"]([a-z]+)['\"]")
_MACHINE: Final = re.compile(r"platform_machine (==|!=) ['\"]([^'\"]+)['\"]")


def python() -> Iterator[Check]:
    """Python, the packages that we need, and the drivers."""
    here = f"Python {platform.python_version()} on {platform.machine()}"
    missing = sorted(_missing(metadata.requires(DISTRIBUTION) or [], platform.machine()))
    if missing:
        yield fail(
            "python",
            f"{here}; not installed: {', '.join(missing)}.",
            f"{sys.executable} -m pip install --force-reinstall 'FILE[all]': the wheel "
            f"{DISTRIBUTION.replace('-', '_')}-….whl that it was installed from; "
            "never by the name alone, which may be another project's",
        )
    else:
        yield ok(
            "python",
            f"{here}; tablebridge {metadata.version(DISTRIBUTION)} and all that it needs is installed.",
        )
    yield from drivers()


def drivers() -> Iterator[Check]:
    """Drivers that cannot be used: two that claim a name, and those that cannot be imported."""
    owners: dict[str, set[str]] = {}
    for entry in registry.known():
        owners.setdefault(entry.name, set()).add(entry.distribution)
    for name, distributions in sorted(owners.items()):
        if len(distributions) > 1:
            first = min(distributions)
            yield warn(
                "drivers",
                f"the driver name {name!r} is claimed by {' and '.join(sorted(distributions))}.",
                f'Write driver = "{first}:{name}" in the site file, or remove the other package.',
            )
    for listed in registry.listed():
        if listed.driver is None:
            yield warn("drivers", listed.broken, "The other drivers work without it.")


def _missing(requirements: Sequence[str], machine: str) -> Iterator[str]:
    """The packages of these requirements that are not installed. A box has what the extra `all` names; those
    of other extras and of other machines are left out.
    """
    for requirement in requirements:
        found = _REQUIREMENT.match(requirement)
        extra = _EXTRA.search(requirement)
        if found is None or (extra is not None and extra[1] != "all"):
            continue
        conditions = [(machine == value) == (how == "==") for how, value in _MACHINE.findall(found[2] or "")]
        if conditions and not any(conditions):
            continue
        try:
            metadata.version(found[1])
        except metadata.PackageNotFoundError:
            yield found[1]


def clock() -> Check:
    """Whether the wall clock is synchronised."""
    if SystemClock().now().clock_synchronised:
        return ok("clock", "it is synchronised.")
    return warn(
        "clock",
        "it is not synchronised: the times that people read may be wrong; the order of events is right all "
        "the same.",
        "sudo apt install systemd-timesyncd && sudo timedatectl set-ntp true",
    )


def disk(state_dir: Path) -> Iterator[Check]:
    """Room for the record, and how long a commit takes."""
    folder = next((path for path in (state_dir, *state_dir.parents) if path.is_dir()), Path("/"))
    try:
        yield judge_room(shutil.disk_usage(folder).free, state_dir)
        yield judge_writes(_writes_ms(folder), state_dir)
    except OSError as error:
        yield fail(
            "disk",
            f"{folder} cannot be written ({error.strerror}).",
            "Run this as the user of the processes, or set state_dir to a folder that may be written.",
        )


def _writes_ms(folder: Path) -> list[float]:
    took = []
    with TemporaryFile(dir=folder) as file:
        for _ in range(_WRITES):
            began = time.monotonic()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            took.append(1000 * (time.monotonic() - began))
    return took


def judge_room(free: int, state_dir: Path) -> Check:
    """`free`: bytes on the disk of `state_dir`. Pure."""
    says = f"{free // _MIB} MiB are free for {state_dir}."
    if free < TOO_LITTLE:
        return fail("disk", says, "Free some: without room nothing can be recorded.")
    if free < LITTLE:
        return warn(
            "disk", says, "Free some before the next evening; old journals may be moved to another disk."
        )
    return ok("disk", says)


def judge_writes(took_ms: Sequence[float], state_dir: Path) -> Check:
    """`took_ms`: how long each of some synchronous writes took. Pure."""
    usual, longest = statistics.median(took_ms), max(took_ms)
    says = f"a commit in {state_dir} takes {usual:.1f} ms, the longest took {longest:.0f} ms."
    if usual > TOO_SLOW_MS:
        return fail("disk", says, "Use another disk: an SD card that wears out is often the reason.")
    if usual > SLOW_MS:
        return warn("disk", says, "Alerts come that much later; an SSD takes 1 to 5 ms.")
    return ok("disk", says)


def secrets(site: Site, site_file: Path) -> Iterator[Check]:
    """Files with faces, tags or passwords that somebody else may read; a state folder into which others may
    put files.
    """
    loose = [path for path in secret_files(site, site_file) if _mode(path) & 0o077]
    for path in loose[:_NAMED]:
        yield fail(
            "secrets",
            f"{path} may be read by others (mode {_mode(path):o}).",
            f"chmod {private.FOLDER if path.is_dir() else private.FILE:o} {path}",
        )
    if len(loose) > _NAMED:
        yield fail(
            "secrets",
            f"{len(loose) - _NAMED} more files may be read by others.",
            f"chmod -R go= {' '.join(str(part.folder(site.state_dir)) for part in PARTS)}",
        )
    if writable := _mode(site.state_dir) & 0o022:
        yield fail(
            "secrets",
            f"others may put files into {site.state_dir} (mode {_mode(site.state_dir):o}), and the "
            "engine would read them.",
            f"chmod 710 {site.state_dir}",
        )
    if not loose and not writable:
        yield ok("secrets", "no file with faces or passwords may be read by others.")


def secret_files(site: Site, site_file: Path) -> list[Path]:
    """The parts of the state folder with everything in them, and decks, passwords and keys elsewhere, as far
    as they are there. Without exception: a file beside a database holds what the database holds.
    """
    parts = [part.folder(site.state_dir) for part in PARTS]
    found = [*parts, *(path for part in parts for path in part.rglob("*"))]
    found += site_file.parent.glob("*.password")
    found += [path for table in site.tables for path in table.deck_files]
    found += [site.broker.keyfile] if site.broker.keyfile is not None else []
    return sorted({path for path in found if not path.is_symlink() and (path.is_file() or path.is_dir())})


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0


def pages(site: Site) -> Iterator[Check]:
    """Whether others can read what the pages send."""
    if not site.web.on_loopback:
        yield warn(
            "pages",
            f"other machines reach them in plain HTTP ({site.web.listen}): anybody who listens in has the "
            "tokens.",
            'Write listen = "127.0.0.1" and put a reverse proxy with TLS on this machine.',
        )


def journals(site: Site) -> Iterator[Check]:
    """The chain of each table's record."""
    for table in site.tables:
        path = JOURNAL_FILE.path(site.state_dir, table.name)
        try:
            if not path.exists():
                yield ok("journal", f"table {table.name} has none yet.")
                continue
            with contextlib.closing(Journal(path, table.name, readonly=True, whole=False)) as journal:
                yield ok("journal", f"table {table.name}: {journal.verify()} records, all sound.")
        except JournalError as error:
            step = (
                "Keep it as it is: when the engine starts next it sets the file aside and begins a new one."
                if isinstance(error, JournalBroken)
                else "See docs/journal.md; the engine does not start with it."
            )
            yield fail("journal", f"{error}.".replace("..", "."), step)
        except OSError as error:
            yield warn("journal", f"{path} cannot be read ({error.strerror}).", "Run the doctor as root.")


__all__ = [
    "clock",
    "disk",
    "drivers",
    "journals",
    "judge_room",
    "judge_writes",
    "pages",
    "python",
    "secret_files",
    "secrets",
]
