"""Runs again, alone, the few tests that failed while others ran beside them, and names them.

    python tests/again.py NOTE TESTS...

A test that waits for processes and browsers can fail because a machine has no time for it. A fault fails
alone, too: a property's example is kept and tried first. More than a few failures are not run again. NOTE
gets the names of those that passed now, which `make test` prints at its end: each is to be looked at.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
AT_MOST = 4


def main(note: Path, arguments: list[str]) -> int:
    """The exit status: 0 if all of them pass."""
    failed = list(json.loads(FAILED.read_text())) if FAILED.exists() else []
    failed = [name for name in failed if name.startswith("tests/e2e/") == ("tests/e2e" in arguments)]
    if not 0 < len(failed) <= AT_MOST:
        return 1
    print(f"== again, alone: {', '.join(failed)}", flush=True)
    status = subprocess.run([sys.executable, "-m", "pytest", *failed], check=False).returncode
    if not status:
        with note.open("a") as names:
            names.writelines(f"{name}\n" for name in failed)
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
