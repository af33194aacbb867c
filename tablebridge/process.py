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
import os
import resource
from typing import Final

UMASK: Final = 0o077
FILES: Final = 4096
_PR_SET_DUMPABLE: Final = 4


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
