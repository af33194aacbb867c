"""All that a driver author may import: `from tablebridge.sdk import Driver, Sweep, Turn, ...`."""

from tablebridge.model.instant import Instant
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Reading,
    ShufflerReport,
    Sweep,
    TrayReading,
)
from tablebridge.sdk.driver import (
    Driver,
    Option,
    Options,
    Reason,
    Rejected,
    SerialPort,
    Session,
    Turn,
    UsbPort,
)

__all__ = [
    "ButtonPress", "DeviceStatus", "Driver", "Instant", "Option", "Options", "Reading", "Reason", "Rejected",
    "SerialPort", "Session", "ShufflerReport", "Sweep", "TrayReading", "Turn",
    "UsbPort",
]
