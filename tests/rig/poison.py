"""A core that breaks on a reading: the error that nobody has foreseen."""

from tablebridge.app.core import TableCore
from tablebridge.model.readings import DeviceStatus, Stamped

POISON = DeviceStatus("degraded", "poison")


def poisoned(core: TableCore) -> TableCore:
    """The core, whose sensing breaks on `POISON` half-way through a transaction. The error names a card."""
    sense = core._sensor.update

    def update(stamped: Stamped, expect: object) -> object:
        if stamped.reading == POISON:
            raise KeyError("Kh")
        return sense(stamped, expect)  # type: ignore[arg-type]

    core._sensor.update = update  # type: ignore[method-assign, assignment]
    return core
