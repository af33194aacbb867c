"""What sensing has learnt of a table is recorded as each hand begins, and a start goes on from it."""

from contextlib import closing

from tablebridge.journal.records import LearntRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.learnt import LearntTable
from tablebridge.settings.site import Site

from .conftest import stamp
from .recording import night
from .test_core import core_of


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
