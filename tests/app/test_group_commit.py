"""Readings from which nothing follows share a commit. What is acknowledged or published is on disk before."""

import shutil
from pathlib import Path
from random import Random

import pytest
from rig.groups import message
from rig.poison import POISON, poisoned

from tablebridge.app.calibration import CalibrationKeeper
from tablebridge.app.intake import Intake
from tablebridge.app.opening import open_core
from tablebridge.app.served import MOST_UNACKNOWLEDGED, Served
from tablebridge.app.wear import WearKeeper
from tablebridge.bus import topics
from tablebridge.bus.aside import Aside
from tablebridge.journal.store import Journal, Record
from tablebridge.model.instant import later
from tablebridge.model.readings import DeviceStatus, ShufflerReport, Stamped, Sweep
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import night
from .test_core import Fixed, core_of, told


def journal_of(site: Site) -> Path:
    return site.state_dir / "journal" / "one.sqlite"


def sweep(number: int, at_s: float) -> Stamped:
    """An antenna that reads nothing."""
    return Stamped("board", "e", number, later(START, at_s), Sweep(1, ()))


def taken_on_disk(site: Site) -> int:
    journal = Journal(journal_of(site), "one", readonly=True)
    try:
        return journal.positions().get(("board", "e"), 1) - 1
    finally:
        journal.close()


def test_readings_from_which_nothing_follows_wait_for_one_commit_and_for_no_longer_than_set(
    site: Site,
) -> None:
    bound = site.commit_within_s
    with core_of(site) as core:
        for number in range(1, 11):
            core.readings([sweep(number, number * bound / 20)], later(START, number * bound / 20))
            assert core.waits and taken_on_disk(site) == 0
        core.tick(later(START, bound))
        assert core.waits
        assert core.wake_ns == later(START, bound / 20 + bound).monotonic_ns
        core.tick(later(START, bound / 20 + bound))
        assert not core.waits and taken_on_disk(site) == 10
        assert core._journal._db.execute("SELECT count(*) FROM reading").fetchone() == (1,)


def test_with_a_bound_of_nothing_each_reading_is_committed_by_itself(site: Site) -> None:
    with core_of(site.model_copy(update={"commit_within_s": 0.0})) as core:
        for number in range(1, 4):
            core.readings([sweep(number, number)], later(START, number))
            assert not core.waits and taken_on_disk(site) == number


def test_what_follows_from_a_reading_is_committed_and_published_at_once_with_all_before_it(
    site: Site,
) -> None:
    with core_of(site) as core:
        core.messages.clear()
        core.readings([sweep(1, 0.01), sweep(2, 0.02)], later(START, 0.02))
        assert core.waits and not core.messages
        jam = Stamped("board", "e", 3, later(START, 0.03), ShufflerReport("jam"))
        core.readings([jam], jam.at)
        assert not core.waits and taken_on_disk(site) == 3 and core.messages
        # A person's command, and what the box found out, too.
        core.readings([sweep(4, 0.04)], later(START, 0.04))
        core.device("board", "lost", (), later(START, 0.05))
        assert not core.waits and taken_on_disk(site) == 4


def test_a_sign_of_a_card_is_published_after_its_commit_which_it_does_not_hasten(site: Site) -> None:
    presence, waited, left = topics.PRESENCE, 0, []
    with core_of(site) as core:
        core.messages.clear()
        for reading in stamp(night())[:600]:
            signs = len(core._outgoing._signs)
            core.readings([reading], reading.at)
            waited += core.waits and len(core._outgoing._signs) > signs
            topics_left = [topic for topic, _ in core.messages]
            assert not topics_left or not core.waits, "it is on disk before it leaves"
            if presence in topics_left:
                assert topics_left.index(presence) < topics_left.index(topics.STATE)
            left += topics_left
            core.messages.clear()
        core.commit()
        left += [topic for topic, _ in core.messages]
    assert waited and left.count(presence) >= 5


def test_pictures_for_a_new_connection_are_of_rows_that_are_on_disk(site: Site) -> None:
    with core_of(site) as core:
        core.readings([sweep(1, 0.01)], later(START, 0.01))
        assert core.waits
        core.retained()
        assert not core.waits and taken_on_disk(site) == 1


def copied(site: Site, to: Path) -> Site:
    """What a kill at this moment leaves: the files as they are, without what is in memory."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(site.state_dir, to)
    return site.model_copy(update={"state_dir": to})


@pytest.mark.parametrize("seed", range(4))
def test_after_a_kill_at_any_moment_the_record_is_a_prefix_with_all_that_was_acknowledged(
    site: Site, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng, stamped = Random(seed), stamp(night())
    kills = set(rng.sample(range(len(stamped)), 25))
    left: list[tuple[int, list[object]]] = []
    acknowledged = 0
    with core_of(site) as core:
        for number, reading in enumerate(stamped):
            core.readings([reading], reading.at)
            if rng.random() < 0.5:
                core.tick(reading.at)
            if not core.waits:
                acknowledged = reading.seq
            if number in kills:
                killed = copied(site, tmp_path_factory.mktemp("killed") / "state")
                journal = Journal(journal_of(killed), "one")
                left.append((acknowledged, list(journal.rows())))
                assert journal.positions().get(("board", "e"), 1) == acknowledged + 1
                journal.close()
    journal = Journal(journal_of(site), "one", readonly=True)
    whole = list(journal.rows())
    journal.close()
    assert len({len(rows) for _, rows in left}) > 5, "some of the kills have taken something"
    for acknowledged, rows in left:
        assert rows == whole[: len(rows)]
        readings = [row for row in rows if not isinstance(row, Record)]
        assert len(readings) >= acknowledged


@pytest.mark.parametrize("seed", range(4))
def test_what_a_kill_took_comes_again_and_gives_the_same_record(
    site: Site, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng, stamped = Random(seed), stamp(night())
    begun, here = 0, site
    for end in [*sorted(rng.sample(range(len(stamped)), 6)), len(stamped)]:
        core = open_core(here, here.tables[0], Fixed(START))
        acknowledged = begun
        for reading in stamped[begun:end]:
            core.readings([reading], reading.at)
            if not core.waits:
                acknowledged = reading.seq
        here = copied(here, tmp_path_factory.mktemp("killed") / "state")
        core.close()
        begun = acknowledged
    with core_of(here) as core:
        for reading in stamped[begun:]:
            core.readings([reading], reading.at)
    killed = told(here)
    journal_of(site).unlink()
    with core_of(site) as core:
        for reading in stamped:
            core.readings([reading], reading.at)
    assert killed == told(site)


class Acks:
    """A table as it is served, and which of its readings were acknowledged."""

    def __init__(self, site: Site, aside: Path) -> None:
        self.clock = Fixed(START)
        self.acked: list[int] = []
        self.set_aside = Aside(aside)
        table = site.tables[0]
        self.served = Served(
            lambda: poisoned(open_core(site, table, self.clock)),
            {"board": {}},
            {"main": ("board",)},
            WearKeeper(site, table),
            CalibrationKeeper(site, table),
            Intake(1.0),
            self.set_aside,
            self.clock,
        )

    def arrive(self, stamped: Stamped) -> None:
        self.clock.at = stamped.at
        payload = message(stamped, group="main")
        self.served.batch("main", "topic", payload, lambda: self.acked.append(stamped.seq))
        self.served.take()


def test_nothing_is_acknowledged_that_waits_and_no_more_than_a_broker_bears(
    site: Site, tmp_path: Path
) -> None:
    acks = Acks(site, tmp_path / "aside")
    for number in range(1, MOST_UNACKNOWLEDGED):
        acks.arrive(sweep(number, number / 1000))
        assert not acks.acked and taken_on_disk(site) == 0
    acks.arrive(sweep(MOST_UNACKNOWLEDGED, 0.1))
    assert acks.acked == list(range(1, MOST_UNACKNOWLEDGED + 1))
    assert taken_on_disk(site) == MOST_UNACKNOWLEDGED
    acks.arrive(sweep(MOST_UNACKNOWLEDGED + 1, 0.2))
    acks.served.tick(later(START, 0.2 + site.commit_within_s))
    assert acks.acked[-1] == MOST_UNACKNOWLEDGED + 1 == taken_on_disk(site)
    acks.arrive(sweep(MOST_UNACKNOWLEDGED + 2, 0.9))
    acks.served.finish()
    assert acks.acked[-1] == MOST_UNACKNOWLEDGED + 2 == taken_on_disk(site)
    acks.served.core.close()


def test_if_the_core_breaks_the_readings_that_waited_are_taken_again(site: Site, tmp_path: Path) -> None:
    acks = Acks(site, tmp_path / "aside")
    for number in range(1, 5):
        acks.arrive(sweep(number, number / 1000))
    poison = Stamped("board", "e", 5, later(START, 0.005), POISON)
    acks.arrive(poison)
    assert acks.acked == [1, 2, 3, 4, 5] and taken_on_disk(site) == 5
    journal = Journal(journal_of(site), "one", readonly=True)
    kept = [row.row.stamped.reading for row in journal.readings() if hasattr(row.row, "stamped")]
    journal.close()
    assert kept == [Sweep(1, ())] * 4 + [DeviceStatus("identified", "set aside")]
    acks.arrive(sweep(6, 0.006))
    assert not acks.served.survived(lambda: acks.served.core.setup("x", iter(lambda: 1 / 0, 0), START))
    assert acks.served.core.waits is False and taken_on_disk(site) == 6
    acks.served.core.close()
