"""A private folder beside the journals, on the same disk and as well protected, for work that a kill may
interrupt: the next one removes what was left.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tablebridge import private
from tablebridge.settings.state import StateFile


@contextmanager
def workplace(state_dir: Path, kind: StateFile) -> Iterator[Path]:
    """A new folder of this kind, removed at the end. Raises OSError."""
    part = kind.part.folder(state_dir)
    private.folder(part)
    for left in kind.paths(state_dir):
        _remove(left)
    folder = Path(mkdtemp(dir=part, prefix=kind.path(state_dir).name))
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def _remove(folder: Path) -> None:
    """Remove the folder, unless a process works in it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    else:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)
