"""Making a backup, while the table plays: records, decks, chips, what was learnt of the antennas, people's
access, the site file and its rulebooks.

Each journal is copied by SQLite in one read transaction, so the copy is the record at one moment, and its
chain of hashes is checked. Outboxes, logs and the broker's files are not saved: they belong to the box and
not to the site.
"""

import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from tablebridge import __version__
from tablebridge.backup.archive import FORMAT, Manifest, SavedTable, is_saved, member_of, write
from tablebridge.backup.keys import Recipient
from tablebridge.backup.workplace import workplace
from tablebridge.journal.connection import connect
from tablebridge.journal.store import Journal
from tablebridge.model.errors import ConfigError, JournalError
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.settings.state import FILES, JOURNAL_FILE, SAVING
from tablebridge.settings.toml import read_toml

SITE_FILE = "config/site.toml"
_RULEBOOK = ".toml"


def save(
    site_file: Path,
    target: Path,
    recipients: list[Recipient],
    progress: Callable[[str], None] = lambda text: None,
) -> Manifest:
    """Write a backup of the site to `target`, which only the holders of the recipients' keys can read.
    `progress`: is called with what is being done. Raises ConfigError; the file is whole or not there.
    """
    if target.exists():
        raise ConfigError(f"{target} exists already: a backup is never overwritten. Name another file.")
    site = load_site(site_file)
    files, left_out = _configuration(site_file, site)
    tables: list[SavedTable] = []
    try:
        with workplace(site.state_dir, SAVING) as folder:
            for name, path in state_files(site.state_dir):
                files[name] = path
                if path.suffix == ".sqlite":
                    progress(f"copying {path}")
                    files[name] = folder / f"{len(files)}.sqlite"
                    if JOURNAL_FILE.matches(name.removeprefix("state/")):
                        tables.append(_copied(path, files[name]))
                    else:
                        shutil.copyfile(path, files[name])  # nobody writes it any more
            members = tuple(member_of(name, path) for name, path in files.items())
            manifest = Manifest(
                FORMAT,
                secrets.token_hex(8),
                __version__,
                site.name,
                time.time_ns(),
                members,
                tuple(tables),
                left_out,
            )
            progress(f"writing {target}")
            write(target, recipients, manifest, files)
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(
            f"The backup could not be made ({error}) and {target} was not written. Check free space and "
            "permissions, and run this as root or as the user that may read the state folder."
        ) from None
    return manifest


def _configuration(site_file: Path, site: Site) -> tuple[dict[str, Path], tuple[str, ...]]:
    """By member the site file and the house rulebooks beside it; and the files that it names elsewhere."""
    files, left_out = {SITE_FILE: site_file}, []
    named = [Path(table.rulebook) for table in site.tables if table.rulebook.endswith(_RULEBOOK)]
    while named:
        path = named.pop()
        member = f"config/{path.name}"
        if path.parent.resolve() != site_file.parent.resolve() or not is_saved(member) or member == SITE_FILE:
            left_out.append(str(path))
        elif member not in files:
            files[member] = path
            parent = read_toml(path).data.get("parent")
            if isinstance(parent, str) and parent.endswith(_RULEBOOK):
                named.append(path.parent / parent)
    decks = [deck for table in site.tables for deck in table.deck_files]
    state = {path.resolve() for _, path in state_files(site.state_dir)}
    left_out += [str(deck) for deck in decks if deck.resolve() not in state]
    keys = (site.broker.cafile, site.broker.certfile, site.broker.keyfile)
    left_out += [str(path) for path in keys if path is not None]
    return files, tuple(dict.fromkeys(left_out))


def state_files(state_dir: Path) -> Iterator[tuple[str, Path]]:
    """By member the files of the state folder that a backup has. No link is followed: whoever owns a part of
    the folder could have root save, and later give back to it, a file of somebody else.
    """
    for file in FILES:
        if file.saved:
            for path in file.paths(state_dir):
                member = f"state/{path.relative_to(state_dir)}"
                if path.is_file() and not path.is_symlink() and is_saved(member):
                    yield member, path


def _copied(path: Path, copy: Path) -> SavedTable:
    """The record of a table, copied and checked. One that fails its check is evidence: it is saved too."""
    try:
        with (
            closing(connect(path, timeout_s=30)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        journal = Journal(copy, None, readonly=True, whole=False)
        with closing(journal):
            return SavedTable(journal.table, journal.verify(), journal.head)
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, JournalError):
        copy.unlink(missing_ok=True)
        shutil.copyfile(path, copy)
        return SavedTable(path.stem, 0, "")
