"""Regular hands through the whole chain alarm nobody and are recorded as they were dealt."""

import pytest

from tablebridge.model.sentences import sentence_of
from tablebridge.sim.session import Session

from .dealing import Deals, faults_of, findings_since

pytestmark = pytest.mark.slow

HANDS = 20


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
        assert [(f.hand, f.finding, f.cause, sentence_of(f)) for f in findings_since(session, 0)] == []
    assert session.readings_lost() == 0
