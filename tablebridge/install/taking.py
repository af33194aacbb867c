"""`tablebridge site take`: a configuration of the room takes the place of the site file, between hands.

The uplink has proved and checked it, but it may write nothing outside its folder, and is not believed: all is
proved and checked again here. Which room may sign is noted beside the site file at the first time, where the
uplink cannot change it.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tablebridge import private
from tablebridge.app.pushed import check_pushed
from tablebridge.journal.records import entry_of
from tablebridge.journal.store import Journal
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.model.events import End, Hand
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.stream.configuration import SITE_FILE, Version
from tablebridge.uplink.configuration import is_in_place, kept_version, newest
from tablebridge.uplink.joined import load_joined

BEFORE: Final = ".before"
"""What the name of the file that was in place ends in."""
_SIGNER: Final = "room.key"
_END: Final = 2**62
"""Beyond the last record of any journal."""
_POLL_S: Final = 0.2
_MODE: Final = 0o640


class Taken(NamedTuple):
    """What was put in place. `version`: None if nothing waits; `keys`: the sections in which the site file is
    another one now.
    """

    version: Version | None
    keys: tuple[str, ...] = ()


def take(site_file: Path, wait_s: float, sleep: Callable[[float], None] = time.sleep) -> Taken:
    """Put the newest configuration of the room in the place of the site file, as soon as no table is in a
    hand. Raises ConfigError with one line per fault, Refused if a hand is under way for longer than `wait_s`
    seconds; then nothing has changed.
    """
    before = load_site(site_file)
    joined = load_joined(before.state_dir)
    folder = newest(before.state_dir)
    version = None if folder is None else kept_version(folder, joined)
    if folder is None or version is None or is_in_place(version, site_file):
        return Taken(None)
    _check_signer(site_file.with_name(_SIGNER), joined.authority)
    site = _checked(version, site_file)
    _between_hands(before.state_dir, [table.name for table in before.tables], wait_s, sleep)
    for name, text in version.files.items():
        _place(site_file.with_name(name), text)
    _place(site_file, version.site_file)
    changed = [key for key in type(site).model_fields if getattr(site, key) != getattr(before, key)]
    return Taken(version, tuple(changed))


def _checked(version: Version, site_file: Path) -> Site:
    """The site that what the room has signed describes. What lies beside it in the uplink's folder is not
    looked at. Raises ConfigError.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ({SITE_FILE: version.site_file} | version.files).items():
            private.write(Path(folder, name), text.encode())
        try:
            return check_pushed(Path(folder, SITE_FILE), site_file, frozenset(version.files))
        except ConfigError as error:
            raise ConfigError(str(error).replace(f"{folder}/", "")) from None


def _place(path: Path, text: str) -> None:
    """Put a file in place, whole, and keep what was there beside it."""
    there = path.stat() if path.exists() else path.parent.stat()
    if path.exists():
        private.write(path.with_name(path.name + BEFORE), path.read_bytes(), _MODE)
    private.write(path, text.encode(), _MODE)
    private.give(path, there.st_uid, there.st_gid, _MODE)


def _check_signer(path: Path, authority: str) -> None:
    """Note who signs at the first time. Raises ConfigError if it is another one later."""
    if not path.exists():
        private.write(path, authority.encode())
    elif path.read_text() != authority:
        raise ConfigError(
            f"{path}: another room than before has signed this configuration; if this box has joined another "
            "room, delete that file"
        )


def _between_hands(
    state_dir: Path, tables: Sequence[str], wait_s: float, sleep: Callable[[float], None]
) -> None:
    until = time.monotonic() + wait_s
    while under_way := [table for table in tables if _in_hand(JOURNAL_FILE.path(state_dir, table), table)]:
        if time.monotonic() > until:
            raise Refused(
                f"a hand is under way at {', '.join(under_way)}: nothing was changed; try again later"
            )
        sleep(_POLL_S)


def _in_hand(path: Path, table: str) -> bool:
    """Whether the record of a table has a hand that began and has not ended."""
    if not path.exists():
        return False
    journal = Journal(path, table, readonly=True)
    try:
        for record in journal.backwards(_END):
            entry = entry_of(record)
            if entry is not None and isinstance(entry.event, Hand | End):
                return isinstance(entry.event, Hand)
    finally:
        journal.close()
    return False
