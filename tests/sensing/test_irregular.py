"""Every irregularity of the deal is noticed on a table that reads cleanly, and nothing is where nothing was
wrong.
"""

import pytest

from tablebridge.model.findings import KINDS
from tablebridge.sim.astray import astray
from tablebridge.sim.irregular import IRREGULAR
from tablebridge.sim.virtual import VirtualTable

SEED = 400


@pytest.mark.parametrize("name", [*IRREGULAR, *astray([])])
def test_each_is_noticed(name: str) -> None:
    table = VirtualTable("clean", SEED)
    make = {**IRREGULAR, **astray(list(table.other.values()))}[name]
    wanted = make()
    table.play(make)
    found = [(finding.finding, finding.cause) for _, finding in table.findings]
    assert any(word == wanted.finding and wanted.cause in (None, cause) for word, cause in found), found


def test_nothing_is_noticed_where_nothing_was_wrong() -> None:
    table = VirtualTable("clean", SEED)
    for _ in range(10):
        table.play()
    assert [
        finding for _, finding in table.findings if KINDS[finding.finding].severity in ("warning", "critical")
    ] == []
