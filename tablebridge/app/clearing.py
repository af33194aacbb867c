"""Which alerts an event takes the reason from."""

from tablebridge.engine.corrections import CORRECTIONS
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import Alerts
from tablebridge.model.alerts import Alert
from tablebridge.model.chip_events import OF_COUNTS
from tablebridge.model.events import DeviceState, Hand, Ruling, Street, TableEvent
from tablebridge.model.instant import Instant


def cleared(alerts: Alerts, table: Table, event: TableEvent, at: Instant) -> tuple[Alert, ...]:
    """Mark the alerts whose reason has gone with this event, which the table has taken."""
    if isinstance(event, (*OF_COUNTS, Street, Hand)):
        return alerts.clear_counted(table.hand_number, table.miscounted, at)
    if isinstance(event, DeviceState) and event.state == "live":
        return alerts.clear_device(event.device, table.not_working, at)
    if isinstance(event, CORRECTIONS) or (isinstance(event, Ruling) and event.ruling == "play-on"):
        return alerts.clear_withdrawn(table.hand_number, {finding.id for finding in table.open_findings}, at)
    return ()
