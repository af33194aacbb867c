"""The wall clock jumps a year in the middle of a hand: hand, record and delay stay, and the log says it."""

import msgspec
import pytest

from tablebridge.app.clock_watch import ClockWatch
from tablebridge.bus import topics
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import night
from .test_core import core_of, told

YEAR_NS = 365 * 86_400 * 10**9
JUMPS = [YEAR_NS, -YEAR_NS]


def jumped(stamped: Stamped, by_ns: int) -> Stamped:
    at = msgspec.structs.replace(stamped.at, wall_ns=stamped.at.wall_ns + by_ns)
    return msgspec.structs.replace(stamped, at=at)


def play(site: Site, by_ns: int) -> tuple[object, list[bytes], list[str]]:
    """A night of readings; the wall clock is set after a third of them, and set back after two thirds."""
    readings = stamp(night())
    third = len(readings) // 3
    with core_of(site) as core:
        for number, stamped in enumerate(readings):
            sent = jumped(stamped, by_ns) if third <= number < 2 * third else stamped
            core.readings([sent], sent.at)
        overlay = [topic.name for topic, _ in core.messages if topic is topics.OVERLAY]
        alerts = [alert.finding for alert in core.alerts.active()]
    with core_of(site, readings[-1].at) as again:
        assert [alert.finding for alert in again.alerts.active()] == alerts, "the record folds to the same"
        assert again.table.hand_number == core.table.hand_number
    return told(site), [name.encode() for name in overlay], sorted(alerts)


@pytest.mark.parametrize("by_ns", JUMPS)
def test_hands_findings_alerts_and_the_delay_are_those_of_a_clock_that_stands_still(
    site: Site, tmp_path_factory: pytest.TempPathFactory, by_ns: int
) -> None:
    calm = site.model_copy(update={"state_dir": tmp_path_factory.mktemp("calm")})
    (calm.state_dir / "decks").mkdir()
    (calm.state_dir / "decks" / "red.toml").write_bytes((site.state_dir / "decks" / "red.toml").read_bytes())
    assert play(site, by_ns) == play(calm, 0)
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    assert journal.verify() > 10
    journal.close()


def test_the_log_says_how_far_the_clock_was_set() -> None:
    watch = ClockWatch()
    at = [START.wall_ns, START.monotonic_ns]

    def later(wall_s: float, monotonic_s: float) -> str:
        at[0], at[1] = at[0] + round(wall_s * 1e9), at[1] + round(monotonic_s * 1e9)
        return watch.jumped(Instant(at[0], at[1], START.boot_id))

    assert later(0, 0) == ""
    assert later(5, 5) == "" and later(64.9, 5) == "", "what a time server corrects"
    assert "was set 365.0 days ahead" in later(365 * 86_400 + 5, 5)
    assert later(5, 5) == "", "once"
    assert "was set 365.0 days back" in later(-365 * 86_400, 0)
    assert "was set 120 s ahead" in later(125, 5)
