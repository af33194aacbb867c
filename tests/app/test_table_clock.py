"""Clocks of a table run out by themselves; the record has the time, once, and folds to the same again."""

import pytest

from tablebridge.app.core import TableCore
from tablebridge.bus import topics
from tablebridge.bus.messages import Command
from tablebridge.journal.records import body_of
from tablebridge.journal.store import Journal
from tablebridge.model.clock_events import Tick
from tablebridge.model.events import Entry
from tablebridge.model.instant import Instant
from tablebridge.model.views import ClockView, LevelView, TableView
from tablebridge.settings.site import Site

from .conftest import START, later
from .test_core import core_of

HAND = ("hand", "dealt", "raise 3 300")


def write(core: TableCore, number: int, at: Instant, *lines: str, role: str = "operator") -> bool:
    command = Command(f"id-{number:06d}", "Anna", role, later(START, 3600).wall_ns, lines=lines)
    return core.command(command, at, retained=False).ok


def ticks(site: Site) -> list[Entry]:
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    bodies = [body_of(record) for record in journal.records()]
    journal.close()
    return [body for body in bodies if isinstance(body, Entry) and isinstance(body.event, Tick)]


def shown(core: TableCore) -> TableView:
    return next(message for topic, message in core.retained() if topic == topics.STATE)


def test_a_clock_counts_down_and_runs_out_with_two_entries_and_folds_to_the_same(site: Site) -> None:
    with core_of(site) as core:
        assert write(core, 1, START, *HAND)
        seat = core.table.to_act
        assert write(core, 2, START, f"clock {seat}", role="floor")
        core.tick(START)
        assert core.wake_ns is not None and core.wake_ns <= later(START, 25).monotonic_ns + 1
        for tenths in range(1, 400):
            core.tick(later(START, tenths / 10))
        assert seat in core.table.dead and core.table.to_act != seat
        dead = core.table.dead
    assert [round(entry.at.monotonic_ns - START.monotonic_ns, -8) / 1e9 for entry in ticks(site)] == [
        25.1,
        30.1,
    ]
    with core_of(site, later(START, 60)) as core:
        core.tick(later(START, 61))
        assert core.table.dead == dead, "the record alone says that the time ran out"
    assert len(ticks(site)) == 2


def test_who_acts_at_the_last_moment_is_in_time_and_time_passes_for_nobody_then(site: Site) -> None:
    with core_of(site) as core:
        assert write(core, 1, START, *HAND)
        seat = core.table.to_act
        assert write(core, 2, START, f"clock {seat}", role="floor")
        core.tick(later(START, 24))
        assert write(core, 3, later(START, 30), f"call {seat}")
        core.tick(later(START, 31))
        core.tick(later(START, 90))
        assert seat in core.table.live
    assert ticks(site) == []


def test_an_action_that_was_left_out_is_in_time_if_it_was(site: Site) -> None:
    with core_of(site) as core:
        assert write(core, 1, START, *HAND)
        seat = core.table.to_act
        assert write(core, 2, START, f"clock {seat}", role="floor")
        core.tick(later(START, 31))
        assert seat in core.table.dead
        (tick,) = [entry.id for entry in core.table.log if isinstance(entry.event, Tick)]
        late = Command(
            "id-000003", "Anna", "operator", later(START, 3600).wall_ns, lines=(f"call {seat}",), before=tick
        )
        assert core.command(late, later(START, 40), retained=False).ok
        assert seat in core.table.live


def test_a_table_without_a_clock_writes_nothing_as_time_passes(site: Site) -> None:
    with core_of(site) as core:
        assert write(core, 1, START, *HAND, "level-clock 600")
        rev = core.rev
        for seconds in range(1, 2000, 50):
            core.tick(later(START, seconds))
        assert core.rev == rev


def test_the_picture_has_the_clock_on_a_seat_and_that_of_the_level(site: Site) -> None:
    with core_of(site) as core:
        assert shown(core).clock is None and shown(core).level is None
        assert write(core, 1, START, *HAND, "level-clock 600")
        seat = core.table.to_act
        assert write(core, 2, START, f"clock {seat}", role="floor")
        assert shown(core).clock == ClockView("called", seat, later(START, 30).wall_ns, countdown_s=5)
        level = shown(core).level
        assert level is not None and level.ends_wall_ns == later(START, 600).wall_ns and not level.paused
        assert write(core, 3, later(START, 10), "level-clock stop", role="floor")
        level = shown(core).level
        assert level == LevelView(level.stakes if level else (0, 0), timed=True, left_s=590, paused=True)


@pytest.mark.parametrize("line", ["level-clock 600", "break 600", "hand-for-hand on", "level 200/400"])
def test_clocks_of_the_table_are_the_floors_and_not_the_dealers(site: Site, line: str) -> None:
    with core_of(site) as core:
        assert not write(core, 1, START, line, role="dealer")
        assert write(core, 2, START, line, role="floor")
