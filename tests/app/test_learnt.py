"""What sensing has learnt of a table is recorded as each hand begins, and a start goes on from it."""

from contextlib import ExitStack, closing

import pytest

from tablebridge.journal.records import CalibrationRecord, LearntRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.learnt import LearntTable, LoneCard
from tablebridge.model.places import seat_place
from tablebridge.model.readings import ButtonPress
from tablebridge.settings.site import Site

from .conftest import stamp
from .recording import HAND_KEY, night
from .test_core import core_of

LONE = LoneCard(3, 1.0, 0.1)


def recorded(site: Site) -> list[LearntTable]:
    with closing(Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)) as journal:
        bodies = [body_of(record) for record in journal.records(kind="learnt")]
    return [body.learnt for body in bodies if isinstance(body, LearntRecord)]


def test_a_start_knows_what_was_learnt_before_it_and_learns_on(site: Site) -> None:
    stamped = stamp(night(2))
    cut = 2 * len(stamped) // 3
    with core_of(site) as core:
        for one in stamped[:cut]:
            core.readings([one], one.at)
        before, counted = core._sensor.learnt, core._sensor._cards._cross.counts  # type: ignore[attr-defined]
        assert len(before.cards.places) > 3
    assert recorded(site)[-1] == before and len(recorded(site)) == core.table.hand_number
    with core_of(site, stamped[cut].at) as core:
        assert core._sensor.learnt == before
        assert core._sensor._cards._cross.counts == counted, "the hand's own readings are counted again"  # type: ignore[attr-defined]
        for one in stamped[cut:]:
            core.readings([one], one.at)
    later = recorded(site)[-1]
    assert later != before
    place = max(before.cards.places, key=lambda place: before.cards.places[place].visits)
    assert later.cards.places[place].visits > before.cards.places[place].visits


@pytest.mark.parametrize("restarts", [False, True])
def test_what_was_measured_between_two_hands_is_known_from_the_next_on(site: Site, restarts: bool) -> None:
    stamped = stamp(night(2))
    second = [number for number, one in enumerate(stamped) if one.reading == ButtonPress(HAND_KEY)][1]
    before, after = stamped[:second], stamped[second:]
    with ExitStack() as started:
        core = started.enter_context(core_of(site))
        for one in before:
            core.readings([one], one.at)
        measured = CalibrationRecord("one.0a", {"board/1": 3}, before[-1].at, {"board/1": LONE})
        core.calibrations.add(measured, before[-1].at)
        if restarts:
            started.close()
            core = started.enter_context(core_of(site, after[0].at))
        for one in after:
            core.readings([one], one.at)
    measured_by_hand = [known.cards.measured for known in recorded(site)]
    assert measured_by_hand[:2] == [{}, {seat_place(1): LONE}]
    assert measured_by_hand[2][seat_place(1)].weight < 1
