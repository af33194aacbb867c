"""All that a driver author may import: `from tablebridge.sdk import Driver, Sweep, Turn, ...`."""

from tablebridge.model.instant import Instant
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Look,
    Reading,
    ShufflerReport,
    Sweep,
    TrayReading,
)
from tablebridge.sdk.driver import (
    Driver,
    KeysPort,
    Light,
    Option,
    Options,
    PcscPort,
    Reason,
    Rejected,
    SerialPort,
    Session,
    Signal,
    Turn,
    UsbPort,
    WatchPort,
)
from tablebridge.sdk.visiting import Visiting

__all__ = [
    "ButtonPress",
    "DeviceStatus",
    "Driver",
    "Instant",
    "KeysPort",
    "Light",
    "Look",
    "Option",
    "Options",
    "PcscPort",
    "Reading",
    "Reason",
    "Rejected",
    "SerialPort",
    "Session",
    "Signal",
    "ShufflerReport",
    "Sweep",
    "TrayReading",
    "Turn",
    "UsbPort",
    "Visiting",
    "WatchPort",
]
