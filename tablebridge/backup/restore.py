"""Bringing a saved site back, on a new box or in place of what is there.

The backup is checked whole, then unpacked beside the journals, and only then are the files put in place, one
by one. While that lasts `journal/restored.json` says that it is not finished, and no engine opens a table: a
restore that a power cut interrupted is done again from its start.
"""

import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tablebridge import private
from tablebridge.backup.archive import Manifest, unpack
from tablebridge.backup.keys import Identity
from tablebridge.backup.save import SITE_FILE, save, state_files
from tablebridge.backup.workplace import workplace
from tablebridge.journal.restored import Restored, load_restored, save_restored
from tablebridge.journal.store import Journal, sole_writer
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.settings.state import JOURNAL_FILE, RESTORED, RESTORING


class Outcome(msgspec.Struct, frozen=True):
    """What a restore did. `written`: configuration files. `beside`: those that differ from a file that is
    there and were written beside it. `saved`: the backup of what was replaced.
    """

    manifest: Manifest
    state_dir: Path
    written: tuple[Path, ...]
    beside: tuple[Path, ...]
    saved: Path | None


def contents(source: Path, identity: Identity) -> Manifest:
    """What the backup holds, all of it checked and nothing restored. Raises ConfigError."""
    with TemporaryDirectory() as folder:
        return _unpacked(source, identity, Path(folder), lambda _: False)


def restore(
    source: Path,
    site_file: Path,
    identity: Identity,
    *,
    replace: bool = False,
    progress: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Put the backup in place: its state into the state folder of the site file, which is the backup's own
    if there is none yet. Raises ConfigError, JournalError; what stood there before still does, or the restore
    is marked as unfinished.
    """
    with ExitStack() as stack:
        try:
            progress(f"checking {source}")
            configuration = Path(stack.enter_context(TemporaryDirectory()))
            manifest = _unpacked(source, identity, configuration, lambda name: name.startswith("config/"))
            named = site_file if site_file.exists() else configuration / SITE_FILE
            state_dir = load_site(named).state_dir
            new = stack.enter_context(workplace(state_dir, RESTORING))
            progress(f"unpacking {source}")
            _unpacked(source, identity, new, lambda name: name.startswith("state/"))
            _check_records(source, manifest, new / "state")
            for table in {table.name for table in manifest.tables} | _tables(state_dir):
                stack.callback(os.close, sole_writer(JOURNAL_FILE.path(state_dir, table)))
            there = _replaceable(source, state_dir, replace=replace)
            saved = None
            if there and replace:
                saved = source.with_name(
                    f"before-{manifest.id}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.backup"
                )
                save(site_file, saved, [identity.to_public()], progress)
            progress(f"putting {len(manifest.members)} files in place")
            _place(manifest, new / "state", state_dir, there)
            written, beside = _place_configuration(configuration / "config", site_file)
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(
                f"{source} could not be restored ({error}). Check free space and permissions, run this as "
                "root or as the user that owns the state folder, and run it again."
            ) from None
    return Outcome(manifest, state_dir, written, beside, saved)


def _unpacked(source: Path, identity: Identity, folder: Path, wanted: Callable[[str], bool]) -> Manifest:
    if not source.is_file():
        raise ConfigError(f"There is no backup {source}.")
    try:
        return unpack(source, identity, folder, wanted)
    except OSError as error:
        raise ConfigError(
            f"{source} could not be unpacked ({error}): check free space and permissions."
        ) from None


def _check_records(source: Path, manifest: Manifest, state: Path) -> None:
    """Each record is what the manifest says of it, and of a form that this tablebridge knows."""
    for table in manifest.tables:
        if table.head:
            with closing(Journal(JOURNAL_FILE.path(state, table.name), table.name, readonly=True)) as journal:
                if journal.head != table.head:
                    raise ConfigError(
                        f"{source}: the record of table {table.name} is not the one that was saved."
                    )


def _tables(state_dir: Path) -> set[str]:
    return {path.stem for path in JOURNAL_FILE.paths(state_dir)}


def _replaceable(source: Path, state_dir: Path, *, replace: bool) -> list[Path]:
    """The files that are there and that a restore takes away. Raises ConfigError if it may not."""
    there = [path for _, path in state_files(state_dir)]
    before = load_restored(state_dir)
    unfinished = set(before.replaced) if before is not None and not before.finished else set()
    kept = [path for path in there if str(path.relative_to(state_dir)) not in unfinished]
    if kept and not replace:
        raise ConfigError(
            f"{state_dir} holds a site already ({kept[0].relative_to(state_dir)} and {len(kept) - 1} files "
            "more). Restore onto a box without one, or add --replace: what is there is then saved as a "
            f"backup beside {source.name} first."
        )
    return there


def _place(manifest: Manifest, new: Path, state_dir: Path, there: list[Path]) -> None:
    arriving = [
        member.name.removeprefix("state/") for member in manifest.members if member.name.startswith("state/")
    ]
    names = {*arriving, *(str(path.relative_to(state_dir)) for path in there)}
    tables = tuple(table.name for table in manifest.tables)
    mark = Restored(manifest.id, manifest.made_wall_ns, tables, False, tuple(sorted(names)))
    save_restored(state_dir, mark)
    for name in names:
        for tail in ("", *private.BESIDE):
            (state_dir / f"{name}{tail}").unlink(missing_ok=True)
    for name in arriving:
        target = state_dir / name
        part = state_dir / Path(name).parts[0]
        for folder in (part, target.parent):
            if not folder.exists():
                private.folder(folder)
                _given(folder, state_dir if folder == part else part)
        shutil.move(new / name, target)
        _given(target, part)
    os.sync()
    save_restored(state_dir, msgspec.structs.replace(mark, finished=True, replaced=()))
    _given(RESTORED.path(state_dir), RESTORED.part.folder(state_dir))


def _given(path: Path, like: Path) -> None:
    """Give the path to the owner of another, if we may: a restore by root leaves nothing that is root's. The
    owner of the folder may exchange what is in it meanwhile, so no link is followed.
    """
    if os.geteuid() != 0:
        return
    owner = like.stat()
    if path.is_dir():
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
    else:
        private.give(path, owner.st_uid, owner.st_gid, private.FILE)


def _place_configuration(folder: Path, site_file: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Put the site file and its rulebooks in place; beside those that are there and differ."""
    written, beside = [], []
    for file in sorted(folder.iterdir()):
        target = site_file if file.name == Path(SITE_FILE).name else site_file.with_name(file.name)
        data = file.read_bytes()
        if not target.exists():
            written.append(target)
        elif target.read_bytes() != data:
            target = target.with_name(f"{target.name}.restored")
            beside.append(target)
        else:
            continue
        private.folder(target.parent)
        private.write(target, data)
        if os.geteuid() == 0:
            # The services read their configuration by the folder's group.
            private.give(target, 0, target.parent.stat().st_gid, 0o640)
    return tuple(written), tuple(beside)
