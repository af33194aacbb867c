"""What people press on the pages of a room that is shown on one machine is done by the engine's rules."""

import time
from pathlib import Path

from tablebridge.bus import topics
from tablebridge.bus.messages import ActiveAlerts, FarAct
from tablebridge.model.alerts import Alert
from tablebridge.model.request_events import Dispute
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.shown import ShownTable


def alerts(shown: ShownTable) -> tuple[Alert, ...]:
    (found,) = (message for topic, message in shown.messages() if topic is topics.ALERTS)
    assert isinstance(found, ActiveAlerts)
    return found.alerts


def test_who_presses_second_reads_who_was_first(tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t1.sqlite", "t1", seed=5)
    shown = ShownTable(table, seed=5)
    for events in table.hand():
        table.enter(*events)
    table.enter(Dispute(3, "payment"))
    (alert,) = alerts(shown)
    deadline_ns = time.time_ns() + 5 * 10**9
    first = shown.act(FarAct("act-00000001", "Ann", deadline_ns, alert.id, "taken"))
    second = shown.act(FarAct("act-00000002", "Bob", deadline_ns, alert.id, "taken"))
    assert first.ok and (second.ok, second.sentence) == (
        False,
        "Ann (room) was first: the alert is taken already.",
    )
    assert alerts(shown)[0].life[-1].by == "Ann (room)"
    table.close()
