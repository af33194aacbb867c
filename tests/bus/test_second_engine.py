"""Two engines of one table on one broker see each other, and the one that was started later ends."""

import shutil
from pathlib import Path

import pytest

from tablebridge.app.engine import EngineProcess
from tablebridge.app.second_engine import SecondEngine
from tablebridge.bus.messages import Availability, EngineBeat
from tablebridge.journal.read import findings
from tablebridge.journal.store import Journal
from tablebridge.model.errors import SecondEngineError
from tablebridge.model.instant import Instant

from .conftest import Bench
from .test_availability import site_of


def at(seconds: float) -> Instant:
    return Instant(0, round(seconds * 1e9), "boot")


def test_one_late_beat_is_no_engine_and_two_apart_are() -> None:
    mine = SecondEngine("b", 10)
    assert not mine.beat(EngineBeat("b", 10), at(0)) and not mine.beat(EngineBeat("b", 10), at(9))
    assert not mine.beat(EngineBeat("a", 5), at(10)), "a late one of the run before"
    assert not mine.beat(EngineBeat("a", 5), at(10.5)), "two that came together"
    assert mine.beat(EngineBeat("a", 5), at(12))
    for number in range(1000):
        assert not mine.beat(EngineBeat(f"x{number}"), at(20))
    assert len(mine._beat_ns) < 20, "bounded, whatever is sent"


def test_a_connection_that_was_made_after_this_start_is_an_engine_and_one_before_is_the_last_run() -> None:
    mine = SecondEngine("b", 10)
    assert not mine.availability(Availability("online", "a", "", 9, 1))
    assert not mine.availability(Availability("offline", "a", "", 11, 1))
    assert not mine.availability(Availability("online", "b", "", 11, 10))
    assert mine.availability(Availability("online", "a", "", 11, 1))


def test_two_engines_agree_on_which_of_them_ends() -> None:
    for first, second in (((1, "a"), (2, "b")), ((2, "a"), (2, "b")), ((1, "b"), (2, "a"))):
        one, two = SecondEngine(first[1], first[0]), SecondEngine(second[1], second[0])
        assert not one.yields(EngineBeat(second[1], second[0]))
        assert two.yields(EngineBeat(first[1], first[0]))


@pytest.mark.parametrize("same", [True, False], ids=["a-copied-disk", "another-client-id"])
def test_the_twin_of_a_restored_box_ends_and_the_floor_hears_of_it(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    """A copied disk has the same client id: the broker ends one connection when the other is made."""
    site = site_of(bench)
    first = EngineProcess(site)
    bench.rounds.append(first.step)
    bench.until(lambda: first._client.subscribed, what="the first engine runs")
    copy = tmp_path / "copy"
    shutil.copytree(bench.folder, copy, ignore=lambda *_: ["journal"])
    if not same:
        monkeypatch.setattr("tablebridge.app.engine.client_id", lambda _name, _password: "twin")
    twin = EngineProcess(site.model_copy(update={"state_dir": copy}))
    ended: list[str] = []

    def step() -> None:
        if not ended:
            try:
                twin.step()
            except SecondEngineError as error:
                ended.append(str(error))
                twin._client.close()

    bench.rounds.append(step)
    bench.until(lambda: bool(ended), 60, what="the second engine ends")
    assert "serves table table1" in ended[0] and "was started first" in ended[0]

    def found() -> list[str]:
        journal = Journal(bench.folder / "journal" / "table1.sqlite", "table1", readonly=True)
        try:
            return [finding.finding for finding in findings(journal)]
        finally:
            journal.close()

    bench.until(lambda: found() == ["second-engine"], 60, what="the first one has an alert, once")
    bench.until(lambda: first._client.subscribed, 60, what="the first engine runs on")
