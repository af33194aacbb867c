"""After an outage each device comes with its backlog, one after the other: the record is as if there had been
none.
"""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.model.instant import Instant, later
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import DECK, END_KEY, HAND_KEY, PLACES, night
from .test_core import core_of, told

LEFT = 3
"""The antennas up to this number are the left reader's, the others the right one's."""


@pytest.fixture
def two_readers(tmp_path: Path) -> Site:
    save_deck(tmp_path / "decks" / "red.toml", DECK)
    antennas = [f'{number} = "{place}"' for number, place in enumerate(PLACES, 1)]
    path = tmp_path / "site.toml"
    path.write_text(
        f'name = "t"\nstate_dir = "{tmp_path}"\n[[table]]\nname = "one"\ngroup = "alone"\n'
        'seats = "1-3"\nstacks = 10000\n'
        '[[table.device]]\nname = "left"\ndriver = "line"\nport = "/dev/null"\n'
        f"antennas = {{ {', '.join(antennas[:LEFT])} }}\n"
        f'contacts = {{ {HAND_KEY} = "hand", {END_KEY} = "key end" }}\n'
        f'[[table.device]]\nname = "right"\ndriver = "line"\nport = "/dev/tty"\n'
        f"antennas = {{ {', '.join(antennas[LEFT:])} }}\n"
    )
    return load_site(path)


def of_two() -> list[Stamped]:
    numbers: Counter[str] = Counter()
    made = []
    for one in stamp(night()):
        right = isinstance(one.reading, Sweep) and one.reading.antenna > LEFT
        device = "right" if right else "left"
        numbers[device] += 1
        made.append(msgspec.structs.replace(one, device=device, seq=numbers[device]))
    return made


def in_order(site: Site, made: list[Stamped]) -> tuple[list[bytes], list[tuple[object, ...]]]:
    with core_of(site) as core:
        for one in made:
            core.readings([one], one.at)
    heard = told(site)
    (site.state_dir / "journal" / "one.sqlite").unlink()
    return heard


def outage(core: TableCore, backlog: list[Stamped], at: Instant) -> None:
    core.connected(["left", "right"], at)
    for device in ("right", "left"):
        core.readings([one for one in backlog if one.device == device], at)


@pytest.mark.parametrize("begins", [150, 400, 700, 1100])
def test_a_backlog_of_two_devices_is_put_in_order(two_readers: Site, begins: int) -> None:
    made = of_two()
    expected = in_order(two_readers, made)
    ends = begins + 200
    with core_of(two_readers) as core:
        for one in made[:begins]:
            core.readings([one], one.at)
        outage(core, made[begins:ends], made[ends].at)
        assert core.catching_up
        for one in made[ends:]:
            core.readings([one], one.at)
        assert not core.catching_up
    assert told(two_readers) == expected


def test_a_kill_while_readings_are_held_loses_none(two_readers: Site) -> None:
    """They were acknowledged and come no more: they wait on disk."""
    made = of_two()
    expected = in_order(two_readers, made)
    with core_of(two_readers) as core:
        for one in made[:400]:
            core.readings([one], one.at)
        outage(core, made[400:600], made[600].at)
    with core_of(two_readers, made[600].at) as core:
        assert core.catching_up
        outage(core, made[580:600], made[600].at)
        for one in made[600:]:
            core.readings([one], one.at)
    assert told(two_readers) == expected


def test_a_new_table_and_one_whose_readers_are_away_wait_for_nobody(two_readers: Site) -> None:
    made = of_two()
    with core_of(two_readers) as core:
        core.connected(["left", "right"], START)
        core.readings(made[:1], START)
        assert not core.catching_up
        core.readings(made[1:100], made[99].at)
        for device in ("left", "right"):
            core.device(device, "lost", (), made[99].at)
        core.connected(["left", "right"], made[100].at)
        core.tick(made[100].at)
        assert not core.catching_up


def test_waiting_ends_after_four_seconds(two_readers: Site) -> None:
    made = of_two()
    with core_of(two_readers) as core:
        core.readings(made[:300], made[299].at)
        outage(core, made[300:301], made[300].at)
        wake = core.wake_ns
        assert wake == later(made[300].at, 4).monotonic_ns
        core.tick(later(made[300].at, 3.9))
        assert core.catching_up
        core.tick(later(made[300].at, 4))
        assert not core.catching_up
