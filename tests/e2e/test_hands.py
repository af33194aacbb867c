"""Irregular hands through the whole chain raise what is named for them, and the hand after each is regular
again.
"""

from collections.abc import Iterator

import pytest

from tablebridge.sim.game import irregular
from tablebridge.sim.irregular import BROKER_RESTART, IRREGULAR
from tablebridge.sim.session import Session

from .dealing import Deals, faults_of, findings_since

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deals]:
    with Session(tmp_path_factory.mktemp("clean"), level="clean", speed=None, seed=51) as session:
        yield Deals(session, 51)
    assert session.readings_lost() == 0


@pytest.mark.parametrize("name", [*IRREGULAR, BROKER_RESTART])
def test_an_irregularity_is_named_and_the_next_hand_is_regular(clean: Deals, name: str) -> None:
    session = clean.session
    since = session.wait_table().rev
    manner = irregular(name, session)
    hand = clean.draw("river")
    while not manner.suits(hand):
        hand = clean.draw("river")
    dealt = clean.play(hand, manner)
    assert dealt.played is not None and dealt.played.view.street == ("void" if dealt.played.void else "over")
    found = {
        (finding.finding, finding.cause)
        for finding in findings_since(session, since, "notice", "warning", "critical")
    }
    if manner.finding:
        assert any(manner.finding == word and manner.cause in (None, cause) for word, cause in found), found
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
