"""Each irregularity raises its finding, through readers, drivers, broker, sensing and engine; the next hand
is not hurt.
"""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tablebridge.journal.read import findings
from tablebridge.model.findings import Finding
from tablebridge.sim.game import BROKER_RESTART, Game
from tablebridge.sim.irregular import IRREGULAR
from tablebridge.sim.session import Session

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def since(session: Session, record: int) -> list[Finding]:
    with closing(session.journal()) as journal:
        return [finding for finding in findings(journal) if int(finding.id.partition(".")[0]) > record]


def test_every_irregularity_is_noticed(tmp_path: Path) -> None:
    missed, last = {}, 0
    with Session(tmp_path, level="clean", speed=None, seed=5) as session:
        rng = Random(5)
        for name in [*IRREGULAR, BROKER_RESTART]:
            for outcome in Game(session, rng, irregular=name).hands(1):
                found = {(finding.finding, finding.cause) for finding in since(session, last)}
                last = outcome.played.view.rev
                assert outcome.played.view.street == ("void" if outcome.played.void else "over"), name
                if outcome.irregular in IRREGULAR:
                    wanted = IRREGULAR[name]()
                    if not any(
                        wanted.finding == word and wanted.cause in (None, cause) for word, cause in found
                    ):
                        missed[name] = found
                elif outcome.irregular == BROKER_RESTART:
                    assert outcome.played.refused == ()
    assert missed == {}
