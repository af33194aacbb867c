"""Which backup the records of this box were restored from: `journal/restored.json`.

A restored record has a twin: the record that the backup was made of may have gone on. So each restored record
says so in its own chain, and while a restore is not finished no table is opened.
"""

from pathlib import Path
from typing import Final

import msgspec

from tablebridge.model.bounds import Line, Nanoseconds, Reader, Word
from tablebridge.model.errors import JournalError
from tablebridge.settings.state import RESTORED, write_private


class Restored(msgspec.Struct, frozen=True):
    """A restore. `backup`: its id. `made_wall_ns`: when the backup was made. `tables`: whose records it
    brought. `replaced`: the files that were or are being replaced, until it is `finished`.
    """

    backup: Word
    made_wall_ns: Nanoseconds
    tables: tuple[Word, ...]
    finished: bool
    replaced: tuple[Line, ...] = ()


_READER: Final = Reader[Restored](Restored)


def load_restored(state_dir: Path) -> Restored | None:
    """The last restore into this state folder; None if there was none. Raises JournalError if it cannot be
    read.
    """
    path = RESTORED.path(state_dir)
    try:
        return _READER.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise JournalError(
            f"{path} cannot be read ({error}): restore the backup again, or delete the file if none was "
            "restored"
        ) from None


def save_restored(state_dir: Path, restored: Restored) -> None:
    """Write it down. Raises ConfigError."""
    write_private(RESTORED.path(state_dir), msgspec.json.encode(restored).decode())


def restored_here(state_dir: Path, table: str) -> Restored | None:
    """The restore that brought this table's record, if any. Raises JournalError if a restore was not
    finished.
    """
    restored = load_restored(state_dir)
    if restored is not None and not restored.finished:
        raise JournalError(
            f"a restore into {state_dir} was interrupted: run the same `tablebridge restore` again"
        )
    return restored if restored is not None and table in restored.tables else None
