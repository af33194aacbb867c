"""Stacks from the chips under the emulated table's antennas to the finding: driver, broker, sensing, engine,
journal and pages.
"""

from contextlib import closing
from pathlib import Path

import pytest
from rig.wait import wait_for

from tablebridge.journal.read import entries, findings
from tablebridge.model.chip_events import StackChips
from tablebridge.model.findings import Finding
from tablebridge.model.places import stack_place
from tablebridge.sim.emulated import SEATED
from tablebridge.sim.session import Session

from .dealing import Deals

pytestmark = pytest.mark.slow


def counts(session: Session) -> dict[int, StackChips]:
    """The last count of each seat."""
    with closing(session.journal()) as journal:
        return {
            entry.event.seat: entry.event for entry in entries(journal) if isinstance(entry.event, StackChips)
        }


def mismatches(session: Session) -> list[Finding]:
    with closing(session.journal()) as journal:
        return [found for found in findings(journal) if found.finding == "stack-mismatch"]


def test_stacks_are_counted_after_a_hand_and_one_that_is_wrong_is_found(tmp_path: Path) -> None:
    with Session(tmp_path, level="clean", speed=None, seed=5, bets=True) as session:
        Deals(session, 5).play()
        wait_for(lambda: set(counts(session)) == set(SEATED), "all stacks are counted", 60)
        stacks = {player.seat: player.stack for player in session.console.view().seats}
        assert {seat: sum(count.chips) for seat, count in counts(session).items()} == stacks
        assert mismatches(session) == []
        table = session.rig.table
        free = [tag for tag, value in session.rig.chips.items() if value == 100][-30:]
        tags = table.lying(stack_place(3))
        table.take(tags)
        table.put(free[:20], stack_place(3))
        table.put(free[20:], stack_place(7))
        wait_for(lambda: {found.seat for found in mismatches(session)} == {3, 7}, "both are found", 60)
        by_seat = {found.seat: found.text for found in mismatches(session)}
        assert by_seat == {3: "less", 7: "more"}
        view = session.console.view()
        shown = {player.seat: player.counted for player in view.seats}
        assert shown[3] is not None and shown[3].differs and shown[3].most < stacks[3]
        assert {player.seat: player.stack for player in view.seats} == stacks, "no count changes a stack"
        table.take(table.lying(stack_place(7))[-10:])
        wait_for(
            lambda: {alert.seat for alert in session.console.alerts() if alert.cleared} == {7},
            "the stack that fits again is settled",
            60,
        )
