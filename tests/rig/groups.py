"""Devices that are alone in their group, and their readings as messages."""

from collections.abc import Mapping

from tablebridge.bus.batches import batches
from tablebridge.bus.messages import ReadingBatch, decode
from tablebridge.model.readings import Stamped
from tablebridge.settings.site import Group


def alone(tables: Mapping[str, str]) -> tuple[Group, ...]:
    """A group for each device, by the table of each."""
    return tuple(Group(device, table, (device,)) for device, table in tables.items())


def message(*stamped: Stamped, group: str = "") -> bytes:
    """The message with these readings; `group`: by default the first one's device."""
    ((payload, _),) = batches(group or stamped[0].device, stamped)
    return payload


def readings_of(payload: bytes) -> list[Stamped]:
    """The readings of a message."""
    return decode(payload, ReadingBatch).stamped()
