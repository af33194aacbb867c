"""For all tests."""

import os
import signal
import tempfile
from pathlib import Path

from hypothesis import settings

# How long an example takes says something of the machine, nothing of the code; and a run says the same as the
# one before it. Other examples: pytest --hypothesis-profile=explore
settings.register_profile("tablebridge", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("tablebridge")

# A shell's background job ignores Ctrl-C, and so would the processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Journals and outboxes wait at each commit until it is on the disk, and most of the time of their tests would
# be that: what tests write is kept in memory if there is a place for it, as it survives a kill of a process
# there too. On the disk: TMPDIR=/tmp pytest
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
    tempfile.tempdir = os.environ.setdefault("TMPDIR", str(MEMORY))
