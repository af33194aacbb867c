"""A box whose clock is wrong: its records are stored under the room's day, and the clock is a finding."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from rig.records import SITE, Kept, messages_of

from tablebridge.archive.store import Incoming
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.stream.message import Address

pytestmark = pytest.mark.timeout(300)
NOW = datetime.now(UTC)
CLOCKS = {
    "1970": 1,
    "an hour late": int((NOW - timedelta(hours=1)).timestamp() * 1e9),
    "ten years early": int((NOW + timedelta(days=3650)).timestamp() * 1e9),
    "no time at all": 2**62,
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_wrong_clock_is_one_finding_and_moves_no_record_to_another_day(
    kept: Kept, tmp_path: Path, clock: str
) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t")
    table.deal(2)
    table.close()
    says_ns = CLOCKS[clock]
    messages = [
        replace(one, at_wall_ns=says_ns, sent_wall_ns=says_ns)
        for one in messages_of(tmp_path / "t.sqlite", "t")
    ]
    address = Address(SITE, "box", "t")
    for part in (messages[:40], messages[40:]):
        kept.store.store([Incoming(address, one, NOW) for one in part])
    assert kept.found("t") == [("wrong-clock", 0)]
    assert kept.rows("SELECT DISTINCT day FROM record UNION SELECT day FROM hand") == [(NOW.date(),)]
    assert len(kept.numbers("t")) == len(messages)
    (shown,) = kept.rows("SELECT DISTINCT at IS NULL FROM record")
    assert shown == (clock == "no time at all",)
    ((sentence,),) = kept.rows("SELECT sentence FROM site_finding")
    assert "set up time synchronisation there" in sentence


def test_a_clock_that_is_right_is_no_finding(kept: Kept, tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t")
    table.deal(1)
    table.close()
    kept.put(messages_of(tmp_path / "t.sqlite", "t"))
    assert kept.found("t") == []
