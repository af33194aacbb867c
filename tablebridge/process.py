"""What every process of ours asks of the kernel, before it opens anything.

- Nobody else may read what it makes: umask 077.
- Its memory, in which faces may be, is not written to disk when it crashes and cannot be read by other
  processes of its user: no core, not dumpable (prctl(2)). Swap must be turned off for the machine; the units
  do it (`MemorySwapMax=0`).
- It may have as many files and connections open as its hard limit allows.

Under the units the limits are set already, and asking for them is refused: that is no fault.
"""

import contextlib
import ctypes
import errno
import os
import resource
from pathlib import Path
from typing import Final

UMASK: Final = 0o077
FILES: Final = 4096
LEAST_FILES: Final = 64
"""A process that may open fewer than this cannot do its work."""
NO_FILES: Final = (errno.EMFILE, errno.ENFILE)
"""The errors of who may open no more files."""
_PR_SET_DUMPABLE: Final = 4


def few_files() -> str:
    """A sentence if this process may open too few files to work, else nothing."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        held = len(list(Path("/proc/self/fd").iterdir())) - 1
    except OSError as error:
        if error.errno not in NO_FILES:
            return ""
        held = limit
    if limit == resource.RLIM_INFINITY or limit - held >= LEAST_FILES:
        return ""
    return (
        f"this process begins with {held} open files and may have {limit}: that leaves too few to work. "
        "Raise the limit (LimitNOFILE= of the unit, ulimit -n), or start it from a program that holds fewer "
        "open. Nothing was changed."
    )


def begin() -> None:
    """The first thing that a process does."""
    os.umask(UMASK)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A core that is piped to a program is not bound by the limit; a process that is not dumpable makes none.
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    with contextlib.suppress(OSError, ValueError):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
