"""What the engine counts of a table: gaps, readings that are lost, commits, findings, hands."""

from tablebridge.app.measured import Tally
from tablebridge.bus import topics
from tablebridge.bus.messages import MOST_FINDINGS, DeviceMeta, TableCounters, decode, encode
from tablebridge.model.commit_times import CommitTimes
from tablebridge.model.findings import KINDS
from tablebridge.model.instant import later
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import night
from .test_core import core_of


def test_a_gap_that_is_never_filled_is_counted_by_device(site: Site) -> None:
    readings = stamp(night()[:10])
    tally = Tally()
    with core_of(site) as core:
        core.readings([readings[0], *readings[4:6]], START)
        for ask in core.asks:
            tally.asked(ask.device)
        assert core.measured.lost == {}
        core.birth(DeviceMeta("board", "line", "e", 5, 7, "1"), later(START, 1))
        for second in range(1, 120):
            core.tick(later(START, second))
        counted = tally.message("1", core.measured, 2, 3)
    assert (counted.gaps, counted.lost) == ({"board": 1}, {"board": 3})
    assert (counted.waiting, counted.unsent, counted.overlay_delay_s) == (
        2,
        3,
        core.measured.overlay.delay_s,
    )
    assert sum(counted.commits) >= 2 and counted.commits_ns > 0
    assert decode(encode(counted), TableCounters) == counted


def test_findings_and_hands_are_counted_as_they_happen(site: Site) -> None:
    tally = Tally()
    with core_of(site) as core:
        tally.hand(core.table.hand_number)
        for stamped in stamp(night()):
            core.readings([stamped], stamped.at)
            tally.hand(core.table.hand_number)
        found = [message.finding.finding for topic, message in core.messages if topic is topics.FINDING]
        for topic, message in core.messages:
            tally.leaves(topic, message)
        counted = tally.message("1", core.measured, 0, 0)
    assert counted.hands == 5 and len(found) > 2
    assert counted.findings == {name: found.count(name) for name in found}
    assert len(KINDS) <= MOST_FINDINGS, "all kinds fit into a message"


def test_the_first_hand_that_is_seen_may_have_begun_before() -> None:
    tally, counted = Tally(), []
    for number in (41, 41, 42, 44, 3):
        tally.hand(number)
        counted.append(tally._hands)
    assert counted == [0, 0, 1, 3, 3]


def test_a_commit_counts_in_the_first_bound_that_holds_it() -> None:
    times = CommitTimes()
    for ms in (0, 1, 1.000001, 5, 999, 1_000, 1_001):
        times.took(round(ms * 1e6))
    assert times.counts == [2, 1, 1, 0, 0, 0, 0, 0, 2, 1]
    assert times.total_ns == round(3007.000001 * 1e6)
