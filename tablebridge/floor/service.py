"""What is out of service at a table, as a fold of what the floor has done."""

from collections.abc import Collection, Mapping

from tablebridge.model.errors import Refused
from tablebridge.model.floor_marks import EndService, OutOfService, ResumeService
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place


class Service:
    """What of one table is out of service, by device; the table itself is the empty name."""

    def __init__(self) -> None:
        self._out: dict[str, OutOfService] = {}

    def out(self) -> tuple[OutOfService, ...]:
        """What is out of service, in the order in which it was put out."""
        return tuple(self._out.values())

    def restore(self, out: Collection[OutOfService]) -> None:
        """This is out of service."""
        self._out = {mark.device: mark for mark in out}

    def check(self, mark: EndService | ResumeService, devices: Collection[str]) -> None:
        """Raise Refused with the reason, if this is not possible. `devices`: those of the table."""
        is_out = mark.device in self._out
        if isinstance(mark, ResumeService):
            if not is_out:
                raise Refused("It is in service already.")
        elif is_out:
            known = self._out[mark.device]
            raise Refused(f"{known.by} was first: it is out of service already ({known.why}).")
        elif mark.device and mark.device not in devices:
            raise Refused(f"The table has no device {mark.device!r}; reload the page.")
        elif not mark.why.strip():
            raise Refused("Write why it is put out of service.")

    def apply(
        self, mark: EndService | ResumeService, at: Instant, places: Mapping[str, Collection[Place]]
    ) -> None:
        """Apply what was checked, now or before it was recorded. `places`: what the antennas of a device
        read.
        """
        if isinstance(mark, ResumeService):
            self._out.pop(mark.device, None)
        else:
            read = tuple(sorted(places.get(mark.device, ())))
            self._out[mark.device] = OutOfService(mark.device, at, mark.by, mark.why, read)
