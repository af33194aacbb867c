"""Hands of the emulated table in virtual time, with reports held back as the host does: nothing is reported
that was not dealt.
"""

import pytest

from tablebridge.sim.virtual import VirtualTable


@pytest.mark.parametrize("speed", [1.0, 3.0, 5.0])
def test_hands_that_follow_each_other_closely_are_not_mixed_up(speed: float) -> None:
    table = VirtualTable("clean", 11, speed)
    for _ in range(8):
        table.play()
    assert [
        finding.finding for _, finding in table.findings if finding.severity in ("warning", "critical")
    ] == []


def test_four_cards_a_seat_are_sensed_as_two_are() -> None:
    table = VirtualTable("mild", 2, game="plo")
    for _ in range(4):
        table.play()
    assert [
        finding.finding for _, finding in table.findings if finding.severity in ("warning", "critical")
    ] == []


def test_the_same_seed_gives_the_same_hand() -> None:
    tables = [VirtualTable("typical", 4) for _ in range(2)]
    for table in tables:
        table.play()
    assert tables[0].sensed
    assert tables[0].sensed == tables[1].sensed
