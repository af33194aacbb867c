"""Devices on pseudo-terminals, a place for readings to go, and waiting with a deadline."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from rig.feig import Feig
from rig.pty import Pty


def wait_for(condition: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Poll until the condition holds; fail by saying what did not happen."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"after {seconds} s still not: {what}")
        time.sleep(0.005)


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[..., Pty]]:
    """Make devices: `plugged(answer)` -> Pty at tmp_path/reader. All are pulled out at the end."""
    made: list[Pty] = []

    def make(answer: Callable[[bytes], bytes] | None = None, name: str = "reader") -> Pty:
        made.append(Pty(tmp_path / name, answer or Feig()))
        return made[-1]

    yield make
    for pty in made:
        pty.unplug()
