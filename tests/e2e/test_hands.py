"""Hands through the whole chain: regular ones are recorded as they were dealt and alarm nobody; irregular
ones raise what is named for them, and the hand after each is regular again.
"""

from collections.abc import Iterator

import pytest

from tablebridge.sim.irregular import IRREGULAR, BrokerRestart
from tablebridge.sim.session import Session

from .dealing import Deals, faults_of, findings_since

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

HANDS = 20


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deals]:
    with Session(tmp_path_factory.mktemp("clean"), level="clean", speed=None, seed=51) as session:
        yield Deals(session, 51)
    assert session.readings_lost() == 0


@pytest.mark.parametrize("name", [*IRREGULAR, "broker-restart"])
def test_an_irregularity_is_named_and_the_next_hand_is_regular(clean: Deals, name: str) -> None:
    session = clean.session
    since = session.wait_table().rev
    irregular = (
        BrokerRestart(session.runner.restart_broker) if name == "broker-restart" else IRREGULAR[name]()
    )
    hand = clean.draw("river")
    while not irregular.suits(hand):
        hand = clean.draw("river")
    dealt = clean.play(hand, irregular)
    assert dealt.played is not None and dealt.played.view.street == ("void" if dealt.played.void else "over")
    found = {
        (finding.finding, finding.cause)
        for finding in findings_since(session, since, "notice", "warning", "critical")
    }
    if irregular.finding:
        assert any(irregular.finding == word and irregular.cause in (None, cause) for word, cause in found), (
            found
        )
    else:
        assert found == set() and faults_of(session, dealt) == []

    since = session.wait_table().rev
    following = clean.play()
    assert (
        following.played is not None
        and following.played.view.street == "over"
        and following.played.refused == ()
    )
    assert faults_of(session, following) == []
    assert [(finding.finding, finding.cause) for finding in findings_since(session, since)] == []


def test_regular_hands_alarm_nobody_and_are_recorded_as_dealt(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Session(tmp_path_factory.mktemp("mild"), level="mild", speed=None, seed=61) as session:
        deals = Deals(session, 61)
        for _ in range(HANDS):
            dealt = deals.play()
            assert (
                dealt.played is not None and dealt.played.view.street == "over" and dealt.played.refused == ()
            )
            assert faults_of(session, dealt) == [], f"hand {dealt.number}"
        assert [(f.hand, f.finding, f.cause, f.sentence) for f in findings_since(session, 0)] == []
    assert session.readings_lost() == 0
