"""`tablebridge site take`: a configuration of the room takes the place of the site file, between hands.
`tablebridge site apply`: the processes of the box start with it, between hands as well.

    uplink/versions/NUMBER ── take ──▶ site.toml, site.toml.before, site.toml.taken ── apply ──▶ processes
                                └────▶ site.toml.refused ──▶ what the uplink says of it

The uplink has proved and checked it, but it may write nothing outside its folder, and is not believed: all is
proved and checked again here. Which room may sign is noted beside the site file at the first time, where the
uplink cannot change it. The two steps have rights of their own: the first reads what came from the room and
writes beside the site file alone, the second reads nothing of it and restarts the box's processes.
"""

import contextlib
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec

from tablebridge import private
from tablebridge.app.pushed import check_pushed
from tablebridge.journal.reader import ChainReader
from tablebridge.journal.records import entry_of
from tablebridge.journal.store import record_of
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.model.events import End, Hand
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.stream.configuration import SITE_FILE, Version, VersionName
from tablebridge.uplink.configuration import is_in_place, kept_version, newest
from tablebridge.uplink.joined import load_joined
from tablebridge.uplink.refusal import Refusal, refusal_file

BEFORE: Final = ".before"
"""What the name of the file that was in place ends in."""
TAKEN: Final = ".taken"
"""The same of the note that it was put in place and the processes were not started with it yet."""
_SIGNER: Final = "room.key"
_POLL_S: Final = 0.2
_MODE: Final = 0o640


class Taken(NamedTuple):
    """What was put in place. `version`: None if nothing waits; `keys`: the sections in which the site file is
    another one now.
    """

    version: Version | None
    keys: tuple[str, ...] = ()


class _Note(msgspec.Struct, frozen=True):
    """The version in place, and the tables of the processes that still run with the one before."""

    name: VersionName
    tables: Annotated[tuple[str, ...], msgspec.Meta(max_length=1000)]


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
    refused = refusal_file(site_file)
    try:
        _check_signer(site_file.with_name(_SIGNER), joined.authority)
        site = _checked(version, site_file)
    except ConfigError as error:
        # No timer writes the same again and again.
        _place_if_other(refused, msgspec.json.encode(Refusal.of(version, str(error))), site_file)
        raise
    tables = tuple(table.name for table in before.tables)
    _between_hands(before.state_dir, tables, wait_s, sleep)
    _place_if_other(
        site_file.with_name(site_file.name + TAKEN),
        msgspec.json.encode(_Note(version.name, tables)),
        site_file,
    )
    for name, text in version.files.items():
        _place(site_file.with_name(name), text)
    _place(site_file, version.site_file)
    refused.unlink(missing_ok=True)
    changed = [key for key in type(site).model_fields if getattr(site, key) != getattr(before, key)]
    return Taken(version, tuple(changed))


def apply(
    site_file: Path,
    wait_s: float,
    install: Callable[[], None],
    restart: Callable[[], None],
    sleep: Callable[[float], None] = time.sleep,
) -> str | None:
    """Have the box installed and its processes restarted with what was put in place, each as soon as no table
    is in a hand; the name of the version, None if nothing was taken. What it is interrupted in, the next call
    does. Raises ConfigError, Refused as `take`.
    """
    noted = site_file.with_name(site_file.name + TAKEN)
    if not noted.exists():
        return None
    site = load_site(site_file)
    try:
        note = msgspec.json.decode(noted.read_bytes(), type=_Note)
    except ValueError:
        note = _Note("unknown", tuple(table.name for table in site.tables))
    for step in (install, restart):
        _between_hands(site.state_dir, note.tables, wait_s, sleep)
        step()
    noted.unlink()
    return note.name


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
    there = path if path.exists() else path.parent
    if path.exists():
        _write(path.with_name(path.name + BEFORE), path.read_bytes(), path)
    _write(path, text.encode(), there)


def _place_if_other(path: Path, payload: bytes, like: Path) -> None:
    """Write a note unless just that stands there."""
    with contextlib.suppress(FileNotFoundError):
        if path.read_bytes() == payload:
            return
    _write(path, payload, like)


def _write(path: Path, payload: bytes, like: Path) -> None:
    """Write a file whole, with the owner of another one."""
    there = like.stat()
    private.write(path, payload, _MODE)
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
    """Whether the record of a table has a hand that began and has not ended. It is read as the uplink reads
    it: without a right to write, and without its whole chain, so that it can be asked often.
    """
    if not path.exists():
        return False
    reader = ChainReader(path)
    try:
        if reader.table != table:
            raise ConfigError(f"{path} is the journal of table {reader.table!r}, not of {table!r}")
        for row in reader.backwards():
            entry = entry_of(record_of(row))
            if entry is not None and isinstance(entry.event, Hand | End):
                return isinstance(entry.event, Hand)
    finally:
        reader.close()
    return False
