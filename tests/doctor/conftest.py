"""A box with readers on pseudo-terminals, and its site file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rig.feig import Feig
from rig.pty import Pty


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[..., Pty]]:
    """Make devices: `plugged(answer, name)` -> Pty at tmp_path/name. All are pulled out at the end."""
    made: list[Pty] = []

    def make(answer: Callable[[bytes], bytes] | None = None, name: str = "reader") -> Pty:
        made.append(Pty(tmp_path / name, answer or Feig()))
        return made[-1]

    yield make
    for pty in made:
        if pty.plugged:
            pty.unplug()


@pytest.fixture
def site(tmp_path: Path) -> Callable[..., Path]:
    """Write a site file with one table and these devices: `site('name = "left"...', ...)` -> its path."""

    def write(*devices: str, more: str = "") -> Path:
        path = tmp_path / "site.toml"
        path.write_text(
            f'name = "club"\nstate_dir = "{tmp_path / "state"}"\n'
            "[broker]\nembedded = false\nport = 1\n"
            + more
            + '[[table]]\nname = "t1"\n'
            + "".join(f"[[table.device]]\n{device}\n" for device in devices)
        )
        return path

    return write
