"""A configuration from the room to a box and back: put before it, taken between two hands by what its unit
runs, shown to the room, refused, taken back by name.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig.room import SITE
from rig.wait import wait_for

from tablebridge.model import events as ev
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.sim.room.dealt import DealtTable

from .whole import BOX, Whole

pytestmark = pytest.mark.timeout(300)
UNIT = Path(__file__).parents[2] / "tablebridge/install/files/tablebridge-take.service"


@pytest.fixture
def table(whole: Whole) -> Iterator[DealtTable]:
    """A table of the box, in a hand."""
    path = JOURNAL_FILE.path(whole.box, "table-1")
    path.parent.mkdir(exist_ok=True)
    table = DealtTable(path, "table-1")
    table.enter(ev.Rules("tda-2022"), ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(1))
    table.enter(ev.Stacks(1000), ev.Hand())
    yield table
    table.close()
    path.unlink()


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tablebridge", *words], capture_output=True, text=True, timeout=60, check=False
    )


def of_unit(whole: Whole) -> "subprocess.CompletedProcess[str]":
    """What the unit's first step runs, for the site file of this box and without waiting for hands."""
    (line,) = (one for one in UNIT.read_text().splitlines() if one.startswith("ExecStart="))
    words = line.split()[1:]
    words[words.index("--site") + 1] = str(whole.box / "site.toml")
    words[words.index("--wait") + 1] = "0"
    return run(*words)


def test_a_box_takes_what_the_room_puts_before_it_and_the_page_says_who_runs_what(
    whole: Whole, table: DealtTable, tmp_path: Path
) -> None:
    whole.engine.begin()
    wait_for(lambda: whole.shows("tile-table-1"), "the box is heard")
    room = ["--site-name", SITE, "--authority", str(whole.folder / "authority")]
    room += [word for address in whole.room.cluster.addresses for word in ("--server", address)]
    running = whole.box / "site.toml"
    before = running.read_text()

    def push(name: str, text: str) -> None:
        file = tmp_path / f"{name}.toml"
        file.write_text(text)
        done = run("site", "push", BOX, str(file), "--name", name, *room)
        assert done.returncode == 0, done.stderr

    def shown(*texts: str) -> None:
        def all_shown() -> bool:
            page = whole.get("/figures", process=1).text
            return all(text in page for text in texts)

        wait_for(all_shown, f"the page of another process shows {texts}")

    push("early", before.replace('name = "table-2"', 'name = "table-2"\nseats = "1-9"'))
    shown("early", "waits until the box takes it")
    refused = of_unit(whole)
    assert refused.returncode == 2 and "a hand is under way at table-1" in refused.stderr
    assert running.read_text() == before
    table.enter(ev.End())
    taken = of_unit(whole)
    assert taken.returncode == 0, taken.stderr
    assert "Version early is in place" in taken.stdout
    assert running.read_text() == (tmp_path / "early.toml").read_text()
    shown("early", "it runs")
    push("wrong", before.replace("[[table]]", "sutas = 1\n[[table]]", 1))
    shown("wrong", "refused")
    assert "sutas" not in whole.get("/figures").text, "the site file is not the floor's to read"
    assert "sutas" in run("site", "versions", BOX, *room).stderr
    assert of_unit(whole).returncode == 2
    assert running.read_text() == (tmp_path / "early.toml").read_text()
    assert run("site", "rollback", BOX, "early", *room).returncode == 0
    shown("early", "it runs")
    assert "Nothing waits" in of_unit(whole).stdout
