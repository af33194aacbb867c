"""Readings that come late, without an outage, become what they become if they come at once."""

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.journal.readings import Tick
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant, later
from tablebridge.settings.site import Site

from .conftest import stamp
from .recording import night
from .test_core import core_of, told

LATE_S = 30.0
"""Longer than the longest wait of sensing, which is for a deal that cannot begin."""


def played(site: Site, late_s: float) -> tuple[list[bytes], list[tuple[object, ...]]]:
    """What a night becomes whose readings all come so late, with the clock looked at after each."""
    with core_of(site) as core:
        for one in stamp(night()):
            now = later(one.at, late_s)
            core.readings([one], now)
            core.tick(now)
    heard = told(site)
    (site.state_dir / "journal" / "one.sqlite").unlink()
    return heard


@pytest.mark.parametrize("late_s", [0.5, LATE_S, 3600.0])
def test_how_late_readings_come_changes_nothing(site: Site, late_s: float) -> None:
    assert played(site, late_s) == played(site, 0.0)


@pytest.mark.parametrize("cut", range(2_800, 2_850, 5))
def test_an_engine_that_was_away_waits_for_what_was_read_meanwhile(site: Site, cut: int) -> None:
    """It starts again and looks at the clock before any reading comes."""
    expected, stamped = played(site, 0.0), stamp(night())
    with core_of(site) as core:
        for one in stamped[:cut]:
            core.readings([one], one.at)
    now = later(stamped[cut].at, LATE_S)
    with core_of(site, now) as core:
        core.tick(now)
        for one in stamped[cut:]:
            core.readings([one], later(one.at, LATE_S))
    assert told(site) == expected


def until_it_waits(core: TableCore, late_s: float, boot: str) -> tuple[Instant, float]:
    """Readings come until a wait of sensing begins: when the last one was made, and how long the wait takes
    from then.
    """
    for one in stamp(night()):
        core.readings([one], at_boot(later(one.at, late_s), boot))
        wait_ns = (core._tracker.wake_ns or 0) - one.at.monotonic_ns
        if wait_ns > 500_000_000:
            return one.at, wait_ns / 1e9
    pytest.fail("sensing never waited")


def at_boot(at: Instant, boot: str) -> Instant:
    return msgspec.structs.replace(at, boot_id=boot)


@pytest.mark.parametrize(("late_s", "boot", "behind_s"), [(30, "boot", 30), (-5, "boot", 0), (30, "new", 0)])
def test_waits_of_sensing_end_by_the_clock_if_nothing_is_read_any_more(
    site: Site, late_s: float, boot: str, behind_s: float
) -> None:
    """A reading of the future, or of another boot, does not say how late readings are."""
    with core_of(site) as core:
        last, wait_s = until_it_waits(core, late_s, boot)
        end = at_boot(later(last, wait_s + behind_s), boot)
        core.tick(later(end, -1e-6))
        assert ticks(site) == []
        assert core._sensing_time.wake_ns == end.monotonic_ns
        assert core.wake_ns is not None and core.wake_ns <= end.monotonic_ns
        core.tick(end)
    assert ticks(site) == [later(end, -behind_s)]


def ticks(site: Site) -> list[Instant]:
    """The ticks that the journal has."""
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    rows = [row.row.at for row in journal.rows(1) if isinstance(getattr(row, "row", None), Tick)]
    journal.close()
    return rows
